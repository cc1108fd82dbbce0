//! The words that begin commands and questions, for messages and suggestions.

/// First words of commands.
pub(super) const COMMANDS: &[&str] = &[
    "ugi",
    "uci",
    "isready",
    "uginewgame",
    "ucinewgame",
    "setoption",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "query",
    "move",
    "moves",
    "undo",
    "perft",
    "draw",
    "eval",
    "debug",
];

/// What `query` can ask.
pub(super) const QUESTIONS: &[&str] = &[
    "p1turn", "gameover", "result", "protocol", "games", "game", "fen", "board", "moves", "next",
    "legal", "effects", "status", "history", "rules", "turn", "problems", "value",
];
