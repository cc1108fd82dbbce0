//! The reader of files for browsers under Node.js: it answers every file as the programs do. Needs what `wasm.rs`
//! needs.

use std::fs;
use std::path::{Path, PathBuf};

use leap_records::{MAX_BYTES, answer};
use leap_toys::random::below;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::Value;

use crate::programs::ROOT;
use crate::wasm::{package, run};

/// Texts that hostile files have in places where nobody expects them.
const HOSTILE: [&[u8]; 16] = [
    b"\xff",
    b"\0",
    b"\r",
    b"\n[",
    b"\n\n",
    b"{",
    b"}",
    b"\"",
    b"\\",
    b"\xef\xbb\xbf",
    b"\xc2\xa0",
    b" {cp 2147483648} ",
    b" 4294967297. ",
    b" 18446744073709551616. ",
    b"\n> undo 4294967297\n",
    b"\n> undo 99999999999999999999\n",
];

const RECORDS: &[u8] =
    b"[Game \"eximo\"]\n[P1 \"a \\\"b\\\" \\\\ c\"]\n[Option \"MaxPlies=9\"]\n[Fen \"8/8 1\"]\n\n\
    1. c3c4 {cp 3 depth 2 nodes 4294967296 us 18446744073709551615} 2. f6f5 {mate -3}\np1win\n\n\
    [Game \"\xc3\xb1\"]\n\n1. a1a2 {\n a comment } void\n";
const SESSION: &[u8] = b"ugt 1\ngame sapos\noption name A value b=c\n\n> position startpos moves d2d4 d7d5\n> undo\n\
    > move d7d6 e2e4\n> undo 4294967297\n> setoption name Game value eximo\n> position fen 8/8 1 moves a b\n> uginewgame\n";

/// Files of all kinds, each with what it is, and so many damaged ones.
fn files(damages: u64) -> Vec<(String, Vec<u8>)> {
    let mut files = vec![
        ("records".to_owned(), RECORDS.to_vec()),
        ("a session".to_owned(), SESSION.to_vec()),
        ("the longest file".to_owned(), vec![b'\n'; MAX_BYTES]),
        ("a file that is too long".to_owned(), vec![b'\n'; MAX_BYTES + 1]),
        ("many games".to_owned(), b"[Game \"a\"]\n*\n".repeat(MAX_BYTES / 13)),
        (
            "a long name".to_owned(),
            format!("[Game \"{}\"]\n*\n", "\u{1}".repeat(MAX_BYTES - 20)).into_bytes(),
        ),
        ("a long game".to_owned(), [b"[Game \"a\"]\n", &b"b ".repeat(10_000)[..], b"*\n"].concat()),
        (
            "a longer game".to_owned(),
            [b"[Game \"a\"]\n", &b"b ".repeat(10_001)[..], b"*\n"].concat(),
        ),
        (
            "the longest move list".to_owned(),
            [b"ugt 1\n> move ", &b"b ".repeat(MAX_BYTES / 2 - 10)[..]].concat(),
        ),
        ("a session with many options".to_owned(), many_options()),
    ];
    let folder = |path: String| fs::read_dir(path).unwrap().map(|file| file.unwrap().path());
    let games = folder(format!("{ROOT}/games")).map(|game| game.join("transcripts"));
    let transcripts =
        games.filter(|path| path.is_dir()).flat_map(|path| folder(path.display().to_string()));
    let mut kept: Vec<PathBuf> = folder(format!("{ROOT}/adapters/records/tests/refused")).collect();
    kept.extend(transcripts.step_by(4));
    kept.sort();
    files.extend(kept.iter().map(|path| (path.display().to_string(), fs::read(path).unwrap())));
    files.extend((0..damages).map(|seed| (format!("seed {seed}"), damaged(seed))));
    files
}

/// A session in which every game has many options.
fn many_options() -> Vec<u8> {
    let options = (0..50_000).map(|n| format!("> setoption name a{n} value b\n"));
    let games = "> position startpos moves b\n> uginewgame\n".repeat(50_000);
    format!("ugt 1\n{}{games}", options.collect::<String>()).into_bytes()
}

/// A file that was cut, or has something hostile in it.
fn damaged(seed: u64) -> Vec<u8> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut bytes = if seed.is_multiple_of(2) { RECORDS.to_vec() } else { SESSION.to_vec() };
    for _ in 0..=below(&mut rng, 2) {
        let at = below(&mut rng, bytes.len());
        match below(&mut rng, 4) {
            0 => bytes.truncate(at + 1),
            1 => bytes[at] ^= 1 << below(&mut rng, 8),
            _ => {
                drop(bytes.splice(at..at, HOSTILE[below(&mut rng, HOSTILE.len())].iter().copied()))
            }
        }
    }
    bytes
}

/// What the package answers to the files `0`, `1` ... of a folder, several at a time.
fn answered(folder: &Path, package: &Path, count: usize) -> Vec<Vec<u8>> {
    const SCRIPT: &str = r#"
        import { readFileSync, writeFileSync } from "node:fs";
        const { readGames, Unread } = await import(process.argv[1]);
        const next = [...Array(Number(process.argv[2])).keys()];
        async function work() {
            for (let at = next.shift(); at !== undefined; at = next.shift()) {
                const told = await readGames(readFileSync(String(at))).then(
                    (games) => ({ games }),
                    (error) => (error instanceof Unread ? error.refusal : { failed: String(error) }),
                );
                writeFileSync(`${at}.json`, JSON.stringify(told));
            }
        }
        await Promise.all([work(), work(), work()]);"#;
    let index = package.join("index.js");
    let arguments = ["--input-type=module", "--eval", SCRIPT, index.to_str().unwrap()];
    run(folder, "node", &[&arguments[..], &[&count.to_string()]].concat());
    (0..count).map(|at| fs::read(folder.join(format!("{at}.json"))).unwrap()).collect()
}

fn answers_as_the_programs_do(damages: u64) {
    let Some(package) = package() else { return };
    let folder = tempfile::tempdir().unwrap();
    let files = files(damages);
    for (at, (_, bytes)) in files.iter().enumerate() {
        fs::write(folder.path().join(at.to_string()), bytes).unwrap();
    }
    let answers = answered(folder.path(), &package, files.len());
    let mut opened = 0;
    for ((name, bytes), here) in files.iter().zip(answers) {
        let native = answer(bytes).unwrap_or_else(|refusal| refusal.to_json());
        let parsed = |text: &[u8]| serde_json::from_slice::<Value>(text).unwrap();
        // Both usually write the same bytes. Parsing millions of games, or printing them in a message, takes minutes.
        let is_same = here == native || parsed(&here) == parsed(&native);
        assert!(is_same, "{name}: {}", String::from_utf8_lossy(&here[..here.len().min(300)]));
        opened += usize::from(here.starts_with(b"{\"games\":"));
    }
    assert!(opened > 50 && opened < files.len() - 50, "{opened} of {}", files.len());
}

#[test]
fn the_module_answers_every_file_as_the_programs_do() {
    answers_as_the_programs_do(60);
}

#[test]
fn a_text_is_read_as_its_bytes_are_and_a_refusal_names_its_line() {
    const SCRIPT: &str = r#"
        const { readGames } = await import(process.argv[1]);
        const [game] = await readGames('[Game "ñ"]\n\n1. a1a2 *\n');
        const { message } = await readGames("[Site]").catch((error) => error);
        console.log(game.id, game.moves, message);"#;
    let Some(package) = package() else { return };
    let index = package.join("index.js");
    let arguments = ["--input-type=module", "--eval", SCRIPT, index.to_str().unwrap()];
    let said = run(&package, "node", &arguments);
    assert_eq!(said, "ñ [ 'a1a2' ] line 1: expected [Name \"value\"], found '[Site]'\n");
}

mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn the_module_answers_every_damaged_file_as_the_programs_do() {
        answers_as_the_programs_do(1000);
    }
}
