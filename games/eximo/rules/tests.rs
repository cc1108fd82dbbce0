//! Random positions, denser and odder than in games, against rules spelled out square by square.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use leap_core::men::Men;
use leap_core::notation::{Next, PartialMove};
use leap_core::{Counters, RulesExt, SplitMix64};

const GAME: Eximo = Eximo { max_plies: 400 };

const POSITIONS: u32 = 3000;

fn moves(position: &EximoPosition) -> Vec<EximoMove> {
    GAME.legal_moves(position)
}

/// Calls `check` with random positions, the same ones in each run.
fn for_random_positions(mut check: impl FnMut(&EximoPosition)) {
    let mut random = SplitMix64::new(12);
    let mut draw = || random.draw();
    for i in 0..POSITIONS {
        // Each further word halves the number of men.
        let [a, b] =
            [draw() & draw(), draw()].map(|men| if i % 3 == 0 { men & draw() } else { men });
        let (one, two) = if i % 2 == 0 { (a, b & !a) } else { (a & !b, b) };
        let men = |side, set| SquareSet(set) & !LAST_ROW[side];
        let men = Men::new(BySide::new(men(Side::One, one), men(Side::Two, two)));
        let side = if draw() % 2 == 0 { Side::One } else { Side::Two };
        let position = EximoPosition { men, counters: Counters { side, ..Counters::START } };
        check(&position);
    }
}

/// The board turned upside down, with the players exchanged.
fn mirrored(position: &EximoPosition) -> EximoPosition {
    let men = |side| SquareSet(position.men(side).0.swap_bytes());
    let counters = Counters { side: position.side().other(), ..position.counters };
    EximoPosition { men: Men::new(BySide::new(men(Side::Two), men(Side::One))), counters }
}

/// A move by its squares: origin, destination, captured men and drops.
type Squares4 = (usize, usize, BTreeSet<usize>, BTreeSet<usize>);

fn squares(mv: EximoMove) -> Squares4 {
    let index = |square: Square| square.index();
    let captured = mv.captured.into_iter().map(index).collect();
    (mv.from.index(), mv.to.index(), captured, mv.drops().map(index).collect())
}

/// SPEC 12.6 to 12.14 for player 1, on a board that is changed hop by hop.
#[derive(Clone)]
struct Naive {
    board: BTreeMap<(i32, i32), Side>,
    from: (i32, i32),
    at: (i32, i32),
    captured: BTreeSet<usize>,
}

impl Naive {
    fn lift(position: &EximoPosition, from: Square) -> Self {
        let coordinates = |square| {
            (i32::from(Eximo::GEOMETRY.file(square)), i32::from(Eximo::GEOMETRY.rank(square)))
        };
        let mut board = BTreeMap::new();
        for side in Side::BOTH {
            board.extend(position.men(side).into_iter().map(|square| (coordinates(square), side)));
        }
        board.remove(&coordinates(from));
        let at = coordinates(from);
        Self { board, from: at, at, captured: BTreeSet::new() }
    }

    fn is_free(&self, (file, rank): (i32, i32)) -> bool {
        let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
        on_board && !self.board.contains_key(&(file, rank))
    }

    /// Everything that one hop over a man of `over` can lead to. Nothing once the man is off the board.
    fn hops(&self, over: Side) -> Vec<Self> {
        let sideways = [(-1, 0), (1, 0)].into_iter().filter(|_| over == Side::Two);
        let directions = [(-1, 1), (0, 1), (1, 1)].into_iter().chain(sideways);
        let hop = |(files, ranks)| {
            let (file, rank) = self.at;
            let (between, to) =
                ((file + files, rank + ranks), (file + 2 * files, rank + 2 * ranks));
            if rank == 7 || self.board.get(&between) != Some(&over) || !self.is_free(to) {
                return None;
            }
            let mut naive = Self { at: to, ..self.clone() };
            if over == Side::Two {
                naive.board.remove(&between);
                naive.captured.insert(index(between));
            }
            Some(naive)
        };
        directions.filter_map(hop).collect()
    }

    fn chains(self, over: Side, ends: &mut Vec<Self>) {
        let hops = self.hops(over);
        if hops.is_empty() {
            ends.push(self);
            return;
        }
        hops.into_iter().for_each(|naive| naive.chains(over, ends));
    }

    fn steps(&self) -> impl Iterator<Item = Self> {
        let (file, rank) = self.at;
        let to = (-1..=1).map(move |files| (file + files, rank + 1));
        to.filter(|to| self.is_free(*to)).map(|to| Self { at: to, ..self.clone() })
    }

    fn drop_into(&self, moves: &mut BTreeSet<Squares4>) {
        let end = |drops: &[usize]| {
            let drops = drops.iter().copied().collect();
            (index(self.from), index(self.at), self.captured.clone(), drops)
        };
        let zone = (0..2).flat_map(|rank| (1..7).map(move |file| (file, rank)));
        let room: Vec<usize> = zone.filter(|at| self.is_free(*at)).map(index).collect();
        if self.at.1 < 7 {
            moves.insert(end(&[]));
        } else if room.len() < 2 {
            moves.insert(end(&room));
        } else {
            let pairs = room.iter().flat_map(|a| room.iter().map(move |b| (*a, *b)));
            moves.extend(pairs.filter(|(a, b)| a < b).map(|(a, b)| end(&[a, b])));
        }
    }
}

fn index((file, rank): (i32, i32)) -> usize {
    (rank * 8 + file) as usize
}

/// All moves of player 1.
fn naive_moves(position: &EximoPosition) -> BTreeSet<Squares4> {
    let men = position.men(Side::One).into_iter();
    let men: Vec<Naive> = men.map(|from| Naive::lift(position, from)).collect();
    let chains = |over| {
        let mut ends = Vec::new();
        let first = men.iter().flat_map(|naive| naive.hops(over));
        first.for_each(|naive| naive.chains(over, &mut ends));
        ends
    };
    let mut ends = chains(Side::Two);
    if ends.is_empty() {
        ends = chains(Side::One);
        ends.extend(men.iter().flat_map(Naive::steps));
    }
    let mut moves = BTreeSet::new();
    ends.iter().for_each(|naive| naive.drop_into(&mut moves));
    moves
}

#[test]
fn the_generator_finds_what_the_rules_say() {
    for_random_positions(|position| {
        let as_one = if position.side() == Side::One { *position } else { mirrored(position) };
        let found = moves(&as_one);
        let distinct: BTreeSet<_> = found.iter().map(|mv| squares(*mv)).collect();
        assert_eq!(distinct.len(), found.len(), "{}", GAME.print_position(&as_one));
        assert_eq!(distinct, naive_moves(&as_one), "{}", GAME.print_position(&as_one));
    });
}

#[test]
fn player_2_moves_as_player_1_does_seen_from_above() {
    for_random_positions(|position| {
        let flip = |set: BTreeSet<usize>| set.into_iter().map(|square| square ^ 56).collect();
        let flipped: BTreeSet<Squares4> = moves(&mirrored(position))
            .into_iter()
            .map(squares)
            .map(|(from, to, captured, drops)| (from ^ 56, to ^ 56, flip(captured), flip(drops)))
            .collect();
        assert_eq!(moves(position).into_iter().map(squares).collect::<BTreeSet<_>>(), flipped);
    });
}

#[test]
fn counts_lists_and_texts_agree() {
    for_random_positions(|position| {
        let text = GAME.print_position(position);
        let moves = moves(position);
        assert_eq!(GAME.count_moves(position, &StopFlag::default()), moves.len() as u64, "{text}");
        assert_eq!(GAME.has_move(position), !moves.is_empty(), "{text}");
        let routes: Vec<Steps> = moves.iter().map(|mv| GAME.route(position, *mv)).collect();
        assert!(routes.is_sorted_by(|a, b| a < b), "{text}");
        for (mv, route) in moves.iter().zip(routes).take(50) {
            let move_text = route.text(Eximo::GEOMETRY);
            assert_eq!(GAME.parse_move(position, &move_text), Ok(*mv), "{move_text} in {text}");
        }
    });
}

/// Collects the move at the end of every way through [`PartialMove::next`].
fn entered<T: PartialMove<Move = EximoMove>>(turn: &T, moves: &mut BTreeSet<Squares4>) {
    let Next { steps, may_end } = turn.next();
    assert_eq!(may_end, steps.is_empty(), "no move of Eximo is the beginning of another");
    if may_end {
        moves.insert(squares(turn.finish().unwrap()));
    }
    for step in steps {
        let mut turn = turn.clone();
        turn.take(step).unwrap();
        entered(&turn, moves);
    }
}

#[test]
fn what_can_be_entered_are_exactly_the_moves() {
    for_random_positions(|position| {
        let listed: BTreeSet<_> = moves(position).into_iter().map(squares).collect();
        if listed.is_empty() {
            return;
        }
        let mut reached = BTreeSet::new();
        entered(&GAME.partial_move(position, None), &mut reached);
        assert_eq!(reached, listed, "{}", GAME.print_position(position));
    });
}
