//! Which of the words *White* and *Black* above the board XBoard lights.
//!
//! XBoard lights White in every position that it is told, and the other side after each move. A null move therefore
//! lights Black. XBoard sends a `ping` after each position, unless it takes the game for over. Until the answer it
//! ignores moves.

/// XBoard's text of a pass. As a move of the engine it makes black the side to move, and changes nothing else.
pub(super) const NULL_MOVE: &str = "@@@@";

/// What XBoard has to be told about the side to move, and when.
#[derive(Debug, Default)]
pub(super) struct Light {
    /// How many positions have no answered `ping` yet.
    awaited: usize,
    /// XBoard takes the game for over.
    is_over: bool,
    /// Black is to be lit as soon as moves are heard.
    is_due: bool,
}

impl Light {
    /// A position has been told; returns whether to light black immediately.
    pub(super) fn shown(&mut self, is_black: bool) -> bool {
        if std::mem::take(&mut self.is_over) {
            (self.awaited, self.is_due) = (0, false);
            return is_black;
        }
        self.awaited += 1;
        self.is_due = is_black;
        false
    }

    /// A `ping` has been answered; returns whether black is to be lit now.
    pub(super) fn heard(&mut self) -> bool {
        self.awaited = self.awaited.saturating_sub(1);
        self.awaited == 0 && std::mem::take(&mut self.is_due)
    }

    /// XBoard has ended the game with a result. The result `*` only means that another position has come.
    pub(super) fn ended(&mut self, result: &str) {
        self.is_over |= !result.starts_with('*');
    }

    /// XBoard has begun a new game, with a position of its own.
    pub(super) fn begun(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_is_lit_when_xboard_hears_moves_and_only_then() {
        let mut light = Light::default();
        assert!(!light.shown(true));
        assert!(light.heard());
        assert!(!light.heard());
        // Two positions, and a ping for each.
        assert!(!light.shown(true) && !light.shown(true));
        assert!(!light.heard() && light.heard());
        assert!(!light.shown(true) && !light.shown(false));
        assert!(!light.heard() && !light.heard());
        // The end of a game has a ping of its own; the position after it has none.
        light.ended("1-0 {white wins}");
        assert!(!light.heard());
        assert!(light.shown(true));
        light.ended("* {another position}");
        assert!(!light.shown(true) && light.heard());
    }
}
