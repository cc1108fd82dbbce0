//! What an engine announces.

use leap_protocol::payload::ProtocolInfo;
use leap_protocol::{Dialect, IdKey, Info, OptionDecl, OptionKind, Reply, shown};

use super::ClientError;

/// How many letters a mistyped name may have wrong.
const MOST_WRONG: usize = 3;
/// Longer names are not compared, which would take quadratic time.
const MOST_CHARS: usize = 100;

/// The name that was probably meant, if one of them is similar.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let most = MOST_WRONG.min(name.chars().count() / 2);
    let name = name.to_lowercase();
    known
        .filter(|known| known.len() <= MOST_CHARS && name.len() <= MOST_CHARS)
        .map(|known| (strsim::damerau_levenshtein(&known.to_lowercase(), &name), known))
        .filter(|(wrong, _)| *wrong <= most)
        .min_by_key(|(wrong, _)| *wrong)
        .map(|(_, known)| shown(known))
}

/// The game with this name, ignoring case, if any are known.
///
/// # Errors
/// [`ClientError::NoSuchGame`].
pub fn one_of(games: &[String], name: &str) -> Result<String, ClientError> {
    let found = games.iter().find(|game| game.eq_ignore_ascii_case(name));
    match found {
        Some(game) => Ok(game.clone()),
        None if games.is_empty() => Ok(name.to_owned()),
        None => {
            let nearest = nearest(name, games.iter().map(String::as_str));
            let known = shown(&games.join(", "));
            Err(ClientError::NoSuchGame { name: shown(name), known, nearest })
        }
    }
}

/// The options that select the game, in order of preference.
pub const GAME_OPTIONS: [&str; 2] = ["Game", "UCI_Variant"];

/// What an engine announces in its greeting, and its answers about extensions and games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineInfo {
    /// The dialect in which it was greeted.
    pub dialect: Dialect,
    /// `id name`.
    pub name: String,
    /// `id author`.
    pub author: String,
    /// Its options.
    pub options: Vec<OptionDecl>,
    /// The answer to `query protocol`; `None` if there was none.
    pub protocol: Option<ProtocolInfo>,
    /// The ids of its games; empty if it does not list them.
    pub games: Vec<String>,
}

impl EngineInfo {
    /// Records a line of the greeting; returns whether it was the last one.
    pub(crate) fn note(&mut self, reply: Reply, dialect: Dialect) -> bool {
        match reply {
            Reply::Id { key: IdKey::Name, value } => self.name = value,
            Reply::Id { key: IdKey::Author, value } => self.author = value,
            Reply::Option(option) => self.options.push(option),
            Reply::HelloOk(found) => {
                self.dialect = dialect;
                return found == dialect;
            }
            _ => {}
        }
        false
    }

    /// Whether the engine announces the extension (SPEC 4.6).
    pub fn supports(&self, extension: &str) -> bool {
        self.protocol.as_ref().is_some_and(|protocol| protocol.supports(extension))
    }

    /// Whether `score mate` counts plies. UGI counts them. UCI counts moves, and so does `leap 1.x` (SPEC 5.20, 18.6).
    pub fn counts_plies(&self) -> bool {
        let major = self.protocol.as_ref().and_then(ProtocolInfo::major);
        self.dialect == Dialect::Ugi && major != Some(1)
    }

    /// The line with its distance to the end in moves, whatever the engine counts.
    pub fn in_moves(&self, info: Info) -> Info {
        if self.counts_plies() { info.in_moves() } else { info }
    }

    /// The option with this name, ignoring case.
    pub fn option(&self, name: &str) -> Option<&OptionDecl> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// The option with this name, which must exist.
    ///
    /// # Errors
    /// [`ClientError::NoSuchOption`], with the most similar name.
    pub fn declared(&self, name: &str) -> Result<&OptionDecl, ClientError> {
        self.option(name).ok_or_else(|| {
            let names = self.options.iter().map(|option| option.name.as_str());
            ClientError::NoSuchOption { name: shown(name), nearest: nearest(name, names) }
        })
    }

    /// The option that selects the game.
    pub fn game_option(&self) -> Option<&OptionDecl> {
        GAME_OPTIONS.iter().find_map(|name| self.option(name))
    }

    /// The game with this name, ignoring case, as the engine writes it. An engine that lists no games may have any.
    ///
    /// # Errors
    /// [`ClientError::NoSuchGame`], with the games that there are.
    pub fn game(&self, name: &str) -> Result<String, ClientError> {
        let games = if self.games.is_empty() { self.game_values() } else { Some(&*self.games) };
        one_of(games.unwrap_or_default(), name)
    }

    /// The values of the option that selects the game.
    pub fn game_values(&self) -> Option<&[String]> {
        match &self.game_option()?.kind {
            OptionKind::Combo { vars, .. } => Some(vars),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use leap_protocol::Score;

    use super::*;

    #[test]
    fn distances_are_in_moves_whatever_the_engine_counts() {
        let told = |dialect, protocol: Option<&str>| {
            let protocol = protocol.map(|body| body.parse().unwrap());
            let engine = EngineInfo { dialect, protocol, ..EngineInfo::default() };
            let Reply::Info(info) = Reply::parse("info score mate -5 upperbound pv a1a2") else {
                unreachable!("an info line")
            };
            engine.in_moves(info).score.unwrap().0
        };
        for protocol in [None, Some("leap 2.0 fen"), Some("leap 2.1"), Some("leap new")] {
            assert_eq!(told(Dialect::Ugi, protocol), Score::Mate(-3), "{protocol:?}");
        }
        assert_eq!(told(Dialect::Ugi, Some("leap 1.0 fen")), Score::Mate(-5));
        for protocol in [None, Some("leap 1.0"), Some("leap 2.0")] {
            assert_eq!(told(Dialect::Uci, protocol), Score::Mate(-5), "{protocol:?}");
        }
    }
}
