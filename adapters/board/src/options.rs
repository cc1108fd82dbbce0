//! The engine's options, including the rule options.

use leap_base::pairs::Pair;
use leap_client::ClientError;
use leap_protocol::payload::GameInfo;
use leap_protocol::{Command, OptionDecl, OptionKind, Query};

use super::Game;

impl Game {
    /// The engine's options.
    pub fn declared(&self) -> &[OptionDecl] {
        &self.session.info().options
    }

    /// The engine's option of this name, in any case of letters.
    pub fn option(&self, name: &str) -> Option<&OptionDecl> {
        self.session.info().option(name)
    }

    /// The rule options of the game, with their values.
    pub fn rule_options(&self) -> &[(String, String)] {
        &self.options
    }

    /// Sets an option, which may change the rules.
    ///
    /// # Errors
    /// [`ClientError::Refused`]; the option then keeps its value.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), ClientError> {
        self.stop()?;
        let first = self.depends_on_start(name).then(|| self.first_fen()).transpose()?;
        let setting = Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) };
        self.session.set_all([setting])?;
        self.pinned = first.or(self.pinned.take());
        if let Some(value) = value {
            self.remember_option(name, value);
        }
        self.look_at_options()?;
        self.look()
    }

    /// Remembers an option, in case the engine is restarted.
    fn remember_option(&mut self, name: &str, value: &str) {
        self.args.option.retain(|pair| !pair.key.eq_ignore_ascii_case(name));
        self.args.option.push(Pair { key: name.to_owned(), value: value.to_owned() });
    }

    /// Whether this option may decide how a game starts. Only options with texts do (SPEC 8.4, 8.10).
    pub fn is_about_start(&self, name: &str) -> bool {
        let option = self.option(name);
        option.is_some_and(|option| matches!(option.kind, OptionKind::String { .. }))
    }

    /// Whether a change of this option must not change the game that has begun.
    fn depends_on_start(&self, name: &str) -> bool {
        self.is_about_start(name) && self.first().is_none() && !self.moves.is_empty()
    }

    /// The text of the position that the game began with.
    fn first_fen(&mut self) -> Result<String, ClientError> {
        let ply = self.ply;
        self.position(0)?;
        let fen = self.fen.clone();
        self.position(ply)?;
        Ok(fen)
    }

    /// Asks which game is in play and by which rules, if the engine answers such queries.
    pub(super) fn look_at_options(&mut self) -> Result<(), ClientError> {
        if self.session.supports("game") {
            let info: GameInfo = self.session.ask_for(Query::Game)?;
            (self.id, self.options) = (info.game, info.options.0);
        }
        Ok(())
    }
}
