use std::collections::BTreeMap;

use super::*;
use leap_core::Game;
use leap_core::SplitMix64;
use leap_core::notation::Field;
use leap_core::notation::{Illegal, Next, PartialMove, Reason};
use leap_core::perft::{perft, plain_perft};
use leap_core::{EndReason, GameResult, Outcome, RulesExt};

mod hostile;

const START: &str = "8/3mm3/3mm3/8/8/3MM3/3MM3/8 1 1 0 0";
/// SPEC 13.21: player 2 has no reserve.
const FULL: &str = "1mm5/mm1m1m1m/2mm3m/1mmmMm2/m3M2m/1MMMM1M1/7M/MM1MM3 2 1 3 48";
/// SPEC 13.23: player 2 has two turns.
const TWICE: &str = "8/3mm3/3mm3/3M4/3M4/3MM3/4M3/8 2 2 1 1";
/// a3a1 stops between two own pieces.
const CORNER: &str = "8/8/8/8/8/M7/M7/1M6 1 1 0 30";

fn possible() -> Sapos {
    Sapos { placement: Placement::Possible, ..Sapos::default() }
}

fn without_revisits() -> Sapos {
    Sapos { revisit: false, ..Sapos::default() }
}

fn all_rules() -> [Sapos; 4] {
    let both = Sapos { revisit: false, ..possible() };
    [Sapos::default(), possible(), without_revisits(), both]
}

fn position(text: &str) -> SaposPosition {
    Sapos::default().parse_position(text).unwrap()
}

fn moves(rules: &Sapos, position: &SaposPosition) -> Vec<SaposMove> {
    rules.legal_moves(position)
}

fn texts(rules: &Sapos, position: &SaposPosition) -> Vec<String> {
    moves(rules, position).iter().map(|mv| rules.print_move(position, *mv)).collect()
}

fn after(rules: &Sapos, text: &str, mv: &str) -> String {
    let mut position = position(text);
    let mv = rules.parse_move(&position, mv).unwrap();
    rules.play_unchecked(&mut position, mv);
    rules.print_position(&position)
}

fn counts(rules: &Sapos, depths: u32) -> Vec<u64> {
    (1..=depths).map(|depth| perft(rules, &rules.start(), depth, &StopFlag::default())).collect()
}

#[test]
fn perft_of_the_start_position_is_that_of_spec_13_24() {
    assert_eq!(counts(&Sapos::default(), 4), [30, 884, 25922, 750_090]);
    assert_eq!(counts(&possible(), 4), [30, 884, 25926, 750_646]);
    assert_eq!(counts(&without_revisits(), 4), [22, 472, 9682, 196_032]);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn perft_5_of_the_start_position_is_that_of_spec_13_24() {
    assert_eq!(counts(&Sapos::default(), 5)[4], 22_352_148);
}

#[test]
fn the_bulk_count_equals_the_plain_count() {
    for (rules, count) in
        [(Sapos::default(), 750_090), (possible(), 750_646), (without_revisits(), 196_032)]
    {
        assert_eq!(plain_perft(&rules, &rules.start(), 4), count);
    }
}

#[test]
fn the_state_is_small() {
    assert!(size_of::<SaposPosition>() <= 40);
    assert!(size_of::<SaposMove>() <= 16);
}

#[test]
fn moves_are_listed_as_in_the_examples_of_spec_13() {
    let rules = Sapos::default();
    let listed = texts(&rules, &position(START));
    let first = "d2f2d2@d1 d2f2d2@c2 d2f2@f1 d2f2@g2 d2f2@f3 d2d4@c4 d2d4@e4 d2d4@d5";
    assert_eq!(listed[..8].join(" "), first);
    let captures = "c6c4c2 d6d4d2 d6d4f4 d6d4f4f6 d6d4f4f6f8 d6b6b4b2 h7h5h3h1 h7h5h3f3 b8b6b4b2";
    assert_eq!(texts(&rules, &position(FULL)).join(" "), captures);
    assert_eq!(texts(&rules, &position(TWICE)).len(), 26);
}

#[test]
fn player_2_makes_two_moves_after_the_first_of_the_game() {
    let rules = Sapos::default();
    let first = after(&rules, START, "d2d4@d5");
    assert_eq!(first, TWICE);
    let second = after(&rules, &first, "e7e5c5");
    assert_eq!(second, "8/3m4/3mm3/2m5/3M4/3MM3/4M3/8 2 1 0 2");
    assert!(after(&rules, &second, "d6d8@c8").ends_with(" 1 1 1 3"));
}

#[test]
fn two_turns_of_a_composed_position_are_made_by_one_side() {
    let rules = Sapos::default();
    let text = START.replace("1 1 0 0", "1 2 0 0");
    assert!(after(&rules, &text, "d2d4@d5").ends_with(" 1 1 1 1"));
    assert!(!position(START).repeats(&position(&text)));
    assert_ne!(position(START).key(), position(&text).key());
}

#[test]
fn a_side_without_a_legal_turn_loses_even_between_its_opening_turns() {
    let rules = Sapos::default();
    for (text, winner) in [
        ("1m1mm3/3m4/m1m5/8/M2M4/2M5/4M1M1/8 1 1 1 23", Side::Two),
        ("8/8/8/8/8/8/8/M6m 2 2 1 1", Side::One),
        ("8/8/8/8/8/8/8/M6m 2 1 2 2", Side::One),
        ("8/8/8/8/8/8/8/M7 2 1 0 9", Side::One),
    ] {
        let over = Outcome { result: GameResult::Win(winner), reason: EndReason::NoMoves };
        assert_eq!(rules.outcome(&position(text)), Some(over), "{text}");
    }
}

#[test]
fn max_plies_is_a_draw_unless_no_move_is_left() {
    let rules = Sapos { max_plies: 30, ..Sapos::default() };
    let reason = |text: &str| rules.outcome(&position(text)).map(|over| (over.result, over.reason));
    assert_eq!(reason(CORNER), Some((GameResult::Draw, EndReason::MaxPlies)));
    assert_eq!(reason(&CORNER.replace("30", "29")), None);
    let stuck = reason("8/8/8/8/8/8/8/M6m 2 1 0 30");
    assert_eq!(stuck, Some((GameResult::Win(Side::One), EndReason::NoMoves)));
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let start = position("mmmmmmmm/mmmmmmmm/8/8/8/8/MMMMMMMM/MMMMMMMM 1 1 0 8");
    let mut game = Game::new(possible(), start);
    for _ in 0..2 {
        for text in ["a1a3", "a8a6", "a3a1", "a6a8"] {
            assert_eq!(game.outcome(), None);
            game.push(game.parse_move(text).unwrap());
        }
    }
    let over = Outcome { result: GameResult::Draw, reason: EndReason::Repetition };
    assert_eq!(game.outcome(), Some(over));
}

#[test]
fn a_turn_that_cannot_place_is_legal_only_where_placing_is_possible() {
    let corner = position(CORNER);
    assert!(
        !texts(&Sapos::default(), &corner)
            .iter()
            .any(|text| text.split('@').next() == Some("a3a1"))
    );
    let listed = texts(&possible(), &corner);
    let places = |route: &str| {
        let all = listed.iter().filter(move |text| text.split('@').next() == Some(route));
        all.filter_map(|text| Some(text.split_once('@')?.1)).collect::<Vec<_>>()
    };
    assert!(listed.contains(&"a3a1".to_owned()));
    assert_eq!(places("a3a1a3"), ["b3", "a4"]);
    assert!(!listed.contains(&"a3a1a3".to_owned()), "one that can place must");
}

#[test]
fn captured_pieces_go_to_their_owners_reserve() {
    let rules = Sapos::default();
    let text = after(&rules, FULL, "d6d4f4f6f8");
    let tally = rules.tally(&position(&text));
    let men = ("men", Tally::Each(BySide::new(11, 16)));
    assert_eq!(tally, [men, ("reserves", Tally::Each(BySide::new(5, 0)))]);
}

#[test]
fn every_route_to_an_end_is_the_same_move() {
    let rules = Sapos::default();
    let resolve = |text: &str| rules.parse_move(&position(START), text);
    let canonical = resolve("d2f2d2@d1").unwrap();
    assert_eq!(resolve("d2d4d2@d1"), Ok(canonical));
    assert_eq!(resolve("d2f2d2d4d2@d1"), Ok(canonical));
    assert_eq!(rules.print_move(&position(START), canonical), "d2f2d2@d1");
    // The text has 1,023 squares and a placement.
    let long = format!("d2{}@d1", "f2d2".repeat(511));
    assert_eq!(resolve(&long), Ok(canonical));
    let too_long = format!("d2{}f2@f1", "f2d2".repeat(511));
    assert_eq!(resolve(&too_long), Err(Illegal::nowhere(Reason::TooLong)));
}

#[test]
fn impossible_positions_are_refused_where_they_are_wrong() {
    let refusal = |text: &str| Sapos::default().parse_position(text).unwrap_err();
    let crowded = refusal("8/8/8/8/8/M7/MMMMMMMM/MMMMMMMM 1 1 0 9");
    assert_eq!((crowded.field, crowded.column), (Field::Board, 30));
    assert_eq!(crowded.text, "player 1 has more than 16 pieces");
    let crowded = refusal("mmmmmmmm/mmmmmmmm/m7/8/8/8/8/8 1 1 0 9");
    assert_eq!((crowded.field, crowded.column), (Field::Board, 19));
    for extra in ["0", "3", "-", "12", "1-2", "01"] {
        let error = refusal(&START.replace("1 1 0 0", &format!("1 {extra} 0 0")));
        assert_eq!((error.field, error.column), (Field::Extra, 31));
        assert_eq!(error.text, format!("expected 1 or 2 turns in a row, found '{extra}'"));
    }
}

#[test]
fn illegal_moves_are_refused_with_reason_and_square() {
    let lone = START.replace("/8 1", "/M7 1");
    let rules = Sapos::default();
    for (rules, text, mv, reason, at) in [
        (&rules, START, "a1a3@a4", Reason::EmptySquare, "a1"),
        (&rules, START, "d6d4@d3", Reason::NotYourPiece, "d6"),
        (&rules, &lone, "a1a3@a4", Reason::Blocked, "a1"),
        (&rules, START, "xd2", Reason::NoRemoval, "d2"),
        (&rules, START, "d2d3", Reason::NoSuchLine, "d3"),
        (&rules, START, "d2f4@f5", Reason::NoSuchLine, "f4"),
        (&rules, START, "d2b2@a2", Reason::NothingToJump, "c2"),
        (&rules, START, "d2d4d6", Reason::LandingOccupied, "d6"),
        (&rules, START, "d2", Reason::Incomplete, "-"),
        (&rules, START, "@d1", Reason::Incomplete, "-"),
        (&rules, START, "d2@d1", Reason::Incomplete, "-"),
        (&rules, START, "d2d4", Reason::DropMissing, "d4"),
        (&rules, START, "d2d4@d6", Reason::DropNotAdjacent, "d6"),
        (&rules, START, "d2d4@d3", Reason::DropOccupied, "d3"),
        (&rules, START, "d2d4@d5@c4", Reason::TooManyDrops, "c4"),
        (&rules, START, "d2d4@d5d6", Reason::TurnEnded, "d6"),
        (&rules, TWICE, "e7e5c5@b5", Reason::DropNotAllowed, "b5"),
        (&rules, TWICE, "e7e5c5e5", Reason::NothingToJump, "d5"),
        (&rules, FULL, "c6c4", Reason::ReserveEmpty, "c4"),
        (&rules, FULL, "c6c4@b4", Reason::ReserveEmpty, "c4"),
        (&rules, CORNER, "a3a1", Reason::CannotPlace, "a1"),
        (&possible(), CORNER, "a3a1@a2", Reason::CannotPlace, "a1"),
        (&without_revisits(), START, "d2f2d2@d1", Reason::Revisit, "d2"),
        (&without_revisits(), START, "d3f3f1d1d3", Reason::NothingToJump, "f2"),
    ] {
        let illegal = rules.parse_move(&position(text), mv).unwrap_err();
        let square = illegal.at.map_or("-".to_owned(), |at| Sapos::GEOMETRY.name(at).to_string());
        assert_eq!((illegal.reason, square.as_str()), (reason, at), "{mv} in {text}");
    }
}

#[test]
fn only_steps_that_lead_to_a_legal_end_are_offered() {
    let (rules, full) = (Sapos::default(), position(FULL));
    let mut turn = rules.partial_move(&full, None);
    let offered = |turn: &SaposPartialMove<'_>| {
        let Next { steps, may_end } = turn.next();
        let mut words: Vec<String> = steps.iter().map(|step| step.text(Sapos::GEOMETRY)).collect();
        words.extend(may_end.then(|| "end".to_owned()));
        words.join(" ")
    };
    assert_eq!(offered(&turn), "c6 d6 h7 b8");
    for (step, next) in
        [("d6", "d4 b6 d8"), ("d4", "d2 f4 d6"), ("f4", "f6 end"), ("f6", "f4 f8 end")]
    {
        for step in Steps::parse(Sapos::GEOMETRY, step).unwrap().0 {
            turn.take(step).unwrap();
        }
        assert_eq!(offered(&turn), next, "after {step}");
    }
}

/// Random positions with up to 16 pieces a side, anywhere. Games do not lead to them.
fn random_positions(count: usize) -> impl Iterator<Item = SaposPosition> {
    let mut random = SplitMix64::new(1);
    let mut below = move |bound: u64| random.draw() % bound;
    std::iter::repeat_with(move || {
        let mut position = position("8/8/8/8/8/8/8/8 1 1 0 9");
        for side in Side::BOTH {
            for _ in 0..=below(16) {
                let square = Square::new(below(64) as usize);
                if position.empty().contains(square) {
                    position.pieces.toggle(side, square);
                }
            }
        }
        position
    })
    .take(count)
}

#[test]
fn quick_answers_agree_with_the_move_list() {
    for rules in all_rules() {
        for position in random_positions(2000) {
            let listed = moves(&rules, &position);
            let text = rules.print_position(&position);
            assert_eq!(rules.has_move(&position), !listed.is_empty(), "{text}");
            let count = rules.count_moves(&position, &StopFlag::default());
            assert_eq!(count, listed.len() as u64, "{text}");
            let origins: SquareSet = listed.iter().map(|mv| mv.from).collect();
            let offered = rules.partial_move(&position, None).next().steps;
            assert_eq!(offered.iter().map(|step| step.square()).collect::<SquareSet>(), origins);
            let mut candidates = Vec::new();
            rules.shortest_moves(&position, &mut candidates);
            assert_eq!(candidates.is_empty(), listed.is_empty(), "{text}");
            assert!(candidates.iter().all(|mv| listed.contains(mv)), "{text}");
        }
    }
}

#[test]
fn jumps_of_a_side_are_those_of_its_pieces_one_by_one() {
    for position in random_positions(500) {
        for side in Side::BOTH {
            let (occupied, own) = (!position.empty(), position.pieces(side));
            let jumps_over = |from: Square, set: SquareSet| {
                let to = jumps::LANDINGS[from.index()] & position.empty();
                to.into_iter().filter(|to| set.contains(from.midpoint(*to))).count() as u32
            };
            let friendly: u32 = own.into_iter().map(|from| jumps_over(from, own)).sum();
            assert_eq!(position.friendly_jumps(side), friendly);
            let jumpers: SquareSet =
                own.into_iter().filter(|from| jumps_over(*from, occupied) > 0).collect();
            assert_eq!(position.jumpers(side), jumpers);
        }
    }
}

/// The smallest route of each move, among all routes of at most `steps` steps that [`PartialMove::next`] offers.
fn walked(rules: &Sapos, position: &SaposPosition, steps: usize) -> Vec<Steps> {
    let mut smallest: BTreeMap<(Square, Square, SquareSet, Option<Square>), Steps> =
        BTreeMap::new();
    let mut level = vec![(Steps::default(), rules.partial_move(position, None))];
    for _ in 0..=steps {
        let mut longer = Vec::new();
        for (route, turn) in level {
            let Next { steps, may_end } = turn.next();
            if may_end {
                let SaposMove { captured, from, to, drop } = turn.finish().unwrap();
                smallest.entry((from, to, captured, drop)).or_insert(route.clone());
            }
            for step in steps {
                let (mut route, mut turn) = (route.clone(), turn.clone());
                route.0.push(step);
                turn.take(step).unwrap();
                longer.push((route, turn));
            }
        }
        level = longer;
    }
    let mut routes: Vec<Steps> = smallest.into_values().collect();
    routes.sort();
    routes
}

#[test]
fn the_list_is_that_of_all_routes_walked_one_by_one() {
    // Longer walks take too long where a piece may go to and fro. A route without revisits has 17 steps at most.
    for (revisit, longest) in [(true, 7), (false, 17)] {
        for placement in [Placement::Required, Placement::Possible] {
            let rules = Sapos { placement, revisit, ..Sapos::default() };
            for position in random_positions(150) {
                let routes =
                    moves(&rules, &position).into_iter().map(|mv| rules.route(&position, mv));
                let short: Vec<Steps> = routes.filter(|route| route.0.len() <= longest).collect();
                let text = rules.print_position(&position);
                assert_eq!(short, walked(&rules, &position, longest), "{text}");
            }
        }
    }
}
