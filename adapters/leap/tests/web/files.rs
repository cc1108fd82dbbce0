//! Files that a page has read: `POST /games`.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use super::{Server, is_held};

const RECORD: &[u8] = b"[Game \"a\"]\n\n*\n";
/// A file of 4 MiB whose answer is several times as long.
static LONG: LazyLock<String> = LazyLock::new(|| "[Game \"a\"]\n\nb *\n\n".repeat((4 << 20) / 20));

impl Server {
    /// Begins to send a file of this many bytes as a page from `origin` does.
    fn begin_file(&self, origin: &str, bytes: usize) -> TcpStream {
        let mut stream = self.connect();
        let head = format!(
            "POST /games HTTP/1.1\r\nHost: {}\r\nOrigin: {origin}\r\nConnection: close\r\nContent-Length: {bytes}\r\n\r\n",
            self.own,
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream
    }

    /// Sends a file as a page from `origin` does; returns the status and the body of the response.
    fn send_file(&self, origin: &str, bytes: &[u8]) -> (u16, String) {
        let mut stream = self.begin_file(origin, bytes.len());
        // The server may have answered before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head[9..12].parse().unwrap(), body.to_owned())
    }

    /// The origin of the server's own page.
    fn origin(&self) -> String {
        format!("http://{}", self.own)
    }

    /// Sends a file as the server's own page does; returns the status and the answer.
    fn read_file(&self, bytes: &[u8]) -> (u16, Value) {
        let (status, body) = self.send_file(&self.origin(), bytes);
        (status, serde_json::from_str(&body).unwrap_or_else(|error| panic!("{body}: {error}")))
    }
}

#[test]
fn the_games_of_a_file_are_answered_with_all_that_is_known_of_them() {
    let server = Server::start(&[]);
    let record = b"[Game \"eximo\"]\n[Option \"MaxPlies=9\"]\n\n1. c3c4 {cp 3 depth 2} p1win\n\n[Game \"sapos\"]\n\n*\n";
    let tags = json!([["Game", "eximo"], ["Option", "MaxPlies=9"]]);
    let plies = json!([{"move": "c3c4", "score": {"cp": 3}, "depth": 2}]);
    let details = json!({"tags": tags, "plies": plies, "result": "p1win"});
    let first = json!({"line": 1, "id": "eximo", "start": null, "moves": ["c3c4"], "ply": 1, "startLine": null, "moveLines": [4],
        "options": [["MaxPlies", "9"]], "record": details});
    let (status, games) = server.read_file(record);
    assert_eq!((status, &games["games"][0]), (200, &first));
    assert_eq!(games["games"][1]["record"]["result"], "*");
    let transcript = b"ugt 1\ngame eximo\n> position startpos moves c3c4 c7c5\n> undo\n";
    let (_, games) = server.read_file(transcript);
    let game = json!({"line": 3, "id": "eximo", "start": null, "moves": ["c3c4", "c7c5"], "ply": 1, "startLine": null, "moveLines": [3, 3],
        "options": [], "record": null});
    assert_eq!(games, json!({ "games": [game] }));
}

#[test]
fn a_file_without_games_is_refused_with_its_line() {
    let server = Server::start(&[]);
    for (bytes, status, line, text) in [
        (
            &b"[Game \"a\"]\n[Site]\n"[..],
            422,
            json!(2),
            "expected [Name \"value\"], found '[Site]'",
        ),
        (b"ugt 1\nhello\n", 422, json!(2), "column 1: expected "),
        (b" \n", 422, json!(null), "expected a game record or a transcript, found an empty file"),
        (&vec![0xf8; 4 << 20], 422, json!(1), "expected a text in UTF-8"),
        (b"\x1f\x8b\x08\0", 422, json!(null), "expected a text, found a packed file (gz)"),
        (&vec![b'b'; 5 << 20], 413, json!(null), "expected a file of at most 4 MiB"),
        (
            format!("[Game \"a\"]\n\n{} *\n", "b ".repeat(10_001)).as_bytes(),
            422,
            json!(1),
            "expected a game of at most 10000 moves",
        ),
    ] {
        let (found, refusal) = server.read_file(bytes);
        assert!(refusal["kind"].is_string(), "{refusal}");
        assert_eq!((found, &refusal["line"]), (status, &line), "{refusal}");
        assert!(refusal["text"].as_str().unwrap().starts_with(text), "{refusal}");
    }
    server.assert_well();
}

#[test]
fn files_of_other_sites_are_not_read() {
    let server = Server::start(&[]);
    for origin in ["http://evil.example", "null"] {
        assert_eq!(server.send_file(origin, RECORD).0, 403, "{origin}");
    }
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn files_are_read_a_few_at_a_time_so_that_they_fill_no_memory() {
    let server = Server::start(&[]);
    let worst = "b ".repeat(2 << 20);
    std::thread::scope(|scope| {
        for bytes in [worst.as_bytes(), LONG.as_bytes()].into_iter().cycle().take(12) {
            scope.spawn(|| server.send_file(&server.origin(), bytes));
        }
    });
    server.assert_well();
    server.assert_memory(3 * super::MEMORY_MIB);
}

#[test]
fn uploads_that_stall_hold_no_other_one() {
    let server = Server::start(&[]);
    let stalled: Vec<TcpStream> =
        (0..100).map(|_| server.begin_file(&server.origin(), 1 << 20)).collect();
    let is_answered = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // With a byte now and then, the server does not give up immediately.
        scope.spawn(|| {
            while !is_answered.load(Ordering::Relaxed) {
                for mut stream in &stalled {
                    let _ = stream.write_all(b" ");
                }
                std::thread::sleep(Duration::from_millis(200));
            }
        });
        let answer = server.read_file(RECORD);
        let held = stalled.iter().filter(|stream| is_held(stream)).count();
        is_answered.store(true, Ordering::Relaxed);
        assert_eq!((answer.0, held), (200, stalled.len()));
    });
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn an_upload_that_stops_is_refused() {
    let server = Server::start(&[]);
    let mut stream = server.begin_file(&server.origin(), 100);
    stream.write_all(b"[Game ").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    assert!(answer.contains("the file did not arrive in time"), "{answer}");
}

#[test]
fn an_answer_that_nobody_reads_holds_no_other_file() {
    assert_eq!(unread_answers(1), ["200"]);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn answers_that_nobody_reads_hold_no_other_file_and_fill_no_memory() {
    let statuses = unread_answers(6);
    assert!(statuses.contains(&"200".to_owned()), "{statuses:?}");
    assert!(statuses.iter().all(|status| status == "200" || status == "503"), "{statuses:?}");
}

/// The statuses of this many long files whose answers are not read, while another file is.
fn unread_answers(count: usize) -> Vec<String> {
    let server = Server::start(&[]);
    let unread: Vec<TcpStream> = (0..count)
        .map(|_| {
            let mut stream = server.begin_file(&server.origin(), LONG.len());
            stream.write_all(LONG.as_bytes()).unwrap();
            stream
        })
        .collect();
    let statuses = unread.iter().map(|mut stream| {
        let mut head = [0; 12];
        stream.read_exact(&mut head).unwrap();
        String::from_utf8(head[9..].to_vec()).unwrap()
    });
    let statuses = statuses.collect();
    assert_eq!(server.read_file(RECORD).0, 200);
    server.assert_memory(3 * super::MEMORY_MIB);
    statuses
}
