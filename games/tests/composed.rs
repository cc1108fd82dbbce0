//! Boards composed at random, denser and odder than any that a game leads to. `tests/library/agreement` compares such
//! boards with the reference.

use leap_core::laws::{the_list_is_in_order, the_moves_can_be_entered};
use leap_core::notation::{PartialMove as _, Setup, SetupError, Step};
use leap_core::{Game, Rules, Side, SplitMix64, Square, SquareSet};
use leap_games::games;
use leap_games::sapos::Sapos;
use leap_search::Playable;

/// The boards of each ruleset.
const BOARDS: u64 = 500;
/// Boards with more moves are left out: Froglet may have too many to count.
const MANY_MOVES: usize = 2_000;

/// A position of random pieces. Those that the game refuses are left out.
fn composed<R: Playable>(rules: &R, random: &mut SplitMix64) -> R::Position {
    let Setup { mut counters, extra, .. } = rules.to_setup(&rules.start());
    counters.side = Side::BOTH[random.below(2)];
    let mut setup = Setup { pieces: Vec::new(), counters, extra };
    let density = random.below(100);
    for square in (0..R::GEOMETRY.squares()).map(Square::new) {
        if random.below(100) < density {
            let kind = R::DIAGRAM.pieces[random.below(R::DIAGRAM.pieces.len())];
            setup.pieces.push((square, kind.piece));
        }
    }
    loop {
        match rules.from_setup(&setup) {
            Err(SetupError { square: Some(at), .. }) => {
                setup.pieces.retain(|(square, _)| *square != at);
            }
            position => return position.unwrap(),
        }
    }
}

fn laws_hold<R: Playable>() {
    for (rules, seed) in R::variants().into_iter().zip(1..) {
        let mut random = SplitMix64::new(seed);
        for _ in 0..BOARDS {
            let position = composed(&rules, &mut random);
            let game = Game::new(rules.clone(), position);
            let moves = game.first_moves(MANY_MOVES);
            let text = rules.print_position(&position);
            assert_eq!(rules.has_move(&position), !moves.is_empty(), "{text}");
            let mut candidates = Vec::new();
            rules.candidates(&position, &mut candidates);
            assert_eq!(candidates.is_empty(), moves.is_empty(), "{text}");
            if moves.is_empty() || moves.len() == MANY_MOVES {
                continue;
            }
            assert!(candidates.iter().all(|mv| moves.contains(mv)), "{text}");
            the_list_is_in_order(&game, &moves);
            the_moves_can_be_entered(&game, &moves, &mut random);
            let mut origins: Vec<Step> =
                moves.iter().map(|mv| rules.route(&position, *mv).0[0]).collect();
            origins.dedup();
            let offered = game.partial_move().unwrap().steps();
            assert_eq!(offered, origins, "{text}");
        }
    }
}

#[test]
fn moves_are_listed_counted_and_entered_on_boards_that_no_game_leads_to() {
    games!(laws_hold());
}

#[test]
fn jumps_of_a_side_of_sapos_are_those_of_its_pieces_one_by_one() {
    let mut random = SplitMix64::new(1);
    for _ in 0..BOARDS {
        let position = composed(&Sapos::default(), &mut random);
        let occupied = position.pieces(Side::One) | position.pieces(Side::Two);
        for side in Side::BOTH {
            let own = position.pieces(side);
            let jumps_over = |from: Square, set: SquareSet| {
                let ways = [(0, 2), (2, 0), (0, -2), (-2, 0)].into_iter();
                let to = ways.filter_map(|(f, r)| Sapos::GEOMETRY.offset(from, f, r));
                to.filter(|to| !occupied.contains(*to) && set.contains(from.midpoint(*to))).count()
            };
            let friendly: usize = own.into_iter().map(|from| jumps_over(from, own)).sum();
            assert_eq!(position.friendly_jumps(side) as usize, friendly);
            let jumpers = own.into_iter().filter(|from| jumps_over(*from, occupied) > 0);
            assert_eq!(position.jumpers(side), jumpers.collect());
        }
    }
}
