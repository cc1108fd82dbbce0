//! Refusals: mistakes on the command line, outputs that would destroy a file, and files that hold too much.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use flate2::Compression;
use flate2::write::GzEncoder;

const PROGRAM: &str = env!("CARGO_BIN_EXE_leap-train");

fn train(words: &str, paths: &[&Path]) -> Output {
    Command::new(PROGRAM).args(words.split_whitespace()).args(paths).output().unwrap()
}

/// The message of a command that must fail with this status: one line.
#[track_caller]
fn refusal(status: i32, words: &str, paths: &[&Path]) -> String {
    let output = train(words, paths);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{words}: {message}");
    let line = message.strip_suffix('\n').unwrap();
    assert!(line.starts_with("error: ") && !line.contains('\n'), "{words}: {message}");
    line.to_owned()
}

#[test]
fn every_mistake_on_the_command_line_is_one_line_with_status_2() {
    for (words, expected) in [
        ("frob", "unrecognized subcommand 'frob'"),
        ("fit", "required arguments were not provided: --out <FILE> <GAME> <FILES>..."),
        ("fit chess a.gz --out w", "'chess' for '<GAME>' [possible values: alquerque, eximo, "),
        ("fit sapos a.gz --out w", "expected a game whose evaluation is learned, found sapos"),
        ("fit eximo a.gz --out w --epochs 0", "invalid value '0' for '--epochs <N>'"),
        ("fit eximo a.gz --out w --batch 0", "invalid value '0' for '--batch <N>'"),
        ("fit eximo a.gz --out w --blend 1.5", "expected a number from 0 to 1, found '1.5'"),
        ("fit eximo a.gz --out w --blend NaN", "expected a number from 0 to 1, found 'NaN'"),
        ("fit eximo a.gz --out w --rate inf", "expected a number from 0 on, found 'inf'"),
        ("fit eximo a.gz --out w --decay=-1", "expected a number from 0 to 1, found '-1'"),
        ("fit eximo a.gz --out /nowhere/w", "expected a folder for --out /nowhere/w, found none"),
        ("generate chess --out d", "[possible values: alquerque, eximo, sapos, froglet, tactica]"),
        ("generate eximo", "required arguments were not provided: --out <DIR>"),
        ("generate eximo --out d --least 9 --most 3", "expected --least to be at most --most"),
        ("generate eximo --out d --shards 0", "invalid value '0' for '--shards <N>'"),
        ("generate eximo --out d --first 18446744073709551615", "for '--first <N>'"),
        ("generate eximo --out d --games 18446744073709551615", "for '--games <N>'"),
        ("generate eximo --out d --nodes 0", "invalid value '0' for '--nodes <N>'"),
        ("import eximo", "required arguments were not provided: --out <DIR> <FILES>..."),
        ("import chess a --out d", "'chess' for '<GAME>' [possible values: alquerque, eximo, "),
        ("import eximo a --out d --games 0", "invalid value '0' for '--games <N>'"),
        ("show chess w", "[possible values: alquerque, "),
        ("show sapos w", "expected a game whose evaluation is learned, found sapos"),
        ("show eximo w --count 0", "invalid value '0' for '--count <N>'"),
        ("gate chess w", "[possible values: alquerque, "),
        ("gate eximo w --nodes x", "invalid value 'x' for '--nodes <N>'"),
    ] {
        let message = refusal(2, words, &[]);
        assert!(message.contains(expected), "{words}: {message}");
    }
}

/// Two shards of games.
fn shards(folder: &Path) -> [PathBuf; 2] {
    let made = train("generate eximo --shards 2 --games 4 --nodes 20 --out", &[folder]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    [0, 1].map(|number| folder.join(format!("eximo-1-0000{number}.txt.gz")))
}

/// In `fit eximo --out data/*.gz`, the shell makes the first data file the output.
#[test]
fn no_input_becomes_an_output() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = shards(folder.path());
    let before = [&first, &second].map(|path| fs::read(path).unwrap());
    let message = refusal(2, "fit eximo --epochs 1 --out", &[&first, &second]);
    let expected = "expected a file of weights or no file yet for --out, found ";
    assert!(message.contains(expected), "{message}");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&second, &link).unwrap();
    for (words, out) in [("--out", &first), ("--out", &link), ("--out w --chart", &first)] {
        let words = format!("fit eximo --epochs 1 {words}");
        let message = refusal(2, &words, &[out, &first, &second]);
        assert!(message.contains("expected a file of its own for --"), "{message}");
        assert!(message.contains(out.to_str().unwrap()), "{message}");
    }
    assert_eq!([&first, &second].map(|path| fs::read(path).unwrap()), before);
}

#[test]
fn only_an_older_file_of_the_same_kind_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = shards(folder.path());
    let [weights, notes, chart] =
        ["weights", "notes", "chart.svg"].map(|name| folder.path().join(name));
    fs::write(&notes, "notes of mine").unwrap();
    let chart_option = format!("fit eximo --epochs 1 --chart {} --out", notes.display());
    for (words, option) in [("fit eximo --epochs 1 --out", "--out"), (&chart_option, "--chart")] {
        let out = if option == "--out" { &notes } else { &weights };
        let message = refusal(2, words, &[out, &first, &second]);
        assert!(message.contains(&format!(" or no file yet for {option}, found ")), "{message}");
    }
    assert!(!weights.exists(), "nothing is done before the refusal");
    assert_eq!(fs::read(&notes).unwrap(), b"notes of mine");
    refusal(2, "fit eximo --epochs 1 --out", &[folder.path(), &first]);

    let words = format!("fit eximo --epochs 1 --chart {} --out", chart.display());
    let made = [1, 2].map(|_| {
        let output = train(&words, &[&weights, &first, &second]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read(&weights).unwrap()
    });
    assert_eq!(made[0], made[1]);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 5, "{left:?}");
}

/// Writes a compressed file of a line many times.
fn pack(path: &Path, line: &str, times: usize) {
    let mut packed = GzEncoder::new(File::create(path).unwrap(), Compression::fast());
    let lines = line.repeat(1024);
    for _ in 0..times / 1024 {
        packed.write_all(lines.as_bytes()).unwrap();
    }
    packed.finish().unwrap();
}

/// A small file that unpacks to a huge one takes little memory and time.
#[test]
fn a_file_that_unpacks_to_too_much_is_refused_with_its_bound() {
    let folder = tempfile::tempdir().unwrap();
    let bomb = folder.path().join("bomb.gz");
    let sample = "5/2m2/5/1m3/2M1M 1 - 0 393\t0\t0\n";
    for (line, expected) in [
        ("0", ":1: expected at most 1024 bytes in a line, found more"),
        (sample, ": expected at most 64 MiB unpacked, found more"),
    ] {
        pack(&bomb, line, (256 << 20) / line.len());
        let script = "ulimit -v 1000000; exec \"$0\" fit alquerque --out /dev/null \"$1\"";
        let output = Command::new("sh").args(["-c", script, PROGRAM]).arg(&bomb).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{message}");
        // Where this takes seconds, a line about the progress comes first.
        let error = format!("error: {}{expected}", bomb.display());
        assert_eq!(message.lines().last(), Some(&*error), "{message}");
    }
}

#[test]
fn numbers_that_no_search_gives_are_no_sample() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("odd.gz");
    for numbers in ["0\t2", "0\t9223372036854775807", "9223372036854775807\t0", "0", "x\t0"] {
        pack(&file, &format!("5/2m2/5/1m3/2M1M 1 - 0 393\t{numbers}\n"), 1024);
        let message = refusal(1, "fit alquerque --out /dev/null", &[&file]);
        assert!(message.contains(":1: expected a position, a score and a result"), "{message}");
    }
}

/// Somebody who waits for an hour sees progress.
#[test]
fn long_work_speaks_though_its_output_is_no_terminal() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(PROGRAM);
    command.args(["generate", "eximo", "--games", "1000000", "--out"]).arg(folder.path());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.starts_with("0 of 100 shards, "), "{line}");
    let left = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 0, "a run that is killed leaves nothing behind");
}
