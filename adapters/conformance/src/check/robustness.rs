//! Level *robustness*: noise of all kinds. An engine may complain; it must not crash, hang, grow or lose its state.

use std::time::{Duration, Instant};

use leap_protocol::ErrorCode;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::context::Context;
use super::context::LEAP;
use super::engine::{CheckedEngine, first_word};
use super::machine::resident_kib;
use super::outcome::{StepResult, ensure, skip};
use super::play::view;
use super::step::{Step, step};

/// The longest line, in bytes without its end (SPEC 2.6).
const MAX_LINE: usize = 1 << 20;
/// A line that no engine should store.
const ENDLESS: usize = 48 << 20;
/// How much the memory of an engine may grow while it reads such a line, in KiB.
const GROWTH_KIB: u64 = 24 << 10;

pub(super) fn steps() -> Vec<Step> {
    vec![
        step("2.6", "line-of-1-mib", longest_line),
        step("2.6", "line-over-1-mib", |ctx| {
            one_error(ctx, long_line(MAX_LINE + 1), ErrorCode::TooLong)
        }),
        step("7.8", "endless-line-takes-no-memory", endless_line),
        step("2.7", "not-utf-8", |ctx| {
            let line = b"position startpos moves \xff\xfe\xc3\x28\n".to_vec();
            one_error(ctx, line, ErrorCode::NotUtf8)
        }),
        step("7.8", "nul-bytes", |ctx| survives(ctx, vec![b"\0\0isready\0 \0\n".to_vec()])),
        step("7.8", "binary-noise", binary_noise),
        step("7.8", "word-salad", word_salad),
        step("7.8", "absurd-numbers", |ctx| survives(ctx, lines(ABSURD))),
        step("7.8", "absurd-positions", |ctx| survives(ctx, lines(ABSURD_POSITIONS))),
        step("7.8", "noise-while-searching", noise_while_searching),
        step("5.2", "numbers-out-of-range-refused", numbers_refused).needs(&[LEAP]),
    ]
}

const ABSURD: &[&str] = &[
    "go depth 99999999999999999999",
    "go depth -99999999999999999999",
    "go nodes 18446744073709551616",
    "go movetime -1",
    "go movetime 1e9",
    "go movetime 99999999999999999999999999",
    "go p1time 99999999999999999999 p2time -99999999999999999999",
    "go p1time 9223372036854775807 p2time 9223372036854775807 p1inc 9223372036854775807",
    "go p1time -9223372036854775808 p2time -9223372036854775808",
    "go movestogo 4294967296 p1time 1",
    "go mate 99999999999",
    "go depth 0x10",
    "go depth NaN",
    "go depth \u{664}\u{662}",
    "setoption name Hash value 99999999999999999999",
    "setoption name Hash value -1",
    "setoption name MultiPV value 340282366920938463463374607431768211456",
    "query moves limit 99999999999999999999",
    "query moves limit -1",
    "perft 99999999999999999999",
    "perft -1",
    "undo 99999999999999999999",
];

const ABSURD_POSITIONS: &[&str] = &[
    "position fen 99999999999999999999/1/1/1/1 1 - 0 0",
    "position fen //////// 1 - 0 0",
    "position fen 1 1 1 1 1 1 1 1 1 1 1",
    "position fen 5/5/5/5/5 1 - 99999999999999999999 0",
    "position fen 5/5/5/5/5 1 - 0 -1",
    "position fen 8/8/8/8/8/8/8/8 3 9999999999-9999999999 1 1",
    "position fen \u{1f438}/\u{1f438} 1 - 0 0",
    "position fen ~~~~~~~~/8/8/8/8/8/8/8 1 - 0 0",
    "position startpos moves a0a00 a-1b2 a99999999999999999999b1 @ x @x x@ @@@@",
    "position startpos moves",
    "position startpos startpos moves moves",
    "query next \u{1f438}",
    "query legal @@",
    "query effects x",
];

fn lines(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| format!("{text}\n").into_bytes()).collect()
}

/// A line of this many bytes, without its line end.
fn long_line(bytes: usize) -> Vec<u8> {
    let mut line = b"position startpos moves ".to_vec();
    line.resize(bytes, b'a');
    line.push(b'\n');
    line
}

/// Expects the engine to still answer, and plain lines to mean what they meant before. How it answers the noise itself
/// is up to the engine.
fn recovers(engine: &mut CheckedEngine<'_>) -> StepResult {
    let deadline = Instant::now() + engine.ctx.patience;
    loop {
        // Some of the noise may have started a search, whose move may come at any time.
        engine.send("stop")?;
        engine.sync()?;
        if !engine.ctx.has(LEAP) {
            // An engine that is never busy does not report when its search is over.
            std::thread::sleep(Duration::from_millis(50));
        }
        let lines = engine.tolerated("position startpos")?;
        if lines.iter().all(|line| first_word(line) == "bestmove") {
            break;
        }
        let in_time = Instant::now() < deadline;
        ensure(in_time, "no reply to 'position startpos'", lines.join(" | "))?;
    }
    let turn = engine.ask("p1turn")?;
    ensure(turn == "true", "'response true' after 'position startpos'", turn)
}

/// Sends pieces of noise, each of which the engine must survive.
fn survives(ctx: &Context<'_>, noise: Vec<Vec<u8>>) -> StepResult {
    let mut engine = ctx.at_start()?;
    for piece in noise {
        let shown = String::from_utf8_lossy(&piece).trim_end().to_owned();
        engine.send_bytes(piece, &shown)?;
        recovers(&mut engine)?;
    }
    Ok(())
}

/// Expects one error of this code and an unchanged game; of plain UGI engines only the latter is required.
fn one_error(ctx: &Context<'_>, line: Vec<u8>, code: ErrorCode) -> StepResult {
    let mut engine = ctx.at_start()?;
    let before = view(&mut engine)?;
    let shown = format!("(a line of {} bytes)", line.len() - 1);
    engine.send_bytes(line, &shown)?;
    if ctx.has(LEAP) {
        engine.error(&shown, &[code])?;
    } else {
        engine.sync()?;
    }
    let after = view(&mut engine)?;
    ensure(before == after, format!("the game as it was: {before}"), after)
}

/// A line of maximal length is read like any other: here, blanks around a command.
fn longest_line(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    let mut line = b"isready".to_vec();
    line.resize(MAX_LINE, b' ');
    line.push(b'\n');
    engine.send_bytes(line, "isready (with blanks up to 1,048,576 bytes)")?;
    engine.expect("readyok")?;
    engine.expect_ready()
}

fn endless_line(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    engine.expect_ready()?;
    let before = resident_kib(engine.process_id());
    let piece = vec![b'x'; MAX_LINE];
    for _ in 0..ENDLESS / MAX_LINE {
        engine.send_bytes(piece.clone(), "(1 MiB of a line)")?;
    }
    engine.send("")?;
    engine.sync()?;
    if let (Some(before), Some(after)) = (before, resident_kib(engine.process_id())) {
        let grown = after.saturating_sub(before);
        let expected = format!("memory that grows by less than {GROWTH_KIB} KiB");
        ensure(grown < GROWTH_KIB, expected, format!("{grown} KiB more"))?;
    }
    recovers(&mut engine)
}

fn binary_noise(ctx: &Context<'_>) -> StepResult {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut pieces = Vec::new();
    for _ in 0..8 {
        let mut piece = vec![0; 8192];
        rng.fill_bytes(&mut piece);
        piece.push(b'\n');
        pieces.push(piece);
    }
    survives(ctx, pieces)
}

/// Words of the protocol in any order, without `quit`, which an engine would be right to obey.
const WORDS: &str = "go depth infinite movetime -1 0 1 position startpos fen moves a1a2 query p1turn gameover \
    result setoption name value Hash Game stop ponderhit ugi searchmoves 99999999999 @ x / \
    perft undo move draw next legal";

fn word_salad(ctx: &Context<'_>) -> StepResult {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let known: Vec<&str> = WORDS.split_whitespace().collect();
    let mut engine = ctx.set_up()?;
    for _ in 0..300 {
        let length = 1 + rng.next_u32() as usize % 6;
        let words: Vec<&str> =
            (0..length).map(|_| known[rng.next_u32() as usize % known.len()]).collect();
        // A randomly chosen game would change what the start position is.
        if words.first() != Some(&"setoption") {
            engine.send(&words.join(" "))?;
            engine.send("stop")?;
        }
    }
    engine.sync()?;
    recovers(&mut engine)
}

fn noise_while_searching(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.at_start()?;
    engine.send("go infinite")?;
    for noise in [&b"\xff\xfe\xfd\n"[..], b"frobnicate\n", b"\0\0\0\n", b"query\n", b"\n\n\n"] {
        engine.send_bytes(noise.to_vec(), &format!("{:?}", String::from_utf8_lossy(noise)))?;
        let lines = engine.sync()?;
        let searching = lines.iter().all(|line| first_word(line) != "bestmove");
        if !searching && !ctx.has(LEAP) {
            return skip("the engine ends an infinite search by itself, as UGI 1.0 allows");
        }
        ensure(searching, "no 'bestmove' before 'stop'", lines.join(" | "))?;
    }
    engine.stop()?;
    recovers(&mut engine)
}

fn numbers_refused(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    let before = view(&mut engine)?;
    for command in [
        "go depth 99999999999999999999",
        "go nodes 18446744073709551616",
        "go movetime -1",
        "go mate 4294967296",
        "go p1time 9223372036854775808 p2time 1",
    ] {
        engine.refused(command, &[ErrorCode::OutOfRange])?;
    }
    let after = view(&mut engine)?;
    ensure(before == after, before, after)
}
