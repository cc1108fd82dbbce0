//! What other tests try a part of, tried whole or many times: minutes each. `.ci/run exhaustive` runs these tests.

use std::thread::{self, Scope};

use leap_games::alquerque::CaptureRule;
use leap_games::{IDS, games};
use leap_reference::GameId;
use leap_search::Playable;

use crate::agreement::{self, composed};
use crate::endings::{self, rule};
use crate::{mates, players, problems, reference};

#[test]
#[ignore = "exhaustive: run by .ci/run exhaustive"]
fn four_thousand_random_endings_end_as_their_tables_promise() {
    endings::random_endings(2_000);
}

#[test]
#[ignore = "exhaustive: run by .ci/run exhaustive"]
fn each_ending_with_five_men_and_optional_captures_ends_as_promised() {
    endings::each_ending_with_five_men_ends_as_its_table_promises(CaptureRule::Optional);
}

#[test]
#[ignore = "exhaustive: run by .ci/run exhaustive"]
fn each_ending_with_five_men_and_mandatory_captures_ends_as_promised() {
    endings::each_ending_with_five_men_ends_as_its_table_promises(CaptureRule::Mandatory);
}

#[test]
#[ignore = "exhaustive: run by .ci/run exhaustive"]
fn four_men_with_optional_captures_keep_the_rule_too() {
    rule::check_more(CaptureRule::Optional, 4);
}

#[test]
#[ignore = "exhaustive: run by .ci/run exhaustive"]
fn five_men_with_optional_captures_keep_the_rule_too() {
    rule::check_more(CaptureRule::Optional, 5);
}

#[test]
#[ignore = "exhaustive: run by .ci/run exhaustive"]
fn five_men_with_mandatory_captures_keep_the_rule_too() {
    rule::check_more(CaptureRule::Mandatory, 5);
}

#[test]
#[ignore = "exhaustive: run by .ci/run exhaustive"]
fn announced_wins_are_forced_in_many_games() {
    fn begin<'a, R: Playable>(scope: &'a Scope<'a, '_>) {
        scope.spawn(|| println!("{}: {:?}", R::TITLE, mates::compare::<R>(30)));
    }
    thread::scope(|scope| games!(begin(scope)));
}

#[test]
#[ignore = "exhaustive: run by .ci/run exhaustive"]
fn engine_and_reference_agree_along_many_random_games_with_every_option() {
    agreement::agree(40);
}

#[test]
#[ignore = "exhaustive: run by .ci/run exhaustive"]
fn many_composed_boards_are_read_and_searched_as_the_rules_say() {
    for &id in GameId::ALL {
        println!("{}: {:?}", id.name(), composed::compare(id, 4_000));
    }
}

#[test]
#[ignore = "exhaustive: run by .ci/run exhaustive"]
fn tree_search_beats_random_in_six_games() {
    for game in IDS {
        players::assert_beats(game, &players::mcts(100), &players::RANDOM, 6);
    }
}

#[test]
#[ignore = "exhaustive: run by .ci/run exhaustive"]
fn all_problems_are_solved_again() {
    games!(problems::are_solved_again(|_| true));
}

#[test]
#[ignore = "exhaustive: run by .ci/run exhaustive"]
fn all_positions_to_practise_are_solved_again() {
    games!(problems::positions_to_practise_are_right(|_| true));
}

#[test]
#[ignore = "exhaustive: run by .ci/run exhaustive"]
fn wins_and_solved_scores_of_longer_searches_are_the_proved_ones() {
    games!(problems::scores_are_the_proved_ones(20_000));
}

#[test]
#[ignore = "exhaustive: run by .ci/run exhaustive"]
fn the_reference_agrees_with_all_counts_of_the_data_file() {
    for &id in GameId::ALL {
        reference::check_counts(id, |_| true);
    }
}
