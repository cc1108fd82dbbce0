//! The value of a position by two questions: does the side to move win, and does it have at least a draw?

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use leap_core::Position as _;
use leap_games::alquerque::AlquerquePosition;
use leap_tables::certificate::{Head, write_claim, write_head};
use leap_tables::files::replace;
use leap_tables::{EndgameTablebase, Men, Wdl};
use thiserror::Error;

use crate::leaves::{Goal, Leaves, Stop};
use crate::node::Node;
use crate::proof::Decided;
use crate::search::{Search, Status};
use crate::state::State;
use crate::table::Table;

/// The memory of a thread that searches: paths are long.
const STACK: usize = 64 << 20;

/// Why a position is not solved.
#[derive(Debug, Error)]
pub enum SolveError {
    /// A file cannot be written or read.
    #[error("cannot use {path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file of earlier work does not fit.
    #[error("{path} {reason}")]
    State {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A table has no value for a position.
    #[error("the table of {own} against {enemy} men is damaged: make it again")]
    Table {
        /// The men of the side to move.
        own: u32,
        /// The men of the other side.
        enemy: u32,
    },
    /// There are no tables.
    #[error("there are no tables")]
    NoTables,
    /// The memory is too small.
    #[error("the solved positions fill the memory: allow more, or make tables of more men")]
    Memory,
    /// Paths without a capture are too long.
    #[error("the search cannot go on: its paths without a capture are too long")]
    Long,
    /// The answer is not needed any more.
    #[error("the search was stopped")]
    Stopped,
    /// A position of the proof is missing.
    #[error("the proof has a hole: this is a bug")]
    Hole,
}

/// A question about the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Does it have at least a draw?
    Draw,
    /// Does it win?
    Win,
}

impl Question {
    /// Both questions.
    pub const ALL: [Self; 2] = [Self::Draw, Self::Win];

    const fn goal(self) -> Goal {
        match self {
            Self::Draw => Goal::Draw,
            Self::Win => Goal::Win,
        }
    }

    /// The word of the question in names of files and in lines.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Draw => "draw",
            Self::Win => "win",
        }
    }
}

/// What is solved, and where the files go.
#[derive(Debug)]
pub struct Wanted<'a> {
    /// The tables. They fix the rule.
    pub tables: &'a EndgameTablebase,
    /// The position. Its counters play no part.
    pub position: AlquerquePosition,
    /// Where unfinished work and the certificate go.
    pub directory: PathBuf,
    /// The bytes that both searches may use together, without the tables.
    pub memory: usize,
    /// How often unfinished work is written to disk.
    pub save_every: Duration,
}

/// How far the search for an answer is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The question.
    pub question: Question,
    /// The time since the search began or went on.
    pub elapsed: Duration,
    /// The nodes that were visited, also in earlier runs.
    pub visited: u64,
    /// The nodes that were visited in this run.
    pub visited_now: u64,
    /// The nodes in memory.
    pub stored: u64,
    /// The nodes that are solved.
    pub solved: u64,
    /// The work that is left for yes and for no.
    pub left: (u32, u32),
}

/// What a solver tells while it works.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// A search goes on. Told once a second.
    Searching(Progress),
    /// The nodes were written to disk.
    Saved(Progress),
    /// A question is answered.
    Answered(Progress, bool),
}

/// A value and its certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The value for the side to move.
    pub value: Wdl,
    /// The file of the certificate.
    pub certificate: PathBuf,
    /// The positions of the proof.
    pub positions: u64,
}

/// Finds the value of a position and writes its certificate. Each question has a thread of its own.
///
/// # Errors
/// A file cannot be used, a table is damaged, or the memory is too small.
pub fn solve(wanted: &Wanted<'_>, tell: &(dyn Fn(Event) + Sync)) -> Result<Solved, SolveError> {
    if wanted.tables.men() == 0 {
        return Err(SolveError::NoTables);
    }
    std::fs::create_dir_all(&wanted.directory)
        .map_err(|error| SolveError::Io { path: wanted.directory.clone(), error })?;
    let answers = Answers::default();
    let ended = thread::scope(|scope| {
        let threads = Question::ALL.map(|question| {
            let answers = &answers;
            thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, move || search(wanted, question, answers, tell))
        });
        threads.map(|thread| match thread.map(thread::ScopedJoinHandle::join) {
            Ok(Ok(ended)) => ended,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => Err(SolveError::Io { path: wanted.directory.clone(), error }),
        })
    });
    let mut decided = Vec::new();
    for ended in ended {
        match ended {
            Err(SolveError::Stopped) => {}
            other => decided.push(other?),
        }
    }
    certify(wanted, decided)
}

/// The answers so far: 0 unknown, 1 no, 2 yes. The question for a draw comes first.
#[derive(Default)]
struct Answers([AtomicU8; 2]);

impl Answers {
    fn set(&self, question: Question, is_yes: bool) {
        self.0[question as usize].store(1 + u8::from(is_yes), Relaxed);
    }

    /// Whether the answer to the other question answers this one.
    fn make_needless(&self, question: Question) -> bool {
        match question {
            Question::Draw => self.0[1].load(Relaxed) == 2,
            Question::Win => self.0[0].load(Relaxed) == 1,
        }
    }
}

/// A question that is answered, with the nodes of its search.
struct Ended<'a> {
    question: Question,
    decided: Decided<'a>,
}

/// The node of the position, whose mover is the prover.
fn root(wanted: &Wanted<'_>) -> Node {
    Node::new(Men::of(&wanted.position), true)
}

/// The name of the files of a position.
fn stem(wanted: &Wanted<'_>) -> String {
    format!("alquerque-{}-{:013x}", wanted.tables.capture(), root(wanted).0)
}

fn path_in(directory: &Path, stem: &str, ending: &str) -> PathBuf {
    directory.join(format!("{stem}{ending}"))
}

/// Answers a question, or ends with [`SolveError::Stopped`] once the other answer suffices.
fn search<'a>(
    wanted: &Wanted<'a>,
    question: Question,
    answers: &Answers,
    tell: &(dyn Fn(Event) + Sync),
) -> Result<Ended<'a>, SolveError> {
    let root = root(wanted);
    let path = path_in(&wanted.directory, &stem(wanted), &format!("-{}.nodes", question.word()));
    let state = State::new(path, wanted.tables.capture(), question.goal(), root);
    let mut table = Table::new(wanted.memory / Question::ALL.len() / Table::PLACE);
    let earlier = state.load(&mut table)?;
    let mut search = Search::new(Leaves::new(wanted.tables, question.goal()), table);
    let begun = Instant::now();
    let progress = |table: &Table, status: Status| Progress {
        question,
        elapsed: begun.elapsed(),
        visited: earlier + status.visited,
        visited_now: status.visited,
        stored: table.len() as u64,
        solved: table.solved(),
        left: (status.root.reach, status.root.miss),
    };
    let (mut told, mut saved, mut pause) = (begun, begun, wanted.save_every);
    let mut failed = None;
    let answer = search.run(root, &mut |table, status| {
        if answers.make_needless(question) {
            return ControlFlow::Break(());
        }
        if told.elapsed() >= Duration::from_secs(1) {
            told = Instant::now();
            tell(Event::Searching(progress(table, status)));
        }
        if saved.elapsed() >= pause {
            let begun = Instant::now();
            if let Err(error) = state.save(table, earlier + status.visited) {
                failed = Some(error);
                return ControlFlow::Break(());
            }
            // Large tables take long to write: at most a twentieth of the time.
            pause = wanted.save_every.max(20 * begun.elapsed());
            saved = Instant::now();
            tell(Event::Saved(progress(table, status)));
        }
        ControlFlow::Continue(())
    });
    if let Some(error) = failed {
        return Err(error);
    }
    let kept = state.save(&search.table, earlier + search.status.visited);
    let is_yes = answer.map_err(SolveError::from)?;
    kept?;
    answers.set(question, is_yes);
    tell(Event::Answered(progress(&search.table, search.status), is_yes));
    let Search { leaves, table, .. } = search;
    Ok(Ended { question, decided: Decided { leaves, table, is_reached: is_yes } })
}

/// Writes the certificate of what was decided.
fn certify(wanted: &Wanted<'_>, mut ended: Vec<Ended<'_>>) -> Result<Solved, SolveError> {
    let answer = |question| {
        ended.iter().find(|ended| ended.question == question).map(|ended| ended.decided.is_reached)
    };
    let (value, needed): (_, &[Question]) = match (answer(Question::Draw), answer(Question::Win)) {
        (_, Some(true)) => (Wdl::Win, &[Question::Win]),
        (Some(false), _) => (Wdl::Loss, &[Question::Draw]),
        _ => (Wdl::Draw, &Question::ALL),
    };
    ended.retain(|ended| needed.contains(&ended.question));
    let claims: Vec<_> = ended
        .into_iter()
        .map(|Ended { mut decided, .. }| Ok((decided.claim(), decided.records(root(wanted))?)))
        .collect::<Result<_, SolveError>>()?;
    let head = Head {
        capture: wanted.tables.capture(),
        men: wanted.tables.men(),
        position: Men::of(&wanted.position).position_of(wanted.position.side()),
        claims: claims.len() as u8,
    };
    let path = path_in(&wanted.directory, &stem(wanted), ".proof");
    let written = replace(&path, |file| {
        write_head(file, &head)?;
        claims.iter().try_for_each(|(claim, records)| write_claim(file, *claim, records))
    });
    written.map_err(|error| SolveError::Io { path: path.clone(), error })?;
    let positions = claims.iter().map(|(_, records)| records.len() as u64).sum();
    Ok(Solved { value, certificate: path, positions })
}

impl From<Stop> for SolveError {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Called => Self::Stopped,
            Stop::Full => Self::Memory,
            Stop::Probe(men) => {
                Self::Table { own: men.own.count_ones(), enemy: men.enemy.count_ones() }
            }
            Stop::Long => Self::Long,
        }
    }
}
