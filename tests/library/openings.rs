//! Openings made by the engine, and those that are kept in the repository.

use std::collections::HashSet;
use std::fs;
use std::num::NonZeroUsize;

use indicatif::ProgressBar;
use leap_core::symmetry::{Image, identity};
use leap_core::{Game, RulesExt, StopFlag};
use leap_games::alquerque::Alquerque;
use leap_games::games;
use leap_search::eval::Evaluator;
use leap_search::{Playable, players};
use leapd::openings::{self, Arguments, Opening, lines, tally};

/// Openings of each game in the repository.
const KEPT: usize = 300;

fn few(threads: usize) -> Arguments {
    Arguments {
        count: 6,
        plies: None,
        margin: Some(400),
        nodes: 300,
        game_nodes: 40,
        odds: 1,
        seed: 7,
        threads: NonZeroUsize::new(threads),
    }
}

fn make<R: Playable>(wanted: &Arguments) -> anyhow::Result<Vec<Opening>> {
    openings::make::<R>(wanted, &ProgressBar::hidden())
}

/// Positions along random games, as far as openings reach.
fn early_positions<R: Playable>(rules: &R) -> Vec<R::Position> {
    let mut positions = Vec::new();
    for seed in 0..20 {
        let mut game = Game::start(rules.clone());
        while game.moves().len() < 10
            && let Some(mv) = players::random_move(&game, seed)
        {
            game.push(mv);
            positions.push(*game.current());
        }
    }
    positions
}

fn images_are_the_same<R: Playable>() {
    let rules = &R::default();
    let facts = |position: &R::Position| {
        let moves = rules.count_moves(position, &StopFlag::default());
        (moves, R::Evaluator::default().evaluate(rules, position))
    };
    for position in early_positions(rules) {
        for image in Image::ALL {
            let other = image.of(rules, &position).unwrap();
            let text = rules.print_position(&position);
            assert_eq!(facts(&other), facts(&position), "{image:?} of {text}");
            assert_eq!(identity(rules, &other), identity(rules, &position), "{image:?} of {text}");
            assert_eq!(image.of(rules, &other), Some(position), "{image:?} twice of {text}");
        }
    }
}

/// Each text is that of a position with a choice of moves, and none is the image of another.
fn are_openings<'a, R: Playable>(rules: &R, texts: impl IntoIterator<Item = &'a str>) {
    let mut seen = HashSet::new();
    for text in texts {
        let position = rules.parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(rules.print_position(&position), text);
        assert_eq!(rules.outcome(&position), None, "{text}");
        let moves = rules.first_moves(&position, 3);
        assert_eq!(moves.len(), 3, "{text}");
        assert!(seen.insert(identity(rules, &position)), "twice: {text}");
    }
}

fn made_openings_depend_on_the_arguments_alone<R: Playable>() {
    let alone = make::<R>(&few(1)).unwrap();
    assert_eq!(make::<R>(&few(3)).unwrap(), alone);
    let other = Arguments { seed: 8, ..few(1) };
    assert_ne!(make::<R>(&other).unwrap(), alone);
}

fn both_win_some<R: Playable>() {
    let rules = &R::default();
    let openings = make::<R>(&few(2)).unwrap();
    let [one, drawn, two] = tally(&openings);
    assert!(one >= two && one - two <= 1 && drawn <= two, "{:?}", [one, drawn, two]);
    are_openings(rules, openings.iter().map(|opening| &*opening.text));
}

fn kept_openings_are_openings<R: Playable>() {
    let rules = &R::default();
    let path = format!("{}/games/{}/openings.txt", env!("CARGO_MANIFEST_DIR"), R::ID);
    let file = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let (comments, texts): (Vec<_>, Vec<_>) = file.lines().partition(|line| line.starts_with('#'));
    assert_eq!(texts.len(), KEPT);
    are_openings(rules, texts);
    assert!(comments[0].starts_with(&format!("# leapd openings {} ", R::ID)), "{}", comments[0]);
}

#[test]
fn images_are_the_same_to_rules_and_evaluation() {
    games!(images_are_the_same());
}

#[test]
fn openings_depend_on_the_arguments_alone() {
    games!(made_openings_depend_on_the_arguments_alone());
}

#[test]
fn both_players_win_some() {
    games!(both_win_some());
}

#[test]
fn the_kept_openings_are_openings() {
    games!(kept_openings_are_openings());
}

#[test]
fn a_file_says_how_it_was_made() {
    let wanted = Arguments { count: 2, ..few(1) };
    let made = make::<Alquerque>(&wanted).unwrap();
    let lines = lines::<Alquerque>(&wanted, &made);
    let head = "# leapd openings alquerque --count 2 --plies 6..10 --margin 400 --nodes 300 --game-nodes 40 --seed 7";
    assert_eq!(lines[0], head);
    assert_eq!(lines[1], "# leapd against itself: won by player 1 1, drawn 0, won by player 2 1");
    assert_eq!(lines[2..], [made[0].text.clone(), made[1].text.clone()]);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn odds_leave_out_openings_that_the_stronger_player_does_not_win() {
    let wanted = Arguments { odds: 8, game_nodes: 400, ..few(2) };
    let contested = make::<Alquerque>(&wanted).unwrap();
    assert_ne!(contested, make::<Alquerque>(&Arguments { odds: 1, ..wanted.clone() }).unwrap());
    let lines = lines::<Alquerque>(&wanted, &contested);
    assert!(lines[0].contains(" --game-nodes 400 --odds 8 --seed 7"), "{}", lines[0]);
}

#[test]
fn what_cannot_be_found_is_given_up() {
    let wanted = Arguments { plies: Some(0..=0), nodes: 1, game_nodes: 1, ..few(1) };
    let error = make::<Alquerque>(&wanted).unwrap_err().to_string();
    let expected =
        "found 0 of 6 openings, then none in 5000 positions with --margin 400 and --plies 0..0; ";
    assert!(error.starts_with(expected), "{error}");
    assert!(!error.contains('\n'), "{error}");
}
