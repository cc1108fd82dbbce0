//! `leap bridge uai` and `leap bridge tei`: dialects of UCI for Ataxx and Tak. Only their words differ from UGI's. The
//! lines are handed on, and a table says which words are replaced.

use std::io;
use std::time::Instant;

use crossbeam_channel::{Receiver, after, bounded, never, select};
use leap_client::{Client, EngineCommand, pipes};
use leap_protocol::Line;

use crate::fault::Broken;
use crate::link::{LAST_WORDS, write};

/// The words of a dialect, each with the word of UGI that it stands for.
pub(crate) struct Words {
    /// `ugi`, `ugiok`, `uginewgame`, and the clocks.
    pairs: &'static [(&'static str, &'static str)],
    /// The move text of a pass, which is `pass` in UGI (SPEC 9.26).
    pass: Option<&'static str>,
    /// Whether an engine must be told of a new game before it is told of a position.
    announces_game: bool,
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
    pass: Some("0000"),
    announces_game: false,
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
    pass: None,
    announces_game: true,
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
    /// A line of the client in the engine's words. Only the command, the parameters of `go` and `position`, and the move
    /// `pass` are replaced: names and texts are no words of the protocol.
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
            out += &match self.pass {
                Some(pass) if word == "pass" && first != "setoption" => pass.to_owned(),
                _ if index < parameters => replaced(word),
                _ => word.to_owned(),
            };
        }
        if let (Some(size), "uginewgame") = (size, first) {
            out += &format!(" {size}");
        }
        out
    }

    /// A line of the engine in the words of UGI. Of its moves only a pass has another text.
    fn to_client(&self, line: &str) -> String {
        if let Some((ugi, _)) = self.pairs.iter().find(|(_, own)| *own == line.trim()) {
            return (*ugi).to_owned();
        }
        let has_moves = line.starts_with("bestmove ") || line.starts_with("info ");
        let Some(pass) = self.pass.filter(|_| has_moves && !line.starts_with("info string "))
        else {
            return line.to_owned();
        };
        let replaced = |word| if word == pass { "pass" } else { word };
        line.split(' ').map(replaced).collect::<Vec<_>>().join(" ")
    }
}

/// Hands lines on until the engine ends, or has had its time to end after `quit`.
pub(crate) fn run(words: &Words, args: &WordArgs) -> Result<(), Broken> {
    let command = EngineCommand::from_words(&args.engine).unwrap_or_default();
    let mut client = Client::start_showing(&command, true)?;
    let engine = client.listen()?;
    let (sender, mut input): (_, Receiver<Line>) = bounded(64);
    pipes::read_lines("input", io::stdin(), move |line| sender.send(line).is_ok())?;
    let mut sender =
        Sender { words, size: args.size, client, is_announced: false, last: String::new() };
    let (mut has_input, mut is_searching) = (true, false);
    let mut last_words: Option<Receiver<Instant>> = None;
    loop {
        select! {
            recv(engine) -> line => match line {
                Ok((line, _)) => {
                    let line = words.to_client(&pipes::text(line));
                    is_searching &= !line.starts_with("bestmove");
                    write(&line)?;
                }
                Err(_) if sender.last == "quit" => return Ok(()),
                Err(_) => return Err(sender.broken()),
            },
            recv(input) -> line => match line {
                Ok(line) => {
                    let line = pipes::text(line);
                    is_searching |= first_word(&line) == "go";
                    sender.send(&line)?;
                }
                Err(_) => (has_input, input) = (false, never()),
            },
            recv(last_words.as_ref().unwrap_or(&never())) -> _ => return Ok(()),
        }
        // Many engines of these protocols do not see the end of their input. One that still searches may finish.
        if !has_input && !is_searching && sender.last != "quit" {
            sender.send("quit")?;
        }
        if sender.last == "quit" {
            last_words.get_or_insert_with(|| after(LAST_WORDS));
        }
    }
}

/// The engine, as the client's lines reach it.
struct Sender<'a> {
    words: &'a Words,
    size: Option<u8>,
    client: Client,
    is_announced: bool,
    /// The last line that was sent.
    last: String,
}

impl Sender<'_> {
    /// Sends a line of the client in the engine's words, after the announcement of a game if it needs one.
    fn send(&mut self, line: &str) -> Result<(), Broken> {
        self.is_announced |= !self.words.announces_game || first_word(line) == "uginewgame";
        let unsaid = (!self.is_announced && first_word(line) == "position").then_some("uginewgame");
        self.is_announced |= unsaid.is_some();
        for line in unsaid.into_iter().chain([line]) {
            self.last = self.words.to_engine(line, self.size);
            self.client.send_line(&self.last).map_err(|_| self.broken())?;
        }
        Ok(())
    }

    fn broken(&mut self) -> Broken {
        Broken::Ended { command: self.last.clone(), end: self.client.how_it_ended() }
    }
}

fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
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
            (UAI, "position startpos moves g2 pass", "position startpos moves g2 0000"),
            (UAI, "setoption name pass value pass", "setoption name pass value pass"),
            (TEI, "position startpos moves pass", "position startpos moves pass"),
            (TEI, "", ""),
        ] {
            let size = (ugi == "uginewgame" && own.ends_with('6')).then_some(6);
            assert_eq!(words.to_engine(ugi, size), own);
        }
        assert_eq!(TEI.to_client("teiok"), "ugiok");
        assert_eq!(UAI.to_client("info string 0000"), "info string 0000");
        assert_eq!(UAI.to_client("bestmove 0000"), "bestmove pass");
        assert_eq!(UAI.to_client("info depth 2 pv f2 0000 g1"), "info depth 2 pv f2 pass g1");
    }
}
