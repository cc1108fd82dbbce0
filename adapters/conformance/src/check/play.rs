//! Level *play*: positions, `go` and `bestmove`.

use std::time::{Duration, Instant};

use super::context::Context;
use super::context::LEAP;
use super::engine::{CheckedEngine, SearchReply, quoted};
use super::outcome::{StepResult, ensure, fail, skip};
use super::step::{Step, step};

/// Time for a move whose quality does not matter.
const THINK_MS: u64 = 60;
/// Long enough for a stale line to appear.
const LINGER: Duration = Duration::from_millis(300);
/// Plies that an engine plays against itself.
const SELF_PLAY_PLIES: usize = 24;
/// Processor time that an engine may use while it waits for [`IDLE`].
const IDLE_CPU: Duration = Duration::from_millis(100);
/// How often an engine may still have been at work.
const IDLE_TRIES: u32 = 5;
const IDLE: Duration = Duration::from_millis(400);

pub(super) fn steps() -> Vec<Step> {
    vec![
        step("4.8", "questions-at-the-start", questions_at_the_start),
        step("5.10", "one-bestmove", one_best_move),
        step("5.12", "two-words", two_words),
        step("5.10", "bestmove-is-legal", best_move_is_legal),
        step("5.8", "go-leaves-the-game", go_leaves_the_game),
        step("3.14", "self-play", self_play),
        step("3.11", "uginewgame", new_game),
        step("5.15", "stop-while-idle-is-silent", stop_while_idle),
        step("5.17", "infinite-waits-for-stop", infinite_waits),
        step("5.17", "finished-infinite-waits-for-stop", finished_infinite).needs(&[LEAP]),
        step("5.17", "waiting-uses-no-processor", no_busy_wait).needs(&[LEAP]),
        step("5.10", "stop-race-gives-one-bestmove", stop_race),
        step("7.5", "no-stale-bestmove", no_stale),
        step("5.11", "bestmove-none-when-over", best_move_none).needs(&[LEAP]),
        step("5.16", "ponderhit", ponderhit).needs(&[LEAP]),
        step("5.13", "ponder-option", ponder_option).needs(&[LEAP]),
        step("5.1", "searchmoves", search_moves).needs(&["moves"]),
    ]
}

fn think() -> String {
    format!("movetime {THINK_MS}")
}

fn search(engine: &mut CheckedEngine<'_>) -> StepResult<SearchReply> {
    engine.go(&think(), Duration::from_millis(THINK_MS))
}

/// Asks one of the three questions of UGI, whose answer is one word of a list.
pub(super) fn ask_word(
    engine: &mut CheckedEngine<'_>,
    question: &str,
    answers: &[&str],
) -> StepResult<String> {
    let answer = engine.ask(question)?;
    let expected = format!("'response {}' to 'query {question}'", answers.join("|"));
    ensure(answers.contains(&answer.as_str()), expected, quoted(&answer))?;
    Ok(answer)
}

pub(super) const YES_NO: &[&str] = &["true", "false"];
pub(super) const RESULTS: &[&str] = &["p1win", "p2win", "draw", "none"];

fn questions_at_the_start(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    ask_word(&mut engine, "p1turn", &["true"])?;
    ask_word(&mut engine, "gameover", &["false"])?;
    ask_word(&mut engine, "result", &["none"])?;
    engine.expect_ready()
}

fn one_best_move(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    for _ in 0..3 {
        search(&mut engine)?;
        engine.quiet(LINGER, "one 'bestmove' answers one 'go'")?;
        engine.expect_ready()?;
    }
    Ok(())
}

fn two_words(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    for parameters in [&think(), "depth 2", "nodes 100", "p1time 1000 p2time 1000"] {
        let best = engine.go(parameters, Duration::from_secs(1))?;
        let words = best.line.split_whitespace().count();
        ensure(words == 2, "'bestmove <move>', two words", quoted(&best.line))?;
    }
    Ok(())
}

fn best_move_is_legal(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    let mut moves = Vec::new();
    for _ in 0..6 {
        engine.silent(&Context::position(&moves))?;
        if engine.ask("gameover")? == "true" {
            return Ok(());
        }
        let best = search(&mut engine)?.mv;
        is_legal(&mut engine, &best)?;
        moves.push(best);
    }
    engine.silent(&Context::position(&moves))
}

/// Expects a move to be legal, by every means that the engine offers; plain UGI has only `position`.
fn is_legal(engine: &mut CheckedEngine<'_>, mv: &str) -> StepResult {
    if engine.ctx.has("moves") {
        let list: leap_protocol::payload::MoveList = engine.ask_for("moves")?;
        let listed = list.more || list.moves.iter().any(|listed| listed == mv);
        ensure(listed, "a 'bestmove' from the list of 'query moves'", mv)?;
    }
    if engine.ctx.has("legal") {
        let legal = engine.ask(&format!("legal {mv}"))?;
        ensure(legal == "true", format!("'bestmove {mv}' to be legal"), quoted(&legal))?;
    }
    Ok(())
}

/// The observable state of the game: the position text, or what plain UGI reports.
pub(super) fn view(engine: &mut CheckedEngine<'_>) -> StepResult<String> {
    if engine.ctx.has("fen") {
        return engine.ask("fen");
    }
    let (turn, over) = (engine.ask("p1turn")?, engine.ask("gameover")?);
    Ok(format!("p1turn {turn} gameover {over} result {}", engine.ask("result")?))
}

fn go_leaves_the_game(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    let before = view(&mut engine)?;
    search(&mut engine)?;
    let after = view(&mut engine)?;
    ensure(before == after, before, after)
}

fn self_play(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    engine.silent("uginewgame")?;
    let mut moves = Vec::new();
    for _ in 0..SELF_PLAY_PLIES {
        // Sends the whole game before each question, as match runners do.
        engine.send(&Context::position(&moves))?;
        let over = ask_word(&mut engine, "gameover", YES_NO)? == "true";
        let result = ask_word(&mut engine, "result", RESULTS)?;
        ask_word(&mut engine, "p1turn", YES_NO)?;
        let agree = over == (result != "none");
        ensure(agree, "a result exactly when the game is over", format!("{over}, {result}"))?;
        if over {
            return Ok(());
        }
        engine.send(&Context::position(&moves))?;
        let best = engine.go("p1time 300 p2time 300 p1inc 10 p2inc 10", ctx.margin * 4)?;
        moves.push(best.mv);
    }
    engine.silent(&Context::position(&moves))
}

fn new_game(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    let start = view(&mut engine)?;
    let best = search(&mut engine)?.mv;
    engine.silent(&format!("position startpos moves {best}"))?;
    engine.silent("uginewgame")?;
    engine.send("position startpos")?;
    let again = view(&mut engine)?;
    ensure(start == again, start, again)
}

fn stop_while_idle(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    engine.silent("stop")?;
    engine.quiet(LINGER, "there is nothing to stop")?;
    search(&mut engine)?;
    engine.silent("stop")?;
    engine.quiet(LINGER, "there is nothing to stop")
}

fn infinite_waits(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    engine.send("go infinite")?;
    engine.keeps_searching(LINGER * 2)?;
    engine.stop()?;
    engine.expect_ready()
}

/// Sets up a position whose tree is so small that any search finishes immediately.
fn small_tree(engine: &mut CheckedEngine<'_>) -> StepResult {
    if engine.ctx.info.option("MaxPlies").is_none() {
        return skip("the engine has no option MaxPlies");
    }
    engine.silent("setoption name MaxPlies value 1")?;
    engine.silent("position startpos")
}

fn finished_infinite(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    small_tree(&mut engine)?;
    for go in ["go infinite", "go ponder depth 1"] {
        engine.send(go)?;
        engine.quiet(LINGER, "no 'bestmove' before 'stop', also when the search is finished")?;
        engine.stop()?;
        engine.expect_ready()?;
    }
    Ok(())
}

fn no_busy_wait(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    small_tree(&mut engine)?;
    engine.send("go infinite")?;
    engine.quiet(LINGER, "no 'bestmove' before 'stop'")?;
    let Some(mut before) = super::machine::processor_time(engine.process_id()) else {
        return skip("processor times cannot be read here");
    };
    let mut used = Duration::MAX;
    // A slow engine on a busy machine may still search. One that waits in a loop never rests.
    for _ in 0..IDLE_TRIES {
        std::thread::sleep(IDLE);
        let now = super::machine::processor_time(engine.process_id()).unwrap_or(before);
        (used, before) = (now - before, now);
        if used <= IDLE_CPU {
            break;
        }
    }
    engine.stop()?;
    let expected = format!("at most {} ms of processor time", IDLE_CPU.as_millis());
    ensure(used <= IDLE_CPU, expected, format!("{} ms in {IDLE:?}", used.as_millis()))
}

fn stop_race(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    for _ in 0..5 {
        let begun = Instant::now();
        engine.send("go depth 1")?;
        engine.send("stop")?;
        engine.best_move(begun, Duration::ZERO)?;
        engine.expect_ready()?;
    }
    engine.quiet(LINGER, "one 'bestmove' answers one 'go'")
}

fn no_stale(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    for _ in 0..3 {
        engine.send("go infinite")?;
        std::thread::sleep(Duration::from_millis(20));
        engine.stop()?;
        let begun = Instant::now();
        engine.send("go infinite")?;
        // What comes now would be the answer of an earlier search.
        engine.keeps_searching(LINGER)?;
        engine.send("stop")?;
        engine.best_move(begun, Duration::ZERO)?;
    }
    engine.quiet(LINGER, "no 'bestmove' without a 'go'")
}

fn best_move_none(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    small_tree(&mut engine)?;
    let mv = search(&mut engine)?.mv;
    engine.silent(&format!("position startpos moves {mv}"))?;
    ask_word(&mut engine, "gameover", &["true"])?;
    let best = search(&mut engine)?;
    ensure(best.line == "bestmove none", "exactly 'bestmove none'", quoted(&best.line))?;
    engine.send("go infinite")?;
    engine.quiet(LINGER, "no 'bestmove' before 'stop', also when the game is over")?;
    let best = engine.stop()?;
    ensure(best.line == "bestmove none", "exactly 'bestmove none'", quoted(&best.line))
}

fn ponderhit(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    engine.silent("ponderhit")?;
    engine.send("go ponder movetime 50")?;
    engine.quiet(LINGER, "no 'bestmove' before 'ponderhit' or 'stop'")?;
    let begun = Instant::now();
    engine.send("ponderhit")?;
    engine.best_move(begun, Duration::from_millis(50))?;
    engine.send("go ponder movetime 50")?;
    engine.quiet(LINGER, "no 'bestmove' before 'ponderhit' or 'stop'")?;
    engine.stop()?;
    engine.expect_ready()
}

fn ponder_option(ctx: &Context<'_>) -> StepResult {
    if ctx.info.option("Ponder").is_none() {
        return skip("the engine has no option Ponder");
    }
    let mut engine = ctx.set_up()?;
    engine.silent("setoption name Ponder value true")?;
    engine.silent("position startpos")?;
    let line = engine.go("depth 4", Duration::from_secs(5))?.line;
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        ["bestmove", _] => Ok(()),
        ["bestmove", mv, "ponder", reply] => {
            engine.silent(&format!("position startpos moves {mv} {reply}"))
        }
        _ => fail("'bestmove <move> [ponder <move>]'", quoted(&line)),
    }
}

fn search_moves(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    let list: leap_protocol::payload::MoveList = engine.ask_for("moves")?;
    for wanted in list.moves.iter().rev().take(3) {
        let best = engine.go(&format!("depth 2 searchmoves {wanted}"), Duration::from_secs(2))?;
        ensure(best.mv == *wanted, format!("'bestmove {wanted}'"), quoted(&best.line))?;
    }
    engine.expect_ready()
}
