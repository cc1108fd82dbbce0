use super::*;
use leap_core::RulesExt;
use leap_core::notation::PartialMove;

mod hostile;

fn without_revisits() -> Sapos {
    Sapos { revisit: false, ..Sapos::default() }
}

fn position(text: &str) -> SaposPosition {
    Sapos::default().parse_position(text).unwrap()
}

fn moves(rules: &Sapos, position: &SaposPosition) -> Vec<SaposMove> {
    rules.legal_moves(position)
}

#[test]
fn the_turns_in_a_row_are_part_of_the_identity() {
    let [one, two] = [1, 2].map(|turns| position(&format!("8/8/3m4/8/8/3M4/8/8 1 {turns} 0 0")));
    assert!(!one.repeats(&two) && one.key() != two.key());
}
