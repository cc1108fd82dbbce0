//! The Go Text Protocol, version 2: commands, responses, colours and vertices.

use std::fmt;
use std::str::FromStr;

use leap_protocol::payload::Side;

/// The largest board whose points vertices can name.
pub(super) const MOST_FILES: usize = 25;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// The identity number as it came: digits, as many as the line has.
    id: String,
    pub(super) name: String,
    pub(super) args: Vec<String>,
}

/// A successful answer, or what went wrong.
pub(super) type Answer = Result<String, String>;

impl Request {
    /// Parses a line; `None` for an empty line or a comment. Control characters other than the tab are discarded first,
    /// as section 3.1 of the protocol says.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let line: String = line
            .chars()
            .filter(|c| *c == '\t' || !c.is_control())
            .take_while(|c| *c != '#')
            .collect();
        let mut words = line.split_whitespace().peekable();
        let id = words.next_if(|word| word.bytes().all(|b| b.is_ascii_digit()));
        Some(Self {
            id: id.unwrap_or_default().to_owned(),
            name: words.next()?.to_owned(),
            args: words.map(str::to_owned).collect(),
        })
    }

    /// Formats a response: `=` or `?`, the number of the command, the text, a blank line.
    pub(super) fn response(&self, answer: &Answer) -> String {
        let (mark, text) = match answer {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        // An empty line would end the response, and a tab is for the input alone.
        let text = text.replace('\t', " ");
        let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|l| !l.is_empty()).collect();
        let blank = if lines.is_empty() { "" } else { " " };
        format!("{mark}{}{blank}{}\n\n", self.id, lines.join("\n"))
    }

    /// The argument at this index, parsed.
    pub(super) fn arg<T: FromStr>(&self, index: usize, expected: &str) -> Result<T, String> {
        let found = self.args.get(index);
        let missing = || format!("expected {expected} after '{}', found nothing", self.name);
        let found = found.ok_or_else(missing)?;
        found.parse().map_err(|_| format!("expected {expected}, found '{found}'"))
    }
}

/// A player by colour. Black is p1, who moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Colour(pub(super) Side);

impl Colour {
    pub(super) const EXPECTED: &str = "a colour, 'b' or 'w'";
}

impl FromStr for Colour {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text.to_ascii_lowercase().as_str() {
            "b" | "black" => Ok(Self(Side::P1)),
            "w" | "white" => Ok(Self(Side::P2)),
            _ => Err(()),
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Side::P1 => "black",
            Side::P2 => "white",
        })
    }
}

/// A point of the board in the notation of the engine, or `pass`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Vertex {
    /// A point such as `j10`.
    Square(String),
    Pass,
}

impl Vertex {
    pub(super) const EXPECTED: &str = "a vertex such as C3, or 'pass'";

    /// The vertex of a square.
    pub(super) fn of(square: &str) -> Self {
        Self::Square(square.to_owned())
    }

    /// The vertex at which a token of a move is entered.
    pub(super) fn of_token(token: &str) -> Self {
        Self::of(token.trim_start_matches(['@', 'x']))
    }
}

impl FromStr for Vertex {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let text = text.to_ascii_lowercase();
        if text == "pass" {
            return Ok(Self::Pass);
        }
        let mut chars = text.chars();
        // GTP has no column I.
        let file = match chars.next().ok_or(())? {
            file @ 'a'..='h' => file,
            file @ 'j'..='z' => char::from(file as u8 - 1),
            _ => return Err(()),
        };
        let rank: usize = chars.as_str().parse().map_err(|_| ())?;
        if chars.as_str().starts_with(['0', '+']) || rank > MOST_FILES {
            return Err(());
        }
        Ok(Self::Square(format!("{file}{rank}")))
    }
}

impl fmt::Display for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Square(square) = self else { return f.write_str("pass") };
        let mut chars = square.chars();
        let file = chars.next().unwrap_or('a');
        let file = if file < 'i' { file } else { char::from(file as u8 + 1) };
        write!(f, "{}{}", file.to_ascii_uppercase(), chars.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_column_i() {
        for (square, vertex) in [("a1", "A1"), ("h8", "H8"), ("i9", "J9"), ("l12", "M12")] {
            assert_eq!(Vertex::of(square).to_string(), vertex);
            assert_eq!(vertex.parse(), Ok(Vertex::of(square)));
        }
        assert_eq!("PASS".parse(), Ok(Vertex::Pass));
        for text in ["I3", "A", "", "A0", "A+1", "3", "A99", "ä1"] {
            assert_eq!(text.parse::<Vertex>(), Err(()), "{text}");
        }
    }

    #[test]
    fn numbers_comments_and_blanks_are_taken_off() {
        let request = Request::parse("  12\tplay  b\tC3 # mine").unwrap();
        assert_eq!((request.name.as_str(), request.args.join(" ")), ("play", "b C3".to_owned()));
        assert_eq!(request.response(&Ok("x".to_owned())), "=12 x\n\n");
        for line in ["# comment", " 7 ", "", " \t\r", "\u{1}", "\t#", "7 # name"] {
            assert_eq!(Request::parse(line), None, "{line:?}");
        }
    }

    #[test]
    fn a_number_comes_back_as_it_came() {
        let long = "9".repeat(3000);
        for id in ["0", "007", "4294967295", "4294967296", "18446744073709551616", &long] {
            for line in [format!("{id} name"), format!("\t{id}\tname\r"), format!("{id} name#7")] {
                let request = Request::parse(&line).unwrap();
                assert_eq!(request.name, "name");
                assert_eq!(request.response(&Ok("x".to_owned())), format!("={id} x\n\n"));
                assert_eq!(request.response(&Err("x".to_owned())), format!("?{id} x\n\n"));
            }
        }
        for name in ["-1", "+1", "1.5", "1name", "\u{661}"] {
            assert_eq!(Request::parse(&format!("{name} name")).unwrap().name, name);
        }
    }

    #[test]
    fn control_characters_are_discarded_within_words_too() {
        let request = Request::parse("1\u{0}2 na\u{7}me\u{7f}\ta\r").unwrap();
        assert_eq!((request.id.as_str(), request.name.as_str()), ("12", "name"));
        assert_eq!(request.args, ["a"]);
    }

    #[test]
    fn an_answer_holds_no_empty_line() {
        let request = Request::parse("name").unwrap();
        assert_eq!(request.response(&Ok(String::new())), "=\n\n");
        assert_eq!(request.response(&Err("a\n\n b\tc\n".to_owned())), "? a\n b c\n\n");
    }
}
