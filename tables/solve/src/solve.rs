//! The value of a position by two questions: does the side to move win, and does it have at least a draw?

use std::path::PathBuf;
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use leap_core::Position as _;
use leap_games::alquerque::AlquerquePosition;
use leap_tables::certificate::{Head, write_claim, write_head};
use leap_tables::files::{IoError, replace};
use leap_tables::{EndgameTablebase, Men, Wdl};

use crate::error::SolveError;
use crate::leaves::Leaves;
use crate::node::Node;
use crate::proof::Decided;
use crate::search::Search;
use crate::state::State;
use crate::table::{Numbers, Table};

/// What the two questions ask for: at least a draw, and a win.
const GOALS: [Wdl; 2] = [Wdl::Draw, Wdl::Win];
/// The memory of a thread that searches: paths are long.
const STACK: usize = 64 << 20;

/// Solves a position.
#[derive(Debug)]
pub struct Solver<'a> {
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
pub struct Status {
    /// The question, `draw` or `win`: does the side to move have at least a draw, or does it win?
    pub question: &'static str,
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
    Searching(Status),
    /// The nodes were written to disk.
    Saved(Status),
    /// A question is answered.
    Answered(Status, bool),
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

/// The answers so far.
#[derive(Default)]
struct Answers {
    draw: OnceLock<bool>,
    win: OnceLock<bool>,
}

impl Answers {
    /// Whether the answer to the other question answers this one.
    fn make_needless(&self, goal: Wdl) -> bool {
        match goal {
            Wdl::Win => self.draw.get() == Some(&false),
            _ => self.win.get() == Some(&true),
        }
    }
}

impl<'a> Solver<'a> {
    /// Finds the value of the position and writes its certificate. Each question has a thread of its own.
    ///
    /// # Errors
    /// A file cannot be used, a table is damaged, or the memory is too small.
    pub fn solve(&self, tell: &(dyn Fn(Event) + Sync)) -> Result<Solved, SolveError> {
        if self.tables.men() == 0 {
            return Err(SolveError::NoTables);
        }
        let in_directory = IoError::at(&self.directory);
        std::fs::create_dir_all(&self.directory).map_err(&in_directory)?;
        let answers = Answers::default();
        let ended = thread::scope(|scope| {
            let threads = GOALS.map(|goal| {
                let answers = &answers;
                thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, move || self.search(goal, answers, tell))
            });
            threads.map(|thread| match thread.map(thread::ScopedJoinHandle::join) {
                Ok(Ok(ended)) => ended,
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                Err(error) => Err(in_directory(error).into()),
            })
        });
        let mut decided = Vec::new();
        for ended in ended {
            match ended {
                Err(SolveError::Stopped) => {}
                other => decided.push(other?),
            }
        }
        self.certify(decided)
    }

    /// The node of the position, whose mover is the prover.
    fn root(&self) -> Node {
        Node::new(Men::of(&self.position), true)
    }

    /// A file of the position.
    fn path(&self, ending: &str) -> PathBuf {
        let name = format!("alquerque-{}-{:013x}{ending}", self.tables.capture(), self.root().0);
        self.directory.join(name)
    }

    /// Answers a question, or ends with [`SolveError::Stopped`] once the other answer suffices.
    fn search(
        &self,
        goal: Wdl,
        answers: &Answers,
        tell: &(dyn Fn(Event) + Sync),
    ) -> Result<Decided<'a>, SolveError> {
        let root = self.root();
        let (question, answer) =
            if goal == Wdl::Win { ("win", &answers.win) } else { ("draw", &answers.draw) };
        let path = self.path(&format!("-{question}.nodes"));
        let state = State::new(path, self.tables.capture(), goal, root);
        let mut table = Table::new(self.memory / GOALS.len() / Table::PLACE);
        let earlier = state.load(&mut table)?;
        let mut search = Search::new(Leaves::new(self.tables, goal), table);
        let begun = Instant::now();
        let status = |table: &Table, visited: u64, root: Numbers| Status {
            question,
            elapsed: begun.elapsed(),
            visited: earlier + visited,
            visited_now: visited,
            stored: table.len() as u64,
            solved: table.solved(),
            left: (root.reach, root.miss),
        };
        let (mut told, mut saved, mut pause) = (begun, begun, self.save_every);
        let found = search.run(root, &mut |table, visited, root| {
            if answers.make_needless(goal) {
                return Err(SolveError::Stopped);
            }
            if told.elapsed() >= Duration::from_secs(1) {
                told = Instant::now();
                tell(Event::Searching(status(table, visited, root)));
            }
            if saved.elapsed() >= pause {
                let begun = Instant::now();
                state.save(table, earlier + visited)?;
                // Large tables take long to write: at most a twentieth of the time.
                pause = self.save_every.max(20 * begun.elapsed());
                saved = Instant::now();
                tell(Event::Saved(status(table, visited, root)));
            }
            Ok(())
        });
        let Search { leaves, table, visited, root, .. } = search;
        let kept = state.save(&table, earlier + visited);
        let is_reached = found?;
        kept?;
        answer.get_or_init(|| is_reached);
        tell(Event::Answered(status(&table, visited, root), is_reached));
        Ok(Decided { leaves, table, is_reached })
    }

    /// Writes the certificate of what was decided.
    fn certify(&self, mut decided: Vec<Decided<'_>>) -> Result<Solved, SolveError> {
        let answer =
            |goal| decided.iter().find(|one| one.leaves.goal == goal).map(|one| one.is_reached);
        let (value, needed): (_, &[Wdl]) = match (answer(Wdl::Draw), answer(Wdl::Win)) {
            (_, Some(true)) => (Wdl::Win, &[Wdl::Win]),
            (Some(false), _) => (Wdl::Loss, &[Wdl::Draw]),
            _ => (Wdl::Draw, &GOALS),
        };
        decided.retain(|decided| needed.contains(&decided.leaves.goal));
        let claims: Vec<_> = decided
            .into_iter()
            .map(|mut decided| Ok((decided.claim(), decided.records(self.root())?)))
            .collect::<Result<_, SolveError>>()?;
        let head = Head {
            capture: self.tables.capture(),
            men: self.tables.men(),
            position: Men::of(&self.position).position_of(self.position.side()),
            claims: claims.len() as u8,
        };
        let certificate = self.path(".proof");
        replace(&certificate, |file| {
            write_head(file, &head)?;
            claims.iter().try_for_each(|(claim, records)| write_claim(file, *claim, records))
        })?;
        let positions = claims.iter().map(|(_, records)| records.len() as u64).sum();
        Ok(Solved { value, certificate, positions })
    }
}
