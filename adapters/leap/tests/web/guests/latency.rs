//! Nobody waits for the engine of somebody else: the page is served immediately whatever happens to engines and games.

use std::io::Read as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use super::{Page, Server};
use crate::support::{MOCK, Workplace};
use crate::web::request;

/// How many pages have engines.
const TABS: usize = 50;
/// Invitations: more than the games that a server keeps.
const GAMES: usize = 70;
/// A wait that a person does not notice. The test tells how many requests took longer.
const UNNOTICED: Duration = Duration::from_millis(50);
/// The bound of nearly all requests on a busy machine. The last words of an engine that dies are waited for longer.
/// A server that waited for them would answer hardly any request in time.
const NEARLY_ALL: Duration = Duration::from_millis(400);
/// The bound of all: the reply timeout of an engine is longer.
const ALL: Duration = Duration::from_secs(5);

/// How long a request for the page takes, with its connection.
fn time_to_serve(server: &Server) -> Duration {
    let begun = Instant::now();
    let host = &server.own;
    let text = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    let (head, mut rest) = request(host, &text);
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    rest.read_to_end(&mut Vec::new()).unwrap();
    begun.elapsed()
}

/// A tab that starts engines one after the other. Each is told to end, dies with its page, or is killed by others.
fn use_engines(server: &Server, tab: usize, is_over: &AtomicBool) {
    let is_over = || is_over.load(Ordering::Relaxed);
    for round in tab.. {
        let mut page = server.page();
        page.send("isready");
        if page.receive().0 == 1 && round % 3 == 0 {
            page.send("quit");
        }
        // Until the engine has ended.
        while round % 3 < 2 && !is_over() && page.receive().0 == 1 {}
        if is_over() {
            return;
        }
    }
}

/// Invites. A referee that is killed twice in a row is told, and asked again.
fn invite(host: &mut Page) -> Value {
    loop {
        host.say(json!({ "do": "invite", "game": "race", "side": "p1" }));
        let said = host.next();
        if said["say"] == "invited" {
            return said;
        }
        assert_eq!(said["kind"], "no-referee", "{said}");
    }
}

/// Ends games as soon as they have begun, until the server has given up the first ones.
fn fill_rooms(server: &Server) {
    for _ in 0..GAMES {
        let invited = invite(&mut server.host());
        let link = invited["guest"]["link"].as_str().unwrap();
        let _own = server.enter(invited["own"].as_str().unwrap());
        let mut guest = server.enter(link.rsplit('=').next().unwrap());
        guest.does(json!({ "do": "resign", "sure": true }));
    }
}

#[allow(clippy::print_stdout, reason = "figures of a measurement")]
#[test]
#[ignore = "slow: run by .ci/run"]
fn fifty_tabs_are_served_while_engines_die_and_are_killed_and_games_are_given_up() {
    let place = Workplace::new();
    // A process that outlives each engine keeps its standard error open: the last words are waited for.
    let engine = format!("setsid sleep 2 & exec {MOCK}");
    let most = (TABS + 10).to_string();
    let server = Server::listening(&place, &["--engines", &most], &["sh", "-c", &engine]);
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
                    let _ = kill(Pid::from_raw(engine.parse().unwrap()), Signal::SIGKILL);
                }
                thread::sleep(Duration::from_millis(200));
            }
        });
        while !rooms.is_finished() {
            waits.push(time_to_serve(&server));
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
    assert!(at(99) < NEARLY_ALL && at(100) < ALL);
}
