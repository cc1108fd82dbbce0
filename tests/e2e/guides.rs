//! The guides to other programs: the files in docs/engines.md have the form that these require, and pictures are there.

mod cutegames;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::programs::{LEAPD, ROOT};

/// The page.
fn guide() -> String {
    fs::read_to_string(Path::new(ROOT).join("docs/engines.md")).unwrap()
}

/// The texts of the fenced blocks with this info string.
fn blocks(page: &str, info: &str) -> Vec<String> {
    let opening = format!("\n```{info}\n");
    let after = page.split(&opening).skip(1);
    after.map(|block| block.split("\n```").next().unwrap().to_owned() + "\n").collect()
}

/// Runs a command in a folder.
fn run(words: &[String], input: &str, folder: &Path) -> Output {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{words:?}: {error}"));
    // A program that does not read its input may have ended.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

#[test]
fn the_settings_for_cutegames_are_those_of_the_guide_and_have_its_form() {
    let text = fs::read_to_string(Path::new(ROOT).join(cutegames::SETTINGS)).unwrap();
    assert_eq!(blocks(&guide(), "json"), [text.as_str()]);
    let settings = cutegames::Settings::parse(&text).unwrap();
    // Sapos has two turns in a row: without this setting the wrong side gets a time loss.
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
fn the_pictures_of_the_guides_are_there() {
    let docs = Path::new(ROOT).join("docs");
    let pages = fs::read_dir(&docs).unwrap().map(|entry| entry.unwrap().path());
    let pages = pages.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let pages: String = pages.map(|path| fs::read_to_string(path).unwrap()).collect();
    let after = pages.split("](images/").skip(1);
    let pictures: Vec<&str> = after.map(|rest| rest.split(')').next().unwrap()).collect();
    assert!(pictures.len() >= 5, "{pictures:?}");
    for picture in pictures {
        assert!(docs.join("images").join(picture).is_file(), "{picture}");
    }
}

/// Run by hand.
mod by_hand {
    use super::*;

    /// The real program plays a game of each kind with the settings of the guide. No registry has it.
    #[test]
    #[ignore = "needs the program cutegames"]
    fn cutegames_plays_every_game_with_these_settings() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        std::os::unix::fs::symlink(Path::new(ROOT).join("adapters"), folder.join("adapters"))
            .unwrap();
        let text = fs::read_to_string(Path::new(ROOT).join(cutegames::SETTINGS)).unwrap();
        for game in &leap_games::IDS {
            let text = text.replace("target/release/leapd", &LEAPD).replace("sapos", game);
            fs::write(folder.join("settings.json"), text).unwrap();
            let words =
                ["cutegames", "--settings", "settings.json", "--games", "2"].map(str::to_owned);
            let output = run(&words, "", folder);
            let told = String::from_utf8_lossy(&output.stdout);
            assert!(told.contains("Games finished: 2"), "{game}: {told}");
        }
        let games = fs::read_to_string(folder.join("cutegames.pgn")).unwrap();
        assert_eq!(games.matches("[Result ").count(), 2 * leap_games::IDS.len());
        assert!(!games.contains("[Adjudicated "), "{games}");
    }
}
