//! The steps of the suite.

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
    /// UGI 1.0 to the letter, by its sections; runs only if it is named.
    Ugi,
    /// How the process starts and exits.
    Process,
    /// Greeting, `isready` and options.
    Handshake,
    /// Positions, `go` and `bestmove`.
    Play,
    /// Lines, order, commands during a search, errors.
    Session,
    /// Time, depth and nodes.
    Limits,
    /// Noise of all kinds.
    Robustness,
    /// What the engine announces beyond UGI, in every game it plays.
    Extensions,
    /// The rules of games, as files: those of SPEC.md, or given ones.
    Rules,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ugi => "ugi",
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

/// The games in which a step is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Once, in the engine's default game.
    Once,
    /// In every game that the engine announces.
    EachGame,
    /// In this game.
    Game(String),
}

type Run = Box<dyn Fn(&Context<'_>) -> StepResult>;

/// One step: a clause of the specification and the dialogue that tests it.
pub(super) struct Step {
    pub(super) level: Level,
    /// The clause of SPEC.md, such as `5.10`, or the section of UGI 1.0, such as `UGI go`.
    pub(super) clause: Cow<'static, str>,
    pub(super) name: Cow<'static, str>,
    /// Extensions that the engine must announce; `leap` stands for any.
    pub(super) needs: Vec<Cow<'static, str>>,
    pub(super) scope: Scope,
    pub(super) run: Run,
}

/// A step that runs once. Its level is that of the list in which it stands.
pub(super) fn step(
    clause: impl Into<Cow<'static, str>>,
    name: impl Into<Cow<'static, str>>,
    run: impl Fn(&Context<'_>) -> StepResult + 'static,
) -> Step {
    Step {
        level: Level::Process,
        clause: clause.into(),
        name: name.into(),
        needs: Vec::new(),
        scope: Scope::Once,
        run: Box::new(run),
    }
}

impl Step {
    /// Requires the engine to announce these extensions.
    pub(super) fn needs(mut self, extensions: &[&'static str]) -> Self {
        self.needs = extensions.iter().map(|name| Cow::Borrowed(*name)).collect();
        self
    }

    /// Runs the step in every game.
    pub(super) fn each_game(mut self) -> Self {
        self.scope = Scope::EachGame;
        self
    }

    /// Runs the step in this game; in the engine's first one if there is none.
    pub(super) fn of_game(mut self, game: Option<String>) -> Self {
        self.scope = game.map_or(Scope::Once, Scope::Game);
        self
    }
}

/// `<clause> <name>`, as steps are listed and filtered.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.clause, self.name)
    }
}
