//! Every command line of the pages runs, for every game where it names one, and gives what it promises.
//!
//! [`LINES`] has each line of a block `sh` as the page has it. A line of a page that is missing there fails the test,
//! and so does a line that no page has any more. The tests of `leap-train` run those of training/README.md.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;

use leap_games::IDS;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use crate::programs::{LEAPD, ROOT};

/// A text of the line and what stands in its place when a test runs it.
type Instead = &'static [(&'static str, &'static str)];

/// How a line is run.
#[derive(Clone, Copy)]
enum Way {
    /// With this input, until it ends with status 0.
    Ends(&'static str, Promise),
    /// As a server, until it has printed its address.
    Serves,
    /// On a terminal, until this key ends it.
    Terminal(&'static str),
    /// Not at all, for this reason.
    Not(&'static str),
}

/// What a line prints.
#[derive(Clone, Copy)]
enum Promise {
    /// The page promises nothing that could be tested.
    Anything,
    /// This text, among others.
    Says(&'static str),
    /// What this function checks.
    Is(fn(&Run<'_>)),
}

use Promise::{Anything, Is, Says};
use Way::{Ends, Not, Serves, Terminal};

/// A line of a page, what is changed in it, and how it is run.
///
/// Changes reduce the work, or fill in what the page leaves open.
type Line = (&'static str, Instead, Way);

const BUILDS: Way = Not("it builds the programs that are tested here");
const INSTALLS: Way = Not("it needs a network and changes the system");
const FOREIGN: Way = Not("it needs a foreign engine");
const FAR: Way = Not("it needs another machine; far.rs runs it with an ssh server of its own");
const SERVER: Way = Not("it needs a server with a name");
const OPENBENCH: Way = Not("it needs a checkout of OpenBench");
const CHECKED: Way = Not("tests of leap check run it");
const CLUSTER: Way = Not("it needs a cluster");
/// Ctrl-Q.
const QUIT_KEY: &str = "\u{11}";
/// What XBoard says first.
const XBOARD: &str = "xboard\nprotover 2\nquit\n";
const GTP: &str = "list_commands\nquit\n";

const LINES: &[Line] = &[
    // docs/tutorial.md
    ("target/release/leap play --level learner --game eximo", &[], Terminal(QUIT_KEY)),
    (
        "target/release/leap match --game eximo --games 20 --random-plies 6 --engine name=deep nodes=4000 --engine \
         name=quick nodes=1000 --out eximo-match",
        &[("20", "2"), ("nodes=4000", "nodes=40"), ("nodes=1000", "nodes=10")],
        Ends("", Says("│ 1 ")),
    ),
    ("target/release/leap report eximo-match", &[], Ends("", Says("/report.html"))),
    (
        "target/release/leap analyse eximo-match/games.ugr --nodes 1000 --out eximo-analysis",
        &[("--nodes 1000", "--nodes 50")],
        Ends("", Says("2 of 2 games")),
    ),
    // README.md and docs/leapd.md
    ("leap web", &[], Serves),
    (
        r"printf 'setoption name Game value eximo\ngo movetime 1000\n' | leapd",
        &[("1000", "50")],
        Ends("", Is(answers_with_a_move)),
    ),
    (
        r"printf 'setoption name Game value eximo\ngo movetime 1000\n' | cargo run --release -p leapd",
        &[("cargo run --release -p leapd", "leapd"), ("1000", "50")],
        Ends("", Is(answers_with_a_move)),
    ),
    ("cargo test", &[], Not("it runs this test")),
    ("cargo test -p leap-games", &[], Not("it is part of what runs this test")),
    ("leapd --game eximo --option Hash=64", &[], Ends("query game\n", Is(names_the_game))),
    ("leapd perft eximo 4", &[], Ends("", Is(counts))),
    ("leapd --player mcts", &[], Ends("go movetime 50\n", Is(answers_with_a_move))),
    ("leapd bench", &[], Ends("", Is(has_the_committed_counts))),
    ("leapd bench --suite", &[], Ends("", Is(counts_all_problems))),
    (
        "leapd openings sapos --count 100",
        &[("100", "4 --nodes 500 --game-nodes 100")],
        Ends("", Is(prints_as_many_as_asked)),
    ),
    (
        "leapd problems sapos --count 40",
        &[("40", "1 --nodes 0 --plies 5 --positions 60000 --game-nodes 30 --seed 3")],
        Ends("", Is(prints_as_many_as_asked)),
    ),
    (
        "leap-tables make alquerque --men 7",
        &[],
        Not("other games have no tables; tables/program/tests/program/make.rs runs it"),
    ),
    (
        "leap-tables solve alquerque --fen '1m1m1/5/m4/1M1M1/M1M1M 1 - 0 0'",
        &[],
        Not("other games have no tables; tables/program/tests/program/solve.rs runs it"),
    ),
    ("leapd --help", &[], Ends("", Is(names_the_commands))),
    ("leap check ENGINE", &[("ENGINE", "--level handshake leapd")], Ends("", Says("│ all "))),
    (
        "leap compare ENGINE_A ENGINE_B",
        &[("ENGINE_A ENGINE_B", "--games 1 --max-plies 10 leapd leapd")],
        Ends("", Says("no difference in ")),
    ),
    (
        "leap record -o game-%n.ugt -- ENGINE",
        LEAPD_AS_ENGINE,
        Ends("isready\nquit\n", Says("readyok")),
    ),
    (
        "leap replay game.ugt -- ENGINE",
        &[("game.ugt", "game-1.ugt"), ("ENGINE", "leapd")],
        Ends("", Says("1 transcript: 1 equal")),
    ),
    (
        "leap replay --update game.ugt -- ENGINE",
        &[("game.ugt", "game-1.ugt"), ("ENGINE", "leapd")],
        Ends("", Says("1 transcript: 1 ")),
    ),
    (
        "leap replay tests/ --junit replay.xml -- ./my-engine",
        &[],
        Not("tests of leap replay run it"),
    ),
    ("leap check --junit check.xml ./my-engine", &[], CHECKED),
    ("leap check --level ugi ENGINE", &[("ENGINE", "leapd")], Ends("", Says("│ all "))),
    ("leap analyse match-*/games.ugr", &[("match-*", "match-1")], Ends("", Says("1 of 1 games"))),
    // docs/analysis.md
    (
        "benches/strength/people DIR --games 8 --nodes 2000",
        &[],
        Not("it plays and analyses hundreds of games"),
    ),
    (
        "benches/strength/people DIR froglet --player random --player=-20 --games 24 --nodes 2000",
        &[],
        Not("it plays and analyses many games"),
    ),
    ("benches/strength/people DIR --fit", &[], Not("it plays and analyses hundreds of games")),
    (
        "benches/strength/people DIR --blame --games 8",
        &[],
        Not("it plays and analyses many games, some of them deeply"),
    ),
    ("leap analyse games.ugr --out analysis", &[], Ends("", Says("analysis/index.html"))),
    ("leap analyse games.ugr -- ENGINE", LEAPD_AS_ENGINE, Ends("", Says("1 of 1 games"))),
    (
        "benches/strength/analysis DIR eximo",
        &[],
        Not("it analyses a thousand games, some of them deeply"),
    ),
    (
        "benches/strength/chances eximo DIR/events.ndjson",
        &[],
        Not("it needs a match of a thousand games"),
    ),
    ("leap play --game sapos", &[], Terminal(QUIT_KEY)),
    ("leap xboard --launch --game eximo", &[(" --launch", "")], Ends(XBOARD, Says("feature "))),
    (
        "leap match --game eximo --each movetime=50",
        &[("movetime=50", "nodes=20")],
        Ends("", Says("│ 1 ")),
    ),
    // docs/browser.md, guis.md, ugi.md, engines.md
    ("target/release/leap web", &[], Serves),
    ("target/release/leap web --port 0 --no-open", &[], Serves),
    ("target/release/leap web --max-hash 1024", &[], Serves),
    // docs/web-server.md
    ("target/release/leap web --listen 192.0.2.1", &[("192.0.2.1", "127.0.0.1:0")], Serves),
    ("target/release/leap web --listen 0.0.0.0:9000", &[("9000", "0")], Serves),
    (
        "target/release/leap web --listen 0.0.0.0 --cert chain.pem --key key.pem",
        &[],
        Not("it needs a certificate; `a_page_is_served_with_encryption` makes one"),
    ),
    (
        "target/release/leap web --listen 127.0.0.1 --guest-url https://games.example/",
        &[("127.0.0.1", "127.0.0.1:0")],
        Serves,
    ),
    (
        "target/release/leap web --listen 192.0.2.1 --engine-for https://me.example/leap/",
        &[("192.0.2.1", "127.0.0.1:0")],
        Serves,
    ),
    (
        "target/release/leap web --export site --engine-at http://192.0.2.1:8472/",
        &[],
        Not("it needs the engine for browsers; tests/e2e/browser/home.rs runs it"),
    ),
    ("ssh -L 8471:127.0.0.1:8471 far", &[], FAR),
    (
        "leap web --no-open --listen 127.0.0.1 --guest-url https://NAME.TAILNET.ts.net/",
        &[("127.0.0.1", "127.0.0.1:0")],
        Serves,
    ),
    ("tailscale serve --bg 8472", &[], SERVER),
    (
        "leap web --no-open --listen 127.0.0.1 --guest-url https://games.example/",
        &[("127.0.0.1", "127.0.0.1:0")],
        Serves,
    ),
    (
        "SITE=games.example caddy run --config adapters/examples/server/Caddyfile",
        &[],
        Not("served.rs runs it"),
    ),
    ("sudo systemctl enable --now leap-web.service", &[], SERVER),
    ("sudo cat /var/lib/private/leap-games/host.key", &[], SERVER),
    ("target/release/leap web -- ENGINE ARGS", &[("ENGINE ARGS", "leapd")], Serves),
    ("target/release/leap play --game sapos", &[], Terminal(QUIT_KEY)),
    ("target/release/leap play --side both", &[], Terminal(QUIT_KEY)),
    ("target/release/leap play --depth 6 -- ENGINE", LEAPD_AS_ENGINE, Terminal(QUIT_KEY)),
    ("sudo apt install xboard", &[], INSTALLS),
    (
        "target/release/leap xboard --launch --game eximo --movetime 500",
        &[(" --launch", "")],
        Ends(XBOARD, Says("feature ")),
    ),
    (
        "target/release/leap xboard --launch --game froglet --side p2 -- ENGINE",
        &[(" --launch", ""), ("ENGINE", "leapd")],
        Ends(XBOARD, Says("feature ")),
    ),
    (
        "target/release/leap xboard --game eximo --art art -- ENGINE",
        &[("--art art", "--art art-eximo"), ("ENGINE", "leapd")],
        Ends("", Anything),
    ),
    (
        "gogui -program \"target/release/leap gogui --game sapos -- target/release/leapd\"",
        &[("gogui -program \"", ""), ("leapd\"", "leapd")],
        Ends(GTP, Says("genmove")),
    ),
    (
        "cutegames --settings adapters/examples/cutegames/settings.json",
        &[],
        Not("its settings have tests of their own"),
    ),
    (
        "target/release/leap record -o game-%n.ugt -- ENGINE",
        LEAPD_AS_ENGINE,
        Ends("isready\nquit\n", Says("readyok")),
    ),
    (
        "target/release/leap match --referee none --engine cmd=./autaxx name=slow movetime=100 --engine cmd=./autaxx \
         name=fast movetime=10 --games 4",
        &[],
        FOREIGN,
    ),
    ("leap check --level ugi ./engine", &[], FOREIGN),
    // docs/rules-files.md
    (
        "leap check --write race.jsonl TRUSTED",
        &[("TRUSTED", "--game sapos leapd")],
        Ends("", Anything),
    ),
    (
        "leap check --write race.ugt --game race TRUSTED",
        &[("race TRUSTED", "sapos leapd")],
        Ends("", Anything),
    ),
    ("leap check --level rules --positions race.jsonl ENGINE", &[], CHECKED),
    ("leap check --level rules --positions race.jsonl --script race.ugt ENGINE", &[], CHECKED),
    ("target/release/leap match --config adapters/examples/any-game/go.toml", &[], FOREIGN),
    ("target/release/leap report go --engine openspiel", &[], FOREIGN),
    ("target/release/leap match --config adapters/examples/any-game/chess.toml", &[], FOREIGN),
    ("target/release/leap match --config adapters/examples/any-game/othello.toml", &[], FOREIGN),
    (
        "python3 adapters/examples/terminal.py target/release/leapd",
        &[],
        Ends("sapos\nhuman\nhuman\nquit\n", Anything),
    ),
    // docs/matches.md
    ("cargo build --release", &[], BUILDS),
    (
        "target/release/leap match --game eximo --each tc=5+0.05",
        &[("tc=5+0.05", "nodes=20")],
        Ends("", Says("│ 1 ")),
    ),
    (
        "leapd openings sapos --count 100 > sapos.txt",
        &[("100", "4 --nodes 500 --game-nodes 100")],
        Ends("", Anything),
    ),
    (
        "leap match --game sapos --openings sapos.txt --games 200",
        &[("200", "2 --each nodes=20")],
        Ends("", Says("│ 1 ")),
    ),
    ("leap match --expect --sprt elo0=0 elo1=10", &[], Ends("", Says(" games"))),
    ("leap match --expect --elo 20 --draws 0.3", &[], Ends("", Says(" of ±20.0 Elo"))),
    ("leap sprt 880 1863 759 --elo1 5 --model logistic", &[], Ends("", Says("LLR "))),
    ("leap rate match-*", &[("match-*", "$(ls -d match-2* | head -n 1)")], Ends("", Says("│ 1 "))),
    (
        "CARGO_TARGET_DIR=target/examples cargo build --release --manifest-path examples/ataxx/Cargo.toml",
        &[],
        Not("examples/try builds it"),
    ),
    // docs/python.md
    ("pip install leapd", &[], INSTALLS),
    (
        "PYTHONPATH=adapters/python/src python3 adapters/python/examples/tour.py target/release/leapd \
         games/alquerque/transcripts/agreed-draw.ugt",
        &[],
        Ends("", Anything),
    ),
    ("export PYTHONPATH=adapters/python/src", &[], Ends("", Anything)),
    (
        "leap check adapters/python/examples/connect_four.py",
        &[("leap check", "PYTHONPATH=adapters/python/src leap check --level handshake")],
        Ends("", Anything),
    ),
    (
        "leap match --games 2 --referee adapters/python/examples/connect_four.py \
         --engine cmd=adapters/python/examples/connect_four.py name=search movetime=200 \
         --engine cmd=adapters/python/examples/connect_four.py name=random movetime=200 option.Strength=-20",
        &[
            ("leap match", "PYTHONPATH=adapters/python/src leap match --margin 5000"),
            ("movetime=200", "movetime=20"),
        ],
        Ends("", Says("│ 1 ")),
    ),
    (
        "leap web adapters/python/examples/connect_four.py",
        &[("leap web", "env PYTHONPATH=adapters/python/src leap web")],
        Serves,
    ),
    // docs/openbench.md
    (
        "leap openbench -- -rounds 2 -engine cmd=leapd option.Game=eximo nodes=500 name=a -engine cmd=leapd option.Game=eximo nodes=900 name=b",
        &[("nodes=500", "nodes=5"), ("nodes=900", "nodes=9")],
        Ends("", Says("Finished game 4 (b vs a): ")),
    ),
    ("git clone https://github.com/AndyGrant/OpenBench", &[], INSTALLS),
    ("python3 -m venv env", &[], INSTALLS),
    (
        "env/bin/pip install -r OpenBench/requirements.txt -r OpenBench/Client/requirements.txt",
        &[],
        INSTALLS,
    ),
    ("site=adapters/examples/openbench/site", &[], OPENBENCH),
    ("$site DIR prepare --openbench OpenBench --python env/bin/python", &[], OPENBENCH),
    ("$site DIR serve &", &[], OPENBENCH),
    ("$site DIR work one &", &[], OPENBENCH),
    (
        "$site DIR test TEST options='Threads=1 Hash=16 Game=eximo' book_name=eximo.epd dev_time_control=1.0+0.02 base_time_control=0.5+0.01 elolower=0 eloupper=50",
        &[],
        OPENBENCH,
    ),
    ("$site DIR wait 1", &[], OPENBENCH),
    ("cargo run --release --features tune -p leapd -- tune eximo", &[], BUILDS),
    (
        "tar xOf 7.pgn.tar | bzcat | leap-train import eximo - --out data/eximo",
        &[],
        Not("it needs games of a server"),
    ),
    // docs/machines.md
    (
        r#"leap match --game eximo --engine name=here --engine name=far cmd="ssh -T far leapd" latency=20"#,
        &[],
        FAR,
    ),
    ("leap check --timeout 20000 --margin 400 -- ssh -T far leapd", &[], FAR),
    (r#"leap compare leapd "ssh -T far leapd""#, &[], FAR),
    ("ssh -fNM far", &[], FAR),
    ("ssh -O exit far", &[], FAR),
    (
        r#"leap match --game eximo --engine name=far cmd="ssh -T far '(cat; kill 0) | ENGINE'""#,
        &[],
        FAR,
    ),
    (
        "leap match --config match.toml --sprt elo0=0 elo1=10 --lease shared",
        &[],
        Ends("", Says("│ 1 ")),
    ),
    ("leap merge --out whole shared", &[], Ends("", Says("LLR "))),
    (
        "leap match --game sapos --each tc=5+0.05 --scale-nps 1000000 --lease timed",
        &[("tc=5+0.05", "movetime=10 --max-plies 20"), (" --lease timed", "")],
        Ends("", Says("│ 1 ")),
    ),
    ("leap report whole", &[], Ends("", Says("whole"))),
    (
        "adapters/examples/scaling/parallel.sh adapters/examples/scaling/match.toml 4 /tmp/match",
        &[],
        Not("it needs GNU parallel; .ci/run runs it"),
    ),
    (
        r#"sbatch --array=1-8 adapters/examples/scaling/match.sbatch match.toml "$PWD/match""#,
        &[],
        CLUSTER,
    ),
    ("leap merge --out match-whole match", &[], CLUSTER),
    ("kubectl apply -f adapters/examples/scaling/job.yaml", &[], CLUSTER),
    // docs/strength.md, docs/measured/README.md
    (
        r#"benches/strength/run all --change "history for quiet moves" --kind ordering --kept yes"#,
        &[],
        Not("it builds two engines, and plays for hours"),
    ),
    (
        "leap match --game sapos --games 10000 --random-plies 6 --seed 7 --concurrency 2 --each option.Threads=2 \
         tc=0.1+0.001 nodes=200",
        &[("10000", "2"), ("nodes=200", "nodes=20")],
        Ends("", Says("│ 1 ")),
    ),
    (
        "leap match --game eximo --games 100 --concurrency 2 --openings games/eximo/openings.txt --engine \
         name=leapd cmd=leapd movetime=5 --engine name=mcts player=mcts movetime=50",
        &[("100", "2 --max-plies 20"), ("movetime=50", "movetime=5")],
        Ends("", Says("│ 1 ")),
    ),
    (
        "benches/strength/ladder all",
        &[(
            "all",
            "all --levels 'random 0' --games 2 --nodes 20 --leap target/release/leap --leapd target/release/leapd",
        )],
        Ends("", Says("| 0 | random | 2 | ")),
    ),
    (
        r#"benches/strength/ladder all --levels "-20 -10 0" --against "random greedy""#,
        &[(
            "all",
            "sapos --games 2 --nodes 20 --leap target/release/leap --leapd target/release/leapd",
        )],
        Ends("", Says("| -10 | greedy | 2 | ")),
    ),
    (
        "benches/strength/mistakes eximo",
        &[],
        Not(
            "it searches for 10 ms a move, a minute for each game; its client has tests of its own",
        ),
    ),
    (
        "leapd bench --suite eximo --nodes 50000",
        &[("50000", "500")],
        Ends("", Is(counts_all_problems)),
    ),
    // docs/games/froglet.md
    (
        "benches/strength/exact",
        &[("exact", "exact --games 1 --nodes 1000 --leapd target/release/leapd")],
        Ends("", Says("| plies before the end |")),
    ),
    // docs/wasm.md
    ("rustup target add wasm32-unknown-unknown", &[], INSTALLS),
    ("sudo apt install rustc-web cargo-web rust-web-src lld", &[], INSTALLS),
    ("sudo apt install binaryen", &[], INSTALLS),
    ("adapters/wasm/build", &[], Not("it takes minutes; .ci/run runs it")),
    (
        "adapters/wasm/export site",
        &[],
        Not("it takes minutes; browser/exported.rs runs leap web --export"),
    ),
    (
        "python3 -m http.server --directory site",
        &[],
        Not("it serves what the line before has written"),
    ),
    (r#"npm install "$(npm pack --silent ./target/wasm)""#, &[], Not("wasm.rs runs it")),
    // docs/tables.md
    (
        "leap-tables make alquerque --men 6 --dir tables",
        &[],
        Not("tables/program/tests/program/make.rs runs it"),
    ),
    (
        "leap-tables make alquerque --men 6 --capture mandatory --dir tables",
        &[],
        Not("tables/program/tests/program/make.rs runs it"),
    ),
    (
        "leap-tables verify tables --men 6",
        &[],
        Not("tables/program/tests/program/verify.rs runs it with fewer men"),
    ),
    (
        "leap-tables make alquerque --men 7 --capture mandatory --dir tables",
        &[],
        Not("tables/program/tests/program/make.rs runs it with fewer men"),
    ),
    (
        "leap-tables solve alquerque --capture mandatory --tables tables --dir solved",
        &[],
        Not("takes minutes; tables/program/tests/program/solve.rs runs it with fewer men"),
    ),
    (
        "leap-tables solve --check solved/*.proof --tables tables",
        &[],
        Not("tables/program/tests/program/solve.rs runs it"),
    ),
    (
        "leap-tables solve --show solved/*.proof",
        &[],
        Not("tables/program/tests/program/solve.rs runs it"),
    ),
    (
        "leap-tables solve --show solved/*.proof --moves c2c3 c4c2",
        &[],
        Not("tables/program/tests/program/solve.rs runs it"),
    ),
    // CONTRIBUTING.md
    ("sudo apt install gcc-mingw-w64-x86-64", &[], INSTALLS),
    ("rustup target add x86_64-pc-windows-gnu", &[], INSTALLS),
    ("sudo apt install rustc-web cargo-web rust-web-src", &[], INSTALLS),
    ("packaging/windows/build", &[], Not("it takes minutes; .ci/run runs it")),
];

/// The lines that the slow test runs as they stand, for the game that they name.
const IN_FULL: [&str; 4] = [
    "leapd openings sapos --count 100",
    "leapd problems sapos --count 40",
    "leapd bench --suite eximo --nodes 50000",
    "leap match --game eximo --each movetime=50",
];

const LEAPD_AS_ENGINE: Instead = &[("ENGINE", "leapd")];

/// A line that has been run.
struct Run<'a> {
    line: &'a str,
    /// The game that the line names, if it names one.
    game: Option<&'static str>,
    /// What the page says of it.
    comment: &'a str,
    told: &'a str,
}

impl Run<'_> {
    #[track_caller]
    fn ensure(&self, is_right: bool) {
        assert!(is_right, "{}: {}", self.line, self.told);
    }

    /// The number after a word of the line.
    fn number_after(&self, word: &str) -> usize {
        let (_, rest) = self.line.split_once(word).unwrap();
        rest.split_whitespace().next().unwrap().parse().unwrap()
    }
}

fn answers_with_a_move(run: &Run<'_>) {
    let last = run.told.lines().last().unwrap_or_default();
    run.ensure(last.starts_with("bestmove ") && last != "bestmove 0000");
}

fn names_the_game(run: &Run<'_>) {
    run.ensure(run.told.starts_with(&format!("response {} ", run.game.unwrap())));
}

fn names_the_commands(run: &Run<'_>) {
    run.ensure(
        ["perft", "bench", "openings", "problems"].iter().all(|name| run.told.contains(name)),
    );
}

/// Checks that the total is the sum. For the game of the page it is also the number in the comment.
fn counts(run: &Run<'_>) {
    let (moves, total) = run.told.trim_end().rsplit_once('\n').unwrap();
    let count = |line: &str| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap();
    let sum: u64 = moves.lines().map(count).sum();
    run.ensure(total.starts_with(&format!("perft 4 nodes {sum} time ")));
    let (_, promised) = run.comment.split_once(": ").unwrap();
    run.ensure(run.game != Some("eximo") || promised == sum.to_string());
}

fn has_the_committed_counts(run: &Run<'_>) {
    let committed = fs::read_to_string(Path::new(ROOT).join("tests/bench.txt")).unwrap();
    let counted = run.told.lines().filter(|line| !line.starts_with("speed "));
    run.ensure(counted.eq(committed.lines()));
}

fn counts_all_problems(run: &Run<'_>) {
    let games = leapd::GAMES.into_iter().map(|tools| tools.game);
    let games = games.filter(|game| run.game.is_none_or(|named| named == game.id));
    let problems = games.flat_map(|game| game.problems.lines());
    let number = problems.filter(|line| !line.starts_with('#')).count();
    let total = run.told.lines().find(|line| line.starts_with("total solved "));
    run.ensure(total.is_some_and(|total| total.contains(&format!(" of {number} nodes "))));
}

fn prints_as_many_as_asked(run: &Run<'_>) {
    let printed = run.told.lines().filter(|line| !line.starts_with('#')).count();
    run.ensure(printed == run.number_after("--count "));
}

/// A line as a page has it, without the comment; lines that go on are one.
struct Written {
    line: String,
    comment: String,
}

/// The pages with commands.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(ROOT);
    let folders = ["docs", "docs/games", "docs/measured"]
        .map(|folder| fs::read_dir(root.join(folder)).unwrap());
    let docs = folders.into_iter().flatten().map(|entry| entry.unwrap().path());
    let docs = docs.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let others = ["README.md", "CONTRIBUTING.md", "adapters/python/README.md"];
    docs.chain(others.map(|path| root.join(path))).collect()
}

/// The lines of the blocks `sh` of a page.
fn written(page: &Path) -> Vec<Written> {
    let text = fs::read_to_string(page).unwrap();
    let blocks = text.split("\n```sh\n").skip(1).map(|block| block.split("\n```").next().unwrap());
    let lines = blocks.collect::<Vec<_>>().join("\n").replace("\\\n", " ");
    let read = |line: &str| {
        let (line, comment) = line.split_once(" #").unwrap_or((line, ""));
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        Written { line, comment: comment.trim().to_owned() }
    };
    lines.lines().map(read).filter(|written| !written.line.is_empty()).collect()
}

/// The row of a line.
fn row(line: &str) -> &'static Line {
    let found = LINES.iter().find(|(known, ..)| *known == line);
    found.unwrap_or_else(|| panic!("how is this line of a page tested? {line}"))
}

/// The line for each game, if it names one; the transcript of docs/python.md is of one game.
fn for_each_game(line: &str) -> Vec<(Option<&'static str>, String)> {
    let Some(named) = IDS.iter().find(|game| line.contains(**game)) else {
        return vec![(None, line.to_owned())];
    };
    if line.contains("/transcripts/") {
        return vec![(Some(named), line.to_owned())];
    }
    IDS.iter().map(|game| (Some(*game), line.replace(named, game))).collect()
}

/// A folder in which the lines of a page run. It has the contents of the repository, the programs of this build in the
/// place of a release, and a game to analyse. The match of docs/machines.md is made small.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    for name in ["adapters", "benches", "games", "tests"] {
        symlink(Path::new(ROOT).join(name), place.path().join(name)).unwrap();
    }
    fs::create_dir(place.path().join("target")).unwrap();
    symlink(programs(), place.path().join("target/release")).unwrap();
    let config = Path::new(ROOT).join("adapters/examples/scaling/match.toml");
    let config = fs::read_to_string(config).unwrap();
    let small = config.replace("games = 40", "games = 16").replace("nodes = 1000", "nodes = 10");
    assert_ne!(small, config);
    fs::write(place.path().join("match.toml"), small).unwrap();
    let game = "[Game \"alquerque\"]\n\n1. b2c3 2. b3b2 *\n";
    fs::write(place.path().join("games.ugr"), game).unwrap();
    fs::create_dir(place.path().join("match-1")).unwrap();
    fs::write(place.path().join("match-1/games.ugr"), game).unwrap();
    place
}

/// The folder of the programs of this build.
fn programs() -> &'static Path {
    Path::new(LEAPD.as_str()).parent().unwrap()
}

/// Starts a line by the shell, which finds the programs of this build.
fn start(line: &str, place: &Path) -> Child {
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(place).env("PATH", path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn path() -> String {
    format!("{}:{}", programs().display(), env::var("PATH").unwrap())
}

fn ends(line: &str, input: &str, place: &Path) -> String {
    let mut child = start(line, place);
    // A program that does not read its input may have ended.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    assert!(status.success(), "{line}: {status} {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

/// Checks that a line prints the address of the page, and runs until it is ended.
///
/// Any port will do, and no browser is opened.
fn serves(line: &str, place: &Path) {
    let line =
        ["--port 0", "--no-open"].iter().fold(line.to_owned(), |line, own| line.replace(own, ""));
    let line = line.replacen(" web", " web --port 0 --no-open", 1);
    let mut child = start(&format!("exec {line}"), place);
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(address.contains("http://127.0.0.1:"), "{line}: {address}");
}

/// Checks that a line shows a board on a terminal, and ends well at this key.
fn ends_at(line: &str, key: &str, place: &Path) {
    let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
    let pty = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new("sh");
    command.args(["-c", line]);
    command.cwd(place);
    command.env("PATH", path());
    command.env("TERM", "xterm-256color");
    let mut child = pty.slave.spawn_command(command).unwrap();
    let mut screen = BufReader::new(pty.master.try_clone_reader().unwrap());
    let mut keyboard = pty.master.take_writer().unwrap();
    // Once it draws, it reads keys.
    assert!(!screen.fill_buf().unwrap().is_empty(), "{line} shows nothing");
    thread::spawn(move || std::io::copy(&mut screen, &mut std::io::sink()));
    keyboard.write_all(key.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success(), "{line}");
}

/// Runs a line in a folder for every game, if it names one.
fn run_for_each_game(written: &Written, place: &Path) {
    let (_, instead, way) = *row(&written.line);
    for (game, line) in for_each_game(&written.line) {
        let line = instead.iter().fold(line, |line, (from, to)| {
            assert!(line.contains(from), "{line}: nothing is '{from}'");
            line.replace(from, to)
        });
        run(&line, game, &written.comment, way, place);
    }
}

fn run(line: &str, game: Option<&'static str>, comment: &str, way: Way, place: &Path) {
    match way {
        Ends(input, promise) => {
            let told = ends(line, input, place);
            let run = Run { line, game, comment, told: &told };
            match promise {
                Anything => {}
                Says(text) => run.ensure(told.contains(text)),
                Is(true_of) => true_of(&run),
            }
        }
        Serves => serves(line, place),
        Terminal(key) => ends_at(line, key, place),
        Not(why) => println!("skipped: {line}: {why}"),
    }
}

#[test]
fn every_command_of_the_pages_runs_and_gives_what_it_promises() {
    let all: Vec<Vec<Written>> = pages().iter().map(|page| written(page)).collect();
    let found: BTreeSet<&str> = all.iter().flatten().map(|written| written.line.as_str()).collect();
    for (line, ..) in LINES {
        assert!(found.contains(line), "no page has it any more: {line}");
    }
    let run_page = |lines: &[Written]| {
        let place = place();
        for written in lines {
            run_for_each_game(written, place.path());
        }
    };
    thread::scope(|scope| all.iter().for_each(|lines| drop(scope.spawn(|| run_page(lines)))));
}

/// Run by `.ci/run exhaustive`: minutes.
mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn the_commands_that_take_long_run_in_full() {
        let all: Vec<Written> = pages().iter().flat_map(|page| written(page)).collect();
        for line in IN_FULL {
            let written = all.iter().find(|written| written.line == line).unwrap();
            let game = IDS.iter().copied().find(|game| line.contains(game));
            run(line, game, &written.comment, row(line).2, place().path());
        }
    }
}
