//! Nobody waits for the engine of somebody else: the page is served immediately whatever happens to engines and games.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
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

/// Requests the page over a connection of its own; returns the bytes of the page.
fn get(host: &str) -> usize {
    let text = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    let (head, mut rest) = request(host, &text);
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    rest.read_to_end(&mut Vec::new()).unwrap()
}

fn time_to_get(host: &str) -> Duration {
    let begun = Instant::now();
    get(host);
    begun.elapsed()
}

/// A server that only hands out a text as long as the page. What its requests take is the machine's share of a wait.
/// Returns its address.
fn serve_nothing_else(page: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let answer = format!("HTTP/1.1 200 OK\r\n\r\n{}", " ".repeat(page));
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            while stream
                .by_ref()
                .lines()
                .next()
                .is_some_and(|line| line.is_ok_and(|line| !line.is_empty()))
            {}
            stream.get_mut().write_all(answer.as_bytes()).unwrap();
        }
    });
    address
}

/// Tells how long requests took. Returns the bound of 99 of 100, and of all.
#[allow(clippy::print_stdout, reason = "figures of a measurement")]
fn tell(name: &str, waits: &mut [Duration]) -> (Duration, Duration) {
    waits.sort_unstable();
    let at = |permille: usize| waits[(waits.len() - 1) * permille / 1000];
    let noticed = waits.iter().filter(|wait| **wait > UNNOTICED).count();
    println!(
        "{name}: {} requests, median {:?}, 90 % within {:?}, 99 % {:?}, 99.9 % {:?}, the longest {:?}; \
         {noticed} longer than {UNNOTICED:?}",
        waits.len(),
        at(500),
        at(900),
        at(990),
        at(999),
        at(1000)
    );
    (at(990), at(1000))
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

#[test]
#[ignore = "slow: run by .ci/run"]
fn fifty_tabs_are_served_while_engines_die_and_are_killed_and_games_are_given_up() {
    let place = Workplace::new();
    // A process that outlives each engine keeps its standard error open: the last words are waited for.
    let engine = format!("setsid sleep 2 & exec {MOCK}");
    // An engine counts until its last words are read. By then its tab may have asked for the next, and for the one after.
    let most = (3 * TABS).to_string();
    let server = Server::listening(&place, &["--engines", &most], &["sh", "-c", &engine]);
    let is_over = AtomicBool::new(false);
    let idle = serve_nothing_else(get(&server.own));
    let [mut waits, mut machine] = [Vec::new(), Vec::new()];
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
            waits.push(time_to_get(&server.own));
            machine.push(time_to_get(&idle));
            thread::sleep(Duration::from_millis(2));
        }
        is_over.store(true, Ordering::Relaxed);
    });
    tell("a server that does nothing else", &mut machine);
    let (nearly_all, all) = tell("leap web", &mut waits);
    assert!(nearly_all < NEARLY_ALL && all < ALL);
}
