//! Problems made by the engine, and those that are kept in the repository.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::Path;

use indicatif::ProgressBar;
use leap_core::symmetry::identity;
use leap_core::{Game, Position, RulesExt};
use leap_games::alquerque::Alquerque;
use leap_games::eximo::Eximo;
use leap_games::games;
use leap_protocol::payload::Proof;
use leap_protocol::{Query, Reply};
use leap_search::{Control, Limits, Playable, Request, TranspositionTable, Value, search};
use leapd::bench::suite::{self, problems};
use leapd::problems::make::{self, Arguments};
use leapd::problems::solve::Solver;
use leapd::problems::{Problem, read};
use regex::Regex;

use crate::ask::engines;

/// Positions that the solver may look at for one problem.
const PLENTY: u64 = 20_000_000;
/// One problem in so many is solved again by the quick test.
const SOME: usize = 5;

fn kept_problems_are_problems<R: Playable>() {
    let rules = &R::default();
    let problems = problems(rules).unwrap();
    assert!(problems.len() >= 20, "{}", problems.len());
    let mut lines = R::PROBLEMS.lines();
    let command = format!("# leapd problems {} ", R::ID);
    assert!(lines.next().unwrap().starts_with(&command), "{command}");
    let mut seen = HashSet::new();
    for (index, (problem, line)) in problems.iter().zip(lines).enumerate() {
        assert_eq!(problem.line(rules), line);
        assert_eq!(problem.id, format!("{}.{}", R::ID, index + 1));
        assert_eq!(rules.outcome(&problem.position), None, "{line}");
        assert!(seen.insert(identity(rules, &problem.position)), "twice: {line}");
    }
}

/// Solves a problem again: what it says holds for the accepted moves and for no other.
fn is_solved<R: Playable>(rules: &R, problem: &Problem<R>) {
    let (position, side) = (&problem.position, problem.position.side());
    let mut solver = Solver::new(rules, PLENTY);
    let mut forced = |winner, plies| {
        let forced = solver.forced(position, winner, plies).unwrap();
        let (won, open): (Vec<_>, _) = forced.into_iter().partition(|(_, length)| length.is_some());
        let moves = |moves: Vec<(R::Move, _)>| moves.into_iter().map(|(mv, _)| mv).collect();
        let length = won.iter().find_map(|(_, length)| *length);
        (moves(won), moves(open), length)
    };
    let rest = rules.ply_limit(position).unwrap().plies;
    let found: Vec<R::Move> = match problem.proof {
        Proof::Win(plies) => {
            let (won, _, length) = forced(side, rest);
            assert_eq!(length, Some(plies), "{}", problem.id);
            won
        }
        Proof::Hold(plies) => {
            assert_eq!((plies, forced(side, rest).2), (rest, None), "{}", problem.id);
            forced(side.other(), rest).1
        }
        Proof::Margin(most) => {
            let margins = solver.margins(position).unwrap();
            assert_eq!(margins.iter().map(|(_, margin)| *margin).max(), Some(most));
            let best = margins.into_iter().filter(|(_, margin)| *margin == most);
            best.map(|(mv, _)| mv).collect()
        }
    };
    let set = |moves: &[R::Move]| moves.iter().copied().collect::<HashSet<_>>();
    assert_eq!(set(&found), set(&problem.best), "{}", problem.id);
}

/// Solves the problems at the wanted places of the file again.
pub(crate) fn are_solved_again<R: Playable>(wanted: impl Fn(usize) -> bool) {
    let rules = &R::default();
    for (_, problem) in problems(rules).unwrap().iter().enumerate().filter(|(at, _)| wanted(*at)) {
        is_solved(rules, problem);
    }
}

/// The positions that the page lets people practise, each with whether its answer is proved.
///
/// Files of problems know neither how hard a position is (`acn`) nor an answer without a proof. The first is left out, and
/// the second is read as a proof of nothing.
fn practised<R: Playable>() -> Vec<(Problem<R>, bool)> {
    let path = format!("adapters/page/assets/practice/positions/{}.txt", R::ID);
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path)).unwrap();
    let (hard, answer) =
        (Regex::new(r" acn \d+;").unwrap(), Regex::new(r"answer by \d+ %").unwrap());
    let plain = answer.replace_all(&text, "hold for 0 plies");
    let problems = read(&R::default(), &path, &hard.replace_all(&plain, "")).unwrap();
    let with_proof = |problem: Problem<R>| {
        let is_proved = problem.proof != Proof::Hold(0);
        (problem, is_proved)
    };
    problems.into_iter().map(with_proof).collect()
}

/// Positions to practise are not over, have a wrong move, and are there once. Proved answers at the wanted places are
/// solved again.
pub(crate) fn positions_to_practise_are_right<R: Playable>(wanted: impl Fn(usize) -> bool) {
    let rules = &R::default();
    let mut seen = HashSet::new();
    for (at, (problem, is_proved)) in practised::<R>().into_iter().enumerate() {
        let Problem { id, position, best, .. } = &problem;
        assert_eq!(rules.outcome(position), None, "{id}");
        assert!(best.len() < rules.legal_moves(position).len(), "{id}");
        // Two positions that differ only in their two counters are one to a person.
        let text = rules.print_position(position);
        let board = text.rsplitn(3, ' ').last().map(str::to_owned);
        assert!(seen.insert(board), "twice: {id}");
        if is_proved && wanted(at) {
            is_solved(rules, &problem);
        }
    }
}

fn is_won(proof: &Proof) -> bool {
    match proof {
        Proof::Win(_) => true,
        Proof::Hold(_) => false,
        Proof::Margin(margin) => *margin > 0,
    }
}

/// A search may miss a win, but a win that it announces is real. A score that is reported as one that holds at any depth
/// is the proved one.
///
/// If the search runs out of nodes, an announced loss is that of the last move that it looked at.
pub(crate) fn scores_are_the_proved_ones<R: Playable>(nodes: u64) {
    let rules = &R::default();
    let mut solved = 0;
    for problem in problems(rules).unwrap() {
        let game = &Game::new(rules.clone(), problem.position);
        let (limits, table) = (&Limits::nodes(nodes), &TranspositionTable::new(4).unwrap());
        let (evaluator, control) = (&R::Evaluator::default(), &Control::new());
        let answer = search(
            Request { game, evaluator, limits, table, tablebase: None, control },
            &mut |report| {
                let value = report.score.value();
                let is_right = match problem.proof {
                    Proof::Win(_) => matches!(value, Value::Mate(1..)),
                    Proof::Hold(_) => matches!(value, Value::Mate(1..) | Value::Cp(0..)),
                    Proof::Margin(margin) => value == Value::Cp(margin),
                };
                assert!(!report.is_solved || is_right, "{}: {value:?}", problem.id);
                let is_win = matches!(value, Value::Mate(1..));
                assert!(!is_win || is_won(&problem.proof), "{}: {value:?}", problem.id);
                solved += usize::from(report.is_solved);
            },
        );
        if matches!(answer.score.value(), Value::Mate(1..)) {
            let wins = answer.best.is_some_and(|best| problem.best.contains(&best));
            let is_right =
                is_won(&problem.proof) && (wins || matches!(problem.proof, Proof::Margin(_)));
            assert!(is_right, "{}: {}", problem.id, problem.proof);
        }
    }
    assert!(solved > 0 || !R::BY_MARGIN, "some problems are solved within these nodes");
}

fn few(threads: usize) -> Arguments {
    Arguments {
        count: 4,
        games: 12,
        plies: Some(5),
        positions: 60_000,
        game_nodes: 30,
        nodes: Some(0),
        seed: 3,
        threads: NonZeroUsize::new(threads),
    }
}

fn made_problems_depend_on_the_arguments_alone<R: Playable>() {
    let rules = &R::default();
    let make = |threads| make::make::<R>(&few(threads), &ProgressBar::hidden()).unwrap();
    let alone = make(1);
    assert_eq!(make(3), alone);
    for problem in read(rules, "made", &alone.lines.join("\n")).unwrap() {
        is_solved(rules, &problem);
    }
}

#[test]
fn the_kept_problems_are_problems() {
    games!(kept_problems_are_problems());
}

#[test]
fn some_are_solved_again() {
    games!(are_solved_again(|at| at % SOME == 0));
}

#[test]
fn some_positions_to_practise_are_solved_again() {
    games!(positions_to_practise_are_right(|at| at % 50 == 0));
}

#[test]
fn wins_and_solved_scores_are_the_proved_ones() {
    games!(scores_are_the_proved_ones(5_000));
}

#[test]
fn problems_depend_on_the_arguments_alone() {
    games!(made_problems_depend_on_the_arguments_alone());
}

/// What `query problems` tells, line by line.
#[test]
fn the_engine_tells_the_kept_problems() {
    for game in leapd::GAMES.map(|tools| tools.game) {
        let mut replies = engines(game.id).answer(&Query::Problems).unwrap();
        assert_eq!(replies.pop(), Some(Reply::ProblemsOk));
        let kept = game.problems.lines().filter(|line| !line.starts_with('#'));
        assert!(replies.into_iter().eq(kept.map(|line| Reply::Problems(line.to_owned()))));
    }
}

/// The block of SPEC 4.48.
#[test]
fn the_specification_shows_a_problem() {
    let spec = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/SPEC.md")).unwrap();
    let block = spec.split("```text\nproblems ").nth(1).unwrap();
    assert_eq!(block.lines().next(), Eximo::PROBLEMS.lines().nth(1));
}

#[test]
fn a_suite_counts_the_same_each_time() {
    let lines = || {
        let progress = ProgressBar::hidden();
        let suites = [
            ("alquerque", suite::solve::<Alquerque>(300, &progress).unwrap()),
            ("eximo", suite::solve::<Eximo>(300, &progress).unwrap()),
        ];
        let lines = suite::lines(&suites);
        let same = lines.into_iter().filter(|line| !line.starts_with("speed "));
        same.collect::<Vec<_>>()
    };
    let first = lines();
    assert!(first[0].starts_with("alquerque solved "), "{first:?}");
    assert!(first.last().unwrap().starts_with("total solved "), "{first:?}");
    assert_eq!(lines(), first);
}

#[test]
fn a_malformed_file_is_refused_with_its_place() {
    let good = "5/2m2/5/1m3/2M1M 1 - 0 393 bm c1a3; c0 \"win in 5 plies\"; id \"alquerque.1\";";
    assert_eq!(read(&Alquerque::default(), "x.txt", good).unwrap().len(), 1);
    for (from, to, expected) in [
        (" bm ", " ", "expected 'bm' and moves"),
        ("c1a3", "", "expected a move after 'bm', found "),
        ("c1a3", "c1c4", "expected a legal move, found 'c1c4': "),
        ("2m2", "2x2", "field board, column 4: expected "),
        (
            "win in 5",
            "win in x",
            "expected 'win in N plies', 'hold for N plies' or 'margin of N cp', found ",
        ),
        ("c0 \"", "c1 \"", "expected 'c0' and what is proved, in quotes"),
        ("\";", "", "expected "),
        ("id ", "", "expected 'id' and a name, in quotes"),
    ] {
        let text = format!("# a comment\n{}", good.replacen(from, to, 1));
        let error = format!("{:#}", read(&Alquerque::default(), "x.txt", &text).unwrap_err());
        assert!(error.starts_with(&format!("x.txt:2: {expected}")), "{error}");
        assert!(!error.contains('\n'), "{error}");
    }
}
