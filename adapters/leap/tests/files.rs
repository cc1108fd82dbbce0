//! No file of anybody is destroyed: saved games survive a full disk, and outputs replace only what the same command
//! wrote.

use crate::support::{Workplace, limited, run, text};

#[test]
fn a_game_for_which_there_is_no_room_leaves_those_before_it_as_they_were() {
    let work = Workplace::new();
    let before = format!("[Game \"race\"]{}", "x".repeat(500));
    work.write("games.ugr", &before);
    // There is space for a part of the record.
    let gogui = limited("-f 1", &work.command("gogui -- MOCK"));
    let output = run(gogui, b"leap-save games.ugr\nquit\n");
    let printed = text(&output.stdout);
    assert!(printed.starts_with("? cannot write games.ugr"), "{printed}");
    assert_eq!(work.read("games.ugr"), before);
}

#[test]
fn a_file_of_something_else_takes_no_games() {
    let work = Workplace::new();
    for before in ["my notes\n", "[section]\nkey = 1\n", "\u{7f}ELF\0"] {
        work.write("notes", before);
        let output = run(work.command("gogui -- MOCK"), b"leap-save notes\nquit\n");
        let printed = text(&output.stdout);
        assert!(printed.starts_with("? cannot write notes: expected game records"), "{printed}");
        let xboard = work.run("xboard --record notes -- MOCK");
        let message = text(&xboard.stderr);
        assert_eq!(xboard.status.code(), Some(2), "{message}");
        assert!(message.starts_with("leap: --record: cannot write notes"), "{message}");
        assert_eq!(work.read("notes"), before);
    }
    work.write("games", "");
    for _ in 0..2 {
        let output = run(work.command("gogui -- MOCK"), b"leap-save games\nquit\n");
        assert!(text(&output.stdout).starts_with("= saved"), "{}", text(&output.stdout));
    }
    assert_eq!(work.read("games").matches("[Game ").count(), 2);
}

/// What `--json`, `--junit` and `leap report` write replaces what they have written before, and nothing else.
#[test]
fn reports_replace_only_reports() {
    let work = Workplace::new();
    let report = |option: &str, file: &str| {
        work.run(&format!("check --filter readyok-exact {option} {file} -- MOCK"))
    };
    for (option, other) in [("--json", "--junit"), ("--junit", "--json")] {
        let file = option.trim_start_matches('-');
        for _ in 0..2 {
            assert_eq!(report(option, file).status.code(), Some(0));
        }
        let before = work.read(file);
        let refused = report(other, file);
        assert_eq!(refused.status.code(), Some(2));
        let message = text(&refused.stderr);
        assert!(message.contains(&format!("cannot write {file}: expected no file")), "{message}");
        assert_eq!(work.read(file), before);
        assert_eq!(work.run(&format!("check --write {file} -- MOCK")).status.code(), Some(2));
        assert_eq!(work.read(file), before);
    }
    for _ in 0..2 {
        assert_eq!(work.run("check --write rows -- MOCK").status.code(), Some(0));
    }
    // A script that somebody has written by hand stays.
    work.write("own.ugt", "ugt 1\n> isready\n< readyok\n");
    assert_eq!(work.run("check --write own.ugt -- MOCK").status.code(), Some(2));
    assert_eq!(work.read("own.ugt"), "ugt 1\n> isready\n< readyok\n");
}

/// A record never takes the place of the program that it records, or of the program's files.
#[test]
fn a_record_replaces_no_file_of_its_engine() {
    let work = Workplace::new();
    work.write("engine", "#!/bin/sh\nexec cat\n");
    work.write("net", "weights");
    std::os::unix::fs::symlink("net", work.path("link")).expect("a link");
    for output in ["engine", "net", "link", "./net"] {
        let refused = work.run(&format!("record --force -o {output} -- sh engine net"));
        assert_eq!(refused.status.code(), Some(2));
        let message = text(&refused.stderr);
        assert!(message.contains("expected another file than those of the engine"), "{message}");
    }
    assert_eq!(work.read("net"), "weights");
}

/// Pictures of another program stay; those of an earlier run are replaced.
#[test]
fn pictures_replace_only_pictures_of_an_earlier_run() {
    let work = Workplace::new();
    let draw = || work.run("xboard --art art -- MOCK");
    for _ in 0..2 {
        assert_eq!(draw().status.code(), Some(0), "{}", text(&draw().stderr));
    }
    let names = work.names_in("art");
    let picture = names.iter().find(|name| name.ends_with(".svg")).expect("a picture");
    let picture = format!("art/{picture}");
    work.write(&picture, "<svg>mine</svg>");
    let refused = draw();
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stdout));
    assert_eq!(work.read(&picture), "<svg>mine</svg>");
}
