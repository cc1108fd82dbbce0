//! The inputs of a search.

use leap_core::Game;
use leap_core::exact::Tablebase;

use crate::{Control, Limits, Report, SearchResult, Searchable, TranspositionTable};

/// A request for a search.
#[derive(Debug)]
pub struct Request<'a, R: Searchable> {
    /// The game, whose current position is searched.
    pub game: &'a Game<R>,
    /// The evaluation of positions.
    pub evaluator: &'a R::Evaluator,
    /// When the search ends, and which moves it looks at.
    pub limits: &'a Limits<R::Move>,
    /// The transposition table. Clear it when game, evaluator or rule options change.
    ///
    /// It may hold entries of earlier searches with the same game, evaluator and rule options.
    pub table: &'a TranspositionTable,
    /// Exact values of endings, if there are any for the game.
    pub tablebase: Option<&'a dyn Tablebase<R>>,
    /// Stops the search, and holds the time of its beginning.
    pub control: &'a Control,
}

impl<R: Searchable> Clone for Request<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Searchable> Copy for Request<'_, R> {}

/// Searches the current position of a game. Returns a legal move if there is one, however soon the search is stopped.
///
/// The caller says when a new search begins ([`TranspositionTable::new_search`]).
///
/// ```
/// use leap_core::Game;
/// use leap_games::alquerque::Alquerque;
/// use leap_search::{Control, Limits, Request, TranspositionTable, search};
///
/// let request = Request {
///     game: &Game::start(Alquerque::default()),
///     evaluator: &Default::default(),
///     limits: &Limits::depth(4),
///     table: &TranspositionTable::new(1)?,
///     tablebase: None,
///     control: &Control::new(),
/// };
/// let mut depths = Vec::new();
/// let answer = search(request, &mut |report| depths.push(report.depth));
/// assert!(answer.best.is_some());
/// assert_eq!(depths, [1, 2, 3, 4]);
/// # Ok::<(), leap_search::TranspositionTableError>(())
/// ```
pub fn search<R: Searchable>(
    request: Request<'_, R>,
    report: &mut dyn FnMut(Report<R::Move>),
) -> SearchResult<R::Move> {
    R::search(request, report)
}

/// Searches with the weights of the program to the end of its limits, without a tablebase and without reports.
///
/// ```
/// # use leap_core::Game;
/// # use leap_toys::Coins;
/// use leap_search::{Limits, TranspositionTable, search_quietly};
///
/// let game = Game::start(Coins::new(vec![1, 2, 3]));
/// let answer = search_quietly(&game, &Limits::depth(2), &TranspositionTable::new(1)?);
/// assert_eq!(answer.best, Some(2));
/// # Ok::<(), leap_search::TranspositionTableError>(())
/// ```
pub fn search_quietly<R: Searchable>(
    game: &Game<R>,
    limits: &Limits<R::Move>,
    table: &TranspositionTable,
) -> SearchResult<R::Move> {
    let (evaluator, control) = (&R::Evaluator::default(), &Control::new());
    search(Request { game, evaluator, limits, table, tablebase: None, control }, &mut |_| {})
}
