//! The rules of the games as a module for Python, without a process. `leapd_native.pyi` describes it for users.
//!
//! Whatever it says is what leapd says: both have the rules of leap-games, and options, questions and errors of
//! leap-engine.

mod actions;
mod numbers;
mod play;
mod rules;

use std::sync::{Arc, Mutex, PoisonError};

use leap_core::Side;
use leap_engine::Engines;
use leap_protocol::ErrorReply;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict};

use crate::actions::{Actions, END};
use crate::numbers::Rows;
use crate::play::AnyPlay;
use crate::rules::AnyRules;

pyo3::create_exception!(
    leapd_native,
    Refused,
    PyValueError,
    "A refusal in the words of the engine: an error line (SPEC 6.1)."
);

fn refused(error: &ErrorReply) -> PyErr {
    Refused::new_err(error.to_string())
}

/// How many moves `legal_moves` lists where its caller sets no limit, as in `query moves`.
const MOVES: usize = 10_000;

#[pyclass(frozen, name = "Rules")]
struct PyRules {
    engines: Mutex<Engines>,
    rules: Box<dyn AnyRules>,
}

#[pymethods]
impl PyRules {
    #[new]
    #[pyo3(signature = (game, options = None))]
    fn new(game: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let pairs = options.into_iter().flatten();
        let options = pairs.map(|(name, value)| Ok((name.extract()?, value.extract()?)));
        let options = options.collect::<PyResult<Vec<_>>>()?;
        let engines = rules::engines(game, &options).map_err(|error| refused(&error))?;
        let rules = rules::in_force(&engines).map_err(|error| refused(&error))?;
        Ok(Self { engines: Mutex::new(engines), rules })
    }

    fn query(&self, question: &str) -> PyResult<Vec<String>> {
        let engines = self.engines.lock().unwrap_or_else(PoisonError::into_inner);
        let replies = rules::answer(&engines, question).map_err(|error| refused(&error))?;
        Ok(replies.iter().map(ToString::to_string).collect())
    }

    #[pyo3(signature = (fen = None, tokens = None))]
    fn start(&self, fen: Option<&str>, tokens: Option<Vec<String>>) -> PyResult<PyGame> {
        let tokens = tokens.unwrap_or_default();
        let actions = Actions::new(self.rules.geometry(), tokens).map_err(PyValueError::new_err)?;
        let play = self.rules.play(fen).map_err(|error| refused(&error))?;
        Ok(PyGame { play, actions: Arc::new(actions) })
    }
}

#[pyclass(name = "Game")]
struct PyGame {
    play: Box<dyn AnyPlay>,
    actions: Arc<Actions>,
}

#[pymethods]
impl PyGame {
    #[getter]
    fn fen(&self) -> String {
        self.play.fen()
    }

    #[getter]
    fn key(&self) -> u64 {
        self.play.key()
    }

    #[getter]
    fn side(&self) -> &'static str {
        match self.play.side() {
            Side::One => "p1",
            Side::Two => "p2",
        }
    }

    #[getter]
    fn player(&self) -> u8 {
        u8::from(self.play.side() == Side::Two)
    }

    #[getter]
    fn over(&self) -> bool {
        self.play.outcome().is_some()
    }

    #[getter]
    fn result(&self) -> i32 {
        numbers::result(self.play.outcome())
    }

    #[getter]
    fn status(&self) -> String {
        self.play.status()
    }

    #[getter]
    fn moves(&self) -> Vec<String> {
        self.play.moves()
    }

    #[getter]
    fn entered(&self) -> String {
        self.play.entered()
    }

    #[getter]
    fn legal(&self) -> PyResult<Vec<usize>> {
        self.actions.legal(&*self.play).map_err(PyValueError::new_err)
    }

    #[pyo3(signature = (limit = MOVES))]
    fn legal_moves(&self, limit: usize) -> Vec<String> {
        self.play.legal_moves(limit)
    }

    fn next(&self) -> Vec<String> {
        let mut tokens = self.play.tokens();
        tokens.extend(self.play.next().may_end.then(|| END.to_owned()));
        tokens
    }

    fn play(&mut self, text: &str) -> PyResult<()> {
        self.play.play(text).map_err(|error| refused(&error))
    }

    #[pyo3(signature = (count = 1))]
    fn undo(&mut self, count: usize) -> PyResult<()> {
        if self.play.undo(count) {
            return Ok(());
        }
        let made = self.play.moves().len();
        Err(PyIndexError::new_err(format!("cannot take back {count} moves: the game has {made}")))
    }

    fn restart(&mut self) {
        self.play.restart();
    }

    fn copy(&self) -> Self {
        Self { play: self.play.copy(), actions: Arc::clone(&self.actions) }
    }
}

impl PyGame {
    /// Takes a legal action. A game that is over begins again.
    fn take(&mut self, action: i64, index: usize) -> PyResult<()> {
        if self.play.outcome().is_some() {
            self.play.restart();
            return Ok(());
        }
        self.play.take(self.checked(action, index)?);
        Ok(())
    }

    fn checked(&self, action: i64, index: usize) -> PyResult<Option<leap_core::notation::Step>> {
        self.actions.step(&*self.play, action, index).map_err(PyValueError::new_err)
    }
}

#[pyfunction]
fn step(games: Vec<Bound<'_, PyGame>>, actions: Vec<i64>) -> PyResult<()> {
    if games.len() != actions.len() {
        let (expected, found) = (games.len(), actions.len());
        return Err(PyValueError::new_err(format!("expected {expected} actions, found {found}")));
    }
    for (index, (game, action)) in games.iter().zip(&actions).enumerate() {
        let game = game.try_borrow()?;
        if game.play.outcome().is_none() {
            game.checked(*action, index)?;
        }
    }
    for (index, (game, action)) in games.iter().zip(&actions).enumerate() {
        game.try_borrow_mut()?.take(*action, index)?;
    }
    Ok(())
}

/// The masks, pieces, routes and numbers of games.
type Arrays<'py> = [Bound<'py, PyByteArray>; 4];

#[pyfunction]
fn rows<'py>(py: Python<'py>, games: Vec<Bound<'py, PyGame>>) -> PyResult<Arrays<'py>> {
    let mut rows = Rows::default();
    for game in games {
        let game = game.try_borrow()?;
        game.actions.show(&*game.play, &mut rows).map_err(PyValueError::new_err)?;
    }
    let arrays = [rows.masks, rows.pieces, rows.route, rows.numbers];
    Ok(arrays.map(|bytes| PyByteArray::new(py, &bytes)))
}

#[pymodule]
fn leapd_native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("Refused", module.py().get_type::<Refused>())?;
    module.add_class::<PyRules>()?;
    module.add_class::<PyGame>()?;
    module.add_function(wrap_pyfunction!(step, module)?)?;
    module.add_function(wrap_pyfunction!(rows, module)?)
}
