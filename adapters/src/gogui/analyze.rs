//! The commands that GoGui offers in its dialog of analyze commands.

use std::path::Path;

use leap_protocol::{OptionDecl, OptionKind};

use super::commands::GtpSession;
use super::gtp::Request;
use super::play::PlayError;
use crate::game::LevelArgs;

/// The commands of the dialog: type, label, command.
pub(super) const ANALYZE: &str = "gfx/Hint/leap-hint\n\
    param/Level/leap-level\n\
    param/Rule options/leap-options\n\
    gfx/Pieces/gogui-rules_board_gfx\n\
    plist/Legal vertices/gogui-rules_legal_moves\n\
    string/Position text/leap-position\n\
    hstring/Moves/leap-moves\n\
    string/Result/gogui-rules_final_result\n\
    string/Save record/leap-save %w";

impl GtpSession {
    /// The moves so far, one per line.
    pub(super) fn moves(&mut self) -> Result<String, PlayError> {
        self.play.sync(&mut self.game)?;
        let moves = self.game.moves().iter().zip(1..).map(|(mv, number)| format!("{number}. {mv}"));
        Ok(moves.collect::<Vec<_>>().join("\n"))
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
        let LevelArgs { movetime, depth, nodes } = &mut self.level;
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

    /// Without arguments, lists the rule options of the game; with a name and a value, sets one.
    pub(super) fn options(&mut self, request: &Request) -> Result<String, PlayError> {
        let Some(name) = request.args.first() else {
            let options = self.game.rule_options().iter();
            let lines = options.map(|(name, value)| match self.game.option(name) {
                Some(option) => parameter(option, value),
                None => format!("[string] {name} {value}"),
            });
            return Ok(lines.collect::<Vec<_>>().join("\n"));
        };
        let known = self.game.rule_options().iter().find(|(known, _)| known == name);
        let Some((name, before)) = known.cloned() else {
            return Err(PlayError::Illegal(format!("expected a rule option, found '{name}'")));
        };
        let value = request.args[1..].join(" ");
        let is_check = matches!(self.game.option(&name), Some(option) if is_check(option));
        let value = match value.as_str() {
            "1" if is_check => "true",
            "0" if is_check => "false",
            value => value,
        };
        self.set_rule(&name, value, &before)?;
        self.shared.publish(self.game.rule_options());
        Ok(String::new())
    }

    /// Sets a rule option and replays the game under it. If that cannot be, the option and the game stay.
    fn set_rule(&mut self, name: &str, value: &str, before: &str) -> Result<(), PlayError> {
        self.play.sync(&mut self.game)?;
        let played = self.play.played().to_vec();
        self.game.set_option(name, Some(value))?;
        let replayed = self.play.replay(&mut self.game, &played);
        if replayed.is_err() {
            self.game.set_option(name, Some(before))?;
            self.play.replay(&mut self.game, &played)?;
        }
        self.plan.clear();
        replayed
    }

    /// Takes over the rule options that another process of this command has set.
    pub(super) fn take_over_options(&mut self) {
        for (name, value) in self.shared.news() {
            let known = self.game.rule_options().iter().find(|(known, _)| *known == name);
            let Some((_, before)) = known.filter(|(_, before)| *before != value).cloned() else {
                continue;
            };
            if let Err(error) = self.set_rule(&name, &value, &before) {
                log::warn!("{name}={value}: {error:?}");
            }
        }
    }
}

/// An option as GoGui's dialogs describe a parameter.
fn parameter(option: &OptionDecl, value: &str) -> String {
    let name = &option.name;
    match &option.kind {
        OptionKind::Check { .. } => format!("[bool] {name} {}", u8::from(value == "true")),
        OptionKind::Combo { vars, .. } => format!("[list/{}] {name} {value}", vars.join("/")),
        _ => format!("[string] {name} {value}"),
    }
}

fn is_check(option: &OptionDecl) -> bool {
    matches!(option.kind, OptionKind::Check { .. })
}
