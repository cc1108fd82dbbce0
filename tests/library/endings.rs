//! Endings played from tables of exact values, under the rules and their limits: the promised result comes each time.

pub(crate) mod rule;

use std::sync::Arc;

use leap_core::exact::{Exact, Tablebase, Unlimited, Wdl, by_count, probe_move};
use leap_core::notation::Notation;
use leap_core::{Game, Position, Rules, RulesExt, Side, SplitMix64};
use leap_games::alquerque::{Alquerque, AlquerqueMove, CaptureRule};
use leap_search::{Control, Limits, Request, TranspositionTable, search};
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
    rules: Alquerque,
    known: Arc<dyn Tablebase<Alquerque>>,
    table: TranspositionTable,
    random: SplitMix64,
}

impl Player {
    /// `quiet_limit` is as low as the values allow where many games are played.
    fn new(capture: CaptureRule, quiet_limit: u32) -> Self {
        Self::with(Alquerque { capture, quiet_limit, max_plies: 0 })
    }

    fn with(rules: Alquerque) -> Self {
        let known = Library::default().of(&rules, 24).unwrap();
        Self {
            rules,
            known,
            table: TranspositionTable::new(1).unwrap(),
            random: SplitMix64::new(36),
        }
    }

    fn searched(&self, game: &Game<Alquerque>, depth: u32, asks: bool) -> AlquerqueMove {
        let request = Request {
            game,
            evaluator: &Default::default(),
            limits: &Limits::depth(depth),
            table: &self.table,
            tablebase: asks.then_some(&*self.known),
            control: &Control::new(),
        };
        search(request, &mut |_| {}).best.unwrap()
    }

    fn defend(&mut self, game: &Game<Alquerque>, defence: Defence) -> AlquerqueMove {
        match defence {
            Defence::Search => self.searched(game, 3, false),
            Defence::Stubborn => self.searched(game, 1, true),
            Defence::Random => {
                let moves = game.legal_moves();
                moves[self.random.draw() as usize % moves.len()]
            }
        }
    }

    /// Plays a position to its end, its side to move by the engine with tables. Checks the result.
    fn play(&mut self, men: Men, defence: Defence) {
        let mut game = Game::new(self.rules.clone(), men.position());
        if game.outcome().is_some() {
            return;
        }
        let unlimited = Unlimited(&*self.known);
        let promised = unlimited.probe(&self.rules, game.current()).unwrap();
        while game.outcome().is_none() {
            let mv = match game.current().side() {
                Side::One => self.searched(&game, 1, true),
                Side::Two => self.defend(&game, defence),
            };
            game.push(mv);
        }
        let result = Wdl::of(game.outcome().unwrap().result, Side::One);
        let text = self.rules.print_position(&game.positions()[0]);
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

pub(crate) fn random_endings(count: usize) {
    for capture in [CaptureRule::Optional, CaptureRule::Mandatory] {
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
    random_endings(leap_testing::tried(90) as usize);
}

pub(crate) fn each_ending_with_five_men_ends_as_its_table_promises(capture: CaptureRule) {
    let mut player = Player::new(capture, 12);
    for slice in Slice::all(5) {
        for number in 0..slice.size() {
            let men = slice.men_at(number);
            player.play(men, DEFENCES[number as usize % 2]);
        }
    }
}

#[test]
fn a_side_that_wins_by_the_count_keeps_its_men_until_max_plies() {
    let by_count = Exact { outcome: Wdl::Win, plies: None };
    for capture in [CaptureRule::Optional, CaptureRule::Mandatory] {
        let mut player = Player::with(Alquerque { capture, quiet_limit: 0, max_plies: 60 });
        let mut random = SplitMix64::new(8);
        let mut played = 0;
        while played < 60 {
            let men = drawn(&mut random, 5);
            let exact = Unlimited(&*player.known).probe(&player.rules, &men.position());
            if exact == Some(by_count) {
                player.play(men, DEFENCES[played % DEFENCES.len()]);
                played += 1;
            }
        }
    }
}

#[test]
fn a_side_that_wins_by_the_count_looks_for_a_win_on_the_board() {
    let player = Player::new(CaptureRule::Mandatory, 100);
    let position = player.rules.parse_position("5/5/M1m2/M4/1M3 2 - 0 60").unwrap();
    let mut game = Game::new(player.rules.clone(), position);
    for text in "c3d3 b1a1 d3c3 a1b1 c3d3 b1a1 d3c3".split(' ') {
        game.push(game.parse_move(text).unwrap());
    }
    let value = |mv| probe_move(&game, &*player.known, mv).unwrap();
    let repeating = game.parse_move("a1b1").unwrap();
    assert_eq!((value(repeating).outcome, value(repeating).plies), (Wdl::Win, None));
    let found = player.searched(&game, 4, true);
    assert_eq!(player.rules.print_move(game.current(), found), "a3b3", "wins in two moves");
}

/// Every position with up to four men, under both rules, with the values of its moves. Counters are 0.
fn each_move_of_few_men(mut visit: impl FnMut(&Player, &Game<Alquerque>, AlquerqueMove, Exact)) {
    for capture in [CaptureRule::Optional, CaptureRule::Mandatory] {
        let player = Player::new(capture, 100);
        for slice in Slice::all(4) {
            for number in 0..slice.size() {
                let game = Game::new(player.rules.clone(), slice.men_at(number).position());
                for mv in game.legal_moves() {
                    visit(&player, &game, mv, probe_move(&game, &*player.known, mv).unwrap());
                }
            }
        }
    }
}

#[test]
fn the_plies_of_each_move_are_those_of_spec_4_53() {
    let mut ends = [0; 2];
    each_move_of_few_men(|player, game, mv, exact| {
        let position = game.current();
        let child = player.rules.after(position, mv);
        let is_ahead = by_count(&player.rules, position) == Wdl::Win;
        let text = || player.rules.print_position(position);
        if player.rules.outcome(&child).is_some() {
            // The other side has no move: a win on the board, whatever the count gives.
            ends[usize::from(is_ahead)] += 1;
            assert_eq!(exact, Exact { outcome: Wdl::Win, plies: Some(1) }, "{}", text());
            return;
        }
        let after = player.known.probe(&player.rules, &child).unwrap();
        assert_eq!(exact.outcome, after.outcome.flipped(), "{}", text());
        let gains = exact.outcome != by_count(&player.rules, position);
        let plies = match player.rules.is_capture(position, mv) {
            true => gains.then_some(1),
            false => after.plies.map(|plies| plies + 1),
        };
        assert_eq!(exact.plies, plies, "{}", text());
        assert_eq!(exact.plies.is_some(), gains, "{}", text());
    });
    assert!(ends.iter().all(|count| *count > 0), "{ends:?}");
}

#[test]
fn a_move_is_worth_what_the_position_after_it_is_worth() {
    let mut random = SplitMix64::new(3);
    for capture in [CaptureRule::Optional, CaptureRule::Mandatory] {
        let player = Player::new(capture, 100);
        for _ in 0..2_000 {
            let game = Game::new(player.rules.clone(), drawn(&mut random, 7).position());
            if game.outcome().is_some() {
                continue;
            }
            let exact = player.known.probe(&player.rules, game.current()).unwrap();
            let by_count = by_count(&player.rules, game.current());
            let moves = game.legal_moves();
            let best = moves
                .iter()
                .map(|mv| probe_move(&game, &*player.known, *mv).unwrap())
                .max_by_key(|exact| exact.preference(by_count))
                .unwrap();
            assert_eq!(best.outcome, exact.outcome, "{:?}", game.current());
            if exact.outcome != by_count {
                assert_eq!(best.plies, exact.plies, "{:?}", game.current());
            }
        }
    }
}
