//! The engine and a slow implementation written from the rules alone (`tests/reference/`) agree along random games.
//!
//! They agree about moves and their order, positions after moves, endings, other routes to a move, and texts that are
//! no move.

pub(crate) mod composed;

use leap_engine::options::{OptionRow, Scope};
use leap_engine::{Engine, Engines};
use leap_protocol::payload::{Legality, MoveList, Status};
use leap_protocol::{Query, Start};
use leap_reference::{Game, GameId, Options, SplitMix64};
use leap_search::option::Kind;

use crate::ask::{ask, engines};

/// Random games for each game and set of options.
const FEW: u32 = 8;
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
type Values = Vec<(String, String)>;

/// The defaults, every other value of each option of a game's rules, and one value of all options together.
fn variants(options: &[OptionRow]) -> Vec<Values> {
    let (mut variants, mut together) = (vec![Vec::new()], Vec::new());
    for row in options {
        // Games reach these limits.
        let numbers = ["30", "6", "2"].as_slice();
        let values = if let Kind::Spin(..) = row.kind { numbers } else { row.kind.words() };
        let others = values.iter().filter(|value| **value != row.default);
        let mut others = others.map(|value| (row.name.to_string(), (*value).to_owned()));
        variants.extend(others.clone().map(|value| vec![value]));
        // `MaxPlies` would end the game before another option shows.
        if row.scope != Scope::AllRules {
            together.extend(others.next_back());
        }
    }
    variants.push(together);
    variants
}

/// Seeds for the start position: a value for each option that takes any text.
fn seeds(options: &[OptionRow], seed: u64) -> impl Iterator<Item = (String, String)> {
    let rows = options.iter().filter(|row| row.kind == Kind::Text);
    rows.map(move |row| (row.name.to_string(), (seed + 1).to_string()))
}

/// The engine and the reference agree in each game, along so many random games with each set of options.
pub(crate) fn agree(games: u32) {
    for id in leap_games::IDS {
        let rows = rule_options(id);
        for values in variants(&rows) {
            for seed in 0..games.into() {
                agree_with(id, values.iter().cloned().chain(seeds(&rows, seed)), seed);
            }
        }
    }
}

/// The options of a game's rules.
fn rule_options(game: &str) -> Vec<OptionRow> {
    engines(game).options().filter(|row| row.scope.rules_of(game)).cloned().collect()
}

/// A game in the engine and the options of the reference, with these values.
fn with_options(
    game: &str,
    values: impl IntoIterator<Item = (String, String)>,
) -> (Engines, Options) {
    let (mut engines, mut options) = (engines(game), Options::default());
    for (name, value) in values {
        engines.set(&name, Some(&value)).unwrap();
        options = options.with(&name, &value);
    }
    (engines, options)
}

fn agree_with(game: &str, values: impl Iterator<Item = (String, String)>, seed: u64) {
    let (mut engines, options) = with_options(game, values);
    engines.engine_mut().set_up(&Start::StartPos, &[]).unwrap();
    play_both(engines.engine_mut(), (GameId::of(game), &options), &mut SplitMix64(seed));
}

#[test]
fn engine_and_reference_agree_along_random_games_with_every_option() {
    agree(leap_testing::tried(FEW));
}

/// SPEC 10.7: random games seldom come to both with the same ply.
#[test]
fn a_limit_comes_before_a_repetition_of_the_same_ply() {
    const SHUFFLE: &str = "c3d3 b1a1 d3c3 a1b1 c3d3 b1a1 d3c3 a1b1";
    for (option, value, reason) in
        [("AlquerqueQuietLimit", "8", "quiet-limit"), ("MaxPlies", "68", "max-plies")]
    {
        let (mut engines, options) = with_options("alquerque", [(option.into(), value.into())]);
        let engine = engines.engine_mut();
        let start = "5/5/M1m2/M4/1M3 2 - 0 60";
        engine.set_up(&Start::Fen(start.to_owned()), &[]).unwrap();
        let mut game = Game::from_position(GameId::of("alquerque"), &options, start);
        for mv in SHUFFLE.split(' ') {
            assert_eq!(game.result().map(|ending| ending.reason), None, "{mv}");
            game.play(mv);
            engine.play(&[mv.to_owned()]).unwrap();
            check_ending(engine, &game);
        }
        assert_eq!(game.repetitions(), 3);
        assert_eq!(game.result().unwrap().reason, reason);
    }
}
