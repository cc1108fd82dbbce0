//! The pages and charts of the repository are those that its rows give.

use std::fs;
use std::path::Path;

use leap_strength::{check, update};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Copies what the program reads.
fn copy(to: &Path) {
    for folder in ["benches/strength", "docs", "docs/games", "docs/measured", "training", "tables"]
    {
        fs::create_dir_all(to.join(folder)).unwrap();
        for entry in fs::read_dir(Path::new(ROOT).join(folder)).unwrap() {
            let from = entry.unwrap().path();
            let is_read = from.extension().is_some_and(|end| end == "md" || end == "csv");
            if is_read {
                fs::copy(&from, to.join(folder).join(from.file_name().unwrap())).unwrap();
            }
        }
    }
}

#[test]
fn pages_and_charts_are_what_the_rows_give() {
    check(Path::new(ROOT)).unwrap();
}

#[test]
fn a_new_row_makes_the_check_fail_until_the_pages_are_made() {
    let root = tempfile::tempdir().unwrap();
    copy(root.path());
    update(root.path()).unwrap();
    check(root.path()).unwrap();
    let results = root.path().join("benches/strength/results.csv");
    let row = "2026-11-25,1234567,eximo,time,a,tc=1+0.01,b,4,2,1,1,1.5,2.0,-0.5,3.5,no,\n";
    fs::write(&results, fs::read_to_string(&results).unwrap() + row).unwrap();
    assert!(check(root.path()).unwrap_err().to_string().contains("measured/README.md"));
    update(root.path()).unwrap();
    check(root.path()).unwrap();
}

#[test]
fn a_row_that_contradicts_itself_is_refused_with_its_line() {
    for (row, expected) in [
        ("2026-11-25,1234567,eximo,time,a,tc=1+0.01,b,4,2,1,0,1.5,2.0,-0.5,3.5,no,\n", "4 results"),
        ("2026-11-25,1234567,chess,time,a,tc=1+0.01,b,4,2,1,1,1.5,2.0,-0.5,3.5,no,\n", "a game"),
        ("2026-11-25,1234567,eximo,time,a,tc=1+0.01,b,4,2,1,1,much,2.0,-0.5,3.5,no,\n", "numbers"),
    ] {
        let root = tempfile::tempdir().unwrap();
        copy(root.path());
        let results = root.path().join("benches/strength/results.csv");
        let text = fs::read_to_string(&results).unwrap() + row;
        fs::write(&results, &text).unwrap();
        let error = format!("{:#}", update(root.path()).unwrap_err());
        assert!(error.contains(&format!("line {}", text.lines().count())), "{error}");
        assert!(error.contains(expected), "{error}");
    }
}
