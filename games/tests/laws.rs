//! Laws that hold for every game with any of its options. They are checked along random games.

use std::ops::ControlFlow;

use leap_core::laws::along_random_games;
use leap_core::perft::perft;
use leap_core::symmetry::Image;
use leap_core::{Position, Rules, RulesExt, StopFlag};
use leap_games::froglet::Froglet;
use leap_games::games;
use leap_search::Playable;
use leap_search::eval::Evaluator;

/// Counts as [`perft`] does, but makes every move, the last too.
fn plain_perft<R: Rules>(rules: &R, position: &R::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    if !rules.at_limit(position) {
        let _ = rules.visit_moves(position, |mv| {
            let child = rules.after(position, mv);
            nodes += plain_perft(rules, &child, depth - 1);
            ControlFlow::Continue(())
        });
    }
    nodes
}

/// Counts of move sequences are those of moves made one by one, and stop at a limit.
fn moves_of_the_last_ply_are_counted_as_if_made<R: Playable>(rules: &R) {
    for max_plies in 0..=3 {
        let mut rules = rules.clone();
        *rules.max_plies().unwrap() = max_plies;
        let start = rules.start();
        let count = perft(&rules, &start, 3, &StopFlag::default());
        assert_eq!(count, plain_perft(&rules, &start, 3), "{rules:?}");
    }
}

fn evaluations_are_the_same_for_images<R: Playable>(rules: &R) {
    let evaluator = R::Evaluator::default();
    along_random_games(rules, |game, _, _| {
        let position = game.current();
        let value = evaluator.evaluate(rules, position);
        let terms = evaluator.terms(rules, position);
        for image in Image::ALL.iter().filter_map(|image| image.of(rules, position)) {
            let text = rules.print_position(&image);
            assert_eq!(evaluator.evaluate(rules, &image), value, "{text}");
            assert_eq!(evaluator.terms(rules, &image), terms, "{text}");
        }
    });
}

/// Froglet counts no quiet moves.
fn plies_and_quiet_moves_are_counted<R: Playable>(rules: &R) {
    if R::ID != Froglet::ID {
        return leap_core::laws::plies_and_quiet_moves_are_counted(rules);
    }
    along_random_games(rules, |game, _, _| {
        let counters = game.current().counters();
        assert_eq!((counters.ply as usize, counters.quiet), (game.moves().len(), 0));
    });
}

/// Names the game in which a test panics.
struct Naming(&'static str);

impl Drop for Naming {
    #[allow(clippy::print_stderr, reason = "a test's output")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the game is {}", self.0);
        }
    }
}

/// A test that a law holds in each game, with every option of its rules.
macro_rules! law {
    ($law:ident, $($of:ident)::+) => {
        mod $law {
            use super::*;

            fn holds<R: Playable>() {
                let _naming = Naming(R::ID);
                R::variants().iter().for_each($($of)::+::$law);
            }

            #[test]
            fn in_every_game() {
                games!(holds());
            }
        }
    };
}

law!(keys_equal_fresh_keys, leap_core::laws);
law!(texts_round_trip, leap_core::laws);
law!(moves_are_listed_in_order_and_counted, leap_core::laws);
law!(turns_reach_exactly_the_legal_moves, leap_core::laws);
law!(effects_applied_blindly_give_the_next_board, leap_core::laws);
law!(gains_and_candidates_are_as_the_search_expects, leap_search::laws);
law!(evaluations_are_the_sum_of_their_parts, leap_search::laws);
law!(no_capture_is_left_out_as_a_late_move, leap_search::laws);
law!(a_clock_is_for_some_moves, leap_search::laws);
law!(moves_of_the_last_ply_are_counted_as_if_made, super);
law!(evaluations_are_the_same_for_images, super);
law!(plies_and_quiet_moves_are_counted, super);

#[test]
fn positions_and_moves_are_small() {
    fn sizes<R: Rules>() -> [usize; 2] {
        [size_of::<R::Position>(), size_of::<R::Move>()]
    }
    assert_eq!(games!(sizes()), [[40, 8], [40, 16], [40, 16], [128, 24], [64, 16]]);
}
