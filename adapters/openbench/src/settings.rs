//! What the worker cannot say: `leap-openbench.toml` in the folder that the worker runs in.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::Context as _;
use leap_base::files;
use serde::Deserialize;

/// The name of the file.
pub(crate) const FILE: &str = "leap-openbench.toml";
/// The longest file that is accepted.
const MAX_BYTES: u64 = 1 << 16;

/// The settings; what is absent has a default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    /// The command line of the engine that checks moves and results; `none` to rely on the players.
    pub(crate) referee: Option<String>,
    /// How long a reply that needs no thinking may take, in milliseconds.
    pub(crate) patience: Option<u64>,
    /// How long a search without a time limit may take, in milliseconds.
    pub(crate) stall: Option<u64>,
}

/// Reads the settings of a folder; a file that is absent says nothing.
///
/// # Errors
/// If the file is there and has another form.
pub(crate) fn read(folder: &Path) -> anyhow::Result<Settings> {
    let path = folder.join(FILE);
    let text = match files::read_text(&path, MAX_BYTES) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Settings::default()),
        read => read.with_context(|| format!("cannot read {FILE}"))?,
    };
    toml::from_str(&text).with_context(|| format!("in {FILE}"))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn settings_are_read_where_there_are_some() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(read(dir.path()).unwrap(), Settings::default());
        fs::write(dir.path().join(FILE), "referee = \"leapd\"\npatience = 500\n").unwrap();
        let expected =
            Settings { referee: Some("leapd".to_owned()), patience: Some(500), stall: None };
        assert_eq!(read(dir.path()).unwrap(), expected);
        fs::write(dir.path().join(FILE), "judge = \"leapd\"\n").unwrap();
        assert!(format!("{:#}", read(dir.path()).unwrap_err()).contains("judge"));
    }
}
