use std::collections::{HashMap, HashSet};

use leap_core::notation::Notation;
use leap_core::{Game, Position, Rules, RulesExt};
use leap_games::alquerque::Alquerque;
use leap_search::eval::Evaluator;
use leap_search::players::{greedy, mcts, random};
use leap_search::{Control, Limits, Score, SearchResult, Searchable, search};

use super::{Player, answer_of};
use leap_toys::{Coins, FIRST_WINS, ToyEvaluator, Walk};

fn coins(values: &[u32]) -> Game<Coins> {
    Game::start(Coins::new(values.to_vec()))
}

/// How many more points the side to move gets than the other side, by minimax.
fn margin(rules: &Coins, position: &<Coins as Rules>::Position) -> i32 {
    let moves = rules.legal_moves(position);
    let after = |mv: &usize| {
        let child = rules.after(position, *mv);
        let margin = margin(rules, &child);
        if child.side() == position.side() { margin } else { -margin }
    };
    let taken = || ToyEvaluator.evaluate(rules, position) / 100;
    moves.iter().map(after).max().unwrap_or_else(taken)
}

/// A player's answer.
fn ask<R: Searchable>(
    player: Player<R>,
    game: &Game<R>,
    limits: &Limits<R::Move>,
) -> SearchResult<R::Move> {
    answer_of(player, game, limits, &Control::new(), None).0
}

fn seeded<M>(seed: u64) -> Limits<M> {
    Limits { seed, ..Limits::default() }
}

#[test]
fn tree_search_converges_to_minimax() {
    for values in [&[1, 2, 9][..], &[3, 1, 9, 1], &[5, 1, 1, 8, 2], &[2, 9, 1, 1, 9, 1, 4]] {
        let game = coins(values);
        let (rules, start) = (game.rules().clone(), *game.current());
        let best = ask(mcts, &game, &Limits::nodes(20_000)).best.unwrap();
        let child = rules.after(&start, best);
        let sign = if child.side() == start.side() { 1 } else { -1 };
        let (reached, possible) = (sign * margin(&rules, &child), margin(&rules, &start));
        assert_eq!(reached.signum(), possible.signum(), "{values:?}: {best}");
    }
}

#[test]
fn tree_search_finds_and_reports_a_win_in_one() {
    // From place 0, an arrow leads to a place without arrows, where the other side has lost.
    let arrows: &[&[usize]] = &[&[1, 2], &[0, 2], &[]];
    let rules = Walk {
        arrows,
        repetition: leap_core::Repetition::Ignored,
        count: FIRST_WINS,
        max_plies: 0,
    };
    let answer = ask(mcts, &Game::start(rules), &Limits::nodes(500));
    assert_eq!((answer.best, answer.score), (Some((0, 2)), Score::win_at(1)));
}

#[test]
fn tree_search_uses_its_playouts_exactly() {
    let game = Game::start(Alquerque::default());
    for (limits, playouts) in [
        (Limits::nodes(1), 1),
        (Limits::nodes(777), 777),
        (Limits::depth(2), 2_000),
        (Limits { mate: Some(1), nodes: Some(5_000), ..Limits::default() }, 2_000),
    ] {
        let answer = ask(mcts, &game, &limits);
        assert_eq!(answer.nodes, playouts, "{limits:?}");
        assert!(answer.best.is_some());
    }
}

#[test]
fn tree_search_answers_even_if_stopped_at_once_or_without_room() {
    let game = Game::start(Alquerque::default());
    let control = Control::new();
    control.stop.raise();
    let (answer, _) = answer_of(mcts, &game, &Limits::default(), &control, None);
    assert!(answer.best.is_some() && answer.nodes <= 1, "{answer:?}");
    let (game, limits) = (coins(&[1; 40]), Limits::nodes(100_000));
    let (answer, reports) = answer_of(mcts, &game, &limits, &Control::new(), None);
    assert!(answer.best.is_some() && answer.nodes == 100_000, "{answer:?}");
    assert_eq!(reports.last().unwrap().hashfull, 1_000);
}

#[test]
fn tree_search_reports_as_many_lines_as_are_asked_for_best_first() {
    let game = Game::start(Alquerque::default());
    let limits = Limits { multipv: 3, ..Limits::nodes(2_000) };
    let (answer, reports) = answer_of(mcts, &game, &limits, &Control::new(), None);
    let last = &reports[reports.len() - 3..];
    assert!(last.iter().map(|report| report.multipv).eq(1..=3));
    assert_eq!(Some(last[0].pv[0]), answer.best);
    assert_eq!(last.iter().map(|report| report.pv[0]).collect::<HashSet<_>>().len(), 3);
}

#[test]
fn greedy_plays_the_capture_worth_most() {
    // One chain takes the other side's last two men. Another capture takes one man.
    let rules = Alquerque::default();
    let position = rules.parse_position("5/1m1m1/M4/1m3/M4 1 - 0 0").unwrap();
    let game = Game::new(rules, position);
    let most = |mv| game.rules().gain(game.current(), mv);
    let moves = game.rules().legal_moves(game.current());
    let best = moves.iter().map(|mv| most(*mv)).max().unwrap();
    assert!(moves.iter().any(|mv| (1..best).contains(&most(*mv))), "a lesser capture is there too");
    for seed in 0..20 {
        let answer = ask(greedy, &game, &seeded(seed));
        assert_eq!(most(answer.best.unwrap()), best);
    }
}

#[test]
fn random_moves_are_uniform_and_fixed_by_the_seed() {
    let game = Game::start(Alquerque::default());
    let draw = |seed| ask(random, &game, &seeded(seed)).best.unwrap();
    let mut counts = HashMap::new();
    for seed in 0..4_000 {
        assert_eq!(draw(seed), draw(seed));
        *counts.entry(draw(seed)).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 4, "the moves at the start (SPEC 11.17)");
    // The expected count is 1,000, with a deviation of 27.
    assert!(counts.values().all(|count| (880..=1_120).contains(count)), "{counts:?}");
}

#[test]
fn every_player_respects_searchmoves_and_has_no_move_when_the_game_is_over() {
    let game = Game::start(Alquerque::default());
    let moves = game.rules().legal_moves(game.current());
    let rules = Alquerque::default();
    let over = Game::new(rules.clone(), rules.parse_position("5/5/5/5/M4 2 - 0 0").unwrap());
    for player in [search as Player<Alquerque>, random, greedy, mcts] {
        for mv in &moves {
            let limits = Limits { searchmoves: Some(vec![*mv]), ..Limits::nodes(50) };
            assert_eq!(ask(player, &game, &limits).best, Some(*mv));
        }
        assert_eq!(ask(player, &over, &Limits::nodes(50)).best, None);
    }
}
