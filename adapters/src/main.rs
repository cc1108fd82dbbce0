//! The `leap` command.
fn main() {}
