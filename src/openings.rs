//! `leapd openings`: balanced openings for matches, made by the engine itself.
//!
//! A candidate is a position after a few random moves. It must be undecided and near equality. Then the engine plays it
//! out against itself. Openings are chosen by who wins: as many for player 1 as for player 2, in turn.
//!
//! A score alone would not do. In some games one player wins nearly always from the start position, whatever the score.
//!
//! The arguments alone decide the result, not the number of threads.

use std::collections::{HashSet, VecDeque};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;

use anyhow::{Context, Result, bail, ensure};
use indicatif::ProgressBar;

use crate::candidates::{TABLE_MIB, begun, choose_among, is_balanced, random};
use crate::usage::{self, positive};
use leap_core::symmetry::identity;
use leap_core::{BySide, Game, GameResult, Position, Side};
use leap_search::{Limits, Playable, TranspositionTable, search_quietly};

/// How many candidates in a row may fail before the program gives up.
const PATIENCE: u32 = 5_000;

/// What openings are wanted
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// How many openings
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = positive::<usize>())]
    pub count: usize,
    /// How many random moves lead to an opening, from A to B [default: depends on the game]
    #[arg(long, value_name = "A..B", value_parser = usage::range)]
    pub plies: Option<RangeInclusive<u32>>,
    /// The most that a player may be ahead, in centipawns [default: depends on the game]
    #[arg(long, value_name = "CP")]
    pub margin: Option<u32>,
    /// Nodes of the search that tells how far a player is ahead
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = positive::<u64>())]
    pub nodes: u64,
    /// Nodes of each move of the game that tells who wins
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = positive::<u64>())]
    pub game_nodes: u64,
    /// Keeps an opening only if either player wins it against one with an N-th of the nodes; 1 plays no such games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = positive::<u64>())]
    pub odds: u64,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Threads, on which the openings do not depend [default: one for each processor]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
}

impl Arguments {
    /// How many random moves lead to an opening, and the most that a player may be ahead: by default those of the game.
    fn figures<R: Playable>(&self) -> (RangeInclusive<u32>, u32) {
        (self.plies.clone().unwrap_or(R::OPENING_PLIES), self.margin.unwrap_or(R::OPENING_MARGIN))
    }
}

/// A chosen opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The position text.
    pub text: String,
    /// How the engine's game against itself ended.
    pub result: GameResult,
}

/// How many openings player 1 won, nobody won and player 2 won.
#[must_use]
pub fn tally(openings: &[Opening]) -> [usize; 3] {
    let count = |result| openings.iter().filter(|opening| opening.result == result).count();
    [GameResult::Win(Side::One), GameResult::Draw, GameResult::Win(Side::Two)].map(count)
}

/// The lines of a file of openings: how they were made, then a position text each.
#[must_use]
pub fn lines<R: Playable>(wanted: &Arguments, openings: &[Opening]) -> Vec<String> {
    let Arguments { count, nodes, game_nodes, odds, seed, .. } = wanted;
    let (plies, margin) = wanted.figures::<R>();
    let game = R::ID;
    let (least, most) = (plies.start(), plies.end());
    let odds = if *odds > 1 { format!(" --odds {odds}") } else { String::new() };
    let [one, drawn, two] = tally(openings);
    let head = [
        format!(
            "# leapd openings {game} --count {count} --plies {least}..{most} --margin {margin} --nodes {nodes} \
             --game-nodes {game_nodes}{odds} --seed {seed}"
        ),
        format!(
            "# leapd against itself: won by player 1 {one}, drawn {drawn}, won by player 2 {two}"
        ),
    ];
    head.into_iter().chain(openings.iter().map(|opening| opening.text.clone())).collect()
}

/// Makes openings of a game under its default rules; counts them on `progress`.
///
/// ```
/// use indicatif::ProgressBar;
/// use leap_games::alquerque::Alquerque;
/// use leapd::openings::{Arguments, make};
///
/// let wanted = Arguments {
///     count: 2, plies: None, margin: None, nodes: 100, game_nodes: 20, odds: 1, seed: 1, threads: None,
/// };
/// let openings = make::<Alquerque>(&wanted, &ProgressBar::hidden())?;
/// assert_eq!(openings.len(), 2);
/// assert_ne!(openings[0].result, openings[1].result);
/// # Ok::<(), anyhow::Error>(())
/// ```
///
/// # Errors
/// There are fewer than wanted, or memory or threads are not available.
pub fn make<R: Playable>(wanted: &Arguments, progress: &ProgressBar) -> Result<Vec<Opening>> {
    let (plies, margin) = wanted.figures::<R>();
    let workshop = Workshop { rules: R::default(), plies, margin, wanted };
    let make = |number| workshop.candidate(number);
    choose_among(wanted.threads, make, |candidates| workshop.choose(candidates, progress))
}

/// A position that may become an opening.
struct Candidate {
    opening: Opening,
    /// Equal for all images of the position.
    identity: String,
}

/// Makes the openings of one game.
struct Workshop<'a, R> {
    rules: R,
    plies: RangeInclusive<u32>,
    margin: u32,
    wanted: &'a Arguments,
}

impl<R: Playable> Workshop<'_, R> {
    /// The candidate with this number, if its position qualifies.
    fn candidate(&self, number: u64) -> Result<Option<Candidate>> {
        let mut random = random(self.wanted.seed, number);
        let Some(game) = begun(&self.rules, &self.plies, &mut random) else {
            return Ok(None);
        };
        let is_open = is_balanced(&game, self.wanted.nodes, self.margin)?;
        if !(is_open && self.is_contested(&game)?) {
            return Ok(None);
        }
        let (rules, position) = (game.rules(), game.current());
        let (text, identity) = (rules.print_position(position), identity(rules, position));
        let nodes = self.wanted.game_nodes;
        let opening = Opening { text, result: self.play_out(game, BySide::new(nodes, nodes))? };
        Ok(Some(Candidate { opening, identity }))
    }

    /// Whether the stronger player wins, with either colour. Otherwise the opening decides, and not the players.
    fn is_contested(&self, game: &Game<R>) -> Result<bool> {
        let Arguments { game_nodes, odds, .. } = *self.wanted;
        if odds <= 1 {
            return Ok(true);
        }
        for strong in Side::BOTH {
            let nodes = |side| if side == strong { game_nodes } else { (game_nodes / odds).max(1) };
            let result = self.play_out(game.clone(), BySide::from_fn(nodes))?;
            if result != GameResult::Win(strong) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The result of a game of the engine against itself, with this many nodes for each move of a side.
    fn play_out(&self, mut game: Game<R>, nodes: BySide<u64>) -> Result<GameResult> {
        let equal = nodes[Side::One] == nodes[Side::Two];
        let tables =
            BySide::new(TranspositionTable::new(TABLE_MIB)?, TranspositionTable::new(TABLE_MIB)?);
        loop {
            if let Some(outcome) = game.outcome() {
                return Ok(outcome.result);
            }
            let side = game.current().side();
            // Only equal players may learn from each other.
            let table = &tables[if equal { Side::One } else { side }];
            table.new_search();
            let limits = Limits::nodes(nodes[side]);
            let answer = search_quietly(&game, &limits, table);
            if let Some(winner) = answer.winner(side) {
                return Ok(GameResult::Win(winner));
            }
            game.push(answer.best.context("the search found no move")?);
        }
    }

    /// Takes candidates until there are as many openings as wanted.
    fn choose(
        &self,
        candidates: impl Iterator<Item = Result<Option<Candidate>>>,
        progress: &ProgressBar,
    ) -> Result<Vec<Opening>> {
        let count = self.wanted.count;
        let mut shelf = Shelf::default();
        let mut idle = 0;
        for (candidate, tried) in candidates.zip(1..) {
            let is_longer = candidate?.is_some_and(|candidate| shelf.put(candidate));
            idle = if is_longer { 0 } else { idle + 1 };
            progress.set_position(shelf.chosen.len() as u64);
            progress.set_message(format!(" from {tried} positions"));
            if shelf.chosen.len() >= count {
                shelf.chosen.truncate(count);
                return Ok(shelf.chosen);
            }
            ensure!(
                idle < PATIENCE,
                "found {} of {count} openings, then none in {PATIENCE} positions with --margin {} and --plies {}..{}; a \
                 wider --margin or other --plies may help",
                shelf.chosen.len(),
                self.margin,
                self.plies.start(),
                self.plies.end()
            );
        }
        bail!("a thread that makes openings has failed")
    }
}

/// The openings chosen so far, and the candidates that wait for a counterpart.
#[derive(Default)]
struct Shelf {
    seen: HashSet<String>,
    won: BySide<VecDeque<Opening>>,
    drawn: VecDeque<Opening>,
    chosen: Vec<Opening>,
}

impl Shelf {
    /// Adds a candidate. Returns whether openings were chosen.
    ///
    /// A win for player 1 is chosen together with a win for player 2, and with a draw if there is one.
    fn put(&mut self, Candidate { opening, identity }: Candidate) -> bool {
        if !self.seen.insert(identity) {
            return false;
        }
        match opening.result {
            GameResult::Win(side) => self.won[side].push_back(opening),
            GameResult::Draw => self.drawn.push_back(opening),
        }
        if Side::BOTH.iter().any(|side| self.won[*side].is_empty()) {
            return false;
        }
        let decided = Side::BOTH.map(|side| self.won[side].pop_front());
        self.chosen.extend(decided.into_iter().chain([self.drawn.pop_front()]).flatten());
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_an_opening_are_not_chosen_beside_it() {
        let candidate = |identity: &str, winner| Candidate {
            opening: Opening { text: identity.to_owned(), result: GameResult::Win(winner) },
            identity: identity.to_owned(),
        };
        let mut shelf = Shelf::default();
        assert!(!shelf.put(candidate("a", Side::One)));
        assert!(!shelf.put(candidate("a", Side::Two)), "the same position");
        assert!(shelf.put(candidate("b", Side::Two)));
        assert_eq!(shelf.chosen.len(), 2);
    }
}
