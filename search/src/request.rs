//! What a search is asked for.

use leap_core::record::Record;

use crate::{Answer, Control, Limits, Searchable, Table, search};

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

/// Searches with the weights of the program to the end of its limits, without reports.
///
/// ```
/// # use leap_core::{Game, record::Record};
/// # use leap_toys::Coins;
/// use leap_search::{Limits, Table, search_quietly};
///
/// let game = Coins::new(vec![1, 2, 3]);
/// let record = Record::new(game.clone(), game.start());
/// let answer = search_quietly(&record, &Limits::depth(2), &Table::new(1)?);
/// assert_eq!(answer.best, Some(2));
/// # Ok::<(), leap_search::TableError>(())
/// ```
pub fn search_quietly<G: Searchable>(
    record: &Record<G>,
    limits: &Limits<G::Move>,
    table: &Table,
) -> Answer<G::Move> {
    let (evaluator, control) = (&G::Evaluator::default(), &Control::new());
    search(Request { record, evaluator, limits, table, control }, &mut |_| {})
}
