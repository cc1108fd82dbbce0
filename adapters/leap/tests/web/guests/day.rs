//! Hostile guests who go on for a day.

#![allow(clippy::print_stdout, reason = "a measurement prints what it has found")]

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Invited, Page, RACE, Server};
use crate::support::{MOCK, Workplace, peak_memory_mib};

/// The memory that guests may make the server use, its own included.
const MEMORY_MIB: u64 = 100;

/// What one connection may send in a day: 20 messages a second.
const DAY: u64 = 24 * 60 * 60 * 20;
/// Lines that no guest may send.
const LINES: [&str; 12] = [
    "go infinite",
    "go depth 99",
    "stop",
    "quit",
    "perft 9",
    "query value",
    "setoption name Hash value 99999",
    "setoption name EvalFile value /etc/passwd",
    "SETOPTION\u{a0}name Hash value 2",
    "position fen \u{202e}/////////////////////////////////// x y z",
    "position startpos moves a1h8 zzzz",
    "frobnicate \u{1}\u{7f}",
];
/// Messages that change nothing.
const MESSAGES: [&str; 8] = [
    "",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    r#"{"do":"go"}"#,
    r#"{"do":"resign","sure":true}"#,
    r#"{"do":"move","move":"a1b1","ply":0}"#,
    r#"{"do":"host","re":-1}"#,
    r#"{"do":"agree","what":"takeback"}"#,
    r#"{"do":"invite","game":"race","side":"p1"}"#,
];

/// Sends a burst of lines about the rules and reads every answer, so that the server has handled every frame.
fn burst_of_lines(server: &Server, invited: &Invited) -> u64 {
    let mut page = server.ask_rules(&invited.spectators);
    for at in 0..580 {
        page.send(LINES[at % LINES.len()]);
    }
    page.ask("query fen");
    582
}

/// Sends a burst of messages and reads every answer.
fn burst_of_messages(server: &Server, invited: &Invited) -> u64 {
    let mut page = server.enter(&invited.spectators);
    for at in 0..56 {
        page.send(MESSAGES[at % MESSAGES.len()]);
        assert_eq!(page.answer()["say"], "refused");
    }
    57
}

/// Sends frames that end their connections.
fn broken_frames(server: &Server, huge: &[u8]) -> u64 {
    for (opcode, payload) in
        [(2, &b"x"[..]), (1, huge), (1, b"\xff\xfe"), (3, b"x"), (1, b"secret 0")]
    {
        for path in ["/meeting", "/engine"] {
            let mut page = Page::open(&server.guests, path);
            // The server may have closed before everything is written.
            let _ = page.frame(opcode, payload);
            if path == "/engine" || opcode != 1 || payload.len() < 4 {
                page.ends();
            }
        }
    }
    10
}

/// Writes as much as is taken, and reads nothing, until the connection is cut.
fn deaf_writer(server: &Server, invited: &Invited, is_over: &AtomicBool) -> u64 {
    let mut page = server.ask_rules(&invited.spectators);
    page.0.set_write_timeout(Some(Duration::from_secs(1))).unwrap();
    let mut sent = 0;
    while !is_over.load(Relaxed) && page.frame(1, b"ugi").is_ok() {
        sent += 1;
    }
    sent
}

/// Plays games with rematches until it is told to end. Returns the number of moves and the longest time of one.
fn games(mut players: [Page; 2], is_over: &AtomicBool) -> (u64, Duration) {
    let (mut moves, mut longest) = (0, Duration::ZERO);
    loop {
        for (ply, mv) in RACE.iter().enumerate() {
            let begun = Instant::now();
            players[ply % 2].moves(mv, ply);
            (moves, longest) = (moves + 1, longest.max(begun.elapsed()));
            // Their own allowance holds players back too.
            std::thread::sleep(Duration::from_millis(100));
        }
        if is_over.load(Relaxed) {
            return (moves, longest);
        }
        players[0].does(json!({ "do": "ask", "what": "rematch" }));
        players[1].does(json!({ "do": "agree", "what": "rematch" }));
        players.swap(0, 1);
    }
}

/// Run by hand.
mod by_hand {
    use super::*;

    #[test]
    #[ignore = "a measurement: cargo test -p leap-adapters --test leap a_day -- --ignored --nocapture"]
    fn a_day_of_hostile_frames_is_measured() {
        let place = Workplace::new();
        let log = place.path("log");
        let engine = format!("tee -a '{}' | {MOCK}", log.display());
        let server = Server::listening(&place, &[], &["sh", "-c", &engine]);
        let (host, guest, invited) = server.seated(Value::Null);
        let huge = vec![b'x'; 1 << 20];
        let (sent, deaf, is_over) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
        let begun = Instant::now();
        let (moves, longest) = std::thread::scope(|scope| {
            let playing = scope.spawn(|| games([host, guest], &is_over));
            let flooders: Vec<_> = (0..6)
                .map(|_| {
                    scope.spawn(|| {
                        while sent.load(Relaxed) < DAY {
                            let frames = burst_of_lines(&server, &invited)
                                + burst_of_messages(&server, &invited)
                                + broken_frames(&server, &huge);
                            sent.fetch_add(frames, Relaxed);
                        }
                    })
                })
                .collect();
            for _ in 0..4 {
                scope.spawn(|| {
                    while !is_over.load(Relaxed) {
                        deaf.fetch_add(deaf_writer(&server, &invited, &is_over), Relaxed);
                    }
                });
            }
            let flooded: Vec<_> = flooders.into_iter().map(|flooder| flooder.join()).collect();
            is_over.store(true, Relaxed);
            assert!(flooded.iter().all(Result::is_ok));
            playing.join().unwrap()
        });
        let memory = peak_memory_mib(&server.child.0);
        let told = std::fs::read_to_string(&log).unwrap();
        println!(
            "{} frames in {:?}; {} by clients that do not read; {moves} moves, the slowest in {longest:?}; \
             peak memory {memory} MiB; {} lines reached engines",
            sent.load(Relaxed),
            begun.elapsed(),
            deaf.load(Relaxed),
            told.lines().count()
        );
        for line in told.lines() {
            let word = line.split_whitespace().next().unwrap_or_default();
            // The server itself asks by `draw offer` whether the game knows draws.
            let known =
                ["ugi", "isready", "uginewgame", "position", "query", "move", "draw", "quit"];
            // The server keeps the tables of its own engine small.
            let is_rule = word == "setoption" && !line.contains("File");
            let is_rule =
                is_rule && (!line.contains("Hash") || line == "setoption name Hash value 1");
            assert!((known.contains(&word) || is_rule) && line != "query value", "{line}");
        }
        assert!(memory < MEMORY_MIB, "{memory} MiB");
    }
}
