//! Certificates: what each side can force from a position, and the positions of the proof.
//!
//! [`Knowledge::read`] checks a certificate without a search, and keeps what it proves. The crate `leap-solve` makes
//! them.

mod check;
mod format;
mod knowledge;

pub use check::{CheckError, Checked, rules};
pub use format::{
    Claim, FormatError, Head, Record, read_claim, read_head, write_claim, write_head,
};
pub use knowledge::Knowledge;
