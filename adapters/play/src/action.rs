//! Actions, by keys or by words.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The words of [`Action::named`], for the help: the word, the key with the same effect, and what it does.
pub(super) const WORDS: [(&str, &str, &str); 18] = [
    ("undo", "Ctrl-U", "take back to your turn before"),
    ("redo", "Ctrl-R", "make again what was taken back"),
    ("hint", "Ctrl-T", "what the engine would play"),
    ("go", "Ctrl-G", "the engine plays this side"),
    ("both", "", "two people play"),
    ("flip", "Ctrl-F", "turn the board"),
    ("new", "Ctrl-N", "another game"),
    ("save", "Ctrl-S", "add the game to the record"),
    ("draw", "", "offer a draw, where the game has it"),
    ("resign", "", "give the game up"),
    ("value", "", "exact values of the moves, where known"),
    ("status", "", "count moves, quiet moves, repetitions"),
    ("fen TEXT", "", "begin from a position; 'fen' shows it"),
    ("set NAME=VALUE", "", "set an option, such as Strength=50"),
    ("movetime MS", "", "its time; also 'depth N', 'nodes N'"),
    ("rules", "Ctrl-P", "how this game is played"),
    ("help", "?", "this page"),
    ("quit", "Ctrl-Q", "leave; the game is recorded"),
];

/// What a person can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Move the cursor this many columns to the right and rows up, on the screen.
    Step(i32, i32),
    /// Go to the next square that continues the turn, or with `false` to the previous one.
    Tab(bool),
    /// Enter the square under the cursor, or the typed text.
    Enter,
    /// Go back one step.
    Back,
    Type(char),
    Erase,
    Undo,
    Redo,
    Hint,
    Go,
    Both,
    Flip,
    New,
    Save,
    /// Offer a draw.
    Draw,
    /// Give up.
    Resign,
    /// Show what the engine counts.
    Status,
    /// Show what the engine knows exactly.
    Value,
    /// Show the position text, or start from one.
    Fen(Option<String>),
    Set(String, Option<String>),
    MoveTime(u64),
    Depth(u32),
    Nodes(u64),
    /// Explain the game, in a language if one is given.
    Rules(Option<String>),
    Help,
    Quit,
}

impl Action {
    /// Whether it only looks around or prepares what is entered later.
    pub(super) fn is_preparing(&self) -> bool {
        matches!(self, Self::Step(..) | Self::Tab(_) | Self::Type(_) | Self::Erase | Self::Help)
    }

    /// The action of a key.
    pub(super) fn of(key: KeyEvent) -> Option<Self> {
        let has_control = key.modifiers.contains(KeyModifiers::CONTROL);
        Some(match key.code {
            KeyCode::Char(c) if has_control => return Self::of_control(c),
            KeyCode::Left => Self::Step(-1, 0),
            KeyCode::Right => Self::Step(1, 0),
            KeyCode::Up => Self::Step(0, 1),
            KeyCode::Down => Self::Step(0, -1),
            KeyCode::Tab => Self::Tab(true),
            KeyCode::BackTab => Self::Tab(false),
            KeyCode::Enter => Self::Enter,
            KeyCode::Esc => Self::Back,
            KeyCode::Backspace => Self::Erase,
            KeyCode::F(1) | KeyCode::Char('?') => Self::Help,
            KeyCode::Char(c) => Self::Type(c),
            _ => return None,
        })
    }

    fn of_control(c: char) -> Option<Self> {
        Some(match c {
            'u' | 'z' => Self::Undo,
            'r' | 'y' => Self::Redo,
            't' => Self::Hint,
            'g' => Self::Go,
            'f' => Self::Flip,
            'n' => Self::New,
            's' => Self::Save,
            'p' => Self::Rules(None),
            'q' | 'c' | 'd' => Self::Quit,
            // What Enter and Backspace send on some terminals.
            'j' | 'm' => Self::Enter,
            'h' => Self::Erase,
            _ => return None,
        })
    }

    /// The action of a typed line; `None` if it is none of the [`WORDS`], and so may be a move. A word without its
    /// required value shows the help.
    pub(super) fn named(line: &str) -> Option<Self> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        Some(match word {
            "undo" => Self::Undo,
            "redo" => Self::Redo,
            "hint" => Self::Hint,
            "go" => Self::Go,
            "both" => Self::Both,
            "flip" => Self::Flip,
            "new" => Self::New,
            "save" => Self::Save,
            "draw" => Self::Draw,
            "resign" => Self::Resign,
            "status" => Self::Status,
            "value" => Self::Value,
            "fen" => Self::Fen((!rest.is_empty()).then(|| rest.to_owned())),
            "set" => match rest.split_once('=') {
                Some((name, value)) => Self::Set(name.to_owned(), Some(value.to_owned())),
                None if rest.is_empty() => Self::Help,
                None => Self::Set(rest.to_owned(), None),
            },
            "movetime" => rest.parse().map_or(Self::Help, Action::MoveTime),
            "depth" => rest.parse().map_or(Self::Help, Action::Depth),
            "nodes" => rest.parse().map_or(Self::Help, Action::Nodes),
            "rules" => Self::Rules((!rest.is_empty()).then(|| rest.to_owned())),
            "help" => Self::Help,
            "quit" | "exit" => Self::Quit,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_help_is_understood() {
        for (word, _, _) in WORDS {
            let line = word.replace("MS", "5").replace("TEXT", "8/8 1 0");
            let action = Action::named(&line);
            assert!(action.is_some(), "{line}");
            assert!(action != Some(Action::Help) || word == "help", "{line}");
        }
        for (line, action) in [
            ("fen", Action::Fen(None)),
            ("depth 5", Action::Depth(5)),
            ("nodes 5", Action::Nodes(5)),
        ] {
            assert_eq!(Action::named(line), Some(action));
        }
        assert_eq!(Action::named("a1c3"), None);
        assert_eq!(Action::named("depth deep"), Some(Action::Help));
    }

    #[test]
    fn control_keys_do_what_the_help_says() {
        for (word, key, _) in WORDS {
            let Some(letter) = key.strip_prefix("Ctrl-") else { continue };
            let letter = letter.to_ascii_lowercase().chars().next().unwrap();
            let key = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
            assert_eq!(Action::of(key), Action::named(word), "{word}");
        }
    }
}
