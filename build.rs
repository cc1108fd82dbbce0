//! Builds the crate again when a text for people is added: `include_dir!` notices changes of known files only.

fn main() {
    println!("cargo::rerun-if-changed=src/games/guide");
}
