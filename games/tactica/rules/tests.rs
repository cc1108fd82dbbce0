use super::*;
use leap_core::notation::{IllegalMove, Next, PartialMove, Reason};

fn square(name: &str) -> Square {
    let Step::To(square) = Steps::parse(Tactica::GEOMETRY, name).unwrap().0[0] else {
        panic!("{name} is a square")
    };
    square
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
