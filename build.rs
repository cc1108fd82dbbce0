//! Builds the crate again when a text for people is added: `include_dir!` notices changes of known files only.

fn main() {
    #[expect(clippy::print_stdout, reason = "this is how a build script talks to cargo")]
    {
        println!("cargo::rerun-if-changed=src/games/guide");
    }
}
