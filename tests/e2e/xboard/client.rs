//! XBoard's side of the dialogue, without its window.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::programs::{LEAP, LEAPD};

/// XBoard's side of the session, and what XBoard would display.
pub(super) struct Xboard {
    pub(super) child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    pings: usize,
    pongs: usize,
    /// Whether the word *Black* is lit, rather than *White*.
    pub(super) is_black_lit: bool,
    /// The last displayed position.
    pub(super) fen: String,
    /// How many positions were displayed.
    pub(super) positions: usize,
    /// The last displayed marks, by square.
    pub(super) marks: Vec<(String, char)>,
    pub(super) errors: Vec<String>,
    pub(super) result: Option<String>,
}

impl Xboard {
    /// Starts a game with leapd.
    pub(super) fn start(game: &str, args: &[&str]) -> Xboard {
        Xboard::start_with(game, args, &[&LEAPD])
    }

    /// Starts a game with another engine.
    pub(super) fn start_with(game: &str, args: &[&str], engine: &[&str]) -> Xboard {
        let mut leap = Command::new(LEAP.as_str());
        leap.args(["xboard", "--game", game]).args(args).arg("--").args(engine);
        let mut child = leap.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (fen, marks, errors) = Default::default();
        let output = BufReader::new(output);
        let (pings, pongs, positions, is_black_lit, result) = (0, 0, 0, false, None);
        let mut xboard = Xboard {
            child,
            input,
            output,
            pings,
            pongs,
            is_black_lit,
            fen,
            positions,
            marks,
            errors,
            result,
        };
        xboard.write("xboard\nprotover 2");
        while xboard.read() != "feature done=1" {}
        xboard.begin(game);
        xboard
    }

    /// What XBoard sends at the start of a game.
    pub(super) fn begin(&mut self, game: &str) {
        self.write(&format!("new\nrandom\nvariant {game}\nlevel 40 5 0\npost\nhard"));
        self.ping();
        while self.pongs < self.pings {
            self.read();
        }
        assert_eq!(
            self.positions, 0,
            "a position before the first pong makes XBoard forget the game"
        );
        self.sync();
    }

    pub(super) fn write(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    pub(super) fn read(&mut self) -> String {
        let mut line = String::new();
        assert!(self.output.read_line(&mut line).unwrap() > 0, "it ended");
        let line = line.trim_end().to_owned();
        match line.split_once(' ').unwrap_or((&line, "")) {
            ("setboard", fen) => {
                self.fen = fen.to_owned();
                self.positions += 1;
                self.marks.clear();
                self.is_black_lit = false;
                // XBoard begins another game, and tells the engine that the one before is over.
                if self.result.take().is_none() {
                    self.end_game("*");
                }
            }
            // While a ping is not answered, XBoard ignores moves.
            ("move", "@@@@") if self.pings == self.pongs => {
                self.is_black_lit = !self.is_black_lit;
                self.marks.clear();
            }
            ("move", "@@@@") => {}
            ("pong", number) => self.pongs = number.parse().unwrap(),
            ("highlight", rows) => self.marks = squares(rows),
            ("tellusererror", error) => self.errors.push(error.to_owned()),
            (score @ ("1-0" | "0-1" | "1/2-1/2"), _) => {
                self.end_game(score);
                self.result = Some(line.clone());
            }
            _ => {}
        }
        line
    }

    fn end_game(&mut self, score: &str) {
        self.write(&format!("result {score} {{}}\nforce"));
        self.ping();
    }

    fn ping(&mut self) {
        self.pings += 1;
        self.write(&format!("ping {}", self.pings));
    }

    /// Handles all pending lines. Another `ping` would have XBoard ignore moves, so something else is asked.
    pub(super) fn sync(&mut self) {
        let mut is_settled = false;
        while !is_settled {
            while self.pongs < self.pings {
                self.read();
            }
            self.write("protover 2");
            while self.read() != "feature done=1" {}
            is_settled = self.pongs == self.pings;
        }
    }

    /// Handles lines until the engine's move is marked, which may have come already.
    pub(super) fn wait_for_engine(&mut self) {
        while !self.marks.iter().any(|(_, mark)| *mark == 'B') {
            self.read();
        }
        self.sync();
    }

    pub(super) fn lift(&mut self, square: &str) -> Vec<(String, char)> {
        self.marks.clear();
        self.write(&format!("lift {square}"));
        self.sync();
        self.marks.clone()
    }

    pub(super) fn put(&mut self, square: &str) {
        self.write(&format!("hover {square}\nput {square}"));
        self.sync();
    }

    /// The squares with a piece, and the one beside the board if there is a piece to drop.
    pub(super) fn pieces(&self) -> Vec<String> {
        let (rows, hand) = match self.fen.split_once('[') {
            Some((rows, rest)) => (rows, !rest.starts_with(']')),
            None => (self.fen.split(' ').next().unwrap(), false),
        };
        let mut pieces: Vec<String> = squares(rows).into_iter().map(|(square, _)| square).collect();
        pieces.extend(hand.then(|| "z1".to_owned()));
        pieces
    }

    /// Picks up a piece that can move and puts it down on another square; returns whether there is one. The number
    /// selects which.
    pub(super) fn go_on(&mut self, number: usize, visited: &mut Vec<String>) -> bool {
        let pieces = self.pieces();
        for index in 0..pieces.len() {
            let square = &pieces[(index + number * 7) % pieces.len()];
            let before = self.positions;
            let marks = self.lift(square);
            if self.positions > before {
                // Lifting was the whole turn.
                return true;
            }
            let stop = marks.iter().find(|(_, mark)| *mark == 'Y');
            let targets = marks.iter().filter(|(to, mark)| *mark == 'R' && !visited.contains(to));
            let targets: Vec<_> = targets.collect();
            if let Some((to, _)) = stop.filter(|_| targets.is_empty() || number.is_multiple_of(3)) {
                visited.clear();
                self.put(to);
                return true;
            }
            if let Some((to, _)) = targets.get(number * 5 % targets.len().max(1)) {
                visited.push(square.clone());
                self.put(to);
                return true;
            }
        }
        false
    }

    /// Ends the session; returns the record.
    pub(super) fn quit(mut self, record: &Path) -> String {
        self.write("quit");
        assert!(self.child.wait().unwrap().success());
        std::fs::read_to_string(record).unwrap_or_default()
    }
}

/// The non-empty squares in rows of a position or of marks, from the lower left.
pub(super) fn squares(rows: &str) -> Vec<(String, char)> {
    let mut found = Vec::new();
    for (row, rank) in rows.split('/').rev().zip(1..) {
        let (mut file, mut run) = (0_u8, 0);
        for c in row.chars() {
            if let Some(digit) = c.to_digit(10) {
                run = run * 10 + digit as u8;
                continue;
            }
            file += run;
            run = 0;
            found.push((format!("{}{rank}", char::from(b'a' + file)), c));
            file += 1;
        }
    }
    found
}
