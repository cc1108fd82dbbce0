//! A game by invitation in play: its table, its referee, and everybody who is told about it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore, oneshot, watch};
use tokio::time::{Duration, Instant, sleep_until};

use super::referee::{Context, NoAnswer, Referee, position};
use super::saved::{Archive, Keys, State, today};
use super::table::{Connection, Person, Request, Verdict, is_move};
use super::wire::{Problem, Said, Seat, text};
use crate::secret::Secret;

/// The most people who watch a game.
const MOST_SPECTATORS: usize = 32;
/// The most pages that ask about the rules of a game at a time: of each player, and of all spectators.
const PLAYER_DESKS: usize = 8;
const SPECTATOR_DESKS: usize = 32;

/// The time of the server, in milliseconds since it has started.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timekeeper(Instant);

impl Timekeeper {
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }

    pub(super) fn now(self) -> u64 {
        u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn at(self, ms: u64) -> Instant {
        self.0 + Duration::from_millis(ms)
    }
}

/// What a person does in a game.
#[derive(Clone, Debug)]
pub(super) enum Deed {
    Move { mv: String, ply: usize },
    Ask(Request),
    Answer(Request, bool),
    Resign { is_sure: bool },
}

/// What changes.
#[derive(Debug)]
struct Changing {
    state: State,
    watching: usize,
    /// How the connection at a seat learns that another one takes its place.
    seats: BTreeMap<Connection, oneshot::Sender<()>>,
}

/// A game by invitation.
#[derive(Debug)]
pub(crate) struct Room {
    pub(super) id: String,
    /// A copy of what does not change.
    pub(super) rules: Context,
    pub(super) search: bool,
    start: Option<String>,
    keys: Keys,
    changing: Mutex<Changing>,
    told: watch::Sender<Arc<str>>,
    referee: Referee,
    /// Answers the questions of pages about the rules: no question holds up a move.
    pub(super) answerer: Referee,
    /// For host, guest and spectators.
    desks: [Arc<Semaphore>; 3],
    archive: Arc<Archive>,
    time: Timekeeper,
    connections: AtomicU64,
}

/// A place in a game, which a connection holds.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) room: Arc<Room>,
    pub(super) seat: Seat,
    connection: Connection,
    /// Whether the place was taken from another connection.
    pub(super) took: bool,
    /// The newest state of the game.
    pub(super) told: watch::Receiver<Arc<str>>,
    /// Answered when another connection takes the place.
    pub(super) taken: oneshot::Receiver<()>,
}

impl Room {
    /// Opens a room, and watches its clocks.
    pub(super) fn open(
        state: State,
        [referee, answerer]: [Referee; 2],
        archive: Arc<Archive>,
        time: Timekeeper,
    ) -> Arc<Self> {
        let invitation = &state.invitation;
        let start = invitation.start.clone();
        let rules = Context {
            game: invitation.game.clone(),
            rules: state.rules.clone(),
            position: position(start.as_deref(), &[]),
        };
        let (told, changes) = watch::channel(Arc::default());
        let room = Arc::new(Self {
            id: state.id.clone(),
            rules,
            search: invitation.search,
            start,
            keys: state.keys,
            changing: Mutex::new(Changing { state, watching: 0, seats: BTreeMap::new() }),
            told,
            referee,
            answerer,
            desks: [PLAYER_DESKS, PLAYER_DESKS, SPECTATOR_DESKS]
                .map(|most| Arc::new(Semaphore::new(most))),
            archive,
            time,
            connections: AtomicU64::new(0),
        });
        tokio::spawn(watch_flags(Arc::downgrade(&room), changes));
        room
    }

    /// The seat that a secret opens. Every digest is compared, whether an earlier one fits or not.
    pub(super) fn seat_of(&self, secret: &Secret) -> Option<Seat> {
        let digest = secret.digest();
        let keys = [
            (self.keys.host, Seat::Host),
            (self.keys.guest, Seat::Guest),
            (self.keys.spectators, Seat::Spectator),
        ];
        keys.into_iter().fold(None, |found, (key, seat)| match key.is(&digest) {
            true => Some(seat),
            false => found,
        })
    }

    /// Whether the room may be given up: the game is over, and nobody is there.
    pub(super) fn is_done(&self) -> bool {
        self.changing.try_lock().is_ok_and(|changing| {
            let table = &changing.state.table;
            table.ending.is_some() && table.is_empty() && changing.watching == 0
        })
    }

    /// A permit for another session about the rules from a seat; `None` if there are too many.
    pub(super) fn desk(&self, seat: Seat) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.desks[seat as usize]).try_acquire_owned().ok()
    }

    /// Gives a seat to a connection.
    pub(super) async fn enter(self: &Arc<Self>, seat: Seat) -> Result<Place, Problem> {
        let connection = self.connections.fetch_add(1, Ordering::Relaxed);
        let (take, taken) = oneshot::channel();
        let mut changing = self.changing.lock().await;
        let now = self.time.now();
        let mut took = false;
        match seat.person() {
            Some(person) => {
                let before = changing.state.table.arrive(person, connection, now);
                let before = before.and_then(|before| changing.seats.remove(&before));
                took = before.is_some();
                if let Some(before) = before {
                    // The earlier connection may have ended just now.
                    let _ = before.send(());
                }
                changing.seats.insert(connection, take);
                self.archive.save(&self.at_rest(&changing));
            }
            None if changing.watching >= MOST_SPECTATORS => return Err(Problem::Crowded),
            None => {
                changing.seats.insert(connection, take);
                changing.watching += 1;
            }
        }
        self.publish(&changing);
        let told = self.told.subscribe();
        Ok(Place { room: Arc::clone(self), seat, connection, took, told, taken })
    }

    async fn leave(&self, seat: Seat, connection: Connection) {
        let mut changing = self.changing.lock().await;
        changing.seats.remove(&connection);
        match seat.person() {
            Some(person) => {
                changing.state.table.leave(person, connection);
            }
            None => changing.watching -= 1,
        }
        self.publish(&changing);
    }

    /// Does what a person asks for. `came` is when the message came in.
    async fn act(&self, person: Person, deed: Deed, came: u64) -> Result<(), Problem> {
        let mut changing = self.changing.lock().await;
        let was_over = changing.state.table.ending.is_some();
        let round = changing.state.table.round;
        let done = self.act_now(&mut changing, person, deed, came).await;
        let table = &changing.state.table;
        if table.round != round {
            changing.state.begun = today();
        }
        let has_ended = !was_over && changing.state.table.ending.is_some();
        if done.is_ok() || has_ended {
            self.archive.save(&self.at_rest(&changing));
            self.publish(&changing);
        }
        done
    }

    async fn act_now(
        &self,
        changing: &mut Changing,
        person: Person,
        deed: Deed,
        came: u64,
    ) -> Result<(), Problem> {
        let table = &mut changing.state.table;
        match deed {
            Deed::Move { mv, ply } => {
                table.may_move(person, ply, came)?;
                let moves: Vec<String> = table.moves.iter().map(|made| made.mv.clone()).collect();
                let (mv, verdict) = self.judge(moves, &mv).await?;
                // The other side's clock starts when everybody is told.
                table.make(mv, verdict, came, self.time.now());
            }
            Deed::Ask(what) => table.ask(person, what, came)?,
            Deed::Answer(what, is_agreed) => table.answer(person, what, is_agreed, came)?,
            Deed::Resign { is_sure } => table.resign(person, is_sure, came)?,
        }
        Ok(())
    }

    /// Lets the referee judge a move after these moves. An engine that has failed is replaced once.
    async fn judge(&self, moves: Vec<String>, mv: &str) -> Result<(String, Verdict), Problem> {
        if !is_move(mv) {
            return Err(Problem::NoMessage);
        }
        for _ in 0..2 {
            let (context, start, mv) = (self.rules.clone(), self.start.clone(), mv.to_owned());
            let mut moves = moves.clone();
            let judged = self.referee.ask(Seat::Host, move |engine| {
                let before = position(start.as_deref(), &moves);
                let judged = engine.judge(&Context { position: before, ..context.clone() }, &mv)?;
                if let Ok((written, _)) = &judged {
                    moves.push(written.clone());
                    let after = position(start.as_deref(), &moves);
                    engine.note(&Context { position: after, ..context });
                }
                Ok(judged)
            });
            match judged.await {
                Ok(judged) => return Ok(judged?),
                Err(NoAnswer::Refused(why)) => {
                    crate::report(format!("referee: {}", why.text));
                    return Err(Problem::NoReferee);
                }
                Err(error) => crate::report(error.to_string()),
            }
        }
        Err(Problem::NoReferee)
    }

    fn at_rest(&self, changing: &Changing) -> State {
        changing.state.at_rest(self.time.now())
    }

    /// Tells everybody the whole game. Who is slow to read misses a state, and gets the next one.
    fn publish(&self, changing: &Changing) {
        let Changing { state, watching, .. } = changing;
        let said = Said::Game {
            meeting: &self.id,
            invitation: &state.invitation,
            watching: *watching,
            table: state.table.snapshot(self.time.now()),
        };
        self.told.send_replace(text(said, None).into());
    }

    /// Ends the game if a flag has fallen. Returns when the next one will fall.
    async fn tick(&self) -> Option<Instant> {
        let mut changing = self.changing.lock().await;
        if changing.state.table.tick(self.time.now()) {
            self.archive.save(&self.at_rest(&changing));
            self.publish(&changing);
        }
        changing.state.table.deadline().map(|ms| self.time.at(ms))
    }
}

/// Ends games whose flag falls, for as long as the room is there.
async fn watch_flags(room: Weak<Room>, mut changes: watch::Receiver<Arc<str>>) {
    while let Some(room) = room.upgrade() {
        let deadline = room.tick().await;
        drop(room);
        let fallen = async {
            match deadline {
                Some(deadline) => sleep_until(deadline).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = fallen => {}
            changed = changes.changed() => if changed.is_err() { return },
        }
    }
}

impl Place {
    /// Does what the person at this place asks for.
    pub(super) async fn act(&self, deed: Deed) -> Result<(), Problem> {
        let came = self.room.time.now();
        let person = self.seat.person().ok_or(Problem::Watching)?;
        self.room.act(person, deed, came).await
    }

    /// Gives the place up. The seat stays the person's.
    pub(super) async fn leave(self) {
        self.room.leave(self.seat, self.connection).await;
    }
}
