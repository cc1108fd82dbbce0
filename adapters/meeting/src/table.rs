//! A game by invitation, as a pure state machine: two seats, clocks, moves, offers. It knows no rules: a referee judges
//! each move before the move is made here. It has no clock of its own: every event tells its time.

mod check;
mod clock;
mod snapshot;
#[cfg(test)]
mod tests;

use leap_protocol::payload::{self, GameResult};
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub(crate) use check::is_move;
use clock::Clock;
pub(crate) use clock::Control;
pub(crate) use snapshot::Snapshot;

/// The most moves of a game: as many as a record may have.
const MOST_MOVES: usize = 100_000;

/// How long clocks stand after a restart of the server if somebody does not come back: an hour.
const WAITS_MS: u64 = 3_600_000;

/// A side of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Side {
    P1,
    P2,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::P1 => Self::P2,
            Self::P2 => Self::P1,
        }
    }

    fn wins(self) -> &'static str {
        match self {
            Self::P1 => GameResult::P1Win.as_str(),
            Self::P2 => GameResult::P2Win.as_str(),
        }
    }
}

impl From<payload::Side> for Side {
    fn from(side: payload::Side) -> Self {
        match side {
            payload::Side::P1 => Self::P1,
            payload::Side::P2 => Self::P2,
        }
    }
}

/// A person with a seat. Persons keep their links, and exchange sides at a rematch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Person {
    /// Who has invited.
    Host,
    /// Who was invited.
    Guest,
}

/// The number of a connection.
pub(crate) type Connection = u64;

/// What one person may ask the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Request {
    /// To end the game as a draw.
    Draw,
    /// To take back the moves since the asking side was last to move.
    Takeback,
    /// To play again with sides exchanged, after the end.
    Rematch,
}

/// A question that waits for its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Offer {
    what: Request,
    by: Person,
}

/// How a game has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ending {
    /// `p1win`, `p2win` or `draw`.
    pub(crate) result: String,
    /// `time`, `resignation`, `agreement`, or the reason of a rule.
    pub(crate) reason: String,
    /// Whether a rule has ended the game.
    pub(crate) rule: bool,
}

/// What the referee says about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// The side to move.
    pub(crate) turn: Side,
    /// Whether the position ends the game, and how.
    pub(crate) ending: Option<Ending>,
}

/// A move that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Made {
    #[serde(rename = "move")]
    pub(crate) mv: String,
    by: Side,
    /// How long the mover's clock ran for the move, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) took: Option<u64>,
}

/// Why something is refused. The words of `kind` are part of the protocol between page and server.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Refusal {
    #[error("the game begins when both players have come")]
    Waiting,
    #[error("the game is over")]
    Over,
    #[error("the game is not over yet")]
    NotOver,
    #[error("it is the other side's turn")]
    NotYourTurn,
    #[error("this is about another position: {ply} moves have been made")]
    Stale { ply: usize },
    #[error("a game has at most {MOST_MOVES} moves")]
    TooLong,
    #[error("{text}")]
    Illegal { reason: String, at: Option<String>, text: String },
    #[error("this game has no draw by agreement")]
    NoDraws,
    #[error("you have made no move that could be taken back")]
    NothingToTakeBack,
    #[error("another question waits for its answer")]
    Asked,
    #[error("this was declined; ask again after a move")]
    Declined,
    #[error("nothing was asked")]
    NotAsked,
    #[error("a resignation needs \"sure\": true")]
    NotSure,
}

/// A game by invitation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Table {
    /// The number of the game between these two, from 1.
    pub(crate) round: u32,
    /// The side of the host.
    host: Side,
    /// Whether the game knows draws by agreement.
    draws: bool,
    /// The side that is to move at the start.
    first: Side,
    turn: Side,
    pub(crate) moves: Vec<Made>,
    clock: Option<Clock>,
    pub(crate) ending: Option<Ending>,
    offer: Option<Offer>,
    /// What was declined in this position.
    declined: Vec<Offer>,
    /// Whether host and guest have come, at any time.
    come: [bool; 2],
    /// The connections of host and guest.
    #[serde(skip)]
    here: [Option<Connection>; 2],
    /// Who is waited for; `None` in a game that the server has not read from a file.
    #[serde(skip)]
    awaited: Option<Awaited>,
}

/// After a restart of the server, the clocks stand until both players have come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Awaited {
    /// Whether host and guest are back.
    back: [bool; 2],
    /// When the clocks go on nevertheless.
    until: u64,
}

impl Table {
    /// A game that begins, with the side of the host and the side to move.
    pub(crate) fn new(host: Side, first: Side, draws: bool, control: Option<Control>) -> Self {
        Self {
            round: 1,
            host,
            draws,
            first,
            turn: first,
            moves: Vec::new(),
            clock: control.map(Clock::new),
            ending: None,
            offer: None,
            declined: Vec::new(),
            come: [false; 2],
            here: [None; 2],
            awaited: None,
        }
    }

    /// Goes on with a game that was read from a file. Nobody has come back yet.
    pub(crate) fn resume(&mut self, now: u64) {
        self.awaited = Some(Awaited { back: [false; 2], until: now.saturating_add(WAITS_MS) });
    }

    /// The side of a person in this round.
    fn side(&self, person: Person) -> Side {
        match person {
            Person::Host => self.host,
            Person::Guest => self.host.other(),
        }
    }

    /// The names of p1 and p2 in records.
    pub(crate) fn names(&self) -> [&'static str; 2] {
        match self.host {
            Side::P1 => ["host", "guest"],
            Side::P2 => ["guest", "host"],
        }
    }

    /// Whether nobody sits at the table.
    pub(crate) fn is_empty(&self) -> bool {
        self.here == [None; 2]
    }

    // ---- connections

    /// A person comes. Returns the connection whose place it takes: a link belongs to the one who opened it last.
    pub(crate) fn arrive(
        &mut self,
        person: Person,
        connection: Connection,
        now: u64,
    ) -> Option<Connection> {
        self.come[person as usize] = true;
        let before = self.here[person as usize].replace(connection);
        if let Some(awaited) = &mut self.awaited {
            awaited.back[person as usize] = true;
            if awaited.back == [true; 2] {
                self.go_on(now);
            }
        }
        before
    }

    /// Nobody is waited for any longer: the clocks go on.
    fn go_on(&mut self, now: u64) {
        self.awaited = None;
        if self.ending.is_none() && !self.moves.is_empty() {
            self.run_clock(now);
        }
    }

    /// Lets the clock of the side to move run, unless somebody is waited for.
    fn run_clock(&mut self, now: u64) {
        let is_awaited = self.awaited.is_some();
        if let Some(clock) = &mut self.clock {
            clock.run((!is_awaited).then_some(self.turn), now);
        }
    }

    /// A connection has ended. The seat stays the person's, and the clocks go on. Returns whether this was its seat.
    pub(crate) fn leave(&mut self, person: Person, connection: Connection) -> bool {
        let seat = &mut self.here[person as usize];
        let was_here = *seat == Some(connection);
        if was_here {
            *seat = None;
        }
        was_here
    }

    // ---- time

    /// Ends the game if a flag has fallen, and lets clocks go on that have waited long enough. Returns whether anything
    /// has changed.
    pub(crate) fn tick(&mut self, now: u64) -> bool {
        let has_waited = self.awaited.is_some_and(|awaited| awaited.until <= now);
        if has_waited {
            self.go_on(now);
        }
        let flag = self.clock.as_ref().and_then(|clock| clock.flag(now));
        let Some(side) = flag.filter(|_| self.ending.is_none()) else { return has_waited };
        self.conclude(side.other().wins(), "time", now);
        true
    }

    /// When [`Table::tick`] will change something, if nobody moves.
    pub(crate) fn deadline(&self) -> Option<u64> {
        let clock = self.clock.as_ref().filter(|_| self.ending.is_none())?;
        let awaited = self.awaited.filter(|_| !self.moves.is_empty()).map(|awaited| awaited.until);
        clock.deadline().or(awaited)
    }

    fn conclude(&mut self, result: &str, reason: &str, now: u64) {
        self.end(Ending { result: result.to_owned(), reason: reason.to_owned(), rule: false }, now);
    }

    fn end(&mut self, ending: Ending, now: u64) {
        self.ending = Some(ending);
        self.offer = None;
        self.declined.clear();
        if let Some(clock) = &mut self.clock {
            clock.run(None, now);
        }
    }

    // ---- actions

    /// Whether the game goes on and may be played. A flag that has fallen ends it first.
    fn is_on(&mut self, now: u64) -> Result<(), Refusal> {
        self.tick(now);
        if self.ending.is_some() {
            return Err(Refusal::Over);
        }
        if self.come != [true; 2] {
            return Err(Refusal::Waiting);
        }
        Ok(())
    }

    /// Whether a person may move now; whether the move is legal is the referee's question. `ply` is the number of moves
    /// that the person knows of.
    pub(crate) fn may_move(&mut self, person: Person, ply: usize, now: u64) -> Result<(), Refusal> {
        self.is_on(now)?;
        let made = self.moves.len();
        if ply != made {
            return Err(Refusal::Stale { ply: made });
        }
        if self.turn != self.side(person) {
            return Err(Refusal::NotYourTurn);
        }
        if made >= MOST_MOVES {
            return Err(Refusal::TooLong);
        }
        Ok(())
    }

    /// Makes a move that [`Table::may_move`] and the referee have admitted. `came` is when the move came in. The mover's
    /// clock stops then, and the clock of the next side runs from `told` on, when everybody is told.
    pub(crate) fn make(&mut self, mv: String, verdict: Verdict, came: u64, told: u64) {
        let by = self.turn;
        let took = self.clock.as_mut().and_then(|clock| clock.press(by, came));
        self.moves.push(Made { mv, by, took });
        self.turn = verdict.turn;
        self.declined.clear();
        // A move answers the other side's question, and makes an own takeback pointless.
        self.offer =
            self.offer.filter(|offer| self.side(offer.by) == by && offer.what == Request::Draw);
        if let Some(awaited) = &mut self.awaited {
            awaited.until = told.saturating_add(WAITS_MS);
        }
        match verdict.ending {
            Some(ending) => self.end(ending, told),
            None => self.run_clock(told),
        }
    }

    /// A person asks the other. If the other has asked the same, this is agreement.
    pub(crate) fn ask(&mut self, person: Person, what: Request, now: u64) -> Result<(), Refusal> {
        self.may_ask(person, what, now)?;
        let offer = Offer { what, by: person };
        match self.offer {
            Some(open) if open.what == what && open.by != person => self.agree(open, now),
            Some(open) if open != offer => return Err(Refusal::Asked),
            _ if self.declined.contains(&offer) => return Err(Refusal::Declined),
            _ => self.offer = Some(offer),
        }
        Ok(())
    }

    fn may_ask(&mut self, person: Person, what: Request, now: u64) -> Result<(), Refusal> {
        let is_on = self.is_on(now);
        match what {
            Request::Rematch => {
                return if self.ending.is_some() { Ok(()) } else { Err(Refusal::NotOver) };
            }
            Request::Draw if !self.draws => return Err(Refusal::NoDraws),
            Request::Takeback if self.taken_back(person).is_none() => {
                is_on?;
                return Err(Refusal::NothingToTakeBack);
            }
            _ => {}
        }
        is_on
    }

    /// How many moves are left after a takeback of this person: all before its own last move.
    fn taken_back(&self, person: Person) -> Option<usize> {
        let side = self.side(person);
        self.moves.iter().rposition(|made| made.by == side)
    }

    /// A person agrees to the other's question, declines it, or takes back its own.
    pub(crate) fn answer(
        &mut self,
        person: Person,
        what: Request,
        is_agreed: bool,
        now: u64,
    ) -> Result<(), Refusal> {
        self.tick(now);
        let Some(open) = self.offer.filter(|open| open.what == what) else {
            return Err(Refusal::NotAsked);
        };
        match (open.by == person, is_agreed) {
            (true, true) => return Err(Refusal::NotAsked),
            (false, true) => self.agree(open, now),
            (is_own, false) => {
                self.offer = None;
                if !is_own {
                    self.declined.push(open);
                }
            }
        }
        Ok(())
    }

    fn agree(&mut self, open: Offer, now: u64) {
        self.offer = None;
        self.declined.clear();
        match open.what {
            Request::Draw => self.conclude(GameResult::Draw.as_str(), "agreement", now),
            Request::Takeback => self.take_back(open.by, now),
            Request::Rematch => self.begin_again(),
        }
    }

    /// Goes back to the person's last turn. The clocks keep their times.
    fn take_back(&mut self, person: Person, now: u64) {
        let Some(left) = self.taken_back(person) else { return };
        self.moves.truncate(left);
        self.turn = self.side(person);
        match &mut self.clock {
            Some(clock) if left == 0 => clock.run(None, now),
            _ => self.run_clock(now),
        }
    }

    /// The same game again, with sides exchanged and full clocks.
    fn begin_again(&mut self) {
        self.round = self.round.saturating_add(1);
        self.host = self.host.other();
        self.turn = self.first;
        self.moves.clear();
        self.ending = None;
        self.clock = self.clock.as_ref().map(|clock| Clock::new(clock.control));
    }

    /// A person resigns. The page has asked whether the person is sure.
    pub(crate) fn resign(
        &mut self,
        person: Person,
        is_sure: bool,
        now: u64,
    ) -> Result<(), Refusal> {
        self.is_on(now)?;
        if !is_sure {
            return Err(Refusal::NotSure);
        }
        self.conclude(self.side(person).other().wins(), "resignation", now);
        Ok(())
    }

    // ---- what is kept

    /// The game as it is kept: nobody is connected, and the clocks stand at what is left now.
    pub(crate) fn at_rest(&self, now: u64) -> Self {
        let clock = self.clock.as_ref().map(|clock| clock.at_rest(now));
        Self { clock, here: [None; 2], awaited: None, ..self.clone() }
    }
}
