//! `leap replay --update`.

use super::*;

/// The transcript after `--update`, which must replay.
fn update(lines: &str, rules: &[&str]) -> String {
    let work = Workplace::new();
    write(&work, "a.ugt", &format!("ugt 1\n{lines}"));
    let output = run(&work, &["a.ugt", "--update"], rules);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    let updated = work.read("a.ugt");
    let output = run(&work, &["a.ugt"], rules);
    assert_eq!(output.status.code(), Some(0), "{updated}{}", text(&output.stdout));
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
    assert_eq!(update("> x\n< a\n< b\n> y\n< c\n", &["x=b", "y=c;d"]), "> x\n< b\n> y\n< c\n< d\n");
    assert_eq!(update("> x\n> isready\n< readyok\n", &["x=a"]), "> x\n> isready\n< a\n< readyok\n");
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
        ("ugt 1\n> x\n< a\n> y\n", &["x=b;!exit 0"][..]),
    ] {
        write(&work, "a.ugt", lines);
        run(&work, &["a.ugt", "--update"], rules);
        assert_eq!(work.read("a.ugt"), lines);
    }
}

#[cfg(unix)]
#[test]
fn update_on_a_full_disk_leaves_the_transcript_as_it_was() {
    let work = Workplace::new();
    let lines = "ugt 1\n> x\n< a\n";
    write(&work, "a.ugt", lines);
    let command = work.leap(&["replay", "a.ugt", "--update"], &[PUPPET, "x=b"]);
    let output = support::run(support::limited(support::FULL_DISK, &command), b"");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("cannot rewrite the transcript"));
    assert_eq!(work.read("a.ugt"), lines);
    assert_eq!(work.names(), ["a.ugt"]);
}
