//! Level *limits*: time, depth and nodes.

use std::time::Duration;

use leap_protocol::{Info, Reply};

use super::context::Context;
use super::context::LEAP;
use super::engine::{CheckedEngine, SearchReply, quoted};
use super::outcome::{StepResult, ensure, fail, skip};
use super::step::{Step, step};

pub(super) fn steps() -> Vec<Step> {
    vec![
        step("5.1", "movetime-kept", |ctx| {
            in_time(ctx, &[("movetime 20", 20), ("movetime 300", 300)])
        }),
        step("5.1", "movetime-0", |ctx| in_time(ctx, &[("movetime 0", 0)])),
        step("7.9", "clock-kept", |ctx| {
            let clocks = [
                ("p1time 1000 p2time 1000", 1000),
                ("p1time 200 p2time 60000 p1inc 0 p2inc 0", 200),
                ("p1time 50 p2time 50 p1inc 10 p2inc 10", 50),
                ("p1time 500 p2time 500 movestogo 1", 500),
            ];
            in_time(ctx, &clocks)
        }),
        step("5.4", "clock-run-out", |ctx| {
            in_time(ctx, &[("p1time 0 p2time 0", 0), ("p1time -1234 p2time 1000", 0)])
        }),
        step("5.15", "stop-is-prompt", stop_is_prompt),
        step("5.1", "depth-ends", |ctx| bounded(ctx, &["depth 1", "depth 2", "depth 3"])),
        step("5.1", "nodes-ends", |ctx| bounded(ctx, &["nodes 1", "nodes 1000"])),
        step("5.3", "limits-of-0", |ctx| bounded(ctx, &["depth 0", "nodes 0", "mate 0"]))
            .needs(&[LEAP]),
        step("5.1", "nodes-kept", nodes_kept).needs(&[LEAP]),
        step("5.5", "first-limit-ends", |ctx| {
            in_time(ctx, &[("depth 1 movetime 60000", 1000), ("nodes 50 depth 200", 1000)])
        })
        .needs(&[LEAP]),
        step("5.5", "infinite-beats-limits", infinite_beats_limits).needs(&[LEAP]),
        step("5.26", "same-search-same-move", |ctx| {
            reproducible(ctx, |best| vec![best.line.clone()])
        }),
        step("5.26", "same-search-same-lines", |ctx| reproducible(ctx, searched)).needs(&[LEAP]),
        step("5.21", "info-lines-well-formed", info_lines).needs(&[LEAP]),
        step("5.27", "last-info-of-a-search", last_info).needs(&[LEAP]),
    ]
}

/// Each search must answer within its limit, in milliseconds, plus the margin.
fn in_time(ctx: &Context<'_>, searches: &[(&str, u64)]) -> StepResult {
    let mut engine = ctx.at_start()?;
    for (parameters, limit) in searches {
        let limit = Duration::from_millis(*limit);
        let best = engine.go(parameters, limit)?;
        let most = limit + ctx.margin;
        let expected = format!(
            "'bestmove' for 'go {parameters}' within {} ms ({} ms of them margin)",
            most.as_millis(),
            ctx.margin.as_millis()
        );
        ensure(best.took <= most, expected, format!("{} ms", best.took.as_millis()))?;
    }
    engine.expect_ready()
}

fn stop_is_prompt(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    engine.send("go infinite")?;
    engine.keeps_searching(Duration::from_millis(300))?;
    let took = engine.stop()?.took;
    let expected = format!("'bestmove' within {} ms of 'stop'", ctx.margin.as_millis());
    ensure(took <= ctx.margin, expected, format!("{} ms", took.as_millis()))
}

fn bounded(ctx: &Context<'_>, searches: &[&str]) -> StepResult {
    let mut engine = ctx.at_start()?;
    for parameters in searches {
        engine.go(parameters, ctx.patience)?;
        engine.expect_ready()?;
    }
    Ok(())
}

/// The parsed `info` lines; fails if one is malformed.
pub(super) fn infos(best: &SearchReply) -> StepResult<Vec<Info>> {
    let parsed = best.infos.iter().map(|line| match Reply::parse(line) {
        Reply::Info(info) => Ok(info),
        _ => fail("'info' with the keys of its section", quoted(line)),
    });
    parsed.collect()
}

fn nodes_kept(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    for limit in [1, 100, 5000] {
        let best = engine.go(&format!("nodes {limit}"), ctx.patience)?;
        let most = infos(&best)?.iter().filter_map(|info| info.nodes).max().unwrap_or(0);
        ensure(most <= limit, format!("at most {limit} nodes"), most.to_string())?;
    }
    Ok(())
}

fn infinite_beats_limits(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    engine.send("go infinite depth 1 movetime 10")?;
    engine.quiet(Duration::from_millis(300), "'infinite' searches until 'stop'")?;
    engine.stop().map(drop)
}

/// Expects two processes to give the same results for the same searches.
fn reproducible(ctx: &Context<'_>, told: fn(&SearchReply) -> Vec<String>) -> StepResult {
    let first = searches(&mut ctx.set_up()?, told)?;
    let second = searches(&mut ctx.set_up()?, told)?;
    for (first, second) in first.iter().zip(&second) {
        ensure(first == second, format!("as the first time: {}", quoted(first)), quoted(second))?;
    }
    let counts = format!("{} lines", first.len());
    ensure(first.len() == second.len(), counts, format!("{} lines", second.len()))
}

fn searches(
    engine: &mut CheckedEngine<'_>,
    told: fn(&SearchReply) -> Vec<String>,
) -> StepResult<Vec<String>> {
    engine.silent("position startpos")?;
    let mut lines = Vec::new();
    for parameters in ["depth 4", "nodes 3000"] {
        lines.extend(told(&engine.go(parameters, engine.ctx.patience)?));
    }
    Ok(lines)
}

/// All lines of a search, without the fields that depend on the clock.
fn searched(best: &SearchReply) -> Vec<String> {
    let timeless = best.infos.iter().map(|line| match Reply::parse(line) {
        Reply::Info(info) => Info { time: None, nps: None, ..info }.to_string(),
        _ => line.clone(),
    });
    timeless.chain([best.line.clone()]).collect()
}

fn last_info(ctx: &Context<'_>) -> StepResult {
    if ctx.info.protocol.as_ref().is_some_and(|info| info.major() == Some(1)) {
        return skip("'leap 1.0' has no such line");
    }
    let mut engine = ctx.at_start()?;
    for parameters in ["depth 2", "nodes 100"] {
        let best = engine.go(parameters, ctx.patience)?;
        let last = infos(&best)?.pop().unwrap_or_default();
        let is_whole = last.nodes.is_some() && last.nps.is_some() && last.time.is_some();
        let found = best.infos.last().map_or("none", String::as_str);
        ensure(
            is_whole,
            "a last 'info' with nodes, nps and time before 'bestmove'",
            quoted(found),
        )?;
    }
    Ok(())
}

fn info_lines(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    if ctx.info.option("UCI_ShowWDL").is_some() {
        engine.silent("setoption name UCI_ShowWDL value true")?;
    }
    engine.silent("position startpos")?;
    let best = engine.go("depth 4", ctx.patience)?;
    let infos = infos(&best)?;
    for (info, line) in infos.iter().zip(&best.infos) {
        // Printing writes the keys in the order of the specification.
        ensure(info.to_string() == *line, format!("the order {info}"), quoted(line))?;
        if let Some(wdl) = info.wdl {
            let sum = wdl.win + wdl.draw + wdl.loss;
            ensure(sum == 1000, "wdl that adds up to 1000", quoted(line))?;
        }
        if !info.pv.is_empty() {
            engine.silent(&Context::position(&info.pv))?;
        }
    }
    ensure(infos.iter().any(|info| info.depth.is_some()), "an 'info' with depth", "none")
}
