//! The client's side: commands of UGI are read and answered.

use leap_protocol::{
    Command, Dialect, ErrorCode, ErrorReply, Go, IdKey, Line, OptionDecl, OptionKind, Query, Reply,
    Start,
};

use crate::fault::{Broken, Fault, bad_argument, not_here};
use crate::link::{Link, write};

/// An engine of another protocol.
pub(crate) trait Engine {
    /// Its process, and the client's lines.
    fn link(&mut self) -> &mut Link;
    /// The word that ends it.
    const QUIT: &str;
    /// Its name.
    fn name(&self) -> &str;
    /// The game that it plays.
    fn game(&self) -> &str;
    /// The options beside `Game`.
    fn options(&self) -> Vec<OptionDecl>;
    /// Sets one of these options.
    fn set(&mut self, name: &str, value: &str) -> Result<(), Fault>;
    /// Prepares another game.
    fn new_game(&mut self) -> Result<(), Fault>;
    /// The moves on the engine's board; `None` if it has to be set up first.
    fn played(&self) -> Option<&[String]>;
    /// Takes back what the engine has played beyond the first `common` moves, or sets the board up again.
    fn back_to(&mut self, common: usize) -> Result<(), Fault>;
    /// Makes the next move on the engine's board; `index` counts from 1.
    fn play(&mut self, index: usize, mv: &str) -> Result<(), Fault>;
    /// Lets the engine choose a move, or [`RESIGN`](leap_protocol::RESIGN); `None` if it says that the game is over.
    fn choose(&mut self, go: &Go) -> Result<Option<String>, Fault>;
    /// What is announced by `query protocol`, beside `games`, `game` and `history`.
    fn extensions(&self) -> &'static [&'static str];
    /// Answers another question; `None` where it stays without an answer.
    fn answer(&mut self, query: &Query) -> Result<Option<String>, Fault>;

    /// How many moves are on the engine's board.
    fn plies(&self) -> usize {
        self.played().map_or(0, <[String]>::len)
    }

    /// Goes to the position after these moves from the start: only what is new is sent. If it fails, the engine may be
    /// anywhere.
    fn go_to(&mut self, moves: &[String]) -> Result<(), Fault> {
        let played = self.played().unwrap_or_default();
        let common = played.iter().zip(moves).take_while(|(one, other)| one == other).count();
        self.back_to(common)?;
        let done = self.plies();
        moves.iter().enumerate().skip(done).try_for_each(|(index, mv)| self.play(index + 1, mv))
    }
}

/// The time left to the side that moves after so many moves, and its increment.
pub(crate) const fn own_clock(go: &Go, plies: usize) -> (Option<i64>, Option<i64>) {
    if plies.is_multiple_of(2) { (go.p1time, go.p1inc) } else { (go.p2time, go.p2inc) }
}

/// Answers the client until it says `quit`.
pub(crate) fn serve(engine: impl Engine) -> Result<(), Broken> {
    let mut bridge = Bridge { engine, moves: Vec::new(), dialect: Dialect::Ugi };
    let served = bridge.run();
    if matches!(served, Ok(()) | Err(Broken::Quit)) {
        bridge.quit();
    }
    served
}

struct Bridge<E> {
    engine: E,
    /// The moves of the position.
    moves: Vec<String>,
    dialect: Dialect,
}

impl<E: Engine> Bridge<E> {
    fn run(&mut self) -> Result<(), Broken> {
        while let Some(line) = self.engine.link().next_command() {
            match self.obey(line) {
                Ok(()) => {}
                Err(Fault::Refused(error)) => write(&error.to_string())?,
                Err(Fault::Broken(broken)) => return Err(broken),
            }
        }
        Ok(())
    }

    fn quit(&mut self) {
        self.engine.link().quit(E::QUIT);
    }

    fn obey(&mut self, line: Line) -> Result<(), Fault> {
        let line = match line {
            Line::Text(line) => line,
            Line::TooLong => {
                return Err(ErrorReply::new(ErrorCode::TooLong, "the line is too long").into());
            }
            Line::NotUtf8 => {
                return Err(ErrorReply::new(ErrorCode::NotUtf8, "the line is not UTF-8").into());
            }
        };
        match Command::parse_in(&line, self.dialect).map_err(ErrorReply::from)? {
            None | Some(Command::Debug(_) | Command::Stop | Command::PonderHit) => Ok(()),
            Some(Command::Hello(dialect)) => self.greet(dialect),
            Some(Command::IsReady) => Ok(write("readyok")?),
            Some(Command::Quit) => Err(Broken::Quit.into()),
            Some(Command::NewGame(_)) => {
                self.moves.clear();
                self.engine.new_game()
            }
            Some(Command::SetOption { name, value }) => self.set(&name, value.as_deref()),
            Some(Command::Position { start, moves }) => self.position(&start, moves),
            Some(Command::Move(moves)) => {
                self.go_to([&self.moves[..], &moves].concat(), self.moves.len())
            }
            Some(Command::Undo(count)) => self.undo(count),
            Some(Command::Go(go)) => self.go(&go),
            Some(Command::Query(query)) => self.query(&query),
            Some(Command::Perft(_) | Command::DrawOffer | Command::Eval | Command::Diagram) => {
                Err(not_here("the engine's protocol has no such command").into())
            }
        }
    }

    fn greet(&mut self, dialect: Dialect) -> Result<(), Fault> {
        self.dialect = dialect;
        let value = format!("{} by leap bridge", self.engine.name());
        let game = self.engine.game().to_owned();
        let combo = OptionKind::Combo { default: game.clone(), vars: vec![game] };
        let options =
            [vec![OptionDecl { name: "Game".to_owned(), kind: combo }], self.engine.options()];
        let options = options.into_iter().flatten().map(Reply::Option);
        for reply in [Reply::Id { key: IdKey::Name, value }].into_iter().chain(options) {
            write(&reply.to_string())?;
        }
        Ok(write(&Reply::HelloOk(dialect).to_string())?)
    }

    fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), Fault> {
        let value = value.unwrap_or_default();
        if name.eq_ignore_ascii_case("Game") {
            let game = self.engine.game();
            return match value.eq_ignore_ascii_case(game) {
                true => Ok(()),
                false => {
                    let text = format!("expected {game}, found another game");
                    Err(ErrorReply::new(ErrorCode::NoSuchGame, text).into())
                }
            };
        }
        let options = self.engine.options();
        let Some(option) = options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
        else {
            return Err(ErrorReply::new(
                ErrorCode::NoSuchOption,
                "expected an option of the engine",
            )
            .into());
        };
        if let OptionKind::Spin { min, max, .. } = option.kind {
            match value.parse::<i64>() {
                Ok(n) if (min..=max).contains(&n) => {}
                Ok(_) => {
                    let text = format!("expected a value from {min} to {max}");
                    return Err(ErrorReply::new(ErrorCode::OutOfRange, text).into());
                }
                Err(_) => return Err(bad_argument("expected a whole number").into()),
            }
        }
        self.engine.set(&option.name, value)
    }

    fn position(&mut self, start: &Start, moves: Vec<String>) -> Result<(), Fault> {
        match start {
            Start::StartPos => self.go_to(moves, 0),
            Start::Fen(_) => {
                let text = "the engine's protocol has no position texts: games begin at 'startpos'";
                let reply = ErrorReply::new(ErrorCode::BadPosition, text);
                Err(reply.with("field", "board").with("column", 1).into())
            }
        }
    }

    /// Goes to these moves. In the error of an illegal move, moves are counted after the first `before`.
    fn go_to(&mut self, moves: Vec<String>, before: usize) -> Result<(), Fault> {
        match self.engine.go_to(&moves) {
            Ok(()) => {
                self.moves = moves;
                Ok(())
            }
            Err(Fault::Refused(mut error)) => {
                let index = error.fields.iter_mut().find(|(key, _)| key == "index");
                if let Some((_, index)) = index {
                    *index =
                        index.parse().map_or(0, |at: usize| at.saturating_sub(before)).to_string();
                }
                Err(error.into())
            }
            broken => broken,
        }
    }

    fn undo(&mut self, count: u32) -> Result<(), Fault> {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let Some(left) = self.moves.len().checked_sub(count) else {
            let text = format!("expected at most {}, found {count}", self.moves.len());
            return Err(ErrorReply::new(ErrorCode::NothingToUndo, text).into());
        };
        self.go_to(self.moves[..left].to_vec(), 0)
    }

    fn go(&mut self, go: &Go) -> Result<(), Fault> {
        if go.ponder || !go.searchmoves.is_empty() || go.mate.is_some() {
            return Err(
                not_here("the engine's protocol knows no ponder, searchmoves and mate").into()
            );
        }
        // An earlier position may have been refused, and an earlier move of the engine may not have been played.
        self.engine.go_to(&self.moves)?;
        let link = self.engine.link();
        (link.is_searching, link.is_stopped) = (true, false);
        let chosen = self.engine.choose(go);
        self.engine.link().is_searching = false;
        let mv = chosen?;
        if mv.is_none() {
            write("info string the engine says that the game is over")?;
        }
        let best = Reply::BestMove { mv, ponder: None, id: go.id.clone() };
        Ok(write(&best.to_string())?)
    }

    fn query(&mut self, query: &Query) -> Result<(), Fault> {
        // An answer is about the position of the client.
        self.engine.go_to(&self.moves)?;
        let answer = match query {
            Query::Protocol => {
                let words = [&["leap 2.1 games game history"], self.engine.extensions()].concat();
                Some(words.join(" "))
            }
            Query::Games => Some(self.engine.game().to_owned()),
            Query::P1Turn => Some(self.moves.len().is_multiple_of(2).to_string()),
            Query::History => {
                Some([vec![self.moves.len().to_string()], self.moves.clone()].concat().join(" "))
            }
            query => self.engine.answer(query)?,
        };
        answer.map_or(Ok(()), |answer| Ok(write(&Reply::Response(answer).to_string())?))
    }
}
