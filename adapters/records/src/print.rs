//! Printing records (SPEC 19.14 to 19.16).

use std::fmt;

use super::{Ply, Record, Score};

/// Columns of a line of moves.
const WIDTH: usize = 100;

/// Prints the record, followed by a blank line.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let format = self.format();
        if format > 1 {
            writeln!(f, "[Format \"{format}\"]")?;
        }
        for (name, value) in &self.tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{value}\"]")?;
        }
        writeln!(f)?;
        let mut words = Vec::new();
        line(&self.plies, 1, &mut words);
        words.push(self.result.as_str().to_owned());
        let mut column = 0;
        for word in words {
            if column > 0 && column + 1 + word.len() > WIDTH {
                writeln!(f)?;
                column = 0;
            }
            if column > 0 {
                f.write_str(" ")?;
                column += 1;
            }
            f.write_str(&word)?;
            column += word.len();
        }
        writeln!(f, "\n")
    }
}

/// Appends the moves of a line whose first has this number. A text may be broken between any two of them.
fn line(plies: &[Ply], first: usize, words: &mut Vec<String>) {
    for (number, ply) in (first..).zip(plies) {
        let glyphs: String = ply.glyphs.iter().map(|glyph| format!(" ${glyph}")).collect();
        let mut parts = comment(ply).into_iter();
        let begin = parts.next().map_or(String::new(), |begin| format!(" {begin}"));
        words.push(format!("{number}. {}{glyphs}{begin}", ply.mv));
        words.extend(parts);
        for variation in &ply.variations {
            let begin = words.len();
            line(variation, number, words);
            if let Some(first) = words.get_mut(begin) {
                first.insert(0, '(');
            }
            if let Some(last) = words.last_mut() {
                last.push(')');
            }
        }
    }
}

/// The comment of a move, in parts between which a line may end; empty if there is none.
fn comment(ply: &Ply) -> Vec<String> {
    let keys = [
        ply.score.map(|score| match score {
            Score::Cp(cp) => format!("cp {cp}"),
            Score::Mate(n) => format!("mate {n}"),
        }),
        ply.depth.map(|depth| format!("depth {depth}")),
        ply.nodes.map(|nodes| format!("nodes {nodes}")),
        ply.time_us.map(|us| format!("us {us}")),
    ];
    let keys = keys.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let mut parts: Vec<String> = (!keys.is_empty()).then_some(keys).into_iter().collect();
    if !ply.text.is_empty() {
        parts.push(":".to_owned());
        parts.extend(ply.text.split_whitespace().map(|word| word.replace('}', ")")));
    }
    if let Some(first) = parts.first_mut() {
        first.insert(0, '{');
    }
    if let Some(last) = parts.last_mut() {
        last.push('}');
    }
    parts
}
