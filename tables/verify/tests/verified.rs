//! The verification itself: its rules are the reference's, right tables pass it, and wrong ones do not.

use std::path::Path;

use leap_core::notation::Notation as _;
use leap_games::alquerque::{Alquerque, CaptureRule};
use leap_reference::{GameId, Options};
use leap_tables::{EndgameTablebase, Men, Slice, file_name, make};
use leap_verify::rules::{self, POINTS};
use leap_verify::{Values, check, own_sets, random_men, subsets};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

const RULES: [CaptureRule; 2] = [CaptureRule::Optional, CaptureRule::Mandatory];
const MEN: u32 = 5;

fn opened(capture: CaptureRule, directory: &Path) -> Values {
    let mut tables = EndgameTablebase::new(capture);
    assert_eq!(tables.open(directory), []);
    assert_eq!(tables.men(), MEN);
    tables.unpack(MEN).unwrap();
    let mut values = Values::new(capture);
    Slice::all(MEN).for_each(|slice| values.add(&tables, slice));
    values
}

/// How many positions of a slice are wrong.
fn wrong(values: &Values, slice: Slice) -> usize {
    let men = own_sets(slice).flat_map(|own| {
        let free = !own & ((1 << POINTS) - 1);
        subsets(slice.enemy, free).into_iter().map(move |enemy| Men { own, enemy })
    });
    men.filter(|men| check(values, *men).is_err()).count()
}

#[test]
fn tables_of_up_to_five_men_follow_from_the_definition() {
    for capture in RULES {
        let directory = tempfile::tempdir().unwrap();
        make::tables(capture, MEN, directory.path()).unwrap();
        let values = opened(capture, directory.path());
        for slice in Slice::all(MEN) {
            assert_eq!(wrong(&values, slice), 0, "{capture} {slice:?}");
        }
    }
}

#[test]
fn tables_of_the_other_rule_are_found_to_be_wrong() {
    let [optional, mandatory] = RULES.map(|capture| {
        let directory = tempfile::tempdir().unwrap();
        make::tables(capture, MEN, directory.path()).unwrap();
        directory
    });
    let slice = Slice { own: 2, enemy: 2 };
    let name = |capture| file_name(capture, slice);
    let mut bytes = std::fs::read(optional.path().join(name(CaptureRule::Optional))).unwrap();
    // The rule stands in the tenth byte, before the checksum of the header.
    bytes[9] = 1;
    let checksum = crc32fast::hash(&bytes[..28]);
    bytes[28..32].copy_from_slice(&checksum.to_le_bytes());
    std::fs::write(mandatory.path().join(name(CaptureRule::Mandatory)), bytes).unwrap();
    let values = opened(CaptureRule::Mandatory, mandatory.path());
    assert!(wrong(&values, slice) > 0);
}

/// The text of a position whose own side is player 1.
fn text(men: Men) -> String {
    Alquerque::default().print_position(&men.position())
}

#[test]
fn the_rules_of_the_verification_are_those_of_the_reference() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let game = GameId::of("alquerque");
    for capture in RULES {
        let options = Options::default().with("AlquerqueCapture", &capture.to_string());
        for count in (1..=12).cycle().take(600) {
            let men = random_men(Slice { own: count, enemy: count }, &mut random);
            let position = text(men);
            let board_of = |after: &str| after.split(' ').next().unwrap_or_default().to_owned();
            let mut expected: Vec<String> = game
                .moves(&position, &options)
                .iter()
                .map(|mv| board_of(&game.play(&position, mv, &options)))
                .collect();
            let is_mandatory = capture == CaptureRule::Mandatory;
            let swapped = |men: Men| Men { own: men.enemy, enemy: men.own };
            let mut found: Vec<String> = rules::moves(men, is_mandatory)
                .iter()
                .map(|after| board_of(&text(swapped(after.men))))
                .collect();
            for moves in [&mut expected, &mut found] {
                moves.sort();
                moves.dedup();
            }
            assert_eq!(found, expected, "{capture} {position}");
        }
    }
}
