//! The programs for Windows under wine. Needs wine, gcc-mingw-w64-x86-64 and the build of `packaging/windows/build`;
//! without them these tests are skipped, with a message.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;

use leap_games::IDS;
use leap_testing::skip;
use serde_json::Value;

use crate::programs::{LEAPD, PATIENCE, ROOT, wait_until};

/// The folder of the programs; `None` and a message if something is missing.
fn folder() -> Option<&'static Path> {
    static FOLDER: LazyLock<Result<PathBuf, Missing>> = LazyLock::new(install);
    FOLDER.as_deref().map_err(|(need, hint)| skip(need, hint)).ok()
}

/// What is missing, and how to get it.
type Missing = (&'static str, &'static str);
const PROGRAMS: Missing = ("leap.exe", "packaging/windows/build builds the programs for Windows");

fn succeeds(command: &mut Command) -> bool {
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Copies the programs to a folder whose name has a blank and letters beyond ASCII, with the library that wine lacks.
fn install() -> Result<PathBuf, Missing> {
    let built = Path::new(ROOT).join("target/windows");
    let folder = built.canonicalize().map_err(|_| PROGRAMS)?;
    let folder = folder.join("Spiele für Zoë");
    fs::create_dir_all(&folder).unwrap();
    for program in ["leapd.exe", "leap.exe"] {
        fs::copy(built.join(program), folder.join(program)).map_err(|_| PROGRAMS)?;
    }
    let stub = Path::new(ROOT).join("tests/e2e/windows/bcryptprimitives.c");
    let mut compiler = Command::new("x86_64-w64-mingw32-gcc");
    compiler.args(["-shared", "-o"]).arg(folder.join("bcryptprimitives.dll")).arg(stub);
    if !succeeds(compiler.arg("-ladvapi32")) {
        return Err(("x86_64-w64-mingw32-gcc", "Debian: apt-get install gcc-mingw-w64-x86-64"));
    }
    // The first program also makes wine's own folder. Several programs must not do that at the same time.
    if !succeeds(wine(&folder, "leapd.exe").arg("--version")) {
        return Err(("wine", "Debian: apt-get install wine wine64"));
    }
    Ok(folder)
}

/// The command of a program in the folder.
fn wine(folder: &Path, program: &str) -> Command {
    let mut command = Command::new("wine");
    command.env("WINEPREFIX", folder.with_file_name("wine")).env("WINEDEBUG", "-all");
    // The names of files are UTF-8.
    command.env("LC_ALL", "C.UTF-8").env_remove("DISPLAY").arg(folder.join(program));
    command
}

/// Runs a program with this standard input; returns what it says.
fn run(command: &mut Command, input: &str) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// Like [`run`], for a program that must succeed; what it writes to standard output.
fn answer(command: &mut Command, input: &str) -> String {
    let output = run(command, input);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_same_nodes_are_searched() {
    let Some(folder) = folder() else { return };
    let counts = answer(wine(folder, "leapd.exe").arg("bench"), "");
    let counts = counts.lines().filter(|line| !line.starts_with("speed"));
    let expected = fs::read_to_string(Path::new(ROOT).join("tests/bench.txt")).unwrap();
    assert!(counts.eq(expected.lines()));
}

#[test]
fn lines_that_end_in_crlf_are_answered_in_every_game_as_on_other_systems() {
    const LINES: [&str; 6] =
        ["ugi", "isready", "query moves", "query board", "query rules es", "nonsense"];
    let Some(folder) = folder() else { return };
    let answers = |command: &mut Command, job: &str, end: &str| {
        let text = answer(command, &[&LINES[..], &[job, ""]].concat().join(end));
        assert!(!text.contains('\r'), "{text}");
        let lines = text.lines().filter(|line| !line.starts_with("info "));
        // Times differ.
        lines.filter_map(|line| line.split(" time ").next().map(str::to_owned)).collect::<Vec<_>>()
    };
    for game in IDS {
        let game = ["--game".to_owned(), game.to_string()];
        for (job, last) in [("perft 3", "perft 3 nodes "), ("go nodes 900", "bestmove ")] {
            let here = answers(Command::new(LEAPD.as_str()).args(&game), job, "\n");
            assert!(here.last().unwrap().starts_with(last), "{here:?}");
            assert_eq!(answers(wine(folder, "leapd.exe").args(&game), job, "\r\n"), here);
        }
    }
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn leapd_passes_what_the_compliance_suite_asks_of_a_system() {
    let Some(folder) = folder() else { return };
    // Rules and their queries ask nothing of a system: the same suite checks them without wine.
    let levels = "process,handshake,play,session,limits,robustness";
    let mut check = wine(folder, "leap.exe");
    answer(check.args(["check", "--level", levels, "leapd.exe"]).current_dir(folder), "");
}

#[test]
fn a_recorded_session_is_repeated() {
    let Some(folder) = folder() else { return };
    let place = tempfile::Builder::new().prefix("Aufnahme è ").tempdir().unwrap();
    let leap = || {
        let mut leap = wine(folder, "leap.exe");
        leap.current_dir(place.path());
        leap
    };
    let session = "ugi\r\nsetoption name Game value sapos\r\nquery moves\r\ngo depth 2\r\n";
    let heard = answer(leap().args(["record", "-o", "é %n.ugt", "--", &windows(folder)]), session);
    assert!(heard.contains("\nbestmove ") && !heard.contains('\r'), "{heard}");
    let said = answer(leap().args(["replay", "é 1.ugt", "--", &windows(folder)]), "");
    assert!(!said.is_empty());
}

/// The path of leapd, in the form that programs for Windows take.
fn windows(folder: &Path) -> String {
    format!("Z:{}", folder.join("leapd.exe").display()).replace('/', "\\")
}

/// Starts a program whose first line on standard output is awaited, and returned.
fn start(command: &mut Command) -> (Child, String) {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, line.trim().to_owned())
}

/// The address in the line that `leap web` prints.
fn address(line: &str) -> &str {
    line.trim_start_matches("http://").trim_end_matches('/')
}

/// The response to a request, read until it contains `end`.
fn request(address: &str, head: &str, body: &[u8], end: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(stream, "{head}\r\nHost: {address}\r\nOrigin: http://{address}\r\n\r\n").unwrap();
    stream.write_all(body).unwrap();
    let (mut response, mut piece) = (String::new(), [0; 4096]);
    while !response.contains(end) {
        let length = stream.read(&mut piece).unwrap();
        assert!(length > 0, "{response}");
        response += &String::from_utf8_lossy(&piece[..length]);
    }
    response
}

#[test]
fn the_page_and_its_engine_are_served() {
    const UPGRADE: &str = "GET /engine HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
        Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==";
    /// A text frame whose mask is zero.
    const FRAME: &[u8] = b"\x81\x87\0\0\0\0isready";
    let Some(folder) = folder() else { return };
    let (mut web, line) = start(wine(folder, "leap.exe").args(["web", "--port", "0", "--no-open"]));
    let page = request(address(&line), "GET / HTTP/1.1\r\nConnection: close", b"", "</html>");
    assert!(page.starts_with("HTTP/1.1 200 "), "{page}");
    request(address(&line), UPGRADE, FRAME, "readyok");
    web.kill().unwrap();
    web.wait().unwrap();
}

#[test]
fn no_engine_outlives_a_leap_that_is_killed() {
    let Some(folder) = folder() else { return };
    let place = tempfile::tempdir().unwrap();
    let mut record = wine(folder, "leap.exe");
    // An engine that reads nothing, does not end by itself, and can be seen from here.
    record.current_dir(place.path()).args(["record", "-o", "a.ugt", "--"]);
    let engine = windows(folder).replace("leapd.exe", "leap.exe");
    let (mut record, line) = start(record.args([&engine, "web", "--port", "0", "--no-open"]));
    let address = address(&line).to_owned();
    TcpStream::connect(&address).unwrap();
    record.kill().unwrap();
    record.wait().unwrap();
    wait_until(|| TcpStream::connect(&address).err().ok_or("the engine lives".to_owned()));
}

/// The command of a match that is the same whenever it is played.
fn plays(folder: &Path, place: &Path, more: &[&str]) -> Command {
    let mut leap = wine(folder, "leap.exe");
    leap.current_dir(place).args([
        "match",
        "--game",
        "eximo",
        "--games",
        "8",
        "--each",
        "nodes=1000",
    ]);
    leap.args(["--random-plies", "2", "--json", "--out"]).args(more);
    leap
}

/// The standings that a match prints.
fn standings(command: &mut Command) -> Value {
    let results: Value = serde_json::from_str(&answer(command, "")).unwrap();
    results["engines"].clone()
}

/// Waits until games of a match have ended.
fn wait_for_games(dir: &Path) {
    wait_until(|| {
        let events = fs::read_to_string(dir.join("events.ndjson")).unwrap_or_default();
        if events.contains("\"event\":\"end\"") { Ok(()) } else { Err(events) }
    });
}

#[test]
fn a_match_that_is_killed_or_interrupted_goes_on_to_the_same_result() {
    let Some(folder) = folder() else { return };
    let place = tempfile::Builder::new().prefix("Match ü ").tempdir().unwrap();
    let whole = standings(&mut plays(folder, place.path(), &["whole"]));
    // A Ctrl-C lets the games in flight end.
    for (signal, dir) in [("-KILL", "killed"), ("-INT", "interrupted")] {
        let mut leap = plays(folder, place.path(), &[dir]);
        let mut leap = leap.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_for_games(&place.path().join(dir));
        let mut kill = Command::new("sh");
        assert!(succeeds(kill.args(["-c", "kill $0 $1", signal, &leap.id().to_string()])));
        assert!(!leap.wait().unwrap().success());
        assert_eq!(standings(&mut plays(folder, place.path(), &[dir, "--resume"])), whole, "{dir}");
    }
}

#[test]
fn a_match_is_not_resumed_while_it_is_played() {
    let Some(folder) = folder() else { return };
    let place = tempfile::tempdir().unwrap();
    let mut first = plays(folder, place.path(), &["m"]);
    let mut first = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for_games(&place.path().join("m"));
    let second = run(&mut plays(folder, place.path(), &["m", "--resume"]), "");
    let said = String::from_utf8_lossy(&second.stderr);
    assert!(said.contains("another program is writing to it"), "{said}");
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn what_there_is_not_on_windows_is_said() {
    let Some(folder) = folder() else { return };
    let output = run(wine(folder, "leap.exe").args(["xboard", "--launch"]), "");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("--launch: expected a system with XBoard, found windows"), "{said}");
}
