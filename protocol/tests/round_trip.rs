//! What is printed parses back to the same value, and what was parsed prints stably.

mod strategies;

use std::fmt::{Debug, Display};
use std::str::FromStr;

use leap_protocol::{Command, Reply, payload};
use leap_toys::cases::cases;
use proptest::prelude::*;

/// Adds what SPEC 2.4 calls meaningless: more blanks around and after words.
fn with_more_blanks(line: &str) -> String {
    format!(" \t {}  \t\r\n", line.replacen(' ', " \t ", 1))
}

fn assert_round_trip<T>(value: &T) -> Result<(), TestCaseError>
where
    T: FromStr + Display + Debug + PartialEq,
    T::Err: Debug,
{
    let text = value.to_string();
    prop_assert!(!text.contains(['\n', '\r']), "more than one line: {text:?}");
    prop_assert_eq!(text.trim_matches([' ', '\t']), &text, "blanks at an end");
    let parsed = text.parse::<T>();
    prop_assert_eq!(parsed.as_ref().ok(), Some(value), "{:?} gave {:?}", text, parsed);
    Ok(())
}

macro_rules! round_trips {
    ($($name:ident: $strategy:expr;)+) => {
        proptest! {
            #![proptest_config(cases(1000))]
            $(#[test] fn $name(value in $strategy) { assert_round_trip(&value)?; })+
        }
    };
}

round_trips! {
    a_printed_command_parses_back: strategies::command();
    a_printed_reply_parses_back: strategies::reply();
    a_printed_yes_no_parses_back: any::<bool>().prop_map(payload::YesNo);
    a_printed_game_result_parses_back: strategies::game_result();
    a_printed_legality_parses_back: strategies::legality();
    a_printed_status_parses_back: strategies::status();
    a_printed_move_list_parses_back: strategies::move_list();
    printed_tokens_parse_back: strategies::tokens();
    a_printed_protocol_info_parses_back: strategies::protocol_info();
    a_printed_problem_parses_back: strategies::problem();
    a_printed_game_info_parses_back: strategies::game_info();
    printed_key_values_parse_back: strategies::key_values();
    printed_effects_parse_back: strategies::effects();
    a_printed_board_line_parses_back: strategies::board_line();
    a_printed_evaluation_parses_back: strategies::evaluation();
    a_printed_turn_parses_back: strategies::turn();
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn printed_rules_parse_back_line_by_line(rules in strategies::rules()) {
        let mut parsed = payload::Guide::default();
        for line in rules.lines() {
            prop_assert!(!line.contains(['\n', '\r']), "more than one line: {:?}", line);
            prop_assert_eq!(parsed.push(&with_more_blanks(&line)), Ok(()), "{:?}", line);
        }
        prop_assert_eq!(parsed, rules);
    }
}

/// Lines built from the words of the protocol in any order: far likelier to be nearly right than arbitrary text.
fn word_salad() -> impl Strategy<Value = String> {
    let word = proptest::sample::select(
        "ugi uci isready setoption name value position startpos fen moves go p1time wtime depth \
         nodes infinite ponder searchmoves id stop query next legal turn limit move undo perft draw \
         offer accept info score cp mate lowerbound upperbound wdl pv string currmove tbhits \
         bestmove none response error : column busy option type spin combo check button default \
         min max var <empty> board boardok rules rulesok problems problemsok a1c3 c7c8@b1 0 1 -3 99999999999999999999 007 1+ true \
         false at - time nps stopped debug on"
            .split_whitespace()
            .collect::<Vec<_>>(),
    );
    proptest::collection::vec((word, "[ \t]{1,2}"), 0..14).prop_map(|words| {
        words.into_iter().flat_map(|(word, gap)| [word.to_owned(), gap]).collect()
    })
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn a_parsed_command_prints_as_itself(line in word_salad()) {
        if let Ok(Some(command)) = Command::parse(&line) {
            assert_round_trip(&command)?;
        }
    }

    #[test]
    fn a_parsed_reply_prints_as_itself(line in word_salad()) {
        let reply = Reply::parse(&line);
        prop_assert_eq!(Reply::parse(&reply.to_string()), reply);
    }

    #[test]
    fn more_blanks_change_no_command(command in strategies::command()) {
        let line = with_more_blanks(&command.to_string());
        prop_assert_eq!(Command::parse(&line), Ok(Some(command)));
    }

    #[test]
    fn an_other_reply_keeps_the_exact_line(line in "[^\r\n]{0,40}") {
        if let Reply::Other(kept) = Reply::parse(&line) {
            prop_assert_eq!(kept, line);
        }
    }
}
