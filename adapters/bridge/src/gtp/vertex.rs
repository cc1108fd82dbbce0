//! Points of the board: a vertex of GTP such as `J10`, and the square of UGI such as `i10`.

use clap::ValueEnum;

/// The move by which nothing is put on the board, in UGI (SPEC 9.31) and in GTP.
pub(super) const PASS: &str = "pass";

/// How the files of the board are lettered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Letters {
    /// There is no I: the ninth file is J.
    Go,
    /// All letters.
    All,
}

impl Letters {
    /// The vertex of a move; `None` if it is no word for GTP. Words that are no square, such as `swap`, are the same in
    /// both.
    pub(super) fn vertex(self, mv: &str) -> Option<String> {
        let is_word =
            !mv.is_empty() && mv.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !is_word {
            return None;
        }
        Some(match split(mv) {
            Some((file, rank)) => {
                let skips = self == Self::Go && file >= 'i';
                let file = if skips { char::from(file as u8 + 1) } else { file };
                format!("{}{rank}", file.to_ascii_uppercase())
            }
            None => mv.to_owned(),
        })
    }

    /// The move of a vertex; `None` if it is no word.
    pub(super) fn square(self, vertex: &str) -> Option<String> {
        let word = vertex.to_ascii_lowercase();
        if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        {
            return None;
        }
        match split(&word) {
            Some(('i', _)) if self == Self::Go => None,
            Some((file, rank)) if self == Self::Go && file > 'i' => {
                Some(format!("{}{rank}", char::from(file as u8 - 1)))
            }
            _ => Some(word),
        }
    }
}

/// The letter and the number of a point.
fn split(text: &str) -> Option<(char, &str)> {
    let file = text.chars().next().filter(char::is_ascii_lowercase)?;
    let rank = &text[1..];
    let is_rank =
        !rank.is_empty() && rank.len() <= 2 && rank.bytes().all(|byte| byte.is_ascii_digit());
    (is_rank && (file != 'z')).then_some((file, rank))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_of_go_have_no_file_i() {
        for (square, vertex) in [("a1", "A1"), ("h8", "H8"), ("i9", "J9"), ("s19", "T19")] {
            assert_eq!(Letters::Go.vertex(square).unwrap(), vertex);
            assert_eq!(Letters::Go.square(vertex).unwrap(), square);
        }
        assert_eq!(Letters::All.vertex("i9").unwrap(), "I9");
        assert_eq!(Letters::All.square("I9").unwrap(), "i9");
        assert_eq!(Letters::Go.square("I9"), None);
    }

    #[test]
    fn other_words_are_handed_on_and_other_texts_are_not() {
        for word in ["pass", "swap-pieces"] {
            assert_eq!(Letters::Go.vertex(word).unwrap(), word);
            assert_eq!(Letters::Go.square(&word.to_uppercase()).unwrap(), word);
        }
        for text in ["", "a1\nquit", "a 1", "ä1", "a1;"] {
            assert_eq!(Letters::Go.vertex(text), None, "{text:?}");
            assert_eq!(Letters::All.square(text), None, "{text:?}");
        }
    }
}
