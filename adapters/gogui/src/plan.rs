//! The move that the engine is making.

/// The move that the engine is making, which GoGui takes vertex by vertex.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The position in which the move was found.
    pub(super) fen: String,
    pub(super) tokens: Vec<String>,
}

impl Plan {
    /// Whether the plan continues what was entered in this position.
    pub(super) fn goes_on(&self, fen: &str, entered: &[String]) -> bool {
        self.fen == fen && !entered.is_empty() && self.tokens.starts_with(entered)
    }
}

#[cfg(test)]
mod tests {
    use leap_board::split;

    use super::*;

    #[test]
    fn a_plan_goes_on_from_its_beginning_in_its_position_alone() {
        let tokens = |text: &str| split(text);
        let plan = Plan { fen: "here".to_owned(), tokens: tokens("a1c3e5") };
        assert!(plan.goes_on("here", &tokens("a1c3")));
        assert!(!plan.goes_on("here", &tokens("a1c1")));
        assert!(!plan.goes_on("elsewhere", &tokens("a1c3")));
        assert!(!plan.goes_on("here", &[]), "a new turn is a new search");
    }
}
