use super::*;
use leap_core::notation::{IllegalMove, Next, PartialMove, Reason};
use leap_core::{RulesExt, SplitMix64};

fn square(name: &str) -> Square {
    let Step::To(square) = Steps::parse(Tactica::GEOMETRY, name).unwrap().0[0] else {
        panic!("{name} is a square")
    };
    square
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
    for pairs in [Pairs::Orthogonal, Pairs::All] {
        let rules = Tactica { pairs, ..Tactica::default() };
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

#[test]
fn banned_destinations_and_their_origins_are_not_on_offer() {
    // The history forbids what one move leads to: it has been made and taken back.
    let after = |mv: &str, back: &str| {
        let rules = Tactica { repetition: 2, ..Tactica::default() };
        let position = rules.parse_position("8/8/8/7h/8/8/ss6/1Cs3H1 1 - 0 0").unwrap();
        let mut game = Game::new(rules, position);
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
    assert_eq!(refused, Err(IllegalMove::at(Reason::Repetition, square("a1"))));
    let game = after("g1f2", "f2g1");
    let mut turn = game.partial_move().unwrap();
    turn.take(Step::To(square("g1"))).unwrap();
    let on_offer = ["h2", "e3", "d4", "c5", "b6", "a7"].map(|name| Step::To(square(name)));
    assert_eq!(turn.next().steps, on_offer);
}
