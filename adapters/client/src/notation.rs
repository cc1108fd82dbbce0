//! Parsing squares, moves and placements (SPEC 9.1, 9.8, 9.19).

mod placement;

use leap_protocol::payload::Side;

pub use placement::Placement;

/// Rank and file of a square, from 1, in the order used to compare squares.
pub fn square_index(square: &str) -> Option<(usize, usize)> {
    let mut chars = square.chars();
    let file = chars.next().filter(char::is_ascii_lowercase)?;
    let rank = chars.as_str().parse().ok().filter(|rank| *rank > 0)?;
    Some((rank, file as usize - 'a' as usize + 1))
}

/// Row and column of a square on the screen, from 1, counted from the lower left, with this player at the bottom.
/// `None` if the square is not on a board of this many ranks and files.
pub fn seen_from(
    bottom: Side,
    square: &str,
    (ranks, files): (usize, usize),
) -> Option<(usize, usize)> {
    let (rank, file) = square_index(square)?;
    let is_there = rank <= ranks && file <= files;
    is_there.then(|| match bottom {
        Side::P1 => (rank, file),
        Side::P2 => (ranks + 1 - rank, files + 1 - file),
    })
}

/// The text of the move that only ends the turn (SPEC 9.31).
pub const PASS: &str = "pass";

/// The tokens of a move text: squares, `x` with a square, `@` with a square, or a pass; `None` if it contains anything
/// else.
pub fn tokens(text: &str) -> Option<Vec<&str>> {
    if text == PASS {
        return Some(vec![text]);
    }
    let mut tokens = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mark = rest.starts_with(['@', 'x']);
        let after = rest.get(usize::from(mark) + 1..)?;
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let (token, left) = rest.split_at(usize::from(mark) + 1 + digits);
        square_index(token.trim_start_matches(['@', 'x']))?;
        tokens.push(token);
        rest = left;
    }
    Some(tokens)
}

/// The sort key of moves (SPEC 9.27): element by element, drops after squares, a pass last.
pub fn listing_key(text: &str) -> Option<Vec<(usize, usize, usize)>> {
    let key = tokens(text)?.into_iter().map(|token| {
        if token == PASS {
            return Some((2, 0, 0));
        }
        let (rank, file) = square_index(token.trim_start_matches(['@', 'x']))?;
        Some((usize::from(token.starts_with('@')), rank, file))
    });
    key.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_split_into_tokens_and_compare_by_index() {
        assert_eq!(tokens("c7c8@b1@d12"), Some(vec!["c7", "c8", "@b1", "@d12"]));
        assert_eq!(tokens("xd4"), Some(vec!["xd4"]));
        assert_eq!(tokens("pass"), Some(vec!["pass"]));
        assert_eq!([tokens("c7c"), tokens("a1pass")], [None, None]);
        let order = ["a1c3", "a1c3c5", "a1c3@d4", "b1c2", "a2a1", "a10a9", "@a1", "pass"];
        assert!(order.is_sorted_by_key(|mv| listing_key(mv)));
    }
}
