//! `leap play` in a terminal, used like a person does: send keys, read the screen.
//!
//! Screenshots are left in `target/screenshots`.

mod picture;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use leap_adapters::records::Record;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use vt100::Parser;

use crate::programs::{LEAP, LEAPD, kill_engines_of, wait_until};

const ENTER: &str = "\r";
const TAB: &str = "\t";
const ESCAPE: &str = "\u{1b}";
const UP: &str = "\u{1b}[A";
const RIGHT: &str = "\u{1b}[C";
const LEFT: &str = "\u{1b}[D";

/// The program and its terminal.
struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keyboard: Box<dyn Write + Send>,
    screen: Arc<Mutex<Parser>>,
    master: Box<dyn MasterPty + Send>,
    folder: tempfile::TempDir,
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Terminal {
    fn start(game: &str, args: &[&str]) -> Terminal {
        let folder = tempfile::tempdir().unwrap();
        let pty = native_pty_system().openpty(size(24, 80)).unwrap();
        let mut command = CommandBuilder::new(LEAP.as_str());
        command.args(["play", "--game", game, "--depth", "2", "--record"]);
        command.arg(folder.path().join("games.ugr"));
        command.args(args);
        command.args(["--", &LEAPD]);
        command.env("TERM", "xterm-256color");
        command.env_remove("NO_COLOR");
        let child = pty.slave.spawn_command(command).unwrap();
        let screen = Arc::new(Mutex::new(Parser::new(24, 80, 0)));
        let (mut output, shown) = (pty.master.try_clone_reader().unwrap(), Arc::clone(&screen));
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                shown.lock().unwrap().process(&bytes[..count]);
            }
        });
        let keyboard = pty.master.take_writer().unwrap();
        let terminal = Terminal { child, keyboard, screen, master: pty.master, folder };
        terminal.wait_for("> _");
        terminal
    }

    fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    fn wait_until(&self, what: &str, is_so: impl Fn(&str) -> bool) -> String {
        wait_until(|| {
            let text = self.text();
            if is_so(&text) { Ok(text) } else { Err(format!("waiting for {what}:\n{text}")) }
        })
    }

    fn wait_for(&self, part: &str) -> String {
        self.wait_until(part, |text| text.contains(part))
    }

    fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    fn enter(&mut self, line: &str) {
        self.press(&format!("{line}{ENTER}"));
    }

    fn resize(&self, rows: u16, columns: u16) {
        self.screen.lock().unwrap().screen_mut().set_size(rows, columns);
        self.master.resize(size(rows, columns)).unwrap();
    }

    fn picture(&self, name: &str) {
        picture::save(self.screen.lock().unwrap().screen(), &format!("play-{name}"));
    }

    /// Quits; returns the text of the recorded games.
    fn quit_with_text(mut self) -> String {
        self.press("\u{11}");
        assert!(self.child.wait().unwrap().success());
        std::fs::read_to_string(self.folder.path().join("games.ugr")).unwrap_or_default()
    }

    /// Quits; returns the recorded games.
    fn quit(self) -> Vec<Record> {
        Record::parse_all(&self.quit_with_text()).unwrap()
    }
}

/// The record of a game of the engine against itself.
pub(crate) fn whole_game(game: &str) -> String {
    let terminal = Terminal::start(game, &["--side", "none"]);
    terminal.wait_until("the end", |text| text.contains(" wins: ") || text.contains("draw: "));
    terminal.quit_with_text()
}

fn size(rows: u16, cols: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn moves(record: &Record) -> Vec<&str> {
    record.plies.iter().map(|ply| ply.mv.as_str()).collect()
}

#[test]
fn squares_are_picked_with_keys_and_the_engine_answers() {
    let mut terminal = Terminal::start("eximo", &[]);
    // The first piece that can move is b1; the first of its targets is one square above.
    terminal.press(&format!("{TAB} "));
    terminal.wait_for("go to a marked square");
    terminal.press(TAB);
    terminal.picture("eximo-picked");
    terminal.press(ENTER);
    let text =
        terminal.wait_until("two moves", |text| text.contains("  2 ") && !text.contains('…'));
    assert!(text.contains("black is to move") && text.contains("for white at depth 2"), "{text}");
    terminal.picture("eximo-answered");
    let games = terminal.quit();
    assert_eq!((games.len(), moves(&games[0]).len()), (1, 2));
    assert_eq!((games[0].tag("Result"), games[0].tag("Reason")), (Some("*"), None));
}

#[test]
fn whole_games_are_watched_to_their_ends() {
    for &game in leapd::games::GameId::NAMES {
        let terminal = Terminal::start(game, &["--side", "none"]);
        terminal.wait_until("the end", |text| text.contains(" wins: ") || text.contains("draw: "));
        terminal.picture(&format!("{game}-over"));
        let games = terminal.quit();
        assert_eq!((games.len(), games[0].tag("Game")), (1, Some(game)));
        assert_ne!(games[0].tag("Reason"), None);
    }
}

#[test]
fn a_turn_is_entered_step_by_step_and_may_stop() {
    let fen = "5/1m1m1/5/1m1m1/M3m 1 - 0 10";
    let mut terminal = Terminal::start("alquerque", &["--side", "both", "--fen", fen]);
    terminal.enter("a1c3");
    // A typed move that may end is made at once; entered with keys, it has to be confirmed.
    terminal.enter("undo");
    terminal.wait_until("taken back", |text| !text.contains("1 a1c3"));
    terminal.press(ENTER);
    terminal.wait_for("a1> ");
    terminal.press(&format!("{TAB}{TAB}{TAB}"));
    terminal.wait_until("a victim", |text| text.contains("x●x"));
    terminal.picture("alquerque-victim");
    terminal.press(ESCAPE);
    terminal.wait_for("move> ");
    terminal.press(&format!("{UP}{ENTER}"));
    terminal.wait_for("c4: ");
    terminal.enter("redo");
    terminal.wait_for("1 a1c3");
    let games = terminal.quit();
    assert_eq!(moves(&games[0]), ["a1c3"]);
}

#[test]
fn drops_are_typed_or_picked() {
    let fen = "8/4M3/8/m7/8/8/8/1M6 1 - 3 20";
    let mut terminal = Terminal::start("eximo", &["--side", "both", "--fen", fen]);
    terminal.enter("e7e8");
    terminal.wait_for("drop a man on a marked square of your first two rows: 1 of 2");
    terminal.enter("c1");
    terminal.wait_for("drop a man on a marked square of your first two rows: 2 of 2");
    terminal.press(&format!("{TAB}{ENTER}"));
    terminal.wait_for("1 e7e8@");
    let games = terminal.quit();
    assert!(moves(&games[0])[0].starts_with("e7e8@c1@"), "{:?}", games[0]);
}

#[test]
fn the_rules_are_explained_page_by_page_with_positions() {
    for game in leapd::games::GameId::NAMES {
        let mut terminal = Terminal::start(game, &["--side", "both"]);
        let before = terminal.wait_for("; 'rules' explains the game");
        terminal.enter("rules");
        let first = terminal.wait_for("1 of ");
        let count: usize = number_before(&first, "  arrows: ");
        assert!(count >= 4, "{first}");
        for number in 2..=count {
            terminal.press(RIGHT);
            let text = terminal.wait_for(&format!("{number} of {count}"));
            terminal.picture(&format!("{game}-rules-{number}"));
            assert!(!text.contains("> _"), "{text}");
        }
        terminal.press(LEFT);
        terminal.wait_for(&format!("{} of {count}", count - 1));
        terminal.press(ESCAPE);
        terminal.wait_until("the game", |text| trimmed(text) == trimmed(&before));
        terminal.enter("rules es");
        terminal.wait_until("Spanish", |text| text.contains("1 of ") && *text != first);
        terminal.press(ESCAPE);
        terminal.wait_until("the game", |text| trimmed(text) == trimmed(&before));
        assert_eq!(terminal.quit(), []);
    }
}

/// Without blanks at the ends of lines, which stay where text was drawn.
fn trimmed(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_end).collect()
}

/// The number at the end of what comes before these words.
fn number_before(text: &str, words: &str) -> usize {
    let before = text.split(words).next().unwrap();
    before.rsplit(' ').next().unwrap().parse().unwrap_or_else(|_| panic!("{text}"))
}

#[test]
fn the_first_frog_is_named_by_its_square() {
    let mut terminal = Terminal::start("froglet", &["--side", "both"]);
    terminal.enter("a1");
    terminal.wait_for("a1: ");
    terminal.enter("d6");
    terminal.wait_for("1 xd6");
    terminal.picture("froglet");
    assert_eq!(moves(&terminal.quit()[0]), ["xd6"]);
}

#[test]
fn hints_are_shown_and_not_played() {
    let mut terminal = Terminal::start("tactica", &[]);
    terminal.enter("hint");
    let text = terminal.wait_for("hint: ");
    assert!(!text.contains("  1 ") && text.contains("black is to move"), "{text}");
    assert_eq!(terminal.quit(), []);
}

#[test]
fn what_is_refused_is_explained_and_changes_nothing() {
    let mut terminal = Terminal::start("alquerque", &[]);
    for (line, part) in [
        ("a5", "a5: this piece is not the mover's"),
        ("a1a9", "a1a9: the square is not on this board"),
        ("fen 5/5 1", "expected five fields"),
        ("set Hash=lots", "Hash takes a number"),
        ("xyzzy", "xyzzy: this is not a move text"),
    ] {
        terminal.enter(line);
        let text = terminal.wait_for(part);
        assert!(text.contains("white is to move"), "{text}");
    }
    terminal.enter("depth deep");
    terminal.wait_for("leap play ");
    terminal.picture("help");
    terminal.press(ESCAPE);
    terminal.wait_for("> _");
    terminal.enter("fen");
    terminal.wait_for("mmmmm/mmmmm/mm1MM/MMMMM/MMMMM 1");
    assert_eq!(terminal.quit(), []);
}

#[test]
fn an_engine_that_was_lost_is_started_again() {
    let mut terminal = Terminal::start("eximo", &["--side", "both"]);
    terminal.enter("c3c4");
    terminal.wait_for("1 c3c4");
    kill_engines_of(terminal.child.process_id().unwrap());
    terminal.press(TAB);
    terminal.wait_for("it has been started again");
    terminal.enter("c7c5");
    terminal.wait_for("1 c3c4  2 c7c5");
}

#[test]
fn small_windows_are_survived() {
    let terminal = Terminal::start("froglet", &[]);
    terminal.resize(10, 30);
    terminal.wait_for("this window is too small");
    terminal.resize(40, 120);
    terminal.wait_for("┌───┬");
}

#[test]
fn it_wants_a_terminal() {
    let done = Command::new(LEAP.as_str())
        .args(["play", "--", &LEAPD])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let error = String::from_utf8(done.stderr).unwrap();
    assert_eq!(error, "leap: expected a terminal, found a file or a pipe\n");
    assert_eq!(done.status.code(), Some(2));
}
