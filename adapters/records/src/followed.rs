//! The games of a session, reconstructed from the commands of its client.

use std::collections::BTreeMap;
use std::mem::take;

use leap_protocol::{Command, Start};
use leap_transcript::{Entry, Sent, Transcript};

use super::stored::StoredGame;

/// A session, as far as it has been followed.
#[derive(Debug, Default)]
pub(super) struct Session {
    /// The game that the last command has ended. A command ends at most one.
    ended: Option<StoredGame>,
    /// The options in force, by their names in lower case.
    options: BTreeMap<String, (String, String)>,
    /// The id of the game in play.
    id: Option<String>,
    start: Option<String>,
    start_line: Option<usize>,
    moves: Vec<String>,
    move_lines: Vec<usize>,
    ply: usize,
    line: usize,
    /// Whether a position was set up.
    is_begun: bool,
}

impl Session {
    /// The games of a transcript in which something was played or set up, in order.
    ///
    /// Moves that the engine refused are included. An engine tries the moves later.
    pub(super) fn games<E>(
        entries: impl Iterator<Item = Result<Entry, E>>,
    ) -> impl Iterator<Item = Result<StoredGame, E>> {
        let mut session = Self::default();
        let followed = entries.map(Some).chain([None]).zip(0..);
        followed.filter_map(move |(entry, index)| {
            match entry {
                Some(Ok(entry)) => session.enter(entry, Transcript::line_of(index)),
                Some(Err(error)) => return Some(Err(error)),
                None => session.end(),
            }
            session.ended.take().map(Ok)
        })
    }

    fn enter(&mut self, entry: Entry, line: usize) {
        match entry {
            Entry::Game(id) => self.id = Some(id),
            Entry::Option { name, value } => self.set(&name, value.as_deref()),
            Entry::Sent(Sent::Line(text)) => {
                if let Ok(Some(command)) = Command::parse(&text) {
                    self.follow(command, line);
                }
            }
            _ => {}
        }
    }

    fn follow(&mut self, command: Command, line: usize) {
        match command {
            Command::SetOption { name, value } => {
                self.set(&name, value.as_deref());
                if name.eq_ignore_ascii_case("Game") {
                    self.end();
                    self.id = value;
                }
            }
            Command::NewGame(_) => self.end(),
            Command::Position { start, moves } => {
                let start = match start {
                    Start::StartPos => None,
                    Start::Fen(text) => Some(text),
                };
                self.set_up(start, moves, line);
            }
            Command::Move(moves) => {
                self.begin(line);
                moves.into_iter().for_each(|mv| self.play(mv, line));
            }
            Command::Undo(count) => {
                self.ply = self.ply.saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
            }
            _ => {}
        }
    }

    fn set(&mut self, name: &str, value: Option<&str>) {
        if name.eq_ignore_ascii_case("Game") {
            return;
        }
        if let Some(value) = value {
            let option = (name.to_owned(), value.to_owned());
            self.options.insert(name.to_lowercase(), option);
        }
    }

    /// Sets up a position and the moves that lead to it. The game goes on if its moves begin with these moves, or if
    /// the first move is the same.
    fn set_up(&mut self, start: Option<String>, moves: Vec<String>, line: usize) {
        let is_back = self.moves.starts_with(&moves);
        let is_same = start == self.start
            && (is_back || self.moves.is_empty() || self.moves.first() == moves.first());
        if !is_same {
            self.end();
            self.start_line = start.as_ref().map(|_| line);
            self.start = start;
        }
        self.begin(line);
        self.ply = moves.len();
        if !(is_same && is_back) {
            let known = self.moves.iter().zip(&moves).take_while(|(old, new)| old == new).count();
            self.move_lines.truncate(known);
            self.move_lines.resize(moves.len(), line);
            self.moves = moves;
        }
    }

    fn play(&mut self, mv: String, line: usize) {
        if self.moves.get(self.ply) != Some(&mv) {
            self.moves.truncate(self.ply);
            self.moves.push(mv);
            self.move_lines.truncate(self.ply);
            self.move_lines.push(line);
        }
        self.ply += 1;
    }

    fn begin(&mut self, line: usize) {
        if !self.is_begun {
            (self.is_begun, self.line) = (true, line);
        }
    }

    /// Ends the game in play. Keeps the game if something was played or set up.
    fn end(&mut self) {
        let (start, moves) = (self.start.take(), take(&mut self.moves));
        let (start_line, move_lines) = (self.start_line.take(), take(&mut self.move_lines));
        let ply = take(&mut self.ply);
        let is_begun = take(&mut self.is_begun);
        if is_begun && (start.is_some() || !moves.is_empty()) {
            self.ended = Some(StoredGame {
                line: self.line,
                id: self.id.clone(),
                start,
                moves,
                ply,
                start_line,
                move_lines,
                options: self.options.values().cloned().collect(),
                record: None,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(lines: &str) -> Vec<StoredGame> {
        let text = format!("ugt 1\n{lines}");
        Session::games(Transcript::parse_each(&text).unwrap()).collect::<Result<_, _>>().unwrap()
    }

    fn line(game: &StoredGame) -> String {
        let id = game.id.as_deref().unwrap_or("-");
        format!(
            "{id} {} {} {}",
            game.start.as_deref().unwrap_or("startpos"),
            game.moves.join(" "),
            game.ply
        )
    }

    fn lines(text: &str) -> Vec<String> {
        games(text).iter().map(line).collect()
    }

    #[test]
    fn a_game_is_followed_through_moves_made_taken_back_and_made_again() {
        assert_eq!(
            lines("> position startpos moves a b\n> move c d\n> undo 3\n> move b\n"),
            ["- startpos a b c d 2"]
        );
        assert_eq!(
            lines("> position startpos moves a b\n> undo\n> move c\n"),
            ["- startpos a c 2"]
        );
        // Some programs send the whole game each time.
        let runner =
            "> position startpos\n> position startpos moves a\n> position startpos moves a b\n";
        assert_eq!(lines(runner), ["- startpos a b 2"]);
        assert_eq!(lines(&format!("{runner}> position startpos\n")), ["- startpos a b 0"]);
        assert_eq!(
            lines(&format!("{runner}> position startpos moves a c\n")),
            ["- startpos a c 2"]
        );
    }

    #[test]
    fn new_games_new_starts_and_new_first_moves_are_other_games() {
        let first = "> position startpos moves a\n";
        for next in [
            "> uginewgame\n> position startpos moves a\n",
            "> ucinewgame\n> move a\n",
            "> setoption name game value sapos\n> move a\n",
            "> position fen 8/8 1 moves a\n",
            "> position startpos moves b\n",
        ] {
            assert_eq!(games(&format!("{first}{next}")).len(), 2, "{next}");
        }
        assert_eq!(lines(first), ["- startpos a 1"]);
        assert_eq!(lines("> uginewgame\n> position startpos\n> isready\n"), [""; 0]);
        assert_eq!(lines("> position fen 8/8 1\n"), ["- 8/8 1  0"]);
    }

    #[test]
    fn a_game_has_the_options_in_force_and_its_line() {
        let text = "game eximo\noption name MaxPlies value 9\noption name Clear Hash\n\
                    > setoption name maxplies value 8\n< readyok\n> move a\n> setoption name Game value sapos\n\
                    > position startpos moves b\n";
        let [first, second] = &games(text)[..] else { unreachable!("two games") };
        assert_eq!(first.options, [("maxplies".to_owned(), "8".to_owned())]);
        assert_eq!((first.line, first.id.as_deref()), (7, Some("eximo")));
        assert_eq!((second.line, second.id.as_deref()), (9, Some("sapos")));
    }

    #[test]
    fn every_move_and_position_text_has_the_line_on_which_it_was_sent() {
        let text = "> position fen 8/8 1\n> move a\n> position fen 8/8 1 moves a b c\n> undo 2\n> move b d\n";
        let [game] = &games(text)[..] else { unreachable!("one game") };
        assert_eq!((game.start_line, &game.move_lines[..]), (Some(2), &[3, 4, 6][..]));
        assert_eq!(game.moves, ["a", "b", "d"]);
    }
}
