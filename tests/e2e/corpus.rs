//! Records of games as all of our programs write them, of every game and every ending.

use std::process::{Command, Stdio};
use std::{fs, io::Write};

use leap_games::IDS;
use leap_match::events::Reason;
use leap_records::{Outcome, Ply, Record, Score};

use crate::programs::{LEAP, LEAPD};
use crate::{play, xboard};

/// Every record, with what has written it. The text of each is that of the program.
pub(crate) fn all() -> Vec<(String, String)> {
    let mut corpus = endings();
    for game in &IDS {
        corpus.push((format!("leap match, {game}"), of_match(game, 120)));
        corpus.push((format!("leap match, {game}, cut"), of_match(game, 7)));
        corpus.push((format!("leap gogui, {game}"), of_gogui(game)));
    }
    for (program, games) in [("xboard", &xboard::WHOLE_GAMES), ("play", &play::WHOLE_GAMES)] {
        let named =
            |(game, text): &(&str, String)| (format!("leap {program}, {game}"), text.clone());
        corpus.extend(games.iter().map(named));
    }
    let each = corpus.iter().flat_map(|(writer, text)| {
        let records = Record::parse_all(text).unwrap_or_else(|error| panic!("{writer}: {error}"));
        assert!(!records.is_empty(), "{writer} has written nothing");
        let whole: String = records.iter().map(Record::to_string).collect();
        assert_eq!(&whole, text, "{writer} writes as the parser prints");
        records.into_iter().map(|record| (writer.clone(), record.to_string())).collect::<Vec<_>>()
    });
    each.collect()
}

/// Two games of an opening, with comments.
fn of_match(game: &str, plies: u32) -> String {
    let place = tempfile::tempdir().unwrap();
    let mut leap = Command::new(LEAP.as_str());
    leap.args(["match", "--game", game, "--each", "depth=1", "--random-plies", "2", "--out", "m"]);
    leap.args(["--option", &format!("MaxPlies={plies}"), "--referee", &LEAPD]);
    leap.args(["--engine", &format!("cmd={}", *LEAPD), "name=a \"b\" \\"]);
    leap.args(["--engine", &format!("cmd={}", *LEAPD), "name=c"]);
    let output = leap.current_dir(place.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(place.path().join("m/games.ugr")).unwrap()
}

/// A game that is left unfinished.
fn of_gogui(game: &str) -> String {
    let place = tempfile::tempdir().unwrap();
    let mut leap = Command::new(LEAP.as_str());
    leap.args(["gogui", "--game", game, "--depth", "1", "--option", "MaxPlies=77", "--", &LEAPD]);
    leap.current_dir(place.path()).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = leap.spawn().unwrap();
    // The computer enters its turn square by square.
    let turn = "genmove b\n".repeat(2);
    child
        .stdin
        .take()
        .unwrap()
        .write_all(format!("{turn}leap-save g.ugr\nquit\n").as_bytes())
        .unwrap();
    assert!(child.wait().unwrap().success());
    fs::read_to_string(place.path().join("g.ugr")).unwrap()
}

/// A game for each way to end that a match or a person has.
fn endings() -> Vec<(String, String)> {
    let reasons =
        Reason::ALL.iter().map(|reason| reason.as_str()).filter(|reason| *reason != "rules");
    let reasons = reasons.chain(["resignation", "agreement"]);
    let results = [Outcome::P1Win, Outcome::P2Win, Outcome::Draw, Outcome::Void];
    let endings = reasons.zip(results.into_iter().cycle()).map(|(reason, result)| {
        let tags = [
            ("Game", "alquerque"),
            ("P1", "somebody"),
            ("P2", ""),
            ("Result", result.as_str()),
            ("Reason", reason),
            ("Fen", "5/1m1m1/5/1m1m1/M3m 1 - 0 10"),
            ("Option", "AlquerqueQuietLimit=50"),
            ("Option", "AlquerqueCapture=mandatory"),
        ];
        let tags = tags.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let score = Some(Score::Mate(-3));
        let ply = Ply {
            score,
            depth: Some(4),
            nodes: Some(99),
            time_us: Some(7),
            ..Ply::of_opening("a1c3e5")
        };
        let record = Record { tags: tags.to_vec(), plies: vec![ply], result };
        (format!("a game that ended by {reason}"), record.to_string())
    });
    let untouched = "[Game \"sapos\"]\n\n*\n\n".to_owned();
    endings.chain([("a game without moves".to_owned(), untouched)]).collect()
}
