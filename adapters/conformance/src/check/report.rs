//! The results of the steps, for people and for programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use comfy_table::{CellAlignment, Table, presets};
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use serde::Serialize;

use super::step::Level;

/// The outcome of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub(super) enum StepStatus {
    Passed,
    Failed { expected: String, got: String },
    Skipped(#[serde(skip)] String),
}

/// A step that was run or skipped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct StepReport {
    pub(super) level: Level,
    pub(super) clause: String,
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) game: Option<String>,
    #[serde(flatten)]
    pub(super) verdict: StepStatus,
    pub(super) millis: u64,
    /// Lines sent to the engine (`> `) and received from it (`< `).
    pub(super) dialogue: Vec<String>,
}

/// Lines of the dialogue shown with a failure.
const SHOWN: usize = 14;

impl StepReport {
    /// `<level> <clause> <name> [<game>]`.
    pub(super) fn title(&self) -> String {
        let game = self.game.as_ref().map(|game| format!(" [{game}]")).unwrap_or_default();
        format!("{} {} {}{game}", self.level, self.clause, self.name)
    }

    pub(super) fn failed(&self) -> bool {
        matches!(self.verdict, StepStatus::Failed { .. })
    }

    /// One line or, for a failure, a paragraph.
    pub(super) fn text(&self) -> String {
        match &self.verdict {
            StepStatus::Passed => format!("ok    {} ({} ms)\n", self.title(), self.millis),
            StepStatus::Skipped(why) => format!("skip  {}: {why}\n", self.title()),
            StepStatus::Failed { expected, got } => format!(
                "FAIL  {}\n      expected {expected}\n      got      {got}\n{}",
                self.title(),
                self.dialogue_text("      ")
            ),
        }
    }

    /// The end of the dialogue, indented.
    fn dialogue_text(&self, indent: &str) -> String {
        let left_out = self.dialogue.len().saturating_sub(SHOWN);
        let mut text = String::new();
        if left_out > 0 {
            let _ = writeln!(text, "{indent}  ({left_out} lines before)");
        }
        for line in &self.dialogue[left_out..] {
            let _ = writeln!(text, "{indent}  {line}");
        }
        text
    }
}

/// The number of steps with each outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Counts {
    pub(super) passed: usize,
    pub(super) failed: usize,
    pub(super) skipped: usize,
}

impl Counts {
    pub(super) fn of<'r>(reports: impl IntoIterator<Item = &'r StepReport>) -> Self {
        let mut counts = Self::default();
        for report in reports {
            match report.verdict {
                StepStatus::Passed => counts.passed += 1,
                StepStatus::Failed { .. } => counts.failed += 1,
                StepStatus::Skipped(_) => counts.skipped += 1,
            }
        }
        counts
    }
}

/// A table of outcomes by level.
pub(super) fn table(reports: &[StepReport]) -> String {
    let mut levels: BTreeMap<Level, Vec<&StepReport>> = BTreeMap::new();
    for report in reports {
        levels.entry(report.level).or_default().push(report);
    }
    let mut table = Table::new();
    table.load_preset(presets::UTF8_BORDERS_ONLY);
    table.set_header(["level", "passed", "failed", "skipped", "time"]);
    for (level, reports) in &levels {
        add_row(&mut table, &level.to_string(), reports);
    }
    add_row(&mut table, "all", &reports.iter().collect::<Vec<_>>());
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string()
}

fn add_row(table: &mut Table, title: &str, reports: &[&StepReport]) {
    let counts = Counts::of(reports.iter().copied());
    let millis: u64 = reports.iter().map(|report| report.millis).sum();
    table.add_row([
        title.to_owned(),
        counts.passed.to_string(),
        counts.failed.to_string(),
        counts.skipped.to_string(),
        format!("{}.{} s", millis / 1000, millis / 100 % 10),
    ]);
}

/// How results as JSON begin.
pub(super) const JSON_MARK: &str = "{\n  \"engine\": ";
/// How results as JUnit XML begin.
pub(super) const JUNIT_MARK: &str =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"leap check ";

/// Formats all results as JSON.
pub(super) fn json(engine: &str, reports: &[StepReport]) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Whole<'a> {
        engine: &'a str,
        #[serde(flatten)]
        counts: Counts,
        steps: Vec<Entry<'a>>,
    }
    #[derive(Serialize)]
    struct Entry<'a> {
        #[serde(flatten)]
        report: &'a StepReport,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<&'a str>,
    }
    let steps = reports.iter().map(|report| {
        let reason = match &report.verdict {
            StepStatus::Skipped(why) => Some(why.as_str()),
            _ => None,
        };
        Entry { report, reason }
    });
    let counts = Counts::of(reports);
    serde_json::to_string_pretty(&Whole { engine, counts, steps: steps.collect() })
}

/// Formats all results as JUnit XML, with a suite for each level.
pub(super) fn junit(
    engine: &str,
    reports: &[StepReport],
) -> Result<String, quick_junit::SerializeError> {
    let mut levels: BTreeMap<Level, TestSuite> = BTreeMap::new();
    for report in reports {
        let suite = levels.entry(report.level);
        let suite = suite.or_insert_with(|| TestSuite::new(report.level.to_string()));
        suite.add_test_case(test_case(report));
    }
    let mut whole = quick_junit::Report::new(format!("leap check {engine}"));
    whole.add_test_suites(levels.into_values());
    whole.to_string()
}

fn test_case(report: &StepReport) -> TestCase {
    let status = match &report.verdict {
        StepStatus::Passed => TestCaseStatus::success(),
        StepStatus::Skipped(why) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(why.as_str());
            status
        }
        StepStatus::Failed { expected, got } => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(format!("expected {expected}, got {got}"));
            status.set_description(report.dialogue_text(""));
            status
        }
    };
    let mut case = TestCase::new(report.title(), status);
    case.set_classname(format!("leap.{}", report.level));
    case.set_time(Duration::from_millis(report.millis));
    case
}
