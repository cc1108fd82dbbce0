//! Reporting the results, for people and for programs.

pub(super) mod describe;
mod junit;

use std::fmt::{self, Write as _};
use std::path::PathBuf;
use std::time::Duration;

use leap_base::files;
use leap_base::terminal::{self, visible};
use leap_transcript::Transcript;

use super::outcome::ReplayOutcome;
use super::uncompared::Uncompared;
use super::{Format, changes};
use crate::output;

/// How results as JUnit XML begin.
pub(super) const JUNIT_MARK: &str =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"leap replay";

/// The result of one file.
pub(super) struct FileResult {
    pub(super) file: PathBuf,
    /// The original transcript; empty if it could not be read.
    pub(super) source: Transcript,
    /// The outcome, or why the transcript could not be run.
    pub(super) outcome: Result<ReplayOutcome, String>,
    /// What was not compared of a transcript that the engine has repeated.
    pub(super) uncompared: Uncompared,
    pub(super) took: Duration,
}

/// The kind of a result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Equal,
    Updated,
    Mismatch,
    Failed,
}

impl FileResult {
    fn name(&self) -> String {
        self.file.display().to_string()
    }

    /// Writes what has changed in the transcript. If that fails, so does the result.
    pub(super) fn write(&mut self) {
        if let Ok(ReplayOutcome::Updated(updated)) = &self.outcome
            && let Err(error) = files::replace(&self.file, updated.to_string())
        {
            self.outcome = Err(format!("cannot rewrite the transcript: {error}"));
        }
    }

    /// What is about to change in the transcript, as a unified difference.
    fn changes(&self) -> Option<String> {
        match &self.outcome {
            Ok(ReplayOutcome::Updated(updated)) => {
                Some(changes::diff(&self.name(), &self.source, updated))
            }
            _ => None,
        }
    }

    fn class(&self) -> Class {
        match &self.outcome {
            Ok(ReplayOutcome::Equal) => Class::Equal,
            Ok(ReplayOutcome::Updated(_)) => Class::Updated,
            Ok(ReplayOutcome::Mismatch(_)) => Class::Mismatch,
            Err(_) => Class::Failed,
        }
    }

    /// What was not compared, if anything.
    fn remark(&self) -> Option<String> {
        (!self.uncompared.is_empty()).then(|| format!("not compared: {}", self.uncompared))
    }

    /// What went wrong, in one line.
    fn message(&self) -> Option<String> {
        match &self.outcome {
            Ok(ReplayOutcome::Mismatch(mismatch)) => {
                Some(visible(&describe::summary(&self.source, mismatch)))
            }
            Ok(_) => None,
            Err(error) => Some(visible(&error.replace('\n', " "))),
        }
    }

    /// What went wrong, with the preceding lines and the difference.
    fn details(&self) -> Vec<String> {
        match &self.outcome {
            Ok(ReplayOutcome::Mismatch(mismatch)) => {
                let lines = describe::details(&self.source, mismatch);
                lines.iter().map(|line| visible(line)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Prints results as they arrive, and a summary at the end.
pub(super) struct Reporter {
    format: Format,
    /// The number of files.
    total: usize,
    classes: Vec<Class>,
    uncompared: Uncompared,
    junit: junit::Junit,
    /// Where the results go as JUnit XML too.
    junit_path: Option<PathBuf>,
}

impl Reporter {
    pub(super) fn new(format: Format, junit_path: Option<PathBuf>, total: usize) -> Self {
        // XML on standard output takes the place of everything else.
        let is_shown = junit_path.as_deref().is_some_and(output::is_stdout);
        Self {
            format: if is_shown { Format::Junit } else { format },
            total,
            classes: Vec::new(),
            uncompared: Uncompared::default(),
            junit: junit::Junit::default(),
            junit_path: junit_path.filter(|_| !is_shown),
        }
    }

    /// Shows what the next file's update will change; in a format for programs, on standard error.
    pub(super) fn changes(&self, result: &FileResult) -> anyhow::Result<()> {
        match (result.changes(), self.format) {
            (None, _) => {}
            (Some(changes), Format::Human) => drop(terminal::show(changes)?),
            (Some(changes), Format::Tap | Format::Junit) => terminal::warn(changes.trim_end()),
        }
        Ok(())
    }

    /// Takes the result of the next file.
    pub(super) fn add(&mut self, verdict: FileResult) -> anyhow::Result<()> {
        let mut text = String::new();
        match self.format {
            Format::Human => human(&mut text, &verdict)?,
            Format::Tap => {
                if self.classes.is_empty() {
                    writeln!(text, "TAP version 14\n1..{}", self.total)?;
                }
                tap(&mut text, self.classes.len() + 1, &verdict)?;
            }
            Format::Junit => {}
        }
        self.junit.add(&verdict);
        self.uncompared.add(&verdict.uncompared);
        self.classes.push(verdict.class());
        terminal::show(text)?;
        Ok(())
    }

    /// Prints the summary and returns the exit status.
    pub(super) fn finish(self) -> anyhow::Result<u8> {
        let xml = self.junit.print()?;
        let count = |class| self.classes.iter().filter(|found| **found == class).count();
        match self.format {
            Format::Human => {
                let words = [
                    (Class::Equal, "equal"),
                    (Class::Updated, "updated"),
                    (Class::Mismatch, "different"),
                    (Class::Failed, "not run"),
                ];
                let words = words.map(|(class, word)| (count(class), word));
                let words = words.iter().filter(|(count, _)| *count > 0);
                let words: Vec<_> = words.map(|(count, word)| format!("{count} {word}")).collect();
                let plural = if self.total == 1 { "" } else { "s" };
                let words = words.join(", ");
                let mut text = format!("{} transcript{plural}: {words}\n", self.total);
                if !self.uncompared.is_empty() {
                    writeln!(text, "not compared: {}", self.uncompared)?;
                }
                terminal::show(text)?;
            }
            Format::Tap => {}
            Format::Junit => drop(terminal::write_data(&xml)?),
        }
        if let Some(path) = &self.junit_path {
            output::write(path, &xml, JUNIT_MARK)?;
        }
        Ok(match (count(Class::Failed), count(Class::Mismatch)) {
            (0, 0) => 0,
            (0, _) => 1,
            _ => 2,
        })
    }
}

fn human(out: &mut String, verdict: &FileResult) -> fmt::Result {
    let word = match verdict.class() {
        Class::Equal => "equal",
        Class::Updated => "updated",
        Class::Mismatch => "different",
        Class::Failed => "not run",
    };
    write!(out, "{word:<10}{}", verdict.name())?;
    if let Some(message) = verdict.message() {
        write!(out, ": {message}")?;
    }
    writeln!(out)?;
    verdict.details().iter().try_for_each(|line| writeln!(out, "    {line}"))
}

fn tap(out: &mut String, number: usize, verdict: &FileResult) -> anyhow::Result<()> {
    let name = verdict.name().replace('\\', "\\\\").replace('#', "\\#");
    let Some(message) = verdict.message() else {
        writeln!(out, "ok {number} - {name}")?;
        if verdict.class() == Class::Updated {
            writeln!(out, "# updated {name}")?;
        }
        return Ok(verdict.remark().map_or(Ok(()), |remark| writeln!(out, "# {remark}"))?);
    };
    let severity = if verdict.class() == Class::Failed { "error" } else { "fail" };
    // A JSON string is also a YAML string.
    let message = serde_json::to_string(&message)?;
    writeln!(out, "not ok {number} - {name}\n  ---\n  message: {message}\n  severity: {severity}")?;
    let details = verdict.details();
    if !details.is_empty() {
        writeln!(out, "  details: |2")?;
        details.iter().try_for_each(|line| writeln!(out, "    {line}"))?;
    }
    Ok(writeln!(out, "  ...")?)
}
