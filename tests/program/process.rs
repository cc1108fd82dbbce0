//! Processes of `leapd`: how they are started, how they end, what they use.

use std::io::Write as _;
use std::process::{Child, Command, Output, Stdio};
use std::sync::RwLock;
use std::thread;
use std::time::{Duration, Instant};

use leap_client::{Client, EngineCommand};
pub(crate) use leap_testing::peak_memory_kib;

/// The path of the program.
pub(crate) const LEAPD: &str = env!("CARGO_BIN_EXE_leapd");
/// More than any end takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(10);
/// No answer within this time is a failure: far more than any test needs.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// A test that keeps all processors busy for seconds writes. Tests that measure how late an answer is read.
pub(crate) static PROCESSORS: RwLock<()> = RwLock::new(());

/// What the program says to this input.
pub(crate) fn leapd(args: &[&str], input: &str) -> Output {
    let mut command = Command::new(LEAPD);
    let pipes =
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    // A program that ends immediately may leave its input unread.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// A process with pipes for its input and its output.
pub(crate) fn start(args: &[&str]) -> Child {
    let mut command = Command::new(LEAPD);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

/// A client of a process.
pub(crate) fn client() -> Client {
    Client::start(&EngineCommand::new(LEAPD), Stdio::inherit()).unwrap()
}

/// The next line of the engine.
#[track_caller]
pub(crate) fn hear(engine: &mut Client) -> String {
    engine.receive_line(Instant::now() + LONG).unwrap().0
}

/// Waits for the process to end by itself; kills it and fails if it does not.
pub(crate) fn assert_ends(child: &mut Child, what: &str) {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "{what}: {status}");
            return;
        }
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    panic!("{what}: still running after {PATIENCE:?}");
}
