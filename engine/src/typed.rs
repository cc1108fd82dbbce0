//! The state of one game's engine, with the types of the game.

use leap_core::Game;
use leap_core::notation::Notation;
use leap_protocol::payload::{GameInfo, KeyValues};
use leap_protocol::{ErrorCode, ErrorReply, Start};
use leap_search::Playable;
use leap_search::option::{Kind, MAX_PLIES, OptionSpec, store};

use super::refusal::{bad_position, illegal_move};
use crate::options::{OptionRow, Scope};

/// The most moves of a game since it was set up (SPEC 3.15). The limit bounds the memory that a client can demand.
const MAX_MOVES: usize = 100_000;

/// A game in progress by the rules `R`, with what its options have set.
pub(super) struct Typed<R: Playable> {
    /// The game in progress, with the rules in force.
    pub(super) game: Game<R>,
    pub(super) evaluator: R::Evaluator,
    /// The constants of the search.
    #[cfg(feature = "tune")]
    pub(super) tuning: leap_search::SearchTuning,
}

impl<R: Playable> Typed<R> {
    pub(super) fn new(rules: R) -> Self {
        Self {
            game: Game::start(rules),
            evaluator: R::Evaluator::default(),
            #[cfg(feature = "tune")]
            tuning: R::TUNING,
        }
    }

    pub(super) fn rules(&self) -> &R {
        self.game.rules()
    }

    pub(super) fn position(&self, start: &Start) -> Result<R::Position, ErrorReply> {
        match start {
            Start::StartPos => Ok(self.rules().start()),
            Start::Fen(text) => {
                self.rules().parse_position(text).map_err(|error| bad_position(&error))
            }
        }
    }

    /// `MaxPlies`, then the game's own options.
    pub(super) fn specs() -> impl Iterator<Item = &'static OptionSpec<R>> {
        [const { &max_plies::<R>() }].into_iter().chain(R::OPTIONS)
    }

    /// The options of the rules.
    pub(super) fn rule_options(&self) -> Vec<OptionRow> {
        let scope = |index| if index == 0 { Scope::AllRules } else { Scope::Rules(R::ID) };
        let rows = Self::specs().enumerate().map(|(index, spec)| OptionRow {
            name: spec.name.into(),
            kind: spec.kind.clone(),
            scope: scope(index),
            help: spec.help,
            default: (spec.get)(&R::default()),
        });
        rows.collect()
    }

    /// The options of the rules and their values.
    pub(super) fn rules_in_force(&self) -> GameInfo {
        let pair = |spec: &OptionSpec<R>| (spec.name.to_owned(), (spec.get)(self.rules()));
        GameInfo { game: R::ID.to_owned(), options: KeyValues(Self::specs().map(pair).collect()) }
    }

    /// Takes over rules under which the moves of the game so far must be legal too.
    pub(super) fn change_rules(&mut self, rules: R) -> Result<(), ErrorReply> {
        let mut game = Game::new(rules, self.game.positions()[0]);
        push_all(&mut game, &history(&self.game))?;
        self.game = game;
        Ok(())
    }
}

/// The option that every game has.
const fn max_plies<R: Playable>() -> OptionSpec<R> {
    OptionSpec {
        name: "MaxPlies",
        kind: Kind::Spin(0, MAX_PLIES),
        help: "the ply at which every game ends; 0 = never",
        get: |rules| rules.clone().max_plies().to_string(),
        set: |rules, value| store(rules.max_plies(), value),
    }
}

/// Makes the moves. On an error, the moves before it stay made.
pub(super) fn push_all<R: Notation>(
    game: &mut Game<R>,
    moves: &[String],
) -> Result<(), ErrorReply> {
    let count = game.moves().len() + moves.len();
    if count > MAX_MOVES {
        let text = format!("expected a game of at most {MAX_MOVES} moves, found {count}");
        return Err(ErrorReply::new(ErrorCode::OutOfRange, text));
    }
    for (i, text) in moves.iter().enumerate() {
        let mv = game
            .parse_move(text)
            .map_err(|illegal| illegal_move(R::GEOMETRY, i + 1, text, illegal))?;
        game.push(mv);
    }
    Ok(())
}

/// The canonical texts of the moves made so far.
pub(super) fn history<R: Notation>(game: &Game<R>) -> Vec<String> {
    let played = game.positions().iter().zip(game.moves());
    played.map(|(position, mv)| game.rules().print_move(position, *mv)).collect()
}
