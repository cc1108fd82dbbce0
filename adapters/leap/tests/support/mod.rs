//! Running the `leap` command with the engines of the tests.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

pub(crate) use leap_testing::{at_once, sample};

/// Nothing takes this long unless it hangs.
pub(crate) const LONG: Duration = Duration::from_secs(30);

/// The program under test.
pub(crate) const LEAP: &str = env!("CARGO_BIN_EXE_leap");
/// The engine of `mock/`: correct, with one defect, or, as `puppet`, one that does what it is told.
pub(crate) const MOCK: &str = match str::from_utf8(&MOCK_PATH) {
    Ok(path) => path,
    Err(_) => panic!("expected the path in UTF-8"),
};
/// The folder in which cargo puts examples, beside the program under test.
const EXAMPLES: &[u8] = b"examples/";
/// The path of `leap`, with another folder and another name of four letters.
const MOCK_PATH: [u8; LEAP.len() + EXAMPLES.len()] = {
    let name = LEAP.len() - std::env::consts::EXE_SUFFIX.len() - "leap".len();
    let mut path = [0; LEAP.len() + EXAMPLES.len()];
    let (folder, rest) = path.split_at_mut(name);
    folder.copy_from_slice(LEAP.as_bytes().split_at(name).0);
    let (examples, rest) = rest.split_at_mut(EXAMPLES.len());
    examples.copy_from_slice(EXAMPLES);
    let (mock, suffix) = rest.split_at_mut("mock".len());
    mock.copy_from_slice(b"mock");
    suffix.copy_from_slice(std::env::consts::EXE_SUFFIX.as_bytes());
    path
};

/// The words of a command line, as a shell would split them. `MOCK` stands for the engine of the tests.
pub(crate) fn words(line: &str) -> Vec<String> {
    let words = shlex::split(line).expect("words");
    words.into_iter().map(|word| word.replace("MOCK", MOCK)).collect()
}

/// The `leap` command with these arguments.
pub(crate) fn leap(args: &[&str]) -> Output {
    Command::new(LEAP).args(args).output().expect("the command runs")
}

/// A directory of its own, removed at the end.
pub(crate) struct Workplace(tempfile::TempDir);

impl Workplace {
    pub(crate) fn new() -> Workplace {
        Workplace(tempfile::tempdir().expect("a directory for the test"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a file of the test")
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), text).expect("a file of the test");
    }

    /// The `leap` command with these [words], in this directory.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(LEAP);
        command.args(words(line)).current_dir(self.0.path());
        command
    }

    pub(crate) fn run(&self, line: &str) -> Output {
        run(self.command(line), b"")
    }

    pub(crate) fn start(&self, line: &str) -> Child {
        start(&mut self.command(line))
    }

    /// The names of the files in this directory, hidden ones included.
    pub(crate) fn names(&self) -> Vec<String> {
        self.names_in(".")
    }

    /// The names of the files in a directory of this one.
    pub(crate) fn names_in(&self, dir: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(dir)).expect("the directory");
        let mut names: Vec<_> = entries
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("text"))
            .collect();
        names.sort_unstable();
        names
    }

    /// `leap <args> -- <engine>` in this directory.
    pub(crate) fn leap(&self, args: &[&str], engine: &[&str]) -> Command {
        let mut command = Command::new(LEAP);
        command.args(args).arg("--").args(engine).current_dir(self.0.path());
        command
    }

    /// Runs `leap record -o <file> -- puppet <rules>` with this input, then closes it.
    pub(crate) fn record(&self, file: &str, rules: &[&str], input: &[u8]) -> Output {
        let mut command = self.command(&format!("record -o {file} -- MOCK puppet"));
        command.args(rules);
        run(command, input)
    }
}

/// `ulimit` options under which every write to a file fails, as on a full disk.
#[cfg(unix)]
pub(crate) const FULL_DISK: &str = "-f 0";

/// The command under a `ulimit`: writes and allocations beyond it fail.
#[cfg(unix)]
pub(crate) fn limited(limit: &str, command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("trap '' XFSZ; ulimit {limit}; exec \"$0\" \"$@\"")]);
    shell.arg(command.get_program()).args(command.get_args());
    command.get_current_dir().map(|dir| shell.current_dir(dir));
    // Otherwise every thread would reserve 64 MiB of addresses that it never uses.
    shell.env("MALLOC_ARENA_MAX", "1");
    shell
}

/// The peak memory of a process, in MiB.
#[cfg(target_os = "linux")]
pub(crate) fn peak_memory_mib(process: &Child) -> u64 {
    leap_testing::peak_memory_kib(process.id()).expect("a peak") / 1024
}

/// Runs a command with this input.
pub(crate) fn run(mut command: Command, input: &[u8]) -> Output {
    let mut child = start(&mut command);
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // A command that reads nothing must not block the test.
    std::thread::spawn(move || stdin.write_all(&input));
    child.wait_with_output().expect("the command ends")
}

/// Starts a command with pipes.
pub(crate) fn start(command: &mut Command) -> Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the command starts")
}

/// Waits for a process, with a limit.
pub(crate) fn ended(child: &mut Child) -> ExitStatus {
    let deadline = Instant::now() + LONG;
    loop {
        if let Some(status) = child.try_wait().expect("a process to wait for") {
            return status;
        }
        assert!(Instant::now() < deadline, "the process hangs");
        sleep(Duration::from_millis(2));
    }
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
