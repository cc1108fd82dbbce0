//! What an engine announces.

use leap_protocol::option::EMPTY;
use leap_protocol::payload::ProtocolInfo;
use leap_protocol::{Command, Dialect, IdKey, Info, OptionDecl, OptionKind, Reply, shown};

use super::ClientError;

/// The name that was probably meant, if one of them is similar.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    leap_protocol::nearest(name, known).map(shown)
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

/// A value as an option of this kind takes it; `None` is that of a button.
///
/// # Errors
/// What is expected instead.
fn announced(kind: &OptionKind, value: &str) -> Result<Option<String>, String> {
    let text = if value == EMPTY { "" } else { value.trim() };
    let same = |word: &&str| word.eq_ignore_ascii_case(text);
    let found = match kind {
        OptionKind::Button if text.is_empty() => return Ok(None),
        OptionKind::Button => return Err("no value for a button".to_owned()),
        OptionKind::Check { .. } => {
            let word = ["true", "false"].into_iter().find(same);
            word.map(str::to_owned).ok_or("true or false")
        }
        &OptionKind::Spin { min, max, .. } => {
            let number = text.parse::<i64>().ok().filter(|_| !text.starts_with('+'));
            // An engine that announces an empty range decides for itself.
            let fits = |number: &i64| min > max || (min..=max).contains(number);
            let expected = format!("a number from {min} to {max}");
            return number.filter(fits).map(|number| Some(number.to_string())).ok_or(expected);
        }
        OptionKind::Combo { vars, .. } if vars.is_empty() => one_line(value),
        OptionKind::Combo { default, vars } => {
            let words = || vars.iter().map(String::as_str);
            return match words().chain([default.as_str()]).find(same) {
                Some(word) => Ok(Some(word.to_owned())),
                None => {
                    let nearest = nearest(text, words());
                    let hint =
                        nearest.map(|word| format!(", '{word}' perhaps")).unwrap_or_default();
                    Err(format!("one of {}{hint}", shown(&vars.join(", "))))
                }
            };
        }
        OptionKind::String { .. } => one_line(value),
    };
    found.map(Some).map_err(str::to_owned)
}

/// A text of one line: another line would be another command.
fn one_line(text: &str) -> Result<String, &'static str> {
    match text.contains(['\n', '\r', '\0']) {
        true => Err("one line of text"),
        false => Ok(text.to_owned()),
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

    /// The command that sets an option. The value is checked against what the engine announces, and is written as the
    /// engine writes it.
    ///
    /// ```
    /// use leap_client::EngineInfo;
    /// use leap_protocol::Reply;
    ///
    /// let mut info = EngineInfo::default();
    /// for line in ["option name Hash type spin default 16 min 1 max 64", "option name Book type string default b"] {
    ///     let Reply::Option(option) = Reply::parse(line) else { unreachable!("an option") };
    ///     info.options.push(option);
    /// }
    /// assert_eq!(info.setting("hash", "32")?.to_string(), "setoption name Hash value 32");
    /// assert_eq!(info.setting("Book", "")?.to_string(), "setoption name Book value <empty>");
    /// assert!(info.setting("Hash", "65").is_err());
    /// # Ok::<(), leap_client::ClientError>(())
    /// ```
    ///
    /// # Errors
    /// [`ClientError::NoSuchOption`]. [`ClientError::BadValue`] for a number outside the range, and a word that is not
    /// on the list. The same for a button with a value, and text of more than one line.
    pub fn setting(&self, name: &str, value: &str) -> Result<Command, ClientError> {
        let option = self.declared(name)?;
        let value = announced(&option.kind, value).map_err(|expected| ClientError::BadValue {
            name: shown(&option.name),
            expected,
            found: shown(value),
        })?;
        Ok(Command::SetOption { name: option.name.clone(), value })
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

    const OPTIONS: [&str; 7] = [
        "option name Skill Level type spin default 20 min 0 max 20",
        "option name Style type combo default Normal var Solid var Normal var Risky Play",
        "option name Ponder type check default false",
        "option name Clear Hash type button",
        "option name Book type string default book.txt",
        "option name Odd type spin default 0 min 5 max -5",
        "option name Level type combo default one",
    ];

    fn info() -> EngineInfo {
        let mut info = EngineInfo::default();
        for line in OPTIONS {
            info.note(Reply::parse(line), Dialect::Ugi);
        }
        assert_eq!(info.options.len(), OPTIONS.len());
        info
    }

    #[test]
    fn a_value_that_the_engine_announces_is_written_as_the_engine_writes_it() {
        for (name, value, expected) in [
            ("skill level", "0", "Skill Level value 0"),
            ("Skill Level", " 07 ", "Skill Level value 7"),
            ("Style", "risky play", "Style value Risky Play"),
            ("Ponder", "TRUE", "Ponder value true"),
            ("Clear Hash", "", "Clear Hash"),
            ("Clear Hash", "<empty>", "Clear Hash"),
            ("Book", "", "Book value <empty>"),
            ("Book", "<empty>", "Book value <empty>"),
            ("Book", "a  b", "Book value a  b"),
            ("Odd", "3", "Odd value 3"),
            ("Level", "two", "Level value two"),
        ] {
            let setting = info().setting(name, value).unwrap();
            assert_eq!(setting.to_string(), format!("setoption name {expected}"));
        }
    }

    #[test]
    fn any_other_value_is_refused_with_what_is_announced() {
        for (name, value, expected) in [
            ("Skill Level", "21", "option Skill Level: expected a number from 0 to 20, found '21'"),
            ("Skill Level", "-1", "option Skill Level: expected a number from 0 to 20, found '-1'"),
            ("Skill Level", "+1", "option Skill Level: expected a number from 0 to 20, found '+1'"),
            (
                "Skill Level",
                "1.5",
                "option Skill Level: expected a number from 0 to 20, found '1.5'",
            ),
            ("Skill Level", "", "option Skill Level: expected a number from 0 to 20, found ''"),
            (
                "Style",
                "Sold",
                "option Style: expected one of Solid, Normal, Risky Play, 'Solid' perhaps, found 'Sold'",
            ),
            ("Style", "", "option Style: expected one of Solid, Normal, Risky Play, found ''"),
            ("Ponder", "yes", "option Ponder: expected true or false, found 'yes'"),
            ("Clear Hash", "1", "option Clear Hash: expected no value for a button, found '1'"),
            ("Book", "a\nquit", "option Book: expected one line of text, found 'a?quit'"),
            (
                "Skil Level",
                "3",
                "expected an option of the engine, found 'Skil Level'; did you mean 'Skill Level'?",
            ),
        ] {
            assert_eq!(info().setting(name, value).unwrap_err().to_string(), expected);
        }
    }
}
