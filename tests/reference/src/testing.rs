//! What the tests of the games share.

use crate::{Ending, Game, GameId, Options};

/// A score and a reason as `result` gives them.
pub(crate) fn some(score: &'static str, reason: &'static str) -> Option<Ending> {
    Some(Ending { score, reason })
}

/// Counts from the start, to depths of some 100,000 moves. The deeper counts of the rules are for the engine.
pub(crate) fn check_start(id: &str, options: &Options, counts: &[u64]) {
    let id = GameId::of(id);
    let start = id.start(options);
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(id.perft(&start, depth, options), count, "{id:?} perft {depth}");
    }
}

/// Plays `texts`, each of which must be legal, and returns the ending after them.
pub(crate) fn ending_after(game: &mut Game, texts: &str) -> Option<Ending> {
    for text in texts.split(' ') {
        let moves = game.moves();
        assert!(moves.iter().any(|legal| legal == text), "{text} not in {moves:?}");
        game.play(text);
    }
    game.result()
}

/// A position at ply 400 ends the game with that score, unless `MaxPlies` is 0.
pub(crate) fn check_max_plies(id: &str, position: &str, score: &'static str) {
    let id = GameId::of(id);
    let options = Options::default();
    assert_eq!(id.result(position, &options), some(score, "max-plies"));
    assert_eq!(id.moves(position, &options), Vec::<String>::new());
    let game = Game::from_position(id, &options, position);
    assert_eq!(game.result(), some(score, "max-plies"));
    assert_eq!(id.result(position, &options.with("MaxPlies", "0")), None);
}

/// A position without moves, in which other endings hold too, ends as told.
pub(crate) fn check_without_moves(id: &str, position: &str, ending: Option<Ending>) {
    let id = GameId::of(id);
    let options = Options::default();
    assert_eq!(id.result(position, &options), ending);
    assert_eq!(Game::from_position(id, &options, position).result(), ending);
}

/// The game refuses these positions.
pub(crate) fn check_refused(id: &str, positions: &[&str]) {
    for position in positions {
        assert!(GameId::of(id).parse(position).is_err(), "{id} takes {position}");
    }
}

/// These texts are no moves at the start.
pub(crate) fn check_illegal(id: &str, texts: &[&str]) {
    let (id, options) = (GameId::of(id), Options::default());
    for text in texts {
        let found = id.canonical(&id.start(&options), text, &options);
        assert_eq!(found, None, "{id:?} {text:?}");
    }
}
