//! Nobody waits for the engine of somebody else: the page is served immediately whatever happens to engines and games.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use leap_testing::PATIENCE;
use nix::sys::signal::{Signal, kill};
use serde_json::{Value, json};

use super::{Page, Server};
use crate::support::{MOCK, Workplace};
use crate::web::{receive, send_text};

/// How many pages have engines.
const TABS: usize = 50;
/// Invitations: more than the games that a server keeps.
const GAMES: usize = 80;
/// A wait that a person does not notice. The test tells how many requests took longer.
const UNNOTICED: Duration = Duration::from_millis(50);
/// The bound on a busy machine. A wait for an engine or for its last words takes longer.
const LONGEST: Duration = Duration::from_millis(400);

/// How long a request for the page takes, with its connection.
fn request(address: &str) -> Duration {
    let begun = Instant::now();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let head = format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    assert!(page.starts_with("HTTP/1.1 200 "), "{page:.80}");
    begun.elapsed()
}

/// A page that starts engines one after the other. Each is told to end, dies with its page, or is killed by others.
fn use_engines(server: &Server, tab: usize, is_over: &AtomicBool) {
    for round in tab.. {
        let mut page = Page::open(&server.own, "/engine").0;
        send_text(&mut page, "isready");
        if receive(&mut page).0 == 1 && round % 3 == 0 {
            send_text(&mut page, "quit");
        }
        if round % 3 < 2 {
            // Until the engine has ended.
            while !is_over.load(Ordering::Relaxed) && receive(&mut page).0 == 1 {}
        }
        if is_over.load(Ordering::Relaxed) {
            return;
        }
    }
}

/// Plays games that are over at once, until the server has given up games of the beginning.
fn fill_rooms(server: &Server) {
    let secret = |link: &Value| link.as_str().unwrap().rsplit('=').next().unwrap().to_owned();
    for _ in 0..GAMES {
        let mut host = server.host();
        host.say(json!({ "do": "invite", "game": "race", "side": "p1" }));
        let invited = host.next();
        assert_eq!(invited["say"], "invited", "{invited}");
        let _own = server.enter(invited["own"].as_str().unwrap());
        let mut guest = server.enter(&secret(&invited["guest"]["link"]));
        guest.does(json!({ "do": "resign", "sure": true }));
    }
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn fifty_tabs_are_served_while_engines_die_and_are_killed_and_games_are_given_up() {
    let place = Workplace::new();
    // A process that outlives each engine keeps its standard error open: the last words are waited for.
    let engine = format!("setsid sleep 2 & exec {MOCK}");
    let most = (TABS + 10).to_string();
    let server = Server::with(&place, &["--engines", &most], &["sh", "-c", &engine]);
    let is_over = AtomicBool::new(false);
    let mut waits = Vec::new();
    thread::scope(|scope| {
        for tab in 0..TABS {
            let (server, is_over) = (&server, &is_over);
            scope.spawn(move || use_engines(server, tab, is_over));
        }
        let rooms = scope.spawn(|| fill_rooms(&server));
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                for engine in server.engines().into_iter().step_by(7) {
                    // It may have ended just now.
                    let _ = kill(engine, Signal::SIGKILL);
                }
                thread::sleep(Duration::from_millis(50));
            }
        });
        while !rooms.is_finished() {
            waits.push(request(&server.own));
            thread::sleep(Duration::from_millis(2));
        }
        is_over.store(true, Ordering::Relaxed);
    });
    waits.sort_unstable();
    let at = |percent: usize| waits[(waits.len() - 1) * percent / 100];
    let noticed = waits.iter().filter(|wait| **wait > UNNOTICED).count();
    println!(
        "{} requests: median {:?}, 99 % within {:?}, the longest {:?}; {noticed} longer than {UNNOTICED:?}",
        waits.len(),
        at(50),
        at(99),
        at(100)
    );
    assert!(at(100) < LONGEST, "{:?}", at(100));
}
