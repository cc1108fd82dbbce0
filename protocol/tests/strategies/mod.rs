//! Generators of every value that the crate can print so that it parses back.

use leap_protocol::command::MAX_MOVES_LIMIT;
use leap_protocol::payload::{
    Awaited, BoardLine, Clause, Effect, Effects, Ending, Evaluation, Example, GameInfo, GameResult,
    Guide, KeyValues, Legality, MoveList, NextToken, Problem, Proof, ProtocolInfo, RuleOption,
    Side, Status, Tally, Task, Tokens, Turn, TurnEnd, TurnRefusal,
};
use leap_protocol::{
    Bound, Command, Dialect, ErrorCode, ErrorReply, Go, IdKey, Info, OptionDecl, OptionKind, Query,
    Reply, Score, Start, Visible, Wdl,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// Words that mean something at some place, so that a field there cannot hold them.
const RESERVED: &str = "\
    p1time p2time p1inc p2inc wtime btime winc binc movestogo movetime depth nodes mate infinite \
    ponder searchmoves id seldepth multipv score lowerbound upperbound wdl nps hashfull time \
    currmove pv string currmovenumber tbhits sbhits cpuload refutation currline perft moves value \
    type default var min max none (none) <empty> : - over result reason turn ply quiet \
    repetitions points from to captured removed dropped at move";

/// Whether a word is on the list of error codes, and so never an `Other`.
fn is_listed(word: &str) -> bool {
    !matches!(ErrorCode::from(word), ErrorCode::Other(_))
}

/// Move texts, and words of any characters but blanks.
pub(crate) fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "([a-h][1-8]){1,4}(@[a-h][1-8]){0,2}",
        "x[a-l]1[0-2]",
        "[A-Za-z][a-z-]{1,12}",
        "-?[0-9]{1,4}",
        "[^ \t\r\n]{1,6}",
    ]
    .prop_filter("a reserved word", |word| {
        !RESERVED.split(' ').any(|key| key == word) && !is_listed(word)
    })
}

fn words() -> impl Strategy<Value = Vec<String>> {
    vec(word(), 0..6)
}

/// Words joined by single blanks, at least one.
fn phrase() -> impl Strategy<Value = String> {
    vec(word(), 1..5).prop_map(|words| words.join(" "))
}

/// The rest of a line that may not be empty.
fn full_text() -> impl Strategy<Value = String> {
    text().prop_filter("an empty text", |text| !text.is_empty())
}

/// The rest of a line: empty, or words with any blanks between them.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        phrase(),
        (phrase(), "[ \t]{1,3}", phrase()).prop_map(|(left, gap, right)| left + &gap + &right),
    ]
}

fn pairs() -> impl Strategy<Value = Vec<(String, String)>> {
    vec((word(), word()), 0..5)
}

fn dialect() -> impl Strategy<Value = Dialect> {
    prop_oneof![Just(Dialect::Ugi), Just(Dialect::Uci)]
}

fn count() -> impl Strategy<Value = Option<u32>> {
    option::of(any::<u32>())
}

fn go() -> impl Strategy<Value = Go> {
    let clock = || option::of(any::<i64>());
    let number = || option::of(any::<u64>());
    let times = (clock(), clock(), clock(), clock(), number());
    let counts = (count(), count(), number(), count());
    // What is sent back is visible (SPEC 5.14).
    let id = option::of(word().prop_map(|word| visible(&word)));
    let rest = (any::<bool>(), any::<bool>(), words(), id);
    (times, counts, rest).prop_map(|(times, counts, rest)| {
        let (p1time, p2time, p1inc, p2inc, movetime) = times;
        let (movestogo, depth, nodes, mate) = counts;
        let (infinite, ponder, searchmoves, id) = rest;
        // Without a clock the line does not show the dialect.
        let is_uci = infinite && [p1time, p2time, p1inc, p2inc].iter().any(Option::is_some);
        Go {
            clocks: if is_uci { Dialect::Uci } else { Dialect::Ugi },
            p1time,
            p2time,
            p1inc,
            p2inc,
            movestogo,
            movetime,
            depth,
            nodes,
            mate,
            infinite,
            ponder,
            searchmoves,
            id,
        }
    })
}

fn query() -> impl Strategy<Value = Query> {
    let limit = option::of(1..=MAX_MOVES_LIMIT);
    prop_oneof![
        Just(Query::P1Turn),
        Just(Query::GameOver),
        Just(Query::Result),
        Just(Query::Protocol),
        Just(Query::Games),
        Just(Query::Game),
        Just(Query::Fen),
        Just(Query::Board),
        limit.prop_map(|limit| Query::Moves { limit }),
        option::of(word()).prop_map(Query::Next),
        word().prop_map(Query::Legal),
        word().prop_map(Query::Effects),
        Just(Query::Status),
        Just(Query::History),
        option::of(word()).prop_map(Query::Rules),
        option::of(word()).prop_map(Query::Turn),
        Just(Query::Problems),
        Just(Query::Value),
    ]
}

pub(crate) fn command() -> impl Strategy<Value = Command> {
    let start = prop_oneof![Just(Start::StartPos), phrase().prop_map(Start::Fen)];
    prop_oneof![
        dialect().prop_map(Command::Hello),
        Just(Command::IsReady),
        dialect().prop_map(Command::NewGame),
        (phrase(), option::of(full_text()))
            .prop_map(|(name, value)| Command::SetOption { name, value }),
        (start, words()).prop_map(|(start, moves)| Command::Position { start, moves }),
        go().prop_map(Command::Go),
        Just(Command::Stop),
        Just(Command::PonderHit),
        Just(Command::Quit),
        query().prop_map(Command::Query),
        vec(word(), 1..6).prop_map(Command::Move),
        (1..=u32::MAX).prop_map(Command::Undo),
        any::<u32>().prop_map(Command::Perft),
        Just(Command::DrawOffer),
        Just(Command::Eval),
        any::<bool>().prop_map(Command::Debug),
    ]
}

fn score() -> impl Strategy<Value = (Score, Bound)> {
    let score = prop_oneof![any::<i32>().prop_map(Score::Cp), any::<i32>().prop_map(Score::Mate)];
    (score, prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)])
}

fn info() -> impl Strategy<Value = Info> {
    let wdl = (any::<u32>(), any::<u32>(), any::<u32>()).prop_map(|(win, draw, loss)| Wdl {
        win,
        draw,
        loss,
    });
    let search = (count(), count(), count(), option::of(score()), option::of(wdl));
    let effort = (
        option::of(any::<u64>()),
        option::of(any::<u64>()),
        count(),
        option::of(any::<u64>()),
        option::of(any::<u64>()),
        option::of(word()),
    );
    let rest = (option::of(word()), words(), words(), option::of(text()));
    (search, effort, rest).prop_map(|(search, effort, rest)| {
        let (depth, seldepth, multipv, score, wdl) = search;
        let (nodes, nps, hashfull, tbhits, time, currmove) = effort;
        let (id, other, pv, string) = rest;
        Info {
            id,
            depth,
            seldepth,
            multipv,
            score,
            wdl,
            nodes,
            nps,
            hashfull,
            tbhits,
            time,
            currmove,
            other,
            pv,
            string,
        }
    })
}

fn option_decl() -> impl Strategy<Value = OptionDecl> {
    let default = || prop_oneof![Just(String::new()), phrase()];
    let kind = prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        (any::<i64>(), any::<i64>(), any::<i64>())
            .prop_map(|(default, min, max)| OptionKind::Spin { default, min, max }),
        (default(), vec(default(), 0..4))
            .prop_map(|(default, vars)| OptionKind::Combo { default, vars }),
        Just(OptionKind::Button),
        text().prop_map(|default| OptionKind::String { default }),
    ];
    (phrase(), kind).prop_map(|(name, kind)| OptionDecl { name, kind })
}

fn error_reply() -> impl Strategy<Value = ErrorReply> {
    let known: Vec<_> = ErrorCode::all().collect();
    let code = prop_oneof![proptest::sample::select(known), word().prop_map(ErrorCode::Other)];
    (code, pairs(), text()).prop_map(|(code, fields, text)| {
        // What stands in an error line is visible (SPEC 6.11).
        let code = ErrorCode::from(visible(code.as_str()).as_str());
        let fields = fields.iter().map(|(key, value)| (visible(key), visible(value))).collect();
        ErrorReply { code, fields, text: visible(&text) }
    })
}

fn visible(text: &str) -> String {
    Visible(text).to_string()
}

pub(crate) fn reply() -> impl Strategy<Value = Reply> {
    let key = prop_oneof![Just(IdKey::Name), Just(IdKey::Author)];
    let best_move = (option::of(word()), option::of(word()), option::of(word()));
    prop_oneof![
        (key, text()).prop_map(|(key, value)| Reply::Id { key, value }),
        option_decl().prop_map(Reply::Option),
        dialect().prop_map(Reply::HelloOk),
        Just(Reply::ReadyOk),
        best_move.prop_map(|(mv, ponder, id)| Reply::BestMove { mv, ponder, id }),
        info().prop_map(Reply::Info),
        text().prop_map(Reply::Response),
        (word(), any::<u64>()).prop_map(|(mv, count)| Reply::PerftMove { mv, count }),
        (any::<u32>(), any::<u64>(), any::<u64>(), any::<u64>(), any::<bool>()).prop_map(
            |(depth, nodes, time, nps, stopped)| Reply::PerftTotal {
                depth,
                nodes,
                time,
                nps,
                stopped
            }
        ),
        any::<bool>().prop_map(|accept| Reply::Draw { accept }),
        error_reply().prop_map(Reply::Error),
        text().prop_map(Reply::Board),
        Just(Reply::BoardOk),
        text().prop_map(Reply::Rules),
        Just(Reply::RulesOk),
        text().prop_map(Reply::Problems),
        Just(Reply::ProblemsOk),
        Just(Reply::Other("Stockfish 17 by the Stockfish developers".to_owned())),
    ]
}

pub(crate) fn game_result() -> impl Strategy<Value = GameResult> {
    proptest::sample::select(vec![
        GameResult::P1Win,
        GameResult::P2Win,
        GameResult::Draw,
        GameResult::None,
    ])
}

pub(crate) fn legality() -> impl Strategy<Value = Legality> {
    prop_oneof![
        Just(Legality::Legal),
        (word(), option::of(word()), text()).prop_map(|(reason, at, text)| Legality::Illegal {
            reason,
            at,
            text
        }),
    ]
}

pub(crate) fn status() -> impl Strategy<Value = Status> {
    let tally = prop_oneof![
        (any::<i64>(), any::<i64>()).prop_map(|(p1, p2)| Tally::Each(p1, p2)),
        any::<i64>().prop_map(Tally::Total),
    ];
    let is_other = |(_, value): &(String, String)| !value.chars().any(|c| c.is_ascii_digit());
    let other = vec((word(), word()).prop_filter("a tally", is_other), 0..5);
    let turn = prop_oneof![Just(Side::P1), Just(Side::P2)];
    let outcome = (any::<bool>(), game_result(), word(), turn);
    let counts = (any::<u64>(), any::<u64>(), any::<u64>());
    let game = (vec((word(), tally), 0..4), other);
    (outcome, counts, game).prop_map(|(outcome, counts, game)| {
        let (over, result, reason, turn) = outcome;
        let (ply, quiet, repetitions) = counts;
        let (tallies, other) = game;
        Status { over, result, reason, turn, ply, quiet, repetitions, tallies, other }
    })
}

pub(crate) fn move_list() -> impl Strategy<Value = MoveList> {
    (words(), any::<bool>()).prop_map(|(moves, more)| MoveList { moves, more })
}

pub(crate) fn tokens() -> impl Strategy<Value = Tokens> {
    words().prop_map(Tokens)
}

pub(crate) fn protocol_info() -> impl Strategy<Value = ProtocolInfo> {
    (word(), words()).prop_map(|(version, extensions)| ProtocolInfo { version, extensions })
}

pub(crate) fn key_values() -> impl Strategy<Value = KeyValues> {
    pairs().prop_map(KeyValues)
}

pub(crate) fn game_info() -> impl Strategy<Value = GameInfo> {
    (word(), key_values()).prop_map(|(game, options)| GameInfo { game, options })
}

pub(crate) fn board_line() -> impl Strategy<Value = BoardLine> {
    let owner = || option::of(prop_oneof![Just(Side::P1), Just(Side::P2)]);
    prop_oneof![
        (any::<usize>(), any::<usize>(), any::<bool>())
            .prop_map(|(files, ranks, points)| BoardLine::Size { files, ranks, points }),
        (word(), word()).prop_map(|(a, b)| BoardLine::Line(a, b)),
        (word(), word(), owner(), option::of(any::<i64>()))
            .prop_map(|(text, name, owner, value)| BoardLine::Piece { text, name, owner, value }),
        (word(), word()).prop_map(|(p1, p2)| BoardLine::Colours { p1, p2 }),
        word().prop_map(|word| BoardLine::Other(format!("height {word}"))),
    ]
}

pub(crate) fn evaluation() -> impl Strategy<Value = Evaluation> {
    let part = (word().prop_filter("not the total", |word| word != "total"), any::<i64>());
    (vec(part, 0..6), any::<i64>()).prop_map(|(parts, total)| Evaluation { parts, total })
}

pub(crate) fn effects() -> impl Strategy<Value = Effects> {
    let word = || word().prop_filter("a square with a piece", |word| !word.contains('='));
    let effect = prop_oneof![
        word().prop_map(Effect::From),
        word().prop_map(Effect::To),
        word().prop_map(Effect::Captured),
        (word(), word(), word()).prop_map(|(key, at, piece)| Effect::Changed(key, at, piece)),
        word().prop_map(Effect::Removed),
        (word(), word()).prop_map(|(at, piece)| Effect::Dropped(at, piece)),
        any::<i64>().prop_map(Effect::Points),
        (word(), word()).prop_map(|(key, value)| Effect::Other(key, value)),
    ];
    vec(effect, 0..6).prop_map(Effects)
}

/// The kinds of what may follow, in any order and number.
fn awaited() -> impl Strategy<Value = Vec<Awaited>> {
    let all = [Awaited::First, Awaited::Step, Awaited::Drop, Awaited::Remove, Awaited::End];
    vec(proptest::sample::select(all.to_vec()), 0..4)
}

/// A code and the square that it is about, which is a word other than `-`.
fn fault() -> impl Strategy<Value = (String, Option<String>)> {
    let square = word().prop_filter("a square", |word| word != "-");
    (word(), option::of(square))
}

/// Effects that can stand before a text for people: no key is its colon.
fn bounded_effects() -> impl Strategy<Value = Effects> {
    let is_colon = |effect: &Effect| effect.to_string().starts_with(": ");
    effects().prop_filter("no colon", move |Effects(effects)| !effects.iter().any(is_colon))
}

pub(crate) fn turn() -> impl Strategy<Value = Turn> {
    let entered = prop_oneof![Just(String::new()), word().prop_filter("text", |word| word != "-")];
    let refused = option::of((fault(), text()).prop_map(|((reason, at), text)| TurnRefusal {
        reason,
        at,
        text,
    }));
    let token = word().prop_filter("a token", |word| !word.contains('='));
    let next = (proptest::sample::select(vec![Awaited::First, Awaited::Step]), token, awaited())
        .prop_map(|(kind, token, then)| NextToken { kind, token, then });
    let end = prop_oneof![
        (word(), bounded_effects()).prop_map(|(mv, effects)| TurnEnd::Move { mv, effects }),
        fault().prop_map(|(reason, at)| TurnEnd::Unfinished { reason, at }),
    ];
    let head = (entered, refused, awaited(), any::<u64>());
    (head, vec(next, 0..4), bounded_effects(), end).prop_map(
        |((entered, refused, awaits, drops), next, effects, end)| Turn {
            entered,
            refused,
            awaits,
            drops,
            next,
            effects,
            end,
        },
    )
}

/// Words with the text that explains each.
fn explained() -> impl Strategy<Value = Vec<(String, String)>> {
    vec((word(), text()), 0..4)
}

fn example() -> impl Strategy<Value = Example> {
    let mv = option::of((word(), effects()));
    (phrase(), mv, text()).prop_map(|(fen, mv, caption)| Example { fen, mv, caption })
}

fn task() -> impl Strategy<Value = Task> {
    (word(), any::<u64>(), phrase(), words(), text())
        .prop_map(|(kind, count, fen, moves, text)| Task { kind, count, fen, moves, text })
}

pub(crate) fn problem() -> impl Strategy<Value = Problem> {
    let proof = prop_oneof![
        any::<u32>().prop_map(Proof::Win),
        any::<u32>().prop_map(Proof::Hold),
        any::<i32>().prop_map(Proof::Margin),
    ];
    // A semicolon ends an operation, and a quote its operand.
    let plain = || word().prop_map(|word| word.replace([';', '"'], "_"));
    (phrase(), vec(plain(), 1..4), proof, plain()).prop_map(|(fen, best, proof, id)| Problem {
        fen,
        best,
        proof,
        id,
    })
}

pub(crate) fn rules() -> impl Strategy<Value = Guide> {
    let clause = (phrase(), text(), vec(example(), 0..3), vec(task(), 0..3))
        .prop_map(|(heading, text, examples, tasks)| Clause { heading, text, examples, tasks });
    let rule_option = (phrase(), text(), explained());
    // The names of options are distinct, since a line with values names its option.
    let options = proptest::collection::hash_map(word(), rule_option, 0..4);
    let head = (word(), words(), phrase());
    let ending = || {
        (word(), word(), any::<i64>(), text()).prop_map(|(reason, key, count, text)| Ending {
            reason,
            key,
            count,
            text,
        })
    };
    let endings = (vec(ending(), 0..4), vec(ending(), 0..4));
    let words = (explained(), endings, explained());
    (head, vec(clause, 0..4), explained(), options, words).prop_map(
        |(
            (language, languages, title),
            clauses,
            prompts,
            options,
            (words, endings, loss_words),
        )| {
            let (endings, losses) = endings;
            let options = options.into_iter().map(|(name, (label, text, values))| RuleOption {
                name,
                label,
                text,
                values,
            });
            let options = options.collect();
            Guide {
                language,
                languages,
                title,
                clauses,
                prompts,
                options,
                words,
                endings,
                losses,
                loss_words,
            }
        },
    )
}
