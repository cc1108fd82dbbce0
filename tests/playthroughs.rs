//! One whole game of each kind, in `games/<id>/playthrough.snap`: position, moves and status at every ply.
//!
//! A change of rules or notation shows up as a difference that a person can read.
//! `INSTA_UPDATE=always cargo test --test playthroughs` rewrites the games.

use leap_engine::Engine;
use leap_engine::options::Settings;
use leap_protocol::payload::MoveList;
use leap_protocol::{Query, Reply};
use leap_toys::random::below;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Which of the random games is checked in.
const SEED: u64 = 7;

fn answer(engine: &dyn Engine, query: &Query) -> String {
    match &engine.answer(query).unwrap()[..] {
        [Reply::Response(body)] => body.clone(),
        replies => panic!("expected one response, found {replies:?}"),
    }
}

/// In some games random play hardly ever ends by itself.
const MAX_PLIES: &str = "100";

fn playthrough(game: &str) -> String {
    let mut settings = Settings::default();
    settings.set("Game", Some(game)).unwrap();
    settings.set("MaxPlies", Some(MAX_PLIES)).unwrap();
    let mut engine = leap_engine::new(&settings);
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut text = String::new();
    loop {
        let ask = |query| answer(engine.as_ref(), &query);
        let moves = ask(Query::Moves { limit: None });
        text +=
            &format!("fen    {}\nstatus {}\nmoves  {moves}\n", ask(Query::Fen), ask(Query::Status));
        let MoveList { moves, .. } = moves.parse().unwrap();
        if moves.is_empty() {
            return text;
        }
        let mv = moves[below(&mut rng, moves.len())].clone();
        text += &format!("effect {}\n\nplay   {mv}\n", ask(Query::Effects(mv.clone())));
        engine.play(&[mv]).unwrap();
    }
}

/// Compares a playthrough with the one in the folder of its game.
fn check(game: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("../games/{game}"));
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!("playthrough", playthrough(game)));
}

macro_rules! playthroughs {
    ($($game:ident $rules:ident $title:literal;)*) => {$(
        #[test]
        fn $game() {
            check(stringify!($game));
        }
    )*};
}

leap_games::for_each_game!(playthroughs);
