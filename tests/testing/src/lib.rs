//! What the tests of several crates share: skipping a test that needs another program, how many cases are tried,
//! waiting, and child processes.

mod cases;
mod process;
mod wait;

use std::env;

pub use cases::{sample, tried};
pub use process::{Running, engines_of, free_port, peak_memory_kib};
pub use wait::{PATIENCE, at_once, wait_until};

/// The environment variable that names what must not be missing: `all`, or names with commas between.
pub const REQUIRE: &str = "LEAP_REQUIRE";

/// Prints that a test is skipped, because `need` is missing. `hint` says how to get it.
///
/// # Panics
/// If [`REQUIRE`] says that `need` must be there. `.ci/run` sets it to `all`: there a missing program is a failure.
#[allow(clippy::print_stdout, reason = "a test has no other output")]
pub fn skip(need: &str, hint: &str) {
    let required = env::var(REQUIRE).unwrap_or_default();
    assert!(!requires(&required, need), "expected {need}, as {REQUIRE} says, found none: {hint}");
    println!("SKIPPED: no {need}: {hint}");
}

fn requires(list: &str, need: &str) -> bool {
    list == "all" || list.split(',').any(|name| name == need)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_requires_everything_and_a_list_what_it_names() {
        for (list, expected) in
            [("", false), ("all", true), ("xboard", false), ("xboard,node", true), ("nodes", false)]
        {
            assert_eq!(requires(list, "node"), expected, "{list}");
        }
    }
}
