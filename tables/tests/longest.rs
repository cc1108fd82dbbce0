//! The committed list of the longest ways to a capture agrees with the tables and with the committed counts.

use std::collections::HashMap;

use leap_core::notation::Notation as _;
use leap_games::alquerque::{Alquerque, CaptureRule};
use leap_tables::{EndgameTablebase, Men, Slice};

const LONGEST: &str = include_str!("../longest.csv");
const COUNTS: &str = include_str!("../counts.csv");

/// The most plies of each slice, by rule, from the counts.
fn most_plies() -> HashMap<(String, Slice), u32> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let slice = Slice { own: cells[1].parse().unwrap(), enemy: cells[2].parse().unwrap() };
        let plies = cells[6..9].iter().map(|plies| plies.parse().unwrap()).max();
        ((cells[0].to_owned(), slice), plies.unwrap())
    };
    COUNTS.lines().skip(1).map(row).collect()
}

#[test]
fn each_listed_way_is_as_long_as_the_tables_and_the_counts_say() {
    let most = most_plies();
    let mut listed = 0;
    for line in LONGEST.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let capture: CaptureRule =
            cells[1].strip_prefix("AlquerqueCapture=").unwrap().parse().unwrap();
        let slice = Slice { own: cells[2].parse().unwrap(), enemy: cells[3].parse().unwrap() };
        let plies: u32 = cells[4].parse().unwrap();
        assert_eq!(most[&(capture.to_string(), slice)], plies, "{line}");
        let position = Alquerque::default().parse_position(cells[6]).unwrap();
        let men = Men::of(&position);
        assert_eq!(men.slice(), slice, "{line}");
        if let Some(exact) = EndgameTablebase::built_in(capture).probe(men) {
            assert_eq!(
                (exact.plies, format!("{:?}", exact.outcome)),
                (Some(plies), cells[5].into())
            );
            listed += 1;
        }
    }
    assert!(listed > 30, "{listed}");
}
