//! Games by invitation: two people at two devices, spectators, and the engine of this server as referee.
//!
//! A [`Visitor`] is a page at such a game. It takes and gives the texts of docs/web-messages.md, whatever carries them.
//! `table` is the pure state of a game, and `room` a game in play. [`RulesSession`] answers questions about the rules
//! for guests, who have no engine of their own.

mod characters;
mod qr;
mod referee;
mod room;
mod rules;
mod saved;
mod saver;
mod secret;
mod table;
mod visitor;
mod wire;

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Context as _;
use leap_base::terminal;
use leap_client::EngineCommand;
use leap_protocol::{Command, Start};

pub use characters::check_characters;
use referee::{Context, NoAnswer, Referee, position};
use room::{Room, Timekeeper};
pub use rules::RulesSession;
use saved::{Archive, Folder, Invitation, Keys, State};
pub use secret::{Secret, SecretDigest};
use table::Table;
pub use visitor::{Answer, Caller, News, Visitor};
pub use wire::Seat;
use wire::{Link, Problem, Said, Wish};

/// The most games that are kept.
const MOST_GAMES: usize = 64;
/// The most options of an invitation, and the longest texts in it, in bytes.
const MOST_OPTIONS: usize = 64;
const LONGEST_TEXT: usize = 4096;

/// Who is at the other end of a connection for lines of the protocol, told by its first line.
#[derive(Debug)]
pub enum Asker {
    /// The host, or somebody with the secret of the engine.
    Trusted,
    /// A guest, who may let an engine search.
    Searcher {
        /// The options that are rules, in lower case.
        rules: Vec<String>,
        /// The name of the game.
        meeting: String,
        /// The seat of the guest.
        seat: Seat,
    },
    /// A guest, who may ask about the rules.
    Guest(RulesSession),
    /// A guest of a game about whose rules too many pages ask.
    Crowded,
}

/// All games by invitation of a server.
#[derive(Debug)]
pub struct Meetings {
    command: EngineCommand,
    /// The address of the page for guests, without a part after `#`.
    url: String,
    host: SecretDigest,
    /// The secret of the engine, if it is lent.
    engine: Option<SecretDigest>,
    rooms: Mutex<Vec<Arc<Room>>>,
    archive: Arc<Archive>,
    time: Timekeeper,
}

impl Meetings {
    /// Opens the folder of the games, and the games of earlier runs. `url` is the address of the page for guests.
    /// Returns the link of the host too. It must run within a tokio runtime.
    ///
    /// # Errors
    /// If the folder cannot be used.
    pub fn open(
        command: EngineCommand,
        url: String,
        place: &Path,
    ) -> anyhow::Result<(Self, String)> {
        let (folder, secret) = Folder::open(place)?;
        let states = folder.states();
        let archive = Archive::start(folder).context("cannot start a thread")?;
        let time = Timekeeper::start();
        let (host, rooms) = (secret.digest(), Mutex::default());
        let meetings = Self { command, url, host, engine: None, rooms, archive, time };
        for mut state in states {
            state.table.resume(time.now());
            let room = meetings.open_room(state, meetings.referee());
            meetings.rooms().push(room);
        }
        let link = meetings.link("host", &secret);
        Ok((meetings, link))
    }

    fn rooms(&self) -> MutexGuard<'_, Vec<Arc<Room>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn referee(&self) -> Referee {
        Referee::start(self.command.clone())
    }

    fn open_room(&self, state: State, referee: Referee) -> Arc<Room> {
        Room::open(state, [referee, self.referee()], Arc::clone(&self.archive), self.time)
    }

    /// Whether a secret is the host's.
    fn is_host(&self, secret: &Secret) -> bool {
        self.host.is(&secret.digest())
    }

    /// Lends the engine to these exported pages, by a secret that opens nothing else. Returns the links of the pages.
    ///
    /// # Errors
    /// If the secret cannot be read or made.
    pub fn lend_engine(&mut self, pages: &[String]) -> anyhow::Result<Vec<String>> {
        let secret = self.archive.folder.engine_secret()?;
        self.engine = Some(secret.digest());
        let (secret, url) = (secret.reveal(), &self.url);
        Ok(pages.iter().map(|page| format!("{page}#engine={secret}&at={url}")).collect())
    }

    /// Who asks on a connection for lines of the protocol, by its first line: `secret <secret>`. A page from elsewhere
    /// is let in by the secret of the engine alone. `None` if the secret opens nothing.
    pub async fn asker(&self, first_line: &str, is_foreign: bool) -> Option<Asker> {
        let secret = first_line.strip_prefix("secret ").and_then(Secret::parse)?;
        let digest = secret.digest();
        if self.engine.is_some_and(|engine| engine.is(&digest)) {
            return Some(Asker::Trusted);
        }
        if is_foreign {
            return None;
        }
        if self.is_host(&secret) {
            return Some(Asker::Trusted);
        }
        let (room, seat) = self.find(&secret)?;
        if room.search {
            let names = room.answerer.ask(seat, |engine| engine.names()).await;
            let meeting = room.id.clone();
            return names.ok().map(|rules| Asker::Searcher { rules, meeting, seat });
        }
        Some(RulesSession::open(room, seat).map_or(Asker::Crowded, Asker::Guest))
    }

    /// Whether the links lead over a connection without encryption.
    fn is_plain(&self) -> bool {
        self.url.starts_with("http:")
    }

    /// The game and the seat that a secret opens. All games are compared, so the time tells nothing.
    fn find(&self, secret: &Secret) -> Option<(Arc<Room>, Seat)> {
        let rooms = self.rooms();
        let seats = rooms.iter().map(|room| (room, room.seat_of(secret)));
        let found = seats.fold(None, |found, (room, seat)| seat.map(|seat| (room, seat)).or(found));
        found.map(|(room, seat)| (Arc::clone(room), seat))
    }

    /// The link that a secret belongs to.
    fn link(&self, word: &str, secret: &Secret) -> String {
        format!("{}#{word}={}", self.url, secret.reveal())
    }

    /// Makes an invitation. Returns what the host is told.
    async fn invite(&self, wish: Wish, re: Option<u32>) -> Result<String, Problem> {
        let wish = checked(wish)?;
        if !self.has_room() {
            return Err(Problem::Full);
        }
        let referee = self.referee();
        let (game, options) = (wish.game.clone(), wish.options.clone());
        let start = wish.start.clone();
        let asked = referee.ask(Seat::Host, move |engine| {
            let rules = engine.rules_of(&game, &options)?;
            let context = Context { game, rules, position: position(start.as_deref(), &[]) };
            let verdict = engine.verdict(&context)?;
            let draws = engine.knows_draws(&context)?;
            Ok((context.rules, verdict, draws))
        });
        let (rules, verdict, draws) = asked.await.map_err(|error| match error {
            NoAnswer::Refused(error) => Problem::BadGame { why: error.text },
            error => {
                report(error.to_string());
                Problem::NoReferee
            }
        })?;
        if verdict.ending.is_some() {
            return Err(Problem::BadGame { why: "the game is over at its start".to_owned() });
        }
        let [own, guest, spectators] = secrets().ok_or(Problem::NoReferee)?;
        let id = own_name(&own);
        let keys =
            Keys { host: own.digest(), guest: guest.digest(), spectators: spectators.digest() };
        let Wish { game, options, start, clock, side, search } = wish;
        let table = Table::new(side, verdict.turn, draws, clock);
        let invitation = Invitation { game, options, start, search };
        let state = State::new(id.clone(), keys, invitation, rules, table);
        self.take_in(self.open_room(state.clone(), referee))?;
        self.archive.save(&state);
        let [guest, spectators] = [guest, spectators].map(|secret| self.link("join", &secret));
        let shown = guest.clone();
        // Nobody waits for a terminal that was stopped.
        tokio::task::spawn_blocking(move || show_link("a link for the other player", &shown));
        let [guest, spectators] =
            [guest, spectators].map(|link| Link { code: qr::picture(&link), link });
        let said = Said::Invited { meeting: &id, own: own.reveal(), guest, spectators };
        Ok(wire::text(said, re))
    }

    /// Whether another game can be taken in.
    fn has_room(&self) -> bool {
        let rooms = self.rooms();
        rooms.len() < MOST_GAMES || rooms.iter().any(|room| room.is_done())
    }

    /// Takes a game in. If there is no room, the oldest game that is over, and that nobody looks at, is given up.
    fn take_in(&self, room: Arc<Room>) -> Result<(), Problem> {
        let mut rooms = self.rooms();
        if rooms.len() >= MOST_GAMES {
            let done = rooms.iter().position(|room| room.is_done()).ok_or(Problem::Full)?;
            self.archive.forget(&rooms.remove(done).id);
        }
        rooms.push(room);
        Ok(())
    }
}

/// Three secrets, for the host, the guest and spectators.
fn secrets() -> Option<[Secret; 3]> {
    let secret = || Secret::random().ok();
    Some([secret()?, secret()?, secret()?])
}

/// A name for the files of a game, which tells nothing about its secrets.
fn own_name(secret: &Secret) -> String {
    let digest = String::from(secret.digest());
    // The digest is kept in the file itself; a part of it is no more.
    digest[..12].to_owned()
}

/// Checks the form of an invitation. The engine judges what is in it.
fn checked(wish: Wish) -> Result<Wish, Problem> {
    let bad = |why: String| Problem::BadGame { why };
    check_invitation(&wish.game, &wish.options, wish.start.as_deref()).map_err(bad)?;
    if wish.clock.is_some_and(|clock| !clock.is_sane()) {
        return Err(bad("expected times of at most a day".to_owned()));
    }
    Ok(wish)
}

/// Checks the form of what is played: by a message, or in a file.
///
/// # Errors
/// What is wrong.
fn check_invitation(
    game: &str,
    options: &[(String, String)],
    start: Option<&str>,
) -> Result<(), String> {
    if game.is_empty() {
        return Err("expected a game".to_owned());
    }
    let texts = options.iter().flat_map(|(name, value)| [&**name, &**value]);
    for text in texts.chain([game]).chain(start) {
        if text.len() > LONGEST_TEXT {
            return Err("expected shorter texts".to_owned());
        }
        check_characters(text).map_err(|error| error.text)?;
    }
    if options.len() > MOST_OPTIONS {
        return Err("expected fewer options".to_owned());
    }
    if let Some(start) = start {
        let command = Command::parse(&format!("position fen {start}"));
        let is_position = matches!(command, Ok(Some(Command::Position { start: Start::Fen(_), moves })) if moves.is_empty());
        if !is_position {
            return Err("expected a position text".to_owned());
        }
    }
    Ok(())
}

/// Logs an error beside the runtime: a terminal that was stopped holds nobody up.
pub fn report(error: String) {
    tokio::task::spawn_blocking(move || log::error!("{error}"));
}

/// Shows a link and its QR code, if a person reads it. A terminal keeps no log; a file would.
pub fn show_link(what: &str, link: &str) {
    if !terminal::is_shown() {
        return;
    }
    let _ = terminal::show(format_args!("\n{what}: {link}\n{}\n", qr::blocks(link)));
}
