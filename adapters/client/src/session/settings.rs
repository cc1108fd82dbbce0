//! Options, the game, and the position.

use leap_protocol::Command;

use super::Session;
use crate::{ClientError, PositionCommand};

impl Session {
    /// Sets an option to a value that the engine announces ([`EngineInfo::setting`](crate::EngineInfo::setting)).
    ///
    /// # Errors
    /// As [`EngineInfo::setting`](crate::EngineInfo::setting) and [`Session::ready`].
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        let setting = self.info.setting(name, value)?;
        self.set_all([setting])
    }

    /// Sets an option if the engine announces it.
    ///
    /// # Errors
    /// As [`Session::set`].
    pub fn set_if_known(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        match self.set(name, value) {
            Err(ClientError::NoSuchOption { .. }) => Ok(()),
            set => set,
        }
    }

    /// Sends several [settings](crate::EngineInfo::setting) before it waits for the engine: some engines take no more
    /// options after the first `isready`.
    ///
    /// # Errors
    /// As [`Session::ready`].
    pub fn set_all(
        &mut self,
        settings: impl IntoIterator<Item = Command>,
    ) -> Result<(), ClientError> {
        settings.into_iter().try_for_each(|setting| self.send(&setting.to_string()))?;
        self.ready()
    }

    /// Sets the game, whose name is taken in any case of letters.
    ///
    /// # Errors
    /// [`ClientError::OneGame`] if the engine has no option for it, [`ClientError::NoSuchGame`]; otherwise as
    /// [`Session::set`].
    pub fn set_game(&mut self, game: &str) -> Result<(), ClientError> {
        let id = self.info.game(game)?;
        match self.info.game_option().map(|option| option.name.clone()) {
            Some(name) => self.set(&name, &id),
            None => Err(ClientError::OneGame(id)),
        }
    }

    /// Tells the engine that the next position belongs to another game.
    ///
    /// # Errors
    /// As [`Session::ready`].
    pub fn new_game(&mut self) -> Result<(), ClientError> {
        self.settle()?;
        self.send(&Command::NewGame(self.dialect).to_string())?;
        self.ready()
    }

    /// Sets up a position.
    ///
    /// # Errors
    /// As [`Session::ready`]; the engine refuses a position that is not legal.
    pub fn set_up(&mut self, position: &PositionCommand) -> Result<(), ClientError> {
        self.send(position.as_str())?;
        self.ready()
    }
}
