//! Every ending with few men, played by the rule of SPEC 4.52a against every defence, under the quiet limit and `MaxPlies`.
//!
//! Of moves that the rule does not tell apart, the worst is made. Repetition is left out: it ends a game by count, which
//! is what a side that repeats positions has already.

use std::collections::HashMap;
use std::sync::LazyLock;

use leap_core::exact::{ProbedMove, Wdl, by_count, probe_moves};
use leap_core::{Game, RulesExt};
use leap_games::alquerque::{Alquerque, CaptureRule};
use leap_tables::{Library, Men, Slice, number};

/// As low as the values of five men allow: the fewer plies a side can wait, the fewer there are to play through.
const QUIET_LIMIT: u32 = 10;
const MAX_PLIES: u32 = 70;

/// A position after a move.
#[derive(Clone, Copy)]
enum After {
    /// The number of a position with as many men.
    Step(u32),
    /// The number of a position with fewer men.
    Capture(u32),
    /// The other side has no men.
    End,
}

/// A position, up to symmetry, and the positions after its moves.
struct Ending {
    men: Men,
    outcome: Wdl,
    by_count: Wdl,
    all: Vec<After>,
    /// Those of the moves that the rule allows.
    by_rule: Vec<After>,
    /// Those of the moves that the rule would allow, if it did not keep the count.
    careless: Vec<After>,
}

/// The endings with up to four men, if captures are mandatory. Several tests play them.
static MANDATORY: LazyLock<Vec<Ending>> = LazyLock::new(|| endings(CaptureRule::Mandatory, 4));

/// All endings with so many men.
fn endings(capture: CaptureRule, most: u32) -> Vec<Ending> {
    let rules = Alquerque { capture, quiet_limit: 0, max_plies: 0 };
    let known = Library::default().of(&rules, most).unwrap();
    let men = Slice::all(most).flat_map(|slice| (0..slice.size()).map(move |at| slice.men_at(at)));
    let men: Vec<Men> = men.filter(|men| men.slice().men_at(number(*men)) == *men).collect();
    let key = |men: Men| (men.slice().own, men.slice().enemy, number(men));
    let numbers: HashMap<_, u32> = men.iter().map(|men| key(*men)).zip(0..).collect();
    let ending = |men: &Men| {
        let game = Game::new(rules.clone(), men.position());
        let position = game.current();
        let moves = game.legal_moves();
        let probe_moves = probe_moves(&game, &*known, &moves).unwrap();
        let after = |mv| {
            let next = Men::of(&rules.after(position, mv));
            match numbers.get(&key(next)) {
                Some(number) if next.slice().men() == men.slice().men() => After::Step(*number),
                Some(number) => After::Capture(*number),
                None => After::End,
            }
        };
        let all: Vec<After> = moves.iter().map(|mv| after(*mv)).collect();
        Ending {
            men: *men,
            outcome: known.probe(&rules, position).unwrap().outcome,
            by_count: by_count(&rules, position),
            by_rule: best(&probe_moves, &all, ProbedMove::order),
            careless: best(&probe_moves, &all, |known| known.preference),
            all,
        }
    };
    men.iter().map(ending).collect()
}

/// What the moves lead to that come last in an order.
fn best<O: Ord>(
    known: &[ProbedMove],
    after: &[After],
    order: impl Fn(&ProbedMove) -> O,
) -> Vec<After> {
    let last = known.iter().map(&order).max();
    let is_last = |(known, _): &(&ProbedMove, _)| Some(order(known)) == last;
    known.iter().zip(after).filter(is_last).map(|(_, after)| *after).collect()
}

/// What a side that keeps to the rule reaches against every defence, the side to move first.
type Reached = [Wdl; 2];

/// How a side chooses.
#[derive(Clone, Copy)]
enum Play {
    /// By the rule.
    ByRule,
    /// By the rule, without keeping the count.
    Careless,
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
        let after = |next: &After, side: usize| match *next {
            After::End => [Wdl::Win, Wdl::Loss][side],
            After::Step(next) => before[quiet + 1][next as usize][1 - side],
            After::Capture(next) => before[0][next as usize][1 - side],
        };
        if ending.all.is_empty() {
            return by_count_of(ending);
        }
        let least = |moves: &[After], side| moves.iter().map(|next| after(next, side)).min();
        let own = match play {
            Play::ByRule => least(&ending.by_rule, 0),
            Play::Careless => least(&ending.careless, 0),
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
    // The quiet limit ends every game. Once one more ply changes nothing, none does.
    let mut is_settled = false;
    for left in 1..=MAX_PLIES {
        if !is_settled {
            let next = one_ply_more(endings, &layer, play);
            is_settled = next == layer;
            layer = next;
        }
        endings.iter().zip(&layer[0]).for_each(|(ending, reached)| visit(ending, left, *reached));
    }
}

/// Each win is won wherever the engine knows that it is one. A draw is held if the quiet limit comes first.
fn check(capture: CaptureRule, endings: &[Ending]) {
    let limited = Alquerque { capture, quiet_limit: QUIET_LIMIT, max_plies: MAX_PLIES };
    let most = endings.iter().map(|ending| ending.men.slice().men()).max().unwrap();
    let known = Library::default().of(&limited, most).unwrap();
    let (mut wins, mut draws) = (0, 0);
    play_all(endings, Play::ByRule, |ending, left, reached| {
        let is_known = || {
            let mut position = ending.men.position();
            position.counters.ply = MAX_PLIES - left;
            known.probe(&limited, &position).is_some()
        };
        let is_far = left > (ending.men.slice().men() - 2) * QUIET_LIMIT;
        let is_promised = |value| match value {
            Wdl::Win => is_known(),
            Wdl::Draw => is_far && is_known(),
            Wdl::Loss => false,
        };
        for (value, reached) in [ending.outcome, ending.outcome.flipped()].into_iter().zip(reached)
        {
            let held = reached >= value || !is_promised(value);
            assert!(held, "{:?}: {value:?}, {reached:?} with {left} plies left", ending.men);
            if left == MAX_PLIES {
                let counted = if value == Wdl::Win { &mut wins } else { &mut draws };
                *counted += u32::from(is_promised(value));
            }
        }
    });
    assert!(wins > 1_000 && draws > 1_000, "{wins} wins, {draws} draws");
}

/// The values of the tables are those of best play under the limits, unless `MaxPlies` is near.
fn check_values(capture: CaptureRule, endings: &[Ending]) {
    let least_left = if capture == CaptureRule::Mandatory { 9 } else { QUIET_LIMIT + 3 };
    play_all(endings, Play::Best, |ending, left, reached| {
        if left >= least_left {
            let expected = [ending.outcome, ending.outcome.flipped()];
            assert_eq!(reached, expected, "{:?} with {left} plies left", ending.men);
        }
    });
}

#[test]
fn values_with_four_men_are_those_of_best_play_unless_max_plies_is_near() {
    check_values(CaptureRule::Mandatory, &MANDATORY);
}

#[test]
fn a_won_ending_with_four_men_is_won_by_the_rule_against_every_defence() {
    check(CaptureRule::Mandatory, &MANDATORY);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn without_keeping_the_count_a_won_ending_can_be_drawn() {
    let mut spoilt = 0;
    play_all(&MANDATORY, Play::Careless, |ending, left, [reached, _]| {
        let is_far = left > QUIET_LIMIT;
        spoilt += u32::from(is_far && ending.outcome == Wdl::Win && reached < Wdl::Win);
    });
    assert!(spoilt > 1_000, "{spoilt}");
}

/// Both tests of endings with more of them.
pub(crate) fn check_more(capture: CaptureRule, men: u32) {
    let endings = endings(capture, men);
    check_values(capture, &endings);
    check(capture, &endings);
}
