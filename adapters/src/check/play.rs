//! Level *play*: positions, `go` and `bestmove`.

use std::time::{Duration, Instant};

use super::context::Context;
use super::context::LEAP;
use super::outcome::{StepResult, ensure, fail, skip};
use super::step::{Level, Step};
use super::talk::{Best, Talk, quoted};

/// Time for a move that need not be good.
const THINK_MS: u64 = 60;
/// Long enough for a stale line to show itself.
const LINGER: Duration = Duration::from_millis(300);
/// Plies that an engine plays against itself.
const SELF_PLAY_PLIES: usize = 24;
/// Processor time that an engine may use while it waits for [`IDLE`].
const IDLE_CPU: Duration = Duration::from_millis(100);
const IDLE: Duration = Duration::from_millis(400);

pub(super) fn steps() -> Vec<Step> {
    let step = |clause, name, run: fn(&Context<'_>) -> StepResult| {
        Step::new(Level::Play, clause, name, run)
    };
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

fn search(talk: &mut Talk<'_>) -> StepResult<Best> {
    talk.go(&think(), Duration::from_millis(THINK_MS))
}

/// Asks one of the three questions of UGI, whose answers are one word of a list.
pub(super) fn ask_word(
    talk: &mut Talk<'_>,
    question: &str,
    answers: &[&str],
) -> StepResult<String> {
    let answer = talk.ask(question)?;
    let expected = format!("'response {}' to 'query {question}'", answers.join("|"));
    ensure(answers.contains(&answer.as_str()), expected, quoted(&answer))?;
    Ok(answer)
}

pub(super) const YES_NO: &[&str] = &["true", "false"];
pub(super) const RESULTS: &[&str] = &["p1win", "p2win", "draw", "none"];

fn questions_at_the_start(ctx: &Context<'_>) -> StepResult {
    let mut talk = ctx.talk()?;
    talk.silent("position startpos")?;
    ask_word(&mut talk, "p1turn", &["true"])?;
    ask_word(&mut talk, "gameover", &["false"])?;
    ask_word(&mut talk, "result", &["none"])?;
    talk.in_step()
}

fn one_best_move(ctx: &Context<'_>) -> StepResult {
    let mut talk = ctx.talk()?;
    talk.silent("position startpos")?;
    for _ in 0..3 {
        search(&mut talk)?;
        talk.quiet(LINGER, "one 'bestmove' answers one 'go'")?;
        talk.in_step()?;
    }
    Ok(())
}

fn two_words(ctx: &Context<'_>) -> StepResult {
    let mut talk = ctx.talk()?;
    talk.silent("position startpos")?;
    for parameters in [&think(), "depth 2", "nodes 100", "p1time 1000 p2time 1000"] {
        let best = talk.go(parameters, Duration::from_secs(1))?;
        let words = best.line.split_whitespace().count();
        ensure(words == 2, "'bestmove <move>', two words", quoted(&best.line))?;
    }
    Ok(())
}

fn best_move_is_legal(ctx: &Context<'_>) -> StepResult {
    let mut talk = ctx.talk()?;
    let mut moves = Vec::new();
    for _ in 0..6 {
        talk.silent(&Context::position(&moves))?;
        if talk.ask("gameover")? == "true" {
            return Ok(());
        }
        let best = search(&mut talk)?.mv;
        is_legal(&mut talk, &best)?;
        moves.push(best);
    }
    talk.silent(&Context::position(&moves))
}

/// By all that the engine offers to find out; plain UGI has only `position`.
fn is_legal(talk: &mut Talk<'_>, mv: &str) -> StepResult {
    if talk.ctx.has("moves") {
        let list: leap_protocol::payload::MoveList = talk.ask_for("moves")?;
        let listed = list.more || list.moves.iter().any(|listed| listed == mv);
        ensure(listed, "a 'bestmove' from the list of 'query moves'", mv)?;
    }
    if talk.ctx.has("legal") {
        let legal = talk.ask(&format!("legal {mv}"))?;
        ensure(legal == "true", format!("'bestmove {mv}' to be legal"), quoted(&legal))?;
    }
    Ok(())
}

/// What can be seen of the game: the position text, or what plain UGI tells.
pub(super) fn view(talk: &mut Talk<'_>) -> StepResult<String> {
    if talk.ctx.has("fen") {
        return talk.ask("fen");
    }
    let (turn, over) = (talk.ask("p1turn")?, talk.ask("gameover")?);
    Ok(format!("p1turn {turn} gameover {over} result {}", talk.ask("result")?))
}

fn go_leaves_the_game(ctx: &Context<'_>) -> StepResult {
    let mut talk = ctx.talk()?;
    talk.silent("position startpos")?;
    let before = view(&mut talk)?;
    search(&mut talk)?;
    let after = view(&mut talk)?;
    ensure(before == after, before, after)
}

fn self_play(ctx: &Context<'_>) -> StepResult {
    let mut talk = ctx.talk()?;
    talk.silent("uginewgame")?;
    let mut moves = Vec::new();
    for _ in 0..SELF_PLAY_PLIES {
        // As runners do: the whole game before each question.
        talk.send(&Context::position(&moves))?;
        let over = ask_word(&mut talk, "gameover", YES_NO)? == "true";
        let result = ask_word(&mut talk, "result", RESULTS)?;
        ask_word(&mut talk, "p1turn", YES_NO)?;
        let agree = over == (result != "none");
        ensure(agree, "a result exactly when the game is over", format!("{over}, {result}"))?;
        if over {
            return Ok(());
        }
        talk.send(&Context::position(&moves))?;
        let best = talk.go("p1time 300 p2time 300 p1inc 10 p2inc 10", ctx.margin * 4)?;
        moves.push(best.mv);
    }
    talk.silent(&Context::position(&moves))
}

fn new_game(ctx: &Context<'_>) -> StepResult {
    let mut talk = ctx.talk()?;
    talk.silent("position startpos")?;
    let start = view(&mut talk)?;
    let best = search(&mut talk)?.mv;
    talk.silent(&format!("position startpos moves {best}"))?;
    talk.silent("uginewgame")?;
    talk.send("position startpos")?;
    let again = view(&mut talk)?;
    ensure(start == again, start, again)
}

fn stop_while_idle(ctx: &Context<'_>) -> StepResult {
    let mut talk = ctx.talk()?;
    talk.silent("position startpos")?;
    talk.silent("stop")?;
    talk.quiet(LINGER, "there is nothing to stop")?;
    search(&mut talk)?;
    talk.silent("stop")?;
    talk.quiet(LINGER, "there is nothing to stop")
}

fn infinite_waits(ctx: &Context<'_>) -> StepResult {
    let mut talk = ctx.talk()?;
    talk.silent("position startpos")?;
    talk.send("go infinite")?;
    talk.quiet(LINGER * 2, "no 'bestmove' before 'stop'")?;
    talk.stop()?;
    talk.in_step()
}

/// Makes the tree so small that any search is finished at once.
fn small_tree(talk: &mut Talk<'_>) -> StepResult {
    if talk.ctx.info.option("MaxPlies").is_none() {
        return skip("the engine has no option MaxPlies");
    }
    talk.silent("setoption name MaxPlies value 1")?;
    talk.silent("position startpos")
}

fn finished_infinite(ctx: &Context<'_>) -> StepResult {
    let mut talk = ctx.talk()?;
    small_tree(&mut talk)?;
    for go in ["go infinite", "go ponder depth 1"] {
        talk.send(go)?;
        talk.quiet(LINGER, "no 'bestmove' before 'stop', also when the search is finished")?;
        talk.stop()?;
        talk.in_step()?;
    }
    Ok(())
}

fn no_busy_wait(ctx: &Context<'_>) -> StepResult {
    let mut talk = ctx.talk()?;
    small_tree(&mut talk)?;
    talk.send("go infinite")?;
    talk.quiet(LINGER, "no 'bestmove' before 'stop'")?;
    let Some(before) = super::machine::processor_time(talk.process_id()) else {
        return skip("processor times cannot be read here");
    };
    std::thread::sleep(IDLE);
    let used = super::machine::processor_time(talk.process_id()).unwrap_or(before) - before;
    talk.stop()?;
    let expected = format!("at most {} ms of processor time", IDLE_CPU.as_millis());
    ensure(used <= IDLE_CPU, expected, format!("{} ms in {IDLE:?}", used.as_millis()))
}

fn stop_race(ctx: &Context<'_>) -> StepResult {
    let mut talk = ctx.talk()?;
    talk.silent("position startpos")?;
    for _ in 0..5 {
        let begun = Instant::now();
        talk.send("go depth 1")?;
        talk.send("stop")?;
        talk.best_move(begun, Duration::ZERO)?;
        talk.in_step()?;
    }
    talk.quiet(LINGER, "one 'bestmove' answers one 'go'")
}

fn no_stale(ctx: &Context<'_>) -> StepResult {
    let mut talk = ctx.talk()?;
    talk.silent("position startpos")?;
    for _ in 0..3 {
        talk.send("go infinite")?;
        std::thread::sleep(Duration::from_millis(20));
        talk.stop()?;
        let begun = Instant::now();
        talk.send("go infinite")?;
        talk.quiet(LINGER, "the 'bestmove' of an earlier search must not come now")?;
        talk.send("stop")?;
        talk.best_move(begun, Duration::ZERO)?;
    }
    talk.quiet(LINGER, "no 'bestmove' without a 'go'")
}

fn best_move_none(ctx: &Context<'_>) -> StepResult {
    let mut talk = ctx.talk()?;
    small_tree(&mut talk)?;
    let mv = search(&mut talk)?.mv;
    talk.silent(&format!("position startpos moves {mv}"))?;
    ask_word(&mut talk, "gameover", &["true"])?;
    let best = search(&mut talk)?;
    ensure(best.line == "bestmove none", "exactly 'bestmove none'", quoted(&best.line))?;
    talk.send("go infinite")?;
    talk.quiet(LINGER, "no 'bestmove' before 'stop', also when the game is over")?;
    let best = talk.stop()?;
    ensure(best.line == "bestmove none", "exactly 'bestmove none'", quoted(&best.line))
}

fn ponderhit(ctx: &Context<'_>) -> StepResult {
    let mut talk = ctx.talk()?;
    talk.silent("position startpos")?;
    talk.silent("ponderhit")?;
    talk.send("go ponder movetime 50")?;
    talk.quiet(LINGER, "no 'bestmove' before 'ponderhit' or 'stop'")?;
    let begun = Instant::now();
    talk.send("ponderhit")?;
    talk.best_move(begun, Duration::from_millis(50))?;
    talk.send("go ponder movetime 50")?;
    talk.quiet(LINGER, "no 'bestmove' before 'ponderhit' or 'stop'")?;
    talk.stop()?;
    talk.in_step()
}

fn ponder_option(ctx: &Context<'_>) -> StepResult {
    if ctx.info.option("Ponder").is_none() {
        return skip("the engine has no option Ponder");
    }
    let mut talk = ctx.talk()?;
    talk.silent("setoption name Ponder value true")?;
    talk.silent("position startpos")?;
    let line = talk.go("depth 4", Duration::from_secs(5))?.line;
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        ["bestmove", _] => Ok(()),
        ["bestmove", mv, "ponder", reply] => {
            talk.silent(&format!("position startpos moves {mv} {reply}"))
        }
        _ => fail("'bestmove <move> [ponder <move>]'", quoted(&line)),
    }
}

fn search_moves(ctx: &Context<'_>) -> StepResult {
    let mut talk = ctx.talk()?;
    talk.silent("position startpos")?;
    let list: leap_protocol::payload::MoveList = talk.ask_for("moves")?;
    for wanted in list.moves.iter().rev().take(3) {
        let best = talk.go(&format!("depth 2 searchmoves {wanted}"), Duration::from_secs(2))?;
        ensure(best.mv == *wanted, format!("'bestmove {wanted}'"), quoted(&best.line))?;
    }
    talk.in_step()
}
