//! A game in play with its options: what answers and jobs read.

use std::sync::OnceLock;

use leap_core::Game;
use leap_core::notation::Notation;
use leap_protocol::{ErrorCode, ErrorReply};
use leap_search::Playable;
use leap_search::option::{Kind, OptionSpec, store};

use crate::options::{OptionRow, Scope};
use crate::refusal::illegal_move;

/// The most moves of a game since it was set up (SPEC 3.15). The limit bounds the memory that a client can demand.
const MAX_MOVES: usize = 100_000;

/// A game in progress by the rules `R`, with what its options have set.
pub(super) struct GameEngine<R: Playable> {
    /// The game in progress, with the rules in force.
    pub(super) game: Game<R>,
    /// Made when it is first needed, since reading weights takes milliseconds.
    pub(super) evaluator: OnceLock<R::Evaluator>,
    /// The constants of the search.
    #[cfg(feature = "tune")]
    pub(super) tuning: leap_search::SearchTuning,
}

impl<R: Playable> GameEngine<R> {
    pub(super) fn evaluator(&self) -> &R::Evaluator {
        self.evaluator.get_or_init(R::Evaluator::default)
    }

    /// `MaxPlies` where the game has it, then the game's own options.
    pub(super) fn specs() -> impl Iterator<Item = &'static OptionSpec<R>> {
        let max_plies = const { &max_plies::<R>() };
        let has_limit = R::default().max_plies().is_some();
        has_limit.then_some(max_plies).into_iter().chain(R::OPTIONS)
    }

    /// The options of the rules.
    pub(super) fn rule_options() -> Vec<OptionRow> {
        let scope = |name| if name == MAX_PLIES { Scope::AllRules } else { Scope::Rules(R::ID) };
        Self::specs().map(|spec| OptionRow::new(scope(spec.name), spec)).collect()
    }
}

/// The name of the option that the games share.
const MAX_PLIES: &str = "MaxPlies";

/// The option that the games share.
const fn max_plies<R: Playable>() -> OptionSpec<R> {
    OptionSpec {
        name: MAX_PLIES,
        kind: Kind::PLIES,
        help: "the ply at which every game ends; 0 = never",
        get: |rules| rules.clone().max_plies().map_or(0, |plies| *plies).to_string(),
        set: |rules, value| rules.max_plies().map_or(Ok(()), |plies| store(plies, value)),
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
