//! The real XBoard on a virtual screen, used with the mouse. Needs the programs `xboard`, `Xvfb`, `xdotool` and
//! `import` (Debian: xboard, xvfb, xdotool, imagemagick); without them these tests are skipped, with a message.
//!
//! With `LEAP_SCREENSHOTS=1`, screenshots are left in `target/screenshots`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use leap_testing::skip;

use super::{BLACK_BEGINS, only_game};
use crate::programs::{LEAP, LEAPD, screenshots, wait_until};

const PROGRAMS: [&str; 4] = ["/usr/games/xboard", "Xvfb", "xdotool", "import"];
/// A small screen, in pixels.
const SCREEN: (f64, f64) = (1366.0, 768.0);
/// XBoard's margin around the board, in pixels.
const MARGIN: f64 = 2.0;

/// XBoard on its own screen.
struct Desktop {
    screen: Child,
    display: String,
    xboard: Child,
    folder: tempfile::TempDir,
    /// Files of the board, and squares to the left of it.
    columns: (usize, usize),
}

impl Drop for Desktop {
    fn drop(&mut self) {
        let _ = self.xboard.kill();
        let _ = self.screen.kill();
        let _ = (self.xboard.wait(), self.screen.wait());
    }
}

/// Whether all programs are installed.
fn has_programs() -> bool {
    let have = |program: &&str| {
        let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
        found.is_ok_and(|found| found.status.success())
    };
    let missing = PROGRAMS.iter().find(|program| !have(program));
    if let Some(program) = missing {
        let name = program.rsplit('/').next().unwrap();
        skip(name, "Debian: apt-get install xboard xvfb xdotool imagemagick");
    }
    missing.is_none()
}

/// A screen, and the name of the display.
fn start_screen() -> (Child, String) {
    let mut screen = Command::new("Xvfb");
    let size = format!("{}x{}x24", SCREEN.0, SCREEN.1);
    screen.args(["-displayfd", "1", "-screen", "0", &size]);
    let mut screen = screen.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut number = String::new();
    BufReader::new(screen.stdout.take().unwrap()).read_line(&mut number).unwrap();
    (screen, format!(":{}", number.trim()))
}

/// A program `xboard` that makes XBoard log its dialogue.
///
/// On a busy machine XBoard may measure its window too early. Clicks then hit other squares until somebody resizes the
/// window. With `fixedSize` XBoard keeps the size that it was given.
fn write_wrapper(folder: &Path) {
    let path = folder.join("xboard");
    let log = folder.join("debug");
    let text = format!(
        "#!/bin/sh\nexec /usr/games/xboard \"$@\" -fixedSize true -debugMode true -nameOfDebugFile '{}'\n",
        log.display()
    );
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

impl Desktop {
    /// Starts a game in XBoard. `columns` are the files of the board and the squares to its left.
    fn launch(game: &str, columns: (usize, usize), args: &[&str]) -> Desktop {
        let folder = tempfile::tempdir().unwrap();
        let (screen, display) = start_screen();
        write_wrapper(folder.path());
        let path = std::env::var("PATH").unwrap();
        let mut launch = Command::new(LEAP.as_str());
        launch.args(["xboard", "--launch", "--game", game, "--depth", "3", "--record"]);
        launch.arg(folder.path().join("games.ugr")).args(args).args(["--", &LEAPD]);
        launch.env("PATH", format!("{}:{path}", folder.path().display()));
        launch.env("DISPLAY", &display).env("HOME", folder.path()).current_dir(folder.path());
        let xboard = launch.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let desktop = Desktop { screen, display, xboard, folder, columns };
        desktop.wait_for("the start position", |said| said.contains(" <first : setboard "));
        desktop.wait_for_window();
        desktop
    }

    /// XBoard's dialogue so far.
    fn said(&self) -> String {
        let bytes = fs::read(self.folder.path().join("debug")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn wait_for(&self, what: &str, is_so: impl Fn(&str) -> bool) {
        wait_until(|| {
            let said = self.said();
            if is_so(&said) { Ok(()) } else { Err(format!("waiting for {what} after\n{said}")) }
        });
    }

    fn xdotool(&self, args: &[&str]) -> String {
        let mut xdotool = Command::new("xdotool");
        let done = xdotool.args(args).env("DISPLAY", &self.display).output().unwrap();
        String::from_utf8(done.stdout).unwrap()
    }

    /// The window and its width and height, in pixels.
    fn window(&self) -> Option<(String, f64, f64)> {
        let found = self.xdotool(&["search", "--onlyvisible", "--name", "leapd"]);
        let window = found.lines().next()?.to_owned();
        let shape = self.xdotool(&["getwindowgeometry", "--shell", &window]);
        let size =
            |name: &str| shape.lines().find_map(|line| line.strip_prefix(name)?.parse().ok());
        Some((window, size("WIDTH=")?, size("HEIGHT=")?))
    }

    /// Waits until the window is there and its size has settled.
    fn wait_for_window(&self) {
        let mut before = None;
        wait_until(|| {
            sleep(Duration::from_millis(250));
            let now = self.window();
            let is_steady = now.is_some() && now == before;
            before = now;
            is_steady.then_some(()).ok_or_else(|| "XBoard shows no window".to_owned())
        });
        let (_, width, height) = self.window().unwrap();
        assert!(width <= SCREEN.0 && height <= SCREEN.1, "the window is {width}x{height}");
    }

    /// Clicks on a square, and waits until XBoard has reported it.
    fn click(&self, square: &str) {
        let before = self.said().len();
        let (window, width, height) = self.window().unwrap();
        let (files, left) = self.columns;
        let size = (width - 2.0 * MARGIN) / (files + 2 * left) as f64;
        let file = f64::from(square.as_bytes()[0] - b'a') + left as f64;
        let rank: f64 = square[1..].parse().unwrap();
        let x = MARGIN + size * (file + 0.5);
        let y = height - MARGIN - size * (rank - 0.5);
        let (x, y) = (format!("{x:.0}"), format!("{y:.0}"));
        self.xdotool(&["mousemove", "--window", &window, &x, &y]);
        sleep(Duration::from_millis(100));
        self.xdotool(&["click", "1"]);
        let has_told =
            |said: &str| said[before..].contains(" lift ") || said[before..].contains(" put ");
        self.wait_for(&format!("a click on {square}"), has_told);
        let said = self.said();
        let names = |verb: &str| said[before..].contains(&format!(" {verb} {square}\n"));
        assert!(
            names("lift") || names("put"),
            "XBoard took a click on {square} for another:\n{said}"
        );
        let is_answered = |said: &str| {
            let new = &said[before..];
            let lifted = new.find(" lift ").is_some_and(|at| new[at..].contains("<first : "));
            let put = new.find(" put ").is_some_and(|at| new[at..].contains("<first : setboard"));
            lifted || put
        };
        self.wait_for(&format!("an answer to a click on {square}"), is_answered);
        // XBoard takes two quick clicks for a double click, GTK those within 250 ms.
        sleep(Duration::from_millis(300));
    }

    /// Waits for the move that the engine has marked.
    fn wait_for_answer(&self) {
        let marks = |line: &str| line.contains("<first : highlight ") && line.contains('B');
        self.wait_for("the engine's move", |said| said.lines().any(marks));
        sleep(Duration::from_millis(300));
    }

    /// Waits until the word *White* or *Black* above the board is the one that is lit: white on black.
    fn wait_until_lit(&self, colour: &str) {
        let (window, width, _) = self.window().unwrap();
        // The places are beside the words. Each word stands at the left of one half of a row below the menu.
        let is_dark = |part: f64| {
            let place = format!("1x1+{:.0}+60", width * part);
            let mut import = Command::new("import");
            import.args(["-window", &window, "-crop", &place, "-depth", "8", "txt:-"]);
            let done = import.env("DISPLAY", &self.display).output().unwrap();
            String::from_utf8_lossy(&done.stdout).contains("#000000")
        };
        wait_until(|| match (is_dark(0.45), is_dark(0.95)) {
            (white, black) if white == (colour == "white") && black != white => Ok(()),
            lit => Err(format!("{colour} is to move; lit are white, black: {lit:?}")),
        });
    }

    /// Saves a screenshot.
    fn picture(&self, name: &str) {
        let (Some(folder), Some((window, ..))) = (screenshots(), self.window()) else { return };
        let mut import = Command::new("import");
        import.args(["-window", &window]).arg(folder.join(format!("xboard-{name}.png")));
        import.env("DISPLAY", &self.display).status().unwrap();
    }

    /// Closes XBoard; returns the moves of the saved game.
    fn close(mut self) -> Vec<String> {
        let (window, ..) = self.window().unwrap();
        self.xdotool(&["key", "--window", &window, "ctrl+q"]);
        wait_until(|| {
            let ended = self.xboard.try_wait().unwrap();
            ended.ok_or_else(|| "XBoard does not end".to_owned())
        });
        let record = self.folder.path().join("games.ugr");
        let text = fs::read_to_string(record).unwrap();
        only_game(&text).1
    }
}

/// Plays a turn with the mouse, gets an answer, and checks the record.
fn play(game: &str, columns: (usize, usize), fen: Option<&str>, clicks: &str, expected: &str) {
    if !has_programs() {
        return;
    }
    let args: Vec<&str> = fen.iter().flat_map(|fen| ["--fen", *fen]).collect();
    let desktop = Desktop::launch(game, columns, &args);
    let first = if BLACK_BEGINS.contains(&game) { "black" } else { "white" };
    desktop.wait_until_lit(first);
    let clicks: Vec<&str> = clicks.split(' ').collect();
    for (index, square) in clicks.iter().enumerate() {
        desktop.click(square);
        if index == clicks.len() / 2 {
            desktop.picture(&format!("{expected}-in-turn"));
        }
    }
    desktop.wait_for_answer();
    desktop.wait_until_lit(first);
    desktop.picture(&format!("{expected}-answered"));
    let said = desktop.said();
    assert!(!said.contains("tellusererror") && !said.contains("Illegal"), "{said}");
    let moves = desktop.close();
    assert_eq!((moves[0].as_str(), moves.len()), (expected, 2));
}

#[test]
fn two_hops_take_two_men_in_alquerque() {
    let fen = "5/1m1m1/5/1m1m1/Mm2m 1 - 0 10";
    play("alquerque", (5, 0), Some(fen), "a1 c3 c3 e5", "a1c3e5");
}

#[test]
fn a_second_click_on_a_square_ends_the_turn_there() {
    let fen = "5/1m1m1/5/Mm1m1/Mm2m 1 - 0 10";
    play("alquerque", (5, 0), Some(fen), "a1 c3 c3 c3", "a1c3");
}

#[test]
fn drops_come_from_beside_the_board_in_eximo() {
    let fen = "8/4M3/8/m7/8/8/8/1M6 1 - 3 20";
    play("eximo", (8, 2), Some(fen), "e7 e8 j1 c1 j1 g2", "e7e8@c1@g2");
}

#[test]
fn two_hops_and_a_drop_make_a_turn_in_sapos() {
    let fen = "2mmm3/2mmm3/2m5/8/8/3M1MM1/3MM1M1/8 1 1 5 5";
    play("sapos", (8, 2), Some(fen), "d2 f2 f2 d2 j1 d1", "d2f2d2@d1");
}

#[test]
fn black_stays_lit_for_two_turns_in_a_row_in_sapos() {
    if !has_programs() {
        return;
    }
    let desktop = Desktop::launch("sapos", (8, 2), &["--side", "both"]);
    desktop.wait_until_lit("white");
    for (clicks, lit) in
        [("d2 d4 j1 d5", "black"), ("d7 f7 j2 f8", "black"), ("e7 e5 j2 e4", "white")]
    {
        for square in clicks.split(' ') {
            desktop.click(square);
        }
        desktop.wait_until_lit(lit);
        desktop.picture(&format!("sapos-{lit}-lit"));
    }
    assert_eq!(desktop.close(), ["d2d4@d5", "d7f7@f8", "e7e5@e4"]);
}

#[test]
fn the_second_player_is_lit_as_white_in_eximo() {
    if !has_programs() {
        return;
    }
    let desktop = Desktop::launch("eximo", (8, 2), &["--side", "p2"]);
    desktop.wait_for_answer();
    desktop.wait_until_lit("white");
    desktop.picture("eximo-second");
}

#[test]
fn the_first_frog_is_taken_by_picking_it_up_in_froglet() {
    play("froglet", (12, 0), None, "d6", "xd6");
}

#[test]
fn frogs_hop_twice_in_froglet() {
    let fen = "GGYGYGGRRYYG/YGGYYRGGRY1Y/GGRGRGGRYG1G/GRGGRY2G1Y1/RRY1G2G1Y2/Y2G3G3Y/RG1G6G1/GYG6G2/\
               RYG1R1G5/YGGGG1R4Y/GGYGGBB2RRY/YYGGYYGYGYRY 1 45-44 0 34";
    play("froglet", (12, 0), Some(fen), "d3 f3 f3 h3", "d3f3h3");
}

#[test]
fn pieces_slide_in_tactica() {
    play("tactica", (8, 2), None, "a1 a4", "a1a4");
}
