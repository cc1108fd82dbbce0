use super::{Solver, exact_plies};
use crate::candidates::wander;
use leap_core::notation::Notation;
use leap_core::{Game, GameResult, Position, Repetition, Rules, Side};
use leap_games::froglet::Froglet;
use leap_search::{EndgameSolver, Playable, Searchable};
use leap_toys::{FIRST_WINS, Walk};

const PLENTY: u64 = 10_000_000;

/// [`Solver::wins`] by the rules with their history, without a memory.
fn wins<R: Rules>(game: &mut Game<R>, winner: Side, plies: u32) -> bool {
    if let Some(outcome) = game.outcome() {
        return outcome.result == GameResult::Win(winner);
    }
    if plies == 0 {
        return false;
    }
    let decisive = game.current().side() == winner;
    let moves = game.legal_moves();
    let is_decisive = |mv| {
        game.push(mv);
        let won = wins(game, winner, plies - 1);
        game.undo(1);
        won == decisive
    };
    // The winner needs one good move. The other side needs one that is not lost.
    moves.into_iter().any(is_decisive) == decisive
}

fn agrees<R: Rules>(rules: &R, position: R::Position, plies: u32) {
    let mut game = Game::new(rules.clone(), position);
    for winner in Side::BOTH {
        let mut solver = Solver::new(rules, PLENTY);
        for plies in 0..=plies {
            let expected = wins(&mut game, winner, plies);
            let found = solver.wins(winner, &position, plies);
            assert_eq!(found, Ok(expected), "{winner:?} in {plies} plies: {position:?}");
        }
    }
}

/// No place of these graphs comes back to the same player in fewer than four plies. The games are like this: nobody can
/// undo a move of the other side.
#[test]
fn forced_wins_are_those_of_the_rules_with_their_history() {
    const GRAPHS: [&[&[usize]]; 3] = [
        &[&[1], &[2, 4], &[3], &[0, 4], &[]],
        &[&[1, 2], &[3], &[3, 5], &[4, 5], &[0, 5], &[]],
        &[&[1], &[2], &[3], &[0]],
    ];
    for arrows in GRAPHS {
        for repetition in [Repetition::Ends(3), Repetition::Forbids(3)] {
            for max_plies in [0, 5, 7] {
                let rules = Walk { arrows, repetition, count: FIRST_WINS, max_plies };
                agrees(&rules, rules.start(), exact_plies(&rules));
            }
        }
    }
}

fn late_positions_agree<R: Playable>() {
    let rules = &R::default();
    if R::BY_MARGIN {
        return;
    }
    let positions =
        (0..40).filter_map(|seed| wander(rules, rules.start(), 20 + 2 * seed as u32, seed));
    for position in positions.filter(|position| rules.has_move(position)).take(8) {
        agrees(rules, position, 2);
    }
}

#[test]
fn forced_wins_of_every_game_are_those_of_its_rules() {
    leap_games::games!(late_positions_agree());
}

#[test]
fn the_length_of_a_win_is_the_least() {
    // From 0 a step to the dead end 1 wins immediately. From 2 a win takes three plies.
    let arrows: &[&[usize]] = &[&[2, 1], &[], &[3], &[0]];
    let rules =
        Walk { arrows, repetition: Repetition::Ignored, count: GameResult::Draw, max_plies: 0 };
    let forced = Solver::new(&rules, PLENTY).forced(&rules.start(), Side::One, 7);
    assert_eq!(forced, Ok(vec![((0, 2), None), ((0, 1), Some(1))]));
    assert!(
        Solver::new(&rules, 3).forced(&rules.start(), Side::One, 7).is_err(),
        "too few positions"
    );
}

/// The best margin for player 1 minus player 2 by trying everything, without a memory.
fn margin(game: &mut Game<Froglet>) -> i32 {
    let points = game.current().points();
    let sign = if game.current().side() == Side::One { 1 } else { -1 };
    let moves = game.legal_moves();
    let after = moves.into_iter().map(|mv| {
        game.push(mv);
        let value = sign * margin(game);
        game.undo(1);
        value
    });
    let best = after.max().map(|best| sign * best);
    best.unwrap_or(points[Side::One] as i32 - points[Side::Two] as i32)
}

#[test]
fn margins_are_those_of_every_line_to_its_end() {
    let rules = Froglet::default();
    for text in [
        "12/12/12/12/12/4GY6/3Y1RG5/4GBG5/12/12/12/12 1 3-5 0 60",
        "G1Y9/1G10/YR10/12/12/12/12/12/12/10GY/9R1G/10YY 2 40-31 0 60",
    ] {
        let position = rules.parse_position(text).unwrap();
        let sign = if position.side() == Side::One { 1 } else { -1 };
        let margins = Solver::new(&rules, PLENTY).margins(&position).unwrap();
        assert!(margins.len() > 3, "{text}");
        for (mv, found) in margins {
            let mut game = Game::new(rules.clone(), position);
            game.push(mv);
            assert_eq!(found, 100 * sign * margin(&mut game), "{text} {mv:?}");
        }
    }
}

/// Compares endings of random games, and returns how many were not over.
fn endings_have_the_margin_of_exhaustion(games: u64) -> usize {
    let rules = Froglet::default();
    let mut endings = <Froglet as Searchable>::EndgameSolver::default();
    let mut solved = 0;
    for (seed, plies) in
        (0..games).flat_map(|seed| (56..90).step_by(3).map(move |plies| (seed, plies)))
    {
        let Some(position) = wander(&rules, rules.start(), plies, seed) else { continue };
        let Some(future) = endings.solve(&position) else { continue };
        let Ok(moves) = Solver::new(&rules, 100_000).margins(&position) else { continue };
        let best = moves.into_iter().map(|(_, margin)| margin).max();
        let banked = rules.banked(&position, position.side());
        assert_eq!(best.map_or(0, |best| best - banked), future, "{position:?}");
        solved += usize::from(best.is_some());
    }
    solved
}

#[test]
fn endings_solved_by_regions_have_the_margin_of_exhaustion() {
    let solved = endings_have_the_margin_of_exhaustion(80);
    assert!(solved > 50, "only {solved} were not over");
}

/// Run by `.ci/run exhaustive`: minutes.
mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn many_endings_solved_by_regions_have_the_margin_of_exhaustion() {
        let solved = endings_have_the_margin_of_exhaustion(2_500);
        assert!(solved > 1_690, "only {solved} were not over");
    }
}
