//! Games in a folder: what is kept, what comes back, and what is left alone.

use super::super::table::{Control, Person, Side, Verdict};
use super::*;

fn state() -> State {
    let digest = || Secret::random().unwrap().digest();
    let keys = Keys { host: digest(), guest: digest(), spectators: digest() };
    let invitation = Invitation {
        game: "sapos".to_owned(),
        options: vec![("MaxPlies".to_owned(), "50".to_owned())],
        start: None,
        search: false,
    };
    let control = Control { base: 60_000, increment: 0 };
    let mut table = Table::new(Side::P2, Side::P1, false, Some(control));
    table.arrive(Person::Host, 1, 0);
    table.arrive(Person::Guest, 2, 0);
    table.make("d2d4@c4".to_owned(), Verdict { turn: Side::P2, ending: None }, 0, 0);
    let verdict = Verdict { turn: Side::P1, ending: None };
    table.make("d7d5@e5".to_owned(), verdict, 1_500, 1_500);
    table.resign(Person::Host, true, 2_000).unwrap();
    let mut state = State::new("abc".to_owned(), keys, invitation, Vec::new(), table.at_rest(0));
    state.begun = "2026-01-02T03:04:05Z".to_owned();
    state
}

#[test]
fn a_round_is_a_record_with_its_times() {
    let text = "[Game \"sapos\"]\n[Round \"1\"]\n[Date \"2026-01-02T03:04:05Z\"]\n[P1 \"guest\"]\n\
                [P2 \"host\"]\n[Result \"p1win\"]\n[Reason \"resignation\"]\n[Option \"MaxPlies=50\"]\n\n\
                1. d2d4@c4 2. d7d5@e5 {us 1500000} p1win\n\n";
    assert_eq!(state().record().to_string(), text);
    assert_eq!(Record::parse_all(text).unwrap().len(), 1);
}

#[test]
fn what_is_saved_comes_back_and_holds_no_secret() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("games");
    let (folder, secret) = Folder::open(&path).unwrap();
    let archive = Archive::start(folder).unwrap();
    let saved = state();
    archive.save(&saved);
    assert!(Folder::open(&path).is_err(), "another server uses the folder");
    drop(archive);
    let (folder, again) = Folder::open(&path).unwrap();
    assert!(again.digest().is(&secret.digest()), "the host keeps its secret");
    let states = folder.states();
    assert_eq!(states.len(), 1);
    assert_eq!(states[0].table, saved.table);
    assert!(states[0].keys.guest.is(&saved.keys.guest));
    assert!(path.join("sapos-abc-1.ugr").is_file());
    let archive = Archive::start(folder).unwrap();
    archive.forget("abc");
    drop(archive);
    let (folder, _) = Folder::open(&path).unwrap();
    assert!(folder.states().is_empty());
    assert!(path.join("sapos-abc-1.ugr").is_file());
}

#[cfg(unix)]
#[test]
fn only_the_user_can_read_the_games() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("games");
    let (folder, _) = Folder::open(&path).unwrap();
    for name in ["abc.json", "sapos-abc-1.ugr"] {
        fs::write(path.join(name), "of an earlier version, for all to read").unwrap();
    }
    let archive = Archive::start(folder).unwrap();
    archive.save(&state());
    drop(archive);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o700);
    for entry in fs::read_dir(&path).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}

#[test]
fn files_that_are_no_states_are_left_alone() {
    let place = tempfile::tempdir().unwrap();
    let (folder, _) = Folder::open(place.path()).unwrap();
    fs::write(place.path().join("other.json"), "{}").unwrap();
    fs::write(place.path().join("empty.json"), "").unwrap();
    fs::create_dir(place.path().join("folder.json")).unwrap();
    let mut text = serde_json::to_value(state()).unwrap();
    fs::write(place.path().join("wrong.json"), text.to_string()).unwrap();
    text["format"] = 2.into();
    fs::write(place.path().join("abc.json"), text.to_string()).unwrap();
    assert!(folder.states().is_empty());
}

/// A pipe without a writer would hold the server up for ever.
#[cfg(unix)]
#[test]
fn pipes_in_the_folder_are_not_waited_for() {
    let place = tempfile::tempdir().unwrap();
    let pipe = |name| {
        let path = place.path().join(name);
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    pipe("abc.json");
    let (folder, _) = Folder::open(place.path()).unwrap();
    assert!(folder.states().is_empty());
    pipe(ENGINE_KEY);
    let error = format!("{:#}", folder.engine_secret().unwrap_err());
    assert!(error.contains("expected a regular file, found a pipe"), "{error}");
}

#[test]
fn a_state_is_checked_as_if_anybody_had_written_it() {
    use serde_json::{Value, json};
    let sound = serde_json::to_value(state()).unwrap();
    let check = |pointer: &str, value: Value| {
        let mut state = sound.clone();
        *state.pointer_mut(pointer).unwrap() = value;
        let state = serde_json::from_value::<State>(state);
        state.map_err(|error| error.to_string()).and_then(|state| state.check())
    };
    assert_eq!(check("/format", json!(1)), Ok(()));
    let long = "x".repeat(5000);
    for (pointer, value) in [
        ("/format", json!(2)),
        ("/id", json!("../abc")),
        ("/id", json!("")),
        ("/begun", json!("2026\nquit")),
        ("/begun", json!("")),
        ("/invitation/game", json!("sapos\nquit")),
        ("/invitation/game", json!("")),
        ("/invitation/game", json!(long)),
        ("/invitation/start", json!("8/8\nquit")),
        ("/invitation/start", json!("8/8 moves a1a2")),
        ("/invitation/options", json!([["MaxPlies", "1\nquit"]])),
        ("/invitation/options", json!([["Max value", long]])),
        ("/invitation/options", Value::Array(vec![json!(["a", "1"]); 65])),
        ("/rules", json!([["MaxPlies\r", "1"]])),
        ("/rules", json!([["MaxPlies", long]])),
        ("/rules", Value::Array(vec![json!(["a", "1"]); 1025])),
        ("/table/round", json!(0)),
        ("/table/round", json!(-1)),
        ("/table/moves/0/move", json!("a1\nquit")),
        ("/table/moves/0/move", json!("a1 b1")),
        ("/table/moves/0/move", json!("")),
        ("/table/moves/0/move", json!(long)),
        ("/table/moves", Value::Array(vec![json!({ "move": "a", "by": "p1" }); 100_001])),
        ("/table/clock/left", json!([u64::MAX, 1])),
        ("/table/clock/left", json!([1, -1])),
        ("/table/clock/control/base", json!(0)),
        ("/table/clock/control/base", json!(u64::MAX)),
        ("/table/clock/control/increment", json!(u64::MAX)),
        ("/table/ending/result", json!("none")),
        ("/table/ending/result", json!("p1win\"]\n[P1 \"")),
        ("/table/ending/reason", json!("a\nb")),
        ("/table/ending/reason", json!(long)),
        ("/table/turn", json!("p3")),
        ("/table/declined", Value::Array(vec![json!({ "what": "draw", "by": "host" }); 7])),
    ] {
        assert!(check(pointer, value.clone()).is_err(), "{pointer} {value:.80}");
    }
}

#[test]
fn a_folder_of_more_games_than_may_be_opens_the_most_and_first_those_that_go_on() {
    let place = tempfile::tempdir().unwrap();
    let (folder, _) = Folder::open(place.path()).unwrap();
    let mut text = serde_json::to_value(state()).unwrap();
    for number in 0..MOST_GAMES + 10 {
        let id = format!("a{number:03}");
        text["id"] = id.clone().into();
        if number == MOST_GAMES {
            text["table"]["ending"] = serde_json::Value::Null;
        }
        fs::write(folder.state_file(&id), text.to_string()).unwrap();
    }
    let states = folder.states();
    assert_eq!(states.len(), MOST_GAMES);
    assert_eq!(states.iter().filter(|state| state.table.ending.is_none()).count(), 10);
}

#[test]
fn the_name_of_a_game_leads_to_no_other_folder() {
    for (name, word) in [
        ("sapos", "sapos"),
        ("../../etc/passwd", "______etc_passwd"),
        ("C:\\x", "C__x"),
        ("Táctica\0", "T_ctica_"),
    ] {
        assert_eq!(file_word(name), word);
    }
    assert_eq!(file_word(&"x".repeat(1000)).len(), LONGEST_NAME);
}
