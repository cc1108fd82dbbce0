//! `leap bridge uhp`: an engine that speaks the Universal Hive Protocol. It knows the rules, so it can be a referee.
//!
//! White is p1. A move is a MoveString in which `_` stands for the blank: `wG1_bQ-`. A destination has one text
//! ([`hive`]), whatever neighbour the engine names.

mod hive;

use leap_protocol::{Go, OptionDecl, OptionKind, Query, shown};

use crate::Program;
use crate::fault::{Broken, Fault, bad_argument, illegal_move, not_here, refusal};
use crate::link::Link;
use crate::ugi::{Engine, own_clock};
use hive::Hive;

/// The most options of an engine that are handed on.
const MOST_OPTIONS: usize = 100;
/// The option that names the pieces in play.
const TYPE: &str = "GameType";

/// An engine that speaks the Universal Hive Protocol.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct UhpArgs {
    /// The game's pieces, as UHP names them.
    #[arg(long = "type", value_name = "TYPE", default_value = "Base+MLP")]
    game_type: String,
    #[command(flatten)]
    program: Program,
}

/// A running engine.
pub(crate) struct Uhp {
    link: Link,
    name: String,
    /// The engine's options.
    options: Vec<OptionDecl>,
    game_type: String,
    default_type: String,
    /// The moves on the engine's board; `None` if it has to be set up first.
    played: Option<Vec<String>>,
    hive: Hive,
    /// The engine's GameString.
    state: String,
}

/// The lines of an answer, or the engine's error.
type Answer = Result<Vec<String>, String>;

impl Uhp {
    /// Starts the engine and asks for its options.
    pub(crate) fn start(args: &UhpArgs) -> Result<Self, Broken> {
        // The engine says who it is before anything is asked.
        let mut link = args.program.start()?;
        let greeting = answer(&mut link)?.unwrap_or_else(|why| vec![why]);
        let name = greeting.iter().find_map(|line| line.strip_prefix("id "));
        let Some(name) = name.map(shown) else {
            return Err(Broken::Unexpected {
                expected: "'id NAME'",
                found: shown(&greeting.join(" ")),
            });
        };
        let default_type = args.game_type.clone();
        let (game_type, hive, state) = (default_type.clone(), Hive::default(), String::new());
        let mut uhp = Self {
            link,
            name,
            options: Vec::new(),
            game_type,
            default_type,
            played: None,
            hive,
            state,
        };
        let lines = uhp.ask("options")?.unwrap_or_default();
        uhp.options = lines.iter().filter_map(|line| option(line)).take(MOST_OPTIONS).collect();
        Ok(uhp)
    }

    fn ask(&mut self, command: &str) -> Result<Answer, Broken> {
        self.link.send(command)?;
        answer(&mut self.link)
    }

    /// Asks what the engine may not refuse, and returns its last line.
    fn tell(&mut self, command: &str) -> Result<String, Fault> {
        match self.ask(command)? {
            Ok(lines) => Ok(lines.last().cloned().unwrap_or_default()),
            Err(why) => Err(refusal(command, &why).into()),
        }
    }

    fn set_up(&mut self) -> Result<(), Fault> {
        self.played = None;
        let command = format!("newgame {}", self.game_type);
        self.state = self.tell(&command)?;
        (self.played, self.hive) = (Some(Vec::new()), Hive::default());
        Ok(())
    }

    /// The second field of the GameString.
    fn result(&self) -> Result<&'static str, Fault> {
        match self.state.split(';').nth(1) {
            Some("NotStarted" | "InProgress") => Ok("none"),
            Some("WhiteWins") => Ok("p1win"),
            Some("BlackWins") => Ok("p2win"),
            Some("Draw") => Ok("draw"),
            _ => {
                let found = shown(&self.state);
                Err(Broken::Unexpected { expected: "a GameString", found }.into())
            }
        }
    }

    /// The legal moves in their own texts, sorted; none when the game is over.
    fn moves(&mut self) -> Result<Vec<String>, Fault> {
        if self.result()? != "none" {
            return Ok(Vec::new());
        }
        let line = self.tell("validmoves")?;
        let moves = line.split(';').map(str::trim).filter(|mv| !mv.is_empty());
        let mut moves: Vec<String> =
            moves.map(|mv| self.hive.canonical(&mv.replace(' ', "_"))).collect();
        moves.sort();
        moves.dedup();
        Ok(moves)
    }
}

/// The lines before `ok`. A line that begins with `err` or `invalidmove` is an error.
fn answer(link: &mut Link) -> Result<Answer, Broken> {
    let (mut lines, mut error) = (Vec::new(), None);
    loop {
        let line = link.receive()?;
        let line = line.trim();
        match line.split_whitespace().next() {
            Some("ok") => return Ok(error.map_or(Ok(lines), Err)),
            Some("err" | "invalidmove") => error = error.or_else(|| Some(line.to_owned())),
            Some(_) => lines.push(line.to_owned()),
            None => {}
        }
    }
}

/// An option as UHP tells it: `MaxThreads;int;4;4;1;8`, `Verbose;bool;False;False`, `Style;enum;A;A;A;B`.
fn option(line: &str) -> Option<OptionDecl> {
    let mut fields = line.split(';').map(str::trim);
    let (name, kind, _value, default) =
        (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    let rest: Vec<&str> = fields.collect();
    let kind = match kind {
        "int" => OptionKind::Spin {
            default: default.parse().ok()?,
            min: rest.first()?.parse().ok()?,
            max: rest.get(1)?.parse().ok()?,
        },
        "bool" => OptionKind::Check { default: default.eq_ignore_ascii_case("true") },
        "enum" => OptionKind::Combo {
            default: default.to_owned(),
            vars: rest.iter().map(|&value| value.to_owned()).collect(),
        },
        "double" => OptionKind::String { default: default.to_owned() },
        _ => return None,
    };
    let is_word = !name.is_empty() && !name.contains(char::is_whitespace);
    is_word.then(|| OptionDecl { name: name.to_owned(), kind })
}

impl Engine for Uhp {
    const QUIT: &str = "exit";

    fn link(&mut self) -> &mut Link {
        &mut self.link
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn game(&self) -> &'static str {
        "hive"
    }

    fn options(&self) -> Vec<OptionDecl> {
        let game_type = OptionKind::String { default: self.default_type.clone() };
        let own = OptionDecl { name: TYPE.to_owned(), kind: game_type };
        [vec![own], self.options.clone()].concat()
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        if value.contains(';') || value.chars().any(char::is_control) {
            return Err(bad_argument("expected a word").into());
        }
        if name == TYPE {
            let before = std::mem::replace(&mut self.game_type, value.to_owned());
            let set = self.set_up();
            if matches!(set, Err(Fault::Refused(_))) {
                self.game_type = before;
            }
            return set;
        }
        // UHP writes True and False.
        let value = match value.to_ascii_lowercase().as_str() {
            "true" => "True",
            "false" => "False",
            _ => value,
        };
        self.tell(&format!("options set {name} {value}")).map(drop)
    }

    fn new_game(&mut self) -> Result<(), Fault> {
        self.set_up()
    }

    fn played(&self) -> Option<&[String]> {
        self.played.as_deref()
    }

    fn back_to(&mut self, common: usize) -> Result<(), Fault> {
        let Some(played) = self.played.clone() else { return self.set_up() };
        let surplus = played.len() - common;
        if surplus > 0 {
            match self.ask(&format!("undo {surplus}"))? {
                Ok(lines) => self.state = lines.last().cloned().unwrap_or_default(),
                Err(_) => return self.set_up(),
            }
            self.hive = Hive::after(&played[..common]);
            self.played = Some(played[..common].to_vec());
        }
        Ok(())
    }

    fn play(&mut self, index: usize, mv: &str) -> Result<(), Fault> {
        let is_word = !mv.chars().any(char::is_control);
        if !is_word {
            return Err(illegal_move(index, mv, "it is no MoveString").into());
        }
        let command = format!("play {}", mv.replace('_', " "));
        match self.ask(&command)? {
            Ok(lines) => self.state = lines.last().cloned().unwrap_or_default(),
            Err(why) => return Err(illegal_move(index, mv, &why).into()),
        }
        self.hive.play(mv);
        if let Some(played) = &mut self.played {
            played.push(mv.to_owned());
        }
        Ok(())
    }

    fn choose(&mut self, go: &Go) -> Result<Option<String>, Fault> {
        if self.result()? != "none" {
            return Ok(None);
        }
        let command = limit(go, self.plies())?;
        let best = self.tell(&command)?;
        if best.is_empty() {
            return Err(
                Broken::Unexpected { expected: "a MoveString", found: String::new() }.into()
            );
        }
        Ok(Some(self.hive.canonical(&best.replace(' ', "_"))))
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["moves", "legal", "move", "undo"]
    }

    fn answer(&mut self, query: &Query) -> Result<Option<String>, Fault> {
        Ok(Some(match query {
            Query::GameOver => (self.result()? != "none").to_string(),
            Query::Result => self.result()?.to_owned(),
            Query::Game => format!("hive {TYPE} {}", self.game_type),
            Query::Moves { limit } => {
                let (moves, limit) = (self.moves()?, limit.unwrap_or(10_000));
                let most = usize::try_from(limit).unwrap_or(usize::MAX);
                let is_cut = moves.len() > most;
                let count = if is_cut { format!("{most}+") } else { moves.len().to_string() };
                [vec![count], moves.into_iter().take(most).collect()].concat().join(" ")
            }
            Query::Legal(mv) => match self.result()? {
                "none" if self.moves()?.contains(&self.hive.canonical(mv)) => "true".to_owned(),
                "none" => "false refused at - : the engine does not list it".to_owned(),
                _ => "false game-over at - : the game is over".to_owned(),
            },
            _ => return Err(not_here("UHP cannot answer this").into()),
        }))
    }
}

/// The `bestmove` that does what `go` says. UHP counts whole seconds. A share of the clock is chosen here, since UHP
/// has no clock for a game.
fn limit(go: &Go, plies: usize) -> Result<String, Fault> {
    /// Moves that a clock has to last for if the client does not say.
    const MOVES_LEFT: u64 = 25;
    if let Some(depth) = go.depth {
        return Ok(format!("bestmove depth {}", depth.max(1)));
    }
    let (own, inc) = own_clock(go, plies);
    let positive = |ms: Option<i64>| u64::try_from(ms.unwrap_or(0)).unwrap_or(0);
    let ms = match (go.movetime, own) {
        (Some(ms), _) => ms,
        (None, Some(_)) => {
            let share = u64::from(go.movestogo.unwrap_or(0));
            let share = if share > 0 { share } else { MOVES_LEFT };
            (positive(own) / share + positive(inc) * 3 / 4).min(positive(own))
        }
        _ => return Err(not_here("UHP needs a time or a depth").into()),
    };
    let seconds = (ms / 1000).max(1);
    Ok(format!("bestmove time {:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_uhp_become_options_of_ugi() {
        for (line, expected) in [
            ("MaxThreads;int;4;2;1;8", "option name MaxThreads type spin default 2 min 1 max 8"),
            ("Verbose;bool;True;False;", "option name Verbose type check default false"),
            ("Style;enum;A;B;A;B", "option name Style type combo default B var A var B"),
        ] {
            assert_eq!(option(line).unwrap().to_string(), expected);
        }
        for line in ["", "ok", "X;int;1;y;2;3", "X;int;1;1", "a b;bool;True;True"] {
            assert_eq!(option(line), None, "{line}");
        }
    }

    #[test]
    fn a_limit_is_a_depth_or_whole_seconds() {
        let text = |go: Go| limit(&go, 1).ok();
        assert_eq!(text(Go { depth: Some(3), ..Go::default() }).unwrap(), "bestmove depth 3");
        let go = Go { movetime: Some(3_661_500), ..Go::default() };
        assert_eq!(text(go).unwrap(), "bestmove time 01:01:01");
        let go = Go { p1time: Some(1), p2time: Some(100_000), p2inc: Some(4_000), ..Go::default() };
        assert_eq!(text(go).unwrap(), "bestmove time 00:00:07");
        assert_eq!(text(Go { nodes: Some(5), ..Go::default() }), None);
    }
}
