//! The bridge of `leap web` with hostile clients: everything is refused or survived, and nothing is left behind.

mod files;
mod guests;
mod kept;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use leap_testing::{PATIENCE, Running, engines_of, wait_until};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support::{LEAP, MOCK, at_once, peak_memory_mib, sample};

/// `leap web`.
struct Server {
    child: Running,
    /// Where the person at this machine is served.
    own: String,
    /// Where guests are served; empty without `--listen`.
    guests: String,
}

impl Server {
    /// With the mock engine.
    fn start(options: &[&str]) -> Server {
        Server::with_engine(options, &[MOCK])
    }

    fn with_engine(options: &[&str], engine: &[&str]) -> Server {
        let mut command = Command::new(LEAP);
        command.args(["web", "--port", "0", "--no-open"]).args(options).arg("--").args(engine);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut address = || {
            let line = lines.next().unwrap().unwrap();
            let url = line.trim_start_matches("guests: ").trim_start_matches("http://");
            url.trim_end_matches('/').to_owned()
        };
        let own = address();
        let guests = if options.contains(&"--listen") { address() } else { String::new() };
        Server { child: Running(child), own, guests }
    }

    fn connect(&self) -> TcpStream {
        connect(&self.own)
    }

    /// Requests a WebSocket with an engine as a page from `origin` does. Returns the head of the answer too.
    fn socket(&self, origin: &str) -> (String, Page) {
        Page::request(&self.own, "/engine", &self.own, origin)
    }

    /// A WebSocket of the server's own page.
    fn page(&self) -> Page {
        Page::open(&self.own, "/engine")
    }

    /// The ids of the engines that the server has started and not reaped.
    fn engines(&self) -> Vec<String> {
        engines_of(self.child.0.id())
    }

    fn wait_for_engines(&self, count: usize) {
        wait_until(|| match self.engines() {
            engines if engines.len() == count => Ok(()),
            engines => Err(format!("expected {count} engines, found {engines:?}")),
        });
    }

    fn assert_memory(&self, most_mib: u64) {
        let memory = peak_memory_mib(&self.child.0);
        assert!(memory < most_mib, "{memory} MiB");
    }

    /// The head of the answer to a request for the page.
    fn head(&self, host: &str) -> String {
        request(&self.own, &format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
            .0
    }

    fn assert_serves(&self) {
        let head = self.head(&self.own);
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    }

    /// Checks that the page and an engine are still served.
    fn assert_well(&self) {
        self.assert_serves();
        assert_eq!(self.page().ask("isready"), [""; 0]);
    }

    /// Ends the server in order.
    fn ended_by(mut self, signal: Signal) {
        kill(Pid::from_raw(self.child.0.id().cast_signed()), signal).unwrap();
        assert!(self.child.0.wait().unwrap().success(), "{signal}");
    }
}

fn connect(address: &str) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Sends a request; returns the status line and the headers of the response.
fn request(address: &str, text: &str) -> (String, TcpStream) {
    let mut stream = connect(address);
    stream.write_all(text.as_bytes()).unwrap();
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|n| n == 1) {
        head.push(byte[0]);
    }
    (String::from_utf8(head).unwrap(), stream)
}

/// A WebSocket of a page.
struct Page(TcpStream);

impl Page {
    /// Connects as the server's own page does.
    fn open(address: &str, path: &str) -> Page {
        let (head, page) = Page::request(address, path, address, &format!("http://{address}"));
        assert!(head.starts_with("HTTP/1.1 101 "), "{head}");
        page
    }

    /// Requests a WebSocket under a host name, as a page from `origin` does.
    fn request(address: &str, path: &str, host: &str, origin: &str) -> (String, Page) {
        let text = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nConnection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        );
        let (head, stream) = request(address, &text);
        (head, Page(stream))
    }

    /// Sends a masked frame, as clients do.
    fn frame(&mut self, opcode: u8, payload: &[u8]) -> std::io::Result<()> {
        let mut frame = vec![0x80 | opcode];
        match payload.len() {
            len @ 0..126 => frame.push(0x80 | len as u8),
            len @ 126..0x1_0000 => {
                frame.push(0x80 | 126);
                frame.extend((len as u16).to_be_bytes());
            }
            len => {
                frame.push(0x80 | 127);
                frame.extend((len as u64).to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(payload);
        self.0.write_all(&frame)
    }

    fn send(&mut self, line: &str) {
        self.frame(1, line.as_bytes()).unwrap();
    }

    /// The next frame that is not a ping: its opcode and payload. An empty opcode 8 if the stream has ended.
    fn receive(&mut self) -> (u8, Vec<u8>) {
        loop {
            let mut head = [0; 2];
            if self.0.read_exact(&mut head).is_err() {
                return (8, Vec::new());
            }
            // A length that does not fit stands in the bytes that follow.
            let mut len = [0, 0, 0, 0, 0, 0, 0, head[1] & 0x7f];
            let width = match len[7] {
                126 => 2,
                127 => 8,
                _ => 0,
            };
            self.0.read_exact(&mut len[8 - width..]).unwrap();
            let mut payload = vec![0; usize::try_from(u64::from_be_bytes(len)).unwrap()];
            self.0.read_exact(&mut payload).unwrap();
            if head[0] & 0x0f != 9 {
                return (head[0] & 0x0f, payload);
            }
        }
    }

    /// The next text.
    fn text(&mut self) -> String {
        let (opcode, payload) = self.receive();
        assert_eq!(opcode, 1, "{}", String::from_utf8_lossy(&payload));
        String::from_utf8(payload).unwrap()
    }

    /// The code and the reason with which the server closes the connection.
    fn closed(&mut self) -> (u16, String) {
        loop {
            let (opcode, payload) = self.receive();
            if opcode == 8 {
                assert!(payload.len() >= 2, "the connection broke");
                let code = u16::from_be_bytes([payload[0], payload[1]]);
                return (code, String::from_utf8(payload[2..].to_vec()).unwrap());
            }
        }
    }

    /// Waits until the connection is closed, in whatever way.
    fn ends(&mut self) {
        while self.receive().0 != 8 {}
    }

    /// Sends a line and an `isready`; returns everything before its `readyok`.
    fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.send("isready");
        let lines = std::iter::from_fn(|| Some(self.text()));
        lines.take_while(|line| line != "readyok").collect()
    }
}

#[test]
fn pages_of_other_sites_get_no_engine() {
    let server = Server::start(&[]);
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "file://"] {
        let (head, _) = server.socket(origin);
        assert!(head.starts_with("HTTP/1.1 403 "), "{origin}: {head}");
    }
    let head = server.head("evil.example");
    assert!(head.starts_with("HTTP/1.1 421 "), "{head}");
    assert_eq!(server.engines(), [""; 0]);
    server.assert_well();
}

#[test]
fn the_page_may_load_nothing_from_elsewhere() {
    let server = Server::start(&[]);
    let head = server.head(&server.own);
    assert!(
        head.contains("content-security-policy: default-src 'none'; script-src 'self'"),
        "{head}"
    );
}

#[test]
fn an_engine_ends_with_its_page() {
    let server = Server::start(&[]);
    let page = server.page();
    server.wait_for_engines(1);
    drop(page);
    server.wait_for_engines(0);
}

#[test]
fn engines_are_not_more_than_allowed_and_free_again_afterwards() {
    let server = Server::start(&["--engines", "3"]);
    let pages: Vec<Page> = (0..3).map(|_| server.page()).collect();
    for _ in 0..100 {
        let (head, _) = server.socket(&format!("http://{}", server.own));
        assert!(head.starts_with("HTTP/1.1 503 "), "{head}");
    }
    assert_eq!(server.engines().len(), 3);
    drop(pages);
    server.wait_for_engines(0);
    server.assert_well();
}

#[test]
fn huge_frames_and_what_is_no_line_end_the_session_alone() {
    let server = Server::start(&[]);
    let huge = vec![b'x'; 2 << 20];
    for (opcode, payload) in
        [(1, &huge[..]), (2, b"isready"), (1, b"isready\nquit"), (1, b"\xff\xfe")]
    {
        let mut page = server.page();
        // The server may have closed before everything is written.
        let _ = page.frame(opcode, payload);
        page.ends();
    }
    server.wait_for_engines(0);
    server.assert_well();
}

/// The memory that a page and its engine may make the server use: some lines of 1 MiB, and its own.
const MEMORY_MIB: u64 = 100;

/// Sends lines without reading answers until no more are accepted.
fn flood(page: &mut Page, line: &str) {
    page.0.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
    let lines = 400_000_000 / line.len();
    let is_held_back = (0..lines).any(|_| page.frame(1, line.as_bytes()).is_err());
    assert!(is_held_back, "400 MB were taken");
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn a_flood_that_reads_no_answers_is_held_back_and_harms_nobody() {
    at_once(&["x".repeat(1000), "setoption name Hash value 257".to_owned()], |line| {
        let server = Server::start(&[]);
        let mut page = server.page();
        flood(&mut page, line);
        server.assert_well();
        drop(page);
        server.wait_for_engines(0);
        server.assert_memory(MEMORY_MIB);
    });
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn an_engine_that_does_not_read_is_not_written_to_without_end() {
    let server = Server::with_engine(&[], &["sleep", "1000"]);
    let mut page = server.page();
    flood(&mut page, &"x".repeat(1 << 20));
    server.assert_serves();
    server.assert_memory(MEMORY_MIB);
    drop(page);
    server.wait_for_engines(0);
}

#[test]
fn an_engine_that_floods_a_page_that_does_not_read_is_held_back() {
    // Long lines, and one that never ends.
    let floods = ["yes $(head -c 100000 /dev/zero | tr '\\0' x)", "tr '\\0' x </dev/zero"];
    at_once(&sample(&floods), |engine| {
        let server = Server::with_engine(&[], &["sh", "-c", engine]);
        let page = server.page();
        std::thread::sleep(Duration::from_secs(1));
        server.assert_serves();
        server.assert_memory(MEMORY_MIB);
        drop(page);
        server.wait_for_engines(0);
    });
}

/// An engine that reports each line it reads.
fn echo(options: &[&str]) -> Server {
    Server::with_engine(options, &[MOCK, "puppet", "isready=readyok", "=heard %s"])
}

#[test]
fn options_are_bounded_whoever_sets_them() {
    let server = echo(&["--max-hash", "64", "--max-threads", "2", "--max-multipv", "8"]);
    let mut page = server.page();
    for (name, largest) in [("Hash", 64), ("Threads", 2), ("MultiPV", 8)] {
        let line = |value| format!("setoption name {name} value {value}");
        assert_eq!(page.ask(&line(largest)), [format!("heard {}", line(largest))]);
        let refused = format!(
            "error out-of-range : {name} expects a whole number of at most {largest} here, found a larger one"
        );
        assert_eq!(page.ask(&line(largest + 1)), [refused]);
    }
    // What other engines may parse from a line.
    for line in [
        "  setoption\tname  hASH\t value \t65536 ",
        "setoption name Hash value 99999999999999999999999",
        "setoption name Hash value +65536",
        "setoption name Hash VALUE 65536",
        "SETOPTION name Hash value 65536",
        "setoption id Hash value 65536",
        "setoption\u{b}name\u{b}Hash\u{b}value\u{b}65536",
        "setoption\u{a0}name\u{a0}Hash\u{a0}value\u{a0}65536",
        "setoption name Hash\u{2028}value\u{2028}65536",
    ] {
        let answers = page.ask(line);
        assert!(
            matches!(&answers[..], [one] if one.starts_with("error ")),
            "{line:?}: {answers:?}"
        );
    }
    assert_eq!(page.ask("setoption name Log"), ["heard setoption name Log"]);
}

#[test]
fn refusals_come_in_their_turn() {
    let server = echo(&[]);
    let mut page = server.page();
    for line in ["first", "setoption name Hash value 65536", "second"] {
        page.send(line);
    }
    let answers = [(); 3].map(|()| page.text());
    assert_eq!(answers[0], "heard first");
    assert!(answers[1].starts_with("error out-of-range : "), "{}", answers[1]);
    assert_eq!(answers[2], "heard second");
}

#[test]
fn the_page_is_shown_the_bounds() {
    let server = Server::start(&["--max-hash", "64", "--max-multipv", "1000"]);
    let mut page = server.page();
    let lines = page.ask("ugi");
    let line = |name: &str| lines.iter().find(|line| line.contains(name)).unwrap().as_str();
    assert_eq!(line("name Hash"), "option name Hash type spin default 16 min 1 max 64");
    assert_eq!(line("name MultiPV"), "option name MultiPV type spin default 1 min 1 max 8");
}

/// Whether a connection is open and nothing has come.
fn is_held(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let found = stream.peek(&mut [0]);
    stream.set_nonblocking(false).unwrap();
    found.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
}

#[test]
fn connections_that_stall_hold_no_other_one() {
    let server = Server::start(&[]);
    let stalled: Vec<TcpStream> = (0..200).map(|_| server.connect()).collect();
    for mut stream in &stalled {
        stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    }
    server.assert_well();
    // The oldest connections have made room for the page's.
    assert!(!is_held(&stalled[0]) && is_held(&stalled[100]) && is_held(&stalled[199]));
}

#[test]
fn a_page_that_gets_no_engine_can_ask_why() {
    let server = Server::start(&["--engines", "1"]);
    let status = || {
        let mut stream = server.connect();
        let head = format!("POST /engine HTTP/1.1\r\nHost: {}\r\n", server.own);
        stream.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer[9..12].to_owned()
    };
    assert_eq!(status(), "204");
    let _page = server.page();
    assert_eq!(status(), "503");
    assert_eq!(server.engines().len(), 1);
}

#[test]
fn a_page_that_says_nothing_for_long_is_closed_with_its_engine() {
    let server = Server::start(&["--idle", "0"]);
    let mut page = server.page();
    assert_eq!(page.closed().1, "nothing was said for a long time");
    server.wait_for_engines(0);
}

#[test]
fn a_dead_engine_is_told_with_the_reason() {
    let server = Server::start(&[]);
    let mut page = server.page();
    page.send("quit");
    assert_eq!(page.closed().1, "the engine has ended");
    server.wait_for_engines(0);
}

#[test]
fn the_last_words_of_a_dead_engine_are_shown_in_the_terminal() {
    let mut server = Server::with_engine(&[], &[MOCK, "puppet", "ugi=!stderr no weights;!exit 3"]);
    let mut page = server.page();
    page.send("ugi");
    assert_eq!(page.receive().0, 8);
    let mut line = String::new();
    BufReader::new(server.child.0.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "leap: the engine has ended; its standard error: no weights\n");
}

#[test]
fn at_the_end_no_engine_is_left() {
    for signal in [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP, Signal::SIGQUIT] {
        // This engine does not read, so it would not notice the end of its input.
        let server = Server::with_engine(&[], &["sleep", "1000"]);
        let _pages: Vec<Page> = (0..4).map(|_| server.page()).collect();
        server.wait_for_engines(4);
        let engines = server.engines();
        server.ended_by(signal);
        for engine in engines {
            let is_there = std::path::Path::new("/proc").join(&engine).exists();
            assert!(!is_there, "{signal}: engine {engine} is left");
        }
    }
}

/// These wait for limits of the server, and need nothing of the processor.
mod waits {
    use super::*;

    #[test]
    #[ignore = "slow: run by .ci/run"]
    fn a_page_that_answers_no_pings_is_let_go_with_its_engine() {
        let server = Server::start(&[]);
        let _page = server.page();
        server.wait_for_engines(1);
        server.wait_for_engines(0);
    }

    #[test]
    #[ignore = "slow: run by .ci/run"]
    fn sockets_that_say_nothing_are_closed() {
        let server = Server::start(&[]);
        let mut half_open: Vec<TcpStream> = (0..100).map(|_| server.connect()).collect();
        half_open[0].write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
        server.assert_well();
        let mut rest = Vec::new();
        half_open[0].read_to_end(&mut rest).unwrap();
        server.assert_well();
    }
}
