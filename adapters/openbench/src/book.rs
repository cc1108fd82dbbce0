//! The openings of a book of OpenBench: one position a line, as text of our games or as EPD.

use std::path::Path;

use anyhow::{Context as _, ensure};
use leap_base::files;
use leap_match::embedding::{Opening, shuffled};

use crate::command_line::AskedOpenings;

/// The longest book that is accepted.
const MAX_BYTES: u64 = 1 << 30;

/// What an EPD line may have after the position (Edwards, "Portable Game Notation Specification", 16.2).
const OPERATIONS: [&str; 9] = ["acd", "am", "bm", "c0", "ce", "dm", "fmvn", "hmvc", "id"];

/// Reads the openings that a run plays, `count` in number, in the order in which it plays them.
///
/// # Errors
/// The file cannot be read, has no openings, or has a line that is none.
pub(crate) fn read(asked: &AskedOpenings, seed: u64, count: u64) -> anyhow::Result<Vec<Opening>> {
    let place = asked.file.display();
    let text =
        files::read_text(&asked.file, MAX_BYTES).with_context(|| format!("cannot read {place}"))?;
    let lines: Vec<(usize, &str)> = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .collect();
    ensure!(!lines.is_empty(), "in {place}: expected openings, found none");
    let order = match asked.at_random {
        true => shuffled(lines.len(), seed),
        false => (0..lines.len()).collect(),
    };
    let first = usize::try_from(asked.start.saturating_sub(1) % lines.len() as u64)?;
    let played = order.iter().cycle().skip(first).take(usize::try_from(count)?.min(lines.len()));
    played
        .map(|index| {
            let (number, line) = lines[*index];
            opening(line).with_context(|| in_line(&asked.file, number))
        })
        .collect()
}

fn in_line(file: &Path, number: usize) -> String {
    format!("in {}, line {number}", file.display())
}

/// The opening of a line.
fn opening(line: &str) -> anyhow::Result<Opening> {
    if !line.contains(';') {
        return Opening::parse(&unpacked(line).unwrap_or_else(|| line.to_owned()));
    }
    let is_operation = |word: &&str| OPERATIONS.contains(word);
    let fields: Vec<&str> =
        line.split_whitespace().take_while(|word| !is_operation(word)).collect();
    let position = fields.join(" ");
    if let Some(position) = unpacked(&position) {
        return Opening::parse(&position);
    }
    // The counters of chess, which are the last two fields of a position elsewhere.
    let counters = [operand(line, "hmvc"), operand(line, "fmvn")];
    match counters {
        [Some(halfmoves), Some(moves)] => {
            Opening::parse(&format!("{position} {halfmoves} {moves}"))
        }
        _ => Opening::parse(&position),
    }
}

/// The operand of an EPD operation.
fn operand<'a>(line: &'a str, operation: &str) -> Option<&'a str> {
    let mut words = line.split_whitespace().skip_while(|word| *word != operation);
    words.nth(1).map(|word| word.trim_end_matches(';'))
}

/// The position text that `genfens` has packed into the first of the six fields that the worker wants.
fn unpacked(position: &str) -> Option<String> {
    let mut fields = position.split_whitespace();
    let packed = fields.next().filter(|field| field.contains('_'))?;
    fields.take(2).all(|field| field == "-").then(|| packed.replace('_', " "))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn fen(line: &str) -> String {
        opening(line).unwrap().fen.unwrap()
    }

    #[test]
    fn a_line_is_a_position_text_or_epd() {
        let text = "mmmmm/mmmmm/1mMMM/MMMmM/MMMM1 1 - 8 10";
        assert_eq!(fen(text), text);
        assert_eq!(fen(&format!("{text} bm a1a2; id \"a\";")), text);
        assert_eq!(
            fen("4k3/8/8/8/8/8/8/4K3 w - - hmvc 4; fmvn 31;"),
            "4k3/8/8/8/8/8/8/4K3 w - - 4 31"
        );
    }

    #[test]
    fn a_packed_position_is_unpacked() {
        let packed = "mmmmm/mmmmm/1mMMM/MMMmM/MMMM1_1_-_8_10 - - - hmvc 0; fmvn 1;";
        assert_eq!(fen(packed), "mmmmm/mmmmm/1mMMM/MMMmM/MMMM1 1 - 8 10");
    }

    #[test]
    fn runs_with_the_same_seed_and_other_starts_play_other_openings() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.epd");
        let lines: String = (0..20).map(|index| format!("{index}/8 1 - 0 0\n")).collect();
        fs::write(&file, format!("# a book\n\n{lines}")).unwrap();
        let played = |at_random, start, count| -> Vec<String> {
            let asked = AskedOpenings { file: file.clone(), at_random, start };
            read(&asked, 7, count)
                .unwrap()
                .into_iter()
                .map(|opening| opening.fen.unwrap())
                .collect()
        };
        assert_eq!(played(false, 19, 3), ["18/8 1 - 0 0", "19/8 1 - 0 0", "0/8 1 - 0 0"]);
        let mut all = [played(true, 1, 10), played(true, 11, 10)].concat();
        assert_ne!(all, played(false, 1, 20));
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 20);
        assert_eq!(played(true, 1, 99).len(), 20);
    }

    #[test]
    fn a_line_that_is_no_opening_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.epd");
        fs::write(&file, "8/8 1 - 0 0\nfen\n").unwrap();
        let asked = AskedOpenings { file, at_random: false, start: 1 };
        let error = format!("{:#}", read(&asked, 1, 2).unwrap_err());
        assert!(error.contains("a.epd, line 2: "), "{error}");
    }
}
