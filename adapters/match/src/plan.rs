//! The plan of a match: the numbered list of games, the same on every machine. Pure: no process is started here.

pub mod args;
pub mod config;
pub mod limit;
pub(crate) mod opening;
pub(crate) mod resolve;
mod schedule;

use std::path::Path;

use anyhow::{Context as _, ensure};
use leap_base::files;
use sha2::{Digest, Sha256};

use args::{MAX_CONFIG_BYTES, MatchArgs};
use config::{Config, TournamentFormat};
use opening::{Book, hex};
use schedule::knockout::{self, Bracket};
use schedule::{PairingResult, next_round};

/// Hashed before the configuration, so that plans of other versions of this module have other hashes.
const HASH_PREFIX: &[u8] = b"leap plan 1\n";

/// The most attempts at a game that ends void.
pub const MOST_ATTEMPTS: u32 = 3;

/// One game of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScheduledGame {
    /// The number, from 1. Games `2n-1` and `2n` are pair `n`.
    pub(crate) number: u64,
    /// The round, from 1.
    pub(crate) round: u64,
    /// Who plays p1 and p2, as indices of `Config::engines`.
    pub(crate) players: [usize; 2],
    /// The number of its opening, from 0.
    pub(crate) opening: u64,
}

impl ScheduledGame {
    /// The pair of games that this one belongs to, from 1.
    pub(crate) fn pair(&self) -> u64 {
        self.number.div_ceil(2)
    }
}

/// A pairing, with the number of its first pair of games.
type Planned = ([usize; 2], u64);

/// The plan of a match, with the rounds whose games are known.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    format: TournamentFormat,
    engines: usize,
    rounds: u64,
    /// Games of each pairing.
    games_each: u64,
    /// Every game has an opening of its own.
    singly: bool,
    /// The pairings of each round; there is at least one round.
    known: Vec<Vec<Planned>>,
    next_pair: u64,
}

/// A limit that no match reaches: it keeps the numbers far from overflow and the memory small.
const MOST_GAMES: u64 = 10_000_000;

impl Plan {
    /// The plan of a match. If pairings depend on results, only its first round is known at the start.
    pub(crate) fn new(config: &Config) -> anyhow::Result<Self> {
        let mut plan = Self {
            format: config.format,
            engines: config.engines.len(),
            rounds: config.rounds,
            games_each: config.games,
            singly: config.openings.singly,
            known: Vec::new(),
            next_pair: 1,
        };
        let most = config.games.saturating_mul(config.rounds);
        let most = most.saturating_mul((plan.engines * plan.engines) as u64);
        ensure!(most <= MOST_GAMES, "expected at most {MOST_GAMES} games, found {most}");
        // If rounds do not depend on results, all are like the first.
        let known = if plan.format.follows_results() { 1 } else { plan.rounds };
        for _ in 0..known {
            plan.add_round(&[]);
        }
        Ok(plan)
    }

    /// The known games.
    pub(crate) fn games(&self) -> impl Iterator<Item = ScheduledGame> + '_ {
        (0..self.known.len()).flat_map(|round| self.games_of_round(round))
    }

    fn games_of_round(&self, round: usize) -> impl Iterator<Item = ScheduledGame> + '_ {
        self.known[round].iter().flat_map(move |pairing| {
            (0..self.games_each).map(move |index| self.game_of_pairing(round, pairing, index))
        })
    }

    /// A game of a pairing, by its index from 0.
    fn game_of_pairing(&self, round: usize, pairing: &Planned, index: u64) -> ScheduledGame {
        let ([a, b], first) = *pairing;
        let each = if self.singly { 1 } else { 2 };
        ScheduledGame {
            number: 2 * (first + index / 2) - 1 + index % 2,
            round: round as u64 + 1,
            players: if index.is_multiple_of(2) { [a, b] } else { [b, a] },
            // All pairings of a round use the same openings.
            opening: round as u64 * self.games_each.div_ceil(each) + index / each,
        }
    }

    /// The game with this number, if it is known.
    pub(crate) fn game(&self, number: u64) -> Option<ScheduledGame> {
        let pair = number.div_ceil(2);
        let begun = |first: u64| first <= pair;
        let round = self.known.partition_point(|round| begun(round[0].1)).checked_sub(1)?;
        let pairings = &self.known[round];
        let pairing = pairings.partition_point(|(_, first)| begun(*first)).checked_sub(1)?;
        let pairing = &pairings[pairing];
        let index = number - (2 * pairing.1 - 1);
        (index < self.games_each).then(|| self.game_of_pairing(round, pairing, index))
    }

    /// The number of games of the whole plan, if it does not depend on results.
    pub(crate) fn total(&self) -> Option<u64> {
        (!self.format.follows_results()).then(|| self.games().count() as u64)
    }

    /// The number of pairs of games that are known. They are numbered from 1 without a gap.
    pub(crate) fn pairs(&self) -> u64 {
        self.next_pair - 1
    }

    /// Adds the next round according to the results; returns whether there is one. `half_points` gives those of a
    /// game's p1 and p2, and must know all games so far.
    pub(crate) fn extend(&mut self, half_points: impl Fn(u64) -> [u32; 2]) -> bool {
        if !self.format.follows_results() {
            return false;
        }
        let played: Vec<Vec<PairingResult>> =
            (0..self.known.len()).map(|round| self.results(round, &half_points)).collect();
        self.add_round(&played)
    }

    fn results(&self, round: usize, half_points: impl Fn(u64) -> [u32; 2]) -> Vec<PairingResult> {
        let mut results: Vec<PairingResult> = self.known[round]
            .iter()
            .map(|(engines, _)| PairingResult { engines: *engines, half_points: [0, 0] })
            .collect();
        let games: Vec<ScheduledGame> = self.games_of_round(round).collect();
        for (met, games) in results.iter_mut().zip(games.chunks(self.games_each as usize)) {
            for game in games {
                let [p1, p2] = half_points(game.number);
                let swapped = game.players[0] != met.engines[0];
                met.half_points[usize::from(swapped)] += p1;
                met.half_points[usize::from(!swapped)] += p2;
            }
        }
        results
    }

    fn add_round(&mut self, played: &[Vec<PairingResult>]) -> bool {
        let Some(pairings) = next_round(self.format, self.engines, self.rounds, played) else {
            return false;
        };
        let pairs = self.games_each.div_ceil(2);
        let round = pairings.into_iter().map(|engines| {
            let first = self.next_pair;
            self.next_pair += pairs;
            (engines, first)
        });
        self.known.push(round.collect());
        true
    }
}

/// What a knockout has decided; `None` in another format. `half_points` gives those of p1 and p2 of a game that has
/// ended for good.
pub(crate) fn bracket(
    config: &Config,
    half_points: impl Fn(u64) -> Option<[u32; 2]>,
) -> Option<Bracket> {
    let mut plan = match config.format {
        TournamentFormat::Knockout => Plan::new(config).ok()?,
        _ => return None,
    };
    let mut played = Vec::new();
    let is_over = |game: ScheduledGame| half_points(game.number).is_some();
    while plan.games_of_round(played.len()).all(is_over) {
        played.push(plan.results(played.len(), |game| half_points(game).unwrap_or_default()));
        if !plan.add_round(&played) {
            break;
        }
    }
    Some(knockout::bracket(plan.engines, &played))
}

/// What is played in a match.
#[derive(Clone, Debug)]
pub(crate) struct Match {
    pub(crate) config: Config,
    /// The hash of the plan.
    pub(crate) hash: String,
    pub(crate) plan: Plan,
    pub(crate) book: Option<Book>,
}

impl Match {
    pub(crate) fn new(config: Config, book: Option<Book>) -> anyhow::Result<Self> {
        config.check()?;
        let (hash, plan) = (hash(&config)?, Plan::new(&config)?);
        Ok(Self { config, hash, plan, book })
    }

    /// What arguments define. The openings are read once, since a pipe can be read once.
    pub(crate) fn of(args: &MatchArgs) -> anyhow::Result<Self> {
        let mut config = match &args.plan_file {
            Some(path) => plan_file(path)?,
            None => resolve::config(args.plan.clone())?,
        };
        let book = read_book(&config)?;
        config.openings.sha256 = book.as_ref().map(|book| book.sha256.clone());
        Self::new(config, book)
    }
}

fn plan_file(path: &Path) -> anyhow::Result<Config> {
    let text = files::read(path, MAX_CONFIG_BYTES)
        .with_context(|| format!("cannot read {}", path.display()))?;
    let cannot = || format!("in {}", path.display());
    let config: Config = serde_json::from_slice(&text).with_context(cannot)?;
    config.check().with_context(cannot)?;
    Ok(config)
}

/// The book of openings, if there is one. It must be the one of the plan, if the plan has begun.
pub(crate) fn read_book(config: &Config) -> anyhow::Result<Option<Book>> {
    let Some(path) = &config.openings.file else { return Ok(None) };
    let book = Book::read(path, config.book_seed())?;
    ensure!(
        config.openings.sha256.as_ref().is_none_or(|expected| *expected == book.sha256),
        "{}: expected the openings that the plan began with, found others",
        path.display()
    );
    Ok(Some(book))
}

/// The identity of a plan: 64 hexadecimal digits.
pub(crate) fn hash(config: &Config) -> anyhow::Result<String> {
    let mut hasher = Sha256::new();
    hasher.update(HASH_PREFIX);
    hasher.update(serde_json::to_vec(config)?);
    Ok(hex(&hasher.finalize()))
}

/// For tests: a match without a referee between this many engines, `e0`, `e1`, ..., with these lines of TOML.
#[cfg(test)]
pub(crate) fn config_of(engines: usize, lines: &str) -> Config {
    let toml: String = (0..engines).map(|i| format!("[[engine]]\ncmd = 'e{i}'\n")).collect();
    let args = toml::from_str(&format!("referee = 'none'\n{lines}\n{toml}"));
    resolve::config(args.expect("arguments")).expect("a match")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(engines: usize, games: u64, rounds: u64, format: TournamentFormat) -> Plan {
        let config = config_of(engines, &format!("games = {games}\nrounds = {rounds}"));
        Plan::new(&Config { format, ..config }).unwrap()
    }

    #[test]
    fn pairs_have_one_opening_and_both_sides() {
        let plan = plan(3, 4, 2, TournamentFormat::RoundRobin);
        let games: Vec<ScheduledGame> = plan.games().collect();
        assert_eq!(games.len(), 24);
        assert_eq!(plan.total(), Some(24));
        for (index, two) in games.chunks(2).enumerate() {
            assert_eq!(
                [two[0].number, two[1].number],
                [2 * index as u64 + 1, 2 * index as u64 + 2]
            );
            assert_eq!(two[0].opening, two[1].opening);
            assert_eq!(two[0].players, [two[1].players[1], two[1].players[0]]);
        }
        assert_eq!(games.iter().map(|game| game.opening).max(), Some(3));
    }

    #[test]
    fn games_that_share_no_openings_still_change_sides() {
        let mut config = config_of(2, "games = 4\nrounds = 2");
        config.openings.singly = true;
        let games: Vec<ScheduledGame> = Plan::new(&config).unwrap().games().collect();
        assert!(games.iter().map(|game| game.opening).eq(0..8));
        assert_eq!(games[0].players, [games[1].players[1], games[1].players[0]]);
    }

    #[test]
    fn an_odd_number_of_games_leaves_half_a_pair() {
        let plan = plan(2, 3, 2, TournamentFormat::RoundRobin);
        let numbers: Vec<u64> = plan.games().map(|game| game.number).collect();
        assert_eq!(numbers, [1, 2, 3, 5, 6, 7]);
    }

    #[test]
    fn a_plan_of_many_rounds_is_made_at_once() {
        let plan = plan(2, 1, 1_000_000, TournamentFormat::Gauntlet);
        assert_eq!(plan.games().count(), 1_000_000);
    }

    #[test]
    fn games_are_found_by_their_number() {
        for (engines, games, rounds) in [(2, 1, 3), (2, 3, 2), (4, 2, 1), (5, 7, 3)] {
            let plan = plan(engines, games, rounds, TournamentFormat::RoundRobin);
            let all: Vec<ScheduledGame> = plan.games().collect();
            let last = all.last().unwrap().number;
            let found: Vec<ScheduledGame> =
                (0..last + 9).filter_map(|number| plan.game(number)).collect();
            assert_eq!(found, all);
            assert_eq!(plan.game(u64::MAX), None);
        }
    }

    #[test]
    fn rounds_of_a_knockout_follow_from_results() {
        let mut plan = plan(4, 2, 1, TournamentFormat::Knockout);
        assert_eq!(plan.total(), None);
        // p1 wins the first game of each pair and the second is drawn, so the first engine of each pairing wins.
        let points = |game: u64| if game % 2 == 1 { [2, 0] } else { [1, 1] };
        assert!(plan.extend(points));
        let last: Vec<ScheduledGame> = plan.games().skip(4).collect();
        assert_eq!(last.iter().map(|game| game.players).collect::<Vec<_>>(), [[0, 1], [1, 0]]);
        assert!(!plan.extend(points));
    }

    #[test]
    fn the_hash_changes_with_what_is_played() {
        let one = config_of(2, "");
        let other = Config { seed: 2, ..one.clone() };
        assert_eq!(hash(&one).unwrap(), hash(&one.clone()).unwrap());
        assert_ne!(hash(&one).unwrap(), hash(&other).unwrap());
        assert_eq!(hash(&one).unwrap().len(), 64);
    }
}
