//! Perft counts compared move by move, down to the position whose moves differ.

use anyhow::bail;

use super::{Difference, EnginePair, Found, LineOfPlay};

/// The perft counts of an engine: its moves with their counts.
fn counts(lines: &str) -> Vec<(&str, &str)> {
    let rest = lines.lines().filter_map(|line| line.strip_prefix("info perft "));
    rest.filter_map(|line| line.split_once(' ')).collect()
}

/// Compares the counts at a depth. If the counts of a move differ, continues after that move, one ply less deep.
pub(super) fn compare(pair: &mut EnginePair, line: &LineOfPlay, depth: u32) -> Found {
    if !pair.both_have("perft") {
        bail!("not both engines announce 'perft'");
    }
    let mut line = line.clone();
    for depth in (1..=depth).rev() {
        if let found @ Some(_) = pair.set(&line) {
            return Ok(found);
        }
        pair.positions += 1;
        let (a, b) = (pair.a.perft(depth), pair.b.perft(depth));
        if a == b && a.contains("nodes") {
            return Ok(None);
        }
        let (of_a, of_b) = (counts(&a), counts(&b));
        let differs = of_a.iter().zip(&of_b).find(|(a, b)| a.0 == b.0 && a.1 != b.1);
        let same_moves = of_a.iter().map(|(mv, _)| mv).eq(of_b.iter().map(|(mv, _)| mv));
        match differs {
            Some(((mv, _), _)) if same_moves && depth > 1 => line = line.with(mv),
            _ => {
                let question = format!("perft {depth}");
                let (a, b) = (a.trim_end().replace('\n', " | "), b.trim_end().replace('\n', " | "));
                return Ok(Some(Box::new(Difference { line, question, a, b })));
            }
        }
    }
    Ok(None)
}
