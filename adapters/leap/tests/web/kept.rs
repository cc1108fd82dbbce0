//! Sessions whose pages come back after a cut.

use std::time::{Duration, Instant};

use super::{MEMORY_MIB, Page, Server};
use crate::support::{MOCK, at_once};

/// A search with news before and after a pause.
const SEARCH: &str = "go=info depth 1 multipv 1 pv a1a2;!sleep 500;info depth 2 multipv 1 pv a1a2;\
                      info depth 3 multipv 1 pv a1a2;bestmove a1a2";
/// The close code of a session that is not there.
const GONE: u16 = 4004;

/// The code with which a page is closed before anything else comes.
fn closed(mut page: Page) -> u16 {
    let (opcode, payload) = page.receive();
    assert_eq!(opcode, 8, "{}", String::from_utf8_lossy(&payload));
    u16::from_be_bytes([payload[0], payload[1]])
}

/// Asks for a token.
fn keep(page: &mut Page) -> String {
    page.send("keep");
    let answer = page.text();
    let words: Vec<&str> = answer.split(' ').collect();
    assert!(matches!(words[..], ["session", token, _] if token.len() == 32), "{answer}");
    words[1].to_owned()
}

/// A page with a session that is kept, and its token.
fn kept_page(server: &Server) -> (Page, String) {
    let mut page = server.page();
    let token = keep(&mut page);
    (page, token)
}

/// Sends this first line as a page that comes back.
fn come(server: &Server, line: &str) -> Page {
    let mut page = Page::open(&server.own, "/session");
    page.send(line);
    page
}

fn come_back(server: &Server, token: &str, got: u64) -> Page {
    come(server, &format!("resume {token} {got}"))
}

#[test]
fn a_search_goes_on_while_its_page_is_cut_off_and_its_move_arrives() {
    let server = Server::with_engine(&[], &[MOCK, "puppet", SEARCH]);
    // The page comes back in the midst of the search, and after it.
    for (pause_ms, resumed) in [(0, "resumed 1 1"), (1000, "resumed 2 1")] {
        let (mut page, token) = kept_page(&server);
        page.send("go");
        assert_eq!(page.text(), "info depth 1 multipv 1 pv a1a2");
        drop(page);
        std::thread::sleep(Duration::from_millis(pause_ms));
        let mut page = come_back(&server, &token, 1);
        assert_eq!(page.text(), resumed);
        let lines: Vec<String> =
            (0..3).map(|_| page.text()).take_while(|line| line != "bestmove a1a2").collect();
        let all = ["info depth 2 multipv 1 pv a1a2", "info depth 3 multipv 1 pv a1a2"];
        // Of the news that a page has missed it gets the newest.
        let expected = if pause_ms == 0 { &all[..] } else { &all[1..] };
        assert_eq!(lines, expected);
        assert_eq!(page.ask("query fen"), ["response start"]);
        assert_eq!(server.engines().len(), 1);
        page.frame(8, &[]).unwrap();
        server.wait_for_engines(0);
    }
}

#[test]
fn a_page_that_is_cut_off_again_and_again_gets_each_answer_once() {
    let server = Server::with_engine(&[], &[MOCK, "puppet", "isready=readyok", "=heard %s"]);
    let (mut page, token) = kept_page(&server);
    let mut answers = Vec::new();
    for number in 0..20 {
        // The page has read what it wants to know, and is cut off before the rest arrives.
        for part in ["a", "b"] {
            page.send(&format!("{part}{number}"));
        }
        answers.push(page.text());
        drop(page);
        page = come_back(&server, &token, answers.len() as u64);
        let resumed = page.text();
        let words: Vec<u64> =
            resumed.split(' ').skip(1).map(|word| word.parse().unwrap()).collect();
        assert_eq!(words[0], answers.len() as u64, "{resumed}");
        // The server says how many lines have reached the engine. The page sends the others again.
        for line in (words[1]..2 * (number + 1)).map(|at| ["a", "b"][at as usize % 2]) {
            page.send(&format!("{line}{number}"));
        }
        answers.push(page.text());
    }
    let sent = (0..20).flat_map(|number| ["a", "b"].map(|part| format!("heard {part}{number}")));
    assert_eq!(answers, sent.collect::<Vec<_>>());
}

#[test]
fn a_wrong_token_opens_nothing() {
    let server = Server::start(&[]);
    let (page, token) = kept_page(&server);
    drop(page);
    let other = format!("{}{}", &token[1..], if token.starts_with('0') { 1 } else { 0 });
    for line in [
        format!("resume {other} 0"),
        format!("resume {} 0", "0".repeat(32)),
        format!("resume {} 0", &token[1..]),
        format!("resume {token}"),
        format!("resume {token} -1"),
        format!("resume {token} 0 0"),
        token.clone(),
        "isready".to_owned(),
        String::new(),
    ] {
        assert_eq!(closed(come(&server, &line)), GONE, "{line}");
    }
    for origin in ["http://evil.example", "null"] {
        let (head, _) = Page::request(&server.own, "/session", &server.own, origin);
        assert!(head.starts_with("HTTP/1.1 403 "), "{head}");
    }
    assert_eq!(server.engines().len(), 1);
    // The token opens the session all the same, but only to a page that can have been there.
    let mut page = come_back(&server, &token, 0);
    assert_eq!(page.text(), "resumed 0 0");
    drop(page);
    assert_eq!(closed(come_back(&server, &token, 7)), GONE);
    server.wait_for_engines(0);
}

#[test]
fn a_session_without_its_page_ends_after_some_time() {
    let server = Server::start(&["--keep", "1"]);
    let (page, token) = kept_page(&server);
    let begun = Instant::now();
    drop(page);
    server.wait_for_engines(0);
    assert!(begun.elapsed() >= Duration::from_secs(1), "{:?}", begun.elapsed());
    assert_eq!(closed(come_back(&server, &token, 0)), GONE);
}

#[test]
fn a_page_that_leaves_or_asks_for_no_token_leaves_no_engine() {
    let server = Server::start(&[]);
    let (mut page, token) = kept_page(&server);
    page.frame(8, &1001_u16.to_be_bytes()).unwrap();
    server.wait_for_engines(0);
    assert_eq!(closed(come_back(&server, &token, 0)), GONE);
    drop(server.page());
    server.wait_for_engines(0);
    // A server that keeps no sessions lets the engine answer.
    let server = Server::with_engine(&["--keep", "0"], &[MOCK, "puppet", "=heard %s"]);
    let mut page = server.page();
    page.send("keep");
    assert_eq!(page.text(), "heard keep");
    drop(page);
    server.wait_for_engines(0);
}

#[test]
fn sessions_without_their_pages_count_as_engines_and_make_room_for_others() {
    let server = Server::start(&["--engines", "2"]);
    let tokens = [(); 2].map(|()| {
        let (page, token) = kept_page(&server);
        drop(page);
        // The server notes the cut before it answers this.
        server.assert_serves();
        std::thread::sleep(Duration::from_millis(50));
        token
    });
    assert_eq!(server.engines().len(), 2);
    // The one that waits the longest makes room.
    let mut third = server.page();
    assert_eq!(third.ask("isready"), [""; 0]);
    assert_eq!(third.text(), "readyok");
    assert_eq!(server.engines().len(), 2);
    assert_eq!(closed(come_back(&server, &tokens[0], 0)), GONE);
    let mut second = come_back(&server, &tokens[1], 0);
    assert_eq!(second.text(), "resumed 0 0");
    // Now both are in use.
    let (head, _) = server.socket(&format!("http://{}", server.own));
    assert!(head.starts_with("HTTP/1.1 503 "), "{head}");
}

#[test]
fn a_page_comes_back_before_the_server_knows_of_the_cut() {
    let server = Server::start(&[]);
    let (mut broken, token) = kept_page(&server);
    let mut page = come_back(&server, &token, 0);
    assert_eq!(page.text(), "resumed 0 0");
    assert_eq!(broken.receive().0, 8);
    assert_eq!(page.ask("isready"), [""; 0]);
    assert_eq!(server.engines().len(), 1);
}

#[test]
fn an_engine_that_ends_meanwhile_ends_its_session() {
    let server = Server::with_engine(&[], &[MOCK, "puppet", "go=!sleep 300;!exit 3"]);
    let (mut page, token) = kept_page(&server);
    page.send("go");
    drop(page);
    server.wait_for_engines(0);
    assert_eq!(closed(come_back(&server, &token, 0)), GONE);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn an_engine_that_floods_while_its_page_is_cut_off_takes_no_memory() {
    let line = "x".repeat(100_000);
    let floods = ["info depth 1 multipv 1 pv a1a2", &format!("info string {line}"), &line];
    at_once(&floods, |flood| {
        let server = Server::with_engine(
            &["--keep", "60"],
            &[MOCK, "puppet", &format!("go=!flood 1 {flood}")],
        );
        let (mut page, token) = kept_page(&server);
        page.send("go");
        drop(page);
        std::thread::sleep(Duration::from_millis(500));
        server.assert_serves();
        let mut page = come_back(&server, &token, 0);
        let (opcode, payload) = page.receive();
        // Of lines that are no news, the page may lack more than the server keeps.
        let is_gone = opcode == 8 && !flood.starts_with("info ");
        assert!(is_gone || payload.starts_with(b"resumed "), "{opcode}");
        // A page that leaves needs no time for coming back. It reads on: a connection that ends with unread lines is
        // reset, and then the server may see no more than a cut.
        if opcode != 8 {
            page.frame(8, &1001_u16.to_be_bytes()).unwrap();
            page.ends();
        }
        drop(page);
        server.wait_for_engines(0);
        server.assert_memory(MEMORY_MIB);
    });
}

#[test]
fn a_page_that_lacks_nothing_can_always_come_back_and_one_that_lacks_too_much_cannot() {
    let server = Server::with_engine(&[], &[MOCK, "puppet", "isready=readyok", "=heard %s"]);
    let (mut page, token) = kept_page(&server);
    let mut got = 0;
    // The server keeps fewer lines than this.
    for _ in 0..300 {
        got += page.ask("a line").len() as u64 + 1;
    }
    drop(page);
    let mut page = come_back(&server, &token, got);
    assert_eq!(page.text(), format!("resumed {got} {}", 2 * 300));
    drop(page);
    // Who claims to lack what is not there any more cannot go on.
    assert_eq!(closed(come_back(&server, &token, 0)), GONE);
    let (page, token) = kept_page(&server);
    drop(page);
    let mut page = come_back(&server, &token, 0);
    page.send("isready");
    assert_eq!([page.text(), page.text()], ["resumed 0 0", "readyok"]);
}
