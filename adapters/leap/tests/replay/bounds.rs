//! Memory is bounded.

use super::*;

/// Replays with a limit of this many KiB of address space.
#[cfg(target_os = "linux")]
fn replay_in_memory(kib: u32, work: &Workplace, line: &str) -> (Option<i32>, String) {
    let command = work.command(&format!("replay a.ugt {line}"));
    printed(support::limited(&format!("-v {kib}"), &command))
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow: run by .ci/run"]
fn many_regular_expressions_take_little_memory() {
    let regexes = (0..60).map(|number| format!("<~ {number} \\w{{30}}|a\n"));
    let work = transcripts(&[("a.ugt", &format!("> x\n{}", regexes.collect::<String>()))]);
    let engine = format!("-- MOCK puppet 'x={}'", "a;".repeat(60));
    let (status, printed) = replay_in_memory(100_000, &work, &engine);
    assert_eq!(status, Some(0), "{printed}");
}

#[test]
fn a_regular_expression_that_is_too_large_or_malformed_is_named_with_its_line() {
    for regex in [r"\w{9}{9}{9}{9}", "a(", "a)|(?:b"] {
        let (status, printed) = replay(&format!("> x\n< x\n<~ {regex}\n"), &["x=x;b"]);
        assert_eq!(status, Some(2), "{regex}: {printed}");
        assert!(printed.contains("a.ugt: line 4: "), "{regex}: {printed}");
    }
}

/// An engine that writes endlessly, while another line is expected and while it should be silent.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow: run by .ci/run"]
fn an_engine_that_writes_without_end_fills_no_memory() {
    let info = "while :; do cat info; done";
    let mv = "while :; do cat move; done";
    let moves = "< bestmove a1a2\n".repeat(600);
    let floods = [
        ("> x\n< y\n", info, ""),
        ("> x\n< y\n", info, "--update"),
        ("< info depth 1\n", info, "--update"),
        ("> x\n<.\n", info, "--update"),
        (&format!("> x\n< y\n{moves}"), mv, ""),
    ];
    at_once(&floods, |(lines, flood, args)| {
        let work = transcripts(&[("a.ugt", lines)]);
        work.write("info", "info depth 1\n".repeat(500_000));
        if *flood == mv {
            work.write("move", format!("bestmove {}\n", "x".repeat(900_000)).repeat(50));
        }
        // An update tries the greeting in a process of its own.
        let engine = format!("sh -c 'read line; [ \"$line\" != ugi ] || exec echo ugiok; {flood}'");
        let line = format!("{args} --timeout 1 -- {engine}");
        let (status, printed) = replay_in_memory(300_000, &work, &line);
        // It depends on the machine whether the time limit or the memory limit is reached first.
        assert!(matches!(status, Some(1 | 2)), "{lines:.40} {args:?}: {printed:.1000}");
        assert!(printed.contains("a.ugt: "), "{printed:.1000}");
    });
}

#[test]
fn a_file_without_end_is_not_read_to_it() {
    let work = Workplace::new();
    let file = std::fs::File::create(work.path("a.ugt")).expect("a file of the test");
    // A sparse file takes no space on disk.
    file.set_len(1 << 40).expect("a large file");
    let (status, printed) = run(&work, "a.ugt", &[]);
    assert_eq!(status, Some(2));
    assert!(printed.contains("expected at most"), "{printed}");
}
