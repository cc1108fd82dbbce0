//! Actions, by keys or by words.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a word does, given the rest of its line. A word without its required value shows the help.
type Make = fn(&str) -> Action;

/// The words of [`Action::named`]: the word as the help shows it, the key with the same effect, what it does.
pub(super) static WORDS: [(&str, &str, &str, Make); 18] = [
    ("undo", "Ctrl-U", "take back to your turn before", |_| Action::Undo),
    ("redo", "Ctrl-R", "make again what was taken back", |_| Action::Redo),
    ("hint", "Ctrl-T", "what the engine would play", |_| Action::Hint),
    ("go", "Ctrl-G", "the engine plays this side", |_| Action::Go),
    ("both", "", "two people play", |_| Action::Both),
    ("flip", "Ctrl-F", "turn the board", |_| Action::Flip),
    ("new", "Ctrl-N", "another game", |_| Action::New),
    ("save", "Ctrl-S", "add the game to the record", |_| Action::Save),
    ("draw", "", "offer a draw, where the game has it", |_| Action::Draw),
    ("resign", "", "give the game up", |_| Action::Resign),
    ("value", "", "exact values of the moves, where known", |_| Action::Value),
    ("status", "", "count moves, quiet moves, repetitions", |_| Action::Status),
    ("fen TEXT", "", "begin from a position; 'fen' shows it", |rest| Action::Fen(given(rest))),
    ("set NAME=VALUE", "", "set an option, such as Strength=50", set),
    ("movetime MS", "", "its time; also 'depth N', 'nodes N'", |rest| {
        rest.parse().map_or(Action::Help, Action::MoveTime)
    }),
    ("rules", "Ctrl-P", "how this game is played", |rest| Action::Rules(given(rest))),
    ("help", "?", "this page", |_| Action::Help),
    ("quit", "Ctrl-Q", "leave; the game is recorded", |_| Action::Quit),
];

fn given(rest: &str) -> Option<String> {
    (!rest.is_empty()).then(|| rest.to_owned())
}

fn set(rest: &str) -> Action {
    match rest.split_once('=') {
        Some((name, value)) => Action::Set(name.to_owned(), Some(value.to_owned())),
        None => given(rest).map_or(Action::Help, |name| Action::Set(name, None)),
    }
}

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
            'z' => Self::Undo,
            'y' => Self::Redo,
            'c' | 'd' => Self::Quit,
            // What Enter and Backspace send on some terminals.
            'j' | 'm' => Self::Enter,
            'h' => Self::Erase,
            c => {
                let key = format!("Ctrl-{}", c.to_ascii_uppercase());
                let (.., make) = WORDS.iter().find(|(_, known, ..)| *known == key)?;
                make("")
            }
        })
    }

    /// The action of a typed line; `None` if it is none of the [`WORDS`], and so may be a move.
    pub(super) fn named(line: &str) -> Option<Self> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        Some(match word {
            "depth" => rest.parse().map_or(Self::Help, Action::Depth),
            "nodes" => rest.parse().map_or(Self::Help, Action::Nodes),
            "exit" => Self::Quit,
            word => {
                let is_it = |shown: &str| shown.split(' ').next() == Some(word);
                let (.., make) = WORDS.iter().find(|(shown, ..)| is_it(shown))?;
                make(rest)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_help_is_understood() {
        for (word, ..) in WORDS {
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
        for (word, key, ..) in WORDS {
            let Some(letter) = key.strip_prefix("Ctrl-") else { continue };
            let letter = letter.to_ascii_lowercase().chars().next().unwrap();
            let key = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
            assert_eq!(Action::of(key), Action::named(word), "{word}");
        }
    }
}
