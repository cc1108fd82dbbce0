//! `key=value` words, as in `--engine cmd=leapd tc=10+0.1 option.Hash=64`, and their form as TOML tables.

use std::str::FromStr;

use anyhow::{Context as _, bail};
use serde::Deserialize;
use serde::de::{self, Deserializer};

/// A key and its value. The value may be empty, the key may not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The key.
    pub key: String,
    /// The value.
    pub value: String,
}

impl Pair {
    /// Parses the value.
    pub fn parse<T: FromStr>(&self, expected: &str) -> anyhow::Result<T> {
        let Self { key, value } = self;
        match value.parse() {
            Ok(value) => Ok(value),
            Err(_) => bail!("{key}: expected {expected}, found '{value}'"),
        }
    }
}

impl FromStr for Pair {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((key, value)) if !key.is_empty() => {
                Ok(Self { key: key.to_owned(), value: value.to_owned() })
            }
            _ => Err("expected KEY=VALUE".to_owned()),
        }
    }
}

/// The last value of a key, parsed as a number, or the default. Fails if there is neither.
pub fn number<T: FromStr>(pairs: &[Pair], key: &str, default: Option<T>) -> anyhow::Result<T> {
    match pairs.iter().rev().find(|pair| pair.key == key) {
        Some(pair) => pair.parse("a number"),
        None => default.with_context(|| format!("expected {key}=<number>")),
    }
}

/// Fails at the first key that is not one of these.
pub fn only(pairs: &[Pair], keys: &[&str]) -> anyhow::Result<()> {
    match pairs.iter().find(|pair| !keys.contains(&pair.key.as_str())) {
        Some(pair) => bail!("expected one of {}, found '{}'", keys.join(", "), pair.key),
        None => Ok(()),
    }
}

/// Reads a table: `Hash = 64` is `Hash=64`; `arg = ["a", "b"]` is `arg=a arg=b`; `option = { Hash = 64 }` is
/// `option.Hash=64`.
pub fn table<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Pair>, D::Error> {
    let table = toml::Table::deserialize(from)?;
    let mut pairs = Vec::new();
    for (key, value) in table {
        add(&mut pairs, key, value).map_err(de::Error::custom)?;
    }
    Ok(pairs)
}

fn add(pairs: &mut Vec<Pair>, key: String, value: toml::Value) -> Result<(), String> {
    match value {
        toml::Value::Array(values) => {
            values.into_iter().try_for_each(|value| add(pairs, key.clone(), value))
        }
        toml::Value::Table(table) => table
            .into_iter()
            .try_for_each(|(inner, value)| add(pairs, format!("{key}.{inner}"), value)),
        toml::Value::String(value) => {
            pairs.push(Pair { key, value });
            Ok(())
        }
        toml::Value::Integer(value) => add(pairs, key, toml::Value::String(value.to_string())),
        toml::Value::Float(value) => add(pairs, key, toml::Value::String(value.to_string())),
        toml::Value::Boolean(value) => add(pairs, key, toml::Value::String(value.to_string())),
        toml::Value::Datetime(_) => Err(format!("{key}: expected a text, found a date")),
    }
}

/// The groups of an option that may be repeated, with several pairs each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Engines(
    /// One group for each `--engine`.
    pub Vec<Vec<Pair>>,
);

impl Engines {
    const ID: &str = "engine";
}

// The derived implementation would put the pairs of all groups into one list.
impl clap::FromArgMatches for Engines {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
        let mut engines = Self::default();
        engines.update_from_arg_matches(matches)?;
        Ok(engines)
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        let groups = matches.get_occurrences::<Pair>(Self::ID).into_iter().flatten();
        self.0.extend(groups.map(|group| group.cloned().collect()));
        Ok(())
    }
}

impl clap::Args for Engines {
    fn augment_args(command: clap::Command) -> clap::Command {
        let help = "A player: cmd=PROGRAM, player=random|greedy|mcts or both, and if you like name=, dir=, arg= (repeated), \
                    args= (words), \
                    option.NAME=, tc=, movetime=, depth=, nodes=, proto=ugi|uci. May be given several times";
        let arg = clap::Arg::new(Self::ID)
            .long(Self::ID)
            .value_name("KEY=VALUE")
            .num_args(1..)
            .action(clap::ArgAction::Append)
            .value_parser(|text: &str| {
                Pair::from_str(text).map_err(|error| format!("{error} such as cmd={text}"))
            })
            .help(help);
        command.arg(arg)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

/// Reads `[[engine]]` tables.
impl<'de> Deserialize<'de> for Engines {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Group(#[serde(deserialize_with = "table")] Vec<Pair>);
        let groups = Vec::<Group>::deserialize(from)?;
        Ok(Self(groups.into_iter().map(|Group(pairs)| pairs).collect()))
    }
}
