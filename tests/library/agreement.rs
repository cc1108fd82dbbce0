//! The engine and a slow implementation written from the rules alone (`tests/reference/`) agree along random games.
//!
//! They agree about moves and their order, positions after moves, endings, other routes to a move, and texts that are
//! no move.

mod composed;

use leap_engine::Engine;
use leap_engine::options::{OPTIONS, Scope, Settings};
use leap_games::Kind;
use leap_protocol::payload::{Legality, MoveList, Status};
use leap_protocol::{Query, Start};
use leap_reference::{Game, GameId, Options, SplitMix64};

use crate::ask::ask;

/// Random games for each game and set of options: in the quick test, and in the slow one.
const FEW: u64 = 8;
const MANY: u64 = 40;
const MAX_PLIES: usize = 150;
/// Positions of Froglet with more moves are left out: the slow way takes too long.
const MANY_MOVES: usize = 5_000;

/// What the two sides of the comparison need.
#[derive(Clone, Copy)]
struct Both<'a> {
    engine: &'a dyn Engine,
    id: GameId,
    options: &'a Options,
}

/// Plays one random game in both; `None` once the slow way would take too long.
fn play_both(
    engine: &mut dyn Engine,
    (id, options): (GameId, &Options),
    random: &mut SplitMix64,
) -> Option<()> {
    let mut game = Game::from_start(id, options);
    for _ in 0..MAX_PLIES {
        let text = game.position();
        assert_eq!(ask::<String>(engine, &Query::Fen), text);
        let expected = game.try_moves(MANY_MOVES)?;
        let found: MoveList = ask(engine, &Query::Moves { limit: None });
        assert_eq!(found.moves, expected, "{text}");
        check_ending(engine, &game);
        if expected.is_empty() {
            return Some(());
        }
        let mv = expected[random.below(expected.len())].clone();
        check_texts(&Both { engine, id, options }, &game, &expected, random);
        game.play(&mv);
        engine.play(&[mv]).unwrap();
    }
    Some(())
}

fn check_ending(engine: &dyn Engine, game: &Game) {
    let status: Status = ask(engine, &Query::Status);
    let ending = game.result();
    assert_eq!(status.over, ending.is_some(), "{}", game.position());
    assert_eq!(status.repetitions, game.repetitions() as u64, "{}", game.position());
    let Some(ending) = ending else { return };
    let score = match status.result.as_str() {
        "p1win" => "1-0",
        "p2win" => "0-1",
        "draw" => "1/2-1/2",
        other => other,
    };
    assert_eq!(score, ending.score, "{}", game.position());
    assert_eq!(status.reason, ending.reason, "{}", game.position());
}

/// A move text with a square changed is a move in both or in neither.
fn check_texts(both: &Both<'_>, game: &Game, moves: &[String], random: &mut SplitMix64) {
    let Both { engine, id, options } = *both;
    let position = game.position();
    let mv = &moves[random.below(moves.len())];
    let mut bytes = mv.as_bytes().to_vec();
    let at = random.below(bytes.len());
    if bytes[at].is_ascii_lowercase() {
        bytes[at] = b'a' + random.below(8) as u8;
    } else if bytes[at].is_ascii_digit() {
        bytes[at] = b'1' + random.below(8) as u8;
    }
    let text = String::from_utf8(bytes).unwrap();
    let legal = ask::<Legality>(engine, &Query::Legal(text.clone())) == Legality::Legal;
    let canonical = id.canonical(&position, &text, options);
    let listed = canonical.filter(|canonical| moves.contains(canonical));
    assert_eq!(legal, listed.is_some(), "{text} in {position}");
}

/// Options with their values.
type Values = Vec<(&'static str, &'static str)>;

/// The defaults, every other value of each option of a game's rules, and one value of all options together.
fn variants(game: leap_games::GameId) -> Vec<Values> {
    let (mut variants, mut together) = (vec![Vec::new()], Vec::new());
    for row in OPTIONS.iter().filter(|row| row.scope.rules_of(game)) {
        // Games reach these limits.
        let numbers = ["30", "6", "2"].as_slice();
        let values = if let Kind::Spin(..) = row.kind { numbers } else { row.kind.words() };
        let default = row.value(&Settings::default());
        let mut others = values.iter().filter(|value| **value != default);
        variants.extend(others.clone().map(|value| vec![(row.name, *value)]));
        // `MaxPlies` would end the game before another option shows.
        if row.scope == Scope::Rules(game) {
            together.extend(others.next_back().map(|value| (row.name, *value)));
        }
    }
    variants.push(together);
    variants
}

/// Seeds for the start position: a value for each option that takes any text.
fn seeds(game: leap_games::GameId, seed: u64) -> impl Iterator<Item = (&'static str, String)> {
    let rows = OPTIONS.iter().filter(move |row| row.scope == Scope::Rules(game));
    rows.filter(|row| row.kind == Kind::Text).map(move |row| (row.name, (seed + 1).to_string()))
}

fn agree(game: leap_games::GameId, games: u64) {
    let id = GameId::of(game.into());
    for values in variants(game) {
        let values = values.iter().map(|(name, value)| (*name, (*value).to_owned()));
        for seed in 0..games {
            let (mut settings, mut options) = (Settings::default(), Options::default());
            settings.set("Game", Some(id.name())).unwrap();
            for (name, value) in values.clone().chain(seeds(game, seed)) {
                settings.set(name, Some(&value)).unwrap();
                options = options.with(name, &value);
            }
            let mut engine = leap_engine::new(&settings);
            engine.set_up(&Start::StartPos, &[]).unwrap();
            play_both(engine.as_mut(), (id, &options), &mut SplitMix64(seed));
        }
    }
}

macro_rules! games {
    ($($id:ident $rules:ident $title:literal;)*) => {$(
        mod $id {
            #[test]
            fn engine_and_reference_agree_along_random_games_with_every_option() {
                super::agree(leap_games::GameId::$rules, super::FEW);
            }

            #[test]
            #[ignore = "slow: run by .ci/run"]
            fn engine_and_reference_agree_along_many_random_games_with_every_option() {
                super::agree(leap_games::GameId::$rules, super::MANY);
            }
        }
    )*};
}

leap_games::for_each_game!(games);
