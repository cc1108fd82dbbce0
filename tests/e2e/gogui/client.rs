//! GoGui's side of the dialogue.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::programs::{LEAP, LEAPD};

/// `leap gogui` with leapd.
pub(super) struct Gtp {
    pub(super) child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    commands: usize,
}

impl Gtp {
    pub(super) fn start(args: &[&str]) -> Gtp {
        let mut leap = Command::new(LEAP.as_str());
        leap.arg("gogui").args(args).args(["--", &LEAPD]);
        let mut child = leap.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Gtp { child, input, output, commands: 0 }
    }

    pub(super) fn write(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// The text of an answer; `Err` if it starts with `?`.
    pub(super) fn read(&mut self) -> Result<String, String> {
        let mut answer = String::new();
        while !answer.ends_with("\n\n") {
            assert!(self.output.read_line(&mut answer).unwrap() > 0, "it ended after {answer:?}");
        }
        let text = answer[1..].trim().to_owned();
        match &answer[..1] {
            "=" => Ok(text),
            "?" => Err(text),
            _ => panic!("{answer:?}"),
        }
    }

    pub(super) fn try_ask(&mut self, command: &str) -> Result<String, String> {
        self.commands += 1;
        self.write(command);
        self.read()
    }

    pub(super) fn ask(&mut self, command: &str) -> String {
        self.try_ask(command).unwrap_or_else(|error| panic!("{command}: {error}"))
    }
}

impl Drop for Gtp {
    fn drop(&mut self) {
        drop(self.input.take());
        let ended = self.child.wait().unwrap();
        assert!(ended.success() || std::thread::panicking(), "{ended}");
    }
}

/// GoGui with an attached program and ruler.
pub(super) struct Gogui {
    pub(super) program: Gtp,
    pub(super) ruler: Gtp,
    /// `b C3`, `w pass` and so on.
    played: Vec<String>,
}

impl Gogui {
    /// What GoGui sends when it attaches a program and a ruler.
    pub(super) fn attach(game: &str, options: &[&str]) -> Gogui {
        let args = [&["--game", game], options].concat();
        let (mut program, mut ruler) = (Gtp::start(&args), Gtp::start(&args));
        for gtp in [&mut program, &mut ruler] {
            assert_eq!(gtp.ask("protocol_version"), "2");
            let commands = gtp.ask("list_commands");
            for command in commands.lines() {
                assert_eq!(gtp.ask(&format!("known_command {command}")), "true");
            }
            assert!(gtp.ask("name").starts_with("leapd"));
            gtp.ask("version");
            assert!(gtp.ask("gogui-analyze_commands").contains("gfx/"));
        }
        let name = ruler.ask("gogui-rules_game_id");
        assert!(name.eq_ignore_ascii_case(game) && name.starts_with(char::is_uppercase));
        let size = ruler.ask("gogui-rules_board_size");
        program.ask(&format!("boardsize {size}"));
        program.ask("clear_board");
        let mut gogui = Gogui { program, ruler, played: Vec::new() };
        gogui.refresh();
        gogui
    }

    /// What GoGui asks the ruler after every change: it replays the whole game, then asks for everything it displays.
    pub(super) fn refresh(&mut self) {
        self.ruler.ask("clear_board");
        for play in &self.played {
            self.ruler.ask(&format!("play {play}"));
        }
        let stones = self.ruler.ask("gogui-rules_board");
        let size: usize = self.ruler.ask("gogui-rules_board_size").parse().unwrap();
        assert_eq!(stones.lines().count(), size);
        for row in stones.lines() {
            assert_eq!(row.split_whitespace().count(), size, "{stones}");
        }
        assert!(
            self.ruler.ask("gogui-rules_board_gfx").lines().last().unwrap().starts_with("TEXT")
        );
    }

    pub(super) fn side(&mut self) -> String {
        self.ruler.ask("gogui-rules_side_to_move")
    }

    /// The program plays a vertex; `false` if the game is over.
    pub(super) fn generate(&mut self) -> bool {
        let legal = self.ruler.ask("gogui-rules_legal_moves");
        if legal.is_empty() {
            return false;
        }
        let side = self.side();
        let vertex = self.program.ask(&format!("genmove {side}"));
        assert!(legal.split(' ').any(|word| word == vertex), "{vertex} is not in {legal}");
        self.played.push(format!("{} {vertex}", &side[..1]));
        self.refresh();
        true
    }
}
