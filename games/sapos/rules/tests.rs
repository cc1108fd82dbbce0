use super::*;
use leap_core::RulesExt;
use leap_core::notation::PartialMove;

mod hostile;

fn without_revisits() -> Sapos {
    Sapos { revisit: false, ..Sapos::default() }
}

fn all_rules() -> [Sapos; 4] {
    let of = |(placement, revisit)| Sapos { placement, revisit, ..Sapos::default() };
    let [required, possible] = [Placement::Required, Placement::Possible];
    [(required, true), (possible, true), (required, false), (possible, false)].map(of)
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
            assert_eq!(
                offered.iter().filter_map(|step| step.square()).collect::<SquareSet>(),
                origins
            );
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
