//! The mock's session.

use std::io::{self, Write};
use std::process::exit;
use std::thread;
use std::time::{Duration, Instant};

use leap_protocol::{Command, Dialect, ErrorCode, ErrorReply, Go, Line, Reply, Start};

use super::defect::Defect;
use super::game::Race;

const OPTIONS: &str = "\
option name Game type combo default race var race
option name Hash type spin default 16 min 1 max 1024
option name Clear Hash type button
option name MultiPV type spin default 1 min 1 max 8
option name Ponder type check default false
option name MaxPlies type spin default 400 min 0 max 1000000";

/// Writes a line immediately. A closed output ends the process.
pub(crate) fn say(line: &str) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

/// The current search of the mock.
struct Search {
    go: Go,
    deadline: Option<Instant>,
}

/// The state of the mock.
pub(crate) struct Session {
    pub(crate) defect: Option<Defect>,
    pub(crate) plain: bool,
    pub(crate) start: Race,
    pub(crate) moves: Vec<String>,
    dialect: Dialect,
    search: Option<Search>,
    pub(crate) max_plies: u32,
    pub(crate) multi_pv: usize,
}

pub(crate) type Answer = Result<(), ErrorReply>;

impl Session {
    pub(crate) fn new(defect: Option<Defect>, plain: bool) -> Session {
        Session {
            defect,
            plain,
            start: Race::START,
            moves: Vec::new(),
            dialect: Dialect::Ugi,
            search: None,
            max_plies: 400,
            multi_pv: 1,
        }
    }

    pub(crate) fn is(&self, defect: Defect) -> bool {
        self.defect == Some(defect)
    }

    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.search.as_ref()?.deadline
    }

    pub(crate) fn line(&mut self, line: Line) {
        let text = match line {
            Line::Text(text) => text,
            Line::TooLong if self.is(Defect::CrashOnLongLine) => exit(134),
            Line::TooLong => return self.error(ErrorReply::new(ErrorCode::TooLong, "a long line")),
            Line::NotUtf8 if self.is(Defect::CrashOnNoise) => exit(134),
            Line::NotUtf8 => return self.error(ErrorReply::new(ErrorCode::NotUtf8, "no UTF-8")),
        };
        if self.search.is_some() && self.is(Defect::DeafWhileSearching) && text.trim() != "stop" {
            return;
        }
        if self.is(Defect::Garbage) {
            say("hello, I am thinking about my answer");
        }
        match Command::parse_in(&text, self.dialect) {
            Ok(None) => {}
            Ok(Some(command)) => {
                if let Err(error) = self.command(command) {
                    self.error(error);
                }
            }
            Err(error) if self.is(Defect::Wraps) && error.code == ErrorCode::OutOfRange => {
                let _ = self.go(Go { depth: Some(1), ..Go::default() });
            }
            Err(error) => {
                if error.code == ErrorCode::UnknownCommand && self.is(Defect::CrashOnUnknown) {
                    exit(134);
                }
                self.error(error.into());
            }
        }
    }

    fn error(&self, mut error: ErrorReply) {
        if self.plain {
            return;
        }
        if self.is(Defect::ErrorWithoutText) {
            error.text.clear();
        }
        if self.is(Defect::UnknownCode) {
            error.code = ErrorCode::Other("oops".to_owned());
        }
        say(&error.to_string());
        if self.is(Defect::TwoErrors) {
            say(&error.to_string());
        }
    }

    fn command(&mut self, command: Command) -> Answer {
        let at_once = matches!(
            command,
            Command::IsReady
                | Command::Query(_)
                | Command::Diagram
                | Command::Stop
                | Command::PonderHit
                | Command::Quit
                | Command::Debug(_)
        );
        if self.search.is_some() && !at_once && !self.is(Defect::NotBusy) {
            return Err(ErrorReply::new(ErrorCode::Busy, "a search is running"));
        }
        match command {
            Command::Hello(dialect) => {
                if !self.is(Defect::UciRefuses) {
                    self.dialect = dialect;
                }
                self.hello(dialect);
            }
            Command::IsReady => {
                say(if self.is(Defect::ReadyokWithMore) { "readyok 1" } else { "readyok" })
            }
            Command::NewGame(_) => (self.start, self.moves) = (Race::START, Vec::new()),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::Position { start, moves } => self.set_position(start, moves)?,
            Command::Go(go) => self.go(go)?,
            Command::Stop if self.search.is_some() => self.stop(),
            Command::Stop if self.is(Defect::StopWhileIdle) => self.best_move(&Go::default()),
            Command::Stop => {}
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => self.quit(),
            Command::Query(query) => self.query(query)?,
            Command::Move(moves) => self.play(&moves)?,
            Command::Undo(count) => self.undo(count)?,
            Command::Perft(depth) => self.perft(depth),
            Command::DrawOffer => {
                return Err(ErrorReply::new(ErrorCode::NotInThisGame, "no draws in this game"));
            }
            Command::Eval => {
                let total = if self.is(Defect::EvalSum) { 4 } else { 3 };
                say(&format!("response race 5 turn -2 total {total}"));
            }
            Command::Diagram => say("no picture"),
            Command::Debug(_) => {}
        }
        Ok(())
    }

    fn hello(&self, dialect: Dialect) {
        if self.is(Defect::Banner) {
            say("Mock 1.0 by nobody");
        }
        if self.is(Defect::Flood) {
            loop {
                say("flood");
                // A flood at full speed would take the processor from the tests beside this one.
                thread::sleep(Duration::from_micros(50));
            }
        }
        say("id name mock\nid author nobody");
        say(OPTIONS);
        if self.is(Defect::BadOption) {
            say("option name Contempt type spin default 9 min 0 max 5");
        }
        let more = if self.is(Defect::UgiokWithMore) { " 1" } else { "" };
        say(&format!("{}{more}", Reply::HelloOk(dialect)));
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Answer {
        let error = |code| Err(ErrorReply::new(code, format!("option {name}, value {value:?}")));
        let number = |min: u32, max: u32| match value.map(str::parse::<i128>) {
            None => Err(ErrorReply::new(ErrorCode::MissingArgument, "expected a value")),
            Some(Err(_)) => Err(ErrorReply::new(ErrorCode::BadArgument, "expected a number")),
            Some(Ok(n))
                if (min.into()..=max.into()).contains(&n) || self.is(Defect::OptionsUnbounded) =>
            {
                Ok(u32::try_from(n).unwrap_or(max))
            }
            Some(Ok(_)) => Err(ErrorReply::new(ErrorCode::OutOfRange, "out of range")),
        };
        match (name.to_lowercase().as_str(), value) {
            ("hash", _) if self.is(Defect::OptionCrash) => exit(134),
            ("hash", _) => drop(number(1, 1024)?),
            ("contempt", _) => drop(number(0, 5)?),
            ("multipv", _) => self.multi_pv = number(1, 8)? as usize,
            ("maxplies", _) => self.max_plies = number(0, 1_000_000)?,
            ("clear hash", None) => {}
            ("clear hash", Some(_)) => return error(ErrorCode::BadArgument),
            ("game", Some("race")) => (self.start, self.moves) = (Race::START, Vec::new()),
            ("game", Some(_)) => return error(ErrorCode::NoSuchGame),
            ("game" | "ponder", None) => return error(ErrorCode::MissingArgument),
            ("ponder", Some(v)) if ["true", "false"].contains(&v.to_lowercase().as_str()) => {}
            ("ponder", Some(_)) => return error(ErrorCode::BadArgument),
            _ => return error(ErrorCode::NoSuchOption),
        }
        Ok(())
    }

    fn set_position(&mut self, start: Start, moves: Vec<String>) -> Answer {
        if self.is(Defect::ForgetsPosition) {
            (self.start, self.moves) = (Race::START, Vec::new());
        }
        let start = match start {
            Start::StartPos => Race::START,
            Start::Fen(text) => Race::parse(&text).map_err(|(field, column)| {
                ErrorReply::new(ErrorCode::BadPosition, format!("a wrong {field}"))
                    .with("field", field)
                    .with("column", column)
            })?,
        };
        let ply = if self.is(Defect::FenDrifts) { 0 } else { start.ply };
        let start = Race { ply, ..start };
        if self.is(Defect::DiesInGame) && moves.len() >= 4 {
            exit(134);
        }
        self.check_line(start, &moves)?;
        (self.start, self.moves) = (start, moves);
        Ok(())
    }

    fn check_line(&self, mut position: Race, moves: &[String]) -> Answer {
        for (index, mv) in moves.iter().enumerate() {
            if !self.legal_moves(&position).contains(mv) {
                let index = index + usize::from(!self.is(Defect::WrongIndex));
                return Err(illegal(index, mv));
            }
            position.play(mv);
        }
        Ok(())
    }

    fn play(&mut self, moves: &[String]) -> Answer {
        let checked = self.check_line(self.position(), moves);
        if checked.is_ok() || self.is(Defect::MoveHalf) {
            let good = moves.len() - usize::from(checked.is_err());
            self.moves.extend_from_slice(&moves[..good]);
        }
        checked
    }

    fn undo(&mut self, count: u32) -> Answer {
        let count = count as usize;
        let Some(left) = self.moves.len().checked_sub(count) else {
            return Err(ErrorReply::new(ErrorCode::NothingToUndo, "too many"));
        };
        let less = usize::from(self.is(Defect::UndoTooMuch) && count == 2);
        self.moves.truncate(left.saturating_sub(less));
        Ok(())
    }

    pub(crate) fn position(&self) -> Race {
        let mut position = self.start;
        self.moves.iter().for_each(|mv| position.play(mv));
        position
    }

    pub(crate) fn legal_moves(&self, position: &Race) -> Vec<String> {
        let over = self.max_plies > 0 && position.ply >= self.max_plies;
        if over { Vec::new() } else { position.moves() }
    }

    fn go(&mut self, go: Go) -> Answer {
        let legal = self.legal_moves(&self.position());
        if let Some((index, mv)) =
            go.searchmoves.iter().enumerate().find(|(_, mv)| !legal.contains(mv))
        {
            return Err(illegal(index + 1, mv));
        }
        if go.p1time.is_some() != go.p2time.is_some() {
            let theirs = if self.position().side == 0 { go.p1time } else { go.p2time };
            if theirs.is_none() {
                return Err(ErrorReply::new(ErrorCode::MissingArgument, "a clock is missing"));
            }
        }
        if self.is(Defect::EarlyBestmove) {
            self.best_move(&go);
            return Ok(());
        }
        if self.is(Defect::BusyWait) {
            thread::spawn(|| {
                loop {
                    std::hint::spin_loop();
                }
            });
        }
        let waits = go.infinite || go.ponder;
        let deadline = if waits { None } else { self.time(&go).map(|time| Instant::now() + time) };
        self.search = Some(Search { go, deadline });
        Ok(())
    }

    /// The time for a search; `None` if it has no limit.
    fn time(&self, go: &Go) -> Option<Duration> {
        if go.depth.is_some() || go.nodes.is_some() || go.mate.is_some() {
            return Some(Duration::ZERO);
        }
        if let Some(ms) = go.movetime {
            let late = if self.is(Defect::Oversteps) { 700 } else { 0 };
            return Some(Duration::from_millis(ms.min(100_000) + late));
        }
        let clock = go.p1time.or(go.p2time)?;
        let share = if self.is(Defect::LosesOnTime) { clock + 700 } else { clock / 20 };
        Some(Duration::from_millis(share.clamp(0, 2000) as u64))
    }

    fn ponder_hit(&mut self) {
        let Some(search) = &self.search else { return };
        if search.go.ponder {
            let deadline = self.time(&search.go).map(|time| Instant::now() + time);
            if let Some(search) = &mut self.search {
                search.deadline = deadline;
            }
        }
    }

    pub(crate) fn time_is_up(&mut self) {
        self.finish();
    }

    fn stop(&mut self) {
        if self.is(Defect::SlowStop) {
            thread::sleep(Duration::from_millis(600));
        }
        self.finish();
        if self.is(Defect::StaleBestmove) {
            let line = format!("bestmove {}", self.choice());
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(60));
                say(&line);
            });
        }
    }

    fn finish(&mut self) {
        if let Some(search) = self.search.take() {
            self.best_move(&search.go);
        }
    }

    fn choice(&self) -> String {
        let legal = self.legal_moves(&self.position());
        if legal.is_empty() {
            return "none".to_owned();
        }
        let now = std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.subsec_nanos());
        let unsteady = self.is(Defect::Unsteady) && now / 64 % 2 == 1;
        legal[usize::from(unsteady).min(legal.len() - 1)].clone()
    }

    fn best_move(&mut self, go: &Go) {
        let mut mv = go.searchmoves.first().cloned().unwrap_or_else(|| self.choice());
        let id = go.id.as_ref().filter(|_| !self.is(Defect::NoId));
        let (before, after) = id.map_or((String::new(), String::new()), |id| {
            (format!(" id {id}"), format!(" id {id}"))
        });
        if mv != "none" {
            let depth = go.depth.unwrap_or(1).max(1);
            let mut pv: Vec<String> = self.legal_moves(&self.position());
            pv.sort_by_key(|listed| *listed != mv);
            for (rank, mv) in (1..=self.multi_pv).zip(&pv) {
                let work =
                    if self.is(Defect::NoLastInfo) { "nodes 1" } else { "nodes 1 nps 1000 time 1" };
                say(&format!(
                    "info{before} depth {depth} multipv {rank} score cp 0 {work} pv {mv}"
                ));
            }
        } else if self.is(Defect::MoveWhenOver) {
            mv = "a1b1".to_owned();
        }
        match self.defect {
            Some(Defect::NoBestmove) => return,
            Some(Defect::IllegalBestmove) => mv = "h2a1".to_owned(),
            Some(Defect::MovesItself) if mv != "none" => self.moves.push(mv.clone()),
            _ => {}
        }
        let third = if self.is(Defect::ThirdToken) { " ponder a2b2" } else { "" };
        say(&format!("bestmove {mv}{third}{after}"));
        if self.is(Defect::TwoBestmoves) {
            say(&format!("bestmove {mv}"));
        }
    }

    fn perft(&self, depth: u32) {
        let position = self.position();
        let off = u64::from(self.is(Defect::PerftMiscounts));
        let mut total = u64::from(depth == 0);
        if depth > 0 {
            for mv in self.legal_moves(&position) {
                let mut child = position;
                child.play(&mv);
                let count = child.perft(depth - 1) + off;
                total += count;
                say(&Reply::PerftMove { mv, count }.to_string());
            }
        }
        total += u64::from(depth > 1 && self.is(Defect::PerftTotalLies));
        say(&format!("perft {depth} nodes {total} time 0 nps 0"));
    }

    /// A search prints its `bestmove` before the process ends.
    fn quit(&mut self) {
        self.finish();
        match self.defect {
            Some(Defect::NeverQuits) => {}
            Some(Defect::QuitFails) => exit(1),
            _ => exit(0),
        }
    }

    /// A search with a limit runs to its end, any other is stopped.
    pub(crate) fn end_of_input(&mut self) {
        if self.is(Defect::DropsSearchAtEnd) {
            return;
        }
        if let Some(deadline) = self.deadline() {
            thread::sleep(deadline.saturating_duration_since(Instant::now()));
        }
        self.finish();
    }
}

pub(crate) fn illegal(index: usize, mv: &str) -> ErrorReply {
    ErrorReply::new(ErrorCode::IllegalMove, "no such move")
        .with("index", index)
        .with("move", mv)
        .with("reason", "no-such-line")
        .with("at", "-")
}
