//! Games by invitation over real connections. Two scripted clients play whole games of every kind by the messages of
//! docs/web-messages.md. The engine of the server is their only source of rules.

use std::io::{BufRead, BufReader, Lines, Write as _};
use std::net::TcpStream;
use std::process::{ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use leap_games::IDS;
use leap_protocol::payload::MoveList;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::{Message, WebSocket};

use leap_testing::peak_memory_kib;

use crate::programs::{LEAP, LEAPD, PATIENCE, Running, engines_of};

/// Longer games are ended at this ply.
const MAX_PLIES: usize = 60;

/// `leap web --listen` with leapd.
pub(crate) struct Server {
    process: Running,
    lines: Lines<BufReader<ChildStdout>>,
    pub(crate) own: String,
    pub(crate) guests: String,
    games: tempfile::TempDir,
}

impl Server {
    pub(crate) fn start(options: &[&str]) -> Server {
        Server::listening("127.0.0.1:0", options)
    }

    /// A server for guests at this address.
    pub(crate) fn listening(address: &str, options: &[&str]) -> Server {
        let games = tempfile::tempdir().unwrap();
        let mut command = Command::new(LEAP.as_str());
        command.args(["web", "--port", "0", "--no-open", "--listen", address, "--games"]);
        command.arg(games.path().join("games")).args(options).args(["--", &LEAPD]);
        command.args(["--option", &format!("MaxPlies={MAX_PLIES}")]);
        let mut process = Running(command.stdout(Stdio::piped()).spawn().unwrap());
        let lines = BufReader::new(process.0.stdout.take().unwrap()).lines();
        let mut server =
            Server { process, lines, own: String::new(), guests: String::new(), games };
        server.own = server.address();
        server.guests = server.address();
        server
    }

    /// The address on the next line that the server prints: a URL that ends with `/`.
    fn address(&mut self) -> String {
        let line = self.lines.next().unwrap().unwrap();
        line.trim_start_matches("guests: ").to_owned()
    }

    /// Invites to a game in which the host is p1. Returns the secrets of host, guest and spectators.
    fn invite(&self, game: &str) -> [String; 3] {
        let mut host = Client::open(&self.own, "meeting");
        host.say(json!({ "do": "host" }));
        host.say(json!({ "do": "invite", "game": game, "side": "p1" }));
        let invited = host.until(|message| message["say"] == "invited");
        let secret = |link: &Value| link.as_str().unwrap().rsplit('=').next().unwrap().to_owned();
        [&invited["own"], &invited["guest"]["link"], &invited["spectators"]["link"]].map(secret)
    }
}

/// A scripted client.
pub(crate) struct Client(WebSocket<TcpStream>);

impl Client {
    fn open(page: &str, path: &str) -> Client {
        let address = page.trim_start_matches("http://").trim_end_matches('/');
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        let mut request = format!("ws://{address}/{path}").into_client_request().unwrap();
        request.headers_mut().insert("Origin", format!("http://{address}").parse().unwrap());
        Client(tungstenite::client(request, stream).unwrap().0)
    }

    /// Enters a game.
    fn enter(server: &Server, secret: &str) -> Client {
        let mut client = Client::open(&server.guests, "meeting");
        client.say(json!({ "do": "enter", "secret": secret }));
        client.until(|message| message["say"] == "welcome");
        client
    }

    /// A session about the rules of a game.
    fn rules(server: &Server, secret: &str) -> Client {
        let mut client = Client::open(&server.guests, "engine");
        client.send(format!("secret {secret}"));
        client
    }

    fn send(&mut self, text: String) {
        self.0.send(Message::text(text)).unwrap();
    }

    fn say(&mut self, message: Value) {
        self.send(message.to_string());
    }

    fn text(&mut self) -> String {
        loop {
            match self.0.read().unwrap() {
                Message::Text(text) => return text.to_string(),
                Message::Close(frame) => panic!("closed: {frame:?}"),
                _ => {}
            }
        }
    }

    fn until(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message: Value = serde_json::from_str(&self.text()).unwrap();
            if is_it(&message) {
                return message;
            }
        }
    }

    /// The answer to a question about the rules.
    fn ask(&mut self, line: &str) -> String {
        self.send(line.to_owned());
        self.text().strip_prefix("response ").unwrap().to_owned()
    }

    /// Makes a move and waits until the server has taken it.
    fn moves(&mut self, mv: &str, ply: usize) {
        self.say(json!({ "do": "move", "move": mv, "ply": ply }));
        let answer = self.until(|message| message["say"] != "game");
        assert_eq!(answer["say"], "done", "{answer}");
    }

    /// The state after so many moves.
    fn state(&mut self, ply: usize) -> Value {
        let is_it = |message: &Value| {
            message["say"] == "game" && message["moves"].as_array().unwrap().len() == ply
        };
        self.until(is_it)
    }
}

/// Plays a game of random legal moves to its end. Returns the number of moves.
pub(crate) fn play(server: &Server, game: &str, seed: u64) -> usize {
    let [host, guest, spectators] = server.invite(game);
    let mut players = [Client::enter(server, &host), Client::enter(server, &guest)];
    let mut spectator = Client::enter(server, &spectators);
    let mut rules = Client::rules(server, &guest);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut moves: Vec<String> = Vec::new();
    loop {
        let state = spectator.state(moves.len());
        assert_eq!(state["moves"], json!(moves), "{game}");
        if !state["ending"].is_null() {
            assert_eq!(state["ending"]["rule"], true);
            for player in &mut players {
                assert_eq!(player.state(moves.len())["ending"], state["ending"]);
            }
            return moves.len();
        }
        let position = format!("position startpos moves {}", moves.join(" "));
        rules.send(position.trim_end_matches(" moves ").to_owned());
        let MoveList { moves: legal, .. } = rules.ask("query moves").parse().unwrap();
        let mv = &legal[random.next_u64() as usize % legal.len()];
        let mover = usize::from(state["turn"] == "p2");
        // The other side may not move, and nobody may make a move that the rules forbid.
        players[1 - mover].say(json!({ "do": "move", "move": mv, "ply": moves.len() }));
        let refused = players[1 - mover].until(|message| message["say"] != "game");
        assert_eq!(refused["kind"], "not-your-turn", "{game}");
        players[mover].say(json!({ "do": "move", "move": "a1a1", "ply": moves.len() }));
        let refused = players[mover].until(|message| message["say"] != "game");
        assert_eq!(refused["kind"], "illegal", "{game}");
        players[mover].moves(mv, moves.len());
        moves.push(mv.clone());
    }
}

#[test]
fn two_clients_play_whole_games_of_every_kind() {
    let server = Server::start(&[]);
    for (seed, game) in (1..).zip(&IDS) {
        let plies = play(&server, game, seed);
        assert!((2..=MAX_PLIES).contains(&plies), "{game}: {plies}");
    }
}

#[test]
fn guests_get_an_engine_of_their_own_only_where_the_host_grants_it() {
    let server = Server::start(&[]);
    for is_granted in [false, true] {
        let mut host = Client::open(&server.own, "meeting");
        host.say(json!({ "do": "host" }));
        host.say(json!({ "do": "invite", "game": "eximo", "side": "p1", "search": is_granted }));
        let invited = host.until(|message| message["say"] == "invited");
        let link = invited["guest"]["link"].as_str().unwrap();
        let mut guest = Client::rules(&server, link.rsplit('=').next().unwrap());
        guest.send("go depth 1".to_owned());
        let answer = guest.text();
        assert_eq!(answer.starts_with("error "), !is_granted, "{answer}");
        guest.send("setoption name Threads value 1".to_owned());
        while !guest.text().starts_with("error no-such-option") {}
    }
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn who_writes_but_does_not_read_is_cut_and_the_games_go_on() {
    let server = Server::start(&[]);
    let [_, _, spectators] = server.invite("sapos");
    // Each answer has some KiB. Whoever writes is alive: only what waits to be read ends this connection.
    let mut deaf = Client::rules(&server, &spectators);
    let begun = Instant::now();
    while deaf.0.send(Message::text("query rules en")).is_ok() {
        assert!(begun.elapsed() < 4 * PATIENCE, "the connection is not cut");
        sleep(Duration::from_millis(5));
    }
    assert!(begun.elapsed() > Duration::from_secs(30), "cut after {:?}", begun.elapsed());
    assert!(play(&server, "sapos", 7) > 1);
}

/// The median and the 95 % quantile of how long a question takes.
fn round_trips(mut ask: impl FnMut()) -> [Duration; 2] {
    let mut times: Vec<Duration> = (0..2000)
        .map(|_| {
            let begun = Instant::now();
            ask();
            let took = begun.elapsed();
            // Guests who ask more often are held back.
            sleep(Duration::from_millis(5));
            took
        })
        .collect();
    times.sort_unstable();
    [times[1000], times[1900]]
}

/// The peak memory of a process and of its children, in KiB.
fn memory_kib(process: u32) -> u64 {
    let of = |id: u32| peak_memory_kib(id).unwrap_or(0);
    of(process) + engines_of(process).iter().map(|id| of(id.parse().unwrap())).sum::<u64>()
}

/// Run by hand.
mod by_hand {
    use super::*;

    #[test]
    #[ignore = "a measurement: cargo test -p leap-e2e round_trip -- --ignored --nocapture"]
    fn the_round_trip_of_a_line_is_measured() {
        let mut engine = Command::new(LEAPD.as_str());
        let mut engine = engine.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (mut input, output) = (engine.stdin.take().unwrap(), engine.stdout.take().unwrap());
        let mut output = BufReader::new(output);
        let mut line = String::new();
        let pipe = round_trips(|| {
            input.write_all(b"query p1turn\n").unwrap();
            line.clear();
            output.read_line(&mut line).unwrap();
            assert_eq!(line, "response true\n");
        });
        drop(input);
        engine.wait().unwrap();
        let server = Server::start(&[]);
        let [_, guest, _] = server.invite("sapos");
        let key = std::fs::read_to_string(server.games.path().join("games/host.key")).unwrap();
        let [host, guest] = [key.trim(), &guest].map(|secret| {
            let mut client = Client::rules(&server, secret);
            round_trips(|| assert_eq!(client.ask("query p1turn"), "true"))
        });
        println!(
            "a question, median and 95 %: {pipe:?} by the engine's pipe, {host:?} by the host's own engine, {guest:?} by a \
         guest's question about the rules"
        );
    }

    #[test]
    #[ignore = "a measurement: cargo test -p leap-e2e fifty_games -- --ignored --nocapture"]
    fn fifty_games_of_leapd_at_once_are_measured() {
        const GAMES: usize = 50;
        let server = Server::start(&[]);
        let empty = memory_kib(server.process.0.id());
        let mut tables: Vec<_> = (0..GAMES)
            .map(|at| {
                let game = IDS[at % IDS.len()];
                let [host, guest, _] = server.invite(game);
                let rules = Client::rules(&server, &guest);
                ([Client::enter(&server, &host), Client::enter(&server, &guest)], rules, Vec::new())
            })
            .collect();
        let mut times = Vec::new();
        for _ in 0..20 {
            for (players, rules, moves) in &mut tables {
                let moves: &mut Vec<String> = moves;
                let position = format!("position startpos moves {}", moves.join(" "));
                rules.send(position.trim_end_matches(" moves ").to_owned());
                let MoveList { moves: legal, .. } = rules.ask("query moves").parse().unwrap();
                let Some(mv) = legal.first() else { continue };
                let turn = rules.ask("query p1turn");
                let mover = &mut players[usize::from(turn == "false")];
                let begun = Instant::now();
                mover.moves(mv, moves.len());
                times.push(begun.elapsed());
                moves.push(mv.clone());
            }
        }
        times.sort_unstable();
        let at = |share: usize| times[(times.len() - 1) * share / 100];
        let memory = (memory_kib(server.process.0.id()) - empty) / GAMES as u64;
        println!(
            "{} moves in {GAMES} games: median {:?}, 95 % {:?}, longest {:?}; memory a game: {memory} KiB",
            times.len(),
            at(50),
            at(95),
            at(100)
        );
    }
}
