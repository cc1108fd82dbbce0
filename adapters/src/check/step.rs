//! What a step of the suite is, and what can come of it.

use std::borrow::Cow;
use std::fmt;

use clap::ValueEnum;
use serde::Serialize;

use super::context::Context;
use super::outcome::StepResult;

/// The levels of the suite, in the order in which they are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// How the process starts and ends.
    Process,
    /// Greeting, `isready` and options.
    Handshake,
    /// Positions, `go` and `bestmove`.
    Play,
    /// Lines, order, searching while talking, errors.
    Session,
    /// Time, depth and nodes.
    Limits,
    /// Noise of all kinds.
    Robustness,
    /// What the engine announces beyond UGI, in every game it plays.
    Extensions,
    /// The five games: data and scripts.
    Rules,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Process => "process",
            Self::Handshake => "handshake",
            Self::Play => "play",
            Self::Session => "session",
            Self::Limits => "limits",
            Self::Robustness => "robustness",
            Self::Extensions => "extensions",
            Self::Rules => "rules",
        })
    }
}

/// In which games a step is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Once, in the game that the engine begins with.
    Once,
    /// In every game that the engine announces.
    EachGame,
    /// In this game.
    Game(String),
}

type Run = Box<dyn Fn(&Context<'_>) -> StepResult>;

/// One step: a clause of the specification and the dialogue that holds an engine to it.
pub(super) struct Step {
    pub(super) level: Level,
    /// The clause of SPEC.md, such as `5.10`.
    pub(super) clause: Cow<'static, str>,
    pub(super) name: Cow<'static, str>,
    /// Extensions that the engine must announce; `leap` stands for any at all.
    pub(super) needs: Vec<Cow<'static, str>>,
    pub(super) scope: Scope,
    pub(super) run: Run,
}

impl Step {
    pub(super) fn new(
        level: Level,
        clause: impl Into<Cow<'static, str>>,
        name: impl Into<Cow<'static, str>>,
        run: impl Fn(&Context<'_>) -> StepResult + 'static,
    ) -> Self {
        Self {
            level,
            clause: clause.into(),
            name: name.into(),
            needs: Vec::new(),
            scope: Scope::Once,
            run: Box::new(run),
        }
    }

    /// The engine must announce these extensions.
    pub(super) fn needs(mut self, extensions: &[&'static str]) -> Self {
        self.needs = extensions.iter().map(|name| Cow::Borrowed(*name)).collect();
        self
    }

    /// The step is run in every game.
    pub(super) fn each_game(mut self) -> Self {
        self.scope = Scope::EachGame;
        self
    }

    /// The step is run in this game.
    pub(super) fn game(mut self, game: impl Into<String>) -> Self {
        self.scope = Scope::Game(game.into());
        self
    }
}

/// `<clause> <name>`, as steps are listed and filtered.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.clause, self.name)
    }
}
