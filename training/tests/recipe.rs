//! The recipe of README.md on a small scale. Its outputs depend on its arguments alone.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use leap_games::alquerque::Alquerque;
use leap_games::eximo::Eximo;
use leap_search::eval::Learned;
use leap_search::eval::weights::Weights;

fn train(words: &str, paths: &[&Path]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_leap-train"));
    command.args(words.split_whitespace()).args(paths).output().unwrap()
}

fn succeed(words: &str, paths: &[&Path]) -> String {
    let output = train(words, paths);
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Two shards of games.
const SHARDS: &str = "generate eximo --shards 2 --games 4 --nodes 40 --seed 5";

fn shards(folder: &Path, threads: usize) -> [PathBuf; 2] {
    succeed(&format!("{SHARDS} --threads {threads} --out"), &[folder]);
    [0, 1].map(|number| folder.join(format!("eximo-5-0000{number}.txt.gz")))
}

#[test]
fn games_depend_on_the_seed_and_not_on_the_threads() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let one = shards(folders[0].path(), 1).map(|path| fs::read(path).unwrap());
    let two = shards(folders[1].path(), 2).map(|path| fs::read(path).unwrap());
    assert_eq!(one, two);
    assert_ne!(one[0], one[1]);
}

/// A shard whose labels look wrong teaches nothing, and the one that is refused is named. Fewer than 1,000 positions are
/// not judged.
#[test]
fn labels_that_look_wrong_are_refused_with_the_name_of_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let words = "generate eximo --shards 1 --games 60 --nodes 20 --out";
    let told = succeed(words, &[folder.path()]);
    assert!(told.starts_with("shard 0 games 60 decided "), "{told}");
    let shard = folder.path().join("eximo-1-00000.txt.gz");
    let mut lines = String::new();
    GzDecoder::new(File::open(&shard).unwrap()).read_to_string(&mut lines).unwrap();
    let turned = lines.lines().map(|line| {
        let (before, result) = line.rsplit_once('\t').unwrap();
        format!("{before}\t{}\n", -result.parse::<i64>().unwrap())
    });
    let wrong = folder.path().join("wrong.gz");
    let mut packed = GzEncoder::new(File::create(&wrong).unwrap(), Compression::fast());
    packed.write_all(turned.collect::<String>().as_bytes()).unwrap();
    packed.finish().unwrap();
    let weights = folder.path().join("weights");
    let output = train("fit eximo --out", &[&weights, &shard, &wrong]);
    let error = String::from_utf8(output.stderr).unwrap();
    let expected =
        "wrong.gz: expected a correlation of score and result of at least 0.1, found -0.";
    assert!(error.contains(expected), "{error}");
    assert!(!weights.exists());
}

/// A game begins where both sides can win.
#[test]
fn games_begin_where_no_side_is_far_ahead() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let scores = |ahead: &str, folder: &Path| -> Vec<i64> {
        let words = format!(
            "generate eximo --shards 1 --games 30 --nodes 40 --least 30 --most 30 --ahead {ahead} --out"
        );
        succeed(&words, &[folder]);
        let mut lines = String::new();
        let shard = File::open(folder.join("eximo-1-00000.txt.gz")).unwrap();
        GzDecoder::new(shard).read_to_string(&mut lines).unwrap();
        let begins = lines.lines().filter(|line| line.split('\t').next().unwrap().ends_with(" 30"));
        begins.map(|line| line.split('\t').nth(1).unwrap().parse().unwrap()).collect()
    };
    let near = scores("100", folders[0].path());
    assert!(!near.is_empty() && near.iter().all(|score| score.abs() <= 100), "{near:?}");
    let far = scores("100000", folders[1].path());
    assert!(far.iter().any(|score| score.abs() > 100), "{far:?}");
}

#[test]
fn shards_that_are_there_are_not_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = shards(folder.path(), 1);
    fs::write(&first, "kept").unwrap();
    fs::remove_file(&second).unwrap();
    shards(folder.path(), 1);
    assert_eq!(fs::read(&first).unwrap(), b"kept");
    assert!(second.exists());
}

#[test]
fn the_same_positions_and_seed_give_the_same_weights() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = shards(folder.path(), 2);
    let weights = ["a", "b"].map(|name| folder.path().join(name));
    let fit = |files: [&Path; 2], out: &Path| {
        succeed("fit eximo --epochs 2 --out", &[out, files[0], files[1]]);
        fs::read(out).unwrap()
    };
    let made = fit([&first, &second], &weights[0]);
    assert_eq!(made, fit([&second, &first], &weights[1]));
    Weights::read(&Eximo::design(), &made).unwrap();
    let shown = succeed("show eximo --count 1", &[&weights[0]]);
    let boards = shown.lines().filter(|line| line.starts_with("  |")).count();
    assert_eq!(boards, 8, "a pattern on a board of eight rows: {shown}");
}

/// The loss of the positions held out, from a line of a report.
fn held_out(report: &str, line: &str) -> f64 {
    let line = report.lines().find(|found| found.starts_with(line)).unwrap();
    let (_, rest) = line.split_once("held out ").unwrap();
    rest.split(',').next().unwrap().parse().unwrap()
}

#[test]
fn whole_numbers_lose_next_to_nothing_and_the_losses_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = shards(folder.path(), 2);
    let [weights, chart] = ["weights", "chart.svg"].map(|name| folder.path().join(name));
    let words = format!("fit eximo --epochs 2 --chart {} --out", chart.display());
    let report = succeed(&words, &[&weights, &first, &second]);
    let (real, whole) = (held_out(&report, "epoch 2,"), held_out(&report, "as whole numbers"));
    assert!((real - whole).abs() < 0.002, "{report}");
    let chart = fs::read_to_string(&chart).unwrap();
    assert!(chart.starts_with("<svg") && chart.contains("results, held out"), "{chart}");
}

#[test]
fn weights_of_a_file_play_other_games_and_one_that_does_not_fit_none() {
    let folder = tempfile::tempdir().unwrap();
    let [first, _] = shards(folder.path(), 1);
    let weights = folder.path().join("weights");
    succeed("fit eximo --epochs 2 --out", &[&weights, &first]);
    let others = folder.path().join("others");
    succeed(&format!("{SHARDS} --weights {} --out", weights.display()), &[&others]);
    let made = fs::read(others.join(first.file_name().unwrap())).unwrap();
    assert_ne!(made, fs::read(&first).unwrap());
    for words in ["generate eximo --out /dev/null --weights", "gate eximo"] {
        let error = String::from_utf8(train(words, &[&first]).stderr).unwrap();
        let expected = "expected the line 'leapd-weights 1' at the beginning, found another";
        assert!(error.contains(expected), "{words}: {error}");
    }
}

/// Matches choose the shape of a network, so the engine plays with any.
#[test]
fn a_network_of_another_shape_plays_and_what_cannot_have_the_shape_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [first, _] = shards(folder.path(), 1);
    let [weights, others] = ["weights", "others"].map(|name| folder.path().join(name));
    succeed("fit eximo --epochs 1 --units 24 --buckets 2 --out", &[&weights, &first]);
    succeed(&format!("{SHARDS} --weights {} --out", weights.display()), &[&others]);
    for (words, expected) in [
        ("fit eximo --units 65", "expected 1 to 64 units and 1 to 16 buckets, found 65 and 4"),
        ("fit tactica --buckets 0", "expected 1 to 16 units and 1 to 16 buckets, found 4 and 0"),
        ("fit alquerque --units 8", "expected a network for --units and --buckets, found tables"),
    ] {
        let error = String::from_utf8(train(&format!("{words} --out /dev/null"), &[&first]).stderr);
        let error = error.unwrap();
        assert!(error.contains(expected), "{words}: {error}");
    }
}

#[test]
fn a_fit_goes_on_from_earlier_weights() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    succeed("generate alquerque --shards 2 --games 4 --nodes 40 --out", &[&games]);
    let [first, second] = [0, 1].map(|at| games.join(format!("alquerque-1-0000{at}.txt.gz")));
    let [begun, same, other] = ["begun", "same", "other"].map(|name| folder.path().join(name));
    succeed("fit alquerque --epochs 1 --out", &[&begun, &first, &second]);
    let go_on = |words: &str, out: &Path| {
        let from = begun.display();
        succeed(
            &format!("fit alquerque --epochs 1 {words} --from {from} --out"),
            &[out, &first, &second],
        );
        Weights::read(&Alquerque::design(), &fs::read(out).unwrap()).unwrap().centipawns()
    };
    let before = Weights::read(&Alquerque::design(), &fs::read(&begun).unwrap()).unwrap();
    assert_eq!(go_on("--rate 0", &same), before.centipawns());
    assert_ne!(go_on("", &other), before.centipawns());
}

#[test]
fn what_is_no_sample_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let [first, _] = shards(folder.path(), 1);
    let output = train("fit alquerque --out /dev/null", &[&first]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains(":1: expected a position, a score and a result, found"), "{error}");
    let output = train("fit sapos --out /dev/null", &[&first]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("expected a game whose evaluation is learned, found sapos"), "{error}");
}
