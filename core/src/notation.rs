//! Positions and moves as text (SPEC 9), for every game.
//!
//! A game supplies what differs: its letters, its extra field, its impossible positions, and a [`PartialMove`].

mod fields;
mod illegal;
mod listed;
mod steps;

pub use fields::{Field, Piece, PositionError, Setup, SetupError};
pub use illegal::{GameReason, IllegalMove, Reason};
pub use listed::{CANNOT_PASS, Explain, ListedMove, NOT_HERE};
pub use steps::{MAX_STEPS, Step, Steps};

use super::{BySide, Game, Position, Rules, Side, Square};

/// The text side of a game.
///
/// ```
/// use leap_core::RulesExt;
/// use leap_core::notation::{Notation, PositionError, Reason};
/// use leap_games::tactica::Tactica;
///
/// let rules = Tactica::default();
/// let position = rules.parse_position("8/3c4/2c1c3/3c4/8/S7/8/8 1 - 0 20")?;
/// let illegal = rules.parse_move(&position, "b3d6").unwrap_err();
/// assert_eq!(illegal.reason, Reason::EmptySquare);
///
/// let mv = rules.parse_move(&position, "a3d6").unwrap();
/// let after = rules.after(&position, mv);
/// assert_eq!(rules.print_position(&after), "8/3c~4/2c~Sc~3/3c~4/8/8/8/8 2 - 0 21");
/// # Ok::<(), PositionError>(())
/// ```
pub trait Notation: Rules {
    /// A partly entered move.
    type PartialMove<'a>: PartialMove<Move = Self::Move>
    where
        Self: 'a;

    /// What stands on a square.
    fn piece(&self, position: &Self::Position, square: Square) -> Option<Piece>;

    /// The pieces and what a GUI needs to draw them. A board text may hold their letters.
    const DIAGRAM: Diagram;

    /// The third field of the position text.
    fn extra(&self, _position: &Self::Position) -> String {
        "-".to_owned()
    }

    /// Builds a position from well-formed fields, or says why the game has no such position.
    ///
    /// # Errors
    /// The field that is impossible and why.
    #[expect(clippy::wrong_self_convention, reason = "shakmaty's name; the rules in force decide")]
    fn from_setup(&self, setup: &Setup) -> Result<Self::Position, SetupError>;

    /// The parts of a position's text, which [`Notation::from_setup`] reads. The pieces ascend by square.
    fn to_setup(&self, position: &Self::Position) -> Setup {
        let squares = (0..Self::GEOMETRY.squares()).map(Square::new);
        let piece = |square| Some((square, self.piece(position, square)?));
        Setup {
            pieces: squares.filter_map(piece).collect(),
            counters: position.counters(),
            extra: self.extra(position),
        }
    }

    /// An extra field with the players exchanged. Most games have no extra field that names a player.
    fn exchange_extra(extra: &str) -> String {
        extra.to_owned()
    }

    /// Begins to enter a move, step by step. The game must not be over in `position`.
    ///
    /// `history` is the game in play if its history may forbid moves, as in Táctica "S".
    /// [`Game::partial_move`] passes the game itself.
    fn partial_move<'a>(
        &'a self,
        position: &'a Self::Position,
        history: Option<&'a Game<Self>>,
    ) -> Self::PartialMove<'a>;

    /// The canonical route of a legal move: fewest squares first, then smallest square indices. Drops ascend (SPEC
    /// 9.24).
    fn route(&self, position: &Self::Position, mv: Self::Move) -> Steps;

    /// The numbers of a position that `query status` shows, each with its name. By default how many pieces each player
    /// has.
    fn tally(&self, position: &Self::Position) -> Vec<(&'static str, Tally)> {
        let pieces = self.to_setup(position).pieces;
        let owners: Vec<Option<Side>> =
            pieces.into_iter().map(|(_, piece)| Self::DIAGRAM.owner(piece)).collect();
        let count = |side| owners.iter().filter(|owner| **owner == Some(side)).count() as u32;
        vec![("pieces", Tally::Each(BySide::from_fn(count)))]
    }

    /// Reads a position text.
    ///
    /// # Errors
    /// The field and column at fault, what was expected and what was found.
    fn parse_position(&self, text: &str) -> Result<Self::Position, PositionError> {
        let (setup, columns) = fields::parse(Self::GEOMETRY, &Self::DIAGRAM, text)?;
        self.from_setup(&setup).map_err(|error| columns.locate(error))
    }

    /// The position text.
    fn print_position(&self, position: &Self::Position) -> String {
        let piece = |square| self.piece(position, square);
        fields::print(Self::GEOMETRY, piece, position.counters(), &self.extra(position))
    }

    /// The canonical text of a legal move.
    fn print_move(&self, position: &Self::Position, mv: Self::Move) -> String {
        self.route(position, mv).text(Self::GEOMETRY)
    }

    /// The move of a position that a text means, whatever the history of the game. [`Game::parse_move`] considers it.
    ///
    /// Any route to the move and any order of its drops are accepted.
    ///
    /// # Errors
    /// Why the text is no legal move, and where.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, IllegalMove> {
        self.partial_move(position, None).complete(&Steps::parse(Self::GEOMETRY, text)?)
    }
}

/// How a game looks, for a GUI that does not know its rules (SPEC 4.22).
#[derive(Clone, Copy, Debug)]
pub struct Diagram {
    /// The colours of the players.
    pub colours: BySide<&'static str>,
    /// Every piece that can stand on the board.
    pub pieces: &'static [PieceKind],
    /// What pieces stand on.
    pub grid: Grid,
}

impl Diagram {
    /// Checks the pieces: each is an ASCII letter, whose case names its owner (SPEC 9.2, 9.33).
    ///
    /// leap-engine checks this when a program with the game is compiled.
    ///
    /// # Panics
    /// A piece is something else.
    pub const fn check(&self) {
        let mut at = 0;
        while at < self.pieces.len() {
            let PieceKind { piece, owner, .. } = self.pieces[at];
            assert!(piece.letter.is_ascii_alphabetic(), "expected an ASCII letter for each piece");
            let names_owner = match owner {
                Some(Side::One) => piece.letter.is_ascii_uppercase(),
                Some(Side::Two) => piece.letter.is_ascii_lowercase(),
                None => true,
            };
            assert!(
                names_owner || piece.flipped,
                "expected upper case for pieces of player 1, and lower case for those of player 2"
            );
            at += 1;
        }
    }

    /// Whether a piece has this letter.
    #[must_use]
    pub fn has_letter(&self, letter: char) -> bool {
        self.pieces.iter().any(|kind| kind.piece.letter == letter)
    }

    /// The letters of the pieces, each once.
    #[must_use]
    pub fn letters(&self) -> String {
        let mut letters = String::new();
        for PieceKind { piece, .. } in self.pieces {
            if !letters.contains(piece.letter) {
                letters.push(piece.letter);
            }
        }
        letters
    }

    /// Whether pieces may be turned over (`c~`).
    #[must_use]
    pub fn has_flipped(&self) -> bool {
        self.pieces.iter().any(|kind| kind.piece.flipped)
    }

    /// Whose piece this is. `None` if it is nobody's.
    #[must_use]
    pub fn owner(&self, piece: Piece) -> Option<Side> {
        self.pieces.iter().find(|kind| kind.piece == piece)?.owner
    }
}

/// What pieces stand on.
#[derive(Clone, Copy, Debug)]
pub enum Grid {
    /// Square cells.
    Cells,
    /// Points, with these lines between neighbours.
    Points(&'static [(Square, Square)]),
    /// Hexagonal cells, with these squares missing. SPEC 9.32 says which cells are neighbours.
    Hexagons(&'static [Square]),
}

/// A kind of piece.
#[derive(Clone, Copy, Debug)]
pub struct PieceKind {
    /// Its text on the board.
    pub piece: Piece,
    /// Its name, in one word.
    pub name: &'static str,
    /// Its owner, or `None` if the piece is nobody's.
    pub owner: Option<Side>,
    /// Its value: 1, or a frog's points.
    pub value: u32,
}

/// A number that `query status` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tally {
    /// A number for each player.
    Each(BySide<u32>),
    /// A number for the board.
    Board(u32),
}

/// A move that is being entered, step by step.
///
/// A partial move spells out for people what is legal in a game. The law tests check that the game's fast generator
/// agrees.
pub trait PartialMove: Clone {
    /// The finished move.
    type Move;

    /// The steps that may follow, in listing order. Each of them leads to some legal move.
    fn steps(&self) -> Vec<Step>;

    /// The steps that may follow, and whether the move may end here.
    fn next(&self) -> Next {
        Next { steps: self.steps(), may_end: self.finish().is_ok() }
    }

    /// Enters one step.
    ///
    /// # Errors
    /// Why the step is not possible, and where. The partial move is then unchanged.
    fn take(&mut self, step: Step) -> Result<(), IllegalMove> {
        match step {
            Step::Remove(square) => self.remove(square),
            Step::To(square) => self.go_to(square),
            Step::Drop(square) => self.drop_on(square),
            Step::Pass => self.pass(),
        }
    }

    /// Enters these steps and ends the move.
    ///
    /// # Errors
    /// Why a step is not possible or the move cannot end after the steps, and where.
    fn complete(mut self, steps: &Steps) -> Result<Self::Move, IllegalMove> {
        steps.0.iter().try_for_each(|step| self.take(*step))?;
        self.finish()
    }

    /// Does what [`PartialMove::take`] does for [`Step::To`].
    fn go_to(&mut self, square: Square) -> Result<(), IllegalMove>;

    /// Does what [`PartialMove::take`] does for [`Step::Remove`]. Most games have no such step.
    fn remove(&mut self, square: Square) -> Result<(), IllegalMove> {
        Err(IllegalMove::at(Reason::NoRemoval, square))
    }

    /// Does what [`PartialMove::take`] does for [`Step::Drop`]. Most games have no such step.
    fn drop_on(&mut self, square: Square) -> Result<(), IllegalMove> {
        Err(IllegalMove::at(Reason::DropNotAllowed, square))
    }

    /// Does what [`PartialMove::take`] does for [`Step::Pass`]. In most games `pass` is not the text of a move.
    fn pass(&mut self) -> Result<(), IllegalMove> {
        Err(IllegalMove::nowhere(Reason::BadText))
    }

    /// What the steps entered so far do to the board, in order.
    fn effects(&self) -> &[MoveEffect];

    /// What the end of the move does, after its steps. In most games it does nothing.
    fn end_effects(&self) -> Vec<MoveEffect> {
        Vec::new()
    }

    /// Why no legal move begins with the steps entered. Called only if there is no such move.
    fn dead_end(&self) -> IllegalMove {
        self.finish().err().unwrap_or(IllegalMove::nowhere(Reason::Incomplete))
    }

    /// The number of drops that must still be made before the move can end here.
    fn missing_drops(&self) -> u32 {
        match self.finish() {
            Err(IllegalMove { reason: Reason::DropMissing, .. }) => 1,
            _ => 0,
        }
    }

    /// The move that ends here.
    ///
    /// # Errors
    /// Why the move cannot end here.
    fn finish(&self) -> Result<Self::Move, IllegalMove>;
}

/// What may follow a partly entered move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Next {
    /// The possible steps, in ascending order.
    pub steps: Vec<Step>,
    /// Whether the move may end here.
    pub may_end: bool,
}

/// One change that a move makes to the board. The effects of a move are listed in the order in which they happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveEffect {
    /// A piece goes from one square to another.
    Moved {
        /// Where it stood.
        from: Square,
        /// Where it lands.
        to: Square,
    },
    /// An enemy piece or a frog leaves the board.
    Captured(Square),
    /// A piece leaves the board without a capture: the mover's own (Eximo's last row), or a frog (Froglet's first
    /// move).
    Removed(Square),
    /// A piece is turned over, and then looks like this.
    Flipped(Square, Piece),
    /// A piece of the mover is put onto the board.
    Dropped(Square, Piece),
    /// The mover scores points.
    Scored(u32),
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn diagram(pieces: &'static [PieceKind]) -> Diagram {
        Diagram { colours: BySide::new("black", "white"), pieces, grid: Grid::Cells }
    }

    const fn kind(letter: char, owner: Option<Side>) -> PieceKind {
        PieceKind { piece: Piece::plain(letter), name: "stone", owner, value: 1 }
    }

    #[test]
    fn each_letter_is_named_once() {
        const FLIPPED: PieceKind =
            PieceKind { piece: Piece { letter: 'x', flipped: true }, ..kind('x', Some(Side::One)) };
        const PIECES: &[PieceKind] =
            &[kind('x', Some(Side::Two)), FLIPPED, kind('X', Some(Side::One))];
        let diagram = diagram(PIECES);
        diagram.check();
        assert_eq!(diagram.letters(), "xX");
        assert!(diagram.has_letter('X') && !diagram.has_letter('y') && diagram.has_flipped());
    }

    #[test]
    #[should_panic(expected = "expected an ASCII letter for each piece")]
    fn a_digit_is_no_piece() {
        const PIECES: &[PieceKind] = &[kind('x', Some(Side::Two)), kind('1', None)];
        diagram(PIECES).check();
    }

    #[test]
    #[should_panic(expected = "expected upper case for pieces of player 1")]
    fn the_case_of_a_letter_names_its_owner() {
        const PIECES: &[PieceKind] = &[kind('x', Some(Side::One))];
        diagram(PIECES).check();
    }
}
