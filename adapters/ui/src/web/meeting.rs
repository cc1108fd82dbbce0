//! Games by invitation: two people at two devices, spectators, and the engine of this server as referee.
//!
//! `table` is the pure state of a game, and `room` a game in play. `socket` speaks with pages in the messages of
//! `wire`. `rules` answers questions about the rules for guests, who have no engine of their own.

mod allowance;
mod qr;
mod referee;
mod room;
mod rules;
mod saved;
mod saver;
mod socket;
mod table;
mod wire;

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Context as _;
use leap_base::terminal;
use leap_client::EngineCommand;
use leap_protocol::{Command, Start};

use super::bounds;
use super::secret::{Secret, SecretDigest};
use referee::{Context, NoAnswer, Referee, Turn, position};
use room::{Room, Timekeeper};
use saved::{Archive, Folder, Invitation, Keys, State};
pub(super) use socket::{Asker, Caller, answer_rules, first_line, talk};
use table::Table;
pub(super) use wire::Seat;
use wire::{Link, Problem, Said, Wish};

/// The most games that are kept.
const MOST_GAMES: usize = 64;
/// The most options of an invitation, and the longest texts in it, in bytes.
const MOST_OPTIONS: usize = 64;
const LONGEST_TEXT: usize = 4096;

/// All games by invitation of a server.
#[derive(Debug)]
pub(super) struct Meetings {
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
    /// Opens the folder of the games, and the games of earlier runs. Returns the link of the host too.
    ///
    /// # Errors
    /// If the folder cannot be used.
    pub(super) fn open(
        command: EngineCommand,
        url: String,
        place: &Path,
    ) -> anyhow::Result<(Self, Secret)> {
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
        Ok((meetings, secret))
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
    pub(super) fn is_host(&self, secret: &Secret) -> bool {
        self.host.is(&secret.digest())
    }

    /// Lends the engine to whoever has the secret that is returned. Nothing else is opened by this secret.
    ///
    /// # Errors
    /// If the secret cannot be read or made.
    pub(super) fn lend_engine(&mut self) -> anyhow::Result<Secret> {
        let secret = self.archive.folder.engine_secret()?;
        self.engine = Some(secret.digest());
        Ok(secret)
    }

    /// Whether a secret is that of the engine.
    pub(super) fn lends_to(&self, secret: &Secret) -> bool {
        self.engine.is_some_and(|engine| engine.is(&secret.digest()))
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

    /// The link to an exported page that has the engine's secret and the address of this server.
    pub(super) fn engine_link(&self, page: &str, secret: &Secret) -> String {
        format!("{page}#engine={}&at={}", secret.reveal(), self.url)
    }

    /// The link that a secret belongs to.
    pub(super) fn link(&self, word: &str, secret: &Secret) -> String {
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
        let asked = referee.ask(Turn::Player, move |engine| {
            let rules = engine.rules_of(&game, &options)?;
            let context = Context { game, rules, position: position(start.as_deref(), &[]) };
            let verdict = engine.verdict(&context)?;
            let draws = engine.knows_draws(&context)?;
            Ok((context.rules, verdict, draws))
        });
        let (rules, verdict, draws) = asked.await.map_err(|error| match error {
            NoAnswer::Refused(error) => Problem::BadGame { why: error.text },
            error => {
                log::error!("{error}");
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
        bounds::check_characters(text).map_err(|error| error.text)?;
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

/// Shows a link and its QR code, if a person reads it. A terminal keeps no log; a file would.
pub(super) fn show_link(what: &str, link: &str) {
    if !terminal::is_shown() {
        return;
    }
    let _ = terminal::show(format_args!("\n{what}: {link}\n{}\n", qr::blocks(link)));
}
