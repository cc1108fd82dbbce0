//! The engine for browsers under Node.js. Needs node, npm and the build of `adapters/wasm/build`; without them these
//! tests are skipped, with a message.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use leap_client::{Client, EngineCommand};
use leap_games::IDS;
use leap_protocol::{Info, Reply};
use leap_testing::skip;

use crate::programs::{LEAPD, PATIENCE, ROOT, has};

/// The npm package; `None` if it or Node.js is not there.
pub(crate) fn package() -> Option<PathBuf> {
    let folder = Path::new(ROOT).join("target/wasm");
    if !folder.join("leapd.wasm").is_file() || !folder.join("reader.wasm").is_file() {
        skip("leapd.wasm", "adapters/wasm/build builds the engine for browsers");
        return None;
    }
    has("node", "--version", "Debian: apt-get install nodejs").then_some(folder)
}

/// An engine that has been told some lines.
struct Engine(Client);

impl Engine {
    fn start(command: EngineCommand) -> Self {
        let mut engine = Self(Client::start(&command, Stdio::inherit()).unwrap());
        engine.say("ugi");
        while engine.hear() != Reply::HelloOk(leap_protocol::Dialect::Ugi) {}
        engine
    }

    fn native() -> Self {
        Self::start(EngineCommand::new(LEAPD.as_str()))
    }

    fn in_node(package: &Path) -> Self {
        Self::start(EngineCommand::new("node").arg(package.join("leapd.js").display().to_string()))
    }

    fn say(&mut self, line: &str) {
        self.0.send_line(line).unwrap();
    }

    fn hear(&mut self) -> Reply {
        self.0.receive(Instant::now() + PATIENCE).unwrap().0
    }

    /// The move of a search, `None` if the game is over, and its nodes.
    fn go(&mut self, limits: &str) -> (Option<String>, Option<u64>) {
        self.say(&format!("go {limits}"));
        let mut last = None;
        loop {
            match self.hear() {
                Reply::Info(Info { nodes, .. }) => last = nodes.or(last),
                Reply::BestMove { mv, .. } => return (mv, last),
                other => panic!("expected a move, found {other}"),
            }
        }
    }
}

/// The first positions of `leapd bench`, so many of each game.
fn searches_what_the_program_searches(most: usize) {
    let Some(package) = package() else { return };
    let mut engine = Engine::in_node(&package);
    let mut counts = String::new();
    for played in leapd::GAMES.map(|tools| tools.game) {
        let game = played.id;
        engine.say(&format!("setoption name Game value {game}"));
        for (i, position) in played.bench.iter().enumerate().take(most) {
            engine.say("uginewgame");
            let start = position.text.map_or("startpos".to_owned(), |text| format!("fen {text}"));
            engine.say(&format!("position {start}"));
            let (mv, nodes) = engine.go(&format!("depth {}", position.depth));
            let (depth, nodes, mv) = (position.depth, nodes.unwrap(), mv.unwrap());
            counts += &format!("{game} {} depth {depth} nodes {nodes} bestmove {mv}\n", i + 1);
        }
    }
    let signature = fs::read_to_string(Path::new(ROOT).join("tests/bench.txt")).unwrap();
    let (positions, _total) = signature.split_once("total").unwrap();
    let is_searched = |line: &&str| {
        let number = line.split(' ').nth(1).unwrap();
        number.parse::<usize>().unwrap() <= most
    };
    let expected: Vec<&str> = positions.lines().filter(is_searched).collect();
    assert!(expected.len() >= leapd::GAMES.len());
    assert_eq!(counts.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn the_module_searches_what_the_program_searches() {
    searches_what_the_program_searches(1);
}

#[test]
fn whole_games_are_those_of_the_program_move_by_move() {
    let Some(package) = package() else { return };
    let mut engines = [Engine::in_node(&package), Engine::native()];
    for game in IDS {
        for engine in &mut engines {
            engine.say(&format!("setoption name Game value {game}"));
            engine.say("setoption name MaxPlies value 80");
            engine.say("uginewgame");
        }
        let mut plies = 0;
        loop {
            let [here, native] = engines.each_mut().map(|engine| engine.go("nodes 300"));
            assert_eq!(here, native, "{game}, ply {plies}");
            let Some(mv) = here.0 else { break };
            engines.iter_mut().for_each(|engine| engine.say(&format!("move {mv}")));
            plies += 1;
        }
        assert!(plies > 5, "{game} ends after {plies}");
    }
}

#[test]
fn a_search_in_one_thread_hears_its_client() {
    let Some(package) = package() else { return };
    for work in ["go infinite", "perft 30"] {
        let mut engine = Engine::in_node(&package);
        engine.say(work);
        engine.say("query p1turn");
        let mut heard = Vec::new();
        while !heard.iter().any(|line: &String| line == "response true") {
            heard.push(engine.hear().to_string());
        }
        engine.say("go depth 1");
        engine.say("stop");
        let is_last = |line: &str| line.starts_with("bestmove") || line.contains("stopped true");
        while !heard.last().is_some_and(|line| is_last(line)) {
            heard.push(engine.hear().to_string());
        }
        assert!(heard.iter().any(|line| line.starts_with("error busy")), "{heard:?}");
        engine.say("quit");
        assert!(engine.0.ended(PATIENCE).unwrap().unwrap().success());
    }
}

#[test]
fn at_the_end_of_input_a_bounded_search_is_answered_and_an_unbounded_one_stopped() {
    let Some(package) = package() else { return };
    for go in ["go depth 6", "go infinite"] {
        let mut engine = Engine::in_node(&package);
        engine.say(go);
        let lines = engine.0.close_input(PATIENCE).unwrap();
        assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{go}: {lines:?}");
    }
}

#[test]
fn a_table_beyond_the_memory_of_a_module_is_refused_and_the_session_goes_on() {
    let Some(package) = package() else { return };
    let mut engine = Engine::in_node(&package);
    engine.say("setoption name Hash value 65536");
    assert!(engine.hear().to_string().contains("no memory for a hash table of 65536 MiB"));
    engine.say("setoption name Threads value 4");
    assert!(engine.go("depth 3").0.is_some());
}

/// Runs a program in a folder, which must succeed; returns its output.
pub(crate) fn run(folder: &Path, program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{program} {args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_package_can_be_installed_and_imported() {
    const SCRIPT: &str = r#"
        import { Leapd } from "leapd";
        const lines = [];
        const engine = new Leapd({ onLine: (line) => lines.push(line), onEnd: (error) => console.log(error, lines.at(-1)) });
        engine.send("go depth 4");
        engine.end();"#;
    let Some(package) = package() else { return };
    if !has("npm", "--version", "Debian: apt-get install npm") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let packed = run(folder.path(), "npm", &["pack", "--silent", package.to_str().unwrap()]);
    assert_eq!(packed.trim(), concat!("leapd-", env!("CARGO_PKG_VERSION"), ".tgz"));
    run(
        folder.path(),
        "npm",
        &["install", "--silent", "--offline", "--prefix", ".", packed.trim()],
    );
    let said = run(folder.path(), "node", &["--input-type=module", "--eval", SCRIPT]);
    assert!(said.starts_with("null bestmove "), "{said}");
}

mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn the_module_searches_all_that_the_program_searches() {
        searches_what_the_program_searches(usize::MAX);
    }
}
