//! A small engine: UGI outside, the search of the crate minimax inside.

use std::cell::Cell;
use std::io::{BufRead as _, stdin};
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow};
use leap_core::{Game, GameResult, Position as _, RulesExt as _, Side};
use leap_search::Playable;
use leap_search::eval::Evaluator as _;
use minimax::{
    Evaluation, Evaluator, IterativeOptions, IterativeSearch, ParallelOptions, ParallelSearch,
    Strategy, Winner,
};

/// The memory of the transposition table. It is what leapd takes by default.
const TABLE_BYTES: usize = 16 << 20;

thread_local! {
    /// The moves that this thread has made in searches: every node but the root, in quiescence search too. This is how
    /// leapd counts.
    static NODES: Cell<u64> = const { Cell::new(0) };
}

/// The rules as minimax sees them.
struct Peer<R>(PhantomData<R>);

impl<R: Playable> minimax::Game for Peer<R> {
    type S = R::Position;
    type M = R::Move;

    fn generate_moves(position: &R::Position, moves: &mut Vec<R::Move>) -> Option<Winner> {
        let before = moves.len();
        R::default().candidates(position, moves);
        if moves.len() == before { Self::get_winner(position) } else { None }
    }

    fn apply(position: &mut R::Position, mv: R::Move) -> Option<R::Position> {
        NODES.with(|nodes| nodes.set(nodes.get() + 1));
        Some(R::default().after(position, mv))
    }

    fn get_winner(position: &R::Position) -> Option<Winner> {
        let outcome = R::default().outcome(position)?;
        Some(match outcome.result {
            GameResult::Draw => Winner::Draw,
            GameResult::Win(side) if side == position.side() => Winner::PlayerToMove,
            GameResult::Win(_) => Winner::PlayerJustMoved,
        })
    }

    fn zobrist_hash(position: &R::Position) -> u64 {
        position.key()
    }

    fn table_index(mv: R::Move) -> u16 {
        let (from, to) = R::from_to(mv);
        (from.index() * R::GEOMETRY.squares() + to.index()) as u16
    }

    fn max_table_index() -> u16 {
        (R::GEOMETRY.squares() * R::GEOMETRY.squares()) as u16
    }
}

/// The evaluation of the game.
struct Value<R: Playable> {
    evaluator: R::Evaluator,
    /// Whether it knows the wins with the next move that leapd's search asks the game for.
    knows_wins: bool,
}

impl<R: Playable> Clone for Value<R> {
    fn clone(&self) -> Self {
        Self { evaluator: self.evaluator.clone(), ..*self }
    }
}

impl<R: Playable> Evaluator for Value<R> {
    type G = Peer<R>;

    fn evaluate(&self, position: &R::Position) -> Evaluation {
        let rules = R::default();
        if self.knows_wins && rules.wins_next(position, position.side()) {
            return Winner::PlayerToMove.evaluate() - 1;
        }
        self.evaluator.evaluate(&rules, position) as Evaluation
    }

    fn generate_noisy_moves(&self, position: &R::Position, moves: &mut Vec<R::Move>) {
        let _ = R::default().visit_captures(position, |mv| {
            moves.push(mv);
            ControlFlow::Continue(())
        });
    }
}

/// Plays with these threads, plies of quiescence search, and 1 for an evaluation that knows wins with the next move.
///
/// Answers `position startpos` or `position fen` and `go movetime` or `go depth`.
pub fn run<R: Playable>(arguments: &[&str]) -> Result<()> {
    let number =
        |index: usize, default| arguments.get(index).map_or(Ok(default), |word| word.parse());
    let (threads, quiescence) = (number(0, 1)?, number(1, 12)?);
    let value = Value::<R> { evaluator: R::Evaluator::default(), knows_wins: number(2, 1)? != 0 };
    let options = IterativeOptions::new()
        .with_table_byte_size(TABLE_BYTES)
        .with_quiescence_search_depth(quiescence as u8)
        .with_countermoves()
        .with_countermove_history();
    let mut options = options;
    options.verbose = std::env::var_os("VERBOSE").is_some();
    let mut search: Box<dyn Strategy<Peer<R>>> = if threads > 1 {
        let parallel = ParallelOptions::new().with_num_threads(threads);
        Box::new(ParallelSearch::new(value, options, parallel))
    } else {
        Box::new(IterativeSearch::new(value, options))
    };
    let mut game = Game::start(R::default());
    for line in stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["ugi", ..] => println!("id name minimax 0.6\nid author edre\nugiok"),
            ["isready", ..] => println!("readyok"),
            ["uginewgame", ..] => game = Game::start(R::default()),
            ["position", ref rest @ ..] => game = position(rest)?,
            ["go", "movetime", millis, ..] => {
                search.set_timeout(Duration::from_millis(millis.parse()?));
                answer(&game, &mut *search)?;
            }
            ["go", "depth", depth, ..] => {
                search.set_max_depth(depth.parse()?);
                answer(&game, &mut *search)?;
            }
            ["query", what] => query(&game, what),
            ["quit", ..] => return Ok(()),
            _ => println!("error unknown-command : expected position, go or quit, found {line:?}"),
        }
    }
    Ok(())
}

fn position<R: Playable>(words: &[&str]) -> Result<Game<R>> {
    let moves = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let (start, moves) = words.split_at(moves);
    let rules = R::default();
    let mut game = match start {
        ["fen", text @ ..] => {
            let position =
                rules.parse_position(&text.join(" ")).map_err(|error| anyhow!("{error}"))?;
            Game::new(rules, position)
        }
        _ => Game::start(rules),
    };
    for text in moves.iter().skip(1) {
        let mv = game.parse_move(text).map_err(|illegal| anyhow!("{text}: {illegal:?}"))?;
        game.push(mv);
    }
    Ok(game)
}

/// Answers the three queries that a referee asks of every engine.
fn query<R: Playable>(game: &Game<R>, what: &str) {
    let result = game.outcome().map(|outcome| outcome.result);
    match what {
        "p1turn" => println!("response {}", game.current().side() == Side::One),
        "gameover" => println!("response {}", result.is_some()),
        _ => {
            let text = match result {
                None => "none",
                Some(GameResult::Draw) => "draw",
                Some(GameResult::Win(Side::One)) => "p1win",
                Some(GameResult::Win(Side::Two)) => "p2win",
            };
            println!("response {text}");
        }
    }
}

/// Searches, and answers the move. With one thread, the nodes are those of the whole search.
fn answer<R: Playable>(game: &Game<R>, search: &mut dyn Strategy<Peer<R>>) -> Result<()> {
    let (begun, before) = (Instant::now(), NODES.get());
    // The search has no move where its time ends before its first iteration.
    let first = || game.rules().legal_moves(game.current()).into_iter().next();
    let mv = search.choose_move(game.current()).or_else(first).context("the game is over")?;
    let (time, nodes) = (begun.elapsed(), NODES.get() - before);
    let nps = (nodes as f64 / time.as_secs_f64()) as u64;
    let text = game.rules().print_move(game.current(), mv);
    println!("info nodes {nodes} nps {nps} time {} pv {text}", time.as_millis());
    println!("bestmove {text}");
    Ok(())
}
