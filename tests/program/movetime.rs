//! The time for a move is kept on any board: composed at random, from nearly empty to full, with any options of the
//! search.
//!
//! Times depend on the machine, so what is asserted is far more than any answer takes; the slow test prints what they
//! were.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLockReadGuard};
use std::thread;
use std::time::{Duration, Instant};

use leap_client::{ClientError, EngineCommand, PositionCommand, Session};
use leap_protocol::payload::{Legality, Status};
use leap_protocol::{Go, Query};
use leap_toys::boards::Pieces;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::process::{LEAPD, PROCESSORS};

/// No answer within this time counts as a missing answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// More than any answer takes beyond its limit on a busy machine.
const LATE: Duration = Duration::from_secs(2);

/// Random boards of one game, in an engine.
struct Boards {
    engine: Session,
    pieces: Pieces,
    /// The fields of the start position that follow the board.
    fields: String,
    rng: ChaCha8Rng,
    /// Until the last answer, no other test takes all processors.
    _processors: RwLockReadGuard<'static, ()>,
}

impl Boards {
    fn of(game: &str, args: &[&str]) -> Self {
        let processors = PROCESSORS.read().unwrap_or_else(PoisonError::into_inner);
        let mut command = EngineCommand::new(LEAPD).arg("--game").arg(game);
        command.args.extend(args.iter().map(|arg| (*arg).to_owned()));
        let mut engine = Session::start_showing(&command, true, PATIENCE).unwrap();
        let (mut size, mut pieces) = ((0, 0), Vec::new());
        for line in engine.board().unwrap() {
            match *line.split(' ').collect::<Vec<_>>() {
                ["files", files, "ranks", ranks, ..] => {
                    size = (files.parse().unwrap(), ranks.parse().unwrap());
                }
                ["piece", piece, ..] => pieces.push(piece.to_owned()),
                _ => {}
            }
        }
        let start = engine.ask(Query::Fen).unwrap();
        let fields = start.split_once(' ').unwrap().1.to_owned();
        let pieces = Pieces { files: size.0, ranks: size.1, pieces };
        let rng = ChaCha8Rng::seed_from_u64(1);
        Self { engine, pieces, fields, rng, _processors: processors }
    }

    /// A position text with this share of the squares taken, in per cent.
    fn text(&mut self, density: usize) -> String {
        format!("{} {}", self.pieces.board(&mut self.rng, density), self.fields)
    }

    /// Sets a board of this density up on which the game goes on, or of the next lower one that the rules allow.
    fn set_up(&mut self, density: usize) -> String {
        for refused in 0.. {
            let text = self.text(density.saturating_sub(refused / 2).max(5));
            match self.engine.set_up(&PositionCommand::new(Some(&text), &[])) {
                Ok(()) => {}
                Err(ClientError::Refused(_)) => continue,
                Err(error) => panic!("{text}: {error}"),
            }
            let status: Status = self.engine.ask_for(Query::Status).unwrap();
            if !status.over {
                return text;
            }
        }
        unreachable!("sparse boards are allowed in every game")
    }

    /// How long after its time a search answers. Checks that the move is legal.
    fn lateness(&mut self, text: &str, movetime: Duration) -> Duration {
        let go = Go { movetime: Some(movetime.as_millis() as u64), ..Go::default() };
        let start = Instant::now();
        let best = self.engine.go(&go, |_| {}).expect(text);
        let mv = best.mv.expect(text);
        assert_eq!(self.engine.legal(&mv).unwrap(), Legality::Legal, "{mv} in {text}");
        (best.at - start).saturating_sub(movetime)
    }
}

fn games() -> Vec<String> {
    let mut engine = Session::start(&EngineCommand::new(LEAPD), PATIENCE).unwrap();
    engine.discover().unwrap();
    engine.info().games.clone()
}

/// Searches boards of these densities, in per cent, and fails if one is answered late.
fn assert_in_time(game: &str, args: &[&str], densities: impl IntoIterator<Item = usize>) {
    let mut boards = Boards::of(game, args);
    for density in densities {
        let text = boards.set_up(density);
        let late = boards.lateness(&text, Duration::from_millis(10));
        assert!(late < LATE, "{game} {args:?}: {late:?} late in {text}");
    }
}

#[test]
fn the_time_is_kept_on_boards_of_every_density() {
    for game in games() {
        assert_in_time(&game, &[], (5..=100).step_by(5));
    }
}

#[test]
fn the_time_is_kept_under_other_rules() {
    let rules = [
        ("alquerque", "AlquerqueCapture=mandatory"),
        ("sapos", "SaposRevisit=false"),
        ("sapos", "SaposPlacement=possible"),
        ("tactica", "TacticaPairs=all"),
    ];
    for (game, option) in rules {
        assert_in_time(game, &["--option", option], (10..=100).step_by(10));
    }
}

#[test]
fn the_time_is_kept_with_many_threads_and_lines() {
    let options = ["--option", "Threads=64", "--option", "MultiPV=256"];
    for game in leap_testing::sample(&games()) {
        assert_in_time(&game, &options, [20, 50, 90]);
    }
}

#[test]
fn sparring_players_keep_their_time_too() {
    for game in games() {
        assert_in_time(&game, &["--player", "mcts"], [20, 50, 90]);
    }
}

#[test]
fn crowded_boards_are_answered_in_time() {
    let mut boards = Boards::of("eximo", &[]);
    for text in [
        "4m1m1/1mMmmm2/m1M1M1M1/M1m1Mm2/M2Mmm1m/1M1m3M/2mmM1m1/4M3 1 - 0 30",
        "m1mmmmmm/m1mMMm1M/1mm1mmMm/M1M1Mmm1/2MmmMMM/1MM1Mm1M/M1mMMm1M/MMMMMMM1 1 - 0 30",
    ] {
        boards.engine.set_up(&PositionCommand::new(Some(text), &[])).unwrap();
        let late = boards.lateness(text, Duration::from_millis(100));
        assert!(late < LATE, "{late:?} late in {text}");
    }
}

/// Boards of each game, and the time for a move on each.
const MANY: usize = 100;
const MOVETIME: Duration = Duration::from_millis(50);

#[test]
#[ignore = "slow: run by .ci/run"]
fn how_late_the_answers_on_many_boards_are() {
    let count = std::env::var("BOARDS").map_or(MANY, |count| count.parse().unwrap());
    for game in games() {
        let stalls = Stalls::watch();
        let mut boards = Boards::of(&game, &[]);
        let mut late = Vec::new();
        for i in 0..count {
            let text = boards.set_up(10 + 90 * i / count);
            late.push((boards.lateness(&text, MOVETIME), text));
        }
        let stall = stalls.longest();
        late.sort();
        let (worst, text) = late.last().unwrap();
        let percentile = |permille: usize| late[(count - 1) * permille / 1000].0;
        println!(
            "{game}: {count} boards, median {:?}, 99 % {:?}, 99.9 % {:?}, worst {worst:?} late in {text}; \
             the machine stood still for up to {stall:?}",
            percentile(500),
            percentile(990),
            percentile(999),
        );
        assert!(*worst < LATE, "{game}: {worst:?} late in {text}");
    }
}

/// How long the machine lets a thread wait that has next to nothing to do.
struct Stalls {
    over: Arc<AtomicBool>,
    thread: thread::JoinHandle<Duration>,
}

impl Stalls {
    fn watch() -> Self {
        const NAP: Duration = Duration::from_millis(1);
        let over = Arc::new(AtomicBool::new(false));
        let is_over = Arc::clone(&over);
        let thread = thread::spawn(move || {
            let mut longest = Duration::ZERO;
            while !is_over.load(Ordering::Relaxed) {
                let before = Instant::now();
                thread::sleep(NAP);
                longest = longest.max(before.elapsed().saturating_sub(NAP));
            }
            longest
        });
        Self { over, thread }
    }

    fn longest(self) -> Duration {
        self.over.store(true, Ordering::Relaxed);
        self.thread.join().unwrap()
    }
}
