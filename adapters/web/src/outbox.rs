//! The lines that a page may not have yet: they are sent again when it comes back after a cut.

use std::collections::VecDeque;

/// The most lines and bytes that are kept for a page.
const MOST_LINES: usize = 256;
const MOST_BYTES: usize = 2 << 20;
/// The longest line of an engine, in bytes.
const LONGEST_LINE: usize = 1 << 20;
/// After so many lines or bytes the page is asked to confirm.
const ASK_LINES: usize = 64;
const ASK_BYTES: usize = 64 << 10;

/// Lines to a page, in order. A page counts what it gets, so that both sides agree on the number of a line.
///
/// Of the `info` lines between two other lines, only the newest of each rank is kept. A page that comes back needs no
/// older ones, and so a search takes little memory however long it runs.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    /// The lines that are not confirmed, with their numbers.
    lines: VecDeque<(u64, String)>,
    bytes: usize,
    /// The number of the last line.
    count: u64,
    /// The number of the last line for which there was no room. A page that lacks this line cannot come back.
    lost: u64,
    /// What was pushed since the page was last asked to confirm.
    unasked: (usize, usize),
}

/// What makes an `info` line replace an older one: its rank among the lines of the engine; `None` for other news.
fn rank(info: &str) -> Option<&str> {
    let mut words = info.split_ascii_whitespace();
    words.find(|word| *word == "multipv").and_then(|_| words.next())
}

fn is_info(line: &str) -> bool {
    line.split_ascii_whitespace().next() == Some("info")
}

impl Outbox {
    /// Takes a line that is sent to the page, or would be if the page were there.
    pub(super) fn push(&mut self, line: String) {
        if is_info(&line) {
            let row = self.lines.iter().rev().take_while(|(_, before)| is_info(before));
            let old = row.enumerate().find(|(_, (_, before))| rank(before) == rank(&line));
            if let Some(back) = old.map(|(back, _)| back) {
                let old = self.lines.remove(self.lines.len() - 1 - back);
                self.bytes -= old.map_or(0, |(_, old)| old.len());
            }
        }
        self.count += 1;
        self.bytes += line.len();
        self.unasked = (self.unasked.0 + 1, self.unasked.1 + line.len());
        self.lines.push_back((self.count, line));
        while self.lines.len() > MOST_LINES || self.bytes > MOST_BYTES {
            let Some((number, line)) = self.lines.pop_front() else { return };
            self.bytes -= line.len();
            self.lost = number;
        }
    }

    /// Whether there is no room for another line of any length.
    pub(super) fn is_full(&self) -> bool {
        self.lines.len() >= MOST_LINES || self.bytes + LONGEST_LINE > MOST_BYTES
    }

    /// Whether it is time to ask the page to confirm.
    pub(super) fn should_ask(&self) -> bool {
        self.unasked.0 >= ASK_LINES || self.unasked.1 >= ASK_BYTES
    }

    /// A question that the page answers when it has all lines so far: the payload of a ping.
    pub(super) fn question(&mut self) -> Vec<u8> {
        self.unasked = (0, 0);
        self.count.to_be_bytes().to_vec()
    }

    /// Takes the answer to a question: the payload of a pong. Anything else confirms nothing.
    pub(super) fn confirm(&mut self, answer: &[u8]) {
        let Ok(bytes) = answer.try_into() else { return };
        self.forget(u64::from_be_bytes(bytes).min(self.count));
    }

    fn forget(&mut self, number: u64) {
        while self.lines.front().is_some_and(|(of, _)| *of <= number) {
            self.bytes -= self.lines.pop_front().map_or(0, |(_, line)| line.len());
        }
    }

    /// The lines that a page lacks that has got so many, and the number of the line before them. `None` if the page
    /// cannot have got so many, or lacks a line that is not there any more.
    pub(super) fn missed(&mut self, got: u64) -> Option<(u64, Vec<String>)> {
        if got > self.count || got < self.lost {
            return None;
        }
        self.forget(got);
        // Lines that were left out have left gaps, of which the page knows nothing.
        let before = self.count - self.lines.len() as u64;
        for (number, line) in (before + 1..).zip(&mut self.lines) {
            line.0 = number;
        }
        Some((before, self.lines.iter().map(|(_, line)| line.clone()).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outbox(lines: &[&str]) -> Outbox {
        let mut outbox = Outbox::default();
        for line in lines {
            outbox.push((*line).to_owned());
        }
        outbox
    }

    fn missed(outbox: &mut Outbox, got: u64) -> (u64, Vec<String>) {
        outbox.missed(got).unwrap()
    }

    #[test]
    fn a_page_gets_what_it_lacks_and_no_line_twice() {
        let mut outbox = outbox(&["readyok", "info depth 1 multipv 1 pv a", "bestmove a"]);
        assert_eq!(missed(&mut outbox, 1).1, ["info depth 1 multipv 1 pv a", "bestmove a"]);
        assert_eq!(missed(&mut outbox, 3), (3, Vec::new()));
        assert_eq!(outbox.missed(4), None);
    }

    #[test]
    fn of_a_search_only_the_newest_line_of_each_rank_is_kept_and_every_answer() {
        let lines = [
            "info depth 1 multipv 1 pv a",
            "info depth 1 multipv 2 pv b",
            "info string one",
            "info depth 2 multipv 1 pv c",
            "info string two",
            "bestmove c",
            "info depth 1 multipv 1 pv d",
        ];
        let mut outbox = outbox(&lines);
        let expected = [lines[1], lines[3], lines[4], lines[5], lines[6]];
        assert_eq!(missed(&mut outbox, 0), (2, expected.map(str::to_owned).to_vec()));
        // The page has got two of them when its connection is cut again.
        assert_eq!(missed(&mut outbox, 4), (4, expected[2..].iter().map(|&l| l.into()).collect()));
    }

    #[test]
    fn a_search_without_end_takes_little_memory() {
        let mut outbox = Outbox::default();
        for depth in 0..10_000 {
            outbox.push(format!("info depth {depth} multipv {} pv a1a2", depth % 5 + 1));
        }
        assert_eq!((outbox.lines.len(), outbox.is_full()), (5, false));
        assert_eq!(missed(&mut outbox, 0).0, 9_995);
    }

    #[test]
    fn confirmed_lines_are_forgotten() {
        let mut outbox = outbox(&["readyok"; ASK_LINES]);
        assert!(outbox.should_ask());
        let question = outbox.question();
        assert!(!outbox.should_ask());
        outbox.push("x".repeat(ASK_BYTES));
        assert!(outbox.should_ask());
        for forged in [&b""[..], b"x", &[0; 8], &[0; 9]] {
            outbox.confirm(forged);
            assert_eq!(outbox.lines.len(), ASK_LINES + 1);
        }
        outbox.confirm(&question);
        assert_eq!(outbox.lines.len(), 1);
        outbox.confirm(&[255; 8]);
        assert_eq!((outbox.lines.len(), outbox.bytes), (0, 0));
        assert_eq!(missed(&mut outbox, ASK_LINES as u64 + 1).1, [""; 0]);
    }

    #[test]
    fn a_page_that_lacks_more_than_is_kept_cannot_come_back() {
        for lines in [vec!["readyok".to_owned(); MOST_LINES], vec!["x".repeat(LONGEST_LINE); 2]] {
            let most = lines.len() as u64;
            let mut outbox = Outbox::default();
            for line in lines {
                outbox.push(line);
            }
            assert!(outbox.is_full());
            assert_eq!(outbox.missed(0).unwrap().1.len() as u64, most);
            outbox.push("bestmove a".to_owned());
            assert_eq!(outbox.missed(0), None);
            assert_eq!(outbox.missed(1).unwrap().1.len() as u64, most);
        }
    }
}
