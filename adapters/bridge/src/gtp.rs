//! `leap bridge gtp`: an engine that speaks the Go Text Protocol, version 2.
//!
//! Black is p1, who moves first. The engine keeps its game: only what is new is sent, as `play` and `undo`.

mod answer;
mod clock;
mod vertex;

use std::collections::HashSet;

use leap_protocol::{Go, OptionDecl, OptionKind, Query, RESIGN, shown};

use crate::Program;
use crate::fault::{Broken, Fault, bad_argument, illegal_move, not_here, refusal};
use crate::link::Link;
use crate::ugi::Engine;
use answer::Wire;
use clock::{Setting, TimeLeft};
use vertex::{Letters, PASS};

/// The game whose engines know `komi`, and whose boards have 19 lines if nobody says otherwise.
const GO: &str = "go";
/// The most lines of a board: its files have letters.
const MOST_LINES: u8 = 25;
const DEFAULT_KOMI: &str = "7.5";

/// An engine that speaks the Go Text Protocol: Go, Hex, Othello, Gomoku.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct GtpArgs {
    /// The game that the engine plays.
    #[arg(long, value_name = "ID", default_value = GO)]
    game: String,
    /// The lines of the board; 0 leaves the board to the engine [default: 19 in Go, otherwise 0].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=i64::from(MOST_LINES)))]
    size: Option<u8>,
    /// The engine's words for the first and the second player.
    #[arg(long, value_name = "P1,P2", default_value = "black,white", value_parser = colours)]
    colours: [String; 2],
    /// The letters of the files: those of Go leave out I [default: go in Go and Gomoku, otherwise all].
    #[arg(long, value_enum)]
    letters: Option<Letters>,
    /// Let the engine say when the game is over and who has won. Without this option only the referee does.
    #[arg(long)]
    judge: bool,
    #[command(flatten)]
    program: Program,
}

fn colours(text: &str) -> Result<[String; 2], String> {
    match text.split_once(',') {
        Some((p1, p2)) if !p1.is_empty() && !p2.is_empty() => Ok([p1.to_owned(), p2.to_owned()]),
        _ => Err("expected two words, as in black,white".to_owned()),
    }
}

/// A running engine.
pub(crate) struct Gtp {
    wire: Wire,
    name: String,
    args: GtpArgs,
    letters: Letters,
    /// The commands that the engine knows.
    known: HashSet<String>,
    size: u8,
    default_size: u8,
    komi: String,
    /// The moves on the engine's board; `None` if it has to be set up first.
    played: Option<Vec<String>>,
    /// The kind of clock that the engine has been told of in this game.
    clock: Option<Setting>,
}

impl Gtp {
    /// Starts the engine and asks what it knows.
    pub(crate) fn start(args: &GtpArgs) -> Result<Self, Broken> {
        let mut wire = Wire::new(args.program.start()?);
        let version = wire.ask("protocol_version")?.unwrap_or_default();
        if !matches!(version.as_str(), "" | "1" | "2") {
            return Err(Broken::Unexpected {
                expected: "version 2 of GTP",
                found: shown(&version),
            });
        }
        let name = wire.ask("name")?.unwrap_or_else(|_| "GTP engine".to_owned());
        let version = wire.ask("version")?.unwrap_or_default();
        let known = wire.ask("list_commands")?.unwrap_or_default();
        let is_go = args.game == GO;
        let default_size = args.size.unwrap_or(if is_go { 19 } else { 0 });
        let has_gap = is_go || args.game == "gomoku";
        Ok(Self {
            name: shown(format!("{name} {version}").trim()),
            wire,
            letters: args.letters.unwrap_or(if has_gap { Letters::Go } else { Letters::All }),
            known: known.split_whitespace().map(str::to_owned).collect(),
            args: args.clone(),
            size: default_size,
            default_size,
            komi: DEFAULT_KOMI.to_owned(),
            played: None,
            clock: None,
        })
    }

    fn is_go(&self) -> bool {
        self.args.game == GO
    }

    /// Whether the engine has the command. One that lists none is believed to have all that GTP requires.
    fn knows(&self, command: &str) -> bool {
        self.known.contains(command)
    }

    /// The word for the player who moves after so many moves.
    fn colour(&self, plies: usize) -> &str {
        &self.args.colours[plies % 2]
    }

    /// Asks what the engine may not refuse.
    fn tell(&mut self, command: &str) -> Result<String, Fault> {
        self.wire.ask(command)?.map_err(|why| refusal(command, &why).into())
    }

    /// An empty board.
    fn set_up(&mut self) -> Result<(), Fault> {
        self.played = None;
        if self.size > 0 {
            let size = self.size;
            self.tell(&format!("boardsize {size}"))?;
        }
        if self.is_go() {
            let komi = self.komi.clone();
            self.tell(&format!("komi {komi}"))?;
        }
        self.tell("clear_board")?;
        self.played = Some(Vec::new());
        self.clock = None;
        Ok(())
    }

    /// Tells the engine how much time it has.
    fn tell_time(&mut self, go: &Go, plies: usize) -> Result<(), Fault> {
        let Some(TimeLeft { setting, seconds, stones }) = TimeLeft::of(go, plies) else {
            if self.clock.take().is_some() {
                // By GTP: no time limit.
                self.tell("time_settings 0 1 0")?;
            }
            return Ok(());
        };
        if self.clock != Some(setting) {
            self.tell(&setting.command(seconds, stones))?;
            self.clock = Some(setting);
        }
        if self.knows("time_left") {
            let colour = self.colour(plies).to_owned();
            self.tell(&format!("time_left {colour} {seconds} {stones}"))?;
        }
        Ok(())
    }

    /// Whether both players have passed in Go.
    fn is_over(&self) -> bool {
        let played = self.played.as_deref().unwrap_or_default();
        matches!(played, [.., one, two] if self.is_go() && one == PASS && two == PASS)
    }

    /// The result in the words of UGI. GTP says `B+3.5`, `W+Resign` or `0`.
    fn result(&mut self) -> Result<&'static str, Fault> {
        if !self.is_over() {
            return Ok("none");
        }
        let score = self.tell("final_score")?;
        match score.chars().next() {
            Some('B' | 'b') => Ok("p1win"),
            Some('W' | 'w') => Ok("p2win"),
            Some('0') => Ok("draw"),
            _ => {
                Err(Fault::Refused(not_here(format!("the engine's score is '{}'", shown(&score)))))
            }
        }
    }
}

impl Engine for Gtp {
    const QUIT: &str = "quit";

    fn link(&mut self) -> &mut Link {
        self.wire.link()
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn game(&self) -> &str {
        &self.args.game
    }

    fn options(&self) -> Vec<OptionDecl> {
        let size =
            OptionKind::Spin { default: self.default_size.into(), min: 0, max: MOST_LINES.into() };
        let mut options = vec![OptionDecl { name: "BoardSize".to_owned(), kind: size }];
        if self.is_go() {
            let komi = OptionKind::String { default: DEFAULT_KOMI.to_owned() };
            options.push(OptionDecl { name: "Komi".to_owned(), kind: komi });
        }
        options
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        let before = (self.size, self.komi.clone());
        match name {
            "BoardSize" => self.size = value.parse().unwrap_or_default(),
            _ if value.parse().is_ok_and(|komi: f64| komi.is_finite()) => {
                value.clone_into(&mut self.komi)
            }
            _ => return Err(bad_argument("expected a number").into()),
        }
        // The engine refuses now what it would refuse in the middle of a game.
        let set = self.set_up();
        if matches!(set, Err(Fault::Refused(_))) {
            (self.size, self.komi) = before;
        }
        set
    }

    fn new_game(&mut self) -> Result<(), Fault> {
        self.set_up()
    }

    fn played(&self) -> Option<&[String]> {
        self.played.as_deref()
    }

    fn back_to(&mut self, common: usize) -> Result<(), Fault> {
        let Some(surplus) = self.played.as_ref().map(|played| played.len() - common) else {
            return self.set_up();
        };
        if surplus > 0 && (surplus > common || !self.knows("undo")) {
            let clock = self.clock;
            self.set_up()?;
            // It is the same game.
            self.clock = clock;
            return Ok(());
        }
        for _ in 0..surplus {
            if self.wire.ask("undo")?.is_err() {
                return self.set_up();
            }
            if let Some(played) = &mut self.played {
                played.pop();
            }
        }
        Ok(())
    }

    fn play(&mut self, index: usize, mv: &str) -> Result<(), Fault> {
        let vertex = self.letters.vertex(mv);
        let vertex =
            vertex.ok_or_else(|| illegal_move(index, mv, "it is no point of the board"))?;
        let colour = self.colour(index - 1).to_owned();
        if let Err(why) = self.wire.ask(&format!("play {colour} {vertex}"))? {
            return Err(illegal_move(index, mv, &why).into());
        }
        if let Some(played) = &mut self.played {
            played.push(mv.to_owned());
        }
        Ok(())
    }

    fn choose(&mut self, go: &Go) -> Result<Option<String>, Fault> {
        if go.depth.is_some() || go.nodes.is_some() {
            let text = "GTP has no depth and no nodes: give the engine a clock, or its own option for a level";
            return Err(not_here(text).into());
        }
        let plies = self.plies();
        self.tell_time(go, plies)?;
        let colour = self.colour(plies).to_owned();
        let answer = self.tell(&format!("genmove {colour}"))?;
        if answer.eq_ignore_ascii_case(RESIGN) {
            return Ok(Some(RESIGN.to_owned()));
        }
        let Some(mv) = self.letters.square(&answer) else {
            // The engine has put something on its board that nobody can take back.
            self.played = None;
            let found = shown(&answer);
            return Err(Broken::Unexpected { expected: "a vertex", found }.into());
        };
        if let Some(played) = &mut self.played {
            played.push(mv.clone());
        }
        Ok(Some(mv))
    }

    fn extensions(&self) -> &'static [&'static str] {
        &[]
    }

    fn answer(&mut self, query: &Query) -> Result<Option<String>, Fault> {
        Ok(match query {
            Query::Game if self.is_go() => {
                Some(format!("{GO} BoardSize {} Komi {}", self.size, self.komi))
            }
            Query::Game => Some(format!("{} BoardSize {}", self.args.game, self.size)),
            // A client that hears nothing relies on its referee.
            Query::GameOver | Query::Result if !self.args.judge => None,
            Query::GameOver => Some(self.is_over().to_string()),
            Query::Result => Some(self.result()?.to_owned()),
            _ => return Err(not_here("GTP cannot answer this").into()),
        })
    }
}
