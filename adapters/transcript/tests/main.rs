//! Transcripts: their format, and how lines are compared. A single program: it is linked once.

mod format;
mod rules;
