//! Self-contained answers: protocol, games, board, evaluation, draws, ids, lines of play.

use std::collections::BTreeSet;

use leap_client::notation::Placement;
use leap_protocol::payload::{BoardKind, BoardLine, Evaluation, GameInfo, ProtocolInfo, Tokens};
use leap_protocol::{ErrorCode, Info, Reply};

use crate::check::context::Context;
use crate::check::context::LEAP;
use crate::check::engine::quoted;
use crate::check::outcome::{StepResult, ensure, fail, skip};
use crate::check::step::{Step, step};

pub(super) fn steps() -> Vec<Step> {
    vec![
        step("4.5", "protocol", protocol).needs(&[LEAP]),
        step("4.4", "question-errors", question_errors).needs(&[LEAP]),
        step("4.20", "games", games).needs(&["games"]),
        step("4.21", "game", game).needs(&["game"]).each_game(),
        step("4.22", "board", board).needs(&["board", "fen"]).each_game(),
        step("4.30", "draw", draw).needs(&["draw"]).each_game(),
        step("4.33", "eval", eval).needs(&["eval"]).each_game(),
        step("5.14", "id", id).needs(&["id"]),
        step("5.24", "multipv", multi_pv).needs(&["moves"]).each_game(),
    ]
}

fn protocol(ctx: &Context<'_>) -> StepResult {
    let info: ProtocolInfo = ctx.set_up()?.ask_for("protocol")?;
    let is_known = matches!(info.major(), Some(1 | 2));
    ensure(is_known, "a version 1.x or 2.x", &*info.version)?;
    let names: BTreeSet<&String> = info.extensions.iter().collect();
    ensure(names.len() == info.extensions.len(), "each extension once", info.to_string())?;
    // A later minor version may add names (SPEC 18.2).
    let unknown =
        info.extensions.iter().find(|name| !ProtocolInfo::EXTENSIONS.contains(&name.as_str()));
    let known = unknown.is_none() || !["1.0", ProtocolInfo::VERSION].contains(&&*info.version);
    ensure(known, "the extensions of SPEC 4.6", unknown.map_or(String::new(), String::clone))
}

fn question_errors(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    engine.refused("query", &[ErrorCode::MissingArgument])?;
    engine.refused("query weather", &[ErrorCode::BadArgument])?;
    engine.refused("query p1turn now", &[ErrorCode::BadArgument])?;
    for (name, wrong, code) in [
        ("moves", "query moves limit 0", ErrorCode::OutOfRange),
        ("moves", "query moves limit", ErrorCode::MissingArgument),
        ("moves", "query moves most 3", ErrorCode::BadArgument),
        ("legal", "query legal", ErrorCode::MissingArgument),
        ("effects", "query effects", ErrorCode::MissingArgument),
        ("next", "query next a1 a2", ErrorCode::BadArgument),
        ("turn", "query turn a1 a2", ErrorCode::BadArgument),
        ("perft", "perft", ErrorCode::MissingArgument),
        ("perft", "perft many", ErrorCode::BadArgument),
        ("move", "move", ErrorCode::MissingArgument),
    ] {
        if ctx.has(name) {
            engine.refused(wrong, &[code])?;
        }
    }
    Ok(())
}

fn games(ctx: &Context<'_>) -> StepResult {
    let Tokens(games) = ctx.set_up()?.ask_for("games")?;
    let Some(values) = ctx.info.game_values() else {
        return ensure(!games.is_empty(), "at least one game", "none");
    };
    ensure(
        games == values,
        format!("the values of the option: {}", values.join(" ")),
        games.join(" "),
    )
}

fn game(ctx: &Context<'_>) -> StepResult {
    let info: GameInfo = ctx.set_up()?.ask_for("game")?;
    if let Some(game) = &ctx.game {
        ensure(info.game == *game, &**game, &*info.game)?;
    }
    for (name, _) in &info.options.0 {
        ensure(ctx.info.option(name).is_some(), "options that are declared", &**name)?;
    }
    Ok(())
}

/// What follows `board` in each line of `query board`.
fn board_lines(ctx: &Context<'_>) -> StepResult<(Vec<String>, String)> {
    let mut engine = ctx.at_start()?;
    let fen = engine.ask("fen")?;
    let lines = engine.ask_lines("board", "board", "boardok")?;
    Ok((lines, fen))
}

fn board(ctx: &Context<'_>) -> StepResult {
    let (lines, fen) = board_lines(ctx)?;
    let Some(grid) = Placement::parse(fen.split(' ').next().unwrap_or_default()) else {
        return fail("a position text that begins with a board", quoted(&fen));
    };
    let squares = grid.squares();
    let (mut pieces, mut joins, mut holes) = (BTreeSet::new(), 0, 0);
    let (mut kind, mut sized) = (BoardKind::default(), false);
    for line in &lines {
        let Ok(told) = line.parse();
        match told {
            BoardLine::Size { files, ranks, kind: told } => {
                sized = (files, ranks) == (grid.files(), grid.ranks());
                kind = told;
            }
            BoardLine::Line(a, b) => {
                let inside = [&a, &b].iter().all(|square| squares.iter().any(|s| s == *square));
                ensure(inside && a != b, "a line between two squares of the board", &**line)?;
                joins += 1;
            }
            BoardLine::Hole(square) => {
                let empty = squares.contains(&square) && grid.get(&square).is_none();
                ensure(empty, "a hole where no piece stands", &**line)?;
                holes += 1;
            }
            BoardLine::Piece { text, value, .. } => {
                ensure(value.is_some(), "a piece with a value", &**line)?;
                pieces.insert(text);
            }
            BoardLine::Colours { .. } => {}
            BoardLine::Other(_) => return fail("a line of SPEC 4.23", quoted(line)),
        }
    }
    let size = format!("files {} ranks {}, as in the position text", grid.files(), grid.ranks());
    ensure(sized, size, lines.first().map_or("nothing", String::as_str))?;
    let is_points = kind == BoardKind::Points;
    ensure(is_points == (joins > 0), "lines exactly where the kind is points", format!("{joins}"))?;
    let may_lack = kind == BoardKind::Hexagons || holes == 0;
    ensure(may_lack, "holes only where the kind is hexagons", format!("{holes}"))?;
    let missing = grid.pieces().into_iter().find(|piece| !pieces.contains(*piece));
    ensure(missing.is_none(), "all pieces of the start described", missing.unwrap_or_default())
}

fn draw(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    engine.send("draw offer")?;
    let expected = "'draw accept', 'draw decline' or 'error not-in-this-game'";
    let line = engine.reply(expected)?;
    let right = match Reply::parse(&line) {
        Reply::Draw { .. } => true,
        Reply::Error(error) => error.code == ErrorCode::NotInThisGame,
        _ => false,
    };
    ensure(right, expected, quoted(&line))?;
    engine.expect_ready()
}

fn eval(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    engine.send("eval")?;
    let body = engine.response("eval")?;
    let expected = "'response <part> <n>... total <n>' whose parts add up to the total";
    let Ok(Evaluation { parts, total }) = body.parse() else {
        return fail(expected, quoted(&body));
    };
    let sum: i64 = parts.iter().map(|(_, n)| n).sum();
    ensure(sum == total, expected, quoted(&body))
}

fn id(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    for id in ["17", "a-word"] {
        let best = engine.go(&format!("depth 2 id {id}"), ctx.patience)?;
        let end = format!(" id {id}");
        ensure(best.line.ends_with(&end), format!("'bestmove <move>{end}'"), quoted(&best.line))?;
        let begin = format!("info id {id}");
        let stray = best.infos.iter().find(|line| !line.starts_with(&begin));
        ensure(stray.is_none(), format!("'{begin} ...'"), stray.map_or("", String::as_str))?;
    }
    let best = engine.go("depth 1", ctx.patience)?;
    let plain = best.line.split(' ').count() == 2;
    ensure(plain, "no id without being asked for one", quoted(&best.line))?;
    let long = "x".repeat(65);
    engine.refused(&format!("go depth 1 id {long}"), &[ErrorCode::BadArgument]).map(drop)
}

fn multi_pv(ctx: &Context<'_>) -> StepResult {
    if ctx.info.option("MultiPV").is_none() {
        return skip("the engine has no option MultiPV");
    }
    let mut engine = ctx.set_up()?;
    engine.silent("setoption name MultiPV value 3")?;
    engine.silent("position startpos")?;
    let list: leap_protocol::payload::MoveList = engine.ask_for("moves")?;
    let best = engine.go("depth 2", ctx.patience)?;
    let infos = best.infos.iter().filter_map(|line| match Reply::parse(line) {
        Reply::Info(info) if info.depth.is_some() && !info.pv.is_empty() => Some(info),
        _ => None,
    });
    let infos: Vec<Info> = infos.collect();
    let deepest = infos.iter().filter_map(|info| info.depth).max();
    let ranked: Vec<&Info> = infos.iter().filter(|info| info.depth == deepest).collect();
    let ranks: BTreeSet<Option<u32>> = ranked.iter().map(|info| info.multipv).collect();
    let wanted: BTreeSet<Option<u32>> = (1..=list.moves.len().min(3) as u32).map(Some).collect();
    ensure(ranks == wanted, "a line for each rank at the last depth", format!("{ranks:?}"))?;
    let first = ranked.iter().find(|info| info.multipv == Some(1)).and_then(|info| info.pv.first());
    ensure(first == Some(&best.mv), "'bestmove' to be the move of rank 1", quoted(&best.line))
}
