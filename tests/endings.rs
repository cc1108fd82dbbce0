//! Endings played from tables of exact values, under the rules and their limits: the promised result comes each time.

use std::sync::Arc;

use leap_core::exact::{Tablebase, Wdl, by_count, value_of_move};
use leap_core::keys::SplitMix64;
use leap_core::notation::Notation;
use leap_core::record::Record;
use leap_core::{Position, Side};
use leap_games::alquerque::{Alquerque, AlquerqueMove, Capture};
use leap_search::{Control, Limits, Request, Table, search};
use leap_tables::{Library, Men, Slice};

/// How the side that does not play from tables chooses.
#[derive(Clone, Copy, Debug)]
enum Defence {
    /// Any move.
    Random,
    /// The move that tables call the best.
    Stubborn,
    /// The move of a search without tables.
    Search,
}

const DEFENCES: [Defence; 3] = [Defence::Random, Defence::Stubborn, Defence::Search];

/// Plays endings.
struct Player {
    game: Alquerque,
    known: Arc<dyn Tablebase<Alquerque>>,
    table: Table,
    random: SplitMix64,
}

impl Player {
    /// `quiet_limit` is as low as the values allow where many games are played.
    fn new(capture: Capture, quiet_limit: u32) -> Self {
        let game = Alquerque { capture, quiet_limit, max_plies: 0 };
        let known = Library::default().of(&game, 24).unwrap();
        Self { game, known, table: Table::new(1).unwrap(), random: SplitMix64::new(36) }
    }

    fn searched(&self, record: &Record<Alquerque>, depth: u32, asks: bool) -> AlquerqueMove {
        let request = Request {
            record,
            evaluator: &Default::default(),
            limits: &Limits::depth(depth),
            table: &self.table,
            tables: asks.then_some(&*self.known),
            control: &Control::new(),
        };
        search(request, &mut |_| {}).best.unwrap()
    }

    fn defend(&mut self, record: &Record<Alquerque>, defence: Defence) -> AlquerqueMove {
        match defence {
            Defence::Search => self.searched(record, 3, false),
            Defence::Stubborn => self.searched(record, 1, true),
            Defence::Random => {
                let moves = record.legal_moves();
                moves[self.random.draw() as usize % moves.len()]
            }
        }
    }

    /// Plays a position to its end, its side to move by the engine with tables. Checks the result.
    fn play(&mut self, men: Men, defence: Defence) {
        let mut record = Record::new(self.game.clone(), men.position());
        if record.outcome().is_some() {
            return;
        }
        let promised = self.known.probe(&self.game, record.current()).unwrap();
        while record.outcome().is_none() {
            let mv = match record.current().side() {
                Side::One => self.searched(&record, 1, true),
                Side::Two => self.defend(&record, defence),
            };
            record.push(mv);
        }
        let result = Wdl::of(record.outcome().unwrap().result, Side::One);
        let text = self.game.print_position(&record.positions()[0]);
        let is_kept = match defence {
            Defence::Stubborn => result == promised.outcome,
            Defence::Random | Defence::Search => result >= promised.outcome,
        };
        assert!(is_kept, "{text}: {promised:?}, {result:?} against {defence:?}");
    }
}

/// Any position with 2 to `most` men, drawn evenly from the slices.
fn drawn(random: &mut SplitMix64, most: u32) -> Men {
    let slices: Vec<Slice> = Slice::all(most).collect();
    let slice = slices[random.draw() as usize % slices.len()];
    slice.men_at(random.draw() % slice.size())
}

fn random_endings(count: usize) {
    for capture in [Capture::Optional, Capture::Mandatory] {
        let mut player = Player::new(capture, 100);
        let mut random = SplitMix64::new(7);
        for at in 0..count {
            let men = drawn(&mut random, player.known.reach());
            player.play(men, DEFENCES[at % DEFENCES.len()]);
        }
    }
}

#[test]
fn random_endings_end_as_their_tables_promise() {
    random_endings(90);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn ten_thousand_random_endings_end_as_their_tables_promise() {
    random_endings(5_000);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn each_ending_with_five_men_ends_as_its_table_promises() {
    for capture in [Capture::Optional, Capture::Mandatory] {
        let mut player = Player::new(capture, 12);
        for slice in Slice::all(5) {
            for number in 0..slice.size() {
                let men = slice.men_at(number);
                player.play(men, DEFENCES[number as usize % 2]);
            }
        }
    }
}

#[test]
fn a_side_that_wins_by_the_count_looks_for_a_win_on_the_board() {
    let player = Player::new(Capture::Mandatory, 100);
    let position = player.game.parse_position("5/5/M1m2/M4/1M3 2 - 0 60").unwrap();
    let mut record = Record::new(player.game.clone(), position);
    for text in "c3d3 b1a1 d3c3 a1b1 c3d3 b1a1 d3c3".split(' ') {
        record.push(record.resolve(text).unwrap());
    }
    let value = |mv| value_of_move(&record, &*player.known, mv).unwrap();
    let repeating = record.resolve("a1b1").unwrap();
    assert_eq!((value(repeating).outcome, value(repeating).plies), (Wdl::Win, None));
    let found = player.searched(&record, 4, true);
    assert_eq!(player.game.move_text(record.current(), found), "a3b3", "wins in two moves");
}

#[test]
fn a_move_is_worth_what_the_position_after_it_is_worth() {
    let mut random = SplitMix64::new(3);
    for capture in [Capture::Optional, Capture::Mandatory] {
        let player = Player::new(capture, 100);
        for _ in 0..2_000 {
            let record = Record::new(player.game.clone(), drawn(&mut random, 7).position());
            if record.outcome().is_some() {
                continue;
            }
            let exact = player.known.probe(&player.game, record.current()).unwrap();
            let by_count = by_count(&player.game, record.current());
            let moves = record.legal_moves();
            let best = moves
                .iter()
                .map(|mv| value_of_move(&record, &*player.known, *mv).unwrap())
                .max_by_key(|exact| exact.preference(by_count))
                .unwrap();
            assert_eq!(best.outcome, exact.outcome, "{:?}", record.current());
            if exact.outcome != by_count {
                assert_eq!(best.plies, exact.plies, "{:?}", record.current());
            }
        }
    }
}
