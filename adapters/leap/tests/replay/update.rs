//! `leap replay --update`.

use super::*;

/// The transcript after `--update`, which must replay.
fn update(lines: &str, rules: &[&str]) -> String {
    let work = transcripts(&[("a.ugt", lines)]);
    let (status, printed) = run(&work, "a.ugt --update", rules);
    assert_eq!(status, Some(0), "{printed}");
    let updated = work.read("a.ugt");
    let (status, printed) = run(&work, "a.ugt", rules);
    assert_eq!(status, Some(0), "{updated}{printed}");
    updated.strip_prefix("ugt 1\n").expect("a transcript").to_owned()
}

#[test]
fn update_changes_only_what_was_different() {
    let rules =
        ["query moves=response 1 a1a2", "perft=info perft a1a2 3;perft 1 nodes 3 time 9 nps 9"];
    let before = "# first\n> query moves\n# second\n< response 2 a1a2 b1b2\n\n> perft 1\n\
                  <~ info perft .*\n< perft 1 nodes 3 time 1 nps 1\n> quit\n";
    let after = before.replace("response 2 a1a2 b1b2", "response 1 a1a2");
    // The new line comes before the comment that preceded the old one.
    let after = after.replace("# second\n< response 1 a1a2", "< response 1 a1a2\n# second");
    assert_eq!(update(before, &rules), after);
}

#[test]
fn update_takes_lines_in_and_out() {
    let [a, b, c, d] = ["response a", "response b", "response c", "response d"];
    let before = format!("> x\n< {a}\n< {b}\n> y\n< {c}\n");
    let after = format!("> x\n< {b}\n> y\n< {c}\n< {d}\n");
    assert_eq!(update(&before, &[&format!("x={b}"), &format!("y={c};{d}")]), after);
    let after = format!("> x\n< {a}\n> isready\n< readyok\n");
    assert_eq!(update("> x\n> isready\n< readyok\n", &[&format!("x={a}")]), after);
}

#[test]
fn update_keeps_info_lines_only_where_there_were_some() {
    let rules = ["go=info depth 1;info depth 2;bestmove a1a2"];
    let pinned = "engine mock 1.0\n> go depth 2\n";
    assert_eq!(
        update(&format!("{pinned}< bestmove b1b2\n"), &rules),
        format!("{pinned}< bestmove a1a2\n")
    );
    assert_eq!(
        update(&format!("{pinned}< info depth 7\n< bestmove b1b2\n"), &rules),
        format!("{pinned}< info depth 1\n< info depth 2\n< bestmove a1a2\n")
    );
}

#[test]
fn update_follows_the_engine_s_name_and_status() {
    let before = "engine mock 0.9\n> ugi\n< id name mock 0.9\n< id author nobody\n< ugiok\n> quit\n<. exit 1\n";
    let after = before.replace("0.9", "1.0").replace("exit 1", "exit 0");
    assert_eq!(update(before, &[]), after);
}

#[test]
fn update_leaves_a_file_alone_that_is_equal_or_fails() {
    let work = Workplace::new();
    for (lines, rules) in [
        ("ugt 1\r\n> isready\n< ready...\n", &[][..]),
        ("ugt 1\n> go movetime 1\n< bestmove a1a2\n", &["go=bestmove zz"][..]),
        ("ugt 1\n> x\n< response a\n> y\n", &["x=response b;!exit 0"][..]),
    ] {
        work.write("a.ugt", lines);
        run(&work, "a.ugt --update", rules);
        assert_eq!(work.read("a.ugt"), lines);
    }
}

#[cfg(unix)]
#[test]
fn update_on_a_full_disk_leaves_the_transcript_as_it_was() {
    let work = transcripts(&[("a.ugt", "> x\n< response a\n")]);
    let command = command(&work, "a.ugt --update", &["x=response b"]);
    let (status, printed) = printed(support::limited(support::FULL_DISK, &command));
    assert_eq!(status, Some(2), "{printed}");
    assert!(printed.contains("cannot rewrite the transcript"), "{printed}");
    assert_eq!(work.read("a.ugt"), "ugt 1\n> x\n< response a\n");
    assert_eq!(work.names(), ["a.ugt"]);
}

/// What a replay with `--update` prints, and its status. The transcript must stay as it is.
#[track_caller]
fn refused(lines: &str, engine: &str) -> (Option<i32>, String) {
    let work = transcripts(&[("a.ugt", lines)]);
    let command = work.command(&format!("replay a.ugt --update --timeout 1 -- {engine}"));
    let (status, printed) = printed(command);
    assert_eq!(work.read("a.ugt"), format!("ugt 1\n{lines}"), "{engine:?}: {printed:.1000}");
    assert_eq!(work.names(), ["a.ugt"]);
    assert!(!printed.contains("updated"), "{printed:.1000}");
    (status, printed)
}

#[test]
fn update_wants_an_engine_that_greets() {
    let lines = "> isready\n< readyok\n> quit\n";
    let puppets = ["MOCK puppet ugi= uci=", "MOCK puppet 'ugi=!flood 1 y'"];
    let engines = [&["/bin/yes", "/bin/cat", "/bin/true", "/bin/sleep 60"][..], &puppets].concat();
    at_once(&engines, |engine| {
        let (status, printed) = refused(lines, engine);
        assert_eq!(status, Some(2), "{engine:?}: {printed:.1000}");
        let expected = "leap: --update: expected an engine that greets: no answer to 'ugi'";
        assert!(printed.starts_with(expected), "{engine:?}: {printed:.1000}");
        assert_eq!(printed.lines().count(), 1, "{engine:?}: {printed:.1000}");
    });
}

/// An engine that speaks the other dialect only greets too.
#[test]
fn update_takes_an_engine_of_uci() {
    let rules = ["ugi=", "uci=id name Old;uciok", "isready=readyok", "x=response b"];
    assert_eq!(update("> x\n< response a\n", &rules), "> x\n< response b\n");
}

#[test]
fn update_refuses_what_is_no_answer() {
    let cases: [(&str, &str, i32, &str); 9] = [
        ("> x\n< response a\n", "x=y", 1, "line 3: no update: expected an answer, found y"),
        ("> x\n< response a\n", "x=response b;y", 1, "line 3: no update: expected an answer"),
        ("> x\n< response a\n> z\n", "x=response a;y", 1, "expected an answer, found y"),
        ("> x\n< response a\n", "x=!bytes", 1, "found (a line that is not UTF-8)"),
        ("> x\n< response a\n", "x=!long", 1, "found (a line that is too long)"),
        ("> x\n< response a\n", "x=!exit 0", 1, "the engine ended with status 0"),
        ("> x\n< response a\n", "x=response b;!exit 0", 1, "the engine ended with status 0"),
        ("> x\n< response a\n", "x=!hang", 1, "the engine hangs"),
        ("> x\n< response a\n", "x=", 1, "nothing came for"),
    ];
    at_once(&cases, |(lines, rule, status, expected)| {
        let (found, printed) = refused(lines, &format!("MOCK puppet '{rule}'"));
        assert_eq!(found, Some(*status), "{rule}: {printed:.1000}");
        assert!(printed.contains(expected), "{rule}: {printed:.1000}");
    });
}

#[test]
fn update_refuses_a_flood_of_answers() {
    let engine = format!("MOCK puppet 'x={}'", "response b;".repeat(10_002));
    let (status, printed) = refused("> x\n< response a\n", &engine);
    assert_eq!(status, Some(2), "{printed:.1000}");
    assert!(printed.contains("no update: expected at most 10000 new lines"), "{printed:.1000}");
    let (status, printed) = refused("> x\n< response a\n", "MOCK puppet 'x=!flood 1 response b'");
    assert!(matches!(status, Some(1 | 2)), "{printed:.1000}");
}

#[test]
fn update_shows_what_changes() {
    let work = Workplace::new();
    let after =
        "--- a.ugt\n+++ a.ugt\n@@ -1,3 +1,3 @@\n ugt 1\n > x\n-< response a\n+< response b\n";
    for (format, is_data) in [("human", true), ("tap", false), ("junit", false)] {
        work.write("a.ugt", "ugt 1\n> x\n< response a\n");
        let command =
            command(&work, &format!("a.ugt --update --format {format}"), &["x=response b"]);
        let output = support::run(command, b"");
        assert_eq!(output.status.code(), Some(0));
        let shown = if is_data { &output.stdout } else { &output.stderr };
        assert!(text(shown).starts_with(after), "{format}: {}", text(shown));
        assert_eq!(work.read("a.ugt"), "ugt 1\n> x\n< response b\n");
    }
}
