//! The commands that GoGui offers in its dialog of analyze commands.

use std::path::Path;

use leap_board::{LimitArgs, best_first, exact_text};

use super::commands::GtpSession;
use super::gtp::{Colour, Request};
use super::guide;
use super::play::PlayError;

/// The commands of the dialog: type, label, command.
const ANALYZE: &str = "gfx/Hint/leap-hint\n\
    param/Level/leap-level\n\
    param/Rule options/leap-options\n\
    gfx/Turn/gogui-rules_board_gfx\n\
    gfx/Why not there/leap-why %p\n\
    plist/Legal vertices/gogui-rules_legal_moves\n\
    string/Position text/leap-position\n\
    hstring/Moves/leap-moves\n\
    hstring/Exact values/leap-value\n\
    string/Result/gogui-rules_final_result\n\
    string/Save record/leap-save %w";

impl GtpSession {
    /// The commands of the dialog, and one for the rules in each language of the engine.
    pub(super) fn analyze_commands(&self) -> String {
        let guide = |language: &String| match *language == self.game.rules().language {
            true => "hstring/How to play/leap-rules\n".to_owned(),
            false => format!("hstring/How to play ({language})/leap-rules {language}\n"),
        };
        let guides: String = self.game.rules().languages.iter().map(guide).collect();
        guides + ANALYZE
    }

    /// The rules, in a language if one is given.
    pub(super) fn rules(&mut self, request: &Request) -> Result<String, PlayError> {
        let rules = self.game.ask_rules(request.args.first().map(String::as_str))?;
        if rules.clauses.is_empty() {
            return Err(PlayError::Illegal("the engine does not explain its game".to_owned()));
        }
        Ok(guide::text(self.game.board(), &rules))
    }

    /// The moves so far, one per line.
    pub(super) fn moves(&mut self) -> Result<String, PlayError> {
        self.play.sync(&mut self.game)?;
        let moves = self.game.moves().iter().zip(1..).map(|(mv, number)| format!("{number}. {mv}"));
        Ok(moves.collect::<Vec<_>>().join("\n"))
    }

    /// The exact value of the position, and of each known move.
    pub(super) fn values(&mut self) -> Result<String, PlayError> {
        self.play.sync(&mut self.game)?;
        let Some(values) = self.game.values()? else {
            return Err(PlayError::Illegal("this engine knows no exact values".to_owned()));
        };
        let mover = self.game.status().turn;
        let [own, other] = [mover, mover.other()].map(|side| Colour(side).to_string());
        let position = exact_text(values.position, &own, &other);
        let moves = best_first(values).into_iter();
        let moves = moves.map(|(mv, exact)| format!("{mv}: {}", exact_text(exact, &own, &other)));
        Ok(std::iter::once(position).chain(moves).collect::<Vec<_>>().join("\n"))
    }

    pub(super) fn save(&mut self, request: &Request) -> Result<String, PlayError> {
        self.play.sync(&mut self.game)?;
        // A path with blanks is quoted.
        let path = request.args.join(" ");
        let path = path.trim_matches('"');
        if path.is_empty() {
            return Err(PlayError::Illegal("expected the name of a file".to_owned()));
        }
        let saved = self.game.save(Path::new(path), ["black", "white"]);
        saved.map_err(|error| PlayError::Illegal(format!("{error:#}")))?;
        Ok(format!("saved in {path}"))
    }

    /// Without arguments, lists the resource limits; with a name and a number, sets one (0: no limit).
    pub(super) fn set_level(&mut self, request: &Request) -> Result<String, PlayError> {
        let LimitArgs { movetime, depth, nodes } = &mut self.level;
        let Some(name) = request.args.first() else {
            let (movetime, depth) = (movetime.unwrap_or(0), depth.unwrap_or(0));
            let nodes = nodes.unwrap_or(0);
            return Ok(format!(
                "[string] movetime {movetime}\n[string] depth {depth}\n[string] nodes {nodes}"
            ));
        };
        let value: u32 = request.arg(1, "a number")?;
        let given = (value > 0).then_some(value);
        match name.as_str() {
            "movetime" => *movetime = given.map(u64::from),
            "depth" => *depth = given,
            "nodes" => *nodes = given.map(u64::from),
            _ => {
                let why = format!("expected movetime, depth or nodes, found '{name}'");
                return Err(PlayError::Illegal(why));
            }
        }
        Ok(String::new())
    }
}
