//! Noise and half-valid commands: no panic, no hang, no growth, and the session still answers (SPEC 7.8).

use std::io::{BufRead, BufReader, Write};

use leap_games::IDS;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::process::{peak_memory_kib, start};

/// What the process may use beyond its transposition table.
const MEMORY_KIB: u64 = 64 << 10;
const HASH_MIB: u64 = 1;

/// Words that make lines half valid. No `quit`, no large `Hash`.
const WORDS: &str = "\
    ugi uci isready uginewgame setoption name value position startpos fen moves go stop ponderhit \
    query p1turn gameover result protocol games game board next legal effects turn status history rules es \
    limit move undo perft draw offer eval debug on p1time p2time p1inc movetime depth nodes mate \
    infinite ponder searchmoves id Game Hash MaxPlies AlquerqueCapture mandatory SaposRevisit \
    false true FrogletSeed TacticaPairs all b2c3 a1 c3b2 xd4 d2d4@c4 c7c8@b1@d2 0 1 2 3 -1 \
    99999999999999999999 1e9 mmmmm/mmmmm/mm1MM/MMMMM/MMMMM 8/3mm3/3mm3/8/8/3MM3/3MM3/8 \
    chsccshc/8/8/8/8/8/8/CHSCCSHC ~ / 12 \u{1F438} \u{0}";

/// Several words, or none.
const BLANKS: &[&str] = &["1 - 0 0", "1 1 0 0", "\t"];

fn below(rng: &mut ChaCha8Rng, bound: u64) -> u64 {
    rng.next_u64() % bound
}

fn pick<'a>(rng: &mut ChaCha8Rng, words: &[&'a str]) -> &'a str {
    words[below(rng, words.len() as u64) as usize]
}

fn line(rng: &mut ChaCha8Rng, words: &[&str]) -> Vec<u8> {
    match below(rng, 100) {
        0..10 => (0..below(rng, 60)).map(|_| (rng.next_u64() as u8).max(11)).collect(),
        10 => vec![b'a'; below(rng, 3 << 20) as usize],
        // Ends running searches now and then, so that not every answer is `error busy`.
        11..40 => b"stop".to_vec(),
        40..50 => format!("setoption name Game value {}", pick(rng, &IDS)).into_bytes(),
        50..60 => format!("go nodes {}", below(rng, 200)).into_bytes(),
        _ => {
            let line: Vec<&str> = (0..below(rng, 8)).map(|_| pick(rng, words)).collect();
            line.join(" ").into_bytes()
        }
    }
}

fn survives(lines: u64, seed: u64) {
    let mut child = start(&["--option", &format!("Hash={HASH_MIB}")]);
    let mut stdin = child.stdin.take().unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let reader = std::thread::spawn(move || {
        let replies = stdout.lines().map(Result::unwrap);
        replies
            .filter(|line| line.starts_with("option name UCI_Variant") || line == "readyok")
            .last()
    });
    let words: Vec<&str> = WORDS.split(' ').chain(IDS.iter().chain(BLANKS).copied()).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..lines {
        let mut bytes = line(&mut rng, &words);
        bytes.retain(|byte| *byte != b'\n');
        bytes.push(b'\n');
        stdin.write_all(&bytes).unwrap();
    }
    stdin.write_all(b"stop\nisready\n").unwrap();
    let peak = peak_memory_kib(child.id());
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert_eq!(reader.join().unwrap().as_deref(), Some("readyok"));
    match peak {
        Some(peak) => assert!(peak < MEMORY_KIB + (HASH_MIB << 10), "{peak} KiB at most"),
        None => leap_testing::skip("proc", "only Linux tells a process's peak memory"),
    }
}

#[test]
fn twenty_thousand_lines_of_noise_are_survived() {
    survives(20_000, 1);
}

/// Run by `.ci/run exhaustive`: minutes.
mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn a_million_lines_of_noise_are_survived() {
        survives(1_000_000, 2);
    }
}
