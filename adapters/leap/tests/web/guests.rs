//! Guests of `leap web --listen`, honest and hostile. The game is the mock's race.

mod day;
mod encrypted;
mod hostile;
mod latency;
mod lent;
mod restart;

use std::time::{Duration, Instant};

use leap_testing::{PATIENCE, wait_until};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use super::{Page, Server};
use crate::support::{MOCK, Workplace};

/// The moves of a whole race in which both step square by square. p2 wins.
const RACE: [&str; 14] = [
    "a1b1", "a2b2", "b1c1", "b2c2", "c1d1", "c2d2", "d1e1", "d2e2", "e1f1", "e2f2", "f1g1", "f2g2",
    "g1h1", "g2h2",
];

/// A server of guests, and the folder in which it keeps its games.
fn with_guests() -> (Workplace, Server) {
    let place = Workplace::new();
    let server = Server::listening(&place, &[], &[MOCK]);
    (place, server)
}

impl Server {
    /// A server for guests that keeps its games in this folder.
    fn listening(place: &Workplace, options: &[&str], engine: &[&str]) -> Server {
        Server::listening_at(place, "127.0.0.1:0", options, engine)
    }

    fn listening_at(place: &Workplace, address: &str, options: &[&str], engine: &[&str]) -> Server {
        let games = place.path("games");
        let own = ["--listen", address, "--games", games.to_str().unwrap()];
        Server::with_engine(&[&own, options].concat(), engine)
    }

    /// The page of the host, before any invitation.
    fn host(&self) -> Page {
        let mut host = Page::open(&self.own, "/meeting");
        host.say(json!({ "do": "host" }));
        assert_eq!(host.next()["say"], "hosting");
        host
    }

    /// Makes an invitation to a race in which the host is p1.
    fn invite(&self, clock: Value) -> Invited {
        let mut host = self.host();
        host.say(json!({ "do": "invite", "game": "race", "side": "p1", "clock": clock }));
        let invited = host.next();
        assert_eq!(invited["say"], "invited", "{invited}");
        let secret = |link: &Value| {
            let link = link["link"].as_str().unwrap();
            let secret = link.strip_prefix(&format!("http://{}/#join=", self.guests)).unwrap();
            assert_eq!(secret.len(), 32, "128 bits");
            secret.to_owned()
        };
        Invited {
            host: invited["own"].as_str().unwrap().to_owned(),
            guest: secret(&invited["guest"]),
            spectators: secret(&invited["spectators"]),
        }
    }

    /// Enters a game as a guest's page does. Returns the page after its welcome.
    fn enter(&self, secret: &str) -> Page {
        let mut page = Page::open(&self.guests, "/meeting");
        page.say(json!({ "do": "enter", "secret": secret }));
        let welcome = page.next();
        assert_eq!(welcome["say"], "welcome", "{welcome}");
        page
    }

    /// Both players of a new race, and its links.
    fn seated(&self, clock: Value) -> (Page, Page, Invited) {
        let invited = self.invite(clock);
        let (host, guest) = (self.enter(&invited.host), self.enter(&invited.guest));
        (host, guest, invited)
    }

    /// Kills the engines that the server has started and not reaped.
    fn kill_engines(&self) {
        for engine in self.engines() {
            kill(Pid::from_raw(engine.parse().unwrap()), Signal::SIGKILL).unwrap();
        }
    }

    /// A page that asks about the rules of a game.
    fn ask_rules(&self, secret: &str) -> Page {
        let mut page = Page::open(&self.guests, "/engine");
        page.send(&format!("secret {secret}"));
        page
    }
}

/// The secrets of an invitation.
struct Invited {
    host: String,
    guest: String,
    spectators: String,
}

impl Page {
    fn say(&mut self, message: Value) {
        self.send(&message.to_string());
    }

    /// The next message.
    fn next(&mut self) -> Value {
        serde_json::from_str(&self.text()).unwrap()
    }

    /// The next answer; states of the game before it are skipped.
    fn answer(&mut self) -> Value {
        loop {
            let message = self.next();
            if message["say"] != "game" {
                return message;
            }
        }
    }

    /// Does something that is done.
    fn does(&mut self, message: Value) {
        self.say(message);
        let answer = self.answer();
        assert_eq!(answer["say"], "done", "{answer}");
    }

    /// Does something that is refused. Returns the kind of the refusal.
    fn fails(&mut self, message: Value) -> String {
        self.say(message);
        let answer = self.answer();
        assert_eq!(answer["say"], "refused", "{answer}");
        answer["kind"].as_str().unwrap().to_owned()
    }

    fn moves(&mut self, mv: &str, ply: usize) {
        self.does(json!({ "do": "move", "move": mv, "ply": ply }));
    }

    /// Waits for a state of the game.
    fn state(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let message = self.next();
            if message["say"] == "game" && is_it(&message) {
                return message;
            }
            assert!(Instant::now() < deadline, "{message}");
        }
    }

    /// The state in which so many moves are made.
    fn ply(&mut self, ply: usize) -> Value {
        self.state(|state| state["moves"].as_array().unwrap().len() == ply)
    }
}

/// Plays the rest of a race from this ply on.
fn play_on(host: &mut Page, guest: &mut Page, from: usize) {
    for (ply, mv) in RACE.iter().enumerate().skip(from) {
        let mover = if ply % 2 == 0 { &mut *host } else { &mut *guest };
        mover.moves(mv, ply);
    }
}

#[test]
fn two_people_play_a_whole_game_and_it_becomes_a_record() {
    let (place, server) = with_guests();
    let (mut host, mut guest, invited) = server.seated(json!({ "base": 60000, "increment": 1000 }));
    let mut spectator = server.enter(&invited.spectators);
    play_on(&mut host, &mut guest, 0);
    for page in [&mut host, &mut guest, &mut spectator] {
        let end = page.ply(14);
        assert_eq!(end["ending"]["result"], "p2win", "{end}");
        assert_eq!(end["ending"]["rule"], true);
        assert_eq!(end["watching"], 1);
        assert_eq!(end["moves"], json!(RACE));
        assert!(end["clock"]["p1"].as_u64().unwrap() > 60000, "the increments are added");
    }
    let record = record_of(&place, "-1.ugr", "p2win");
    assert!(record.contains("[P1 \"host\"]\n[P2 \"guest\"]\n[Result \"p2win\"]"), "{record}");
    let records = leap_records::Record::parse_all(&record).unwrap();
    let moves: Vec<&str> = records[0].plies.iter().map(|ply| ply.mv.as_str()).collect();
    assert_eq!(moves, RACE);
}

/// The record of a game, as soon as it contains a text.
fn record_of(place: &Workplace, end: &str, text: &str) -> String {
    let folder = place.path("games");
    wait_until(|| {
        let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let mut records = entries.filter(|path| path.to_str().unwrap().ends_with(end));
        let record = records.next().and_then(|path| std::fs::read_to_string(path).ok());
        record.filter(|record| record.contains(text)).ok_or_else(|| format!("no {text}"))
    })
}

#[test]
fn draws_takebacks_and_rematches_ask_the_other_side() {
    let (place, server) = with_guests();
    let (mut host, mut guest, _) = server.seated(Value::Null);
    assert_eq!(guest.fails(json!({ "do": "ask", "what": "draw" })), "no-draws");
    host.moves("a1b1", 0);
    host.does(json!({ "do": "ask", "what": "takeback" }));
    let asked = guest.state(|state| !state["offer"].is_null());
    assert_eq!(asked["offer"], json!({ "what": "takeback", "by": "host" }));
    guest.does(json!({ "do": "agree", "what": "takeback" }));
    host.ply(0);
    host.moves("a1c1", 0);
    assert_eq!(guest.fails(json!({ "do": "resign" })), "not-sure");
    guest.does(json!({ "do": "resign", "sure": true }));
    let over = host.state(|state| !state["ending"].is_null());
    assert_eq!(over["ending"]["result"], "p1win");
    assert_eq!(over["ending"]["reason"], "resignation");
    host.does(json!({ "do": "ask", "what": "rematch" }));
    guest.does(json!({ "do": "agree", "what": "rematch" }));
    let again = host.state(|state| state["round"] == 2);
    assert_eq!((&again["host"], &again["moves"]), (&json!("p2"), &json!([])));
    guest.moves("a1b1", 0);
    record_of(&place, "-1.ugr", "resignation");
    record_of(&place, "-2.ugr", "a1b1");
}

#[test]
fn a_cut_connection_keeps_the_seat_and_the_clock() {
    let (_place, server) = with_guests();
    let (mut host, mut guest, invited) = server.seated(json!({ "base": 60000, "increment": 0 }));
    host.moves("a1b1", 0);
    let before = guest.ply(1)["clock"]["p2"].as_u64().unwrap();
    drop(guest);
    host.state(|state| state["here"]["guest"] == false);
    std::thread::sleep(Duration::from_millis(300));
    let mut guest = server.enter(&invited.guest);
    let after = guest.ply(1);
    assert_eq!(after["clock"]["running"], "p2");
    assert!(after["clock"]["p2"].as_u64().unwrap() + 300 <= before, "the clock ran: {after}");
    play_on(&mut host, &mut guest, 1);
}

#[test]
fn a_flag_falls_though_nobody_is_connected() {
    let (place, server) = with_guests();
    let (mut host, guest, invited) = server.seated(json!({ "base": 200, "increment": 0 }));
    host.moves("a1b1", 0);
    drop((host, guest));
    record_of(&place, "-1.ugr", "[Reason \"time\"]");
    let mut guest = server.enter(&invited.guest);
    assert_eq!(guest.ply(1)["ending"]["result"], "p1win");
    assert_eq!(guest.fails(json!({ "do": "move", "move": "a2b2", "ply": 1 })), "over");
}

#[test]
fn who_opens_a_link_again_takes_over_and_both_are_told() {
    let (_place, server) = with_guests();
    let (mut host, mut first, invited) = server.seated(Value::Null);
    host.moves("a1b1", 0);
    let mut second = Page::open(&server.guests, "/meeting");
    second.say(json!({ "do": "enter", "secret": invited.guest }));
    let welcome = second.next();
    assert_eq!((&welcome["seat"], &welcome["took"]), (&json!("guest"), &json!(true)));
    assert_eq!(first.closed(), (4001, "this game was opened elsewhere".to_owned()));
    drop(first);
    play_on(&mut host, &mut second, 1);
    assert_eq!(second.ply(14)["here"], json!({ "host": true, "guest": true }));
}

#[test]
fn fifty_games_at_once_all_end_as_they_are_played() {
    const GAMES: usize = 50;
    let (_place, server) = with_guests();
    let mut tables: Vec<_> = (0..GAMES).map(|_| server.seated(Value::Null)).collect();
    for (ply, mv) in RACE.iter().enumerate() {
        for (host, guest, _) in &mut tables {
            let mover = if ply % 2 == 0 { host } else { guest };
            mover.say(json!({ "do": "move", "move": mv, "ply": ply }));
        }
        for (host, guest, _) in &mut tables {
            let mover = if ply % 2 == 0 { host } else { guest };
            assert_eq!(mover.answer()["say"], "done");
        }
    }
    for (host, guest, _) in &mut tables {
        assert_eq!(host.ply(14)["ending"]["result"], "p2win");
        assert_eq!(guest.ply(14)["moves"], json!(RACE));
    }
}

#[test]
fn an_engine_that_dies_is_replaced_in_the_midst_of_a_game() {
    let (_place, server) = with_guests();
    let (mut host, mut guest, _) = server.seated(Value::Null);
    host.moves("a1b1", 0);
    server.kill_engines();
    play_on(&mut host, &mut guest, 1);
}

#[test]
fn an_engine_that_replaces_another_one_plays_by_the_same_rules() {
    let (_place, server) = with_guests();
    let mut page = server.host();
    page.say(
        json!({ "do": "invite", "game": "race", "side": "p1", "options": [["MaxPlies", "3"]] }),
    );
    let invited = page.next();
    let secret = |link: &Value| link.as_str().unwrap().rsplit('=').next().unwrap().to_owned();
    let mut host = server.enter(&secret(&invited["own"]));
    let mut guest = server.enter(&secret(&invited["guest"]["link"]));
    host.moves("a1b1", 0);
    guest.moves("a2b2", 1);
    server.kill_engines();
    host.moves("b1c1", 2);
    assert_eq!(guest.ply(3)["ending"]["rule"], true, "the limit of plies is reached");
}

#[test]
fn an_invitation_that_the_engine_refuses_is_refused_with_its_reason() {
    let (_place, server) = with_guests();
    let mut host = server.host();
    for wrong in [
        json!({ "game": "chess" }),
        json!({ "options": [["Hash", "1"]] }),
        json!({ "options": [["MaxPlies", "x"]] }),
        json!({ "start": "nonsense" }),
        json!({ "start": "A7/a7 1 - 0 0 moves a1b1" }),
        json!({ "start": "7a/7A 1 - 14 14" }),
        json!({ "clock": { "base": 0, "increment": 0 } }),
        json!({ "game": "race\nquit" }),
    ] {
        let mut wish = json!({ "do": "invite", "game": "race", "side": "p1" });
        wish.as_object_mut().unwrap().extend(wrong.as_object().unwrap().clone());
        assert_eq!(host.fails(wish), "bad-game", "{wrong}");
    }
    let start = json!({ "do": "invite", "game": "race", "side": "p2", "start": "a7/6A1 1 - 0 0",
        "options": [["MaxPlies", "50"]], "re": 3 });
    host.say(start);
    let invited = host.next();
    assert_eq!((&invited["say"], &invited["re"]), (&json!("invited"), &json!(3)), "{invited}");
    assert!(invited["guest"]["code"].as_str().unwrap().contains("<svg"));
}
