//! How expected lines are compared (SPEC 16.11 to 16.14).

use leap_transcript::{LineRules, Pattern, Rule, Stream, Transcript};

fn rules(body: &str, pinned: bool) -> (Transcript, LineRules) {
    let transcript: Transcript = format!("ugt 1\n{body}").parse().expect("a transcript");
    let rules = transcript.rules(pinned);
    (transcript, rules)
}

/// The rule for the last line of the body.
fn last_rule(body: &str, pinned: bool) -> Rule {
    let (transcript, rules) = rules(body, pinned);
    rules.get(transcript.entries.len() - 1).expect("an expected line").clone()
}

fn pattern(text: &str) -> Rule {
    Rule::Pattern(Pattern::wildcards(text))
}

fn any_move() -> Rule {
    Rule::AnyMove { id: None, ponder: false }
}

#[test]
fn rules_replies_are_exact() {
    for line in ["response true", "readyok", "ugiok", "response 2 a1a2 b1b2", "info perft a1a2 3"] {
        assert_eq!(last_rule(&format!("< {line}"), false), Rule::Pattern(Pattern::exact(line)));
    }
}

#[test]
fn dots_are_wildcards_also_in_lines_that_are_ignored_without() {
    assert_eq!(last_rule("< info ... pv a1a2", false), pattern("info ... pv a1a2"));
    assert_eq!(last_rule("< info depth 1", false), Rule::Ignored);
    assert_eq!(last_rule("<= a ... b", false), Rule::Pattern(Pattern::exact("a ... b")));
}

#[test]
fn texts_for_people_and_times_are_free() {
    assert_eq!(
        last_rule("< error busy column 1 : a b", true),
        pattern("error busy column 1 : ...")
    );
    assert_eq!(
        last_rule("< response false off-board at - : no", true),
        pattern("response false off-board at - : ...")
    );
    let refused = "response entered a1 refused blocked at a1 awaits none drops 0 next 0 effects 0 \
                   unfinished incomplete at - : ";
    assert_eq!(last_rule(&format!("< {refused}no"), true), pattern(&format!("{refused}...")));
    assert_eq!(
        last_rule("< perft 2 nodes 8 time 31 nps 77", true),
        pattern("perft 2 nodes 8 time ... nps ...")
    );
}

#[test]
fn what_names_the_engine_counts_if_pinned() {
    for line in ["id name x", "id author y", "option name Hash type button"] {
        let exact = Rule::Pattern(Pattern::exact(line));
        assert_eq!(last_rule(&format!("< {line}"), true), exact);
        assert_eq!(last_rule(&format!("< {line}"), false), Rule::Ignored);
    }
    let eval = "> eval\n< response material 1 total 1";
    assert_eq!(last_rule(eval, true), pattern("response material 1 total 1"));
    assert_eq!(last_rule(eval, false), pattern("response ..."));
    assert_eq!(last_rule("> eval\n> query fen\n< response x", false), pattern("response x"));
    assert_eq!(last_rule("> draw offer\n< draw accept", false), pattern("draw ..."));
}

#[test]
fn a_reproducible_search_is_exact_if_pinned() {
    let exact = pattern("bestmove a1a2");
    for go in ["go depth 3", "go nodes 100", "go mate 2", "go depth 3 nodes 5 searchmoves a1a2"] {
        assert_eq!(last_rule(&format!("> {go}\n< bestmove a1a2"), true), exact, "{go}");
        assert_eq!(last_rule(&format!("> {go}\n< bestmove a1a2"), false), any_move(), "{go}");
    }
}

#[test]
fn other_searches_take_any_legal_move() {
    for lines in [
        "> go movetime 10",
        "> go p1time 10 p2time 10",
        "> go depth 3 movetime 10",
        "> go infinite\n> stop",
        "> go depth 9\n> stop",
        "> go ponder depth 9\n> ponderhit",
        "> setoption name threads value 2\n> go depth 3",
        "option name Strength value 50\n> go depth 3",
        "> go movetime 10\n< bestmove a1a3\n> go depth 3",
    ] {
        assert_eq!(last_rule(&format!("{lines}\n< bestmove a1a2"), true), any_move(), "{lines}");
    }
}

#[test]
fn a_new_game_makes_searches_reproducible_again() {
    for clear in ["uginewgame", "ucinewgame", "setoption name Clear Hash"] {
        let lines = format!("> go movetime 9\n< bestmove a1a3\n> {clear}\n> go depth 3\n");
        assert_eq!(last_rule(&format!("{lines}< bestmove a1a2"), true), pattern("bestmove a1a2"));
    }
}

#[test]
fn a_refused_go_is_no_search() {
    let busy = "> go infinite\n> go depth 1\n< error busy : x\n> stop\n< bestmove a1a2";
    assert_eq!(last_rule(busy, true), any_move());
    let wrong = "> go depth 3\n> go infinite\n< error busy : x\n< bestmove a1a2";
    assert_eq!(last_rule(wrong, true), pattern("bestmove a1a2"));
}

#[test]
fn ponder_and_id_come_only_where_they_were_asked_for() {
    let ponder = "> setoption name Ponder value true\n> go movetime 1\n< bestmove a1a2";
    assert_eq!(last_rule(ponder, false), Rule::AnyMove { id: None, ponder: true });
    let id = "> go movetime 1 id 7\n< bestmove a1a2 id 7";
    assert_eq!(last_rule(id, false), Rule::AnyMove { id: Some("7".to_owned()), ponder: false });
}

#[test]
fn no_move_is_never_any_move() {
    assert_eq!(last_rule("> go movetime 1\n< bestmove none", false), pattern("bestmove none"));
}

#[test]
fn after_quit_a_pending_bestmove_does_not_count() {
    let (transcript, rules) =
        rules("> go infinite\n> stop\n> quit\n< bestmove a1a2\n<. exit 0", true);
    assert_eq!(rules.get(3), Some(&Rule::Ignored));
    assert!(rules.may_come("bestmove a1a3", transcript.entries.len()));
    assert!(!rules.may_come("bestmove a1a3", 1));
    let (transcript, rules) = self::rules("> go depth 1\n< bestmove a1a2\n> quit\n<. exit 0", true);
    assert!(!rules.may_come("bestmove a1a3", transcript.entries.len()));
}

#[test]
fn a_stopped_perft_counts_for_nothing_but_its_end() {
    let body =
        "> perft 9\n< info perft a1a2 7\n> stop\n< perft 9 nodes 7 time 1 nps 2 stopped true";
    let (_, rules) = rules(body, true);
    assert_eq!(rules.get(1), Some(&Rule::Ignored));
    assert_eq!(rules.get(3), Some(&pattern("perft 9 ...")));
    assert!(rules.may_come("info perft b1b2 5", 3));
}

#[test]
fn what_may_come_at_any_time() {
    let (_, unpinned) = rules("<* banner\n> ugi\n< ugiok", false);
    for (line, may_come) in [
        ("info depth 3", true),
        ("info perft a1a2 3", false),
        ("id name x", true),
        ("option name x type button", true),
        ("banner", true),
        ("banner 2", false),
        ("readyok", false),
        ("", false),
    ] {
        assert_eq!(unpinned.may_come(line, 2), may_come, "{line}");
    }
    let (_, pinned) = rules("> ugi\n< ugiok", true);
    assert!(!pinned.may_come("id name x", 1));
}

#[test]
fn a_search_that_is_left_running_is_known() {
    assert!(rules("> go depth 1", false).1.leaves_search());
    assert!(rules("> perft 3", false).1.leaves_search());
    assert!(!rules("> go depth 1\n< bestmove a1a2", false).1.leaves_search());
    assert!(!rules("> go depth\n< error missing-argument : x", false).1.leaves_search());
}

#[test]
fn the_first_words_decide_the_stream() {
    for line in ["bestmove x", "perft 1 nodes 2", "info perft x 3"] {
        assert_eq!(Stream::of(line), Stream::Search);
    }
    for line in ["info depth 1", "response", "", "readyok"] {
        assert_eq!(Stream::of(line), Stream::Reply);
    }
}

#[test]
fn patterns_match_any_run_of_characters() {
    for (pattern, line, matches) in [
        ("a", "a", true),
        ("a", "ab", false),
        ("...", "", true),
        ("a...", "a", true),
        ("a...b", "ab", true),
        ("a...b", "aXb", true),
        ("a...b", "aXbc", false),
        ("ab...bc", "abc", false),
        ("a...b...c", "aXbYbZc", true),
        ("a...b...c", "aXc", false),
        ("...b...", "abc", true),
        ("a...", "ba", false),
    ] {
        assert_eq!(Pattern::wildcards(pattern).matches(line), matches, "{pattern} {line}");
        assert_eq!(Pattern::wildcards(pattern).to_string(), pattern);
    }
    assert!(!Pattern::exact("a...b").matches("ab"));
}
