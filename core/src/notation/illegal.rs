//! Why a move is not legal (SPEC 6.8).

use crate::{Square, SquareSet};

/// Why a text is not a legal move, and the square where it fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The reason.
    pub reason: Reason,
    /// The square, if one is at fault.
    pub at: Option<Square>,
}

impl IllegalMove {
    /// A reason that is about one square.
    #[must_use]
    pub const fn at(reason: Reason, square: Square) -> Self {
        Self { reason, at: Some(square) }
    }

    /// A reason that is about no square in particular.
    #[must_use]
    pub const fn nowhere(reason: Reason) -> Self {
        Self { reason, at: None }
    }

    /// Refuses an origin where no piece of the side to move stands.
    ///
    /// # Errors
    /// The origin is empty or the enemy's.
    pub fn unless_own(from: Square, empty: SquareSet, enemy: SquareSet) -> Result<(), Self> {
        if empty.contains(from) {
            return Err(Self::at(Reason::EmptySquare, from));
        }
        if enemy.contains(from) {
            return Err(Self::at(Reason::NotYourPiece, from));
        }
        Ok(())
    }
}

/// A reason that a single game has.
#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameReason {
    /// The code on the wire.
    pub code: &'static str,
    /// What is wrong, in words that follow the name of the square.
    pub text: &'static str,
}

/// Declares [`Reason`] with its wire codes and explanations. Code, SPEC and tests share this one table.
macro_rules! reasons {
    ($($name:ident $code:literal $text:literal;)*) => {
        /// Why a move is not legal. Together with the reasons of the games, a closed list (SPEC 6.8).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Reason {
            $(#[doc = $text] $name,)*
            /// A reason that a single game has.
            OfGame(&'static GameReason),
        }

        impl Reason {
            /// Every reason except those of single games, in the order of the table in SPEC 6.8.
            pub const ALL: &'static [Reason] = &[$(Reason::$name,)*];

            /// The code on the wire.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self {
                    $(Reason::$name => $code,)*
                    Reason::OfGame(reason) => reason.code,
                }
            }

            /// What is wrong, in words that follow the name of the square.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self {
                    $(Reason::$name => $text,)*
                    Reason::OfGame(reason) => reason.text,
                }
            }
        }
    };
}

reasons! {
    BadText "bad-text" "this is not a move text: expected squares such as a1c3, drops such as @d4, or a removal such as xd4";
    OffBoard "off-board" "the square is not on this board";
    TooLong "too-long" "a move text has at most 1,024 squares and drops";
    GameOver "game-over" "the game is over";
    EmptySquare "empty-square" "there is no piece to move here";
    NotYourPiece "not-your-piece" "this piece is not the mover's";
    FlippedPiece "flipped-piece" "a flipped piece cannot move";
    NoRemoval "no-removal" "nothing can be taken away here";
    NoSuchLine "no-such-line" "the piece cannot reach this square along a line from where it stands";
    Blocked "blocked" "another piece is in the way, or the piece has no move at all";
    Backward "backward" "men do not move or jump this way";
    NothingToJump "nothing-to-jump" "there is no piece here to jump over";
    LandingOccupied "landing-occupied" "the landing square is occupied";
    OwnPieceJumped "own-piece-jumped" "an own piece cannot be jumped here";
    CannotMix "cannot-mix" "a move either captures or jumps over friends, not both";
    CaptureMandatory "capture-mandatory" "a capture exists, so one must be made";
    MustContinue "must-continue" "the piece can go on jumping from here, so it must";
    TurnEnded "turn-ended" "the move ended before this step";
    Revisit "revisit" "the route has been on this square already";
    Incomplete "incomplete" "the move is not complete";
    DropMissing "drop-missing" "a piece must still be dropped";
    DropNotAllowed "drop-not-allowed" "nothing may be dropped in this move";
    DropOutsideZone "drop-outside-zone" "the square is outside the mover's drop zone";
    DropNotAdjacent "drop-not-adjacent" "a piece is dropped orthogonally next to where the jump ended";
    DropOccupied "drop-occupied" "the square for the drop is occupied";
    TooManyDrops "too-many-drops" "no more pieces may be dropped";
    ReserveEmpty "reserve-empty" "the mover's reserve is empty";
    CannotPlace "cannot-place" "the move captures nothing and no piece can be placed after it";
    Repetition "repetition" "the position that follows has occurred too often";
}
