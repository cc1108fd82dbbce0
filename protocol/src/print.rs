//! What printing shares: pairs and lists of words.

use std::fmt;

use crate::visible::OneLine;

/// Prints ` text` if there is one, and nothing otherwise: no line ends in a blank.
pub(crate) fn spaced(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    if text.is_empty() { Ok(()) } else { write!(f, " {}", OneLine(text)) }
}

/// Prints a word and what follows it.
pub(crate) fn tagged(f: &mut fmt::Formatter<'_>, tag: &str, text: &str) -> fmt::Result {
    f.write_str(tag)?;
    spaced(f, text)
}

/// Prints ` word` for each word.
pub(crate) fn spaced_all(f: &mut fmt::Formatter<'_>, words: &[String]) -> fmt::Result {
    words.iter().try_for_each(|word| spaced(f, word))
}

/// Prints ` key value` if there is a value.
pub(crate) fn pair<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    key: &str,
    value: Option<T>,
) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {key} {value}"))
}

/// Prints ` key value` for each pair.
pub(crate) fn pairs(f: &mut fmt::Formatter<'_>, pairs: &[(String, String)]) -> fmt::Result {
    pairs.iter().try_for_each(|(key, value)| {
        spaced(f, key)?;
        spaced(f, value)
    })
}

/// Items joined by single spaces.
pub(crate) struct Joined<'a, T>(pub(crate) &'a [T]);

impl<T: fmt::Display> fmt::Display for Joined<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, item) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            item.fmt(f)?;
        }
        Ok(())
    }
}
