//! A child process in its own process group, with lines in and lines out.

use std::process::{ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use leap_base::terminal;
use leap_protocol::Line;
use leap_transcript::Exit;
use process_wrap::std::CommandWrap;

use super::input::Input;
use super::output::{Output, Stamped, bytes};
use super::running::ChildGroup;
use super::{ClientError, EngineCommand, pipes};

/// Bytes that an engine may write in answer to a line, without `info`. The longest answers are a few lines of 1 MiB.
pub const MOST_BYTES: usize = 1 << 24;
/// Memory that a line takes besides its text.
const LINE_BYTES: usize = 64;
/// How often an exiting process is polled.
const POLL: Duration = Duration::from_millis(2);

/// Starts an engine and returns its input and output.
pub fn spawn(
    command: &EngineCommand,
    stderr: Stdio,
) -> Result<(ChildGroup, ChildStdin, ChildStdout), ClientError> {
    let wrap = CommandWrap::with_new(&command.program, |child| {
        child.args(&command.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        if let Some(directory) = &command.directory {
            child.current_dir(directory);
        }
    });
    let mut child = ChildGroup::start(wrap).map_err(|error| ClientError::start(command, &error))?;
    let stdin = child.stdin().take().ok_or(ClientError::Closed)?;
    let stdout = child.stdout().take().ok_or(ClientError::Closed)?;
    Ok((child, stdin, stdout))
}

/// How a process ended.
pub fn exit(status: ExitStatus) -> Exit {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Exit::Signal(signal);
    }
    Exit::Code(status.code().unwrap_or(-1))
}

#[derive(Debug)]
pub(super) struct Process {
    child: ChildGroup,
    input: Input,
    output: Output,
    /// A line that arrived after the deadline of the last wait.
    held: Option<Stamped>,
    /// Bytes that the engine has written since the last command, without `info`.
    answered_bytes: usize,
    /// Disconnected once everything on standard error has been shown.
    stderr: Option<Receiver<()>>,
    /// What [`memory_kills`] was when the process was started.
    memory_kills: Option<u64>,
}

impl Process {
    pub(super) fn start(command: &EngineCommand, stderr: Stdio) -> Result<Self, ClientError> {
        let (child, stdin, stdout) = spawn(command, stderr)?;
        let output = Output::new(stdout).map_err(|error| ClientError::start(command, &error))?;
        let memory_kills = memory_kills();
        Ok(Self {
            child,
            input: Input::Pipe(stdin),
            output,
            held: None,
            answered_bytes: 0,
            stderr: None,
            memory_kills,
        })
    }

    /// Like [`Process::start`], but copies the engine's standard error to ours.
    pub(super) fn start_heard(command: &EngineCommand) -> Result<Self, ClientError> {
        let shown = pipes::stderr_lines(|line| {
            if let Line::Text(line) = line {
                terminal::warn(line);
            }
        });
        let (stdio, end) = shown.map_err(|error| ClientError::start(command, &error))?;
        let mut process = Self::start(command, stdio)?;
        process.stderr = Some(end);
        Ok(process)
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends bytes to the engine; they need not end in a line end.
    pub(super) fn send(&mut self, bytes: Vec<u8>) -> Result<(), ClientError> {
        self.answered_bytes = 0;
        self.input.send(bytes)
    }

    pub(super) fn receive(&mut self, deadline: Instant) -> Result<Stamped, ClientError> {
        let waited = Instant::now();
        let next = self.held.take().map_or_else(|| self.output.receive(deadline), Ok)?;
        // An engine that never stops writing must not keep us past the deadline; the line is for the next wait.
        if next.1 > deadline {
            self.held = Some(next);
            return Err(ClientError::Timeout(waited.elapsed()));
        }
        self.count(&next.0)?;
        Ok(next)
    }

    /// Counts the bytes of an answer. Callers keep its lines, so their size must be bounded.
    fn count(&mut self, line: &Line) -> Result<(), ClientError> {
        if !is_info(line) {
            self.answered_bytes += bytes(line) + LINE_BYTES;
        }
        if self.answered_bytes > MOST_BYTES { Err(ClientError::Flood(MOST_BYTES)) } else { Ok(()) }
    }

    /// The lines from now on, at a channel.
    pub(super) fn listen(&mut self) -> Result<Receiver<Stamped>, ClientError> {
        self.output.listen().map_err(ClientError::Wait)
    }

    /// Closes the engine's input, after everything that was sent.
    pub(super) fn close_input(&mut self) {
        self.input.close();
    }

    /// Stops reading: the engine's output is closed when it writes its next line.
    pub(super) fn close_output(&mut self) {
        self.output.close();
    }

    /// Waits for the process to exit by itself; `None` if it is still running at the deadline.
    pub(super) fn ended(&mut self, deadline: Instant) -> Result<Option<ExitStatus>, ClientError> {
        loop {
            let status = self.child.try_wait().map_err(ClientError::Wait)?;
            if status.is_some() || Instant::now() >= deadline {
                return Ok(status);
            }
            thread::sleep(POLL);
        }
    }

    /// Whether the process was killed, and the system has killed a process for lack of memory since it was started.
    ///
    /// A shell reports a killed program by exit status 137. A process that still runs is not waited for.
    pub(super) fn lacked_memory(&mut self) -> bool {
        const KILLED: i32 = 9;
        let status = self.ended(Instant::now()).ok().flatten();
        let was_killed = match status.map(exit) {
            Some(Exit::Signal(signal)) => signal == KILLED,
            Some(Exit::Code(code)) => code == 128 + KILLED,
            None => false,
        };
        was_killed && memory_kills() > self.memory_kills
    }

    /// Closes the input and waits for the process to exit by itself; `false` if it failed or had to be killed.
    pub(super) fn wait(&mut self, deadline: Instant) -> Result<bool, ClientError> {
        self.close_input();
        let status = self.ended(deadline)?;
        if status.is_none() {
            self.child.kill();
        }
        Ok(status.is_some_and(|status| status.success()))
    }
}

/// How many processes Linux has killed for lack of memory; `None` where the system does not tell.
fn memory_kills() -> Option<u64> {
    let counters = std::fs::read_to_string("/proc/vmstat").ok()?;
    counters.lines().find_map(|line| line.strip_prefix("oom_kill ")?.parse().ok())
}

/// Whether the line reports on a search, which may print any number of them. The counts of a perft are an answer.
fn is_info(line: &Line) -> bool {
    let Line::Text(text) = line else { return false };
    let mut words = text.split_whitespace();
    words.next() == Some("info") && words.next() != Some("perft")
}

impl Drop for Process {
    fn drop(&mut self) {
        self.close_input();
        self.child.kill();
        if let Some(stderr) = &self.stderr {
            // A timeout is no error: processes that the engine left behind may keep its standard error open.
            let _ = stderr.recv_timeout(pipes::STDERR_PATIENCE);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Longer than anything here takes.
    const LONG: Duration = Duration::from_secs(20);

    fn shell(script: &str) -> Process {
        let command = EngineCommand::new("sh").arg("-c").arg(script);
        Process::start(&command, Stdio::null()).unwrap()
    }

    #[test]
    fn a_process_ends_well_if_it_exits_in_time_and_without_an_error() {
        for (script, ends_well) in [("cat", true), ("cat; exit 3", false)] {
            assert_eq!(shell(script).wait(Instant::now() + LONG).unwrap(), ends_well, "{script}");
        }
        assert!(!shell("exec sleep 60").wait(Instant::now()).unwrap());
    }

    #[test]
    fn an_answer_is_bounded_and_a_session_is_not() {
        let line = "line=$(head -c 1000000 /dev/zero | tr '\\0' x)";
        let answer = "for n in 1 2 3 4 5 6 7 8 9; do echo $line; done";
        let mut process = shell(&format!("{line}; while read word; do {answer}; done"));
        let deadline = Instant::now() + LONG;
        for _ in 0..3 {
            process.send(b"a\n".to_vec()).unwrap();
            (0..9).for_each(|_| drop(process.receive(deadline).unwrap()));
        }
        process.send(b"a\na\n".to_vec()).unwrap();
        let error = (0..18).find_map(|_| process.receive(deadline).err());
        assert!(matches!(error, Some(ClientError::Flood(_))), "{error:?}");
    }

    #[test]
    fn a_line_after_the_deadline_is_for_the_next_wait() {
        for is_threaded in [false, true] {
            let mut process = shell("read word; echo late; cat");
            if is_threaded {
                process.listen().unwrap();
            }
            let deadline = Instant::now();
            process.send(b"go\n".to_vec()).unwrap();
            while process.held.is_none() {
                assert!(deadline.elapsed() < LONG, "the line does not come");
                assert!(matches!(process.receive(deadline), Err(ClientError::Timeout(_))));
                thread::sleep(POLL);
            }
            let (line, at) = process.receive(deadline + LONG).unwrap();
            assert_eq!(line, Line::Text("late".to_owned()));
            assert!(at > deadline);
        }
    }
}
