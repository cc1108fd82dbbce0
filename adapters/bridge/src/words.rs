//! `leap bridge uai` and `leap bridge tei`: dialects of UCI for Ataxx and Tak. Only their words differ from UGI's. The
//! lines are handed on, and a table says which words are replaced.

use std::io;

use crossbeam_channel::{Receiver, bounded, never, select};
use leap_client::{Client, EngineCommand, pipes};
use leap_protocol::Line;

use crate::fault::Broken;
use crate::link::write;

/// The words of a dialect, each with the word of UGI that it stands for.
pub(crate) struct Words {
    /// `ugi`, `ugiok`, `uginewgame`, and the clocks.
    pairs: &'static [(&'static str, &'static str)],
}

/// Ataxx: black (x) moves first.
pub(crate) const UAI: Words = Words {
    pairs: &[
        ("ugi", "uai"),
        ("ugiok", "uaiok"),
        ("uginewgame", "uainewgame"),
        ("p1time", "btime"),
        ("p2time", "wtime"),
        ("p1inc", "binc"),
        ("p2inc", "winc"),
    ],
};

/// Tak: white moves first.
pub(crate) const TEI: Words = Words {
    pairs: &[
        ("ugi", "tei"),
        ("ugiok", "teiok"),
        ("uginewgame", "teinewgame"),
        ("fen", "tps"),
        ("p1time", "wtime"),
        ("p2time", "btime"),
        ("p1inc", "winc"),
        ("p2inc", "binc"),
    ],
};

/// An engine whose protocol differs from UGI in its words alone.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct WordArgs {
    /// What follows the word for a new game: TEI engines want the size of the board.
    #[arg(long, value_name = "SIZE")]
    size: Option<u8>,
    /// The engine and its arguments.
    #[arg(last = true, required = true, value_name = "ENGINE")]
    engine: Vec<String>,
}

impl Words {
    /// A line of the client in the engine's words. Only the command and the parameters of `go` and `position` are
    /// replaced: moves, names and texts are no words of the protocol.
    fn to_engine(&self, line: &str, size: Option<u8>) -> String {
        let replaced = |word: &str| {
            let pair = self.pairs.iter().find(|(ugi, _)| *ugi == word);
            pair.map_or_else(|| word.to_owned(), |(_, own)| (*own).to_owned())
        };
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { return String::new() };
        let parameters = match first {
            "go" => usize::MAX,
            "position" => 1,
            _ => 0,
        };
        let mut out = replaced(first);
        for (index, word) in words.enumerate() {
            out.push(' ');
            out += &if index < parameters { replaced(word) } else { word.to_owned() };
        }
        if let (Some(size), "uginewgame") = (size, first) {
            out += &format!(" {size}");
        }
        out
    }

    /// A line of the engine in the words of UGI.
    fn to_client(&self, line: &str) -> String {
        let pair = self.pairs.iter().find(|(_, own)| *own == line.trim());
        pair.map_or_else(|| line.to_owned(), |(ugi, _)| (*ugi).to_owned())
    }
}

/// Hands lines on until the engine ends.
pub(crate) fn run(words: &Words, args: &WordArgs) -> Result<(), Broken> {
    let command = EngineCommand::from_words(&args.engine).unwrap_or_default();
    let mut client = Client::start_showing(&command, true)?;
    let engine = client.listen()?;
    let (sender, mut input): (_, Receiver<Line>) = bounded(64);
    pipes::read_lines("input", io::stdin(), move |line| sender.send(line).is_ok())?;
    let mut last = String::new();
    loop {
        select! {
            recv(engine) -> line => match line {
                Ok((line, _)) => write(&words.to_client(&pipes::text(line)))?,
                // It was told to quit, or the input has ended.
                Err(_) if last == "quit" || last.is_empty() => return Ok(()),
                Err(_) => return Err(Broken::Ended { command: last, end: client.how_it_ended() }),
            },
            recv(input) -> line => match line {
                Ok(line) => {
                    last = words.to_engine(&pipes::text(line), args.size);
                    let sent = client.send_line(&last);
                    sent.map_err(|_| Broken::Ended { command: last.clone(), end: client.how_it_ended() })?;
                }
                Err(_) => {
                    client.end_input();
                    (last, input) = (String::new(), never());
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_words_of_the_protocol_are_replaced() {
        for (words, ugi, own) in [
            (UAI, "ugi", "uai"),
            (UAI, "uginewgame", "uainewgame"),
            (UAI, "go p1time 1 p2time 2 p1inc 3 p2inc 4", "go btime 1 wtime 2 binc 3 winc 4"),
            (UAI, "position fen x5o/7 x 0 1 moves g2", "position fen x5o/7 x 0 1 moves g2"),
            (TEI, "position fen x6 1 1 moves a1", "position tps x6 1 1 moves a1"),
            (TEI, "uginewgame", "teinewgame 6"),
            (TEI, "go p1time 1 p2time 2", "go wtime 1 btime 2"),
            (TEI, "setoption name fen value ugi", "setoption name fen value ugi"),
            (TEI, "", ""),
        ] {
            let size = (ugi == "uginewgame" && own.ends_with('6')).then_some(6);
            assert_eq!(words.to_engine(ugi, size), own);
        }
        assert_eq!(TEI.to_client("teiok"), "ugiok");
        assert_eq!(UAI.to_client("info string uaiok"), "info string uaiok");
    }
}
