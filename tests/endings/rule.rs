//! Every ending with few men, played by the rule of SPEC 4.52a against every defence, under the quiet limit and `MaxPlies`.
//!
//! Of moves that the rule does not tell apart, the worst is made. Repetition is left out: it ends a game by count, which
//! is what a side that repeats positions has already.

use std::collections::HashMap;

use leap_core::Game as _;
use leap_core::exact::{KnownMove, Wdl, by_count, known_moves};
use leap_core::record::Record;
use leap_games::alquerque::{Alquerque, Capture};
use leap_tables::{Library, Men, Slice, number};

/// As low as the values of five men allow: the fewer plies a side can wait, the fewer there are to play through.
const QUIET_LIMIT: u32 = 10;
const MAX_PLIES: u32 = 70;

/// The number of a position after a move. `None`: the other side has no men.
type After = Option<u32>;

/// A position, up to symmetry, and the positions after its moves.
struct Ending {
    men: Men,
    outcome: Wdl,
    by_count: Wdl,
    all: Vec<After>,
    /// Those of the moves that the rule allows.
    chosen: Vec<After>,
}

/// All endings with so many men. `tells_apart` says in which order the rule has two moves.
fn endings<O: Ord>(capture: Capture, most: u32, order: impl Fn(&KnownMove) -> O) -> Vec<Ending> {
    let game = Alquerque { capture, quiet_limit: 0, max_plies: 0 };
    let known = Library::default().of(&game, most).unwrap();
    let all = Slice::all(most).flat_map(|slice| (0..slice.size()).map(move |at| slice.men_at(at)));
    let all: Vec<Men> = all.filter(|men| men.slice().men_at(number(*men)) == *men).collect();
    let key = |men: Men| (men.slice().own, men.slice().enemy, number(men));
    let numbers: HashMap<_, u32> = all.iter().map(|men| key(*men)).zip(0..).collect();
    let ending = |men: &Men| {
        let record = Record::new(game.clone(), men.position());
        let position = record.current();
        let moves = record.legal_moves();
        let known_moves = known_moves(&record, &*known, &moves).unwrap();
        let best = known_moves.iter().map(&order).max();
        let after = |mv| numbers.get(&key(Men::of(&game.after(position, mv)))).copied();
        let is_best = |(known, _): &(&KnownMove, _)| Some(order(known)) == best;
        let chosen = known_moves.iter().zip(&moves).filter(is_best);
        Ending {
            men: *men,
            outcome: known.probe(&game, position).unwrap().outcome,
            by_count: by_count(&game, position),
            chosen: chosen.map(|(_, mv)| after(*mv)).collect(),
            all: moves.iter().map(|mv| after(*mv)).collect(),
        }
    };
    all.iter().map(ending).collect()
}

/// What a side that keeps to the rule reaches against every defence, the side to move first.
type Reached = [Wdl; 2];

/// How a side chooses.
#[derive(Clone, Copy)]
enum Play {
    /// By the rule.
    ByRule,
    /// The move that reaches the most, with the limits in view.
    Best,
}

/// What is reached where so many plies are left before `MaxPlies`, by the plies without a capture.
type Layer = Vec<Vec<Reached>>;

fn by_count_of(ending: &Ending) -> Reached {
    let outcome = if ending.all.is_empty() { Wdl::Loss } else { ending.by_count };
    [outcome, outcome.flipped()]
}

/// What is reached with one more ply left.
fn one_ply_more(endings: &[Ending], before: &Layer, play: Play) -> Layer {
    let reached = |ending: &Ending, quiet: usize| {
        let after = |next: &After, side: usize| match next {
            None => [Wdl::Win, Wdl::Loss][side],
            Some(next) => {
                let is_step = endings[*next as usize].men.slice().men() == ending.men.slice().men();
                before[if is_step { quiet + 1 } else { 0 }][*next as usize][1 - side]
            }
        };
        if ending.all.is_empty() {
            return by_count_of(ending);
        }
        let least = |moves: &[After], side| moves.iter().map(|next| after(next, side)).min();
        let own = match play {
            Play::ByRule => least(&ending.chosen, 0),
            Play::Best => ending.all.iter().map(|next| after(next, 0)).max(),
        };
        [own.unwrap(), least(&ending.all, 1).unwrap()]
    };
    let at_limit = endings.iter().map(by_count_of).collect();
    let quiet = (0..QUIET_LIMIT as usize)
        .map(|quiet| endings.iter().map(|ending| reached(ending, quiet)).collect());
    quiet.chain([at_limit]).collect()
}

/// Plays all endings to each distance from `MaxPlies`. Calls `visit` with an ending, the plies that are left, and what
/// is reached.
fn play_all(endings: &[Ending], play: Play, mut visit: impl FnMut(&Ending, u32, Reached)) {
    let ended: Vec<Reached> = endings.iter().map(by_count_of).collect();
    let mut layer = vec![ended; QUIET_LIMIT as usize + 1];
    for left in 1..=MAX_PLIES {
        layer = one_ply_more(endings, &layer, play);
        endings.iter().zip(&layer[0]).for_each(|(ending, reached)| visit(ending, left, *reached));
    }
}

/// Each win is won wherever the engine knows that it is one. A draw is held if the quiet limit comes first.
fn check(capture: Capture, most: u32) {
    let limited = Alquerque { capture, quiet_limit: QUIET_LIMIT, max_plies: MAX_PLIES };
    let known = Library::default().of(&limited, most).unwrap();
    let (mut wins, mut draws) = (0, 0);
    play_all(&endings(capture, most, KnownMove::order), Play::ByRule, |ending, left, reached| {
        let mut position = ending.men.position();
        position.counters.ply = MAX_PLIES - left;
        let is_known = known.probe(&limited, &position).is_some();
        let is_far = left > (ending.men.slice().men() - 2) * QUIET_LIMIT;
        for (value, reached) in [ending.outcome, ending.outcome.flipped()].into_iter().zip(reached)
        {
            let is_promised = match value {
                Wdl::Win => is_known,
                Wdl::Draw => is_known && is_far,
                Wdl::Loss => false,
            };
            let counted = if value == Wdl::Win { &mut wins } else { &mut draws };
            *counted += u32::from(is_promised);
            let held = reached >= value || !is_promised;
            assert!(held, "{:?}: {value:?}, {reached:?} with {left} plies left", ending.men);
        }
    });
    assert!(wins > 1_000 && draws > 1_000, "{wins} wins, {draws} draws");
}

/// The values of the tables are those of best play under the limits, at these distances from `MaxPlies`.
fn check_values(capture: Capture, most: u32, least_left: u32) {
    play_all(&endings(capture, most, KnownMove::order), Play::Best, |ending, left, reached| {
        if left >= least_left {
            let expected = [ending.outcome, ending.outcome.flipped()];
            assert_eq!(reached, expected, "{:?} with {left} plies left", ending.men);
        }
    });
}

#[test]
fn values_with_four_men_are_those_of_best_play_unless_max_plies_is_near() {
    check_values(Capture::Mandatory, 4, 9);
    check_values(Capture::Optional, 4, QUIET_LIMIT + 3);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn values_with_five_men_are_those_of_best_play_unless_max_plies_is_near() {
    check_values(Capture::Mandatory, 5, 9);
    check_values(Capture::Optional, 5, QUIET_LIMIT + 3);
}

#[test]
fn a_won_ending_with_four_men_is_won_by_the_rule_against_every_defence() {
    check(Capture::Optional, 4);
    check(Capture::Mandatory, 4);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn a_won_ending_with_five_men_is_won_by_the_rule_against_every_defence() {
    check(Capture::Optional, 5);
    check(Capture::Mandatory, 5);
}

#[test]
fn without_keeping_the_count_a_won_ending_can_be_drawn() {
    let endings = endings(Capture::Mandatory, 4, |known| known.preference);
    let mut spoilt = 0;
    play_all(&endings, Play::ByRule, |ending, left, [reached, _]| {
        let is_far = left > QUIET_LIMIT;
        spoilt += u32::from(is_far && ending.outcome == Wdl::Win && reached < Wdl::Win);
    });
    assert!(spoilt > 1_000, "{spoilt}");
}
