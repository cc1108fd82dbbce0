//! Every forced win that the search announces is one, and `go mate` misses none.
//!
//! Both are compared with exhaustion by the rules, which counts repetitions over the whole game.

use std::collections::HashMap;

use leap_core::notation::Notation;
use leap_core::{Game, GameResult, Key, Position, RulesExt, Side};
use leap_games::alquerque::Alquerque;
use leap_games::games;
use leap_search::{Limits, Playable, TranspositionTable, Value, search_quietly};
use leap_toys::boards::Pieces;
use leap_toys::random::below;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// How many positions exhaustion may look at for one answer; where that is too few, nothing is compared.
const PLENTY: u64 = 4_000;
/// How many nodes a search may visit; one that needs more may miss a win.
const NODES: u64 = 100_000;
/// Moves of a game whose positions are searched.
const MOVES: usize = 12;
/// The longest wins that are looked for, in moves.
const LONGEST: u32 = 5;

/// Forced wins by exhaustion.
struct Exhaustion {
    left: u64,
    /// By position, history, plies and winner.
    known: HashMap<(Key, Key, u32, Side), bool>,
}

/// The positions of a game with how often each has occurred, in any order.
fn history<R: Playable>(game: &Game<R>) -> Key {
    let scattered = |position: &R::Position| position.key().wrapping_mul(0x9E37_79B9_7F4A_7C15);
    game.positions().iter().map(scattered).fold(0, Key::wrapping_add)
}

impl Exhaustion {
    fn new() -> Self {
        Self { left: PLENTY, known: HashMap::new() }
    }

    /// Whether a side wins by force within so many plies; `None` if that takes too long to find out.
    fn wins<R: Playable>(&mut self, game: &mut Game<R>, winner: Side, plies: u32) -> Option<bool> {
        if let Some(outcome) = game.outcome() {
            return Some(outcome.result == GameResult::Win(winner));
        }
        if plies == 0 {
            return Some(false);
        }
        self.left = self.left.checked_sub(1)?;
        // Equal histories have equally many plies, so the limits of the rules are equally far away.
        let key = (game.current().key(), history(game), plies, winner);
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        let decisive = game.current().side() == winner;
        let mut won = !decisive;
        for mv in game.legal_moves() {
            game.push(mv);
            let child = self.wins(game, winner, plies - 1);
            game.undo(1);
            if child? == decisive {
                won = decisive;
                break;
            }
        }
        self.known.insert(key, won);
        Some(won)
    }
}

/// What was compared.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    searches: u32,
    /// Wins and losses that the search announced.
    announced: u32,
    /// Searches that exhaustion could not judge.
    unjudged: u32,
}

/// A sparse board with few pieces on which the game goes on.
fn composed<R: Playable>(rules: &R, rng: &mut ChaCha8Rng) -> R::Position {
    let pieces = R::DIAGRAM.pieces.iter().map(|piece| piece.piece.to_string()).collect();
    let pieces =
        Pieces { files: R::GEOMETRY.files.into(), ranks: R::GEOMETRY.ranks.into(), pieces };
    let start = rules.print_position(&rules.start());
    let fields: Vec<&str> = start.split(' ').collect();
    let squares = pieces.files * pieces.ranks;
    loop {
        let density = 100 * (3 + below(rng, 5)) / squares;
        let side = 1 + below(rng, 2);
        let board = pieces.board(rng, density.max(3));
        let position = rules.parse_position(&format!("{board} {side} {} 0 20", fields[2]));
        if let Some(position) = position.ok().filter(|position| rules.outcome(position).is_none()) {
            return position;
        }
    }
}

/// Makes a random move. Where it can, every other one brings back a position of the game.
fn shuffle<R: Playable>(game: &mut Game<R>, rng: &mut ChaCha8Rng) {
    let moves = game.legal_moves();
    let repeats = |mv: &R::Move| {
        let child = game.rules().after(game.current(), *mv);
        game.occurrences(&child) > 0
    };
    let back: Vec<R::Move> = moves.iter().copied().filter(repeats).collect();
    let among = if back.is_empty() || below(rng, 2) == 0 { &moves } else { &back };
    game.push(among[below(rng, among.len())]);
}

fn check<R: Playable>(
    game: &Game<R>,
    limits: &Limits<R::Move>,
    table: &TranspositionTable,
    seen: &mut Seen,
) {
    table.new_search();
    let answer = search_quietly(game, limits, table);
    let side = game.current().side();
    let announced = match answer.score.value() {
        Value::Mate(moves) => {
            Some((if moves > 0 { side } else { side.other() }, moves.unsigned_abs()))
        }
        Value::Cp(_) => None,
    };
    let text = || {
        let mut rules = game.clone();
        while rules.undo(1) {}
        let moves = game.moves().iter().map(|mv| {
            let text = rules.rules().print_move(rules.current(), *mv);
            rules.push(*mv);
            text
        });
        let start = game.rules().print_position(&game.positions()[0]);
        format!(
            "{start} moves {}; {limits:?}: {:?}",
            moves.collect::<Vec<_>>().join(" "),
            answer.score.value()
        )
    };
    seen.searches += 1;
    seen.announced += u32::from(announced.is_some());
    let mut exhaustion = Exhaustion::new();
    let mut record_now = game.clone();
    let mut is_won = |winner, plies| exhaustion.wins(&mut record_now, winner, plies);
    let judged = match (announced, limits.mate) {
        (Some((winner, moves)), _) => is_won(winner, 2 * moves).map(|won| {
            assert!(won, "no such win: {}", text());
        }),
        (None, Some(_)) if answer.nodes >= NODES => None,
        (None, Some(moves)) => is_won(side, 2 * moves).map(|won| {
            assert!(!won, "missed: {}", text());
        }),
        (None, None) => Some(()),
    };
    seen.unjudged += u32::from(judged.is_none());
}

/// Searches positions of random games, each game with one table.
pub(crate) fn compare<R: Playable>(games: u64) -> Seen {
    let mut seen = Seen::default();
    let table = TranspositionTable::new(1).unwrap();
    for rules in R::variants() {
        for seed in 0..games {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let position = composed(&rules, &mut rng);
            let mut game = Game::new(rules.clone(), position);
            table.clear();
            for _ in 0..MOVES {
                if game.outcome().is_some() {
                    break;
                }
                let mate = Some(1 + below(&mut rng, LONGEST as usize) as u32);
                let depth = Limits::depth(2 + below(&mut rng, 8) as u32);
                for limits in [Limits { mate, ..Limits::default() }, depth] {
                    let limits = Limits { nodes: Some(NODES), ..limits };
                    check(&game, &limits, &table, &mut seen);
                }
                shuffle(&mut game, &mut rng);
            }
        }
    }
    seen
}

#[test]
fn announced_wins_are_forced_and_none_is_missed() {
    fn check<R: Playable>() {
        let seen = compare::<R>(leap_testing::tried(3).into());
        assert!(seen.announced > 0, "{seen:?}");
    }
    games!(check());
}

#[test]
fn a_win_that_assumes_that_the_loser_repeats_is_not_announced() {
    let rules = Alquerque::default();
    let position = rules.parse_position("1m3/5/M4/5/1m3 2 - 1 21").unwrap();
    let game = Game::new(rules, position);
    let mate = |moves| Limits { mate: Some(moves), ..Limits::default() };
    let mut exhaustion = Exhaustion { left: u64::MAX, known: HashMap::new() };
    assert_eq!(exhaustion.wins(&mut game.clone(), Side::Two, 8), Some(false));
    for limits in [mate(3), mate(4), Limits::depth(6)] {
        let answer = search_quietly(&game, &limits, &TranspositionTable::new(1).unwrap());
        assert!(matches!(answer.score.value(), Value::Cp(_)), "{limits:?}: {:?}", answer.score);
    }
}
