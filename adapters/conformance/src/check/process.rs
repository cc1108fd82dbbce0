//! Level *process*: how an engine starts and ends.

use std::time::{Duration, Instant};

use super::context::Context;
use super::engine::{CheckedEngine, first_word, quoted};
use super::outcome::{StepResult, ensure};
use super::step::{Step, step};

/// How long a search runs before it is disturbed.
const THINK: Duration = Duration::from_millis(150);

pub(super) fn steps() -> Vec<Step> {
    vec![
        step("3.23", "quit-while-idle", quit_while_idle),
        step("3.23", "quit-while-searching", quit_while_searching),
        step("7.6", "end-of-input-while-idle", end_while_idle),
        step("7.6", "end-of-input-answers-a-bounded-search", end_while_bounded),
        step("7.6", "end-of-input-stops-an-unbounded-search", end_while_unbounded),
        step("2.8", "last-line-without-an-end", half_line),
        step("7.7", "closed-output-ends-the-process", closed_output),
    ]
}

/// Expects the end of the output and of the process, after the engine was told to exit.
fn ends(engine: &mut CheckedEngine<'_>) -> StepResult<Vec<String>> {
    let patience = engine.ctx.patience;
    let lines = engine.read_to_end(patience)?;
    engine.exit_zero(patience)?;
    Ok(lines)
}

fn quit_while_idle(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    engine.expect_ready()?;
    engine.send("quit")?;
    let lines = ends(&mut engine)?;
    ensure(lines.is_empty(), "no reply to 'quit'", lines.join(" | "))
}

fn quit_while_searching(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    engine.send("go infinite")?;
    engine.keeps_searching(THINK)?;
    engine.send("quit")?;
    // The move does not come if the search takes long to stop, and never from engines of `leap 1.0` (SPEC 3.23).
    let lines = ends(&mut engine)?;
    let right = lines.is_empty() || is_best_move(&lines);
    ensure(right, "at most one 'bestmove' after 'quit'", lines.join(" | "))
}

fn end_while_idle(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    engine.expect_ready()?;
    let lines = engine.close_input(ctx.patience)?;
    ensure(lines.is_empty(), "no reply to the end of input", lines.join(" | "))?;
    engine.exit_zero(ctx.patience)
}

fn end_while_bounded(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    engine.send("go movetime 300")?;
    let begun = Instant::now();
    let lines = engine.close_input(THINK * 2 + ctx.patience)?;
    ensure(is_best_move(&lines), "exactly one 'bestmove'", lines.join(" | "))?;
    let took = begun.elapsed();
    let whole = took >= THINK || !ctx.has("leap") || ends_early(ctx)?;
    let expected = "the search to go on to its limit of 300 ms";
    ensure(whole, expected, format!("'bestmove' after {} ms", took.as_millis()))?;
    engine.exit_zero(ctx.patience)
}

/// Whether the search ends before its limit even while the input stays open, as where it solves a small game.
fn ends_early(ctx: &Context<'_>) -> StepResult<bool> {
    let begun = Instant::now();
    ctx.set_up()?.go("movetime 300", THINK * 2 + ctx.patience)?;
    Ok(begun.elapsed() < THINK)
}

fn end_while_unbounded(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    engine.send("go infinite")?;
    engine.keeps_searching(THINK)?;
    let lines = engine.close_input(ctx.patience)?;
    ensure(is_best_move(&lines), "exactly one 'bestmove'", lines.join(" | "))?;
    engine.exit_zero(ctx.patience)
}

fn is_best_move(lines: &[String]) -> bool {
    matches!(lines, [line] if first_word(line) == "bestmove")
}

fn half_line(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    engine.expect_ready()?;
    engine.send_bytes(b"isready".to_vec(), "isready (without a line end)")?;
    let lines = engine.close_input(ctx.patience)?;
    let [line] = lines.as_slice() else {
        return ensure(false, "exactly one 'readyok'", lines.join(" | "));
    };
    ensure(line == "readyok", "exactly 'readyok'", quoted(line))?;
    engine.exit_zero(ctx.patience)
}

fn closed_output(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    engine.expect_ready()?;
    engine.close_output();
    // The first reply makes our end close, and later ones meet a closed pipe. By then the engine may have exited.
    for _ in 0..20 {
        if engine.send("isready").is_err() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    // A plain UGI engine may die of SIGPIPE, as programs do by default.
    let (leap, expected) = (ctx.has("leap"), "the process to end by itself, with exit status 0");
    engine.exit(ctx.patience, |status| !leap || status.success(), expected)
}
