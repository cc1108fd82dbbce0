//! Servers that end and start again.

use std::io::Read as _;
use std::path::PathBuf;
use std::time::Duration;

use leap_testing::wait_until;
use nix::sys::signal::Signal;
use serde_json::{Value, json};

use super::{Page, RACE, Server, play_on, record_of, with_guests};
use crate::support::{MOCK, Workplace};

#[test]
fn a_game_goes_on_after_a_restart_with_the_same_links() {
    let (place, server) = with_guests();
    let (mut host, mut guest, invited) = server.seated(json!({ "base": 60000, "increment": 0 }));
    for (ply, mv) in RACE.iter().enumerate().take(5) {
        let mover = if ply % 2 == 0 { &mut host } else { &mut guest };
        mover.moves(mv, ply);
    }
    // The files are written shortly after the answer. A kill leaves no time to do more.
    record_of(&place, "-1.ugr", "5. c1d1");
    wait_until(|| match state_file(&place) {
        state if state.contains("c1d1") => Ok(()),
        state => Err(state),
    });
    drop(server);
    let server = Server::listening(&place, &[], &[MOCK]);
    let (mut host, mut guest) = (server.enter(&invited.host), server.enter(&invited.guest));
    let back = guest.ply(5);
    assert_eq!((&back["turn"], &back["clock"]["running"]), (&json!("p2"), &json!("p2")));
    play_on(&mut host, &mut guest, 5);
    assert_eq!(host.ply(14)["ending"]["result"], "p2win");
}

#[test]
fn after_a_restart_the_clock_of_a_player_who_is_away_stands() {
    let (place, server) = with_guests();
    let (mut host, guest, invited) = server.seated(json!({ "base": 200, "increment": 0 }));
    host.moves("a1b1", 0);
    server.ended_by(Signal::SIGTERM);
    drop((host, guest));
    let server = Server::listening(&place, &[], &[MOCK]);
    let mut guest = server.enter(&invited.guest);
    let back = guest.ply(1);
    assert_eq!((&back["turn"], &back["clock"]["running"]), (&json!("p2"), &Value::Null), "{back}");
    guest.moves("a2b2", 1);
    let moved = guest.ply(2);
    assert_eq!((&moved["turn"], &moved["clock"]["running"]), (&json!("p1"), &Value::Null));
    // Longer than a player has for the whole game.
    std::thread::sleep(Duration::from_millis(300));
    let mut host = server.enter(&invited.host);
    let both = host.ply(2);
    assert_eq!((&both["ending"], &both["clock"]["running"]), (&Value::Null, &json!("p1")));
}

#[test]
fn a_file_of_a_game_that_was_tampered_with_is_named_and_skipped() {
    let (place, server) = with_guests();
    let (mut host, guest, invited) = server.seated(json!({ "base": 60000, "increment": 0 }));
    host.moves("a1b1", 0);
    let other = server.invite(Value::Null);
    server.ended_by(Signal::SIGTERM);
    drop((host, guest));
    let entries = std::fs::read_dir(place.path("games")).unwrap();
    for path in entries.map(|entry| entry.unwrap().path()) {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if text.contains("\"move\":\"a1b1\"") {
            let mut game: Value = serde_json::from_str(&text).unwrap();
            game["table"]["clock"]["left"] = json!([u64::MAX, u64::MAX]);
            std::fs::write(&path, game.to_string()).unwrap();
        }
    }
    let mut server = Server::listening(&place, &[], &[MOCK]);
    let mut page = Page::open(&server.guests, "/meeting");
    assert_eq!(page.fails(json!({ "do": "enter", "secret": invited.guest })), "no-such-link");
    server.enter(&other.guest);
    let _ = server.child.0.kill();
    let mut said = String::new();
    server.child.0.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains(".json: not read, since expected sensible clocks\n"), "{said}");
}

/// The state of the only game, as it is kept.
fn state_file(place: &Workplace) -> String {
    let entries = std::fs::read_dir(place.path("games")).unwrap();
    let mut paths = entries.map(|entry| entry.unwrap().path());
    let path = paths.find(|path| path.extension().is_some_and(|extension| extension == "json"));
    path.map(|path| std::fs::read_to_string(path).unwrap_or_default()).unwrap_or_default()
}

#[test]
fn a_terminated_server_has_saved_everything_and_leaves_no_engine() {
    let place = Workplace::new();
    let server = Server::listening(&place, &[], &[MOCK]);
    let (mut host, _guest, _) = server.seated(Value::Null);
    host.moves("a1b1", 0);
    let engines = server.engines();
    assert_eq!(engines.len(), 1);
    server.ended_by(Signal::SIGTERM);
    assert!(state_file(&place).contains("a1b1"));
    assert!(!PathBuf::from(format!("/proc/{}", engines[0])).exists());
}
