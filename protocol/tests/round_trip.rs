//! What is parsed prints as itself, and what is printed parses back to the same value.
//!
//! The lines follow the grammar in the form in which they are printed. A value that such a line parses to therefore
//! parses back from its own text.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use leap_protocol::payload::{self, Guide};
use leap_protocol::{Command, Reply};
use leap_toys::cases::cases;
use proptest::prelude::*;
use proptest::string::string_regex;

/// The parts of lines, as regular expressions. A part may have parts that stand below it.
///
/// A free word does not begin with a lower-case letter other than `z`, unless it is a move. It is therefore no keyword.
const PARTS: [(&str, &str); 18] = [
    (
        "LIMITS",
        "( movestogo U32)?( movetime U64)?( depth U32)?( nodes U64)?( mate U32)?( infinite)?\
         ( ponder)?( searchmovesMOVES)?( id SAFE)?",
    ),
    ("VALUE", "(win|draw|loss|unknown) (U64|-)"),
    ("NEXT", "(first|step) SAFE=KINDS"),
    ("KINDS", "none|(first|step|drop|remove|pass|end)(,(first|step|drop|remove|pass|end)){0,3}"),
    ("EFFECT", "(from|to|captured|removed|SAFE) SAFE|(dropped|flipped|SAFE) SAFE=SAFE|points I64"),
    ("SQUARE", "WORD|-"),
    ("TEXT", "( PHRASE([ \t]{1,3}PHRASE)?)?"),
    ("PHRASE", "WORD( WORD){0,4}"),
    ("MOVES", "( WORD){1,5}"),
    ("WORDS", "( WORD){0,5}"),
    ("PAIRS", "( WORD WORD){0,4}"),
    ("U32", "0|[1-9][0-9]{0,8}|4294967295"),
    ("U64", "0|[1-9][0-9]{0,18}|18446744073709551615"),
    ("I32", "0|-?[1-9][0-9]{0,8}|-2147483648|2147483647"),
    ("I64", "0|-?[1-9][0-9]{0,17}|-9223372036854775808|9223372036854775807"),
    ("WORD", r"MOVE|[A-Zz][a-z-]{1,12}|-?[1-9][0-9]{0,3}|[^ \t\r\na-z:<(\-]{1,6}"),
    // Without control characters, and without what separates the parts of some words.
    ("SAFE", r#"MOVE|[A-Zz][a-z-]{1,12}|[1-9][0-9]{0,3}|[\PC--[ a-z:<(=;"\-]]{1,6}"#),
    ("MOVE", "([a-h][1-8]){1,4}(@[a-h][1-8]){0,2}|x[a-l]1[0-2]"),
];

/// Texts of this pattern, whose capitals are [`PARTS`].
fn texts(pattern: &str) -> impl Strategy<Value = String> {
    let mut regex = pattern.to_owned();
    for (name, part) in PARTS {
        regex = regex.replace(name, &format!("({part})"));
    }
    string_regex(&regex).unwrap_or_else(|error| panic!("{regex}: {error}"))
}

fn command() -> impl Strategy<Value = String> {
    prop_oneof![
        texts("ugi|uci|isready|uginewgame|ucinewgame|stop|ponderhit|quit|draw offer|eval|d"),
        texts("debug (on|off)|setoption name PHRASE( value PHRASE([ \t]{1,3}PHRASE)?)?"),
        texts("position (startpos|fen PHRASE)( movesMOVES)?"),
        texts("go( p1time I64)?( p2time I64)?( p1inc I64)?( p2inc I64)?LIMITS"),
        texts("go( wtime I64)?( btime I64)?( winc I64)?( binc I64)?LIMITS"),
        texts(
            "query (p1turn|gameover|result|protocol|games|game|fen|board|status|history|problems)"
        ),
        texts("query (value|moves( limit [1-9][0-9]{0,4})?|(next|rules|turn)( WORD)?)"),
        texts("query (legal|effects) WORD|moveMOVES|undo( ([2-9]|[1-9][0-9]{1,8}))?|perft U32"),
    ]
}

fn reply() -> impl Strategy<Value = String> {
    prop_oneof![
        texts("id (name|author)TEXT|ugiok|uciok|readyok|boardok|rulesok|problemsok"),
        texts("option name PHRASE type (check default (true|false)|button|string default <empty>)"),
        texts("option name PHRASE type (spin default I64 min I64 max I64|string default PHRASE)"),
        texts("option name PHRASE type combo default (PHRASE|<empty>)( var (PHRASE|<empty>)){0,3}"),
        texts("bestmove (WORD|none)( ponder WORD)?( id WORD)?|draw (accept|decline)"),
        texts(
            "info( id WORD)?( depth U32)?( seldepth U32)?( multipv U32)?\
             ( score (cp|mate) I32( lowerbound| upperbound)?)?( wdl U32 U32 U32)?( nodes U64)?\
             ( nps U64)?( hashfull U32)?( tbhits U64)?( time U64)?( currmove WORD)?WORDS\
             ( pvMOVES)?( stringTEXT)?"
        ),
        texts("(response|board|rules|problems)TEXT|info perft WORD U64"),
        texts("perft U32 nodes U64 time U64 nps U64( stopped true)?"),
        texts("error (busy|bad-position|illegal-move|SAFE)( SAFE SAFE){0,4} :( SAFE){0,6}"),
    ]
}

/// Checks that a text parses and prints as itself, and that blanks around it mean nothing (SPEC 2.4).
fn check<T>(text: &str) -> Result<(), TestCaseError>
where
    T: FromStr + Display + Debug + PartialEq,
    T::Err: Debug,
{
    let value = text.parse::<T>();
    let printed = value.as_ref().map(T::to_string).unwrap_or_default();
    prop_assert_eq!(&printed, text, "{:?}", value);
    prop_assert_eq!(format!(" \t {text}  \t\r\n").parse::<T>().ok(), value.ok());
    Ok(())
}

/// More blanks after the first word mean nothing either.
fn with_more_blanks(line: &str) -> String {
    line.replacen(' ', " \t ", 1)
}

macro_rules! prints_as_itself {
    ($($name:ident: $type:ty, $strategy:expr;)+) => {
        proptest! {
            #![proptest_config(cases(1000))]
            $(#[test] fn $name(text in $strategy) { check::<$type>(&text)?; })+
        }
    };
}

prints_as_itself! {
    yes_and_no: payload::YesNo, texts("true|false");
    a_game_result: payload::GameResult, texts("p1win|p2win|draw|none");
    a_legality: payload::Legality, texts("true|false WORD at SQUARE :TEXT");
    a_status: payload::Status, texts(
        "over (true|false) result (p1win|p2win|draw|none) reason WORD turn p[12] ply U64 quiet U64 \
         repetitions U64( WORD (I64|I64-I64)){0,3}( WORD z[a-z-]{1,12}){0,3}");
    a_move_list: payload::MoveList, texts(r"0\+?|1\+? WORD|2\+? WORD WORD|3 WORD WORD WORD");
    tokens: payload::Tokens, texts("(PHRASE)?");
    a_protocol_info: payload::ProtocolInfo, texts("leap WORDWORDS");
    a_problem: payload::Problem, texts(
        "PHRASE bm( SAFE){1,4}; c0 \"(win in U32|hold for U32) plies\"; id \"SAFE\";|\
         PHRASE bm SAFE; c0 \"margin of I32 cp\"; id \"SAFE\";");
    a_game_info: payload::GameInfo, texts("WORDPAIRS");
    key_values: payload::KeyValues, texts("(WORD WORDPAIRS)?");
    effects: payload::Effects, texts("(EFFECT( (EFFECT)){0,5})?");
    an_evaluation: payload::Evaluation, texts("(WORD I64 ){0,5}total I64");
    values: payload::Values, texts(r"VALUE reach U64 moves (0|1\+? WORD VALUE|2 WORD VALUE WORD VALUE)");
    a_turn: payload::Turn, texts(
        "entered SQUARE awaits KINDS drops U64 next (0|2 NEXT NEXT) effects (0|1 EFFECT) \
         (end WORD( EFFECT){0,3}|unfinished WORD at SQUARE)");
    a_turn_that_goes_wrong: payload::Turn, texts(
        "entered SQUARE refused WORD at SQUARE awaits KINDS drops U64 next (0|1 NEXT) \
         effects (0|2 EFFECT EFFECT) (end WORD( EFFECT){0,3}|unfinished WORD at SQUARE) :TEXT");
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn a_command(line in command()) {
        check::<Command>(&line)?;
        prop_assert_eq!(Command::parse(&with_more_blanks(&line)), Command::parse(&line));
    }

    #[test]
    fn a_reply(line in reply()) {
        check::<Reply>(&line)?;
        prop_assert!(!matches!(Reply::parse(&line), Reply::Other(_)), "{:?}", line);
    }

    /// A line that is not known is kept, with its blanks.
    #[test]
    fn a_board_line(
        line in texts(
            "files U32 ranks U32 kind (points|cells|hexagons)|line WORD WORD|hole WORD|colours p1 WORD p2 WORD|\
             piece WORD name WORD owner (p1|p2|none) value (I64|none)"),
        other in texts("height WORD"),
    ) {
        check::<payload::BoardLine>(&line)?;
        prop_assert_eq!(other.parse(), Ok(payload::BoardLine::Other(other)));
    }

    #[test]
    fn the_rules(text in texts(
        "language WORD ofWORDS\n(title PHRASE\n)?\
         (clause PHRASE :TEXT\n(example fen PHRASE( move WORD effects( EFFECT){0,3})? :TEXT\n){0,2}\
         (task WORD U64 fen PHRASE movesWORDS :TEXT\n){0,2}){0,3}(prompt WORD :TEXT\n){0,2}\
         (option Some : PHRASE :TEXT\n(value Some WORD :TEXT\n){0,2})?\
         (option Other : PHRASE :TEXT\n(value Other WORD :TEXT\n){0,2})?(word WORD :TEXT\n){0,2}\
         (ending WORD WORD I64 :TEXT\n){0,2}(loss WORD WORD I64 :TEXT\n){0,2}(loss WORD :TEXT\n){0,2}"
    )) {
        let mut rules = Guide::default();
        for line in text.lines() {
            prop_assert_eq!(rules.push(&with_more_blanks(line)), Ok(()), "{:?}", line);
        }
        prop_assert_eq!(rules.lines().join("\n"), text.trim_end_matches('\n'));
    }
}

/// Lines built from the words of the protocol in any order: far likelier to be nearly right than arbitrary text.
fn word_salad() -> impl Strategy<Value = String> {
    let word = proptest::sample::select(
        "ugi uci isready setoption name value position startpos fen moves go p1time wtime depth \
         nodes infinite ponder searchmoves id stop query next legal turn limit move undo perft draw \
         offer accept info score cp mate lowerbound upperbound wdl pv string currmove tbhits \
         bestmove none response error : column busy option type spin combo check button default \
         min max var <empty> board boardok rules rulesok problems problemsok a1c3 c7c8@b1 0 1 -3 \
         99999999999999999999 007 1+ true false at - time nps stopped debug on"
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
    fn a_command_of_any_words_prints_as_one_that_means_the_same(line in word_salad()) {
        if let Ok(Some(command)) = Command::parse(&line) {
            let printed = command.to_string();
            prop_assert_eq!(printed.trim_matches([' ', '\t']), &printed, "blanks at an end");
            prop_assert_eq!(printed.parse(), Ok(command));
        }
    }

    #[test]
    fn a_reply_of_any_words_prints_as_one_that_means_the_same(line in word_salad()) {
        let reply = Reply::parse(&line);
        prop_assert_eq!(Reply::parse(&reply.to_string()), reply);
    }

    #[test]
    fn an_other_reply_keeps_the_exact_line(line in "[^\r\n]{0,40}") {
        if let Reply::Other(kept) = Reply::parse(&line) {
            prop_assert_eq!(kept, line);
        }
    }
}
