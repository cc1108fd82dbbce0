//! The file of games: a form of PGN that the worker packs and sends to the server, and that `leap-train import` reads.

use std::fmt::Write as _;

use leap_match::events::recorder::Played;
use leap_match::events::{Move, Score};
use leap_match::plan::config::{Config, EngineConfig};

use crate::finished::{result, termination};

/// How every file of games begins.
pub(crate) const MARK: &[u8] = b"[Event \"leap ";

/// A game as text: tags, an empty line, the moves in one line, an empty line. `None` for a game that counts for nobody.
pub(crate) fn text(config: &Config, game: &Played) -> Option<String> {
    let result = result(game.end.result)?;
    let mut text = String::new();
    for (tag, value) in tags(config, game, result) {
        let _ = writeln!(text, "[{tag} \"{}\"]", value.replace(['"', '\n'], "'"));
    }
    text.push('\n');
    let opening = game.start.moves.iter().map(|mv| (mv.as_str(), "book".to_owned()));
    let played = game.moves.iter().map(|mv| (mv.mv.as_str(), comment(mv)));
    for (index, (mv, comment)) in opening.chain(played).enumerate() {
        if index % 2 == 0 {
            let _ = write!(text, "{}. ", index / 2 + 1);
        }
        let _ = write!(text, "{} {{{comment}}} ", written(mv));
    }
    let _ = write!(text, "{result}\n\n");
    Some(text)
}

fn tags(config: &Config, game: &Played, result: &str) -> Vec<(&'static str, String)> {
    let (start, end) = (&game.start, &game.end);
    let engine = |index: usize| config.engines.get(index);
    let name = |index| engine(index).map_or_else(String::new, |engine| engine.name.clone());
    let mut tags = vec![
        ("Event", concat!("leap ", env!("CARGO_PKG_VERSION")).to_owned()),
        ("Site", "?".to_owned()),
        ("Date", start.time.get(..10).unwrap_or("????-??-??").replace('-', ".")),
        ("Round", start.pair.to_string()),
        ("White", name(start.p1)),
        ("Black", name(start.p2)),
        ("Result", result.to_owned()),
    ];
    if let Some(fen) = &start.fen {
        tags.extend([("SetUp", "1".to_owned()), ("FEN", fen.clone())]);
    }
    tags.extend([
        ("Variant", variant(config)),
        ("TimeControl", engine(start.p1).map_or_else(String::new, time_control)),
        ("PlyCount", end.plies.to_string()),
        ("GameEndTime", end.time.clone()),
        ("Termination", termination(end.reason).to_owned()),
    ]);
    tags
}

/// The game, and the options that both engines and the referee have, as `query game` names them.
fn variant(config: &Config) -> String {
    let game = config.game.clone().unwrap_or_else(|| "?".to_owned());
    config.options.iter().fold(game, |text, (name, value)| format!("{text} {name} {value}"))
}

/// The clock in the form of PGN, or the other limits.
fn time_control(engine: &EngineConfig) -> String {
    match engine.limit.clock {
        Some(clock) => clock.to_string(),
        None => engine.limit.to_string(),
    }
}

/// A move in the characters that the worker reads as a move: another one, such as the `@` of a placement, is a `*`.
fn written(mv: &str) -> String {
    let is_read = |c: char| c.is_ascii_alphanumeric() || "+=#*-".contains(c);
    mv.chars().map(|c| if is_read(c) { c } else { '*' }).collect()
}

/// Score and depth, time, nodes and selective depth, and what the engine says: `+0.35/9 0.012s, n=1443, sd=12`.
fn comment(mv: &Move) -> String {
    let score = mv
        .score
        .map_or_else(String::new, |score| format!("{}/{} ", pawns(score), mv.depth.unwrap_or(0)));
    let mut text = format!("{score}{:.3}s", mv.time_us as f64 / 1e6);
    if let Some(nodes) = mv.nodes {
        let _ = write!(text, ", n={nodes}");
    }
    if let Some(seldepth) = mv.seldepth.or(mv.depth) {
        let _ = write!(text, ", sd={seldepth}");
    }
    if let Some(said) = &mv.comment {
        // The worker takes what follows this prefix, up to the quote.
        let said = said.replace('"', "'").replace('{', "(").replace('}', ")");
        let _ = write!(text, ", line=\"info string pgncomment {said}\"");
    }
    text
}

/// A score from the mover's side: pawns with two decimals, or the moves to the end.
fn pawns(score: Score) -> String {
    match score {
        Score::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Score::Mate(moves) => {
            format!("{}M{}", if moves < 0 { '-' } else { '+' }, moves.unsigned_abs())
        }
    }
}

#[cfg(test)]
mod tests {
    use leap_match::events::{End, Outcome, Reason, Start};

    use super::*;
    use crate::command_line;
    use crate::players::{self, Found};
    use crate::settings::Settings;
    use leap_match::plan::config::Protocol;

    fn config() -> Config {
        let line = "-engine cmd=a nodes=9 name=a-dev option.Game=sapos option.SaposRevisit=false \
                    -engine cmd=b nodes=9 name=a-base option.Game=sapos option.SaposRevisit=false";
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let found = Found {
            protocol: Protocol::Ugi,
            knows_rules: true,
            games: Vec::new(),
            lacks: Vec::new(),
        };
        let asked = command_line::parse(&words).unwrap();
        players::config(&asked, &[found.clone(), found], &Settings::default()).unwrap()
    }

    fn played(result: Outcome) -> Played {
        let (fen, moves) = (Some("8/8 1 1 7 18".to_owned()), vec!["a1a2".to_owned()]);
        let time = "2026-01-31T12:00:00Z".to_owned();
        let start = Start { pair: 1, p1: 1, p2: 0, time, fen, moves, ..Start::default() };
        let mv = |mv: &str, score, comment: Option<&str>| Move {
            mv: mv.to_owned(),
            time_us: 12_345,
            score: Some(score),
            depth: Some(9),
            seldepth: Some(12),
            nodes: Some(1443),
            comment: comment.map(str::to_owned),
            ..Move::default()
        };
        let moves = vec![
            mv("d2d4@c4", Score::Cp(35), None),
            mv("d6f6", Score::Mate(-2), Some("a \"b\" {c}")),
        ];
        let end = End {
            game: 2,
            result,
            reason: Reason::Time,
            rule: None,
            guilty: Some(2),
            unstarted: false,
            plies: 3,
            time_us: 1,
            time: "2026-01-31T12:00:09Z".to_owned(),
        };
        Played { start, moves, end }
    }

    #[test]
    fn a_game_is_written_as_the_worker_reads_it() {
        let expected = "[Event \"leap 0.2.0\"]\n[Site \"?\"]\n[Date \"2026.01.31\"]\n[Round \"1\"]\n\
            [White \"a-base\"]\n[Black \"a-dev\"]\n[Result \"1-0\"]\n[SetUp \"1\"]\n[FEN \"8/8 1 1 7 18\"]\n\
            [Variant \"sapos SaposRevisit false\"]\n[TimeControl \"nodes=9\"]\n[PlyCount \"3\"]\n\
            [GameEndTime \"2026-01-31T12:00:09Z\"]\n[Termination \"time forfeit\"]\n\n\
            1. a1a2 {book} d2d4*c4 {+0.35/9 0.012s, n=1443, sd=12} 2. d6f6 {-M2/9 0.012s, n=1443, sd=12, \
            line=\"info string pgncomment a 'b' (c)\"} 1-0\n\n";
        let expected = expected.replace("0.2.0", env!("CARGO_PKG_VERSION"));
        assert_eq!(text(&config(), &played(Outcome::P1Win)).unwrap(), expected);
    }

    #[test]
    fn a_void_game_is_not_written() {
        assert_eq!(text(&config(), &played(Outcome::Void)), None);
    }
}
