use super::*;
use leap_core::Game;
use leap_core::SplitMix64;
use leap_core::notation::{Field, Illegal, Next, PartialMove, Reason};
use leap_core::perft::{perft, plain_perft};
use leap_core::{EndReason, Outcome, RulesExt};

fn parse(text: &str) -> TacticaPosition {
    Tactica::default().parse_position(text).unwrap()
}

/// The position text after a move.
fn after(rules: &Tactica, text: &str, mv: &str) -> String {
    let mut position = parse(text);
    let mv = rules.parse_move(&position, mv).unwrap();
    rules.play_unchecked(&mut position, mv);
    rules.print_position(&position)
}

/// The board after a move by the default rules.
fn board_after(text: &str, mv: &str) -> String {
    let text = after(&Tactica::default(), text, mv);
    text.split_whitespace().next().unwrap_or_default().to_owned()
}

fn square(name: &str) -> Square {
    let Step::To(square) = Steps::parse(Tactica::GEOMETRY, name).unwrap().0[0] else {
        panic!("{name} is a square")
    };
    square
}

fn all_pairs() -> Tactica {
    Tactica { pairs: Pairs::All, ..Tactica::default() }
}

fn counts(rules: &Tactica, depths: u32) -> Vec<u64> {
    (1..=depths).map(|depth| perft(rules, &rules.start(), depth, &StopFlag::default())).collect()
}

#[test]
fn perft_of_the_start_position_is_that_of_spec_15_24() {
    assert_eq!(counts(&Tactica::default(), 4), [64, 3836, 246_026, 15_073_984]);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn perft_5_of_the_start_position_is_that_of_spec_15_24() {
    let rules = Tactica::default();
    assert_eq!(perft(&rules, &rules.start(), 5, &StopFlag::default()), 962_465_784);
}

#[test]
fn the_bulk_count_equals_the_plain_count() {
    for rules in [Tactica::default(), all_pairs()] {
        assert_eq!(plain_perft(&rules, &rules.start(), 3), counts(&rules, 3)[2]);
    }
}

#[test]
fn the_state_is_small() {
    assert!(size_of::<TacticaPosition>() <= 64);
    assert!(size_of::<TacticaMove>() <= 16);
}

#[test]
fn the_start_is_that_of_spec_15_6() {
    let rules = Tactica::default();
    let text = "chsccshc/8/8/8/8/8/8/CHSCCSHC 1 - 0 0";
    assert_eq!(rules.print_position(&rules.start()), text);
    let first = rules.first_moves(&rules.start(), 14);
    let texts: Vec<String> = first.iter().map(|mv| rules.print_move(&rules.start(), *mv)).collect();
    let listed = "a1a2 a1a3 a1a4 a1a5 a1a6 a1a7 b1a2 b1c2 b1d3 b1e4 b1f5 b1g6 b1h7 c1b2";
    assert_eq!(texts.join(" "), listed, "SPEC 15.23");
}

/// SPEC 15.20, 15.21.
#[test]
fn the_examples_of_the_specification_flip_what_it_says() {
    let rules = Tactica::default();
    assert_eq!(
        after(&rules, "8/3c4/2c1c3/3c4/8/S7/8/8 1 - 0 20", "a3d6"),
        "8/3c~4/2c~Sc~3/3c~4/8/8/8/8 2 - 0 21"
    );
    let text = "c1s~Cc~sh1/C~3S~3/8/7c/8/8/8/h~HScC~1HC 2 - 0 23";
    assert_eq!(board_after(text, "a8b8").split('/').next(), Some("1csC~csh1"));
}

/// SPEC 15.8: a Stop of the mover closes a run just as a movable piece does, and each direction counts alone.
#[test]
fn runs_are_surrounded_by_stops_too() {
    assert_eq!(board_after("8/8/8/8/8/8/8/C1chs~3 1 - 0 0", "a1b1"), "8/8/8/8/8/8/8/1Cc~h~s~3");
    assert_eq!(board_after("8/8/3C4/3h4/8/3c4/3C4/S7 1 - 0 0", "a1d4"), {
        "8/8/3C4/3h~4/3S4/3c~4/3C4/8"
    });
}

/// SPEC 15.8, 15.13: a run must be unbroken, end at an own piece, and be next to the moved piece.
#[test]
fn runs_that_are_open_are_not_surrounded() {
    for (text, mv, board) in [
        ("8/8/8/8/8/8/8/1C4ch 1 - 0 0", "b1f1", "8/8/8/8/8/8/8/5Cch"),
        ("8/8/8/8/8/8/8/C1ch1S2 1 - 0 0", "a1b1", "8/8/8/8/8/8/8/1Cch1S2"),
        ("8/8/8/8/8/8/8/C2cS3 1 - 0 0", "a1b1", "8/8/8/8/8/8/8/1C1cS3"),
        ("8/8/8/8/8/8/8/hSc5 1 - 0 0", "b1b2", "8/8/8/8/8/8/1S6/h1c5"),
    ] {
        assert_eq!(board_after(text, mv), board, "{text} {mv}");
    }
}

/// SPEC 15.8: runs are surrounded only in rows and columns, whatever `TacticaPairs` says.
#[test]
fn nothing_is_surrounded_diagonally() {
    let text = "8/8/8/3S4/2c5/8/8/1C6 1 - 0 0";
    let (mv, expected) = ("b1b3", "8/8/8/3S4/2c5/1C6/8/8 2 - 1 1");
    assert_eq!(after(&Tactica::default(), text, mv), expected);
    assert_eq!(after(&all_pairs(), text, mv), expected);
}

/// SPEC 15.10.
#[test]
fn diagonal_pairs_are_captured_by_option() {
    let text = "8/8/8/2c1s3/8/2h1c3/8/3C4 1 - 7 0";
    assert_eq!(after(&Tactica::default(), text, "d1d4"), "8/8/8/2c1s3/3C4/2h1c3/8/8 2 - 8 1");
    assert_eq!(after(&all_pairs(), text, "d1d4"), "8/8/8/2c~1s~3/3C4/2h~1c~3/8/8 2 - 0 1");
    let half = "8/8/8/2c1s3/8/2h5/8/3C4 1 - 7 0";
    assert_eq!(after(&all_pairs(), half, "d1d4"), "8/8/8/2c1s~3/3C4/2h~5/8/8 2 - 0 1");
}

/// SPEC 15.9, 15.14: a pair is two enemies on opposite sides, both next to the piece just moved.
#[test]
fn pairs_are_captured_by_the_moved_piece_alone() {
    for (text, mv, board) in [
        ("8/8/8/8/8/8/1c1c4/2S5 1 - 0 0", "c1c2", "8/8/8/8/8/8/1c~Sc~4/8"),
        ("8/8/8/8/8/8/1c1C~4/2S5 1 - 0 0", "c1c2", "8/8/8/8/8/8/1c~SC4/8"),
        ("8/8/8/8/8/8/1c2c3/2S5 1 - 0 0", "c1c2", "8/8/8/8/8/8/1cS1c3/8"),
        ("8/8/8/8/8/2c5/1c6/2S5 1 - 0 0", "c1c2", "8/8/8/8/8/2c5/1cS5/8"),
        // c2 stands between two enemies and surrounds one of them, but another piece moves.
        ("8/8/8/8/8/8/1cScC3/7H 1 - 0 0", "h1g2", "8/8/8/8/8/8/1cScC1H1/8"),
    ] {
        assert_eq!(board_after(text, mv), board, "{text} {mv}");
    }
}

/// SPEC 15.12: e4 turns over and then stands beyond f4, but this does not capture f4.
#[test]
fn a_flip_captures_nothing_by_itself() {
    let text = "8/8/8/4C3/4cc1H/8/8/4S3 1 - 0 0";
    assert_eq!(board_after(text, "e1e3"), "8/8/8/4C3/4c~c1H/4S3/8/8");
}

/// SPEC 15.5: a Stop that is won back can move for its first owner, but not earlier.
#[test]
fn a_stop_won_back_moves_again() {
    let rules = Tactica::default();
    let text = "8/8/8/8/8/8/8/C2C~cS2 1 - 3 9";
    let won = after(&rules, text, "a1c1");
    assert_eq!(won, "8/8/8/8/8/8/8/2CCc~S2 2 - 0 10");
    assert!(parse(&won).movers(Side::Two).is_empty());
    let ours = parse(&won.replace(" 2 ", " 1 "));
    assert!(rules.parse_move(&ours, "d1d8").is_ok());
}

/// Looks at every square by itself, as SPEC 15.8 to 15.10 say.
fn flips_by_hand(rules: &Tactica, position: &TacticaPosition, mv: TacticaMove) -> SquareSet {
    let mut board = *position;
    board.owned[position.side()] ^= SquareSet::of(mv.from).with(mv.to);
    let owner_at = |files: i32, ranks: i32| {
        let at = Tactica::GEOMETRY.offset(mv.to, files, ranks)?;
        let owner = Side::BOTH.into_iter().find(|side| board.owned(*side).contains(at))?;
        Some((at, owner == position.side()))
    };
    let enemy_at = |files, ranks| owner_at(files, ranks).filter(|(_, own)| !own);
    let mut flips = SquareSet::EMPTY;
    for (files, ranks) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        let orthogonal = files * ranks == 0;
        for sign in if orthogonal { &[1, -1][..] } else { &[] } {
            let run: Vec<_> =
                (1..).map_while(|n| enemy_at(n * files * sign, n * ranks * sign)).collect();
            let end = run.len() as i32 + 1;
            if owner_at(end * files * sign, end * ranks * sign).is_some() {
                flips |= run.iter().map(|(at, _)| *at).collect();
            }
        }
        let pair = enemy_at(files, ranks).zip(enemy_at(-files, -ranks));
        if let Some(((a, _), (b, _))) = pair.filter(|_| orthogonal || rules.pairs == Pairs::All) {
            flips |= SquareSet::of(a).with(b);
        }
    }
    flips
}

#[test]
fn flips_equal_those_found_square_by_square() {
    for rules in [Tactica::default(), all_pairs()] {
        let (mut random, mut flipping) = (SplitMix64::new(15), 0);
        for _ in 0..40 {
            let mut position = rules.start();
            for _ in 0..200 {
                let moves = rules.legal_moves(&position);
                for mv in &moves {
                    let flips = mv.flips;
                    flipping += u32::from(!flips.is_empty());
                    let text = rules.print_position(&position);
                    assert_eq!(flips, flips_by_hand(&rules, &position, *mv), "{mv:?} in {text}");
                }
                let draw = random.draw() % moves.len().max(1) as u64;
                let Some(mv) = moves.get(draw as usize) else {
                    break;
                };
                rules.play_unchecked(&mut position, *mv);
            }
        }
        assert!(flipping > 1000, "random games flip often: {flipping}");
    }
}

/// SPEC 15.16: with `TacticaRepetition` n, the first illegal move is the one to the n-th occurrence.
#[test]
fn repetition_is_illegal_from_the_occurrence_that_the_option_names() {
    let cycle = ["a1a2", "a8a7", "a2a1", "a7a8"];
    for (repetition, allowed) in [(2, 3), (3, 7), (4, 11), (0, 40)] {
        let rules = Tactica { repetition, ..Tactica::default() };
        let mut game = Game::start(rules.clone());
        for text in cycle.into_iter().cycle().take(allowed) {
            let mv = game.parse_move(text).unwrap();
            game.push(mv);
            assert_eq!(game.outcome(), None);
        }
        let next = game.parse_move(cycle[allowed % 4]);
        let expected = Illegal::at(Reason::Repetition, square("a8"));
        assert_eq!(next.err(), (repetition != 0).then_some(expected));
    }
}

/// SPEC 15.15: the only move is banned.
#[test]
fn a_side_with_only_banned_moves_loses() {
    let rules = Tactica { repetition: 2, ..Tactica::default() };
    let mut game = Game::new(rules.clone(), parse("7c/8/8/8/8/8/ss6/1Cs5 2 - 0 0"));
    for text in ["h8h7", "b1a1", "h7h8"] {
        assert_eq!(game.outcome(), None);
        let mv = game.parse_move(text).unwrap();
        game.push(mv);
    }
    let lost = Outcome { result: GameResult::Win(Side::Two), reason: EndReason::NoMoves };
    assert_eq!(game.outcome(), Some(lost));
    assert_eq!(game.parse_move("a1b1"), Err(Illegal::nowhere(Reason::GameOver)));
    assert_eq!(perft(&rules, game.current(), 1, &StopFlag::default()), 1, "SPEC 10.18");
}

#[test]
fn banned_destinations_and_their_origins_are_not_on_offer() {
    // The history forbids what one move leads to: it has been made and taken back.
    let after = |mv: &str, back: &str| {
        let mut game = Game::new(
            Tactica { repetition: 2, ..Tactica::default() },
            parse("8/8/8/7h/8/8/ss6/1Cs3H1 1 - 0 0"),
        );
        for text in [mv, "h5g6", back, "g6h5"] {
            game.push(game.rules().parse_move(game.current(), text).unwrap());
        }
        assert!(game.current().same_board(&game.positions()[0]));
        game
    };
    let game = after("b1a1", "a1b1");
    let mut turn = game.partial_move().unwrap();
    assert_eq!(turn.next().steps, [Step::To(square("g1"))]);
    turn.take(Step::To(square("b1"))).unwrap();
    assert_eq!(turn.next(), Next { steps: Vec::new(), may_end: false });
    let refused = turn.take(Step::To(square("a1")));
    assert_eq!(refused, Err(Illegal::at(Reason::Repetition, square("a1"))));
    let game = after("g1f2", "f2g1");
    let mut turn = game.partial_move().unwrap();
    turn.take(Step::To(square("g1"))).unwrap();
    let on_offer = ["h2", "e3", "d4", "c5", "b6", "a7"].map(|name| Step::To(square(name)));
    assert_eq!(turn.next().steps, on_offer);
}

/// SPEC 15.18, 10.7: the count decides at `MaxPlies`, unless the side to move has no move.
#[test]
fn at_max_plies_more_enemy_pieces_flipped_wins() {
    let rules = Tactica::default();
    let outcome = |text: &str| rules.outcome(&parse(text)).map(|o| (o.result, o.reason));
    let (one, two) = (GameResult::Win(Side::One), GameResult::Win(Side::Two));
    assert_eq!(outcome("8/8/8/8/8/8/8/C1c~4h 1 - 0 399"), None);
    assert_eq!(outcome("8/8/8/8/8/8/8/C1c~4h 1 - 0 400"), Some((one, EndReason::MaxPlies)));
    assert_eq!(outcome("8/8/8/8/8/8/8/C1c~C~S~2h 1 - 0 400"), Some((two, EndReason::MaxPlies)));
    let even = outcome("8/8/8/8/8/8/8/C1c~C~3h 2 - 0 401");
    assert_eq!(even, Some((GameResult::Draw, EndReason::MaxPlies)));
    assert_eq!(outcome("8/8/8/8/8/8/8/c~3h3 1 - 0 400"), Some((two, EndReason::NoMoves)));
    let endless = Tactica { max_plies: 0, ..rules.clone() };
    assert_eq!(endless.outcome(&parse("8/8/8/8/8/8/8/C1c~4h 1 - 0 400")), None);
}

/// SPEC 15.15: captured pieces do not move, and neither do blocked ones.
#[test]
fn a_side_without_a_move_loses() {
    for text in
        ["8/8/8/8/8/8/8/C~2c4 1 - 0 5", "8/8/8/8/8/8/hh6/Ch6 1 - 0 5", "8/8/8/8/8/8/8/8 1 - 0 5"]
    {
        let lost = Outcome { result: GameResult::Win(Side::Two), reason: EndReason::NoMoves };
        assert_eq!(Tactica::default().outcome(&parse(text)), Some(lost), "{text}");
    }
}

#[test]
fn each_illegal_move_is_refused_for_its_reason_at_its_square() {
    let position = parse("7H/6CC/8/3c~4/8/1C1h4/8/C1H~5 1 - 0 0");
    for (text, reason, at) in [
        ("a1b", Reason::BadText, None),
        ("a1a9", Reason::OffBoard, None),
        ("e4e5", Reason::EmptySquare, Some("e4")),
        ("d3e4", Reason::NotYourPiece, Some("d3")),
        ("c1d2", Reason::NotYourPiece, Some("c1")),
        ("d5d6", Reason::FlippedPiece, Some("d5")),
        ("h8g7", Reason::Blocked, Some("h8")),
        ("a1b2", Reason::NoSuchLine, Some("b2")),
        ("a1a1", Reason::NoSuchLine, Some("a1")),
        ("a1c1", Reason::LandingOccupied, Some("c1")),
        ("a1d1", Reason::Blocked, Some("c1")),
        ("b3d3", Reason::LandingOccupied, Some("d3")),
        ("b3h3", Reason::Blocked, Some("d3")),
        ("a1a2a3", Reason::TurnEnded, Some("a3")),
        ("a1", Reason::Incomplete, None),
        ("a1a2@b2", Reason::DropNotAllowed, Some("b2")),
        ("xd3", Reason::NoRemoval, Some("d3")),
    ] {
        let refused = Tactica::default().parse_move(&position, text);
        assert_eq!(refused, Err(Illegal { reason, at: at.map(square) }), "{text}");
    }
}

/// SPEC 9.17, 15.6.
#[test]
fn impossible_positions_are_refused_where_they_are_impossible() {
    let refused = |text: &str| {
        let error = Tactica::default().parse_position(text).unwrap_err();
        (error.field, error.column)
    };
    assert_eq!(refused("CCCCCCCC/7C/8/8/8/8/8/8 1 - 0 0"), (Field::Board, 11));
    assert_eq!(refused("c~c~c~c~hhhh/8/s~7/8/8/8/8/8 1 - 0 0"), (Field::Board, 16));
    assert_eq!(refused("C~~7/8/8/8/8/8/8/8 1 - 0 0"), (Field::Board, 3));
    assert_eq!(refused("8/8/8/8/8/8/8/7M 1 - 0 0"), (Field::Board, 16));
    assert_eq!(refused("8/8/8/8/8/8/8/8 1 0 0 0"), (Field::Extra, 19));
    let full = "SSSSSSSS/8/8/s~s~s~s~s~s~s~s~/8/8/8/8 2 - 0 0";
    assert_eq!(Tactica::default().print_position(&parse(full)), full);
}

#[test]
fn the_status_counts_movers_and_stops_of_each_player() {
    let position = parse("c~c~6/8/8/hs6/8/8/CHS~5/8 1 - 0 0");
    let expected =
        [("men", Tally::Each(BySide::new(2, 2))), ("flipped", Tally::Each(BySide::new(2, 1)))];
    assert_eq!(Tactica::default().tally(&position), expected);
}

/// SPEC 15.4: a Stop belongs to its capturer.
#[test]
fn every_letter_has_its_two_faces() {
    let faces = Tactica::DIAGRAM.pieces;
    assert_eq!(faces.len(), 2 * Tactica::LETTERS.len());
    for diagram in faces {
        let is_upper = diagram.piece.letter.is_ascii_uppercase();
        let owner = if is_upper != diagram.piece.flipped { Side::One } else { Side::Two };
        assert_eq!(diagram.owner, Some(owner), "{}", diagram.piece);
    }
}
