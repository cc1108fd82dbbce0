//! Lines with wildcards.

use std::fmt;

/// Matches any run of characters (SPEC 1.7, 16.11).
pub(crate) const WILDCARD: &str = "...";

/// A line with wildcards for runs of characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// The text before the first wildcard.
    first: String,
    /// The text after each wildcard. Empty if the line has none.
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

    /// Whether the line matches. Takes time proportional to the product of the two lengths at worst.
    #[must_use]
    pub fn matches(&self, line: &str) -> bool {
        let Some(mut rest) = line.strip_prefix(&self.first) else { return false };
        let Some((last, middle)) = self.after.split_last() else { return rest.is_empty() };
        // The leftmost match of each part leaves most room for the others.
        for part in middle {
            match rest.split_once(part.as_str()) {
                Some((_, after)) => rest = after,
                None => return false,
            }
        }
        rest.ends_with(last)
    }
}

/// Prints the line with `...` for each wildcard.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.first)?;
        self.after.iter().try_for_each(|part| write!(f, "{WILDCARD}{part}"))
    }
}
