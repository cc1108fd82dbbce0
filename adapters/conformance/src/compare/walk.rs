//! The positions to compare: from random games, from a file, or all of them up to a depth by their perft counts.

use std::path::Path;

use anyhow::{Context as _, bail};
use leap_base::files;
use leap_base::terminal::Progress;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::Deserialize;

use super::{CompareArgs, EnginePair, Found, LineOfPlay, divide};

/// The longest file of positions that is accepted.
const MAX_BYTES: u64 = 64 << 20;

/// Compares all games from their start positions, by perft or by random games.
pub(super) fn games(pair: &mut EnginePair, args: &CompareArgs) -> Found {
    if args.perft.is_none() && !pair.a.has("moves") && !pair.b.has("moves") {
        bail!("neither engine announces 'moves', so no game can be played; --positions needs none");
    }
    let games = super::games(pair, args)?;
    let each = if args.perft.is_some() { 1 } else { args.games };
    let total = each.saturating_mul(games.len() as u64);
    let progress = Progress::new("games", Some(total), 0, false);
    for (game, index) in games.into_iter().zip(0..) {
        let line = LineOfPlay { game, fen: None, moves: Vec::new() };
        if let Some(depth) = args.perft {
            progress.at(index, &pair.stage(&line));
            if let found @ Some(_) = divide::compare(pair, &line, depth)? {
                return Ok(found);
            }
            continue;
        }
        for number in 0..args.games {
            // Each game has its own stream, so that it can be repeated alone.
            let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
            rng.set_stream(number);
            let done = each.saturating_mul(index) + number;
            let tell = |pair: &EnginePair, line: &LineOfPlay| progress.at(done, &pair.stage(line));
            if let found @ Some(_) = random_game(pair, line.clone(), rng, args.max_plies, tell) {
                return Ok(found);
            }
        }
    }
    Ok(None)
}

fn random_game(
    pair: &mut EnginePair,
    mut line: LineOfPlay,
    mut rng: ChaCha8Rng,
    plies: usize,
    tell: impl Fn(&EnginePair, &LineOfPlay),
) -> Option<Box<super::Difference>> {
    for _ in 0..plies {
        tell(pair, &line);
        let mut moves = match pair.compare(&line) {
            Ok(moves) => moves,
            Err(difference) => return Some(difference),
        };
        if moves.is_empty() {
            return None;
        }
        let index = rng.next_u32() as usize % moves.len();
        line.moves.push(moves.swap_remove(index));
    }
    None
}

/// A line of a JSON lines file.
#[derive(Deserialize)]
struct Entry {
    fen: String,
    game: Option<String>,
}

/// Compares the positions of a file, each with those one ply later, or by perft.
pub(super) fn positions(pair: &mut EnginePair, path: &Path, args: &CompareArgs) -> Found {
    let text = files::read_text(path, MAX_BYTES)
        .with_context(|| format!("cannot read positions from {}", path.display()))?;
    let common = super::games(pair, args)?;
    let mut chosen = 0;
    let progress = Progress::new("lines", Some(text.lines().count() as u64), 0, false);
    for (number, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let entry = entry(text).with_context(|| format!("{}:{}", path.display(), number + 1))?;
        // A position without a game belongs to the first selected one.
        let game = entry.game.map(Some).or_else(|| common.first().cloned()).flatten();
        if !common.contains(&game) {
            continue;
        }
        chosen += 1;
        let line = LineOfPlay { game, fen: Some(entry.fen), moves: Vec::new() };
        progress.at(number as u64, &pair.stage(&line));
        let found = match args.perft {
            Some(depth) => divide::compare(pair, &line, depth)?,
            None => with_children(pair, &line),
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    if chosen == 0 {
        bail!("{} has no position of these games", path.display());
    }
    Ok(None)
}

fn entry(line: &str) -> serde_json::Result<Entry> {
    if line.trim_start().starts_with('{') {
        return serde_json::from_str(line);
    }
    Ok(Entry { fen: line.split_whitespace().collect::<Vec<_>>().join(" "), game: None })
}

fn with_children(pair: &mut EnginePair, line: &LineOfPlay) -> Option<Box<super::Difference>> {
    let moves = match pair.compare(line) {
        Ok(moves) => moves,
        Err(difference) => return Some(difference),
    };
    moves.iter().find_map(|mv| pair.compare(&line.with(mv)).err())
}
