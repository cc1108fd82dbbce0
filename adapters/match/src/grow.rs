//! Resuming a match with arguments: those that say what is played must agree with the match. More games or rounds make
//! it longer.

use anyhow::{bail, ensure};
use serde_json::Value;

use crate::events::Grown;
use crate::plan::config::{Config, TournamentFormat};
use crate::plan::{self, Plan};

/// Compares what was asked for with the configuration of the match. Returns how the match has grown, if it has.
///
/// # Errors
/// Another setting than the length differs, or the match cannot have this length. The message names the setting and
/// both values.
pub(super) fn compared(stored: &mut Config, asked: &Config) -> anyhow::Result<Option<Grown>> {
    let (games, rounds) = (asked.games, asked.rounds);
    let longer = Config { games, rounds, ..stored.clone() };
    let [of_stored, of_asked] = [&longer, asked].map(serde_json::to_value);
    if let Some((path, expected, found)) = difference(String::new(), &of_stored?, &of_asked?) {
        bail!(
            "expected {path} {expected} as in the match, found {found}; --resume and --out alone go on with it"
        );
    }
    if longer == *stored {
        return Ok(None);
    }
    let plan = lengthened(stored, &longer)?;
    let (hash, total) = (plan::hash(&longer)?, plan.total());
    *stored = longer;
    Ok(Some(Grown { plan: hash, games, rounds, total }))
}

/// The plan of a longer match, which begins with all games of the shorter one.
fn lengthened(stored: &Config, longer: &Config) -> anyhow::Result<Plan> {
    let lengths =
        [("--games", stored.games, longer.games), ("--rounds", stored.rounds, longer.rounds)];
    for (option, before, after) in lengths {
        ensure!(
            after >= before,
            "{option}: expected {before} or more as in the match, found {after}"
        );
    }
    ensure!(
        stored.format != TournamentFormat::Knockout,
        "--games, --rounds: expected a format that can be made longer, found a knockout"
    );
    let (before, after) = (Plan::new(stored)?, Plan::new(longer)?);
    let is_same = |game: plan::ScheduledGame| after.game(game.number) == Some(game);
    let follows = stored.format.follows_results() && stored.games != longer.games;
    ensure!(
        !follows && before.games().all(is_same),
        "--games: expected {} as in the match, found {}: with these pairings --rounds makes it longer",
        stored.games,
        longer.games
    );
    Ok(after)
}

/// The first difference: where it is, the value of the match and that of the arguments.
fn difference(path: String, stored: &Value, asked: &Value) -> Option<(String, String, String)> {
    match (stored, asked) {
        _ if stored == asked => None,
        (Value::Object(a), Value::Object(b)) => {
            let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
            let dot = if path.is_empty() { "" } else { "." };
            let mut pairs =
                keys.map(|key| (format!("{path}{dot}{key}"), &stored[key], &asked[key]));
            pairs.find_map(|(path, stored, asked)| difference(path, stored, asked))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let mut pairs = a.iter().zip(b).enumerate();
            pairs.find_map(|(index, (a, b))| difference(format!("{path}[{index}]"), a, b))
        }
        _ => {
            let shown = |value: &Value| match value {
                Value::Null => "unset".to_owned(),
                value => leap_protocol::shown(&value.to_string()),
            };
            Some((path, shown(stored), shown(asked)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::args::PlanArgs;
    use crate::plan::resolve;

    fn args(text: &str) -> PlanArgs {
        toml::from_str(text).unwrap()
    }

    const TWO: &str = "referee = 'none'\n[[engine]]\ncmd = 'a'\n[[engine]]\ncmd = 'b'\n";

    fn config(more: &str) -> Config {
        resolve::config(args(&format!("{more}{TWO}"))).unwrap()
    }

    /// What comes of resuming a match: the games and rounds that it then has, or the message.
    fn resumed(stored: &Config, given: &str) -> Result<Option<(u64, u64)>, String> {
        let asked = resolve::changed(args(given), stored).unwrap();
        let mut config = stored.clone();
        let grown = compared(&mut config, &asked).map_err(|error| error.to_string())?;
        assert_eq!(grown.is_some(), config != *stored);
        Ok(grown.map(|grown| (grown.games, grown.rounds)))
    }

    #[test]
    fn a_match_grows_by_games_and_rounds() {
        let stored = config("games = 4\n");
        for (given, expected) in [
            ("games = 50\n", Some((50, 1))),
            ("rounds = 3\n", Some((4, 3))),
            ("games = 4\nrounds = 1\n", None),
            ("seed = 1\ngames = 5\n", Some((5, 1))),
            (&format!("games = 9\n{TWO}"), Some((9, 1))),
            (TWO, None),
        ] {
            assert_eq!(resumed(&stored, given), Ok(expected), "{given}");
        }
    }

    #[test]
    fn a_setting_that_differs_is_named_with_both_values() {
        let stored = config("games = 4\nrounds = 2\n");
        let each = format!("{TWO}[each]\nnodes = 5\n");
        for (given, expected) in [
            ("games = 2\n", "--games: expected 4 or more as in the match, found 2"),
            ("rounds = 1\n", "--rounds: expected 2 or more"),
            ("games = 9\nseed = 7\n", "expected seed 1 as in the match, found 7"),
            ("restart = 'game'\n", "expected restart \"crash\" as in the match, found \"game\""),
            ("random-plies = 2\n", "expected openings.random_plies 0 as in the match, found 2"),
            ("game = 'race'\n", "expected game unset as in the match, found \"race\""),
            (
                &each,
                "expected engines[0].limit.clock {\"inc_ms\":100,\"time_ms\":10000} as in the match, found unset",
            ),
        ] {
            let message = resumed(&stored, given).unwrap_err();
            assert!(message.starts_with(expected), "{message}");
        }
        let rounds = "with these pairings --rounds makes it longer";
        let message = resumed(&stored, "games = 6\n").unwrap_err();
        assert!(message.ends_with(rounds), "the second round moves: {message}");
        let three = config("").engines[0].clone();
        let three = Config { engines: vec![three.clone(), three.clone(), three], ..config("") };
        assert!(resumed(&three, "games = 4\n").unwrap_err().ends_with(rounds));
        assert_eq!(resumed(&three, "rounds = 4\n"), Ok(Some((2, 4))));
        let knockout = config("format = 'knockout'\n");
        assert!(resumed(&knockout, "rounds = 4\n").unwrap_err().ends_with("found a knockout"));
        let swiss = config("format = 'swiss'\nrounds = 2\n");
        assert_eq!(resumed(&swiss, "rounds = 4\n"), Ok(Some((2, 4))));
        assert!(resumed(&swiss, "games = 4\n").unwrap_err().ends_with(rounds));
    }

    #[test]
    fn each_without_engines_speaks_of_the_default_engines() {
        // Here no build has put leapd beside the tests.
        let of_default = "games = 4\nreferee = 'none'\n[each]\ncmd = 'leapd'\nnodes = 5\n";
        let stored = resolve::config(args(of_default)).unwrap();
        assert_eq!(resumed(&stored, of_default), Ok(None), "the command that began the match");
        let message = resumed(&stored, &of_default.replace('5', "6")).unwrap_err();
        assert!(message.starts_with("expected engines[0].limit.nodes 5 as in the match, found 6"));
        let message = resumed(&config("games = 4\n"), of_default).unwrap_err();
        assert!(message.starts_with("expected engines[0]."), "other engines: {message}");
    }
}
