//! Answers about a move that is being entered: what it does so far, and what may follow (SPEC 4.24 to 4.28, 4.41).

use leap_protocol::ErrorReply;
use leap_protocol::payload::{
    self, Awaited, Effect, Effects, NextToken, Tokens, TurnEnd, TurnRefusal,
};

use super::refusal::{explain, illegal_move, square};
use leap_core::Game;
use leap_core::notation::{
    IllegalMove, MAX_STEPS, MoveEffect, Next, Notation, PartialMove, Reason, Step, Steps,
};
use leap_core::{Geometry, Position, RulesExt, Square};

/// A turn into which steps have been entered, until one was refused.
#[derive(Clone, Debug)]
pub struct Entry<T> {
    /// The turn after the steps that were taken.
    pub turn: T,
    /// How many steps were taken.
    taken: usize,
    /// Why the next step was refused.
    fault: Option<IllegalMove>,
}

impl<T: PartialMove> Entry<T> {
    /// Enters steps into a turn.
    #[must_use]
    pub fn new(turn: T, steps: &[Step]) -> Self {
        let begun = Self { turn, taken: 0, fault: None };
        begun.followed_by(steps)
    }

    /// The entry with further steps.
    fn followed_by(mut self, steps: &[Step]) -> Self {
        for step in steps {
            if let Err(illegal) = self.turn.take(*step) {
                self.fault = Some(illegal);
                break;
            }
            self.taken += 1;
        }
        self
    }

    /// What may follow, without the steps after which the text of every move would be too long (SPEC 9.26).
    #[must_use]
    pub fn next(&self) -> Next {
        let Next { mut steps, may_end } = self.turn.next();
        let left = MAX_STEPS - self.taken;
        if left <= STEPS_TO_END {
            steps.retain(|step| ends_within(&self.turn, *step, left));
        }
        Next { steps, may_end }
    }

    /// Why no legal move begins with the steps taken.
    fn dead_end(&self) -> IllegalMove {
        let is_short = self.turn.next().steps.is_empty();
        if is_short { self.turn.dead_end() } else { IllegalMove::nowhere(Reason::TooLong) }
    }

    /// The entry of all steps.
    fn whole(self) -> Result<Self, IllegalMove> {
        self.fault.map_or(Ok(self), Err)
    }

    /// Whether a legal move begins with the steps taken.
    fn leads_somewhere(&self) -> bool {
        let Next { steps, may_end } = self.next();
        may_end || !steps.is_empty()
    }
}

/// The most steps that a turn needs to its end, where its route could also go round in circles: a jump and its drops.
const STEPS_TO_END: usize = 4;

/// Whether a move can end within so many steps, the first of them this one.
fn ends_within<T: PartialMove>(turn: &T, step: Step, steps: usize) -> bool {
    let mut after = turn.clone();
    if steps == 0 || after.take(step).is_err() {
        return false;
    }
    let next = after.next();
    next.may_end || next.steps.iter().any(|step| ends_within(&after, *step, steps - 1))
}

/// Enters a text, of which every step must be taken. An empty text has no steps.
fn enter<'a, R: Notation>(
    game: &'a Game<R>,
    text: &str,
) -> Result<Entry<R::PartialMove<'a>>, IllegalMove> {
    let turn = game.partial_move()?;
    let steps = if text.is_empty() { Steps::default() } else { Steps::parse(R::GEOMETRY, text)? };
    Entry::new(turn, &steps.0).whole()
}

/// The tokens that may follow a partial move (SPEC 4.24).
pub(super) fn next<R: Notation>(
    game: &Game<R>,
    partial: Option<&str>,
) -> Result<Tokens, ErrorReply> {
    let partial = partial.unwrap_or_default();
    if partial.is_empty() && game.outcome().is_some() {
        return Ok(Tokens(Vec::new()));
    }
    let refuse = |illegal| illegal_move(R::GEOMETRY, 1, partial, illegal);
    let entry = enter(game, partial).map_err(refuse)?;
    let Next { steps, may_end } = entry.next();
    if steps.is_empty() && !may_end {
        return Err(refuse(entry.dead_end()));
    }
    let mut tokens: Vec<String> = steps.iter().map(|step| step.text(R::GEOMETRY)).collect();
    if may_end {
        tokens.push(Tokens::END.to_owned());
    }
    Ok(Tokens(tokens))
}

/// What a move does, in order, then the fields of the position text that follow the board (SPEC 4.28).
pub(super) fn effects<R: Notation>(game: &Game<R>, text: &str) -> Result<Effects, ErrorReply> {
    let refuse = |illegal| illegal_move(R::GEOMETRY, 1, text, illegal);
    let entry = enter(game, text).map_err(refuse)?;
    let (_, ending) = finish(game, &entry.turn).map_err(refuse)?;
    Ok(Effects([wire_effects(R::GEOMETRY, entry.turn.effects()), ending].concat()))
}

/// A move entered so far, however its text goes on (SPEC 4.41).
pub(super) fn turn<R: Notation>(game: &Game<R>, text: Option<&str>) -> payload::Turn {
    let text = text.unwrap_or_default();
    let Ok(turn) = game.partial_move() else { return over(R::GEOMETRY, text) };
    let (Steps(steps), unread) = Steps::read(R::GEOMETRY, text);
    let mut entry = Entry::new(turn.clone(), &steps);
    let mut fault = unread.or(entry.fault);
    if !entry.leads_somewhere() {
        fault = fault.or_else(|| Some(entry.dead_end()));
        let lengths: Vec<usize> = (1..=entry.taken).collect();
        // Where no move begins with some steps, none begins with more of them.
        let live = lengths.partition_point(|length| {
            Entry::new(turn.clone(), &steps[..*length]).leads_somewhere()
        });
        entry = Entry::new(turn, &steps[..live]);
    }
    let entered = Steps(steps[..entry.taken].to_vec()).text(R::GEOMETRY);
    describe(game, &entry, entered, fault)
}

fn describe<R: Notation>(
    game: &Game<R>,
    entry: &Entry<R::PartialMove<'_>>,
    entered: String,
    fault: Option<IllegalMove>,
) -> payload::Turn {
    let next = entry.next();
    let is_first = entry.taken == 0;
    let token = |step: &Step| {
        let (turn, taken) = (entry.turn.clone(), entry.taken);
        let here = Entry { turn, taken, fault: None };
        let after = here.followed_by(&[*step]);
        let token = step.text(R::GEOMETRY);
        NextToken { kind: kind(*step, is_first), token, then: awaited(&after.next(), false) }
    };
    let end = match finish(game, &entry.turn) {
        Ok((mv, effects)) => TurnEnd::Move {
            mv: game.rules().print_move(game.current(), mv),
            effects: Effects(effects),
        },
        Err(illegal) => unfinished(R::GEOMETRY, illegal),
    };
    payload::Turn {
        entered,
        refused: fault.map(|illegal| refusal(R::GEOMETRY, illegal)),
        awaits: awaited(&next, is_first),
        drops: entry.turn.missing_drops().into(),
        next: next.steps.iter().map(token).collect(),
        effects: Effects(wire_effects(R::GEOMETRY, entry.turn.effects())),
        end,
    }
}

/// The answer about a game that is over, where nothing can be entered.
fn over(board: Geometry, text: &str) -> payload::Turn {
    let illegal = IllegalMove::nowhere(Reason::GameOver);
    payload::Turn {
        entered: String::new(),
        refused: (!text.is_empty()).then(|| refusal(board, illegal)),
        awaits: Vec::new(),
        drops: 0,
        next: Vec::new(),
        effects: Effects(Vec::new()),
        end: unfinished(board, illegal),
    }
}

fn refusal(board: Geometry, illegal: IllegalMove) -> TurnRefusal {
    TurnRefusal {
        reason: illegal.reason.code().to_owned(),
        at: square(board, illegal),
        text: explain(board, illegal),
    }
}

fn unfinished(board: Geometry, illegal: IllegalMove) -> TurnEnd {
    TurnEnd::Unfinished { reason: illegal.reason.code().to_owned(), at: square(board, illegal) }
}

const fn kind(step: Step, is_first: bool) -> Awaited {
    match step {
        Step::To(_) if is_first => Awaited::First,
        Step::To(_) => Awaited::Step,
        Step::Drop(_) => Awaited::Drop,
        Step::Remove(_) => Awaited::Remove,
        Step::Pass => Awaited::Pass,
    }
}

/// The kinds of what may follow, each once.
fn awaited(next: &Next, is_first: bool) -> Vec<Awaited> {
    let mut kinds: Vec<Awaited> = next.steps.iter().map(|step| kind(*step, is_first)).collect();
    kinds.extend(next.may_end.then_some(Awaited::End));
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

/// The move that ends here, and what ending it does.
fn finish<R: Notation>(
    game: &Game<R>,
    turn: &R::PartialMove<'_>,
) -> Result<(R::Move, Vec<Effect>), IllegalMove> {
    let mv = turn.finish()?;
    let child = game.rules().after(game.current(), mv);
    let counters = child.counters();
    let fields = [
        ("side", counters.side.number().to_string()),
        ("extra", game.rules().extra(&child)),
        ("quiet", counters.quiet.to_string()),
        ("ply", counters.ply.to_string()),
    ];
    let mut ending = wire_effects(R::GEOMETRY, &turn.end_effects());
    ending.extend(fields.map(|(key, value)| Effect::Other(key.to_owned(), value)));
    Ok((mv, ending))
}

fn wire_effects(board: Geometry, effects: &[MoveEffect]) -> Vec<Effect> {
    let name = |square: Square| board.name(square).to_string();
    let mut wire = Vec::new();
    for effect in effects {
        match *effect {
            MoveEffect::Moved { from, to } => {
                wire.extend([Effect::From(name(from)), Effect::To(name(to))]);
            }
            MoveEffect::Captured(square) => wire.push(Effect::Captured(name(square))),
            MoveEffect::Removed(square) => wire.push(Effect::Removed(name(square))),
            MoveEffect::Flipped(square, piece) => {
                let flipped = "flipped".to_owned();
                wire.push(Effect::Changed(flipped, name(square), piece.to_string()));
            }
            MoveEffect::Dropped(square, piece) => {
                wire.push(Effect::Dropped(name(square), piece.to_string()));
            }
            MoveEffect::Scored(points) => wire.push(Effect::Points(points.into())),
        }
    }
    wire
}
