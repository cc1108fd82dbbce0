//! The engine of one game: text in, values of the game inside.

use leap_protocol::{ErrorCode, ErrorReply, Query, Reply, Start};

use super::refusal::{bad_position, illegal_move};
use super::{Engine, Job, SearchRequest, answer, guide, jobs};
use crate::options::Settings;
use leap_core::notation::Notation;
use leap_core::record::Record;
use leap_games::Row;

/// The most moves of a game since it was set up (SPEC 3.15). The limit bounds the memory that a client can demand.
const MAX_MOVES: usize = 100_000;

/// An [`Engine`] for the rules `G`. Behind the trait nobody sees their types.
pub(super) struct Typed<G: Notation> {
    record: Record<G>,
}

impl<G: Row> Typed<G> {
    pub(super) fn new(settings: &Settings) -> Self {
        let game = G::from(&settings.rules);
        let start = game.start();
        Self { record: Record::new(game, start) }
    }

    fn position(&self, start: &Start) -> Result<G::Position, ErrorReply> {
        let game = self.record.game();
        match start {
            Start::StartPos => Ok(game.start()),
            Start::Fen(text) => game.parse_position(text).map_err(|error| bad_position(&error)),
        }
    }
}

/// Makes the moves. On an error, the moves before it stay made.
fn push_all<G: Notation>(record: &mut Record<G>, moves: &[String]) -> Result<(), ErrorReply> {
    let count = record.moves().len() + moves.len();
    if count > MAX_MOVES {
        let text = format!("expected a game of at most {MAX_MOVES} moves, found {count}");
        return Err(ErrorReply::new(ErrorCode::OutOfRange, text));
    }
    for (i, text) in moves.iter().enumerate() {
        let mv =
            record.resolve(text).map_err(|illegal| illegal_move(G::BOARD, i + 1, text, illegal))?;
        record.push(mv);
    }
    Ok(())
}

impl<G: Row> Engine for Typed<G> {
    fn start(&mut self) {
        let game = self.record.game().clone();
        let start = game.start();
        self.record = Record::new(game, start);
    }

    fn set_up(&mut self, start: &Start, moves: &[String]) -> Result<(), ErrorReply> {
        let mut record = Record::new(self.record.game().clone(), self.position(start)?);
        push_all(&mut record, moves)?;
        self.record = record;
        Ok(())
    }

    fn play(&mut self, moves: &[String]) -> Result<(), ErrorReply> {
        let before = self.record.moves().len();
        push_all(&mut self.record, moves).inspect_err(|_| {
            let made = self.record.moves().len() - before;
            self.record.undo(made);
        })
    }

    fn undo(&mut self, count: u32) -> Result<(), ErrorReply> {
        if self.record.undo(count as usize) {
            return Ok(());
        }
        let made = self.record.moves().len();
        let text =
            format!("cannot take back {count}: the game has {made} moves since it was set up");
        Err(ErrorReply::new(ErrorCode::NothingToUndo, text))
    }

    fn change_rules(&mut self, settings: &Settings) -> Result<(), ErrorReply> {
        let first = self.record.positions()[0];
        let mut record = Record::new(G::from(&settings.rules), first);
        push_all(&mut record, &answer::history(&self.record))?;
        self.record = record;
        Ok(())
    }

    fn answer(&self, query: &Query) -> Result<Vec<Reply>, ErrorReply> {
        match query {
            Query::Rules(language) => guide::rules::<G>(language.as_deref()),
            Query::Problems => Ok(guide::problems::<G>()),
            query => answer::answer(&self.record, query),
        }
    }

    fn diagram(&self) -> Vec<Reply> {
        answer::diagram(&self.record)
    }

    fn values(&self, settings: &Settings) -> Reply {
        let tables = settings.tables_of(self.record.game());
        Reply::Response(answer::values(&self.record, tables.as_deref()).to_string())
    }

    fn evaluation(&self, settings: &Settings) -> Reply {
        answer::evaluation(&self.record, &settings.eval_file.evaluator::<G>())
    }

    fn consider_draw(&self, settings: &Settings) -> Result<Reply, ErrorReply> {
        if !G::DRAW_BY_AGREEMENT {
            let text = format!("{} knows no draw by agreement", G::ID);
            return Err(ErrorReply::new(ErrorCode::NotInThisGame, text));
        }
        Ok(Reply::Draw { accept: jobs::accepts_draw(&self.record, settings) })
    }

    fn search(&self, request: SearchRequest<'_>) -> Result<Job, ErrorReply> {
        jobs::search(&self.record, request)
    }

    fn perft(&self, depth: u32) -> Job {
        jobs::perft(&self.record, depth)
    }
}
