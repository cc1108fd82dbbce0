//! Moves that are entered by looking them up.

use std::rc::Rc;

use super::{GameReason, IllegalMove, MoveEffect, Notation, PartialMove, Reason, Step, Steps};
use crate::{Game, Position, Rules, RulesExt, Side, Square};

/// The [`PartialMove`] of a game with few moves: what may follow is looked up in the list of legal moves.
///
/// A game with this type of partial moves says nothing about how moves are entered. It is for games whose positions
/// have at most some hundreds of moves, each with one route. What a move does to the board is found by comparing the
/// boards before and after it.
///
/// ```text
/// type PartialMove<'a> = ListedMove<'a, Self>;
///
/// fn partial_move<'a>(&'a self, position: &'a Position, game: Option<&'a Game<Self>>) -> ListedMove<'a, Self> {
///     ListedMove::new(self, position, game)
/// }
/// ```
#[derive(Debug)]
pub struct ListedMove<'a, R: Rules> {
    rules: &'a R,
    position: &'a R::Position,
    moves: Rc<[(Steps, R::Move)]>,
    entered: Vec<Step>,
    explain: Explain<R>,
}

/// The pass is not legal now (SPEC 9.34).
pub const CANNOT_PASS: Reason =
    Reason::OfGame(&GameReason { code: "cannot-pass", text: "the rules allow no pass now" });

/// No piece can be put onto this square (SPEC 9.34).
pub const NOT_HERE: Reason =
    Reason::OfGame(&GameReason { code: "not-here", text: "no piece can be put onto this square" });

/// Says why no legal move goes on from some steps to a further one. `None` leaves the answer to [`ListedMove`].
pub type Explain<R> = fn(&R, &<R as Rules>::Position, &[Step], Step) -> Option<IllegalMove>;

impl<R: Rules> Clone for ListedMove<'_, R> {
    fn clone(&self) -> Self {
        Self { moves: Rc::clone(&self.moves), entered: self.entered.clone(), ..*self }
    }
}

impl<'a, R: Notation> ListedMove<'a, R> {
    /// A move with nothing entered. The arguments are those of [`Notation::partial_move`].
    #[must_use]
    pub fn new(rules: &'a R, position: &'a R::Position, history: Option<&Game<R>>) -> Self {
        let legal = history.map_or_else(|| rules.legal_moves(position), Game::legal_moves);
        let moves = legal.into_iter().map(|mv| (rules.route(position, mv), mv)).collect();
        Self { rules, position, moves, entered: Vec::new(), explain: |_, _, _, _| None }
    }

    /// The same with the game's own reasons for illegal moves.
    #[must_use]
    pub fn explained_by(self, explain: Explain<R>) -> Self {
        Self { explain, ..self }
    }

    /// The legal moves that begin with what was entered, each with the steps that are left.
    fn open(&self) -> impl Iterator<Item = (&[Step], R::Move)> {
        self.moves
            .iter()
            .filter_map(|(route, mv)| Some((route.0.strip_prefix(&*self.entered)?, *mv)))
    }

    fn illegal(&self, step: Step) -> IllegalMove {
        if let Some(illegal) = (self.explain)(self.rules, self.position, &self.entered, step) {
            return illegal;
        }
        let Some(square) = step.square() else { return IllegalMove::nowhere(CANNOT_PASS) };
        if !self.entered.is_empty() && self.steps().is_empty() {
            return IllegalMove::at(Reason::TurnEnded, square);
        }
        let reason = match step {
            Step::Remove(_) => Reason::NoRemoval,
            Step::Drop(_) => Reason::DropNotAllowed,
            _ if self.entered.is_empty() => self.illegal_first(square),
            _ if self.owner(square) == Some(Some(self.position.side())) => Reason::LandingOccupied,
            _ => Reason::NoSuchLine,
        };
        IllegalMove::at(reason, square)
    }

    /// Why no legal move begins with a square. Moves of one square put a piece there, the others move one away.
    fn illegal_first(&self, square: Square) -> Reason {
        let has = |is_placement: bool| {
            self.moves.iter().any(|(route, _)| (route.0.len() == 1) == is_placement)
        };
        let mover = Some(self.position.side());
        match self.owner(square) {
            None if has(true) => NOT_HERE,
            None => Reason::EmptySquare,
            Some(_) if !has(false) => Reason::LandingOccupied,
            Some(owner) if owner == mover => Reason::Blocked,
            Some(_) => Reason::NotYourPiece,
        }
    }

    /// Whose piece stands on a square. `None` if the square is empty, and `Some(None)` if the piece is nobody's.
    fn owner(&self, square: Square) -> Option<Option<Side>> {
        self.rules.piece(self.position, square).map(|piece| R::DIAGRAM.owner(piece))
    }
}

impl<R: Notation> PartialMove for ListedMove<'_, R> {
    type Move = R::Move;

    fn steps(&self) -> Vec<Step> {
        let mut steps: Vec<Step> =
            self.open().filter_map(|(left, _)| left.first().copied()).collect();
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    fn take(&mut self, step: Step) -> Result<(), IllegalMove> {
        if !self.open().any(|(left, _)| left.first() == Some(&step)) {
            return Err(self.illegal(step));
        }
        self.entered.push(step);
        Ok(())
    }

    fn go_to(&mut self, to: Square) -> Result<(), IllegalMove> {
        self.take(Step::To(to))
    }

    /// Nothing: all effects are those of the end.
    fn effects(&self) -> &[MoveEffect] {
        &[]
    }

    fn end_effects(&self) -> Vec<MoveEffect> {
        self.finish().map_or_else(|_| Vec::new(), |mv| changes(self.rules, self.position, mv))
    }

    fn finish(&self) -> Result<R::Move, IllegalMove> {
        let whole = self.open().find(|(left, _)| left.is_empty());
        whole.map(|(_, mv)| mv).ok_or(IllegalMove::nowhere(Reason::Incomplete))
    }
}

/// What a move does to the board: the piece that its route moves first, then the other squares in ascending order.
fn changes<R: Notation>(rules: &R, position: &R::Position, mv: R::Move) -> Vec<MoveEffect> {
    let child = rules.after(position, mv);
    let before = |square| rules.piece(position, square);
    let after = |square| rules.piece(&child, square);
    let mut effects = Vec::new();
    let squares: Vec<Square> =
        rules.route(position, mv).0.iter().filter_map(|step| step.square()).collect();
    let mut moved = None;
    if let (Some(&from), Some(&to)) = (squares.first(), squares.last())
        && from != to
        && let (Some(piece), None, Some(landed)) = (before(from), after(from), after(to))
    {
        effects.extend(before(to).map(|_| MoveEffect::Captured(to)));
        effects.push(MoveEffect::Moved { from, to });
        effects.extend((piece != landed).then_some(MoveEffect::Flipped(to, landed)));
        moved = Some((from, to));
    }
    for square in (0..R::GEOMETRY.squares()).map(Square::new) {
        if moved.is_some_and(|(from, to)| square == from || square == to) {
            continue;
        }
        effects.extend(match (before(square), after(square)) {
            (Some(_), None) => Some(MoveEffect::Captured(square)),
            (None, Some(piece)) => Some(MoveEffect::Dropped(square, piece)),
            (Some(old), Some(piece)) if old != piece => Some(MoveEffect::Flipped(square, piece)),
            _ => None,
        });
    }
    effects
}
