//! Answers about a move that is being entered: what it does so far, and what may follow (SPEC 4.24 to 4.28, 4.41).

use leap_protocol::ErrorReply;
use leap_protocol::payload::{
    self, Awaited, Effect, Effects, NextToken, Tokens, TurnEnd, TurnRefusal,
};

use super::refusal::{explain, illegal_move, square};
use leap_core::notation::{Illegal, MoveEffect, Next, Notation, Reason, Step, Steps, Turn};
use leap_core::record::Record;
use leap_core::{Board, Position, Square};

/// A turn into which steps have been entered, until one was refused.
struct Entry<T> {
    turn: T,
    /// How many steps were taken.
    taken: usize,
    /// What the steps taken do.
    effects: Vec<MoveEffect>,
    /// Why the next step was refused.
    fault: Option<Illegal>,
}

impl<T: Turn> Entry<T> {
    fn new(mut turn: T, steps: &[Step]) -> Self {
        let mut effects = Vec::new();
        for (taken, step) in steps.iter().enumerate() {
            if let Err(illegal) = turn.take(*step, &mut effects) {
                return Self { turn, taken, effects, fault: Some(illegal) };
            }
        }
        Self { turn, taken: steps.len(), effects, fault: None }
    }

    /// The entry of all steps.
    fn whole(self) -> Result<Self, Illegal> {
        self.fault.map_or(Ok(self), Err)
    }

    /// Whether a legal move begins with the steps taken.
    fn leads_somewhere(&self) -> bool {
        let Next { steps, may_end } = self.turn.next();
        may_end || !steps.is_empty()
    }
}

/// Begins a turn of the current position.
fn begin<'a, G: Notation>(
    record: &'a Record<G>,
    banned: &'a dyn Fn(&G::Position) -> bool,
) -> Result<G::Turn<'a>, Illegal> {
    if record.outcome().is_some() {
        return Err(Illegal::nowhere(Reason::GameOver));
    }
    Ok(record.game().turn(record.current(), banned))
}

/// Enters a text, of which every step must be taken. An empty text has no steps.
fn enter<'a, G: Notation>(
    record: &'a Record<G>,
    banned: &'a dyn Fn(&G::Position) -> bool,
    text: &str,
) -> Result<Entry<G::Turn<'a>>, Illegal> {
    let turn = begin(record, banned)?;
    let steps = if text.is_empty() { Steps::default() } else { Steps::parse(G::BOARD, text)? };
    Entry::new(turn, &steps.0).whole()
}

/// The tokens that may follow a partial move (SPEC 4.24).
pub(super) fn next<G: Notation>(
    record: &Record<G>,
    partial: Option<&str>,
) -> Result<Tokens, ErrorReply> {
    let partial = partial.unwrap_or_default();
    if partial.is_empty() && record.outcome().is_some() {
        return Ok(Tokens(Vec::new()));
    }
    let refuse = |illegal| illegal_move(G::BOARD, 1, partial, illegal);
    let banned = |position: &G::Position| record.banned(position);
    let entry = enter(record, &banned, partial).map_err(refuse)?;
    let Next { steps, may_end } = entry.turn.next();
    if steps.is_empty() && !may_end {
        return Err(refuse(entry.turn.dead_end()));
    }
    let mut tokens: Vec<String> = steps.iter().map(|step| step.text(G::BOARD)).collect();
    if may_end {
        tokens.push(Tokens::END.to_owned());
    }
    Ok(Tokens(tokens))
}

/// What a move does, in order, then the fields of the position text that follow the board (SPEC 4.28).
pub(super) fn effects<G: Notation>(record: &Record<G>, text: &str) -> Result<Effects, ErrorReply> {
    let refuse = |illegal| illegal_move(G::BOARD, 1, text, illegal);
    let banned = |position: &G::Position| record.banned(position);
    let entry = enter(record, &banned, text).map_err(refuse)?;
    let (_, ending) = finish(record, &entry.turn).map_err(refuse)?;
    Ok(Effects([wire_effects(G::BOARD, &entry.effects), ending].concat()))
}

/// A move entered so far, however its text goes on (SPEC 4.41).
pub(super) fn turn<G: Notation>(record: &Record<G>, text: Option<&str>) -> payload::Turn {
    let text = text.unwrap_or_default();
    let banned = |position: &G::Position| record.banned(position);
    let Ok(turn) = begin(record, &banned) else { return over(G::BOARD, text) };
    let (Steps(steps), unread) = Steps::read(G::BOARD, text);
    let mut entry = Entry::new(turn.clone(), &steps);
    let mut fault = unread.or(entry.fault);
    if !entry.leads_somewhere() {
        fault = fault.or_else(|| Some(entry.turn.dead_end()));
        let lengths: Vec<usize> = (1..=entry.taken).collect();
        // Where no move begins with some steps, none begins with more of them.
        let live = lengths.partition_point(|length| {
            Entry::new(turn.clone(), &steps[..*length]).leads_somewhere()
        });
        entry = Entry::new(turn, &steps[..live]);
    }
    let entered = Steps(steps[..entry.taken].to_vec()).display(G::BOARD).to_string();
    describe(record, &entry, entered, fault)
}

fn describe<G: Notation>(
    record: &Record<G>,
    entry: &Entry<G::Turn<'_>>,
    entered: String,
    fault: Option<Illegal>,
) -> payload::Turn {
    let next = entry.turn.next();
    let is_first = entry.taken == 0;
    let token = |step: &Step| {
        let after = Entry::new(entry.turn.clone(), &[*step]);
        let token = step.text(G::BOARD);
        NextToken { kind: kind(*step, is_first), token, then: awaited(&after.turn.next(), false) }
    };
    let end = match finish(record, &entry.turn) {
        Ok((mv, effects)) => TurnEnd::Move {
            mv: record.game().move_text(record.current(), mv),
            effects: Effects(effects),
        },
        Err(illegal) => unfinished(G::BOARD, illegal),
    };
    payload::Turn {
        entered,
        refused: fault.map(|illegal| refusal(G::BOARD, illegal)),
        awaits: awaited(&next, is_first),
        drops: entry.turn.missing_drops().into(),
        next: next.steps.iter().map(token).collect(),
        effects: Effects(wire_effects(G::BOARD, &entry.effects)),
        end,
    }
}

/// The answer about a game that is over, where nothing can be entered.
fn over(board: Board, text: &str) -> payload::Turn {
    let illegal = Illegal::nowhere(Reason::GameOver);
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

fn refusal(board: Board, illegal: Illegal) -> TurnRefusal {
    TurnRefusal {
        reason: illegal.reason.code().to_owned(),
        at: square(board, illegal),
        text: explain(board, illegal),
    }
}

fn unfinished(board: Board, illegal: Illegal) -> TurnEnd {
    TurnEnd::Unfinished { reason: illegal.reason.code().to_owned(), at: square(board, illegal) }
}

const fn kind(step: Step, is_first: bool) -> Awaited {
    match step {
        Step::To(_) if is_first => Awaited::First,
        Step::To(_) => Awaited::Step,
        Step::Drop(_) => Awaited::Drop,
        Step::Remove(_) => Awaited::Remove,
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
fn finish<G: Notation>(
    record: &Record<G>,
    turn: &G::Turn<'_>,
) -> Result<(G::Move, Vec<Effect>), Illegal> {
    let mut effects = Vec::new();
    let mv = turn.finish(&mut effects)?;
    let child = record.game().after(record.current(), mv);
    let counters = child.counters();
    let fields = [
        ("side", counters.side.number().to_string()),
        ("extra", record.game().extra(&child)),
        ("quiet", counters.quiet.to_string()),
        ("ply", counters.ply.to_string()),
    ];
    let mut ending = wire_effects(G::BOARD, &effects);
    ending.extend(fields.map(|(key, value)| Effect::Other(key.to_owned(), value)));
    Ok((mv, ending))
}

fn wire_effects(board: Board, effects: &[MoveEffect]) -> Vec<Effect> {
    let name = |square: Square| board.name(square).to_string();
    let mut wire = Vec::new();
    for effect in effects {
        match *effect {
            MoveEffect::Moved { from, to } => {
                wire.extend([Effect::From(name(from)), Effect::To(name(to))]);
            }
            MoveEffect::Captured(square) => wire.push(Effect::Captured(name(square))),
            MoveEffect::Removed(square) => wire.push(Effect::Removed(name(square))),
            MoveEffect::Flipped(square, glyph) => {
                let flipped = "flipped".to_owned();
                wire.push(Effect::Changed(flipped, name(square), glyph.to_string()));
            }
            MoveEffect::Dropped(square, glyph) => {
                wire.push(Effect::Dropped(name(square), glyph.to_string()));
            }
            MoveEffect::Scored(points) => wire.push(Effect::Points(points.into())),
        }
    }
    wire
}
