//! docs/guis.md: the files that it gives to other programs have the form that these require, and its commands run.

mod cutegames;

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use crate::programs::{LEAP, LEAPD, ROOT};

/// The page.
fn guide() -> String {
    fs::read_to_string(Path::new(ROOT).join("docs/guis.md")).unwrap()
}

/// The texts of the fenced blocks with this info string.
fn blocks(page: &str, info: &str) -> Vec<String> {
    let opening = format!("\n```{info}\n");
    let after = page.split(&opening).skip(1);
    after.map(|block| block.split("\n```").next().unwrap().to_owned() + "\n").collect()
}

/// The command lines of the page, without comments, as words; the page's names stand for the programs of this build.
fn commands() -> Vec<Vec<String>> {
    let lines = blocks(&guide(), "sh").concat();
    let words = |line: &str| {
        let words = shlex::split(line.split(" #").next().unwrap()).unwrap();
        words.iter().filter(|word| *word != "ARGS").map(|word| of_this_build(word)).collect()
    };
    lines.lines().map(words).collect()
}

fn of_this_build(word: &str) -> String {
    let word = word.replace("target/release/leapd", &LEAPD);
    word.replace("target/release/leap", &LEAP).replace("ENGINE", &LEAPD)
}

/// How a command of the page is run by this test.
#[derive(Debug, PartialEq, Eq)]
enum Way {
    /// As it is, with this input; it ends with status 0.
    Input(&'static str),
    /// As it is, until it has printed its address.
    Server,
    /// On a terminal, until this key ends it.
    Terminal(&'static str),
    /// XBoard's part: the engine that it starts, which is the command without `--launch`.
    Xboard,
    /// GoGui's part: the command that it is given.
    Gogui,
    /// Not at all, for this reason.
    Skipped(&'static str),
}

/// Each kind of command that the page has; another is a mistake.
fn way(words: &[String]) -> Way {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let leap = LEAP.as_str();
    match words[..] {
        ["sudo", ..] => Way::Skipped("it installs a package"),
        ["gogui", "-program", _] => Way::Gogui,
        ["cutegames", "--settings", _] => Way::Skipped("its settings have a test of their own"),
        ["python3", ..] => Way::Input("sapos\nhuman\nhuman\nquit\n"),
        [program, "web", ..] if program == leap => Way::Server,
        [program, "play", ..] if program == leap => Way::Terminal("\u{11}"),
        [program, "xboard", "--launch", ..] if program == leap => Way::Xboard,
        [program, "xboard", ..] if program == leap => Way::Input(""),
        [program, "record", ..] if program == leap => Way::Input("quit\n"),
        [program, "check" | "match", ..]
            if program == leap && words.join(" ").contains("./autaxx") =>
        {
            Way::Skipped("it needs a foreign engine")
        }
        _ => panic!("how is this run? {words:?}"),
    }
}

/// Runs a command in a folder of its own, with the repository's folders in it.
fn run(words: &[String], input: &str, folder: &Path) -> Output {
    let mut child = start(words, folder);
    // A program that does not read its input may have ended.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn start(words: &[String], folder: &Path) -> Child {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap_or_else(|error| panic!("{words:?}: {error}"))
}

fn succeeds(words: &[String], input: &str, folder: &Path) {
    let output = run(words, input, folder);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {} {told}", output.status);
}

/// It prints the address of the page, and runs until it is ended. Any port will do, and no browser is opened.
fn serves(words: &[String], folder: &Path) {
    let own = ["--port", "0", "--no-open"];
    let mut words: Vec<String> =
        words.iter().filter(|word| !own.contains(&word.as_str())).cloned().collect();
    words.splice(2..2, own.map(str::to_owned));
    let mut child = start(&words, folder);
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(address.contains("http://127.0.0.1:"), "{words:?}: {address}");
}

/// It shows a board on a terminal, and ends well at this key.
fn ends_at(words: &[String], key: &str, folder: &Path) {
    let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
    let pty = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(&words[0]);
    command.args(&words[1..]);
    command.cwd(folder);
    command.env("TERM", "xterm-256color");
    let mut child = pty.slave.spawn_command(command).unwrap();
    let mut screen = BufReader::new(pty.master.try_clone_reader().unwrap());
    let mut keyboard = pty.master.take_writer().unwrap();
    // Once it draws, it reads keys.
    assert!(!screen.fill_buf().unwrap().is_empty(), "{words:?} shows nothing");
    std::thread::spawn(move || std::io::copy(&mut screen, &mut std::io::sink()));
    keyboard.write_all(key.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success(), "{words:?}");
}

#[test]
fn every_command_of_the_guide_runs() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::os::unix::fs::symlink(Path::new(ROOT).join("adapters"), folder.join("adapters")).unwrap();
    let commands = commands();
    assert!(commands.len() > 12, "{commands:?}");
    for words in &commands {
        match way(words) {
            Way::Input(input) => succeeds(words, input, folder),
            Way::Server => serves(words, folder),
            Way::Terminal(key) => ends_at(words, key, folder),
            Way::Xboard => {
                let words: Vec<String> =
                    words.iter().filter(|word| *word != "--launch").cloned().collect();
                succeeds(&words, "xboard\nprotover 2\nquit\n", folder);
            }
            Way::Gogui => {
                let words = shlex::split(&words[2]).unwrap();
                succeeds(&words, "list_commands\nquit\n", folder);
            }
            Way::Skipped(why) => println!("skipped: {words:?}: {why}"),
        }
    }
}

#[test]
fn the_settings_for_cutegames_are_those_of_the_guide_and_have_its_form() {
    let text = fs::read_to_string(Path::new(ROOT).join(cutegames::SETTINGS)).unwrap();
    assert_eq!(blocks(&guide(), "json"), [text.as_str()]);
    let settings = cutegames::Settings::parse(&text).unwrap();
    // Sapos has two turns in a row: without this the wrong side loses on time.
    assert_eq!(settings.protocol.askturn, Some(true));
    for engine in &settings.engines {
        assert_eq!(engine.path, "target/release/leapd");
        let options = settings.options.iter().chain(&engine.options);
        let options: Vec<String> =
            options.map(|(name, value)| format!("setoption name {name} value {value}\n")).collect();
        for opening in settings.openings(Path::new(ROOT)) {
            let start = if opening == "startpos" { opening } else { format!("fen {opening}") };
            let told = of_leapd(&format!("{}position {start}\nisready\n", options.concat()));
            assert_eq!(told, "readyok\n", "{start}");
        }
    }
}

/// What leapd answers to these lines.
fn of_leapd(lines: &str) -> String {
    let output = run(std::slice::from_ref(&LEAPD), lines, Path::new(ROOT));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn settings_that_cutegames_refuses_are_refused_here() {
    let text = fs::read_to_string(Path::new(ROOT).join(cutegames::SETTINGS)).unwrap();
    for (from, to, part) in [
        (r#"{ "Strength": "40" }"#, r#"[["Strength", "40"]]"#, "expected a map"),
        (r#""40""#, "40", "expected a string"),
        (r#""openings""#, r#""opening""#, "unknown field `opening`"),
        (r#""clock""#, r#""time""#, "unknown variant `time`"),
        (r#""generic""#, r#""sapos""#, "unknown variant `sapos`"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = cutegames::Settings::parse(&text.replace(from, to)).unwrap_err().to_string();
        assert!(error.contains(part), "{to}: {error}");
    }
}

#[test]
fn the_pictures_of_the_guide_are_there() {
    let page = guide();
    let pictures: Vec<&str> =
        page.split("](images/").skip(1).map(|rest| rest.split(')').next().unwrap()).collect();
    assert!(pictures.len() >= 5, "{pictures:?}");
    for picture in pictures {
        assert!(Path::new(ROOT).join("docs/images").join(picture).is_file(), "{picture}");
    }
}

/// The real program, where it is installed, plays a game of each kind with the settings of the guide.
#[test]
fn cutegames_plays_every_game_with_these_settings() {
    if Command::new("cutegames").arg("--version").output().is_err() {
        println!("skipped: there is no program 'cutegames'");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::os::unix::fs::symlink(Path::new(ROOT).join("adapters"), folder.join("adapters")).unwrap();
    let text = fs::read_to_string(Path::new(ROOT).join(cutegames::SETTINGS)).unwrap();
    for game in leapd::games::GameId::NAMES {
        let text = text.replace("target/release/leapd", &LEAPD).replace("sapos", game);
        fs::write(folder.join("settings.json"), text).unwrap();
        let words = ["cutegames", "--settings", "settings.json", "--games", "2"].map(str::to_owned);
        let output = run(&words, "", folder);
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(told.contains("Games finished: 2"), "{game}: {told}");
    }
    let games = fs::read_to_string(folder.join("cutegames.pgn")).unwrap();
    assert_eq!(games.matches("[Result ").count(), 2 * leapd::games::GameId::NAMES.len());
    assert!(!games.contains("[Adjudicated "), "{games}");
}
