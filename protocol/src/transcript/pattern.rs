//! Lines with wildcards.

use std::fmt;

/// What stands for any run of characters (SPEC 1.7, 16.11).
pub(super) const WILDCARD: &str = "...";

/// A line in which some runs of characters are free.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// What must stand before the first free run.
    first: String,
    /// What must stand after each free run. Empty if the whole line is fixed.
    after: Vec<String>,
}

impl Pattern {
    /// Exactly this line.
    #[must_use]
    pub fn exact(line: impl Into<String>) -> Self {
        Self { first: line.into(), after: Vec::new() }
    }

    /// A line in which each `...` is a wildcard.
    #[must_use]
    pub fn wildcards(line: &str) -> Self {
        let mut parts = line.split(WILDCARD).map(str::to_owned);
        // Splitting yields at least one piece.
        let first = parts.next().unwrap_or_default();
        Self { first, after: parts.collect() }
    }

    /// Whether the line fits. Takes time linear in its length times that of the pattern at worst.
    #[must_use]
    pub fn matches(&self, line: &str) -> bool {
        let Some(mut rest) = line.strip_prefix(&self.first) else { return false };
        let Some((last, middle)) = self.after.split_last() else { return rest.is_empty() };
        // The leftmost place for each part leaves most to the others.
        for part in middle {
            match rest.split_once(part.as_str()) {
                Some((_, after)) => rest = after,
                None => return false,
            }
        }
        rest.ends_with(last)
    }
}

/// Prints the line with `...` for what is free.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.first)?;
        self.after.iter().try_for_each(|part| write!(f, "{WILDCARD}{part}"))
    }
}
