//! The inputs of a search.

use leap_core::record::Record;

use crate::{Control, Limits, Searchable, Table};

/// A request for a search.
#[derive(Debug)]
pub struct Request<'a, G: Searchable> {
    /// The game, whose current position is searched.
    pub record: &'a Record<G>,
    /// The evaluation of positions.
    pub evaluator: &'a G::Evaluator,
    /// When the search ends, and which moves it looks at.
    pub limits: &'a Limits<G::Move>,
    /// The transposition table. Clear it when game, evaluator or rule options change.
    ///
    /// It may hold entries of earlier searches with the same game, evaluator and rule options.
    pub table: &'a Table,
    /// Stops the search, and holds the time of its beginning.
    pub control: &'a Control,
}

impl<G: Searchable> Clone for Request<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Searchable> Copy for Request<'_, G> {}
