//! Mutated files of weights: each is refused in one line with nothing changed, or it plays (SPEC 8.14). No panic, no
//! hang, no illegal move, no growing memory.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use leap_toys::random::below;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::process::{peak_memory_kib, start};

/// The games with weights, and those of the program.
const SHIPPED: [(&str, &[u8]); 3] = [
    ("alquerque", include_bytes!("../../games/alquerque/weights")),
    ("eximo", include_bytes!("../../games/eximo/weights")),
    ("tactica", include_bytes!("../../games/tactica/weights")),
];
/// No answer takes this long.
const LONG: Duration = Duration::from_secs(30);
/// What the process may use, its transposition table of 1 MiB and the largest file included.
const MEMORY_KIB: u64 = 96 << 10;
const PLIES: usize = 4;

struct Program {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

impl Program {
    fn start() -> Self {
        let mut child = start(&["--option", "Hash=1"]);
        let stdin = child.stdin.take().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || stdout.lines().try_for_each(|line| sender.send(line.unwrap())));
        Self { child, stdin, lines }
    }

    /// The lines of the answer up to the one that begins so, which is the last of them.
    fn ask(&mut self, command: &str, last: &str) -> Vec<String> {
        writeln!(self.stdin, "{command}").unwrap();
        let mut answer = Vec::new();
        loop {
            let line = self.lines.recv_timeout(LONG);
            let line = line.unwrap_or_else(|e| panic!("{command}: {e} after {answer:?}"));
            assert!(!line.starts_with("error internal"), "{command}: {line}");
            let is_last = line.starts_with(last);
            answer.push(line);
            if is_last {
                return answer;
            }
        }
    }

    /// The answer to a command that may have none.
    fn tell(&mut self, command: &str) -> Vec<String> {
        let mut answer = self.ask(&format!("{command}\nisready"), "readyok");
        answer.pop();
        answer
    }

    /// The evaluation of the position in its parts, which have to add up.
    fn evaluation(&mut self) -> String {
        let line = self.ask("eval", "response").pop().unwrap();
        let words: Vec<&str> = line.split(' ').skip(1).collect();
        let values: Vec<i64> =
            words.iter().skip(1).step_by(2).map(|n| n.parse().unwrap()).collect();
        let (total, parts) = values.split_last().unwrap();
        let sum = parts.iter().sum::<i64>();
        assert_eq!(sum, *total, "{line}");
        line
    }

    /// Some moves of the engine against itself, which have to be legal.
    fn play(&mut self, what: &str) {
        for _ in 0..PLIES {
            let best = self.ask("go nodes 300", "bestmove").pop().unwrap();
            let best = best.strip_prefix("bestmove ").unwrap();
            let legal = self.ask(&format!("query legal {best}"), "response").pop().unwrap();
            assert_eq!(legal, "response true", "{what}: {best}");
            assert_eq!(self.tell(&format!("move {best}")), [""; 0], "{what}: {best}");
            self.evaluation();
        }
    }
}

/// The head, with the empty line after it, and the weights.
fn parts(file: &[u8]) -> (String, Vec<u8>) {
    let end = file.windows(2).position(|two| two == b"\n\n").unwrap() + 2;
    (String::from_utf8(file[..end].to_vec()).unwrap(), file[end..].to_vec())
}

/// A file with these weights and the checksum that they need.
fn sealed(head: &str, body: &[u8]) -> Vec<u8> {
    let checksum = format!("checksum {:08x}", crc32fast::hash(body));
    let seal =
        |line: &str| if line.starts_with("checksum ") { checksum.clone() } else { line.to_owned() };
    let lines: Vec<String> = head.trim_end().lines().map(seal).collect();
    [format!("{}\n\n", lines.join("\n")).as_bytes(), body].concat()
}

/// A mutation of a file: of its bytes, of its head, or of its weights under a right checksum.
fn mutated(rng: &mut ChaCha8Rng, file: &[u8]) -> Vec<u8> {
    let (head, mut body) = parts(file);
    match below(rng, 12) {
        0..5 => return damaged(rng, file, head.len()),
        5..8 => return in_head(rng, &head, &body),
        8 => body = parts(SHIPPED[below(rng, SHIPPED.len())].1).1,
        // From here on the file is accepted: its weights are only strange.
        9 => body.iter_mut().for_each(|byte| *byte = rng.next_u64() as u8),
        10 => body.as_chunks_mut::<2>().0.fill([i16::MIN, i16::MAX][below(rng, 2)].to_le_bytes()),
        _ => {
            for _ in 0..=below(rng, 1000) {
                let at = below(rng, body.len());
                body[at] = rng.next_u64() as u8;
            }
        }
    }
    sealed(&head, &body)
}

/// Bits flipped, a byte of the head replaced, the file cut, lengthened or rotated.
fn damaged(rng: &mut ChaCha8Rng, file: &[u8], head_bytes: usize) -> Vec<u8> {
    let mut file = file.to_vec();
    match below(rng, 5) {
        0 => {
            for _ in 0..=below(rng, 8) {
                let at = below(rng, file.len());
                file[at] ^= 1 << below(rng, 8);
            }
        }
        1 => file[below(rng, head_bytes)] = rng.next_u64() as u8,
        2 => file.truncate(below(rng, file.len())),
        3 => file.extend_from_within(below(rng, head_bytes)..),
        _ => {
            let at = below(rng, file.len());
            file.rotate_left(at);
        }
    }
    file
}

/// Lines swapped, doubled, dropped, or with another number, name or odd characters in them.
fn in_head(rng: &mut ChaCha8Rng, head: &str, body: &[u8]) -> Vec<u8> {
    let mut lines: Vec<String> = head.trim_end().lines().map(str::to_owned).collect();
    let (at, other) = (below(rng, lines.len()), below(rng, lines.len()));
    match below(rng, 5) {
        0 => lines.swap(at, other),
        1 => lines.insert(at, lines[other].clone()),
        2 => drop(lines.remove(at)),
        3 => {
            let odd = [
                "",
                "99999999999999999999",
                "-1",
                "0",
                "NaN",
                "1e999",
                "chess",
                "\u{1b}[2J",
                "\u{0}",
                "sapos",
            ];
            let mut words: Vec<&str> = lines[at].split(' ').collect();
            let word = below(rng, words.len());
            words[word] = odd[below(rng, odd.len())];
            lines[at] = words.join(" ");
        }
        _ => lines[at] = lines[at].repeat(1 + below(rng, 2000)),
    }
    [format!("{}\n\n", lines.join("\n")).as_bytes(), body].concat()
}

fn survives(files: usize, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut program = Program::start();
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("mutated {seed}.weights"));
    let set = format!("setoption name EvalFile value {}", path.display());
    let mut refused = 0;
    for number in 0..files {
        let what = format!("file {number} of seed {seed}");
        let (game, shipped) = SHIPPED[number % SHIPPED.len()];
        fs::write(&path, mutated(&mut rng, shipped)).unwrap();
        assert_eq!(program.tell("setoption name EvalFile value <empty>"), [""; 0]);
        assert_eq!(program.tell(&format!("setoption name Game value {game}")), [""; 0]);
        program.play(&what);
        let before = program.evaluation();
        let answer = program.tell(&set);
        match &answer[..] {
            [] => {}
            [error] => {
                let is_shown = !error.contains(char::is_control) && error.len() < 2000;
                assert!(is_shown && error.starts_with("error bad-argument : "), "{what}: {error}");
                assert_eq!(
                    program.evaluation(),
                    before,
                    "{what}: a refused file has changed something"
                );
                refused += 1;
            }
            more => panic!("{what}: {more:?}"),
        }
        program.tell("position startpos");
        program.play(&what);
    }
    let peak = peak_memory_kib(program.child.id());
    assert!(peak.is_none_or(|peak| peak < MEMORY_KIB), "{peak:?} KiB");
    assert!(refused > files / 4 && refused < files, "{refused} of {files} are refused");
    writeln!(program.stdin, "quit").unwrap();
    assert!(program.child.wait().unwrap().success());
}

#[test]
fn sixty_mutated_files_are_refused_or_play() {
    survives(60, 1);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn six_hundred_mutated_files_are_refused_or_play() {
    survives(600, 2);
}
