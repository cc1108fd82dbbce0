//! The shared directory. Every decision in it is a file that is created once: whoever creates it first decides.
//!
//! | file | contents |
//! |---|---|
//! | `lease.json` | what is played: the hash of the plan, the size of a batch |
//! | `runners/R` | the heartbeat of a runner |
//! | `claims/B.A` | the runner that plays attempt A at batch B |
//! | `batches/B.A/` | the events of that attempt |
//! | `done/B` | the attempt at batch B that counts, and its results |
//! | `end.json` | the last batch that counts, and why |
//!
//! A file is written under another name and then linked. A link is atomic on NFS too, where a rename can replace what
//! another machine has just written. The answer to a link can get lost there. So the file is read afterwards, and its
//! content says who was first.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use leap_base::files::{self, Existing};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::claims::Claim;
use super::ledger::Games;
use crate::events::{StopReason, store};

/// What is played, on which all runners must agree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Terms {
    /// The hash of the plan.
    pub(super) plan: String,
    /// Pairs of games in a batch.
    pub(super) batch: u64,
    /// The speed that times are scaled to, in nodes per second.
    pub(super) scale_nps: Option<u64>,
}

/// A finished batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Done {
    pub(super) attempt: u32,
    pub(super) games: Games,
}

/// The end of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct End {
    pub(crate) why: StopReason,
    /// The batches that count: those with numbers from 1 to this one.
    pub(super) batches: u64,
}

/// The longest file that is accepted.
const MAX_BYTES: u64 = 64 << 20;

/// A shared directory.
#[derive(Clone, Debug)]
pub(crate) struct SharedDirectory(PathBuf);

impl SharedDirectory {
    /// The directory, if it is shared by runners.
    pub(crate) fn find(dir: &Path) -> Option<Self> {
        let directory = Self(dir.to_owned());
        directory.terms_file().exists().then_some(directory)
    }

    /// Begins a match in the directory, or joins the one that is there. Without a size of batches it is the one found,
    /// or else the default.
    pub(super) fn join(
        dir: &Path,
        plan: &str,
        batch: (Option<u64>, u64),
        scale_nps: Option<u64>,
    ) -> anyhow::Result<(Self, Terms)> {
        let directory = Self(dir.to_owned());
        let (asked, default) = batch;
        if !directory.terms_file().exists() {
            let is_free = store::is_vacant(dir).is_ok();
            ensure!(
                is_free,
                "{}: expected a shared directory or none, found a match",
                dir.display()
            );
        }
        for name in [RUNNERS, CLAIMS, BATCHES, DONE] {
            let path = dir.join(name);
            fs::create_dir_all(&path)
                .with_context(|| format!("cannot create {}", path.display()))?;
        }
        let mine = Terms { plan: plan.to_owned(), batch: asked.unwrap_or(default), scale_nps };
        let terms = first(&directory.terms_file(), &mine)?;
        let expected = Terms { batch: asked.unwrap_or(terms.batch), ..mine };
        if let Some((what, expected, found)) = difference(&expected, &terms) {
            bail!(
                "{}: expected {what} {expected}, found {found}",
                directory.terms_file().display()
            );
        }
        Ok((directory, terms))
    }

    pub(super) fn runners(&self) -> PathBuf {
        self.0.join(RUNNERS)
    }

    fn terms_file(&self) -> PathBuf {
        self.0.join("lease.json")
    }

    /// The directory of an attempt at a batch.
    pub(super) fn attempt(&self, batch: u64, attempt: u32) -> PathBuf {
        self.0.join(BATCHES).join(format!("{batch}.{attempt}"))
    }

    /// Claims an attempt at a batch; returns whose claim it is.
    pub(super) fn claim(&self, batch: u64, claim: &Claim) -> anyhow::Result<Claim> {
        let path = self.0.join(CLAIMS).join(format!("{batch}.{}", claim.attempt));
        let runner = first(&path, &claim.runner)?;
        Ok(Claim { runner, ..*claim })
    }

    /// The claims of batches for which there is a newer attempt than the known one.
    pub(super) fn claims(
        &self,
        known: impl Fn(u64) -> Option<u32>,
    ) -> anyhow::Result<Vec<(u64, Claim)>> {
        let dir = self.0.join(CLAIMS);
        let mut claims = Vec::new();
        for name in names(&dir)? {
            let Some((batch, attempt)) = name.split_once('.') else { continue };
            let (Ok(batch), Ok(attempt)) = (batch.parse(), attempt.parse()) else { continue };
            if known(batch).is_some_and(|newest| newest < attempt) {
                claims.push((batch, Claim { attempt, runner: read(&dir.join(name))? }));
            }
        }
        Ok(claims)
    }

    /// Records that an attempt has finished its batch; returns the attempt that counts.
    pub(super) fn finish(&self, batch: u64, done: &Done) -> anyhow::Result<Done> {
        first(&self.0.join(DONE).join(batch.to_string()), done)
    }

    /// The numbers of the finished batches, in order.
    pub(super) fn finished(&self) -> anyhow::Result<Vec<u64>> {
        let names = names(&self.0.join(DONE))?;
        let mut batches: Vec<u64> = names.iter().filter_map(|name| name.parse().ok()).collect();
        batches.sort_unstable();
        Ok(batches)
    }

    /// A finished batch.
    pub(super) fn done(&self, batch: u64) -> anyhow::Result<Done> {
        read(&self.0.join(DONE).join(batch.to_string()))
    }

    /// Records the end of the match.
    ///
    /// # Errors
    /// If another runner has come to another end.
    pub(super) fn end_with(&self, end: End) -> anyhow::Result<()> {
        let path = self.0.join(END);
        let found = first(&path, &end)?;
        ensure!(found == end, "{}: expected {end:?}, found {found:?}", path.display());
        Ok(())
    }

    /// The end of the match, if it has come.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn end(&self) -> anyhow::Result<Option<End>> {
        let path = self.0.join(END);
        path.exists().then(|| read(&path)).transpose()
    }

    /// The batches that count, in order: up to the end of the match, or to the first gap. Each has its directory and
    /// the games that it was counted with.
    ///
    /// # Errors
    /// If the directory cannot be read, or a batch is missing.
    pub(crate) fn counted(&self) -> anyhow::Result<Vec<(PathBuf, Games)>> {
        let finished = self.finished()?;
        let end = self.end()?.map(|end| end.batches);
        let whole = (1..).zip(&finished).take_while(|(due, found)| due == *found).count() as u64;
        ensure!(
            end.is_none_or(|last| last <= whole),
            "{}: expected all batches up to {}, found no {}",
            self.0.join(DONE).display(),
            end.unwrap_or(0),
            whole + 1
        );
        let counted = 1..=end.unwrap_or(whole);
        let batch = |batch| {
            let Done { attempt, games } = self.done(batch)?;
            Ok((self.attempt(batch, attempt), games))
        };
        counted.map(batch).collect()
    }
}

const RUNNERS: &str = "runners";
const CLAIMS: &str = "claims";
const BATCHES: &str = "batches";
const DONE: &str = "done";
const END: &str = "end.json";

/// The first difference between terms: what differs, as expected and as found.
fn difference(expected: &Terms, found: &Terms) -> Option<(&'static str, String, String)> {
    let speed =
        |nps: Option<u64>| nps.map_or_else(|| "no --scale-nps".to_owned(), |n| n.to_string());
    let rows = [
        ("the plan", expected.plan.clone(), found.plan.clone()),
        ("--batch", expected.batch.to_string(), found.batch.to_string()),
        ("--scale-nps", speed(expected.scale_nps), speed(found.scale_nps)),
    ];
    rows.into_iter().find(|(_, expected, found)| expected != found)
}

/// Creates a file with this content, unless it is there. Returns what it has then.
fn first<T: Serialize + DeserializeOwned>(path: &Path, content: &T) -> anyhow::Result<T> {
    let mut text = serde_json::to_vec(content)?;
    text.push(b'\n');
    let done = files::write(path, Existing::Refuse, |file| file.write_all(&text));
    match done {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(error).with_context(|| format!("cannot write {}", path.display()))
        }
        _ => read(path),
    }
}

fn read<T: DeserializeOwned>(path: &Path) -> anyhow::Result<T> {
    let cannot = || format!("cannot read {}", path.display());
    let text = files::read(path, MAX_BYTES).with_context(cannot)?;
    serde_json::from_slice(&text).with_context(cannot)
}

/// The names in a directory.
fn names(dir: &Path) -> anyhow::Result<Vec<String>> {
    let entries = fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))?;
    let name = |entry: std::io::Result<fs::DirEntry>| entry.ok()?.file_name().into_string().ok();
    Ok(entries.filter_map(name).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_that_claim_an_attempt_one_has_it() {
        let dir = tempfile::tempdir().unwrap();
        let (directory, _) = SharedDirectory::join(dir.path(), "plan", (None, 4), None).unwrap();
        let claim = |runner: usize| {
            let mine = Claim { attempt: 1, runner: runner.to_string() };
            let found = directory.claim(7, &mine).unwrap();
            (found == mine, found.runner)
        };
        let found: Vec<(bool, String)> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|runner| scope.spawn(move || claim(runner))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(found.iter().filter(|(is_mine, _)| *is_mine).count(), 1, "{found:?}");
        assert!(found.iter().all(|(_, owner)| *owner == found[0].1), "{found:?}");
        let claims = directory.claims(|_| Some(0)).unwrap();
        assert_eq!(claims, [(7, Claim { attempt: 1, runner: found[0].1.clone() })]);
        assert!(directory.claims(|_| Some(1)).unwrap().is_empty());
        assert!(directory.claims(|_| None).unwrap().is_empty());
    }

    #[test]
    fn the_first_result_of_a_batch_counts() {
        let dir = tempfile::tempdir().unwrap();
        let (directory, _) = SharedDirectory::join(dir.path(), "plan", (None, 4), None).unwrap();
        let done = |attempt| Done { attempt, games: Games::new() };
        assert_eq!(directory.finish(1, &done(2)).unwrap(), done(2));
        assert_eq!(directory.finish(1, &done(1)).unwrap(), done(2));
        directory.finish(3, &done(1)).unwrap();
        assert_eq!(directory.finished().unwrap(), [1, 3]);
        let counted = [(directory.attempt(1, 2), Games::new())];
        assert_eq!(directory.counted().unwrap(), counted, "batch 2 is missing");
        directory.end_with(End { why: StopReason::Sprt, batches: 3 }).unwrap();
        let message = directory.counted().unwrap_err().to_string();
        assert!(message.ends_with("expected all batches up to 3, found no 2"), "{message}");
        assert!(directory.end_with(End { why: StopReason::Sprt, batches: 2 }).is_err());
    }

    #[test]
    fn who_joins_must_play_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let join = |plan, batch, nps| SharedDirectory::join(dir.path(), plan, (batch, 4), nps);
        join("a", Some(6), None).unwrap();
        assert_eq!(join("a", None, None).unwrap().1.batch, 6);
        for (result, expected) in [
            (join("b", None, None), "expected the plan b, found a"),
            (join("a", Some(4), None), "expected --batch 4, found 6"),
            (join("a", None, Some(9)), "expected --scale-nps 9, found no --scale-nps"),
        ] {
            let message = result.unwrap_err().to_string();
            assert!(message.ends_with(expected), "{message}");
        }
    }
}
