//! Hostile guests: whatever they send, the game in progress goes on, and nothing forbidden reaches an engine.

use std::io::{Read as _, Write as _};
use std::time::Duration;

use leap_testing::{Running, wait_until};
use serde_json::{Value, json};

use super::{Page, RACE, Server, play_on, with_guests};
use crate::support::{MOCK, Workplace};

/// The memory that guests may make the server use, its own included.
const MEMORY_MIB: u64 = 100;

#[test]
fn without_the_flag_there_are_no_guests() {
    let server = Server::start(&[]);
    let own = &server.own;
    let (head, _) = Page::request(own, "/meeting", own, &format!("http://{own}"));
    assert!(head.starts_with("HTTP/1.1 404 "), "{head}");
}

#[test]
fn a_wrong_secret_opens_nothing() {
    let (_place, server) = with_guests();
    let invited = server.invite(Value::Null);
    let almost = format!("{}0", &invited.guest[..31]);
    for secret in ["", "0", &"0".repeat(32), &almost, &invited.guest.to_uppercase(), "é"] {
        if *secret == *invited.guest {
            continue;
        }
        let mut page = Page::open(&server.guests, "/meeting");
        assert_eq!(page.fails(json!({ "do": "enter", "secret": secret })), "no-such-link");
        assert_eq!(page.closed().0, 4002);
        let mut page = Page::open(&server.guests, "/engine");
        page.send(&format!("secret {secret}"));
        assert_eq!(page.closed().0, 4002);
    }
}

#[test]
fn a_page_that_sends_on_hears_why_it_was_closed() {
    let (_place, server) = with_guests();
    let mut page = Page::open(&server.guests, "/engine");
    page.send("secret 0");
    for _ in 0..100 {
        page.send("ugi");
    }
    assert_eq!(page.closed().0, 4002);
    page.frame(8, &4002_u16.to_be_bytes()).unwrap();
    // A connection that is closed over unread data is reset, and this is an error.
    assert_eq!(page.0.read(&mut [0]).unwrap(), 0);
}

#[test]
fn only_the_host_invites() {
    let (place, server) = with_guests();
    let (_host, mut guest, _) = server.seated(Value::Null);
    let wish = json!({ "do": "invite", "game": "race", "side": "p1" });
    assert_eq!(guest.fails(wish.clone()), "not-host");
    // Without its secret nobody is the host at the address for guests.
    for claim in [json!({ "do": "host" }), json!({ "do": "host", "secret": "0".repeat(32) })] {
        let mut page = Page::open(&server.guests, "/meeting");
        assert_eq!(page.fails(claim), "no-such-link");
    }
    let key = std::fs::read_to_string(place.path("games/host.key")).unwrap();
    let mut page = Page::open(&server.guests, "/meeting");
    page.say(json!({ "do": "host", "secret": key.trim() }));
    assert_eq!(page.next()["say"], "hosting");
    page.say(wish);
    assert_eq!(page.next()["say"], "invited");
}

#[test]
fn pages_of_other_sites_and_foreign_names_are_refused() {
    let (_place, server) = with_guests();
    let guests = &server.guests;
    for path in ["/meeting", "/engine"] {
        for origin in ["http://evil.example", "null", "http://127.0.0.1:1"] {
            let (head, _) = Page::request(guests, path, guests, origin);
            assert!(head.starts_with("HTTP/1.1 403 "), "{origin}: {head}");
        }
        let (head, _) = Page::request(guests, path, "evil.example", "http://evil.example");
        assert!(head.starts_with("HTTP/1.1 421 "), "{head}");
    }
}

#[test]
fn a_page_that_was_tampered_with_changes_nothing() {
    let (_place, server) = with_guests();
    let (mut host, mut guest, invited) = server.seated(Value::Null);
    let mut spectator = server.enter(&invited.spectators);
    let a_move = |mv: &str, ply: usize| json!({ "do": "move", "move": mv, "ply": ply });
    assert_eq!(guest.fails(a_move("a1b1", 0)), "not-your-turn");
    assert_eq!(host.fails(a_move("a1h1", 0)), "illegal");
    assert_eq!(host.fails(a_move("a1b1", 7)), "stale");
    for odd in ["", "a1b1 b1c1", "a1b1\nquit", "a1\u{a0}b1", &"a".repeat(2000)] {
        assert_eq!(host.fails(a_move(odd, 0)), "no-message", "{odd:?}");
    }
    assert_eq!(spectator.fails(a_move("a1b1", 0)), "watching");
    assert_eq!(spectator.fails(json!({ "do": "resign", "sure": true })), "watching");
    assert_eq!(guest.fails(json!({ "do": "agree", "what": "takeback" })), "not-asked");
    assert_eq!(guest.fails(json!({ "do": "enter", "secret": invited.host })), "seated");
    for text in ["", "[]", "{}", "null", "quit", r#"{"do":"go"}"#, &"[".repeat(9000)] {
        guest.send(text);
        assert_eq!(guest.answer()["kind"], "no-message", "{text:.20}");
    }
    let mut stranger = Page::open(&server.guests, "/meeting");
    assert_eq!(stranger.fails(a_move("a1b1", 0)), "not-seated");
    play_on(&mut host, &mut guest, 0);
    assert_eq!(host.fails(a_move("a1b1", 14)), "over");
}

#[test]
fn frames_that_are_no_messages_end_their_connection_alone() {
    let (_place, server) = with_guests();
    let (mut host, mut guest, invited) = server.seated(Value::Null);
    let huge = vec![b'x'; 1 << 20];
    for (opcode, payload) in [(2, &b"x"[..]), (1, &huge[..]), (1, b"\xff\xfe"), (3, b"x")] {
        for path in ["/meeting", "/engine"] {
            let mut page = Page::open(&server.guests, path);
            // The server may have closed before everything is written.
            let _ = page.frame(opcode, payload);
            page.ends();
        }
    }
    let mut rules = server.ask_rules(&invited.guest);
    rules.send("isready\nquit");
    assert_eq!(rules.closed().0, 1008);
    play_on(&mut host, &mut guest, 0);
}

#[test]
fn guests_ask_about_the_rules_and_each_has_its_own_position() {
    let (_place, server) = with_guests();
    let (mut host, mut guest, invited) = server.seated(Value::Null);
    let mut first = server.ask_rules(&invited.guest);
    let mut second = server.ask_rules(&invited.spectators);
    let fen = |page: &mut Page| page.ask("query fen");
    let start = fen(&mut first);
    assert_eq!(first.ask("position startpos moves a1b1 a2c2"), [""; 0]);
    assert_eq!(second.ask("move a1c1"), [""; 0]);
    assert_eq!(fen(&mut first), ["response 2a5/1A6 1 - 2 2"]);
    assert_eq!(fen(&mut second), ["response a7/2A5 2 - 1 1"]);
    host.moves("a1b1", 0);
    assert_eq!(first.ask("undo 2"), [""; 0]);
    assert_eq!(fen(&mut first), start);
    assert_eq!(second.ask("setoption name MaxPlies value 1"), [""; 0]);
    assert_eq!(second.ask("query status")[0].split(' ').nth(2), Some("true"));
    assert_eq!(first.ask("query status")[0].split(' ').nth(2), Some("false"));
    // The referee keeps to the rules of the game.
    play_on(&mut host, &mut guest, 1);
}

#[test]
fn nothing_but_rules_reaches_an_engine() {
    let place = Workplace::new();
    // This engine reports every line that it does not know.
    let engine = [
        MOCK,
        "puppet",
        "ugi=id name puppet;option name Hash type spin default 1 min 1 max 9;option name Rule type spin default 1 min 1 max 9;ugiok",
        "isready=readyok",
        "query games=response race",
        "query game=response race Rule 1",
        "query status=response over false result none reason none turn p1 ply 0 quiet 0 repetitions 1",
        "setoption name Game value race=",
        "setoption name Rule value 1=",
        "setoption name Hash value 1=",
        "position startpos=",
        "draw offer=error not-in-this-game : none",
        "=heard %s",
    ];
    let server = Server::listening(&place, &[], &engine);
    let invited = server.invite(Value::Null);
    let mut guest = server.ask_rules(&invited.guest);
    for line in [
        "go infinite",
        "go depth 1",
        "stop",
        "ponderhit",
        "quit",
        "perft 9",
        "eval",
        "draw offer",
        "debug on",
        "uci",
        "query value",
        "setoption name Hash value 2",
        "setoption name EvalFile value /etc/passwd",
        "setoption name TablePath value /",
        "SETOPTION name Hash value 2",
        "setoption\u{a0}name\u{a0}Hash\u{a0}value\u{a0}2",
        "frobnicate",
    ] {
        let answers = guest.ask(line);
        let is_refused = matches!(&answers[..], [one] if one.starts_with("error "));
        assert!(is_refused, "{line:?}: {answers:?}");
    }
    assert_eq!(guest.ask("query fen"), ["heard query fen"]);
    let told = guest.ask("ugi");
    assert!(told.iter().any(|line| line.contains("name Rule")), "{told:?}");
    assert!(!told.iter().any(|line| line.contains("name Hash")), "{told:?}");
}

/// Sends for a while, as fast as it is accepted, without reading answers. The server holds most of it back.
fn flood(page: &mut Page, text: &str) {
    page.0.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
    let begun = std::time::Instant::now();
    let mut bytes = 0;
    while begun.elapsed() < Duration::from_millis(1500) && page.frame(1, text.as_bytes()).is_ok() {
        bytes += text.len();
    }
    // The burst and some seconds of the rate are 2 MB at most. The rest is what the system keeps on the way.
    assert!(bytes < 20_000_000, "{bytes} bytes were taken");
}

#[test]
fn floods_are_held_back_and_the_game_goes_on() {
    let (_place, server) = with_guests();
    let (mut host, mut guest, invited) = server.seated(Value::Null);
    let mut floods = vec![
        (server.enter(&invited.spectators), "x".repeat(10_000)),
        (server.enter(&invited.spectators), r#"{"do":"resign","sure":true}"#.repeat(100)),
        (server.ask_rules(&invited.guest), "query moves".to_owned() + &" ".repeat(1000)),
        (server.ask_rules(&invited.spectators), "x".repeat(60_000)),
    ];
    std::thread::scope(|scope| {
        for (page, text) in &mut floods {
            scope.spawn(|| flood(page, text));
        }
    });
    play_on(&mut host, &mut guest, 0);
    server.assert_memory(MEMORY_MIB);
}

#[test]
fn spectators_that_do_not_read_take_no_memory_and_hold_nobody() {
    let (_place, server) = with_guests();
    let (mut host, mut guest, invited) = server.seated(Value::Null);
    let _deaf: Vec<Page> = (0..32).map(|_| server.enter(&invited.spectators)).collect();
    let mut more = Page::open(&server.guests, "/meeting");
    assert_eq!(more.fails(json!({ "do": "enter", "secret": invited.spectators })), "crowded");
    for _ in 0..15 {
        host.moves("a1b1", 0);
        host.does(json!({ "do": "ask", "what": "takeback" }));
        guest.does(json!({ "do": "agree", "what": "takeback" }));
    }
    play_on(&mut host, &mut guest, 0);
    server.assert_memory(MEMORY_MIB);
}

/// Pages that open connections and say nothing, while a game is played.
fn silent_pages(server: &Server) -> (Page, Vec<Page>) {
    let invited = server.invite(Value::Null);
    let silent = Page::open(&server.guests, "/engine");
    let stalled = (0..100).map(|_| Page::open(&server.guests, "/meeting")).collect();
    let (mut host, mut guest) = (server.enter(&invited.host), server.enter(&invited.guest));
    play_on(&mut host, &mut guest, 0);
    (silent, stalled)
}

#[test]
fn connections_that_say_nothing_hold_nobody() {
    let (_place, server) = with_guests();
    silent_pages(&server);
}

#[test]
fn silent_sockets_keep_out_neither_the_host_nor_guests() {
    let (_place, server) = with_guests();
    let invited = server.invite(Value::Null);
    let mut spectator = server.enter(&invited.spectators);
    let paths = ["/meeting", "/engine", "/session"];
    let open = |at: usize| Page::open(&server.guests, paths[at % paths.len()]);
    // More than the server has places for.
    let silent: Vec<Page> = (0..540).map(open).collect();
    let (mut host, mut guest) = (server.enter(&invited.host), server.enter(&invited.guest));
    play_on(&mut host, &mut guest, 0);
    assert_eq!(server.ask_rules(&invited.guest).ask("query fen").len(), 1);
    server.invite(Value::Null);
    assert_eq!(spectator.ply(RACE.len())["watching"], 1, "who has a right secret stays");
    drop(silent);
}

#[test]
fn a_question_that_takes_long_holds_up_no_move() {
    let place = Workplace::new();
    let engine = [
        MOCK,
        "puppet",
        "ugi=id name puppet;option name Rule type spin default 1 min 1 max 9;ugiok",
        "query games=response race",
        "query game=response race Rule 1",
        "query status=response over false result none reason none turn p1 ply 0 quiet 0 repetitions 1",
        "query history=response 1 a1b1",
        "query moves=!hang",
        "setoption=",
        "move=",
        "draw offer=error not-in-this-game : none",
    ];
    let server = Server::listening(&place, &[], &engine);
    let (mut host, _guest, invited) = server.seated(json!({ "base": 60000, "increment": 0 }));
    let mut curious: Vec<Page> = (0..8).map(|_| server.ask_rules(&invited.spectators)).collect();
    for page in &mut curious {
        page.send("query moves limit 100000");
    }
    host.moves("a1b1", 0);
    for page in &mut curious {
        page.0.set_read_timeout(Some(Duration::from_millis(10))).unwrap();
        // Nothing but pings has come.
        assert_eq!(page.receive(), (8, Vec::new()));
    }
}

#[test]
fn spectators_leave_engines_and_sessions_to_the_players() {
    let place = Workplace::new();
    let server = Server::listening(&place, &["--engines", "8"], &[MOCK]);
    let mut host = server.host();
    for can_search in [true, false] {
        host.say(json!({ "do": "invite", "game": "race", "side": "p1", "search": can_search }));
        let invited = host.next();
        let secret = |link: &Value| link.as_str().unwrap().rsplit('=').next().unwrap().to_owned();
        let spectators = secret(&invited["spectators"]["link"]);
        let mut watching: Vec<Page> = (0..50).map(|_| server.ask_rules(&spectators)).collect();
        let answers = watching.iter_mut().map(|page| {
            page.send("isready");
            page.receive()
        });
        let is_served = |(opcode, payload): &(u8, Vec<u8>)| {
            assert!(*opcode == 1 || payload[..2] == 1013_u16.to_be_bytes());
            *opcode == 1
        };
        let served = answers.filter(is_served).count();
        assert_eq!(served, if can_search { 2 } else { 32 });
        for link in [&invited["own"], &invited["guest"]["link"]] {
            assert_eq!(server.ask_rules(&secret(link)).ask("isready"), [""; 0]);
        }
    }
}

#[test]
fn a_wrong_invitation_gives_up_no_game_and_many_at_the_same_time_are_no_more_than_may_be() {
    const PAGES: usize = 70;
    let (_place, server) = with_guests();
    let mut hosts: Vec<Page> = (0..PAGES).map(|_| server.host()).collect();
    let wish = json!({ "do": "invite", "game": "race", "side": "p1" });
    hosts.iter_mut().for_each(|host| host.say(wish.clone()));
    let answers: Vec<Value> = hosts.iter_mut().map(Page::next).collect();
    let invited: Vec<&Value> = answers.iter().filter(|said| said["say"] == "invited").collect();
    let full = answers.iter().filter(|said| said["kind"] == "full").count();
    assert_eq!((invited.len(), full), (64, PAGES - 64));
    let secret = invited[0]["guest"]["link"].as_str().unwrap().rsplit('=').next().unwrap();
    let (own, guest) = (server.enter(invited[0]["own"].as_str().unwrap()), server.enter(secret));
    let mut guest = guest;
    guest.does(json!({ "do": "resign", "sure": true }));
    drop((own, guest));
    let wrong = json!({ "do": "invite", "game": "chess", "side": "p1" });
    let mut host = server.host();
    // Until the server knows that both have left, there is no room.
    let kind = wait_until(|| match host.fails(wrong.clone()) {
        kind if kind == "full" => Err(kind),
        kind => Ok(kind),
    });
    assert_eq!(kind, "bad-game");
    drop(server.enter(secret));
}

#[test]
fn games_have_a_limit_and_one_that_is_over_makes_room() {
    let (_place, server) = with_guests();
    let mut host = server.host();
    let wish = json!({ "do": "invite", "game": "race", "side": "p1" });
    let mut first = None;
    for _ in 0..64 {
        // Invitations count as messages: a host who makes many is held back.
        host.say(wish.clone());
        let invited = host.next();
        assert_eq!(invited["say"], "invited", "{invited}");
        first.get_or_insert(invited);
    }
    assert_eq!(host.fails(wish.clone()), "full");
    let first = first.unwrap();
    let secret = first["guest"]["link"].as_str().unwrap().rsplit('=').next().unwrap().to_owned();
    let player = server.enter(first["own"].as_str().unwrap());
    let mut guest = server.enter(&secret);
    guest.does(json!({ "do": "resign", "sure": true }));
    assert_eq!(host.fails(wish.clone()), "full", "somebody is still there");
    let _ = player.0.shutdown(std::net::Shutdown::Both);
    let _ = guest.0.shutdown(std::net::Shutdown::Both);
    drop((player, guest));
    wait_until(|| {
        host.say(wish.clone());
        let answer = host.next();
        if answer["say"] == "invited" { Ok(()) } else { Err(answer.to_string()) }
    });
    let mut page = Page::open(&server.guests, "/meeting");
    assert_eq!(page.fails(json!({ "do": "enter", "secret": secret })), "no-such-link");
}

#[test]
fn no_secret_is_printed_or_logged_or_kept() {
    use std::io::Read as _;
    use std::process::{Command, Stdio};
    let place = Workplace::new();
    let log = place.path("log");
    let out = std::fs::File::create(&log).unwrap();
    let mut command = Command::new(crate::support::LEAP);
    command.args(["web", "--port", "0", "--no-open", "--listen", "127.0.0.1:0", "--games"]);
    command.arg(place.path("games")).args(["--", MOCK]).env("RUST_LOG", "trace");
    let child = command.stdout(out.try_clone().unwrap()).stderr(Stdio::from(out)).spawn().unwrap();
    let address = |name: &str| {
        wait_until(|| {
            let text = std::fs::read_to_string(&log).unwrap();
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_suffix('/'));
            line.map(str::to_owned).ok_or(text)
        })
    };
    let (own, guests) = (address("http://"), address("guests: http://"));
    let server = Server { child: Running(child), own, guests };
    let (mut host, mut guest, invited) = server.seated(Value::Null);
    let _rules = server.ask_rules(&invited.guest);
    play_on(&mut host, &mut guest, 0);
    host.ply(RACE.len());
    let _ = guest.0.flush();
    let mut kept = std::fs::read_to_string(&log).unwrap();
    for entry in std::fs::read_dir(place.path("games")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "key") {
            continue;
        }
        std::fs::File::open(path).unwrap().read_to_string(&mut kept).unwrap();
    }
    for secret in [invited.host, invited.guest, invited.spectators] {
        assert!(!kept.contains(&secret));
    }
}

/// These wait for limits of the server, and need nothing of the processor.
mod waits {
    use super::*;

    #[test]
    #[ignore = "slow: run by .ci/run"]
    fn connections_that_say_nothing_are_closed() {
        let (_place, server) = with_guests();
        let (mut silent, stalled) = silent_pages(&server);
        assert_eq!(silent.closed().0, 4002);
        for mut page in stalled {
            assert_eq!(page.closed(), (1008, "expected the secret of a link".to_owned()));
        }
    }
}
