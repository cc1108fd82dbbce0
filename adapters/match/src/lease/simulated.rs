//! Thousands of simulated tests: runners of different speed that die and fall silent, and games whose length depends on
//! their result. What counts is decided by the same code as in a real match.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use std::time::Duration;

use super::claims::{Claim, Claims, Pulse, Watch};
use super::ledger::{Games, Ledger};
use crate::events::games::Finished;
use crate::events::{Outcome, Reason};
use crate::stats::score_of_elo;
use crate::stats::sprt::{Decision, Model, Sprt};

const TEST: Sprt = Sprt { elo0: 0.0, elo1: 40.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
/// The share of drawn games.
const DRAWS: f64 = 0.4;
/// Seconds that a game takes if the first engine loses, draws and wins.
const SECONDS: [f64; 3] = [10.0, 60.0, 120.0];
/// Pairs in a batch, and batches of a plan that no test exhausts.
const PAIRS: u64 = 4;
const BATCHES: u64 = 5000;
/// How fast the runners are.
const SPEEDS: [f64; 6] = [0.2, 0.7, 1.0, 1.0, 1.6, 3.0];
/// The same, and a runner that hardly gets any time.
const WITH_A_STARVED_ONE: [f64; 7] = [0.01, 0.2, 0.7, 1.0, 1.0, 1.6, 3.0];
/// Seconds between two looks at what the others do, and those after which a silent runner is lost.
const TICK: u64 = 10;
const TIMEOUT: Duration = Duration::from_secs(60);

/// A random number from 0 to 1.
fn chance(random: &mut ChaCha8Rng) -> f64 {
    random.next_u64() as f64 / u64::MAX as f64
}

/// How the games of a batch end, and how long they take together.
#[derive(Clone)]
struct Batch {
    games: Games,
    seconds: f64,
}

/// Plays a batch.
fn play(random: &mut ChaCha8Rng, batch: u64, elo: f64) -> Batch {
    let win = score_of_elo(elo) - DRAWS / 2.0;
    let mut played = Batch { games: Games::new(), seconds: 0.0 };
    for number in 2 * PAIRS * (batch - 1) + 1..=2 * PAIRS * batch {
        let drawn = chance(random);
        let (outcome, seconds) = match drawn {
            won if won < win => (Outcome::P1Win, SECONDS[2]),
            even if even < win + DRAWS => (Outcome::Draw, SECONDS[1]),
            _ => (Outcome::P2Win, SECONDS[0]),
        };
        // In the second game of a pair the first engine is p2.
        let (players, outcome) = match (number % 2, outcome) {
            (1, outcome) => ([0, 1], outcome),
            (_, Outcome::P1Win) => ([1, 0], Outcome::P2Win),
            (_, Outcome::P2Win) => ([1, 0], Outcome::P1Win),
            (_, outcome) => ([1, 0], outcome),
        };
        let (reason, guilty, unstarted, plies) = (Reason::Rules, None, false, 50);
        played
            .games
            .insert(number, Finished { players, outcome, reason, guilty, unstarted, plies });
        played.seconds += seconds;
    }
    played
}

/// What is done with batches.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    /// They count in the order of their numbers, as in a match.
    Numbers,
    /// They count in the order in which they are finished, for comparison.
    Arrival,
}

/// What may happen.
#[derive(Clone, Copy)]
struct Setting {
    order: Order,
    /// A replayed batch ends as it did before, as with searches of fixed nodes. Otherwise it is played afresh.
    same_again: bool,
    /// Seconds after which a runner dies or falls silent, on average.
    failure: f64,
    speeds: &'static [f64],
}

struct Runner {
    name: String,
    /// The batch in play: its number, the attempt, its games, and the seconds of work that are left.
    job: Option<(u64, u32, Batch, f64)>,
    /// The time until which the runner is silent; its work goes on.
    silent_until: u64,
    beats: u64,
}

struct Simulation {
    setting: Setting,
    elo: f64,
    random: ChaCha8Rng,
    seed: u64,
    runners: Vec<Runner>,
    /// Names of dead runners never beat again.
    born: usize,
    claims: Claims,
    watch: Watch,
    ledger: Ledger,
    /// The next number, where batches count as they arrive.
    arrived: u64,
    replayed: u64,
    discarded: u64,
}

impl Simulation {
    fn new(setting: Setting, elo: f64, seed: u64) -> Self {
        let mut simulation = Self {
            setting,
            elo,
            random: ChaCha8Rng::seed_from_u64(seed),
            seed,
            runners: Vec::new(),
            born: 0,
            claims: Claims::default(),
            watch: Watch::new(TIMEOUT),
            ledger: Ledger::new(Some(TEST), BATCHES, 2),
            arrived: 0,
            replayed: 0,
            discarded: 0,
        };
        simulation.runners = setting.speeds.iter().map(|_| simulation.newcomer()).collect();
        simulation
    }

    fn newcomer(&mut self) -> Runner {
        self.born += 1;
        Runner { name: self.born.to_string(), job: None, silent_until: 0, beats: 0 }
    }

    /// Runs to the decision.
    fn run(&mut self) -> Option<Decision> {
        for now in (0..).step_by(TICK as usize) {
            for at in 0..self.runners.len() {
                self.step(at, now);
                if self.ledger.end().is_some() {
                    return self.ledger.decision();
                }
            }
        }
        None
    }

    fn step(&mut self, at: usize, now: u64) {
        if chance(&mut self.random) < TICK as f64 / self.setting.failure {
            if self.random.next_u64().is_multiple_of(2) {
                self.runners[at] = self.newcomer();
            } else {
                self.runners[at].silent_until = now + 3 * TIMEOUT.as_secs();
            }
        }
        self.watch(now);
        let runner = &mut self.runners[at];
        if now >= runner.silent_until {
            runner.beats += 1;
        }
        if let Some((.., left)) = &mut runner.job {
            *left -= TICK as f64 * self.setting.speeds[at];
            if *left > 0.0 {
                return;
            }
        }
        if let Some((batch, attempt, played, _)) = runner.job.take() {
            self.finish(batch, attempt, played);
        }
        self.claim(at);
    }

    fn watch(&mut self, now: u64) {
        let names: Vec<String> = self.claims.runners().into_iter().map(str::to_owned).collect();
        for name in names {
            // A killed runner leaves its last heartbeat behind.
            let beats = self.runners.iter().find(|runner| runner.name == name);
            let beat = beats.map_or_else(|| "dead".to_owned(), |runner| runner.beats.to_string());
            self.watch.see(&name, Pulse::Beat(beat), Duration::from_secs(now));
        }
    }

    fn finish(&mut self, batch: u64, attempt: u32, played: Batch) {
        if !self.ledger.is_open(batch) || self.claims.attempt(batch) != attempt {
            self.discarded += 1;
            return;
        }
        let number = match self.setting.order {
            Order::Numbers => batch,
            Order::Arrival => {
                self.arrived += 1;
                self.arrived
            }
        };
        if self.setting.order == Order::Numbers {
            self.claims.forget(batch);
        }
        self.ledger.add(number, renumbered(played.games, batch, number));
    }

    fn claim(&mut self, at: usize) {
        let own = self.runners[at].name.clone();
        let is_lost = |name: &str| name != own && self.watch.is_lost(name);
        let finished = self.ledger.finished();
        let next = match self.setting.order {
            Order::Numbers => self.claims.next(self.ledger.open(), is_lost, finished),
            Order::Arrival => self.claims.next(1..=BATCHES, |_| false, 0),
        };
        let Some((batch, attempt)) = next else { return };
        self.replayed += u64::from(attempt > 1);
        self.claims.note(batch, Claim { attempt, runner: own }, finished);
        let again = if self.setting.same_again { 0 } else { u64::from(attempt - 1) };
        let played = play(&mut dice(self.seed, batch, again), batch, self.elo);
        let seconds = played.seconds;
        self.runners[at].job = Some((batch, attempt, played, seconds));
    }
}

/// The randomness of a batch.
fn dice(seed: u64, batch: u64, again: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64((seed << 24) + (again << 16) + batch)
}

/// The games of a batch as those of another one.
fn renumbered(games: Games, from: u64, to: u64) -> Games {
    let moved = |number: u64| number + 2 * PAIRS * to - 2 * PAIRS * from;
    games.into_iter().map(|(number, game)| (moved(number), game)).collect()
}

/// The decision of one runner that plays the batches in order, and the batches that it takes.
fn alone(elo: f64, seed: u64) -> (Option<Decision>, u64) {
    let mut ledger = Ledger::new(Some(TEST), BATCHES, 2);
    for batch in 1..=BATCHES {
        ledger.add(batch, play(&mut dice(seed, batch, 0), batch, elo).games);
        if ledger.end().is_some() {
            break;
        }
    }
    (ledger.decision(), ledger.counted())
}

const USUAL: Setting =
    Setting { order: Order::Numbers, same_again: true, failure: 3000.0, speeds: &SPEEDS };

#[test]
fn the_decision_is_that_of_one_runner_whoever_dies_and_whatever_takes_long() {
    let (mut replayed, mut discarded) = (0, 0);
    let starved = Setting { speeds: &WITH_A_STARVED_ONE, ..USUAL };
    for seed in 0..40 {
        for (elo, setting) in [(TEST.elo0, USUAL), (TEST.elo1, starved)] {
            let mut shared = Simulation::new(setting, elo, seed);
            let decision = shared.run();
            assert_eq!((decision, shared.ledger.counted()), alone(elo, seed), "seed {seed}");
            replayed += shared.replayed;
            discarded += shared.discarded;
        }
    }
    assert!(replayed > 50 && discarded > 50, "{replayed} batches were replayed");
}

/// A runner that hardly gets any time holds up the decision for a while, and not until its batch is played.
#[test]
fn a_starved_runner_does_not_hold_up_the_decision() {
    let starved = Setting { speeds: &[0.001, 1.0, 1.0], failure: f64::INFINITY, ..USUAL };
    for seed in 0..10 {
        let mut shared = Simulation::new(starved, TEST.elo1, seed);
        shared.run();
        let (counted, finished) = (shared.ledger.counted(), shared.ledger.finished());
        assert!(shared.replayed > 0 && finished - counted < 60, "{counted} of {finished} count");
    }
}

/// Run by hand.
mod by_hand {
    use super::*;

    /// The table of docs/machines.md: `cargo test -p leap-match error_rates -- --ignored --nocapture`.
    #[test]
    #[ignore = "a measurement: it takes minutes"]
    #[expect(clippy::print_stdout, reason = "the rates are looked at, not asserted")]
    fn error_rates() {
        const TESTS: u64 = 10_000;
        let fresh = Setting { same_again: false, ..USUAL };
        let rare = Setting { failure: 30_000.0, ..fresh };
        let arrival = Setting { order: Order::Arrival, failure: f64::INFINITY, ..USUAL };
        for (name, setting) in [
            ("one runner", None),
            ("several runners", Some(USUAL)),
            ("other games when replayed, rare failures", Some(rare)),
            ("other games when replayed", Some(fresh)),
            ("in the order of arrival", Some(arrival)),
        ] {
            let (mut wrong, mut batches, mut replayed) = ([0; 2], 0, 0);
            for seed in 0..TESTS {
                for (at, (elo, right)) in
                    [(TEST.elo0, Decision::H0), (TEST.elo1, Decision::H1)].into_iter().enumerate()
                {
                    let decision = match setting {
                        None => alone(elo, seed).0,
                        Some(setting) => {
                            let mut shared = Simulation::new(setting, elo, seed);
                            let decision = shared.run();
                            batches += shared.ledger.counted();
                            replayed += shared.replayed;
                            decision
                        }
                    };
                    wrong[at] += u64::from(decision != Some(right));
                }
            }
            let percent = |count: u64, of: u64| 100.0 * count as f64 / of.max(1) as f64;
            let [positives, negatives] = wrong.map(|wrong| percent(wrong, TESTS));
            println!(
                "{name}: {positives:.2} % false positives, {negatives:.2} % false negatives, \
             {:.1} % of the batches replayed",
                percent(replayed, batches)
            );
        }
    }
}
