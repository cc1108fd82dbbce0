use super::*;
use leap_core::perft::{perft, plain_perft};

fn counts(rules: &Alquerque, depths: u32) -> Vec<u64> {
    (1..=depths).map(|depth| perft(rules, &rules.start(), depth, &StopFlag::default())).collect()
}

#[test]
fn perft_of_the_start_position_is_that_of_spec_11() {
    assert_eq!(counts(&Alquerque::default(), 7), [4, 8, 33, 218, 1526, 11545, 98183]);
    let mandatory = Alquerque { capture: Capture::Mandatory, ..Alquerque::default() };
    assert_eq!(counts(&mandatory, 10), [4, 5, 6, 12, 29, 107, 523, 2521, 12878, 70759]);
}

#[test]
fn the_bulk_count_equals_the_plain_count() {
    let rules = Alquerque::default();
    assert_eq!(plain_perft(&rules, &rules.start(), 7), 98183);
}

#[test]
fn the_bulk_count_stops_at_the_limits_of_the_rules() {
    let captures = [Capture::Optional, Capture::Mandatory];
    for (capture, limit) in
        captures.into_iter().flat_map(|capture| (0..7).map(move |n| (capture, n)))
    {
        let by_quiet = Alquerque { capture, quiet_limit: limit, ..Alquerque::default() };
        let by_plies = Alquerque { capture, max_plies: limit, ..Alquerque::default() };
        for rules in [by_quiet, by_plies] {
            let plain = [3, 4, 5].map(|depth| plain_perft(&rules, &rules.start(), depth));
            assert_eq!(counts(&rules, 5)[2..], plain, "{rules:?}");
        }
    }
}

#[test]
fn the_state_is_small() {
    assert!(size_of::<AlquerquePosition>() <= 40);
    assert!(size_of::<AlquerqueMove>() <= 8);
}
