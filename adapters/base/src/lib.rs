//! What the programs around UGI engines need besides engines: the terminal, files and settings.

pub mod files;
pub mod pairs;
pub mod terminal;
