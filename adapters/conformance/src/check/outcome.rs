//! The possible outcomes of a step.

use serde::Serialize;

/// Why a step did not pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum StepError {
    /// The engine did not do what it must.
    Failed { expected: String, got: String },
    /// The step does not apply to this engine.
    Skipped(String),
}

/// The result of a step or of a part of it.
pub(super) type StepResult<T = ()> = Result<T, StepError>;

/// A failure: what was expected and what came instead.
pub(super) fn fail<T>(expected: impl Into<String>, got: impl Into<String>) -> StepResult<T> {
    Err(StepError::Failed { expected: expected.into(), got: got.into() })
}

/// Skips a step that does not apply.
pub(super) fn skip<T>(why: impl Into<String>) -> StepResult<T> {
    Err(StepError::Skipped(why.into()))
}

/// Fails unless the condition holds.
pub(super) fn ensure(
    holds: bool,
    expected: impl Into<String>,
    got: impl Into<String>,
) -> StepResult {
    if holds { Ok(()) } else { fail(expected, got) }
}
