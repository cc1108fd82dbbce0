//! What the client has sent, as far as it affects how answers are compared (SPEC 16.12 to 16.14).

use leap_protocol::{Command, Dialect, Go};

use crate::{Entry, Expected, Sent, Transcript};

/// A search whose `bestmove` is still to come.
#[derive(Clone, Copy)]
struct Search {
    reproducible: bool,
}

/// The state of the session, as far as the transcript shows it.
pub(crate) struct Context {
    /// The engine is the one that the transcript was made with.
    pub(crate) pinned: bool,
    dialect: Dialect,
    /// `Ponder` was set to `true`, so that a `bestmove` may name an expected reply.
    pub(crate) ponder: bool,
    /// The last question was `eval`, whose answer is the engine's own.
    pub(crate) asked_eval: bool,
    /// `quit` was sent during a search.
    pub(crate) has_quit: bool,
    /// More than one thread, or less than the full strength.
    is_random: bool,
    /// The hash table holds entries of a search that is not reproducible.
    is_tainted: bool,
    search: Option<Search>,
    /// The search before the last `go`, in case that `go` is refused.
    before_go: Option<Option<Search>>,
    has_perft: bool,
}

impl Context {
    pub(crate) fn new(transcript: &Transcript, pinned: bool) -> Self {
        let mut context = Self {
            pinned,
            dialect: Dialect::default(),
            ponder: false,
            asked_eval: false,
            has_quit: false,
            is_random: false,
            is_tainted: false,
            search: None,
            before_go: None,
            has_perft: false,
        };
        for (name, value) in transcript.options() {
            context.set_option(name, value);
        }
        context
    }

    /// Whether a search or perft is still running.
    pub(crate) fn is_searching(&self) -> bool {
        self.search.is_some() || self.has_perft
    }

    /// Whether the search that comes to its end now is reproducible; called once for each.
    pub(crate) fn end_search(&mut self) -> bool {
        let reproducible = self.search.take().is_some_and(|search| search.reproducible);
        let reproducible = reproducible && !self.is_random && !self.is_tainted;
        self.is_tainted |= !reproducible;
        reproducible
    }

    /// Updates the state with an entry, after its rule has been made.
    pub(crate) fn pass(&mut self, entry: &Entry) {
        match entry {
            Entry::Sent(Sent::Line(line)) => {
                self.before_go = None;
                if let Ok(Some(command)) = Command::parse_in(line, self.dialect) {
                    self.command(&command);
                }
            }
            Entry::Expected(Expected::Default(line) | Expected::Exact(line)) => self.reply(line),
            _ => {}
        }
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Go(go) => {
                self.before_go = Some(self.search);
                self.search = Some(Search { reproducible: is_reproducible(go) });
            }
            Command::Stop | Command::PonderHit => {
                if let Some(search) = &mut self.search {
                    search.reproducible = false;
                }
            }
            Command::Hello(dialect) if !self.is_searching() => self.dialect = *dialect,
            Command::NewGame(_) => self.is_tainted = false,
            Command::SetOption { name, value } => self.set_option(name, value.as_deref()),
            Command::Perft(_) => self.has_perft = true,
            Command::Eval => self.asked_eval = true,
            Command::Query(_) => self.asked_eval = false,
            Command::Quit => self.has_quit |= self.is_searching(),
            _ => {}
        }
    }

    fn reply(&mut self, line: &str) {
        match line.split_whitespace().next() {
            Some("error") => {
                if let Some(search) = self.before_go.take() {
                    self.search = search;
                }
            }
            Some("perft") => self.has_perft = false,
            _ => {}
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let is = |option: &str| name.eq_ignore_ascii_case(option);
        if is("Threads") {
            self.is_random |= value != Some("1");
        } else if is("Strength") {
            self.is_random |= value != Some("100");
        } else if is("Ponder") {
            self.ponder |= value.is_some_and(|value| value.eq_ignore_ascii_case("true"));
        } else if is("Clear Hash") {
            self.is_tainted = false;
        }
    }
}

/// Whether nothing but depth, nodes or mate limits the search (SPEC 5.26).
fn is_reproducible(go: &Go) -> bool {
    let has_limit = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
    let has_clock = go.p1time.is_some() || go.p2time.is_some() || go.movetime.is_some();
    has_limit && !has_clock && !go.infinite && !go.ponder
}
