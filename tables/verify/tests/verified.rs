//! The verification itself: its rules are the reference's, right tables pass it, and wrong ones do not.

use std::path::Path;
use std::time::Duration;

use leap_games::alquerque::Capture;
use leap_reference::{GameId, Options};
use leap_tables::make::{Wanted, make};
use leap_tables::{Slice, Tables, file_name};
use leap_verify::rules::{Board, POINTS};
use leap_verify::{check, own_sets, subsets};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

const RULES: [Capture; 2] = [Capture::Optional, Capture::Mandatory];
const MEN: u32 = 5;

fn made(capture: Capture, directory: &Path) {
    let wanted =
        Wanted { capture, men: MEN, directory: directory.to_owned(), save_every: Duration::MAX };
    make(&wanted, &mut |_| {}).unwrap();
}

fn opened(capture: Capture, directory: &Path) -> Tables {
    let mut tables = Tables::new(capture);
    assert_eq!(tables.open(directory), []);
    assert_eq!(tables.men(), MEN);
    tables.unpack().unwrap();
    tables
}

/// How many positions of a slice are wrong.
fn wrong(tables: &Tables, slice: Slice) -> usize {
    let boards = own_sets(slice).flat_map(|own| {
        let free = !own & ((1 << POINTS) - 1);
        subsets(slice.enemy, free).map(move |enemy| Board { own, enemy })
    });
    boards.filter(|board| check(tables, *board).is_err()).count()
}

#[test]
fn tables_of_up_to_five_men_follow_from_the_definition() {
    for capture in RULES {
        let directory = tempfile::tempdir().unwrap();
        made(capture, directory.path());
        let tables = opened(capture, directory.path());
        for slice in Slice::all(MEN) {
            assert_eq!(wrong(&tables, slice), 0, "{capture} {slice:?}");
        }
    }
}

#[test]
fn tables_of_the_other_rule_are_found_to_be_wrong() {
    let [optional, mandatory] = RULES.map(|capture| {
        let directory = tempfile::tempdir().unwrap();
        made(capture, directory.path());
        directory
    });
    let slice = Slice { own: 2, enemy: 2 };
    let name = |capture| file_name(capture, slice);
    let mut bytes = std::fs::read(optional.path().join(name(Capture::Optional))).unwrap();
    // The rule stands in the tenth byte, before the checksum of the header.
    bytes[9] = 1;
    let checksum = crc32fast::hash(&bytes[..28]);
    bytes[28..32].copy_from_slice(&checksum.to_le_bytes());
    std::fs::write(mandatory.path().join(name(Capture::Mandatory)), bytes).unwrap();
    let tables = opened(Capture::Mandatory, mandatory.path());
    assert!(wrong(&tables, slice) > 0);
}

/// The text of a board whose own side is player 1.
fn text(board: Board) -> String {
    let letter = |point: usize| match (board.own >> point & 1, board.enemy >> point & 1) {
        (1, _) => 'M',
        (_, 1) => 'm',
        _ => '1',
    };
    let rank = |rank: usize| {
        let mut text = String::new();
        let mut empty = 0;
        for point in 5 * rank..5 * rank + 5 {
            if letter(point) == '1' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text.push(letter(point));
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    };
    let ranks: Vec<String> = (0..5).rev().map(rank).collect();
    format!("{} 1 - 0 0", ranks.join("/"))
}

#[test]
fn the_rules_of_the_verification_are_those_of_the_reference() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let game = GameId::of("alquerque");
    for capture in RULES {
        let options = Options::default().with("AlquerqueCapture", &capture.to_string());
        for men in (1..=12).cycle().take(600) {
            let mut pick = |taken: u32| {
                let mut set = 0u32;
                while set.count_ones() < men {
                    set |= 1 << (random.next_u32() as usize % POINTS) & !taken;
                }
                set
            };
            let own = pick(0);
            let board = Board { own, enemy: pick(own) };
            let position = text(board);
            let board_of = |after: &str| after.split(' ').next().unwrap_or_default().to_owned();
            let mut expected: Vec<String> = game
                .moves(&position, &options)
                .iter()
                .map(|mv| board_of(&game.play(&position, mv, &options)))
                .collect();
            let is_mandatory = capture == Capture::Mandatory;
            let swapped = |board: Board| Board { own: board.enemy, enemy: board.own };
            let mut found: Vec<String> = board
                .moves(is_mandatory)
                .iter()
                .map(|after| board_of(&text(swapped(after.board))))
                .collect();
            for moves in [&mut expected, &mut found] {
                moves.sort();
                moves.dedup();
            }
            assert_eq!(found, expected, "{capture} {position}");
        }
    }
}
