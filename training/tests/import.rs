//! Games of other programs become the shards that `fit` reads.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use flate2::read::GzDecoder;
use leap_core::notation::Notation;
use leap_core::{Game, GameResult, Rules, Side};
use leap_games::eximo::Eximo;

fn import(words: &str, paths: &[&Path], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_leap-train"));
    command.arg("import").args(words.split_whitespace()).args(paths);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// A whole game of Eximo: the move with this number is made at each position.
fn played(number: usize) -> Game<Eximo> {
    let rules = Eximo::default();
    let mut game = Game::start(rules.clone());
    loop {
        let moves = game.legal_moves();
        let Some(mv) = moves.get(number % moves.len().max(1)) else { return game };
        game.push(*mv);
    }
}

/// The text of a game in the form of an archive. Each move has the score of 0.01 pawns a ply.
fn archived(game: &Game<Eximo>, variant: &str) -> String {
    let result = match game.outcome().unwrap().result {
        GameResult::Win(Side::One) => "1-0",
        GameResult::Win(Side::Two) => "0-1",
        GameResult::Draw => "1/2-1/2",
    };
    let rules = game.rules();
    let fen = rules.print_position(&rules.start());
    let moves = game.moves().iter().zip(game.positions()).zip(0..);
    let moves = moves.map(|((mv, position), ply)| {
        let mv = rules.print_move(position, *mv).replace('@', "*");
        format!("{mv} {{+{}.{:02}/5}} ", ply / 100, ply % 100)
    });
    format!(
        "[White \"a\"]\n[Result \"{result}\"]\n[FEN \"{fen}\"]\n[Variant \"{variant}\"]\n\n{}{result}\n",
        moves.collect::<String>()
    )
}

fn shards(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn unpacked(path: &Path) -> String {
    let mut text = String::new();
    GzDecoder::new(File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text
}

#[test]
fn quiet_positions_are_kept_with_the_score_and_the_result_for_the_side_to_move() {
    let place = tempfile::tempdir().unwrap();
    let (file, out) = (place.path().join("games.pgn"), place.path().join("out"));
    let game = played(3);
    fs::write(&file, archived(&game, "eximo")).unwrap();
    let output = import("eximo --out", &[&out, &file], "");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let [shard] = &shards(&out)[..] else { panic!("one shard") };
    let rules = game.rules();
    let winner = game.outcome().unwrap().result;
    let expected = game.moves().iter().zip(game.positions()).enumerate();
    let expected = expected.filter(|(_, (mv, position))| !rules.is_capture(position, **mv));
    let line = |(ply, (_, position)): (usize, (_, &_))| {
        let result = match winner {
            GameResult::Draw => 0,
            GameResult::Win(side) if side == leap_core::Position::side(position) => 1,
            GameResult::Win(_) => -1,
        };
        format!("{}\t{ply}\t{result}\n", rules.print_position(position))
    };
    assert_eq!(unpacked(shard), expected.map(line).collect::<String>());
}

#[test]
fn what_was_imported_before_makes_the_same_files_and_each_shard_has_some_games() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let games: String = [1, 2, 3].map(|number| archived(&played(number), "standard")).concat();
    let mut told = Vec::new();
    for _ in 0..2 {
        let output = import("eximo - --games 2 --out", &[&out], &games);
        told = output.stdout;
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(shards(&out).len(), 2);
    }
    let told = String::from_utf8(told).unwrap();
    assert!(told.starts_with("games 3 decided 100.0 % positions "), "{told}");
    assert!(told.contains(" % correlation ") && told.ends_with(" refused 0\n"), "{told}");
    // The start position occurs in each game.
    assert!(!told.contains("duplicates 0.0"), "{told}");
    let weights = place.path().join("weights");
    let mut fit = Command::new(env!("CARGO_BIN_EXE_leap-train"));
    fit.args(["fit", "eximo", "--epochs", "1", "--out"]).arg(&weights).args(shards(&out));
    assert!(fit.output().unwrap().status.success());
}

#[test]
fn games_that_cannot_be_played_again_are_named_and_counted() {
    let place = tempfile::tempdir().unwrap();
    let good = archived(&played(1), "eximo MaxPlies 400");
    let (moves, other) = (good.replace("\n\n", "\n\na1a1 {+0.00/1} "), "\"froglet\"");
    let games = [
        good.clone(),
        moves,
        good.replace("\"eximo MaxPlies 400\"", other),
        good.replace("MaxPlies 400", "MaxPlies -1"),
        good.replace("[FEN \"", "[FEN \"8/"),
        good.replace("[Result \"", "[Result \"*"),
        good.replace("MaxPlies 400", "MaxPlies 3"),
    ];
    let output = import("eximo - --out", &[place.path()], &games.concat());
    let (told, said) = (output.stdout, String::from_utf8(output.stderr).unwrap());
    let told = String::from_utf8(told).unwrap();
    assert!(told.starts_with("games 1 "), "{told}{said}");
    let refused = " refused 6 game 1 move 2 position 1 result 1 variant 1\n";
    assert!(told.ends_with(refused), "{told}{said}");
    for expected in [
        "-:7: left out: move 1: expected a legal move, found 'a1a1': ",
        "-:13: left out: expected games of eximo, found 'froglet'",
        "-:19: left out: option MaxPlies takes a number ",
        "-:25: left out: FEN: ",
        "-:31: left out: expected the result 1-0, 0-1 or 1/2-1/2, found '*",
        "-:37: left out: move 4: expected a legal move, ",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

#[test]
fn nothing_to_import_is_an_error() {
    let place = tempfile::tempdir().unwrap();
    let output = import("eximo - --out", &[place.path()], "");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("expected games of eximo, found none that can be used"), "{said}");
    assert!(shards(place.path()).is_empty());
}
