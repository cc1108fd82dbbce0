//! The node counts of `leapd bench`, a signature of rules, evaluation and search together.

use std::fs;
use std::path::Path;

#[test]
fn the_bench_counts_what_is_committed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench.txt");
    let committed = fs::read_to_string(path).unwrap();
    let lines = leapd::bench::run(&leapd::GAMES).unwrap();
    let counted: Vec<_> = lines.iter().filter(|line| !line.starts_with("speed ")).collect();
    assert_eq!(counted, committed.lines().collect::<Vec<_>>());
}
