//! How many of a test's cases are tried.

/// One of so many cases is tried: of four by `cargo test` alone, of one by the stages of `.ci/run`. These set
/// `LEAP_CASES=all`.
fn one_of() -> usize {
    let is_all = std::env::var("LEAP_CASES").is_ok_and(|cases| cases == "all");
    if is_all { 1 } else { 4 }
}

/// How many of so many cases are tried: at least one, if there is one.
#[must_use]
pub fn tried(cases: u32) -> u32 {
    cases.div_ceil(one_of() as u32)
}

/// The cases that are tried: the first and every fourth after it, or all.
#[must_use]
pub fn sample<T: Clone>(cases: &[T]) -> Vec<T> {
    cases.iter().step_by(one_of()).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_few_cases_one_is_tried() {
        assert_eq!((tried(0), tried(1), sample(&[7])), (0, 1, vec![7]));
    }
}
