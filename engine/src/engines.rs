//! The engines of all games that a program offers, and their options.

use std::sync::Arc;

use leap_protocol::{ErrorReply, OptionDecl, Query, Reply};
use leap_search::option::{Kind, OptionRefusal, OptionValue};

use crate::options::{
    EvalFileError, OptionRow, Refusal, SHARED, Scope, Settings, UCI_VARIANT, weights,
};
use crate::{AnyGame, Engine};

/// The engines of several games, of which one is in play. A game's rules and its options are kept by its own engine.
///
/// ```
/// use leap_engine::{Engines, game};
/// use leap_games::{eximo::Eximo, sapos::Sapos};
///
/// let mut engines = Engines::new([game::<Eximo>(), game::<Sapos>()]);
/// engines.set("hash", Some("64"))?;
/// assert_eq!(engines.settings.hash_mib, 64);
/// engines.set("Game", Some("sapos"))?;
/// assert_eq!(engines.engine().id(), "sapos");
///
/// let error = engines.set("Hash", Some("0")).unwrap_err();
/// assert_eq!(error.text, "option Hash takes a number from 1 to 65536, found '0'");
/// # Ok::<(), leap_protocol::ErrorReply>(())
/// ```
pub struct Engines {
    /// The options that all games share.
    pub settings: Settings,
    engines: Vec<Box<dyn Engine>>,
    in_play: usize,
    rows: Arc<[Row]>,
}

/// An option, and who keeps its value.
struct Row {
    option: OptionRow,
    keeper: Keeper,
}

enum Keeper {
    /// The choice among the engines.
    Game,
    /// An option of [`SHARED`].
    Settings(usize),
    /// These engines, and the number of the option there.
    Engines(Vec<usize>, usize),
}

impl Engines {
    /// Engines of these games. The first game is in play.
    ///
    /// # Panics
    /// There is no game.
    pub fn new(games: impl IntoIterator<Item: AsRef<AnyGame>>) -> Self {
        let engines: Vec<_> = games.into_iter().map(|game| (game.as_ref().engine)()).collect();
        assert!(!engines.is_empty(), "an engine has games");
        let games: Arc<[_]> = engines.iter().map(|engine| engine.id()).collect();
        let rows = rows(&engines, &games).into();
        Self { settings: Settings { games, ..Settings::default() }, engines, in_play: 0, rows }
    }

    /// The engine of the game in play.
    #[must_use]
    pub fn engine(&self) -> &dyn Engine {
        &*self.engines[self.in_play]
    }

    /// The engine of the game in play.
    pub fn engine_mut(&mut self) -> &mut dyn Engine {
        &mut *self.engines[self.in_play]
    }

    /// The options that the agent has, in the order in which they are announced (SPEC 8.12).
    pub fn options(&self) -> impl Iterator<Item = &OptionRow> {
        let agent = self.settings.agent;
        self.rows.iter().map(|row| &row.option).filter(move |option| agent.has(option))
    }

    /// The declaration of `UCI_Variant`.
    #[must_use]
    pub fn uci_variant(&self) -> OptionDecl {
        OptionDecl { name: UCI_VARIANT.to_owned(), ..self.rows[0].option.declaration() }
    }

    /// The value of an option as text. Empty if there is no such option.
    #[must_use]
    pub fn value(&self, name: &str) -> String {
        let row = self.rows.iter().find(|row| row.option.name.eq_ignore_ascii_case(name));
        let Some(row) = row else { return String::new() };
        match &row.keeper {
            Keeper::Game => self.engine().id().to_owned(),
            Keeper::Settings(index) => (SHARED[*index].1.get)(&self.settings),
            Keeper::Engines(engines, index) => self.engines[engines[0]].option(*index),
        }
    }

    /// Sets an option from text. Nothing changes on an error.
    ///
    /// # Errors
    /// What is wrong with the name or the value.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Scope, ErrorReply> {
        let rows = Arc::clone(&self.rows);
        let (row, shown) = if name.eq_ignore_ascii_case(UCI_VARIANT) {
            (&rows[0], UCI_VARIANT)
        } else {
            let agent = self.settings.agent;
            let known: Vec<&Row> = rows.iter().filter(|row| agent.has(&row.option)).collect();
            let row = known[OptionRow::find(known.iter().map(|row| &row.option), name)?];
            (row, &*row.option.name)
        };
        row.option.apply(shown, value, |value| self.store(row, value))?;
        Ok(row.option.scope)
    }

    fn store(&mut self, row: &Row, value: OptionValue<'_>) -> Result<(), Refusal> {
        match &row.keeper {
            Keeper::Game => self.play(value.text),
            Keeper::Settings(index) => {
                if row.option.scope == Scope::Weights {
                    self.read_weights(value.text).map_err(|error| OptionRefusal {
                        expected: "a file of weights".into(),
                        reason: Some(error.to_string()),
                    })?;
                }
                (SHARED[*index].1.set)(&mut self.settings, value)?;
            }
            Keeper::Engines(engines, index) => {
                // The game in play may refuse, so it comes first. The others have no moves that rules could forbid.
                let mut numbers = engines.clone();
                numbers.sort_by_key(|number| *number != self.in_play);
                for number in numbers {
                    self.engines[number].set_option(*index, value)?;
                }
            }
        }
        Ok(())
    }

    /// The number of the engine of this game.
    fn named(&self, id: &str) -> Option<usize> {
        self.engines.iter().position(|engine| engine.id().eq_ignore_ascii_case(id))
    }

    /// Starts the game of this id.
    fn play(&mut self, id: &str) {
        self.engine_mut().start();
        self.in_play = self.named(id).unwrap_or(self.in_play);
        self.engine_mut().start();
    }

    /// Reads the weights of a file, for the game that it names. The other games get those of the program.
    fn read_weights(&mut self, path: &str) -> Result<(), EvalFileError> {
        let mut named = None;
        if let Some((id, file)) = weights(path)? {
            let index = self.named(&id);
            let index =
                index.ok_or(format!("the weights are for '{id}', which is no game here"))?;
            self.engines[index].read_weights(Some(&file))?;
            named = Some(index);
        }
        for (index, engine) in self.engines.iter_mut().enumerate() {
            if Some(index) != named {
                engine.read_weights(None)?;
            }
        }
        Ok(())
    }

    /// Answers a question.
    ///
    /// # Errors
    /// What is wrong with the question's argument.
    pub fn answer(&self, query: &Query) -> Result<Vec<Reply>, ErrorReply> {
        self.engine().answer(query, &self.settings)
    }
}

/// The options of all games, in the order of their announcement: those of the engine, then those of each game.
fn rows(engines: &[Box<dyn Engine>], games: &[&'static str]) -> Vec<Row> {
    let mut rows = vec![Row {
        option: OptionRow {
            name: "Game".into(),
            kind: Kind::Combo(games.to_vec().into()),
            scope: Scope::Game,
            help: "the game in play; setting it starts that game",
            default: games[0].to_owned(),
        },
        keeper: Keeper::Game,
    }];
    let shared = SHARED.iter().enumerate().map(|(index, (scope, spec))| Row {
        option: OptionRow::new(*scope, spec),
        keeper: Keeper::Settings(index),
    });
    rows.extend(shared);
    let mut own: Vec<Row> = Vec::new();
    for (engine, player) in engines.iter().enumerate() {
        for (index, option) in player.options().into_iter().enumerate() {
            let is_of_all = option.scope == Scope::AllRules;
            let known =
                own.iter_mut().filter(|_| is_of_all).find(|row| row.option.name == option.name);
            // It is the first option of all games that have it.
            match known.map(|row| &mut row.keeper) {
                Some(Keeper::Engines(keepers, _)) => keepers.push(engine),
                _ => own.push(Row { option, keeper: Keeper::Engines(vec![engine], index) }),
            }
        }
    }
    own.sort_by_key(|row| match row.option.scope {
        Scope::AllRules => 0,
        Scope::Rules(_) => 1,
        // The constants of the search come after the rules of all games.
        _ => 2,
    });
    rows.extend(own);
    rows
}
