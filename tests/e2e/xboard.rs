//! `leap xboard`, used like XBoard does: every turn by `lift`, `hover` and `put`. The tests with the real XBoard are in
//! `xboard/desktop.rs`.

mod client;
mod desktop;

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use std::sync::LazyLock;

use leap_client::{EngineCommand, PositionCommand, Session};
use leap_games::IDS;
use leap_protocol::Query;
use leap_protocol::payload::Status;
use leap_records::Record;

use crate::programs::{LEAP, LEAPD, PATIENCE, RESIGNING, kill_engines_of};
use client::{Xboard, squares};

/// Marks, written as `c3R d4g`, in the order of squares.
fn marks(text: &str) -> Vec<(String, char)> {
    let mark = |word: &str| (word[..2].to_owned(), word.chars().nth(2).unwrap());
    text.split_whitespace().map(mark).collect()
}

/// The only game of a record file, and its moves.
fn only_game(text: &str) -> (Record, Vec<String>) {
    let mut games = Record::parse_all(text).unwrap();
    assert_eq!(games.len(), 1, "{text}");
    let game = games.remove(0);
    let moves = game.plies.iter().map(|ply| ply.mv.clone()).collect();
    (game, moves)
}

/// The records of games of two random players, by the name of the game.
pub(crate) static WHOLE_GAMES: LazyLock<Vec<(&str, String)>> =
    LazyLock::new(|| IDS.iter().map(|game| (*game, play_whole_game(game))).collect());

/// Two random players play a whole game, which is recorded.
fn play_whole_game(game: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("games.ugr");
    let mut xboard = Xboard::start(game, &["--side", "both", "--record", record.to_str().unwrap()]);
    let (mut count, mut visited) = (0_usize, Vec::new());
    while xboard.result.is_none() {
        count += 1;
        assert!(count < 5_000, "{game} does not end");
        if xboard.go_on(count, &mut visited) || !std::mem::take(&mut visited).is_empty() {
            continue;
        }
        // The started turn leads nowhere.
        xboard.write("undo");
        xboard.sync();
    }
    assert_eq!(xboard.errors, [""; 0]);
    xboard.quit(&record)
}

#[test]
fn whole_games_are_played_by_mouse_and_recorded() {
    for (game, text) in &*WHOLE_GAMES {
        let (record, moves) = only_game(text);
        let leapd = EngineCommand::new(LEAPD.as_str());
        let mut engine = Session::start(&leapd, PATIENCE).unwrap();
        engine.set_game(game).unwrap();
        engine.set_up(&PositionCommand::new(None, &moves)).unwrap();
        let status: Status = engine.ask_for(Query::Status).unwrap();
        assert!(status.over && moves.len() >= 4, "{record}");
        let tags = ["Game", "Result", "Reason"].map(|name| record.tag(name).unwrap().to_owned());
        assert_eq!(
            tags,
            [*game, status.result.as_str(), format!("rules {}", status.reason).as_str()]
        );
    }
}

#[test]
fn the_engine_answers_and_its_move_is_marked() {
    let mut xboard = Xboard::start("eximo", &["--depth", "2", "--record", "/dev/null"]);
    let before = xboard.fen.clone();
    assert_eq!(xboard.lift("c3"), marks("b4R c4R d4R"));
    xboard.put("c4");
    xboard.wait_for_engine();
    // Black, who has moved a piece, is at the bottom, so the engine came from the top.
    let is_answer = |(square, mark): &(String, char)| *mark == 'B' && &square[1..] > "4";
    assert!(xboard.marks.len() == 2 && xboard.marks.iter().all(is_answer), "{:?}", xboard.marks);
    xboard.write("option Take back");
    xboard.sync();
    assert_eq!(xboard.fen, before);
}

#[test]
fn both_moves_of_a_double_turn_are_marked() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("games.ugr");
    let args = ["--depth", "1", "--record", record.to_str().unwrap()];
    let mut xboard = Xboard::start("sapos", &args);
    xboard.lift("d2");
    xboard.put("d4");
    xboard.lift("j1");
    xboard.put("d5");
    xboard.wait_for_engine();
    let marked: BTreeSet<String> = xboard.marks.iter().map(|(square, _)| square.clone()).collect();
    let (_, moves) = only_game(&xboard.quit(&record));
    assert_eq!(moves.len(), 3, "{moves:?}");
    let text = moves[1..].concat().replace('@', "");
    let played = (0..text.len()).step_by(2).map(|at| text[at..at + 2].to_owned()).collect();
    assert_eq!(marked, played, "{moves:?}");
}

/// The games in which the first player is black.
const BLACK_BEGINS: [&str; 2] = ["eximo", "tactica"];

#[test]
fn the_side_that_is_to_move_is_lit_in_every_game() {
    for &game in &IDS {
        let begins_black = BLACK_BEGINS.contains(&game);
        let mut xboard = Xboard::start(game, &["--side", "both", "--record", "/dev/null"]);
        assert_eq!(xboard.is_black_lit, begins_black, "{game}");
        let mut visited = Vec::new();
        // The first turn is over when the word of the other side is lit.
        while xboard.is_black_lit == begins_black {
            let before = xboard.positions;
            assert!(xboard.go_on(0, &mut visited), "{game}");
            assert!(xboard.positions > before && xboard.positions < 50, "{game}");
        }
        xboard.write("option Take back");
        xboard.sync();
        assert_eq!(xboard.is_black_lit, begins_black, "{game}");
    }
}

#[test]
fn a_side_that_moves_twice_stays_lit_and_so_does_the_second_player() {
    let mut xboard = Xboard::start("sapos", &["--side", "both", "--record", "/dev/null"]);
    // d2d4@d5, d7f7@f8: white has one turn, black two.
    for (turn, is_black_lit) in
        [(["d2", "d4", "d5"], true), (["d7", "f7", "f8"], true), (["e7", "e5", "e4"], false)]
    {
        xboard.lift(turn[0]);
        xboard.put(turn[1]);
        xboard.lift("j1");
        xboard.put(turn[2]);
        assert_eq!(xboard.is_black_lit, is_black_lit, "{turn:?}");
    }
    // The second player is white in one game and black in the other.
    for (game, is_black_lit) in [("eximo", false), ("sapos", true)] {
        let args = ["--side", "p2", "--depth", "1", "--record", "/dev/null"];
        let mut xboard = Xboard::start(game, &args);
        xboard.wait_for_engine();
        assert_eq!(xboard.is_black_lit, is_black_lit, "{game}");
    }
}

#[test]
fn who_has_won_is_said_to_people_and_by_colour_to_xboard() {
    // Black, the first player, takes the last man.
    let fen = "8/8/8/8/8/3m4/3M4/8 1 - 0 20";
    for (side, told) in [("p1", "0-1 {You have won: "), ("both", "0-1 {Black has won: ")] {
        let args = ["--side", side, "--fen", fen, "--record", "/dev/null"];
        let mut xboard = Xboard::start("eximo", &args);
        xboard.lift("d2");
        xboard.put("d4");
        let result = xboard.result.clone().unwrap();
        assert!(result.starts_with(told), "{result}");
        // After a result XBoard sends no ping with the next position.
        xboard.write("option Take back");
        xboard.sync();
        assert!(xboard.is_black_lit);
    }
    // The engine takes the last man.
    let args = ["--side", "p2", "--depth", "1", "--fen", fen, "--record", "/dev/null"];
    let mut xboard = Xboard::start("eximo", &args);
    while xboard.result.is_none() {
        xboard.sync();
    }
    assert_eq!(xboard.result.as_deref(), Some("0-1 {You have lost: all your men are captured}"));
}

#[test]
fn second_players_sit_below_too() {
    let args = ["--side", "p2", "--depth", "1", "--record", "/dev/null"];
    let mut xboard = Xboard::start("eximo", &args);
    xboard.wait_for_engine();
    assert_eq!(xboard.lift("b3"), marks("a4R b4R c4R"));
    xboard.put("b4");
    assert!(squares(&xboard.fen).iter().any(|(square, _)| square == "b4"), "{}", xboard.fen);
}

#[test]
fn a_turn_may_stop_where_the_rules_let_it() {
    let fen = "5/1m1m1/5/1m1m1/M3m 1 - 0 10";
    let args = ["--side", "both", "--record", "/dev/null", "--fen", fen];
    let mut xboard = Xboard::start("alquerque", &args);
    assert!(xboard.lift("a1").contains(&("c3".to_owned(), 'R')));
    xboard.write("hover c3");
    xboard.sync();
    assert!(xboard.marks.contains(&("b2".to_owned(), 'g')), "{:?}", xboard.marks);
    xboard.put("c3");
    // The jumped piece is gone and the turn continues; other pieces cannot move.
    assert!(!squares(&xboard.fen).iter().any(|(square, _)| square == "b2"), "{}", xboard.fen);
    // What is awaited is marked before anything is picked up.
    assert!(xboard.marks.contains(&("c3".to_owned(), 'Y')), "{:?}", xboard.marks);
    assert!(xboard.marks.iter().any(|(_, mark)| *mark == 'R'), "{:?}", xboard.marks);
    assert_eq!(xboard.lift("e1"), []);
    assert_eq!(xboard.lift("c3")[0], ("c3".to_owned(), 'Y'));
    xboard.put("c3");
    assert_eq!(xboard.lift("c3"), []);
    assert_ne!(xboard.lift("e1"), []);
}

#[test]
fn reserves_lie_beside_the_board() {
    let fen = "8/4M3/8/m7/8/8/8/1M6 1 - 3 20";
    let args = ["--side", "both", "--record", "/dev/null", "--fen", fen];
    let mut xboard = Xboard::start("eximo", &args);
    xboard.lift("e7");
    xboard.put("e8");
    assert!(xboard.fen.contains("[MM]"), "{}", xboard.fen);
    assert!(xboard.marks.contains(&("c1".to_owned(), 'R')), "{:?}", xboard.marks);
    assert!(xboard.lift("j1").contains(&("c1".to_owned(), 'R')));
    xboard.put("c1");
    assert!(xboard.fen.contains("[M]"), "{}", xboard.fen);
    assert!(xboard.marks.contains(&("g2".to_owned(), 'R')), "{:?}", xboard.marks);
    xboard.lift("j1");
    xboard.put("g2");
    assert!(xboard.fen.starts_with("8/8/8/A7/8/8/6M1/1MM5[]"), "{}", xboard.fen);
}

#[test]
fn an_engine_that_was_lost_is_started_again_with_the_game_as_it_was() {
    let mut xboard = Xboard::start("eximo", &["--side", "both", "--record", "/dev/null"]);
    xboard.lift("c3");
    xboard.put("c4");
    let before = xboard.fen.clone();
    kill_engines_of(xboard.child.id());
    while xboard.errors.is_empty() {
        xboard.lift("c7");
    }
    assert!(xboard.errors[0].contains("it has been started again"), "{:?}", xboard.errors);
    assert_eq!(xboard.fen, before);
    assert_ne!(xboard.lift("c7"), []);
}

#[test]
fn an_engine_that_is_lost_again_and_again_is_given_up_for_that_move() {
    let folder = tempfile::tempdir().unwrap();
    let asked = folder.path().join("asked");
    // This engine exits as soon as it should think.
    let script = format!(
        "while read l; do case $l in go*) echo $l >>{}; exit;; esac; echo $l; done | {}",
        asked.display(),
        *LEAPD
    );
    let args = ["--record", "/dev/null"];
    let mut xboard = Xboard::start_with("eximo", &args, &["sh", "-c", &script]);
    xboard.lift("c3");
    xboard.put("c4");
    while xboard.errors.len() < 2 {
        xboard.read();
    }
    assert!(
        xboard.errors[1].ends_with("is not asked for this move any more"),
        "{:?}",
        xboard.errors
    );
    xboard.write("option Take back");
    xboard.sync();
    assert_ne!(xboard.lift("c3"), []);
    assert_eq!(xboard.errors.len(), 2, "{:?}", xboard.errors);
    let asked = std::fs::read_to_string(asked).unwrap();
    assert_eq!(asked.lines().count(), 2, "{asked}");
}

#[test]
fn an_engine_that_resigns_has_lost() {
    let args = ["--record", "/dev/null"];
    let mut xboard = Xboard::start_with("eximo", &args, &["sh", "-c", &RESIGNING]);
    xboard.lift("c3");
    xboard.put("c4");
    while xboard.result.is_none() {
        xboard.read();
    }
    let told = "0-1 {You have won: the other side has resigned}";
    assert_eq!(xboard.result.as_deref(), Some(told));
}

#[test]
fn an_engine_that_cannot_be_started_again_is_told_of_once() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("once");
    // When it should think, this engine removes its own program and exits. It cannot be started again.
    let text = format!(
        "#!/bin/sh\nwhile read l; do case $l in go*) rm \"$0\"; exit;; esac; echo $l; done | {}\n",
        *LEAPD
    );
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let args = ["--record", "/dev/null"];
    let mut xboard = Xboard::start_with("eximo", &args, &[script.to_str().unwrap()]);
    xboard.lift("c3");
    xboard.put("c4");
    while xboard.errors.is_empty() {
        xboard.read();
    }
    // Whatever a front end does then tells nothing new.
    xboard.lift("c3");
    xboard.put("c4");
    xboard.sync();
    assert_eq!(xboard.errors.len(), 1, "{:?}", xboard.errors);
    assert!(xboard.errors[0].contains("not started again"), "{:?}", xboard.errors);
}

#[test]
fn nonsense_changes_nothing() {
    let mut xboard = Xboard::start("sapos", &["--side", "both", "--record", "/dev/null"]);
    let before = xboard.fen.clone();
    let lines = [
        "",
        "lift",
        "put",
        "hover",
        "lift é9",
        "put a99",
        "hover z0",
        "usermove e2e4",
        "setboard x",
        "undo",
        "remove",
        "st -1",
        "sd x",
        "option",
        "option =",
        "option Nothing=3",
        "protover",
        "?",
        "\u{7f}\u{0}",
    ];
    for line in lines {
        xboard.write(line);
    }
    xboard.write(&format!("lift {}", "a1".repeat(100_000)));
    xboard.sync();
    assert_eq!((&xboard.fen, xboard.errors.as_slice()), (&before, [].as_slice()));
    xboard.write("option MoveOverhead=lots");
    xboard.sync();
    assert_eq!((&xboard.fen, xboard.errors.len()), (&before, 1), "{:?}", xboard.errors);
}

#[test]
fn games_broken_off_are_recorded_and_the_next_begins() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("games.ugr");
    let args = ["--side", "both", "--record", record.to_str().unwrap()];
    let mut xboard = Xboard::start("eximo", &args);
    let before = xboard.fen.clone();
    xboard.lift("c3");
    xboard.put("c4");
    xboard.positions = 0;
    xboard.begin("eximo");
    assert_eq!(xboard.fen, before);
    let (game, moves) = only_game(&xboard.quit(&record));
    assert_eq!((game.tag("Result"), moves), (Some("*"), vec!["c3c4".to_owned()]));
}

#[test]
fn pictures_and_the_options_that_use_them_can_be_had_without_xboard() {
    let folder = tempfile::tempdir().unwrap();
    let mut art = Command::new(LEAP.as_str());
    art.args(["xboard", "--game", "alquerque", "--art"]).arg(folder.path()).args(["--", &LEAPD]);
    let done = art.output().unwrap();
    let options = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success() && options.starts_with("-variant alquerque "), "{options}");
    assert!(options.contains(" -boardWidth 5 -boardHeight 5"), "{options}");
    for name in ["WhiteKnight.svg", "WhiteBishop.svg", "alquerque-5x5.png"] {
        assert!(folder.path().join(name).exists(), "{name}");
    }
}
