//! The inputs of a search.

use leap_core::exact::Tablebase;
use leap_core::record::Record;

use crate::{Answer, Control, Limits, Searchable, Table, search};

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
    /// Exact values of endings, if there are any for the game.
    pub tables: Option<&'a dyn Tablebase<G>>,
    /// Stops the search, and holds the time of its beginning.
    pub control: &'a Control,
}

impl<G: Searchable> Clone for Request<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Searchable> Copy for Request<'_, G> {}

/// Searches with the weights of the program to the end of its limits, without tables of endings and without
/// reports.
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
    search(Request { record, evaluator, limits, table, tables: None, control }, &mut |_| {})
}
