//! Level *session*: lines, order, commands during a search, errors.

use std::time::{Duration, Instant};

use leap_protocol::payload::MoveList;
use leap_protocol::{ErrorCode, ErrorReply};

use super::context::Context;
use super::context::LEAP;
use super::engine::quoted;
use super::outcome::{StepResult, ensure};
use super::play::{ask_word, view};
use super::step::{Step, step};

pub(super) fn steps() -> Vec<Step> {
    vec![
        step("2.2", "crlf", |ctx| bytes(ctx, b"isready\r\n")),
        step("2.4", "blanks", |ctx| bytes(ctx, b" \t isready \t \n")),
        step("2.4", "repeated-blanks", repeated_blanks),
        step("2.5", "blank-lines", |ctx| bytes(ctx, b"\n\r\n   \n\t\nisready\n")),
        step("2.10", "unknown-command-stays-in-step", unknown_command),
        step("2.10", "unknown-command-is-an-error", unknown_is_error).needs(&[LEAP]),
        step("3.5", "readyok-while-searching", ready_while_searching),
        step("7.3", "questions-while-searching", questions_while_searching).needs(&[LEAP]),
        step("7.3", "busy", busy).needs(&[LEAP]),
        step("7.4", "replies-in-order", in_order),
        step("3.17", "bad-position-leaves-the-old", bad_position).needs(&[LEAP]),
        step("6.5", "bad-position-names-the-field", bad_field).needs(&["fen"]),
        step("6.6", "fifth-move-illegal-is-named", fifth_move).needs(&["moves"]),
        step("6.1", "error-shapes", error_shapes).needs(&[LEAP]),
        step("5.9", "go-errors-start-no-search", go_errors).needs(&[LEAP]),
        step("3.22", "debug", |ctx| {
            let mut engine = ctx.set_up()?;
            engine.silent("debug on")?;
            engine.silent("debug off")?;
            engine.refused("debug", &[ErrorCode::MissingArgument]).map(drop)
        })
        .needs(&[LEAP]),
    ]
}

/// Expects these bytes to be answered by one `readyok`.
fn bytes(ctx: &Context<'_>, bytes: &[u8]) -> StepResult {
    let mut engine = ctx.set_up()?;
    engine.expect_ready()?;
    engine.send_bytes(bytes.to_vec(), &format!("{:?}", String::from_utf8_lossy(bytes)))?;
    engine.expect("readyok")?;
    engine.expect_ready()
}

fn repeated_blanks(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    engine.send("  position \t startpos  ")?;
    engine.send(" query    p1turn ")?;
    let body = engine.response("p1turn")?;
    ensure(body == "true", "'response true'", quoted(&body))
}

fn unknown_command(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    for nonsense in ["frobnicate 1 2 3", "Isready", "ugi2", "?"] {
        let lines = engine.tolerated(nonsense)?;
        let got = || lines.join(" | ");
        ensure(lines.len() <= 1, "at most one line for an unknown command", got())?;
        ask_word(&mut engine, "p1turn", &["true"])?;
        engine.expect_ready()?;
    }
    Ok(())
}

fn unknown_is_error(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    engine.refused("frobnicate 1 2 3", &[ErrorCode::UnknownCommand])?;
    engine.refused("ISREADY", &[ErrorCode::UnknownCommand])?;
    engine.send("go infinite")?;
    engine.refused("frobnicate", &[ErrorCode::UnknownCommand])?;
    engine.stop().map(drop)
}

fn ready_while_searching(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    engine.send("go infinite")?;
    for _ in 0..3 {
        engine.keeps_searching(Duration::from_millis(50))?;
        engine.expect_ready()?;
    }
    engine.stop()?;
    engine.expect_ready()
}

fn questions_while_searching(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    let before = view(&mut engine)?;
    engine.send("go infinite")?;
    let during = view(&mut engine)?;
    ask_word(&mut engine, "p1turn", &["true"])?;
    ask_word(&mut engine, "gameover", &["false"])?;
    ask_word(&mut engine, "result", &["none"])?;
    engine.stop()?;
    ensure(before == during, before, during)
}

fn busy(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    let mv = engine.go("depth 1", Duration::from_secs(1))?.mv;
    engine.silent(&format!("position startpos moves {mv}"))?;
    let before = view(&mut engine)?;
    let extensions = [
        ("perft", "perft 3".to_owned()),
        ("move", format!("move {mv}")),
        ("undo", "undo".to_owned()),
        ("draw", "draw offer".to_owned()),
        ("eval", "eval".to_owned()),
    ];
    let always = ["go depth 1", "position startpos", "setoption name MaxPlies value 3"];
    let greetings = ["uginewgame", "ugi", "uci"];
    let always = always.into_iter().chain(greetings).map(str::to_owned);
    let announced = extensions.into_iter().filter(|(name, _)| ctx.has(name)).map(|(_, line)| line);
    engine.send("go infinite")?;
    for command in always.chain(announced) {
        engine.refused(&command, &[ErrorCode::Busy])?;
    }
    engine.stop()?;
    engine.expect_ready()?;
    let after = view(&mut engine)?;
    ensure(before == after, format!("the game as it was: {before}"), after)
}

fn in_order(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    engine.expect_ready()?;
    let commands =
        "position startpos\nquery gameover\nisready\nquery p1turn\nquery result\nisready\n";
    engine.send_bytes(commands.into(), &commands.trim_end().replace('\n', " | "))?;
    let wanted = ["response false", "readyok", "response true", "response none", "readyok"];
    wanted.iter().try_for_each(|line| engine.expect(line))
}

const POSITION_CODES: &[ErrorCode] = &[ErrorCode::BadPosition];

fn bad_position(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    let mv = engine.go("depth 1", Duration::from_secs(1))?.mv;
    engine.silent(&format!("position startpos moves {mv}"))?;
    let before = view(&mut engine)?;
    let wrong = [
        ("position fen 9/9/9 1 - 0 0", POSITION_CODES),
        ("position fen", &[ErrorCode::MissingArgument, ErrorCode::BadPosition]),
        ("position", &[ErrorCode::MissingArgument]),
        ("position nowhere", &[ErrorCode::BadArgument]),
        ("position startpos then a1", &[ErrorCode::BadArgument]),
        ("position startpos moves @@", &[ErrorCode::IllegalMove]),
    ];
    for (command, codes) in wrong {
        engine.refused(command, codes)?;
        let after = view(&mut engine)?;
        ensure(before == after, format!("the game as it was: {before}"), after)?;
    }
    Ok(())
}

/// Corrupts one field after another of a valid position text.
fn bad_field(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    let fen = engine.ask("fen")?;
    let words: Vec<&str> = fen.split(' ').collect();
    for (index, field) in ["board", "side", "extra", "quiet", "ply"].into_iter().enumerate() {
        let mut corrupted = words.clone();
        let Some(word) = corrupted.get_mut(index) else {
            return ensure(false, "a position text of five fields", quoted(&fen));
        };
        *word = "?";
        let error =
            engine.refused(&format!("position fen {}", corrupted.join(" ")), POSITION_CODES)?;
        let column = 1 + words[..index].iter().map(|word| word.chars().count() + 1).sum::<usize>();
        has_fields(&error, &[("field", field), ("column", &column.to_string())])?;
    }
    let error = engine.refused(&format!("position fen {}", words[0]), POSITION_CODES)?;
    has_fields(&error, &[("field", "side")])?;
    let error = engine.refused(&format!("position fen {fen} more"), POSITION_CODES)?;
    has_fields(&error, &[("field", "ply")])
}

fn has_fields(error: &ErrorReply, wanted: &[(&str, &str)]) -> StepResult {
    for (key, value) in wanted {
        ensure(error.field(key) == Some(value), format!("'{key} {value}'"), error.to_string())?;
    }
    Ok(())
}

fn fifth_move(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    let mut moves = Vec::new();
    for _ in 0..4 {
        engine.silent(&Context::position(&moves))?;
        let list: MoveList = engine.ask_for("moves")?;
        match list.moves.last() {
            Some(mv) => moves.push(mv.clone()),
            None => return super::outcome::skip("the game was over before its fifth move"),
        }
    }
    engine.silent(&Context::position(&moves))?;
    let before = view(&mut engine)?;
    for bad in ["a1a1", "z99", "no-move"] {
        let command = format!("{} {bad}", Context::position(&moves));
        let error = engine.refused(&command, &[ErrorCode::IllegalMove])?;
        has_fields(&error, &[("index", "5"), ("move", bad)])?;
        let told = error.field("reason").is_some() && error.field("at").is_some();
        ensure(told, "'reason <reason> at <square>'", error.to_string())?;
        let after = view(&mut engine)?;
        ensure(before == after, format!("the game as it was: {before}"), after)?;
    }
    Ok(())
}

fn error_shapes(ctx: &Context<'_>) -> StepResult {
    use ErrorCode::{BadArgument, MissingArgument, NoSuchOption, UnknownCommand};
    let mut engine = ctx.set_up()?;
    let wrong: &[(&str, ErrorCode)] = &[
        ("frobnicate", UnknownCommand),
        ("query", MissingArgument),
        ("query weather", BadArgument),
        ("setoption", MissingArgument),
        ("setoption name", MissingArgument),
        ("setoption name No Such Option value 1", NoSuchOption),
        ("go depth", MissingArgument),
        ("go sideways", BadArgument),
        ("position", MissingArgument),
        ("isready now", BadArgument),
        ("uginewgame now", BadArgument),
    ];
    for (command, code) in wrong {
        let error = engine.refused(command, std::slice::from_ref(code))?;
        let known = error.fields.iter().all(|(key, _)| !key.is_empty() && key != ":");
        ensure(known, "'error <code> [<key> <value>]... : <text>'", error.to_string())?;
        if let Some(column) = error.field("column") {
            let most = command.chars().count() + 2;
            let inside = column.parse().is_ok_and(|column: usize| (1..=most).contains(&column));
            ensure(inside, format!("a column within '{command}'"), error.to_string())?;
        }
    }
    Ok(())
}

fn go_errors(ctx: &Context<'_>) -> StepResult {
    use ErrorCode::{BadArgument, MissingArgument, OutOfRange};
    let mut engine = ctx.at_start()?;
    let wrong: &[(&str, ErrorCode)] = &[
        ("go depth three", BadArgument),
        ("go depth -1", OutOfRange),
        ("go depth 1 depth 2", BadArgument),
        ("go movetime", MissingArgument),
        ("go nodes 99999999999999999999999", OutOfRange),
        ("go p2time 1000", MissingArgument),
        ("go searchmoves", MissingArgument),
    ];
    for (command, code) in wrong {
        engine.refused(command, std::slice::from_ref(code))?;
    }
    engine.quiet(Duration::from_millis(300), "no search has begun")?;
    let begun = Instant::now();
    engine.send("go depth 1")?;
    engine.best_move(begun, Duration::from_secs(1))?;
    engine.expect_ready()
}
