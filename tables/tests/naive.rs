//! Tables against a naive solver: rounds over all positions, with the moves of the game and without symmetry.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;

use leap_core::{Position, Rules, RulesExt, Side};
use leap_games::alquerque::{Alquerque, Capture};
use leap_tables::make::{Counts, Event, Maker};
use leap_tables::{Men, Slice, Wdl};

fn maker(capture: Capture, men: u32, directory: &std::path::Path) -> Maker {
    Maker { capture, men, directory: directory.to_owned(), save_every: Duration::MAX }
}

/// A position of the naive solver, with its moves by number. Where no number is, a side has lost its last man.
struct Node {
    men: Men,
    captures: Vec<Option<usize>>,
    steps: Vec<usize>,
}

fn sets(count: u32) -> impl Iterator<Item = u32> {
    (0..1u32 << 25).filter(move |set| set.count_ones() == count)
}

/// Every position with at most so many men.
fn nodes(rules: &Alquerque, men: u32) -> Vec<Node> {
    let mut all = Vec::new();
    for slice in Slice::all(men) {
        let enemies: Vec<u32> = sets(slice.enemy).collect();
        for own in sets(slice.own) {
            let apart = enemies.iter().filter(|enemy| *enemy & own == 0);
            all.extend(apart.map(|enemy| Men { own, enemy: *enemy }));
        }
    }
    let numbers: HashMap<Men, usize> = all.iter().copied().zip(0..).collect();
    let node = |men: Men| {
        let position = men.position();
        assert_eq!(position.side(), Side::One);
        let mut node = Node { men, captures: Vec::new(), steps: Vec::new() };
        let _ = rules.visit_moves(&position, |mv| {
            let child = numbers.get(&Men::of(&rules.after(&position, mv))).copied();
            match child {
                Some(child) if !rules.is_capture(&position, mv) => node.steps.push(child),
                child => node.captures.push(child),
            }
            ControlFlow::Continue(())
        });
        node
    };
    all.iter().map(|men| node(*men)).collect()
}

/// The outcome of each node.
///
/// A node begins with the outcome by the count. Rounds over all nodes change it where moves force another one, until
/// nothing changes: first who wins, then who has at least a draw.
fn outcomes(nodes: &[Node]) -> Vec<Wdl> {
    let count = |men: Men| match men.own.count_ones().cmp(&men.enemy.count_ones()) {
        std::cmp::Ordering::Less => Wdl::Loss,
        std::cmp::Ordering::Equal => Wdl::Draw,
        std::cmp::Ordering::Greater => Wdl::Win,
    };
    let mut found: Vec<Wdl> = nodes.iter().map(|node| count(node.men)).collect();
    let mut by_men: Vec<Vec<usize>> = vec![Vec::new(); 25];
    for (number, node) in nodes.iter().enumerate() {
        by_men[(node.men.own.count_ones() + node.men.enemy.count_ones()) as usize].push(number);
    }
    for group in by_men {
        for goal in [Wdl::Win, Wdl::Draw] {
            loop {
                let mut changed = false;
                for &number in &group {
                    let node = &nodes[number];
                    let base = count(node.men);
                    let reached = |child: Option<usize>| {
                        child.map_or(Wdl::Win, |child| found[child].flipped())
                    };
                    let moves = node
                        .captures
                        .iter()
                        .copied()
                        .chain(node.steps.iter().map(|step| Some(*step)));
                    let best = moves.map(reached).max().unwrap_or(Wdl::Loss);
                    let gains = best > base && best >= goal && found[number] < best;
                    let loses = best < base && best <= goal.flipped() && found[number] > best;
                    if gains || loses {
                        found[number] = best;
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
        }
    }
    found
}

fn check(men: u32) {
    for capture in [Capture::Optional, Capture::Mandatory] {
        let directory = tempfile::tempdir().unwrap();
        let tables = leap_tables::make::tables(capture, men, directory.path()).unwrap();
        tables.unpack(men).unwrap();
        let nodes = nodes(&Alquerque { capture, ..Alquerque::default() }, men);
        for (node, outcome) in nodes.iter().zip(outcomes(&nodes)) {
            let exact = tables.probe(node.men).unwrap();
            assert_eq!(exact.outcome, outcome, "{capture} {:?}", node.men);
        }
    }
}

#[test]
fn a_naive_solver_finds_the_same_outcomes_with_four_men() {
    check(4);
}

#[test]
#[ignore = "takes minutes"]
fn a_naive_solver_finds_the_same_outcomes_with_five_men() {
    check(5);
}

/// The files and the counts of a maker.
fn files(capture: Capture, directory: &std::path::Path) -> Vec<Vec<u8>> {
    let name = |slice| directory.join(leap_tables::file_name(capture, slice));
    Slice::all(5).map(|slice| std::fs::read(name(slice)).unwrap()).collect()
}

#[test]
fn a_maker_that_was_stopped_within_a_pair_goes_on_and_makes_the_same_files() {
    let capture = Capture::Optional;
    let [whole, parts] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    maker(capture, 5, whole.path()).make(&mut |_| {}).unwrap();

    // The cells are saved after each level, and the maker ends in the middle of 3 against 2.
    let saves = Maker { save_every: Duration::ZERO, ..maker(capture, 5, parts.path()) };
    let stopped = std::panic::catch_unwind(|| {
        let mut pair = None;
        let _ = saves.make(&mut |event| match event {
            Event::Begun { more, .. } => pair = Some(more),
            Event::Level(3) if pair == Some(Slice { own: 3, enemy: 2 }) => {
                std::panic::resume_unwind(Box::new("stopped"))
            }
            _ => {}
        });
    });
    assert!(stopped.is_err());
    let mut resumed_at = None;
    let mut hear = |event: Event<'_>| {
        if let Event::Begun { resumed, .. } = event {
            resumed_at = resumed_at.or(resumed);
        }
    };
    saves.make(&mut hear).unwrap();
    assert!(resumed_at.is_some(), "earlier work goes on");
    assert_eq!(files(capture, parts.path()), files(capture, whole.path()));
}

#[test]
fn finished_tables_are_left_as_they_are() {
    let directory = tempfile::tempdir().unwrap();
    let maker = maker(Capture::Mandatory, 4, directory.path());
    let mut finished: Vec<Counts> = Vec::new();
    let mut tell = |event: Event<'_>| {
        if let Event::Finished(counts) = event {
            finished.push(*counts);
        }
    };
    maker.make(&mut tell).unwrap();
    maker.make(&mut tell).unwrap();
    assert_eq!(finished.len(), Slice::all(4).count());
    // By Burnside's lemma there are 9,664 positions of two men each.
    let even = finished.iter().find(|counts| counts.slice == Slice { own: 2, enemy: 2 }).unwrap();
    assert_eq!(even.outcomes.iter().sum::<u64>(), 9_664);
}
