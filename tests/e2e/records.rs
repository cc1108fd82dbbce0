//! Records of one program, read by another. The page's reading is in `browser/records.rs`.

use std::fs;
use std::process::Command;

use leap_records::Record;

use crate::corpus;
use crate::programs::{LEAP, LEAPD};

#[test]
fn unfinished_games_of_any_program_are_openings_of_a_match() {
    let place = tempfile::tempdir().unwrap();
    for (writer, text) in corpus::all() {
        let record = Record::parse_all(&text).unwrap().remove(0);
        if !text.trim_end().ends_with('*') || record.tag("Fen").is_some() || record.plies.is_empty()
        {
            continue;
        }
        let (game, book) =
            (record.tag("Game").unwrap(), place.path().join(format!("{writer}.ugr")));
        fs::write(&book, &text).unwrap();
        let mut leap = Command::new(LEAP.as_str());
        leap.args(["match", "--game", game, "--each", "depth=1", "--referee", &LEAPD]);
        leap.args(["--option", "MaxPlies=6", "--openings", book.to_str().unwrap()]);
        leap.args(["--engine", &format!("cmd={}", *LEAPD), "--engine", &format!("cmd={}", *LEAPD)]);
        let output = leap.args(["--out", &writer]).current_dir(place.path()).output().unwrap();
        assert!(output.status.success(), "{writer}: {}", String::from_utf8_lossy(&output.stderr));
        let games = fs::read_to_string(place.path().join(&writer).join("games.ugr")).unwrap();
        for played in Record::parse_all(&games).unwrap() {
            let plies = record.plies.len();
            assert_eq!(played.tag("OpeningPlies"), Some(plies.to_string().as_str()), "{writer}");
            assert!(played.plies.iter().zip(&record.plies).all(|(a, b)| a.mv == b.mv), "{writer}");
        }
    }
}
