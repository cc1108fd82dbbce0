//! Parsing of transcripts.

use leap_protocol::{Command, Reply, is_blank, is_decimal, quoted, suggestion};

use crate::{Entry, Exit, Expected, Sent, Transcript, TranscriptError, VERSION, bytes, print};

/// What an entry may begin with, for messages.
const ENTRIES: &str = "'>', '<', '#', 'engine', 'game', 'option' or an empty line";

/// A fault: its place, in bytes from the beginning of the line, and what is wrong.
struct Fault {
    at: usize,
    text: String,
}

impl Fault {
    fn new(at: usize, text: String) -> Self {
        Self { at, text }
    }

    /// `found` stands at the byte `at`, where something else should.
    fn expected(at: usize, expected: &str, found: &str) -> Self {
        let found = if found.is_empty() { "the end of the line".to_owned() } else { quoted(found) };
        Self::new(at, format!("expected {expected}, found {found}"))
    }

    fn in_line(self, number: usize, line: &str) -> TranscriptError {
        let before = line.get(..self.at).unwrap_or(line);
        TranscriptError { line: number, column: before.chars().count() + 1, text: self.text }
    }
}

pub(crate) fn transcript(bytes: &[u8]) -> Result<Transcript, TranscriptError> {
    let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, error.valid_up_to()))?;
    Ok(Transcript { entries: entries(text)?.collect::<Result<_, _>>()? })
}

/// The entries of a file, one at a time.
pub(crate) fn entries(
    text: &str,
) -> Result<impl Iterator<Item = Result<Entry, TranscriptError>> + '_, TranscriptError> {
    let mut lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
    // Splitting yields at least one piece.
    let first = lines.next().unwrap_or_default();
    line_text(first).and_then(version).map_err(|fault| fault.in_line(1, first))?;
    let mut parser = Parser::default();
    Ok(lines.enumerate().map(move |(index, line)| {
        line_text(line)
            .and_then(|line| parser.entry(line))
            .map_err(|fault| fault.in_line(Transcript::line_of(index), line))
    }))
}

fn not_utf8(bytes: &[u8], valid_up_to: usize) -> TranscriptError {
    let valid = String::from_utf8_lossy(bytes.get(..valid_up_to).unwrap_or_default());
    TranscriptError {
        line: valid.matches('\n').count() + 1,
        column: valid.rsplit('\n').next().unwrap_or_default().chars().count() + 1,
        text: "expected UTF-8, found another byte".to_owned(),
    }
}

/// A line without the carriage return of its end.
fn line_text(line: &str) -> Result<&str, Fault> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    match line.find('\r') {
        Some(at) => Err(Fault::new(at, "expected no carriage return within a line".to_owned())),
        None => Ok(line),
    }
}

fn version(line: &str) -> Result<(), Fault> {
    if line.split_whitespace().eq(["ugt", &VERSION.to_string()]) {
        return Ok(());
    }
    Err(Fault::expected(0, &format!("'ugt {VERSION}'"), line))
}

#[derive(Default)]
struct Parser {
    /// A line of either side has been seen: the header is over.
    in_body: bool,
    has_engine: bool,
    has_game: bool,
}

impl Parser {
    fn entry(&mut self, line: &str) -> Result<Entry, Fault> {
        let entry = entry(line)?;
        match &entry {
            Entry::Engine(_) => once(&mut self.has_engine, "engine")?,
            Entry::Game(_) => once(&mut self.has_game, "game")?,
            Entry::Sent(_) | Entry::Expected(_) => self.in_body = true,
            _ => {}
        }
        if entry.is_header() && self.in_body {
            return Err(Fault::expected(
                0,
                "the header before the first line of either side",
                line,
            ));
        }
        Ok(entry)
    }
}

fn once(seen: &mut bool, what: &str) -> Result<(), Fault> {
    if std::mem::replace(seen, true) {
        return Err(Fault::new(0, format!("expected '{what}' once, found it again")));
    }
    Ok(())
}

fn entry(line: &str) -> Result<Entry, Fault> {
    if line.chars().all(is_blank) {
        return Ok(Entry::Blank);
    }
    if let Some(text) = line.strip_prefix('#') {
        return Ok(Entry::Comment(text.to_owned()));
    }
    if line.starts_with('>') {
        return sent(line).map(Entry::Sent);
    }
    if line.starts_with('<') {
        return expected(line).map(Entry::Expected);
    }
    field(line)
}

fn field(line: &str) -> Result<Entry, Fault> {
    let (word, rest) = line.split_at(line.find(is_blank).unwrap_or(line.len()));
    let value = rest.trim_matches(is_blank);
    let at = line.len() - rest.trim_start_matches(is_blank).len();
    match word {
        "engine" | "game" if value.is_empty() => {
            Err(Fault::expected(at, &format!("a value for '{word}'"), ""))
        }
        "engine" => Ok(Entry::Engine(value.to_owned())),
        "game" if value.contains(is_blank) => Err(Fault::expected(at, "one word", value)),
        "game" => Ok(Entry::Game(value.to_owned())),
        "option" => option(line),
        word => {
            let found = if word.is_empty() { line } else { word };
            let mut fault = Fault::expected(0, ENTRIES, found);
            fault.text += &suggestion(word, ["engine", "game", "option"]);
            Err(fault)
        }
    }
}

/// Parses the entry of an option: a `setoption` without its `set`.
fn option(line: &str) -> Result<Entry, Fault> {
    const BEFORE: &str = "set";
    match Command::parse(&format!("{BEFORE}{line}")) {
        Ok(Some(Command::SetOption { name, value })) => Ok(Entry::Option { name, value }),
        Ok(_) => Err(Fault::expected(0, "'option name <name> [value <value>]'", line)),
        Err(error) => {
            let column = error.column.unwrap_or(1).saturating_sub(1 + BEFORE.len());
            let at = line.char_indices().nth(column).map_or(line.len(), |(at, _)| at);
            Err(Fault::new(at, error.text))
        }
    }
}

/// The text after the sign of a line, without the blank between them. `None` if the line has another sign.
fn after<'a>(line: &'a str, sign: &str) -> Option<&'a str> {
    let rest = line.strip_prefix(sign)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(' ') }
}

fn sent(line: &str) -> Result<Sent, Fault> {
    if let Some(text) = after(line, ">") {
        return Ok(Sent::Line(text.to_owned()));
    }
    if let Some(text) = after(line, ">x") {
        return escaped(line, text).map(Sent::Bytes);
    }
    if let Some(text) = after(line, ">!") {
        return too_long(line, text).map(|()| Sent::TooLong);
    }
    match after(line, ">.") {
        Some("") => Ok(Sent::End),
        Some(text) => Err(Fault::expected(line.len() - text.len(), "the end of the line", text)),
        None => Err(Fault::expected(1, "a blank, 'x ', '! ' or '.' after '>'", second(line))),
    }
}

fn expected(line: &str) -> Result<Expected, Fault> {
    let text = |sign| after(line, sign).map(str::to_owned);
    let kept = text("<")
        .map(Expected::Default)
        .or_else(|| text("<=").map(Expected::Exact))
        .or_else(|| text("<~").map(Expected::Regex))
        .or_else(|| text("<*").map(Expected::Ignored));
    if let Some(expected) = kept {
        return Ok(expected);
    }
    if let Some(text) = after(line, "<?") {
        return any_move(line, text);
    }
    if let Some(text) = after(line, "<x") {
        return escaped(line, text).map(Expected::Bytes);
    }
    if let Some(text) = after(line, "<!") {
        return too_long(line, text).map(|()| Expected::TooLong);
    }
    match after(line, "<.") {
        Some(text) => exit(line, text).map(Expected::End),
        None => {
            let signs = "a blank or one of '= ', '~ ', '? ', '* ', 'x ', '! ' and '.' after '<'";
            Err(Fault::expected(1, signs, second(line)))
        }
    }
}

/// What stands after the sign, for messages.
fn second(line: &str) -> &str {
    line.get(1..).unwrap_or_default()
}

fn any_move(line: &str, text: &str) -> Result<Expected, Fault> {
    match Reply::parse_strict(text) {
        Reply::BestMove { mv: Some(_), .. } => Ok(Expected::AnyMove(text.to_owned())),
        _ => Err(Fault::expected(line.len() - text.len(), "'bestmove <move>' after '<?'", text)),
    }
}

fn escaped(line: &str, text: &str) -> Result<Vec<u8>, Fault> {
    bytes::parse(text).map_err(|at| {
        let at = line.len() - text.len() + at;
        let found = line.get(at..).unwrap_or_default();
        Fault::expected(at, "'\\\\', or '\\x' and two hexadecimal digits other than 0A", found)
    })
}

fn too_long(line: &str, text: &str) -> Result<(), Fault> {
    if text.trim_matches(is_blank) == print::TOO_LONG {
        return Ok(());
    }
    let expected = format!("'{}'", print::TOO_LONG);
    Err(Fault::expected(line.len() - text.len(), &expected, text))
}

fn exit(line: &str, text: &str) -> Result<Option<Exit>, Fault> {
    let mut words = text.split_whitespace();
    let number = |word: &str| word.parse().ok().filter(|_| is_decimal(word));
    let found = match (words.next(), words.next().and_then(number), words.next()) {
        (None, None, None) => Some(None),
        (Some("exit"), Some(code), None) => Some(Some(Exit::Code(code))),
        (Some("signal"), Some(signal), None) => Some(Some(Exit::Signal(signal))),
        _ => None,
    };
    let expected = "'exit <n>', 'signal <n>' or nothing after '<.'";
    found.ok_or_else(|| Fault::expected(line.len() - text.len(), expected, text))
}
