//! The search and the sparring players, on real games and on toys.

mod exact;
mod margin;
mod players;
mod repetition;
mod strength;

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

use leap_core::exact::Tablebase;
use leap_core::notation::Notation;
use leap_core::{Game, GameResult, Position, Repetition, Rules, RulesExt, Side, SplitMix64};
use leap_games::alquerque::{Alquerque, CaptureRule};
use leap_games::sapos::Sapos;
use leap_search::Searchable;
use leap_search::players::Player;
use leap_search::*;
use leap_toys::{Coins, FIRST_WINS, Walk};

type Reports<R> = Vec<Report<<R as Rules>::Move>>;

/// A player's answer and its reports, with a table of its own.
fn answer_of<R: Searchable>(
    player: Player<R>,
    game: &Game<R>,
    limits: &Limits<R::Move>,
    control: &Control,
    tablebase: Option<&dyn Tablebase<R>>,
) -> (SearchResult<R::Move>, Reports<R>) {
    let mut reports = Vec::new();
    let request = Request {
        game,
        evaluator: &Default::default(),
        limits,
        table: &TranspositionTable::new(1).unwrap(),
        tablebase,
        control,
    };
    let answer = player(request, &mut |report| reports.push(report));
    (answer, reports)
}

fn search_fresh<R: Searchable>(
    game: &Game<R>,
    limits: &Limits<R::Move>,
) -> (SearchResult<R::Move>, Reports<R>) {
    answer_of(search, game, limits, &Control::new(), None)
}

fn alquerque(capture: CaptureRule) -> Alquerque {
    Alquerque { capture, ..Alquerque::default() }
}

/// Makes moves, which are separated by spaces.
fn make(game: &mut Game<Alquerque>, moves: &str) {
    for text in moves.split_whitespace() {
        game.push(game.parse_move(text).unwrap());
    }
}

fn start(capture: CaptureRule) -> Game<Alquerque> {
    Game::start(alquerque(capture))
}

/// Random games, each cut at a position that is not over.
fn random_records(rules: &Alquerque, plies: usize) -> Vec<Game<Alquerque>> {
    let play = |seed| {
        let mut random = SplitMix64::new(seed);
        let mut game = Game::start(rules.clone());
        for _ in 0..plies {
            let moves = rules.legal_moves(game.current());
            game.push(moves[random.draw() as usize % moves.len()]);
            if game.outcome().is_some() {
                game.undo(1);
                break;
            }
        }
        game
    };
    (0..12).map(play).collect()
}

/// The value of a position by plain minimax, without repetition. Only solved positions are remembered.
fn solve<R: Rules>(
    rules: &R,
    position: &R::Position,
    solved: &mut HashMap<R::Position, Score>,
) -> Score
where
    R::Position: Hash,
{
    if let Some(score) = solved.get(position) {
        return *score;
    }
    let side = position.side();
    let moves = rules.legal_moves(position);
    let value = |mv| {
        let child = rules.after(position, mv);
        let later = solve(rules, &child, solved);
        let later = match later.plies_to_end() {
            Some(plies) if later > Score::DRAW => Score::win_at(plies as usize + 1),
            Some(plies) => -Score::win_at(plies as usize + 1),
            None => later,
        };
        if child.side() == side { later } else { -later }
    };
    let score = match rules.outcome(position) {
        Some(outcome) => Score::of_result(outcome.result, side, 0),
        None => moves.into_iter().map(value).max().unwrap(),
    };
    solved.insert(*position, score);
    score
}

#[test]
fn a_game_with_double_turns_is_solved_as_by_minimax() {
    let mut random = SplitMix64::new(5);
    let mut wins = [0; 3];
    for coins in 1..=18 {
        let rules = Coins::new((0..coins).map(|_| (random.draw() % 5) as u32).collect());
        let game = Game::start(rules.clone());
        let expected = solve(&rules, &rules.start(), &mut HashMap::new());
        let (answer, _) = search_fresh(&game, &Limits::depth(60));
        assert_eq!(answer.score, expected, "{:?}", rules.values);
        wins[(expected.cmp(&Score::DRAW) as i8 + 1) as usize] += 1;
    }
    assert!(wins[0] > 0 && wins[2] > 0, "both sides should win: {wins:?}");
}

#[test]
fn alquerque_with_few_men_is_solved_as_by_minimax() {
    let texts =
        ["3m1/5/2M2/m4/4M 1 - 0 0", "1m3/3m1/5/1M3/3M1 2 - 0 0", "m4/5/1M3/2m2/M3M 1 - 0 0"];
    for capture in [CaptureRule::Optional, CaptureRule::Mandatory] {
        // There are too few quiet plies for a third occurrence.
        let rules = Alquerque { quiet_limit: 4, ..alquerque(capture) };
        for text in texts {
            let position = rules.parse_position(text).unwrap();
            let expected = solve(&rules, &position, &mut HashMap::new());
            let (answer, _) = search_fresh(&Game::new(rules.clone(), position), &Limits::depth(24));
            assert_eq!(answer.score, expected, "{capture:?} {text}");
        }
    }
}

const RING: &[&[usize]] = &[&[1], &[0]];

fn walk(arrows: &'static [&'static [usize]], repetition: Repetition, count: GameResult) -> Walk {
    Walk { arrows, repetition, count, max_plies: 0 }
}

/// A search for a win in at most this many moves.
fn mate(moves: u32) -> Limits<(usize, usize)> {
    Limits { mate: Some(moves), ..Limits::default() }
}

#[test]
fn the_third_occurrence_is_seen_at_its_distance() {
    let game = Game::start(walk(RING, Repetition::Ends(3), FIRST_WINS));
    let (answer, _) = search_fresh(&game, &mate(2));
    assert_eq!(answer.score, Score::win_at(4));

    let mut game = game;
    for mv in [(0, 1), (1, 0), (0, 1)] {
        game.push(mv);
    }
    let (answer, _) = search_fresh(&game, &Limits::depth(8));
    let lost = Score::of_cycle(FIRST_WINS, Side::Two);
    assert_eq!(answer.score, lost, "p2 has to bring about the third occurrence");
}

#[test]
fn a_win_by_a_cycle_that_the_loser_can_leave_has_no_distance() {
    // p2 loses by going round and round, and also by going from 1 along 3, 4 and so on to 8.
    let arrows: &[&[usize]] = &[&[1], &[0, 3], &[], &[4], &[5], &[6], &[7], &[8], &[]];
    let game = Game::start(walk(arrows, Repetition::Ends(3), FIRST_WINS));
    let (answer, _) = search_fresh(&game, &Limits::depth(10));
    assert_eq!(answer.score, Score::of_cycle(FIRST_WINS, Side::One));
    // Going round once and then the long way takes 9 plies. Going round twice ends the game.
    for (moves, won) in [(4, false), (5, true)] {
        let (answer, _) = search_fresh(&game, &mate(moves));
        assert_eq!(answer.score.value() == Value::Mate(5), won, "{moves}: {:?}", answer.score);
    }
}

#[test]
fn a_drawn_repetition_saves_the_loser() {
    // From 1, one way leads to 2, where the other side is stuck. The other way leads round and round.
    let arrows: &[&[usize]] = &[&[1, 3], &[0], &[], &[4], &[2]];
    let game = Game::start(walk(arrows, Repetition::Ends(3), GameResult::Draw));
    let (answer, _) = search_fresh(&game, &Limits::depth(12));
    assert_eq!((answer.score, answer.best), (Score::win_at(3), Some((0, 3))));

    let arrows: &[&[usize]] = &[&[1, 3], &[0], &[], &[2]];
    let game = Game::start(walk(arrows, Repetition::Ends(3), GameResult::Draw));
    let (answer, _) = search_fresh(&game, &Limits::depth(12));
    assert_eq!((answer.score, answer.best), (Score::DRAW, Some((0, 1))));
}

#[test]
fn a_limit_of_the_rules_comes_before_a_repetition() {
    let rules = Walk { max_plies: 3, ..walk(RING, Repetition::Ends(3), FIRST_WINS) };
    let (answer, _) = search_fresh(&Game::start(rules), &mate(2));
    assert_eq!(answer.score, Score::win_at(3));
}

#[test]
fn a_forbidden_repetition_is_no_move() {
    let arrows: &[&[usize]] = &[&[1, 3], &[0, 2], &[], &[0]];
    // p1 goes to 3. p2 can only go back to 0, where p1 stood to move before.
    let game = Game::start(walk(arrows, Repetition::Forbids(2), GameResult::Draw));
    let (answer, _) = search_fresh(&game, &Limits::depth(6));
    assert_eq!((answer.score.value(), answer.best), (Value::Mate(1), Some((0, 3))));

    // One more allowed occurrence takes one more round.
    let game = Game::start(walk(arrows, Repetition::Forbids(3), GameResult::Draw));
    let (answer, _) = search_fresh(&game, &Limits::depth(8));
    assert_eq!((answer.score, answer.best), (Score::win_at(3), Some((0, 3))));
}

#[test]
fn the_moves_that_history_forbids_are_not_played() {
    let arrows: &[&[usize]] = &[&[1], &[0, 2], &[3], &[2]];
    let mut game = Game::start(walk(arrows, Repetition::Forbids(2), GameResult::Draw));
    game.push((0, 1));
    let (answer, _) = search_fresh(&game, &Limits::depth(1));
    assert_eq!(answer.best, Some((1, 2)));
}

#[test]
fn a_soft_node_limit_ends_the_search_after_a_whole_iteration() {
    let game = start(CaptureRule::Optional);
    let (whole, _) = search_fresh(&game, &Limits::depth(6));
    let (before, _) = search_fresh(&game, &Limits::depth(5));
    for soft in [before.nodes + 1, whole.nodes] {
        let limits = Limits { soft_nodes: Some(soft), ..Limits::default() };
        let (answer, _) = search_fresh(&game, &limits);
        assert_eq!((answer.nodes, answer.depth), (whole.nodes, 6), "{soft}");
        assert_eq!((answer.score, answer.best), (whole.score, whole.best), "{soft}");
    }
}

#[test]
fn without_time_one_ply_is_looked_ahead() {
    let clock = Clock { time_left: Duration::ZERO, increment: Duration::ZERO, moves_to_go: 25 };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    let (answer, _) = search_fresh(&start(CaptureRule::Optional), &limits);
    assert!(answer.best.is_some());
    assert_eq!(answer.depth, 1);
}

#[test]
fn pondering_takes_no_time_before_the_ponderhit() {
    let clock = Clock { time_left: Duration::ZERO, increment: Duration::ZERO, moves_to_go: 25 };
    let limits = Limits { clock: Some(clock), ponder: true, ..Limits::default() };
    let (game, control) = (start(CaptureRule::Optional), Control::new());
    std::thread::scope(|scope| {
        let search = scope.spawn(|| answer_of(search, &game, &limits, &control, None).0);
        std::thread::sleep(Duration::from_millis(30));
        assert!(!search.is_finished());
        control.ponderhit();
        assert!(search.join().unwrap().best.is_some());
    });
}

#[test]
fn lines_are_distinct_and_in_order() {
    for game in random_records(&alquerque(CaptureRule::Optional), 12) {
        let limits = Limits { multipv: 3, ..Limits::depth(2) };
        let (answer, reports) = search_fresh(&game, &limits);
        let (single, _) = search_fresh(&game, &Limits::depth(2));
        let last: Vec<_> = reports.iter().filter(|report| report.depth == 2).collect();
        assert_eq!(last.len(), 3.min(game.legal_moves().len()));
        for (index, pair) in last.windows(2).enumerate() {
            assert_eq!(pair[0].multipv, index + 1);
            assert!(pair[0].score >= pair[1].score);
            assert_ne!(pair[0].pv[0], pair[1].pv[0]);
        }
        assert_eq!(last[0].score, single.score);
        assert_eq!(answer.best, Some(last[0].pv[0]));
    }
}

#[test]
fn lines_can_be_played() {
    for capture in [CaptureRule::Optional, CaptureRule::Mandatory] {
        for mut game in random_records(&alquerque(capture), 20) {
            let (_, reports) = search_fresh(&game, &Limits::depth(8));
            let last = reports.last().unwrap();
            for mv in &last.pv {
                assert!(game.legal_moves().contains(mv));
                game.push(*mv);
            }
            if let Some(plies) = last.score.plies_to_end() {
                assert!(last.pv.len() <= plies as usize);
            }
        }
    }
}

#[test]
fn a_win_with_the_next_move_is_seen_at_depth_1() {
    // From 1 a player goes to 2 and wins.
    let search = |arrows| {
        let game = Game::start(walk(arrows, Repetition::Ignored, GameResult::Draw));
        let (answer, reports) = search_fresh(&game, &Limits::depth(1));
        (answer.score, reports.last().unwrap().pv.clone())
    };
    assert_eq!(search(&[&[1], &[0, 2], &[]]), (-Score::win_at(2), vec![(0, 1), (1, 2)]));
    assert_eq!(search(&[&[1, 3], &[0, 2], &[], &[0]]), (Score::DRAW, vec![(0, 3)]));
    assert_eq!(search(&[&[3, 1], &[0, 2], &[], &[0]]), (Score::DRAW, vec![(0, 3)]));
}

#[test]
fn a_search_for_a_win_ends_when_it_is_found() {
    let rules = alquerque(CaptureRule::Optional);
    let position = rules.parse_position("5/2m2/2M2/5/5 1 - 0 0").unwrap();
    let game = Game::new(rules, position);
    let (answer, _) = search_fresh(&game, &Limits { mate: Some(5), ..Limits::default() });
    assert_eq!((answer.score.value(), answer.depth), (Value::Mate(1), 1));
    // The man on c3 hops over the last enemy man.
    assert_eq!(game.rules().print_move(game.current(), answer.best.unwrap()), "c3c5");
    let game = start(CaptureRule::Optional);
    let (answer, _) = search_fresh(&game, &Limits { mate: Some(2), ..Limits::default() });
    assert_eq!(answer.depth, 4);
}

#[test]
fn a_search_for_a_win_misses_none_of_that_length_even_after_another_search() {
    let rules = Sapos::default();
    let text = "2mmmmm1/mmm4m/3MM3/5M1m/1MMMM1m1/2M1M3/M1MM4/2MM1M1M 2 1 0 40";
    let position = rules.parse_position(text).unwrap();
    let game = Game::new(rules, position);
    let table = TranspositionTable::new(4).unwrap();
    for limits in [Limits::depth(4), Limits { mate: Some(2), ..Limits::default() }] {
        let answer = search_quietly(&game, &limits, &table);
        let is_found = answer.score.value() == Value::Mate(2);
        assert_eq!(is_found, limits.mate.is_some(), "{answer:?}");
    }
}

#[test]
fn several_threads_find_the_same_win() {
    let rules = Alquerque { quiet_limit: 5, ..alquerque(CaptureRule::Optional) };
    let position = rules.parse_position("m1m2/5/1M3/2m2/M3M 1 - 0 0").unwrap();
    let game = Game::new(rules, position);
    let (single, _) = search_fresh(&game, &Limits::depth(40));
    let (several, _) = search_fresh(&game, &Limits { threads: 3, ..Limits::depth(40) });
    assert_eq!(single.score, several.score);
    assert!(several.nodes > 0);
}

#[test]
fn a_thread_that_panics_neither_holds_the_answer_up_nor_spoils_it() {
    let coins = || Coins::new(vec![1, 5, 2, 9, 3, 8, 1, 1, 7, 4, 6, 2, 9, 5, 3, 8]);
    let limits = Limits { threads: 3, ..Limits::depth(12) };
    let (whole, _) = search_fresh(&Game::start(coins()), &limits);
    let is_helper = |name: &str| name.starts_with(HELPER_NAME);

    let (answer, _) =
        search_fresh(&Game::start(Coins { panics_in: is_helper, ..coins() }), &limits);
    assert_eq!((answer.best, answer.score, answer.depth), (whole.best, whole.score, 12));
    assert_eq!(answer.faults, 2);

    let is_first = |name: &str| !name.starts_with(HELPER_NAME);
    let (answer, _) = search_fresh(&Game::start(Coins { panics_in: is_first, ..coins() }), &limits);
    assert!(answer.best.is_some());
    assert_eq!(answer.faults, 1);

    let (answer, _) = search_fresh(&Game::start(Coins { panics_in: |_| true, ..coins() }), &limits);
    assert!(Game::start(coins()).legal_moves().contains(&answer.best.unwrap()));
    assert_eq!((answer.faults, answer.depth), (3, 0));
}

#[test]
fn a_long_game_does_not_slow_repetition_detection() {
    let mut game = Game::start(walk(RING, Repetition::Ignored, GameResult::Win(Side::Two)));
    for ply in 0..100_000 {
        game.push(if ply % 2 == 0 { (0, 1) } else { (1, 0) });
    }
    let (answer, _) = search_fresh(&game, &Limits::depth(20));
    assert_eq!(answer.best, Some((0, 1)));
}
