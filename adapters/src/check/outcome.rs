//! What can come of a step.

use serde::Serialize;

/// Why a step did not pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum StepError {
    /// The engine did something else than it must.
    Failed { expected: String, got: String },
    /// The step does not apply to this engine.
    Skipped(String),
}

/// What a part of a step yields.
pub(super) type StepResult<T = ()> = Result<T, StepError>;

/// A failure: what had to come and what came.
pub(super) fn fail<T>(expected: impl Into<String>, got: impl Into<String>) -> StepResult<T> {
    Err(StepError::Failed { expected: expected.into(), got: got.into() })
}

/// The step does not apply.
pub(super) fn skip<T>(why: impl Into<String>) -> StepResult<T> {
    Err(StepError::Skipped(why.into()))
}

/// A failure unless the condition holds.
pub(super) fn ensure(
    holds: bool,
    expected: impl Into<String>,
    got: impl Into<String>,
) -> StepResult {
    if holds { Ok(()) } else { fail(expected, got) }
}
