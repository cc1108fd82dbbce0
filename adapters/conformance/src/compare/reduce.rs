//! Reducing a difference to the shortest line of play that shows it.

use leap_base::terminal::Progress;

use super::{Difference, EnginePair, LineOfPlay};

/// Questions that a reduction may ask, so that it ends in reasonable time even with slow engines and long games.
const TRIES: usize = 600;

/// The questions that are left, which people may have to wait for.
struct Tries {
    left: usize,
    progress: Progress,
}

impl Tries {
    /// Takes one question off the count; `None` if none is left.
    fn take(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        self.progress.at((TRIES - self.left) as u64, "looking for the shortest line that differs");
        Some(())
    }
}

/// Shortens the line of play. The latest position is tried first, set up by its text. If that does not show the
/// difference, moves are removed. A difference that cannot be reproduced is returned as it was found.
pub(super) fn shortest(pair: &mut EnginePair, difference: Difference) -> Difference {
    let mut tries = Tries { left: TRIES, progress: Progress::new("tries", None, 0, false) };
    let best = latest_start(pair, &difference, &mut tries).unwrap_or(difference);
    without_moves(pair, best, &mut tries)
}

/// Asks the same question at the end of another line.
fn again(
    pair: &mut EnginePair,
    line: &LineOfPlay,
    like: &Difference,
    tries: &mut Tries,
) -> Option<Difference> {
    tries.take()?;
    let found = if like.question.starts_with("position ") {
        // The last move of the question is the one that only one engine accepts.
        let last =
            like.question.split(' ').next_back().filter(|_| like.question.contains(" moves "));
        pair.set(line)
            .is_none()
            .then(|| pair.set(&last.map_or(line.clone(), |mv| line.with(mv))))?
    } else if like.question.starts_with("perft ") {
        super::divide::compare(pair, line, 1).ok()?
    } else {
        pair.set(line).is_none().then(|| pair.ask(line, &like.question).err())?
    };
    found.map(|found| *found)
}

/// Tries the positions along the line as starts, latest first.
fn latest_start(
    pair: &mut EnginePair,
    found: &Difference,
    tries: &mut Tries,
) -> Option<Difference> {
    if !pair.a.has("fen") {
        return None;
    }
    let LineOfPlay { game, fen, moves } = &found.line;
    // The distances grow exponentially: most differences depend on the position alone, the rest need some history.
    let mut back = 0;
    while back <= moves.len() {
        let (before, after) = moves.split_at(moves.len() - back);
        let prefix = LineOfPlay { game: game.clone(), fen: fen.clone(), moves: before.to_vec() };
        pair.a.set(&prefix).ok()?;
        let fen = pair.a.say("query fen").strip_prefix("response ")?.to_owned();
        let line = LineOfPlay { game: game.clone(), fen: Some(fen), moves: after.to_vec() };
        if let Some(shown) = again(pair, &line, found, tries) {
            return Some(shown);
        }
        back = if back < 16 { back + 1 } else { back * 2 };
    }
    None
}

/// Removes ranges of moves, long ones first, while both engines accept the rest and the difference remains.
fn without_moves(pair: &mut EnginePair, mut best: Difference, tries: &mut Tries) -> Difference {
    let mut length = best.line.moves.len();
    while length > 0 {
        let mut from = 0;
        while from + length <= best.line.moves.len() {
            let mut line = best.line.clone();
            line.moves.drain(from..from + length);
            match again(pair, &line, &best, tries) {
                Some(shown) => best = shown,
                None => from += 1,
            }
        }
        length /= 2;
    }
    best
}
