//! What each command line means, and what is said about lines that are no commands.

use leap_protocol::{Command, Dialect, ErrorCode, Reply};

fn parse(line: &str) -> Command {
    match Command::parse(line) {
        Ok(Some(command)) => command,
        other => panic!("{line:?} gave {other:?}"),
    }
}

#[test]
fn in_the_dialect_of_uci_unknown_words_of_go_are_skipped() {
    for (line, known) in [
        ("go depth 3 threads 4", "go depth 3"),
        ("go mystery depth 3", "go depth 3"),
        ("go joho 1 searchmoves a1a2 depth 3 x y z", "go depth 3 searchmoves a1a2"),
        ("go wtime 5 wtim 6", "go wtime 5"),
        ("go dept 3 infinite", "go infinite"),
    ] {
        let command = Command::parse_in(line, Dialect::Uci).unwrap().unwrap();
        assert_eq!(command.to_string(), known, "{line}");
        assert!(Command::parse(line).is_err(), "{line}");
    }
    for line in ["go depth", "go depth x", "go depth 3 depth 4", "joho go depth 3", "stop it"] {
        let refused = Command::parse_in(line, Dialect::Uci);
        assert_eq!(refused, Command::parse(line), "{line}");
        assert!(refused.is_err(), "{line}");
    }
    for (line, column) in
        [("go dept 3", 4), ("go ponder x", 11), ("go searchmoves a1 id 7 winc 5 xx", 31)]
    {
        let error = Command::parse_in(line, Dialect::Uci).unwrap_err();
        assert_eq!((error.code, error.column), (ErrorCode::BadArgument, Some(column)), "{line}");
    }
}

/// A command prints in one order, so that what is printed shows which word belongs to which field.
#[test]
fn a_command_has_one_form_in_which_it_prints() {
    for (line, printed) in [
        ("setoption name  Clear \t Hash ", "setoption name Clear Hash"),
        ("setoption name A value  x  value y ", "setoption name A value x  value y"),
        ("setoption name A value", "setoption name A value <empty>"),
        ("position fen 8/8  1 -\t0 0  moves  a1a2", "position fen 8/8 1 - 0 0 moves a1a2"),
        ("position startpos moves ", "position startpos"),
        ("moves a1a2 b2c3", "move a1a2 b2c3"),
        ("go ", "go"),
        ("go binc 20 winc 0 btime -5 wtime 1000", "go wtime 1000 btime -5 winc 0 binc 20"),
        (
            "go searchmoves a1 xd4 id job-7 infinite nodes 9 depth 3",
            "go depth 3 nodes 9 infinite searchmoves a1 xd4 id job-7",
        ),
    ] {
        assert_eq!(parse(line).to_string(), printed);
    }
}

#[test]
fn a_line_of_blanks_is_no_command() {
    for line in ["", " ", "\t \r\n"] {
        assert_eq!(Command::parse(line), Ok(None));
        assert_eq!(line.parse::<Command>().unwrap_err().code, ErrorCode::MissingArgument);
    }
}

#[test]
fn errors_say_what_was_expected_and_found_and_where() {
    let examples = include_str!("errors.ugt").lines().skip(2).collect::<Vec<_>>();
    assert!(examples.len() >= 70 && examples.len().is_multiple_of(2));
    for pair in examples.chunks(2) {
        let [command, expected] = [0, 1].map(|i| &pair[i][2..]);
        let error = Reply::from(Command::parse(command).unwrap_err());
        assert_eq!(error.to_string(), expected, "{command:?}");
    }
}

/// A column counts characters. A missing argument is missing at the end of the last word.
#[test]
fn the_column_of_an_error_is_where_it_begins() {
    let long = format!("go id {}", "x".repeat(65));
    for (line, column) in [
        ("go id \u{e1}\u{1F438} x", 10),
        ("go depth   ", 9),
        (&long, 7),
        ("go id \u{1b}[2J", 7),
        ("go id a\u{9b}0m", 7),
        ("go id \u{202e}", 7),
        ("go id \0", 7),
    ] {
        assert_eq!(Command::parse(line).unwrap_err().column, Some(column), "{line:?}");
    }
    parse(&format!("go id {}", "\u{e1}".repeat(64)));
}

#[test]
fn what_is_found_is_quoted_short_and_harmless() {
    let error = Command::parse(&format!("go {}", "y".repeat(1000))).unwrap_err();
    let expected = format!("expected a keyword of 'go', found '{}...'", "y".repeat(32));
    assert_eq!(error.to_string(), expected);
    let error = Command::parse("\u{1b}[31m\0 1").unwrap_err();
    assert_eq!(
        error.to_string(),
        r"expected a command, found '\u{1b}[31m\0'; try 'ugi', 'query rules', 'go movetime 1000' or 'quit' (SPEC.md has all)"
    );
}

/// SPEC 3.7: every type but a button has a value.
#[test]
fn a_value_is_never_missing_and_never_more_than_one_line() {
    for (value, printed) in [("", "<empty>"), (" ", "<empty>"), ("A\nquit\r\nstop", "A quit  stop")]
    {
        let command = Command::SetOption { name: "Book".to_owned(), value: Some(value.to_owned()) };
        assert_eq!(command.to_string(), format!("setoption name Book value {printed}"));
    }
}
