//! `leap rate`: one rating list over many matches.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{bail, ensure};
use leap_base::terminal;
use serde::Serialize;

use crate::events::games::Finished;
use crate::events::recorder::{OpenGames, Played};
use crate::events::repeats::{RepeatedGames, Repetition};
use crate::events::{Start, store};
use crate::merge;
use crate::plan::config::{Config, EngineConfig};
use crate::plan::resolve;
use crate::results::display::table;
use crate::results::ratings::Ratings;
use crate::results::standings::Standing;
use crate::stats::bradley_terry::{Group, fit};
use crate::stats::{Estimate, Summary};

/// The most pairings that are named to be played next.
const NEXT: usize = 5;
/// The likelihood from which the order of two engines is certain enough.
const CERTAIN: f64 = 0.975;

/// Rate the engines of many matches in one list, and name the pairings that it needs next.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Engines of two matches are the same if their names, commands, arguments, options and limits are.\n\
    Elo is relative to the mean of the list."
)]
pub struct RateArgs {
    /// Directories of matches, finished or not, of one game.
    #[arg(value_name = "DIR", required = true)]
    pub dirs: Vec<PathBuf>,
    /// Engines are the same if their names are.
    #[arg(long)]
    pub by_name: bool,
    /// Print the list as JSON instead of a table.
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
///
/// # Errors
/// If the matches are of different games, two of them have the same game, or one cannot be read.
pub fn run(args: &RateArgs) -> anyhow::Result<ExitCode> {
    let mut pool = Pool { by_name: args.by_name, ..Pool::default() };
    for dir in merge::parts(&args.dirs)?.dirs {
        pool.add(&dir)?;
    }
    let list = pool.rated();
    if args.json {
        terminal::write_data(&(serde_json::to_string_pretty(&list)? + "\n"))?;
    } else {
        terminal::show(list.to_text())?;
    }
    if list.repetition.repeated > 0 {
        terminal::warn(format_args!("leap: {}", list.repetition));
    }
    Ok(ExitCode::SUCCESS)
}

/// The games of several matches.
#[derive(Default)]
struct Pool {
    by_name: bool,
    /// The game, with the first match of it.
    game: Option<(Option<String>, PathBuf)>,
    /// The engines, with all of the options that are set in each.
    engines: Vec<EngineConfig>,
    /// The games that have ended for good, with the number of their pairs.
    finished: Vec<(u64, Finished)>,
    /// Pairs of the matches so far.
    pairs: u64,
    repeated: RepeatedGames,
    /// The match of each game, by a hash of when it began and how it ended.
    known: HashMap<u64, PathBuf>,
}

impl Pool {
    /// Adds a match.
    fn add(&mut self, dir: &Path) -> anyhow::Result<()> {
        let mut open = OpenGames::default();
        let mut players = None;
        let (run, games) = store::read_games(dir, |run, event| {
            let players = players.get_or_insert_with(|| self.engines_of(&run.config));
            match open.note(event) {
                Some(played) => self.note(dir, players, played),
                None => Ok(()),
            }
        })?;
        self.is_of_game(dir, &run.config)?;
        let players = players.unwrap_or_else(|| self.engines_of(&run.config));
        let before = self.pairs;
        for (number, game) in games.results() {
            let pair = before + number.div_ceil(2);
            self.pairs = self.pairs.max(pair);
            let players = game.players.map(|player| players[player]);
            self.finished.push((pair, Finished { players, ..*game }));
        }
        Ok(())
    }

    /// Notes a game, which no other match may have.
    fn note(&mut self, dir: &Path, players: &[usize], game: Played) -> anyhow::Result<()> {
        let Played { start, moves, end } = game;
        let mut hasher = DefaultHasher::new();
        (&start.time, end.game, &end.time, end.time_us, end.plies).hash(&mut hasher);
        if let Some(other) = self.known.insert(hasher.finish(), dir.to_owned()) {
            bail!("game {} of {} is in {} too", end.game, dir.display(), other.display());
        }
        let (p1, p2) = (players[start.p1], players[start.p2]);
        self.repeated.note(&Start { p1, p2, ..start }, &moves, &end);
        Ok(())
    }

    /// Matches of different games cannot be compared.
    fn is_of_game(&mut self, dir: &Path, config: &Config) -> anyhow::Result<()> {
        let (game, first) = self.game.get_or_insert_with(|| (config.game.clone(), dir.to_owned()));
        let named = |game: &Option<String>| game.clone().unwrap_or_else(|| "unset".to_owned());
        ensure!(
            *game == config.game,
            "{}: expected the game {} as in {}, found {}",
            dir.display(),
            named(game),
            first.display(),
            named(&config.game)
        );
        Ok(())
    }

    /// The engines of a match, as indices of [`Pool::engines`].
    fn engines_of(&mut self, config: &Config) -> Vec<usize> {
        let engines = config.engines.iter().map(|engine| {
            let options = resolve::options(config, engine).into_iter();
            let options = options.map(|(name, (value, _))| (name.to_owned(), value.to_owned()));
            EngineConfig { options: options.collect(), latency_ms: 0, ..engine.clone() }
        });
        engines.map(|engine| self.index(engine)).collect()
    }

    fn index(&mut self, engine: EngineConfig) -> usize {
        let is_same = |known: &EngineConfig| match self.by_name {
            true => known.name == engine.name,
            false => *known == engine,
        };
        let known = self.engines.iter().position(is_same);
        known.unwrap_or_else(|| {
            self.engines.push(engine);
            self.engines.len() - 1
        })
    }

    fn rated(&self) -> RatingList<'_> {
        let mut ratings = Ratings::new(self.engines.len());
        for (pair, game) in &self.finished {
            ratings.note(*pair, game);
        }
        let groups = fit(&ratings.cross);
        let names = self.names();
        let row = |number: usize, group: &Group, at: usize| {
            let engine = group.engines[at];
            let has_next = at + 1 < group.engines.len();
            let summary = Summary {
                elo: group.rating(at),
                los: has_next.then(|| group.superiority(at, at + 1)),
                normalized_elo: None,
                ..ratings.results[engine].summary()
            };
            let faults = ratings.faults[engine].clone();
            let standing = Standing { engine: names[engine].clone(), summary, faults };
            Row { group: number + 1, standing, config: &self.engines[engine] }
        };
        let engines = groups.iter().enumerate().flat_map(|(number, group)| {
            (0..group.engines.len()).map(move |at| (number, group, at))
        });
        let engines = engines.map(|(number, group, at)| row(number, group, at)).collect();
        let repetition = self.repeated.repetition();
        RatingList { engines, next: next(&groups, &names), repetition }
    }

    /// Distinct names: a number tells engines of the same name apart.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for EngineConfig { name, .. } in &self.engines {
            let numbered = (2..).map(|number| format!("{name}-{number}"));
            let new = [name.clone()].into_iter().chain(numbered).find(|name| !names.contains(name));
            names.extend(new);
        }
        names
    }
}

/// The pairings that tell most: first those without which groups cannot be compared. Then those whose order is open,
/// the one first whose game tells most. Each engine is in one of them, so they can be played at the same time.
fn next(groups: &[Group], names: &[String]) -> Vec<NextPairing> {
    let mut candidates: Vec<(f64, [usize; 2], Option<Estimate>)> = Vec::new();
    for two in groups.windows(2) {
        let [above, below] = [two[0].engines.last(), two[1].engines.first()];
        if let (Some(&above), Some(&below)) = (above, below) {
            candidates.push((f64::INFINITY, [above, below], None));
        }
    }
    for group in groups {
        let places = 0..group.engines.len();
        let all = places.flat_map(|a| (a + 1..group.engines.len()).map(move |b| (a, b)));
        for (a, b) in all.filter(|(a, b)| group.superiority(*a, *b) < CERTAIN) {
            let engines = [a, b].map(|at| group.engines[at]);
            candidates.push((group.information(a, b), engines, Some(group.difference(a, b))));
        }
    }
    candidates.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
    let mut taken = vec![false; names.len()];
    candidates.retain(|(_, engines, _)| {
        let is_free = engines.iter().all(|engine| !taken[*engine]);
        engines.iter().for_each(|engine| taken[*engine] |= is_free);
        is_free
    });
    let named = |(_, engines, elo): (f64, [usize; 2], Option<Estimate>)| NextPairing {
        engines: engines.map(|engine| names[engine].clone()),
        elo,
    };
    candidates.into_iter().take(NEXT).map(named).collect()
}

/// The list, as it is printed.
#[derive(Serialize)]
struct RatingList<'a> {
    /// Group by group, best first.
    engines: Vec<Row<'a>>,
    /// What to play next.
    next: Vec<NextPairing>,
    #[serde(flatten)]
    repetition: Repetition,
}

/// An engine. Its Elo is relative to the mean of its group, its LOS to the next engine of the group.
#[derive(Serialize)]
struct Row<'a> {
    /// Engines of different groups have no finite difference.
    group: usize,
    #[serde(flatten)]
    standing: Standing,
    config: &'a EngineConfig,
}

/// A pairing that the list needs.
#[derive(Serialize)]
struct NextPairing {
    engines: [String; 2],
    /// The difference so far, unless it may be of any size.
    elo: Option<Estimate>,
}

impl RatingList<'_> {
    fn to_text(&self) -> String {
        let standings: Vec<Standing> =
            self.engines.iter().map(|row| row.standing.clone()).collect();
        let mut lines = vec![table(&standings)];
        let last = self.engines.last().map_or(0, |row| row.group);
        if last > 1 {
            let named = |number: usize| {
                let group = self.engines.iter().filter(|row| row.group == number);
                group.map(|row| &*row.standing.engine).collect::<Vec<_>>().join(", ")
            };
            let groups: Vec<String> = (1..=last).map(named).collect();
            lines.push(format!(
                "the results give these groups no finite difference: {}",
                groups.join(" | ")
            ));
        }
        lines.extend(self.told_apart());
        lines.extend(self.next.iter().map(|NextPairing { engines: [a, b], elo }| match elo {
            Some(elo) => format!("next: {a} - {b}, whose order is open ({elo})"),
            None => format!("next: {a} - {b}, whose difference may be of any size"),
        }));
        if self.next.is_empty() {
            lines.push("the order of all engines is certain".to_owned());
        }
        lines.join("\n") + "\n"
    }

    /// A line for each engine whose name others have too.
    fn told_apart(&self) -> Vec<String> {
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        self.engines.iter().for_each(|row| *count.entry(&row.config.name).or_default() += 1);
        let shared = self.engines.iter().filter(|row| count[&*row.config.name] > 1);
        shared.map(|row| format!("{} is {}", row.standing.engine, in_words(row.config))).collect()
    }
}

/// An engine in words: its command, options and limits.
fn in_words(EngineConfig { cmd, args, options, limit, .. }: &EngineConfig) -> String {
    let command = [cmd.display().to_string()].into_iter().chain(args.iter().cloned());
    let options = options.iter().map(|(name, value)| format!("{name}={value}"));
    let parts = [command.collect::<Vec<_>>().join(" ")].into_iter().chain(options);
    parts.chain([limit.to_string()]).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::Outcome::{self, Draw, P1Win, P2Win};
    use crate::events::store::Store;
    use crate::events::{Event, Run};
    use crate::plan::{Match, Plan, ScheduledGame, config_of};
    use crate::results::tally::tests::end;

    /// A match whose games have these results, in a new directory.
    fn played(config: Config, results: &[Outcome]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let found = Match::new(config, None).unwrap();
        let store = Store::create(dir.path(), Run::of(&found)).unwrap();
        for (game, result) in found.plan.games().zip(results) {
            let (number, [p1, p2]) = (game.number, game.players);
            let start = Start {
                pair: game.pair(),
                round: game.round,
                p1,
                p2,
                attempt: 1,
                ..Start::default()
            };
            // The moves of the opening make games differ.
            let time = dir.path().display().to_string();
            let moves = vec![format!("{time}{number}")];
            store.write(&Event::Start(Start { game: number, time, moves, ..start })).unwrap();
            let end = crate::events::End { plies: 1, ..end(number, *result, None) };
            store.write(&Event::End(end)).unwrap();
        }
        dir
    }

    fn pool(by_name: bool, matches: &[&tempfile::TempDir]) -> anyhow::Result<Pool> {
        let mut pool = Pool { by_name, ..Pool::default() };
        matches.iter().try_for_each(|dir| pool.add(dir.path()))?;
        Ok(pool)
    }

    /// The engines of a list by group, with their games.
    fn listed(pool: &Pool) -> Vec<(usize, String, u64)> {
        let rows = pool.rated().engines.into_iter();
        rows.map(|row| (row.group, row.standing.engine, row.standing.summary.games)).collect()
    }

    fn row(group: usize, engine: &str, games: u64) -> (usize, String, u64) {
        (group, engine.to_owned(), games)
    }

    #[test]
    fn engines_are_the_same_by_name_command_options_and_limits() {
        let plain = played(config_of(2, ""), &[P1Win, P1Win]);
        let again = played(config_of(2, ""), &[P1Win, Draw]);
        assert_eq!(
            listed(&pool(false, &[&plain, &again]).unwrap()),
            [row(1, "e0", 4), row(1, "e1", 4)]
        );
        for other in ["each = { nodes = 5 }", "option = { Hash = 1 }", "each = { arg = 'x' }"] {
            let other = played(config_of(2, other), &[P1Win, P1Win]);
            let expected = [row(1, "e0", 2), row(1, "e1", 2), row(2, "e0-2", 2), row(2, "e1-2", 2)];
            assert_eq!(listed(&pool(false, &[&plain, &other]).unwrap()), expected);
            let expected = [row(1, "e0", 4), row(1, "e1", 4)];
            assert_eq!(listed(&pool(true, &[&plain, &other]).unwrap()), expected);
        }
    }

    #[test]
    fn pairs_of_different_matches_do_not_mix() {
        let config = || config_of(2, "games = 4");
        let matches = [played(config(), &[P1Win, P1Win, P1Win]), played(config(), &[Draw, P1Win])];
        let pool = pool(false, &[&matches[0], &matches[1]]).unwrap();
        let list = pool.rated();
        // Won and lost, then drawn and lost; the third game of the first match has no partner.
        let rows = list.engines.iter().find(|row| row.standing.engine == "e0").unwrap();
        assert_eq!(rows.standing.summary.pairs.0, [0, 1, 1, 0, 0]);
        assert_eq!((rows.standing.summary.games, list.repetition.repeated), (5, 0));
    }

    #[test]
    fn the_same_games_and_other_games_are_refused() {
        let one = played(config_of(2, "game = 'race'"), &[P1Win]);
        let other = played(config_of(2, "game = 'hex'"), &[P1Win]);
        let refusal = |dirs: &[&tempfile::TempDir]| pool(false, dirs).err().unwrap().to_string();
        let twice = format!("{:#}", pool(false, &[&one, &one]).err().unwrap());
        assert!(twice.contains("game 1 of ") && twice.ends_with(" too"), "{twice}");
        let different = refusal(&[&one, &other]);
        assert!(different.contains("expected the game race as in "), "{different}");
        assert!(different.ends_with("found hex"), "{different}");
    }

    #[test]
    fn the_pairings_that_tell_most_are_next() {
        // e0 leads e1 by a little, e2 is far behind, and nobody has scored against e3.
        let config = config_of(4, "games = 40");
        let result = |(at, game): (usize, ScheduledGame)| {
            let [p1, p2] = game.players;
            let winner = match [p1.min(p2), p1.max(p2)] {
                [_, 3] => 3,
                [first, second] => {
                    let lost = if second == 1 { 18 } else { 2 };
                    if at % 40 < lost { second } else { first }
                }
            };
            if winner == p1 { P1Win } else { P2Win }
        };
        let games: Vec<ScheduledGame> = Plan::new(&config).unwrap().games().collect();
        let all: Vec<Outcome> = games.into_iter().enumerate().map(result).collect();
        let dir = played(config, &all);
        let pool = pool(false, &[&dir]).unwrap();
        let list = pool.rated();
        let order: Vec<&str> = list.engines.iter().map(|row| &*row.standing.engine).collect();
        assert_eq!(order, ["e3", "e0", "e1", "e2"]);
        let next: Vec<&[String; 2]> = list.next.iter().map(|next| &next.engines).collect();
        assert_eq!(next, [&["e3", "e0"]]);
        let text = list.to_text();
        assert!(
            text.contains("the results give these groups no finite difference: e3 | e0, e1, e2\n"),
            "{text}"
        );
        assert!(text.ends_with("next: e3 - e0, whose difference may be of any size\n"), "{text}");
    }
}
