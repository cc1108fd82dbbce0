//! The engine of one game: text in, values of the game inside.

use leap_protocol::{ErrorCode, ErrorReply, Query, Reply, Start};

use super::refusal::{bad_position, illegal_move};
use super::{Engine, Job, SearchRequest, answer, guide, jobs};
use crate::options::Settings;
use leap_core::Game;
use leap_core::notation::Notation;
use leap_games::Row;

/// The most moves of a game since it was set up (SPEC 3.15). The limit bounds the memory that a client can demand.
const MAX_MOVES: usize = 100_000;

/// An [`Engine`] for the rules `R`. Behind the trait nobody sees their types.
pub(super) struct Typed<R: Notation> {
    game: Game<R>,
}

impl<R: Row> Typed<R> {
    pub(super) fn new(settings: &Settings) -> Self {
        let rules = R::from(&settings.rules);
        let start = rules.start();
        Self { game: Game::new(rules, start) }
    }

    fn position(&self, start: &Start) -> Result<R::Position, ErrorReply> {
        let rules = self.game.rules();
        match start {
            Start::StartPos => Ok(rules.start()),
            Start::Fen(text) => rules.parse_position(text).map_err(|error| bad_position(&error)),
        }
    }
}

/// Makes the moves. On an error, the moves before it stay made.
fn push_all<R: Notation>(game: &mut Game<R>, moves: &[String]) -> Result<(), ErrorReply> {
    let count = game.moves().len() + moves.len();
    if count > MAX_MOVES {
        let text = format!("expected a game of at most {MAX_MOVES} moves, found {count}");
        return Err(ErrorReply::new(ErrorCode::OutOfRange, text));
    }
    for (i, text) in moves.iter().enumerate() {
        let mv = game
            .parse_move(text)
            .map_err(|illegal| illegal_move(R::GEOMETRY, i + 1, text, illegal))?;
        game.push(mv);
    }
    Ok(())
}

impl<R: Row> Engine for Typed<R> {
    fn start(&mut self) {
        let rules = self.game.rules().clone();
        let start = rules.start();
        self.game = Game::new(rules, start);
    }

    fn set_up(&mut self, start: &Start, moves: &[String]) -> Result<(), ErrorReply> {
        let mut game = Game::new(self.game.rules().clone(), self.position(start)?);
        push_all(&mut game, moves)?;
        self.game = game;
        Ok(())
    }

    fn play(&mut self, moves: &[String]) -> Result<(), ErrorReply> {
        let before = self.game.moves().len();
        push_all(&mut self.game, moves).inspect_err(|_| {
            let made = self.game.moves().len() - before;
            self.game.undo(made);
        })
    }

    fn undo(&mut self, count: u32) -> Result<(), ErrorReply> {
        if self.game.undo(count as usize) {
            return Ok(());
        }
        let made = self.game.moves().len();
        let text =
            format!("cannot take back {count}: the game has {made} moves since it was set up");
        Err(ErrorReply::new(ErrorCode::NothingToUndo, text))
    }

    fn change_rules(&mut self, settings: &Settings) -> Result<(), ErrorReply> {
        let first = self.game.positions()[0];
        let mut game = Game::new(R::from(&settings.rules), first);
        push_all(&mut game, &answer::history(&self.game))?;
        self.game = game;
        Ok(())
    }

    fn answer(&self, query: &Query) -> Result<Vec<Reply>, ErrorReply> {
        match query {
            Query::Rules(language) => guide::rules::<R>(language.as_deref()),
            Query::Problems => Ok(guide::problems::<R>()),
            query => answer::answer(&self.game, query),
        }
    }

    fn diagram(&self) -> Vec<Reply> {
        answer::diagram(&self.game)
    }

    fn values(&self, settings: &Settings) -> Reply {
        let tables = settings.tables_of(self.game.rules());
        Reply::Response(answer::values(&self.game, tables.as_deref()).to_string())
    }

    fn evaluation(&self, settings: &Settings) -> Reply {
        answer::evaluation(&self.game, &settings.eval_file.evaluator::<R>())
    }

    fn consider_draw(&self, settings: &Settings) -> Result<Reply, ErrorReply> {
        if !R::DRAW_BY_AGREEMENT {
            let text = format!("{} knows no draw by agreement", R::ID);
            return Err(ErrorReply::new(ErrorCode::NotInThisGame, text));
        }
        Ok(Reply::Draw { accept: jobs::accepts_draw(&self.game, settings) })
    }

    fn search(&self, request: SearchRequest<'_>) -> Result<Job, ErrorReply> {
        jobs::search(&self.game, request)
    }

    fn perft(&self, depth: u32) -> Job {
        jobs::perft(&self.game, depth)
    }
}
