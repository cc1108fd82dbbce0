//! What a search is asked for.

use leap_core::record::Record;

use crate::{Control, Limits, Searchable, Table};

/// A search that is asked for.
#[derive(Debug)]
pub struct Request<'a, G: Searchable> {
    /// The game, whose current position is searched.
    pub record: &'a Record<G>,
    /// What positions are worth.
    pub evaluator: &'a G::Evaluator,
    /// When the search ends, and which moves it looks at.
    pub limits: &'a Limits<G::Move>,
    /// What searches remember. It may hold what earlier searches of the same game with the same evaluator under the same
    /// rule options stored. It has to be cleared when one of these changes.
    pub table: &'a Table,
    /// Stops the search, and knows when it began.
    pub control: &'a Control,
}

impl<G: Searchable> Clone for Request<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Searchable> Copy for Request<'_, G> {}
