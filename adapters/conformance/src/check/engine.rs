//! The engine under test: a dialogue that is recorded as it goes, with the assertions that steps make.

use std::time::{Duration, Instant};

use leap_client::{Client, ClientError, MOST_BYTES};
use leap_protocol::{ErrorCode, ErrorReply, Line, Reply};
use leap_transcript::Exit;

use super::context::{Context, LEAP, shorten};
use super::outcome::{StepError, StepResult, ensure, fail, skip};
use crate::runner::Peer;

/// A running engine, and the context of the step that talks to it.
pub(super) struct CheckedEngine<'a> {
    client: Client,
    pub(super) ctx: &'a Context<'a>,
    /// Bytes that the engine has written since the last command.
    bytes: usize,
}

/// A `bestmove` line and what came with it.
pub(super) struct SearchReply {
    /// The second word of the line.
    pub(super) mv: String,
    /// The whole line.
    pub(super) line: String,
    /// The `info` lines before it.
    pub(super) infos: Vec<String>,
    /// Time from `go` to this line.
    pub(super) took: Duration,
}

impl Context<'_> {
    /// Starts a fresh process, without sending anything.
    pub(super) fn start(&self) -> StepResult<CheckedEngine<'_>> {
        self.note("(a new process)");
        match Client::start_showing(self.engine, self.show_stderr) {
            Ok(client) => Ok(CheckedEngine { client, ctx: self, bytes: 0 }),
            Err(error) => fail("the engine to start", error.to_string()),
        }
    }

    /// Starts a fresh process, greets it and sets up the game of this step.
    pub(super) fn set_up(&self) -> StepResult<CheckedEngine<'_>> {
        let mut engine = self.start()?;
        engine.greet()?;
        if let (Some(game), Some(option)) = (&self.game, self.info.game_option()) {
            engine.send(&format!("setoption name {} value {game}", option.name))?;
        }
        Ok(engine)
    }

    /// As [`Self::set_up`], at the start position.
    pub(super) fn at_start(&self) -> StepResult<CheckedEngine<'_>> {
        let mut engine = self.set_up()?;
        engine.silent("position startpos")?;
        Ok(engine)
    }
}

impl CheckedEngine<'_> {
    pub(super) fn process_id(&self) -> u32 {
        self.client.id()
    }

    pub(super) fn send(&mut self, line: &str) -> StepResult {
        self.send_bytes(format!("{line}\n").into_bytes(), line)
    }

    /// Sends raw bytes; `shown` stands for them in the dialogue.
    pub(super) fn send_bytes(&mut self, bytes: Vec<u8>, shown: &str) -> StepResult {
        self.ctx.note(&format!("> {shown}"));
        self.bytes = 0;
        let sent = self.client.send_bytes(bytes);
        sent.or_else(|error| fail("the engine to read its input", error.to_string()))
    }

    /// Receives a line. Steps keep everything they read, `info` lines included, so the total is bounded.
    fn receive(&mut self, deadline: Instant) -> Result<(String, Instant), ClientError> {
        let (line, at) = self.client.receive_line(deadline)?;
        self.bytes += line.len() + 1;
        if self.bytes > MOST_BYTES { Err(ClientError::Flood(MOST_BYTES)) } else { Ok((line, at)) }
    }

    /// The next line of any kind; fails if there is none in time.
    pub(super) fn line(&mut self, deadline: Instant, expected: &str) -> StepResult<String> {
        match self.receive(deadline) {
            Ok((line, _)) => {
                self.ctx.note(&format!("< {line}"));
                Ok(line)
            }
            Err(error) => {
                let got = got_nothing(&error);
                self.ctx.note(&format!("({got})"));
                fail(expected, got)
            }
        }
    }

    /// The next line that is not `info`.
    pub(super) fn reply(&mut self, expected: &str) -> StepResult<String> {
        let deadline = Instant::now() + self.ctx.patience;
        loop {
            let line = self.line(deadline, expected)?;
            if first_word(&line) != "info" {
                return Ok(line);
            }
        }
    }

    /// Expects the next line that is not `info` to be exactly this one.
    pub(super) fn expect(&mut self, wanted: &str) -> StepResult {
        let line = self.reply(&format!("'{wanted}'"))?;
        ensure(line == wanted, format!("exactly '{wanted}'"), quoted(&line))
    }

    /// Sends `ugi` and reads up to `ugiok`.
    pub(super) fn greet(&mut self) -> StepResult<Vec<String>> {
        self.hello("ugi", "ugiok")
    }

    /// Sends a greeting and returns the lines before its last one.
    pub(super) fn hello(&mut self, word: &str, last: &str) -> StepResult<Vec<String>> {
        self.send(word)?;
        self.lines_before(last)
    }

    /// Sends `isready` and returns the lines before `readyok`, without `info`.
    pub(super) fn sync(&mut self) -> StepResult<Vec<String>> {
        self.send("isready")?;
        let mut lines = self.lines_before("readyok")?;
        lines.retain(|line| first_word(line) != "info");
        Ok(lines)
    }

    fn lines_before(&mut self, last: &str) -> StepResult<Vec<String>> {
        let deadline = Instant::now() + self.ctx.patience;
        let mut lines = Vec::new();
        loop {
            let line = self.line(deadline, &format!("exactly '{last}'"))?;
            if line == last {
                return Ok(lines);
            }
            lines.push(line);
        }
    }

    /// Expects `isready` to be answered by `readyok` and nothing else.
    pub(super) fn expect_ready(&mut self) -> StepResult {
        let lines = self.sync()?;
        ensure(lines.is_empty(), "nothing but 'readyok'", lines.join(" | "))
    }

    /// Sends a command that must succeed, and therefore be silent.
    pub(super) fn silent(&mut self, command: &str) -> StepResult {
        self.send(command)?;
        let lines = self.sync()?;
        let got = || lines.join(" | ");
        ensure(lines.is_empty(), format!("no reply to '{}'", shorten(command)), got())
    }

    /// Sends commands that an engine may or may not answer, then synchronizes with `isready`.
    pub(super) fn tolerated(&mut self, command: &str) -> StepResult<Vec<String>> {
        self.send(command)?;
        self.sync()
    }

    /// Asks a question and returns what follows `response`.
    pub(super) fn ask(&mut self, question: &str) -> StepResult<String> {
        self.send(&format!("query {question}"))?;
        self.response(question)
    }

    /// Reads the answer to a question and returns what follows `response`.
    pub(super) fn response(&mut self, question: &str) -> StepResult<String> {
        let expected = format!("'response ...' to 'query {}'", shorten(question));
        let line = self.reply(&expected)?;
        match Reply::parse(&line) {
            Reply::Response(body) => Ok(body),
            _ => fail(expected, quoted(&line)),
        }
    }

    /// Asks a question and parses the answer.
    pub(super) fn ask_for<T>(&mut self, question: &str) -> StepResult<T>
    where
        T: std::str::FromStr,
        T::Err: std::fmt::Display,
    {
        let body = self.ask(question)?;
        body.parse().or_else(|error: T::Err| {
            fail(
                format!("the answer to 'query {}'", shorten(question)),
                format!("'response {}': {error}", shorten(&body)),
            )
        })
    }

    /// Asks a question whose answer has several lines: each begins with `first`, and the line `last` ends them. Returns
    /// the lines before the end, without their first word.
    pub(super) fn ask_lines(
        &mut self,
        question: &str,
        first: &str,
        last: &str,
    ) -> StepResult<Vec<String>> {
        self.send(&format!("query {question}"))?;
        let expected = format!("'{first} ...' lines and last exactly '{last}'");
        let mut lines = Vec::new();
        loop {
            let line = self.reply(&expected)?;
            match line.split_once(' ') {
                None if line == last => return Ok(lines),
                Some((word, body)) if word == first => lines.push(body.to_owned()),
                _ => return fail(expected, quoted(&line)),
            }
        }
    }

    /// Sends a command that must be refused exactly once, with one of these codes and in the form of SPEC 6.1.
    pub(super) fn refused(&mut self, command: &str, codes: &[ErrorCode]) -> StepResult<ErrorReply> {
        self.send(command)?;
        self.error(&shorten(command), codes)
    }

    /// Reads the expected error, which must be the only reply.
    pub(super) fn error(&mut self, command: &str, codes: &[ErrorCode]) -> StepResult<ErrorReply> {
        let names: Vec<&str> = codes.iter().map(ErrorCode::as_str).collect();
        let expected = format!("'error {} ... : <text>' to '{command}'", names.join("|"));
        let lines = self.sync()?;
        let [line] = lines.as_slice() else {
            let got = if lines.is_empty() { "no reply".to_owned() } else { lines.join(" | ") };
            return fail(expected, got);
        };
        match Reply::parse(line) {
            Reply::Error(error) if codes.contains(&error.code) && !error.text.is_empty() => {
                Ok(error)
            }
            _ => fail(expected, quoted(line)),
        }
    }

    /// Expects nothing but `info` for this long.
    pub(super) fn quiet(&mut self, duration: Duration, why: &str) -> StepResult {
        let deadline = Instant::now() + duration;
        loop {
            match self.receive(deadline) {
                Ok((line, _)) => {
                    self.ctx.note(&format!("< {line}"));
                    let expected = format!("nothing for {} ms: {why}", duration.as_millis());
                    ensure(first_word(&line) == "info", expected, quoted(&line))?;
                }
                Err(ClientError::Timeout(_)) => return Ok(()),
                Err(error) => return fail(format!("nothing: {why}"), got_nothing(&error)),
            }
        }
    }

    /// Expects an infinite search to go on for this long.
    ///
    /// UGI 1.0, section `go`, lets an engine end such a search by its own limits. The step does not apply to one that
    /// speaks UGI alone and does so.
    pub(super) fn keeps_searching(&mut self, duration: Duration) -> StepResult {
        match self.quiet(duration, "no 'bestmove' before 'stop'") {
            Err(StepError::Failed { got, .. })
                if !self.ctx.has(LEAP) && got.starts_with("'bestmove ") =>
            {
                skip("the engine ends an infinite search by itself, as UGI 1.0 allows")
            }
            result => result,
        }
    }

    /// Sends a bounded `go` and waits for its `bestmove`, up to `limit` plus the patience.
    pub(super) fn go(&mut self, parameters: &str, limit: Duration) -> StepResult<SearchReply> {
        let command = format!("go {parameters}");
        let begun = Instant::now();
        self.send(command.trim_end())?;
        self.best_move(begun, limit)
    }

    /// Sends `stop` and waits for the `bestmove`.
    pub(super) fn stop(&mut self) -> StepResult<SearchReply> {
        let begun = Instant::now();
        self.send("stop")?;
        self.best_move(begun, Duration::ZERO)
    }

    /// Reads up to a `bestmove` line, which must have a move as its second word.
    pub(super) fn best_move(&mut self, begun: Instant, limit: Duration) -> StepResult<SearchReply> {
        let deadline = begun + limit + self.ctx.patience;
        let mut infos = Vec::new();
        loop {
            let (line, at) = match self.receive(deadline) {
                Ok(stamped) => stamped,
                Err(error) => return self.missing("'bestmove <move>'", &error),
            };
            if first_word(&line) == "info" {
                infos.push(line);
                continue;
            }
            if let Some(last) = infos.last() {
                self.ctx.note(&format!("< {last}"));
            }
            self.ctx.note(&format!("< {line}"));
            let mut words = line.split_whitespace();
            return match (words.next(), words.next()) {
                (Some("bestmove"), Some(mv)) => {
                    let took = at.saturating_duration_since(begun);
                    Ok(SearchReply { mv: mv.to_owned(), infos, took, line })
                }
                _ => fail("'bestmove <move>'", quoted(&line)),
            };
        }
    }

    fn missing<T>(&self, expected: &str, error: &ClientError) -> StepResult<T> {
        let got = got_nothing(error);
        self.ctx.note(&format!("({got})"));
        fail(expected, got)
    }

    /// Closes the input and returns what the engine writes before it closes its output, without `info`.
    pub(super) fn close_input(&mut self, patience: Duration) -> StepResult<Vec<String>> {
        self.ctx.note("(end of input)");
        match self.client.close_input(patience) {
            Ok(lines) => {
                let lines: Vec<String> =
                    lines.into_iter().filter(|line| first_word(line) != "info").collect();
                lines.iter().for_each(|line| self.ctx.note(&format!("< {line}")));
                Ok(lines)
            }
            Err(error) => self.missing("the engine to end", &error),
        }
    }

    /// Closes the output.
    pub(super) fn close_output(&mut self) {
        self.ctx.note("(the client closes the engine's output)");
        self.client.close_output();
    }

    /// Reads until the engine closes its output, and returns what it wrote.
    pub(super) fn read_to_end(&mut self, patience: Duration) -> StepResult<Vec<String>> {
        let deadline = Instant::now() + patience;
        let mut lines = Vec::new();
        loop {
            match self.receive(deadline) {
                Ok((line, _)) if first_word(&line) == "info" => {}
                Ok((line, _)) => {
                    self.ctx.note(&format!("< {line}"));
                    lines.push(line);
                }
                Err(ClientError::Closed) => return Ok(lines),
                Err(error) => return self.missing("the engine to end", &error),
            }
        }
    }

    /// Expects the engine to exit by itself with status 0.
    pub(super) fn exit_zero(&mut self, patience: Duration) -> StepResult {
        self.exit(patience, |status| status.success(), "exit status 0")
    }

    /// Expects the engine to exit by itself with a status that `right` accepts.
    pub(super) fn exit(
        &mut self,
        patience: Duration,
        right: impl Fn(&std::process::ExitStatus) -> bool,
        expected: &str,
    ) -> StepResult {
        match self.client.ended(patience) {
            Ok(Some(status)) => {
                self.ctx.note(&format!("({status})"));
                ensure(right(&status), expected, status.to_string())
            }
            Ok(None) => fail(expected, format!("still running after {} ms", patience.as_millis())),
            Err(error) => {
                Err(StepError::Failed { expected: expected.to_owned(), got: error.to_string() })
            }
        }
    }
}

/// A script is played with the engine; what it says stands in the dialogue.
impl Peer for CheckedEngine<'_> {
    fn send(&mut self, bytes: Vec<u8>) {
        let shown = String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_owned();
        // An engine that does not read is noticed when its answer is awaited.
        let _ = self.send_bytes(bytes, &shown);
    }

    fn end_input(&mut self) {
        self.ctx.note("(end of input)");
        self.client.end_input();
    }

    fn receive(&mut self, deadline: Instant) -> Result<Line, ClientError> {
        let received = Self::receive(self, deadline);
        self.ctx.note(&match &received {
            Ok((line, _)) => format!("< {line}"),
            Err(error) => format!("({})", got_nothing(error)),
        });
        received.map(|(line, _)| Line::Text(line))
    }

    fn exit(&mut self, patience: Duration) -> Option<Exit> {
        Peer::exit(&mut self.client, patience)
    }
}

fn got_nothing(error: &ClientError) -> String {
    match error {
        ClientError::Closed => "the engine has ended or closed its output".to_owned(),
        ClientError::Timeout(waited) => format!("nothing within {} ms", waited.as_millis()),
        other => other.to_string(),
    }
}

/// The first word of a line; empty if there is none.
pub(super) fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

/// A line in quotes, shortened.
pub(super) fn quoted(line: &str) -> String {
    format!("'{}'", shorten(line))
}
