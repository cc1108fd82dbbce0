//! Who says which moves are legal and when a game is over: an engine that does nothing else, or both players together.

use leap_protocol::payload::{GameResult, Player, Status, YesNo};
use leap_protocol::{ErrorCode, ErrorReply, Query};

use super::engine::{Engine, Trouble};
use crate::terminal::shown;
use crate::tournament::events::Reason;

/// How a game stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct View {
    /// `GameResult::None` while the game goes on.
    pub(crate) result: GameResult,
    /// Why the game is over, in the referee's word.
    pub(crate) rule: Option<String>,
    /// Who is to move.
    pub(crate) turn: Player,
    /// The position text.
    pub(crate) fen: Option<String>,
}

/// What becomes of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It has been made, and the game stands so.
    Made(View),
    /// It is not legal, for this reason.
    Illegal(String),
    /// The players do not agree.
    Disagree(String),
}

/// The line of play that is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Play {
    /// The `position` command.
    pub(crate) position: String,
    /// Moves in it.
    pub(crate) plies: u64,
}

impl Play {
    pub(crate) fn new(fen: Option<&str>, moves: &[String]) -> Play {
        let mut position = match fen {
            Some(fen) => format!("position fen {fen}"),
            None => "position startpos".to_owned(),
        };
        if !moves.is_empty() {
            position += " moves ";
            position += &moves.join(" ");
        }
        Play { position, plies: moves.len() as u64 }
    }

    /// The same with a move added.
    pub(crate) fn push(&mut self, mv: &str) {
        self.position.push_str(if self.plies == 0 { " moves " } else { " " });
        self.position.push_str(mv);
        self.plies += 1;
    }

    pub(crate) fn with(&self, mv: &str) -> Play {
        let mut play = self.clone();
        play.push(mv);
        play
    }
}

impl Engine {
    /// As a referee: puts a position up.
    pub(crate) fn begin(&mut self, play: &Play) -> Result<View, Trouble> {
        match self.view(&play.position)? {
            Ok(view) => Ok(view),
            Err(error) => Err(referee(format!("the referee refuses the opening: {error}"))),
        }
    }

    /// As a referee: judges a move, and makes it. `play` is the line before it.
    pub(crate) fn judge(&mut self, play: &Play, mv: &str) -> Result<Verdict, Trouble> {
        let command = if self.has("move") { format!("move {mv}") } else { play.with(mv).position };
        Ok(match self.view(&command)? {
            Ok(view) => Verdict::Made(view),
            Err(error) if error.code == ErrorCode::IllegalMove => {
                Verdict::Illegal(shown(&error.to_string()))
            }
            // The move's text is no word of the protocol.
            Err(error) => Verdict::Illegal(shown(&error.to_string())),
        })
    }

    /// How the game stands after a command.
    fn view(&mut self, command: &str) -> Result<Result<View, ErrorReply>, Trouble> {
        let status = self.has("status");
        let mut questions = match status {
            true => vec![Query::Status],
            false => vec![Query::GameOver, Query::Result, Query::P1Turn],
        };
        if self.has("fen") {
            questions.push(Query::Fen);
        }
        let answers = match self.ask(command, &questions)? {
            Ok(answers) => answers,
            Err(error) => return Ok(Err(error)),
        };
        let fen = self.has("fen").then(|| answers.last().cloned()).flatten();
        let view = if status { by_status(&answers[0]) } else { by_questions(&answers) };
        match view {
            Some(view) => Ok(Ok(View { fen, ..view })),
            None => Err(referee(format!("the referee does not make sense: {answers:?}"))),
        }
    }

    /// As a player that is asked for its opinion: how the game stands, `None` where it does not say.
    pub(crate) fn opinion(
        &mut self,
        play: &Play,
    ) -> Result<Result<Option<View>, ErrorReply>, Trouble> {
        let questions = [Query::GameOver, Query::Result, Query::P1Turn];
        let questions = questions.map(|question| question.to_string()).join("\n");
        let (answers, refusal) = self.ask_if(&format!("{}\n{questions}", play.position))?;
        Ok(match refusal {
            Some(error) => Err(error),
            None => Ok(by_questions(&answers)),
        })
    }
}

impl Engine {
    /// As a player that is asked how a game has come out: its word in the shape of [`claim`], or its error; `None` if it
    /// is not one to be asked.
    pub(crate) fn claim(&mut self, play: &Play) -> Result<Option<String>, Trouble> {
        if !self.answers() {
            return Ok(None);
        }
        let questions = format!("{}\n{}\n{}", play.position, Query::GameOver, Query::Result);
        let (answers, refusal) = self.ask_if(&questions)?;
        if let Some(error) = refusal {
            return Ok(Some(shown(&error.to_string())));
        }
        Ok(match &answers[..] {
            [] => None,
            [over, result] => Some(match (over.parse(), result.parse()) {
                (Ok(YesNo(over)), Ok(result)) => claim(over, result),
                _ => shown(&answers.join(" / ")),
            }),
            _ => Some(shown(&answers.join(" / "))),
        })
    }
}

/// What a player says of a game.
pub(crate) fn claim(over: bool, result: GameResult) -> String {
    format!("over {over} result {result}")
}

pub(crate) fn referee(text: String) -> Trouble {
    Trouble::new(Reason::Referee, shown(&text))
}

fn by_status(answer: &str) -> Option<View> {
    let Status { over, result, reason, turn, .. } = answer.parse().ok()?;
    let rule = over.then_some(reason);
    // Whoever says that it is over must say how it came out.
    (over == (result != GameResult::None)).then_some(View { result, rule, turn, fen: None })
}

fn by_questions(answers: &[String]) -> Option<View> {
    let [over, result, p1turn, ..] = answers else { return None };
    let (YesNo(over), YesNo(p1turn)) = (over.parse().ok()?, p1turn.parse().ok()?);
    let result: GameResult = result.parse().ok()?;
    let turn = if p1turn { Player::P1 } else { Player::P2 };
    (over == (result != GameResult::None)).then_some(View { result, rule: None, turn, fen: None })
}

/// Without a referee: both players are asked how the game stands.
pub(crate) fn agree(players: &mut [Engine; 2], play: &Play) -> Result<Verdict, (usize, Trouble)> {
    let mut opinions = Vec::new();
    for (side, player) in players.iter_mut().enumerate() {
        let opinion = player.opinion(play).map_err(|trouble| (side, trouble))?;
        opinions.push(opinion);
    }
    let say = |opinion: &Result<Option<View>, ErrorReply>| match opinion {
        Ok(Some(view)) => {
            format!("result {}, {} to move", view.result, view.turn)
        }
        Ok(None) => "nothing that makes sense".to_owned(),
        Err(error) => shown(&error.to_string()),
    };
    Ok(match &opinions[..] {
        [Ok(Some(a)), Ok(Some(b))] if a == b => Verdict::Made(a.clone()),
        [a, b] => Verdict::Disagree(format!("p1 says '{}', p2 says '{}'", say(a), say(b))),
        _ => Verdict::Disagree("nobody says anything".to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_play_grows_as_the_command_is_written() {
        let mut play = Play::new(None, &[]);
        assert_eq!(play.position, "position startpos");
        play.push("a1a2");
        play.push("b1b2");
        let moves = ["a1a2", "b1b2"].map(str::to_owned);
        assert_eq!(play, Play::new(None, &moves));
        assert_eq!(
            Play::new(Some("8 1 - 0 0"), &[]).with("x").position,
            "position fen 8 1 - 0 0 moves x"
        );
    }

    #[test]
    fn an_answer_that_contradicts_itself_is_none() {
        let words = |words: [&str; 3]| by_questions(&words.map(str::to_owned));
        assert_eq!(words(["true", "p1win", "false"]).unwrap().result, GameResult::P1Win);
        assert_eq!(words(["false", "p1win", "false"]), None);
        assert_eq!(words(["true", "none", "false"]), None);
        let status = "over true result draw reason repetition turn p1 ply 9 quiet 0 repetitions 3";
        assert_eq!(by_status(status).unwrap().rule.as_deref(), Some("repetition"));
    }
}
