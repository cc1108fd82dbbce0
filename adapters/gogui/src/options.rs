//! Rule options as parameters of GoGui's dialogs.

use leap_protocol::{OptionDecl, OptionKind};

use super::commands::GtpSession;
use super::gtp::Request;
use super::plan::Plan;
use super::play::PlayError;

impl GtpSession {
    /// Without arguments, lists the rule options of the game; with a name and a value, sets one.
    pub(super) fn options(&mut self, request: &Request) -> Result<String, PlayError> {
        let Some(name) = request.args.first() else {
            let options = self.game.rule_options().iter();
            let lines = options.map(|(name, value)| self.parameter(name, value));
            return Ok(lines.collect::<Vec<_>>().join("\n"));
        };
        let is_meant = |known: &str| known == name || self.label(known) == *name;
        let known = self.game.rule_options().iter().find(|(known, _)| is_meant(known));
        let Some((name, before)) = known.cloned() else {
            return Err(PlayError::Illegal(format!("expected a rule option, found '{name}'")));
        };
        let value = request.args[1..].join(" ");
        let value = match (self.game.option(&name).is_some_and(is_check), value.as_str()) {
            (true, "1") => "true",
            (true, "0") => "false",
            (_, value) => value,
        };
        self.set_rule(&name, value, &before)?;
        self.shared.publish(self.game.rule_options());
        Ok(String::new())
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

    /// An option in the words of GoGui's dialogs: kind, name, value.
    fn parameter(&self, name: &str, value: &str) -> String {
        let label = self.label(name);
        match self.game.option(name).map(|option| &option.kind) {
            Some(OptionKind::Check { .. }) => {
                format!("[bool] {label} {}", u8::from(value == "true"))
            }
            Some(OptionKind::Combo { vars, .. }) => {
                format!("[list/{}] {label} {value}", vars.join("/"))
            }
            _ => format!("[string] {label} {value}"),
        }
    }

    /// The name of an option for people, with underscores, which GoGui shows as blanks.
    fn label(&self, name: &str) -> String {
        let label = self.game.rules().option(name).map_or(name, |option| &option.label);
        label.replace(' ', "_")
    }

    /// Sets a rule option and replays the game under it. If the game cannot be replayed, option and game stay.
    fn set_rule(&mut self, name: &str, value: &str, before: &str) -> Result<(), PlayError> {
        self.play.sync(&mut self.game)?;
        let played = self.play.played().to_vec();
        if !played.is_empty() && self.game.is_about_start(name) {
            let why = format!("{name} is about the start of a game: start a new game first");
            return Err(PlayError::Illegal(why));
        }
        self.game.set_option(name, Some(value))?;
        if played.is_empty() {
            self.game.begin_again()?;
        }
        let replayed = self.play.replay(&mut self.game, &played);
        if replayed.is_err() {
            self.game.set_option(name, Some(before))?;
            self.play.replay(&mut self.game, &played)?;
        }
        self.plan = Plan::default();
        replayed
    }
}

fn is_check(option: &OptionDecl) -> bool {
    matches!(option.kind, OptionKind::Check { .. })
}
