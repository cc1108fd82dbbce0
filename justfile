# What a contributor runs: `just` lists it, `just RECIPE` runs it. Nothing needs just: each recipe is a command or two.

# Arguments keep their blanks: they are "$@" in a recipe.
set positional-arguments

# Lists the recipes
default:
    @just --list --unsorted

# Builds leapd and leap, in target/release
build:
    cargo build --release

# Starts leapd: a session, or what the arguments say
run *ARGS:
    cargo run --release -p leapd -- "$@"

# Runs the tests
test:
    cargo test

# Runs tests of one package: just test-one leap-games laws::
test-one PACKAGE *ARGS:
    cargo test -p "$@"

# Formats Rust
format:
    cargo fmt --all

# Formats the JavaScript of the pages
format-pages:
    cd adapters && npx biome check --write

# Checks format, lints, documentation and licences
check:
    bash .ci/run quick

# Runs every check that a change must pass, or some stages: just ci test programs
ci *STAGES:
    bash .ci/run "$@"

# Lints the JavaScript of the pages and runs its unit tests
test-pages:
    npm --prefix adapters install --no-package-lock
    npm --prefix adapters run check
    npm --prefix adapters test

# Runs the tests of the Python client
test-python:
    python3 -m pytest

# Builds the module for Python, in target/native: just native --release
native *ARGS:
    adapters/python/native/build "$@"

# Writes the pages of the Python client into target/pdoc
doc-python:
    packaging/python-pages target/pdoc

# Runs the tests in browsers, terminals, XBoard and GoGui
test-programs *ARGS:
    cargo build
    cargo test -p leap-e2e "$@"

# Takes the pictures of programs in docs/images anew; needs a browser
pictures:
    cargo build
    cargo build --manifest-path examples/othello/Cargo.toml --target-dir target/examples
    LEAP_SCREENSHOTS=1 cargo test -p leap-e2e -- --include-ignored pictures:: play::a_turn_is_entered play::the_rules_are
    cp target/screenshots/web-docs-tactica.png docs/images/web-tactica.png
    cp target/screenshots/web-docs-rules.png docs/images/web-rules.png
    cp target/screenshots/web-docs-othello.png docs/images/web-othello.png
    cp target/screenshots/play-alquerque-victim.svg docs/images/play-alquerque.svg
    cp target/screenshots/play-alquerque-rules-4.svg docs/images/play-rules.svg

# Prints node counts of a fixed search of every game; tests/bench.txt holds them
bench:
    cargo run --release -p leapd -- bench

# Tries how many problems with a proved answer the search solves
suite *ARGS:
    cargo run --release -p leapd -- bench --suite "$@"

# Measures the speed of perft, of step-by-step entry and of matches
speed *ARGS:
    cargo bench -p leapd "$@"

# Compares perft with Stockfish's
perft-ratio *ARGS: build
    benches/perft-ratio "$@"

# Compares the time to answer with Stockfish's
isready-ratio *ARGS: build
    benches/isready-ratio "$@"

# Compares the match runner's own time with fastchess's
match-ratio *ARGS: build
    benches/match-ratio "$@"

# Compares the engine for browsers with leapd
wasm-ratio *ARGS: build wasm
    benches/wasm-ratio "$@"

# Compares the steps a second of environments with those of OpenSpiel and PettingZoo
environment-steps *ARGS: build (native "--release")
    benches/environment-steps "$@"

# Plays this build against an earlier commit: just strength eximo --change "..."
strength *ARGS:
    benches/strength/run "$@"

# Makes the tables and charts of the pages about strength from the rows in benches/strength
pages *ARGS:
    cargo run -p leap-strength -- "$@"

# Plays each level against the one below it, or against sparring players
ladder *ARGS:
    benches/strength/ladder "$@"

# Measures how the levels err
mistakes *ARGS: build
    benches/strength/mistakes "$@"

# Measures how soon Froglet is solved
exact *ARGS: build
    benches/strength/exact "$@"

# Checks the repository itself: dependencies, pages, prose, versions
test-repository *ARGS:
    cargo test -p leap-repository -- "$@"

# Redraws the picture of the crates in ARCHITECTURE.md
picture:
    LEAP_UPDATE=1 cargo test -p leap-repository picture

# Serves the page on this machine
page *ARGS:
    cargo run --release -p leap-adapters -- web "$@"

# Writes the website with the page that needs no server, and the npm package
site DIR='target/packages':
    packaging/release "$1" page

# Builds the engine for browsers and Node.js, in target/wasm
wasm:
    adapters/wasm/build

# Writes the page that needs no server, and builds what it needs
export-page DIR:
    adapters/wasm/export "$1"

# Builds the programs for Windows, in target/windows
windows:
    packaging/windows/build

# Builds the documentation of the crates and opens it
doc:
    cargo doc --workspace --no-deps --document-private-items --open

# Feeds one fuzz target for some seconds; needs a nightly toolchain and cargo-fuzz. `just ci fuzz` needs neither
fuzz TARGET SECONDS='60':
    cargo +nightly fuzz run "$1" -- -max_total_time="$2"

# Makes and tests learned evaluations: just train --help
train *ARGS:
    cargo run --release -p leap-train -- "$@"

# Builds what a release holds for this system
release DIR='target/packages' *PARTS='archive wheel deb page sums':
    packaging/release "$1" {{ PARTS }}

# Uses a wheel as a new user would
try-wheel WHEEL:
    packaging/try-wheel "$@"

# Uses a Debian package in a new Debian; needs root
try-deb DEB:
    packaging/try-deb "$@"

# Runs every command of README in a new Debian; needs root
try-readme *PROGRAMS:
    packaging/try-readme "$@"
