//! JUnit XML, as read by CI systems.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Class, FileResult};

/// The name of the report and the suite.
const NAME: &str = "leap replay";

/// A test suite with a test case for each transcript.
pub(super) struct Junit {
    suite: TestSuite,
}

impl Default for Junit {
    fn default() -> Self {
        Self { suite: TestSuite::new(NAME) }
    }
}

impl Junit {
    pub(super) fn add(&mut self, verdict: &FileResult) {
        let status = match verdict.message() {
            None => TestCaseStatus::success(),
            Some(message) => {
                let kind = match verdict.class() {
                    Class::Failed => NonSuccessKind::Error,
                    _ => NonSuccessKind::Failure,
                };
                let mut status = TestCaseStatus::non_success(kind);
                status.set_message(message).set_description(verdict.details().join("\n"));
                status
            }
        };
        let mut case = TestCase::new(verdict.name(), status);
        case.set_classname(NAME).set_time(verdict.took);
        if let Some(remark) = verdict.remark() {
            case.set_system_out(remark);
        }
        self.suite.add_test_case(case);
    }

    pub(super) fn print(&self) -> anyhow::Result<String> {
        let mut report = Report::new(NAME);
        report.add_test_suite(self.suite.clone());
        Ok(report.to_string()?)
    }
}
