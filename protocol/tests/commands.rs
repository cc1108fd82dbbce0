//! What each command line means, and what is said about lines that are no commands.

use leap_protocol::{Command, Dialect, ErrorCode, Go, Query, Reply, Start};

fn parse(line: &str) -> Command {
    match Command::parse(line) {
        Ok(Some(command)) => command,
        other => panic!("{line:?} gave {other:?}"),
    }
}

/// The `error` line that a command line is answered with.
fn error_line(line: &str) -> String {
    Reply::from(Command::parse(line).unwrap_err()).to_string()
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

#[test]
fn the_commands_of_a_ugi_runner_parse() {
    assert_eq!(parse("ugi"), Command::Hello(Dialect::Ugi));
    assert_eq!(parse("isready"), Command::IsReady);
    assert_eq!(parse("uginewgame"), Command::NewGame(Dialect::Ugi));
    assert_eq!(
        parse("setoption name Hash value 64"),
        Command::SetOption { name: "Hash".to_owned(), value: Some("64".to_owned()) }
    );
    assert_eq!(
        parse("position startpos"),
        Command::Position { start: Start::StartPos, moves: vec![] }
    );
    assert_eq!(
        parse("position fen 8/8 1 - 0 0 moves a1a2 b2@c3"),
        Command::Position {
            start: Start::Fen("8/8 1 - 0 0".to_owned()),
            moves: words("a1a2 b2@c3")
        }
    );
    assert_eq!(parse("query p1turn"), Command::Query(Query::P1Turn));
    assert_eq!(parse("query gameover"), Command::Query(Query::GameOver));
    assert_eq!(parse("query result"), Command::Query(Query::Result));
    assert_eq!(
        parse("go p1time 1000 p2time 900 p1inc 10 p2inc 20"),
        Command::Go(Go {
            p1time: Some(1000),
            p2time: Some(900),
            p1inc: Some(10),
            p2inc: Some(20),
            ..Go::default()
        })
    );
    assert_eq!(parse("stop"), Command::Stop);
    assert_eq!(parse("quit"), Command::Quit);
}

#[test]
fn the_names_of_uci_stand_for_those_of_ugi() {
    assert_eq!(parse("uci"), Command::Hello(Dialect::Uci));
    assert_eq!(parse("ucinewgame"), Command::NewGame(Dialect::Uci));
    let go = parse("go wtime 1000 btime -5 winc 0 binc 20");
    assert_eq!(go.to_string(), "go wtime 1000 btime -5 winc 0 binc 20");
    let Command::Go(go) = go else { panic!("{go:?}") };
    let go = Go { clocks: Dialect::Ugi, ..go };
    assert_eq!(go.to_string(), "go p1time 1000 p2time -5 p1inc 0 p2inc 20");
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

#[test]
fn moves_is_another_word_for_move() {
    assert_eq!(parse("moves a1a2 b2c3"), Command::Move(words("a1a2 b2c3")));
    assert!(error_line("moves").starts_with("error missing-argument column 6 "));
}

#[test]
fn blanks_within_names_and_positions_count_once() {
    for (line, printed) in [
        ("setoption name  Clear \t Hash ", "setoption name Clear Hash"),
        ("position fen 8/8  1 -\t0 0  moves  a1a2", "position fen 8/8 1 - 0 0 moves a1a2"),
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

/// vampirc-uci panics on both (its issues 9 and 25).
#[test]
fn go_alone_and_a_trailing_blank_are_fine() {
    assert_eq!(parse("go"), Command::Go(Go::default()));
    assert_eq!(parse("go "), Command::Go(Go::default()));
    assert_eq!(parse("position startpos moves "), parse("position startpos"));
}

#[test]
fn the_value_of_an_option_is_the_rest_of_the_line() {
    let value = |line| match parse(line) {
        Command::SetOption { value, .. } => value,
        other => panic!("{other:?}"),
    };
    assert_eq!(value("setoption name A value  x  value y "), Some("x  value y".to_owned()));
    assert_eq!(value("setoption name A value"), Some(String::new()));
    assert_eq!(value("setoption name A"), None);
}

#[test]
fn the_parameters_of_go_come_in_any_order() {
    assert_eq!(
        parse("go searchmoves a1c3@d4 xd4 id job-7 infinite nodes 9 depth 3 movetime 20"),
        Command::Go(Go {
            searchmoves: words("a1c3@d4 xd4"),
            id: Some("job-7".to_owned()),
            infinite: true,
            nodes: Some(9),
            depth: Some(3),
            movetime: Some(20),
            ..Go::default()
        })
    );
}

#[test]
fn errors_say_what_was_expected_and_found_and_where() {
    let examples = include_str!("errors.ugt").lines().skip(2).collect::<Vec<_>>();
    assert!(examples.len() >= 70 && examples.len().is_multiple_of(2));
    for pair in examples.chunks(2) {
        let [command, expected] = [0, 1].map(|i| &pair[i][2..]);
        assert_eq!(error_line(command), expected, "{command:?}");
    }
}

#[test]
fn a_column_counts_characters() {
    assert_eq!(Command::parse("go id \u{e1}\u{1F438} x").unwrap_err().column, Some(10));
}

#[test]
fn a_missing_argument_is_reported_at_the_end_of_the_last_word() {
    assert_eq!(Command::parse("go depth   ").unwrap_err().column, Some(9));
}

#[test]
fn an_id_has_at_most_64_characters() {
    let id = "\u{e1}".repeat(64);
    assert_eq!(parse(&format!("go id {id}")), Command::Go(Go { id: Some(id), ..Go::default() }));
    let error = Command::parse(&format!("go id {}", "x".repeat(65))).unwrap_err();
    assert_eq!((error.code, error.column), (ErrorCode::BadArgument, Some(7)));
}

#[test]
fn an_id_with_control_characters_is_refused() {
    for evil in ["\u{1b}[2J", "a\u{9b}0m", "\u{202e}", "\0"] {
        let error = Command::parse(&format!("go id {evil}")).unwrap_err();
        assert_eq!((error.code, error.column), (ErrorCode::BadArgument, Some(7)));
    }
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
fn an_empty_value_prints_as_the_word_for_it() {
    for empty in ["", " ", "\t"] {
        let (name, value) = ("Book".to_owned(), Some(empty.to_owned()));
        let command = Command::SetOption { name, value };
        assert_eq!(command.to_string(), "setoption name Book value <empty>");
    }
}

#[test]
fn a_value_never_prints_more_than_one_line() {
    let name = "A\nquit\r\nstop".to_owned();
    let command = Command::SetOption { name, value: None };
    assert_eq!(command.to_string(), "setoption name A quit  stop");
}
