//! Level *ugi*: UGI 1.0 to the letter. The clauses are the sections of its specification (SPEC B.6).
//!
//! Nothing is sent that UGI 1.0 does not have, and an engine may do all that it allows.

use std::time::{Duration, Instant};

use leap_protocol::OptionKind;

use super::context::{Context, LEAP};
use super::engine::{CheckedEngine, SearchReply, first_word, quoted};
use super::handshake::options_settable;
use super::limits::infos;
use super::outcome::{StepResult, ensure, fail};
use super::play::{RESULTS, YES_NO, ask_word, view};
use super::step::{Step, step};

/// Long enough for a line that nobody has asked for.
const LINGER: Duration = Duration::from_millis(300);
/// Plies after which a game is given up.
const PLIES: usize = 300;
const GAME_TIME: Duration = Duration::from_secs(20);

/// The ways to search, with all of their arguments, and how long each may take.
const SEARCHES: [(&str, u64); 4] = [
    ("p1time 1000 p2time 1000 p1inc 10 p2inc 10", 1000),
    ("movetime 50", 50),
    ("depth 1", 1000),
    ("nodes 100", 1000),
];

pub(super) fn steps() -> Vec<Step> {
    vec![
        step("UGI ugi", "greeting", greeting),
        step("UGI ugi", "options-have-defaults", options_have_defaults),
        step("UGI General", "own-book-is-off", own_book),
        step("UGI General", "nothing-unasked", nothing_unasked),
        step("UGI General", "input-while-searching", input_while_searching),
        step("UGI setoption", "options-settable", options_settable),
        step("UGI isready", "readyok", |ctx| ctx.set_up()?.expect_ready()),
        step("UGI uginewgame", "the-game-begins-anew", new_game),
        step("UGI position", "moves-are-applied", moves_are_applied),
        step("UGI go", "each-way-to-search", each_way_to_search),
        step("UGI go", "infinite-until-stop-or-earlier", infinite),
        step("UGI info", "well-formed", info_lines),
        step("UGI info", "one-final-info", final_info),
        step("UGI query", "one-response-each", responses),
        step("UGI response", "a-whole-game", whole_game),
        step("UGI stop", "bestmove-soon", stop_is_prompt),
        step("UGI quit", "the-process-ends", |ctx| quit(ctx, None)),
        step("UGI quit", "searches-finish", |ctx| quit(ctx, Some("go infinite"))),
    ]
}

impl CheckedEngine<'_> {
    /// Sets up a position as UGI 1.0 wants it: `isready` comes afterwards.
    fn place(&mut self, moves: &[String]) -> StepResult {
        self.silent(&Context::position(moves))
    }

    /// The three answers about the position; whether the game is over.
    fn state(&mut self) -> StepResult<bool> {
        ask_word(self, "p1turn", YES_NO)?;
        let over = ask_word(self, "gameover", YES_NO)?;
        let result = ask_word(self, "result", RESULTS)?;
        let agree = (over == "true") == (result != "none");
        let got = || format!("gameover {over}, result {result}");
        ensure(agree, "a result exactly when the game is over", got())?;
        Ok(over == "true")
    }

    fn search(&mut self, (parameters, ms): (&str, u64)) -> StepResult<SearchReply> {
        self.go(parameters, Duration::from_millis(ms))
    }
}

fn greeting(ctx: &Context<'_>) -> StepResult {
    let lines = ctx.start()?.greet()?;
    for (line, wanted) in lines.iter().zip(["id name ", "id author "]) {
        ensure(line.starts_with(wanted), format!("'{wanted}<text>'"), quoted(line))?;
    }
    let other = lines.iter().skip(2).find(|line| first_word(line) != "option");
    let got = other.map_or_else(|| format!("{} lines", lines.len()), |line| quoted(line));
    let expected = "'id name', 'id author' and 'option' lines before 'ugiok'";
    ensure(other.is_none() && lines.len() >= 2, expected, got)
}

fn options_have_defaults(ctx: &Context<'_>) -> StepResult {
    let lines = ctx.start()?.greet()?;
    for line in lines.iter().filter(|line| first_word(line) == "option") {
        let words: Vec<&str> = line.split_whitespace().collect();
        let has = |word| words.contains(&word);
        let is_button = words.windows(2).any(|pair| pair == ["type", "button"]);
        let is_whole = has("name") && has("type") && (has("default") || is_button);
        let expected = "'option name <name> type <type> default <default>'";
        ensure(is_whole, expected, quoted(line))?;
    }
    Ok(())
}

fn own_book(ctx: &Context<'_>) -> StepResult {
    match ctx.info.option("OwnBook").map(|option| &option.kind) {
        Some(OptionKind::Check { default: true }) => fail("'OwnBook' false by default", "true"),
        _ => Ok(()),
    }
}

fn nothing_unasked(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.start()?;
    let nothing = |engine: &mut CheckedEngine<'_>| -> StepResult {
        // `info` counts too: no search is running.
        match engine.line(Instant::now() + LINGER, "nothing") {
            Ok(line) => fail("nothing that was not asked for", quoted(&line)),
            Err(_) => engine.expect_ready(),
        }
    };
    engine.greet()?;
    nothing(&mut engine)?;
    engine.place(&[])?;
    engine.search(SEARCHES[1])?;
    nothing(&mut engine)
}

fn input_while_searching(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    engine.send("go infinite")?;
    engine.send("isready")?;
    // The search may have ended by itself: its `bestmove` may stand on either side.
    let mut found = [engine.reply("'readyok'")?, String::new()];
    if first_word(&found[0]) == "bestmove" {
        found[1] = engine.reply("'readyok'")?;
        return ensure(found[1] == "readyok", "exactly 'readyok'", quoted(&found[1]));
    }
    ensure(found[0] == "readyok", "exactly 'readyok'", quoted(&found[0]))?;
    engine.stop().map(drop)
}

fn new_game(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    engine.silent("uginewgame")?;
    engine.place(&[])?;
    let start = view(&mut engine)?;
    let best = engine.search(SEARCHES[1])?;
    engine.place(&[best.mv])?;
    engine.silent("uginewgame")?;
    engine.place(&[])?;
    let again = view(&mut engine)?;
    ensure(start == again, start, again)
}

fn moves_are_applied(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    let mut moves = Vec::new();
    let mut turns = Vec::new();
    for _ in 0..8 {
        engine.place(&moves)?;
        turns.push(ask_word(&mut engine, "p1turn", YES_NO)?);
        if engine.ask("gameover")? == "true" {
            break;
        }
        moves.push(engine.search(SEARCHES[2])?.mv);
    }
    // One player may have two turns in a row, not all of them.
    let both = turns.iter().any(|turn| turn == "true") && turns.iter().any(|turn| turn == "false");
    ensure(both, "both players to have turns", format!("p1turn {}", turns.join(" ")))?;
    if ctx.has("fen") {
        let fen = engine.ask("fen")?;
        engine.silent(&format!("position fen {fen}"))?;
        let found = engine.ask("fen")?;
        ensure(found == fen, fen, found)?;
    }
    Ok(())
}

fn each_way_to_search(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    for way in SEARCHES.into_iter().chain([("depth 0", 1000)]) {
        engine.place(&[])?;
        let best = engine.search(way)?;
        let words = best.line.split_whitespace().count();
        ensure(words == 2, "'bestmove <move>', two words", quoted(&best.line))?;
        engine.quiet(LINGER / 3, "one 'bestmove' answers one 'go'")?;
        engine.expect_ready()?;
    }
    Ok(())
}

fn infinite(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    engine.send("go infinite")?;
    // A search that has ended by itself has given its `bestmove`; `stop` then stops nothing.
    match engine.line(Instant::now() + LINGER, "'info' or 'bestmove'") {
        Ok(line) if first_word(&line) == "bestmove" => engine.silent("stop"),
        _ => engine.stop().map(drop),
    }?;
    engine.expect_ready()
}

fn info_lines(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    infos(&engine.search(("depth 3", 5000))?).map(drop)
}

fn final_info(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    for way in SEARCHES {
        engine.place(&[])?;
        let best = engine.search(way)?;
        let last = best.infos.last().map_or("none", String::as_str);
        let words: Vec<&str> = last.split_whitespace().collect();
        let has_all = ["nodes", "time", "nps"].iter().all(|key| words.contains(key));
        ensure(has_all, "a last 'info' with nodes, time and nps", quoted(last))?;
    }
    Ok(())
}

fn responses(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    let over = engine.state()?;
    ensure(!over, "a game that begins", "gameover true")?;
    engine.expect_ready()
}

/// Plays as a runner does: the engine is never asked for a move when it says that the game is over.
fn whole_game(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    engine.silent("uginewgame")?;
    let (begun, mut moves) = (Instant::now(), Vec::new());
    while moves.len() < PLIES && begun.elapsed() < GAME_TIME {
        engine.place(&moves)?;
        if engine.state()? {
            break;
        }
        moves.push(engine.search(("movetime 10", 10))?.mv);
    }
    engine.expect_ready()
}

fn stop_is_prompt(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    engine.send("go movetime 60000")?;
    std::thread::sleep(LINGER / 3);
    let took = engine.stop()?.took;
    let expected = format!("'bestmove' within {} ms of 'stop'", ctx.margin.as_millis());
    ensure(took <= ctx.margin, expected, format!("{} ms", took.as_millis()))?;
    engine.expect_ready()
}

/// The process ends, and a search that was running prints its `bestmove` before.
fn quit(ctx: &Context<'_>, search: Option<&str>) -> StepResult {
    let mut engine = ctx.at_start()?;
    if let Some(go) = search {
        engine.send(go)?;
        std::thread::sleep(LINGER / 3);
    }
    engine.send("quit")?;
    let lines = engine.read_to_end(ctx.patience)?;
    engine.exit_zero(ctx.patience)?;
    // Engines of `leap 1.0` end without it (SPEC 18.6).
    let may_lack = ctx.info.protocol.as_ref().is_some_and(|info| info.major() == Some(1));
    let moves = usize::from(search.is_some());
    let fits = lines.len() == moves && lines.iter().all(|line| first_word(line) == "bestmove");
    let got = if lines.is_empty() { "nothing".to_owned() } else { lines.join(" | ") };
    let expected = ["no reply to 'quit'", "exactly one 'bestmove' after 'quit'"][moves];
    ensure(fits || may_lack && ctx.has(LEAP) && lines.is_empty(), expected, got)
}
