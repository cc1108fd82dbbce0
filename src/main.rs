//! The `leapd` command.
fn main() {}
