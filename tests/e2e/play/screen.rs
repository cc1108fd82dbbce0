//! A terminal with `leap play` in it.

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};

use leap_records::Record;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use vt100::{Color, Parser};

use super::{ENTER, picture};
use crate::programs::{LEAP, LEAPD, wait_until};

/// The program and its terminal.
pub(super) struct Terminal {
    pub(super) child: Box<dyn Child + Send + Sync>,
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
    pub(super) fn start(game: &str, args: &[&str]) -> Terminal {
        Terminal::start_with(game, args, &[&LEAPD], |_| {})
    }

    /// Starts without colours, for people who cannot see them or whose terminal has none.
    pub(super) fn start_without_colours(game: &str, args: &[&str]) -> Terminal {
        Terminal::start_with(game, args, &[&LEAPD], |command| command.env("NO_COLOR", "1"))
    }

    /// Starts a game with another engine.
    pub(super) fn start_engine(game: &str, engine: &[&str]) -> Terminal {
        Terminal::start_with(game, &[], engine, |_| {})
    }

    fn start_with(
        game: &str,
        args: &[&str],
        engine: &[&str],
        prepare: impl Fn(&mut CommandBuilder),
    ) -> Terminal {
        let folder = tempfile::tempdir().unwrap();
        let pty = native_pty_system().openpty(size(24, 80)).unwrap();
        let mut command = CommandBuilder::new(LEAP.as_str());
        command.args(["play", "--game", game, "--depth", "2", "--record"]);
        command.arg(folder.path().join("games.ugr"));
        command.args(args);
        command.arg("--");
        command.args(engine);
        command.env("TERM", "xterm-256color");
        command.env_remove("NO_COLOR");
        prepare(&mut command);
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

    pub(super) fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// What is drawn at a square of a board that has `ranks` of them: the sign of the piece and what stands beside it.
    pub(super) fn square(
        &self,
        square: &str,
        ranks: u16,
        step: (u16, u16),
        first: (u16, u16),
    ) -> [String; 3] {
        let (file, rank) =
            (u16::from(square.as_bytes()[0] - b'a'), square[1..].parse::<u16>().unwrap());
        let (x, y) = (first.0 + step.0 * file, first.1 + step.1 * (ranks - rank));
        let shown = self.screen.lock().unwrap();
        let cell = |x| {
            let cell = shown.screen().cell(y, x).unwrap();
            assert_eq!(
                (cell.fgcolor(), cell.bgcolor()),
                (Color::Default, Color::Default),
                "{square}"
            );
            cell.contents().to_owned()
        };
        [cell(x - 1), cell(x), cell(x + 1)]
    }

    pub(super) fn wait_until(&self, what: &str, is_so: impl Fn(&str) -> bool) -> String {
        wait_until(|| {
            let text = self.text();
            if is_so(&text) { Ok(text) } else { Err(format!("waiting for {what}:\n{text}")) }
        })
    }

    pub(super) fn wait_for(&self, part: &str) -> String {
        self.wait_until(part, |text| text.contains(part))
    }

    pub(super) fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    pub(super) fn enter(&mut self, line: &str) {
        self.press(&format!("{line}{ENTER}"));
    }

    pub(super) fn resize(&self, rows: u16, columns: u16) {
        self.screen.lock().unwrap().screen_mut().set_size(rows, columns);
        self.master.resize(size(rows, columns)).unwrap();
    }

    pub(super) fn picture(&self, name: &str) {
        picture::save(self.screen.lock().unwrap().screen(), &format!("play-{name}"));
    }

    /// Quits; returns the text of the recorded games.
    pub(super) fn quit_with_text(mut self) -> String {
        self.press("\u{11}");
        assert!(self.child.wait().unwrap().success());
        std::fs::read_to_string(self.folder.path().join("games.ugr")).unwrap_or_default()
    }

    /// Quits; returns the recorded games.
    pub(super) fn quit(self) -> Vec<Record> {
        Record::parse_all(&self.quit_with_text()).unwrap()
    }
}

fn size(rows: u16, cols: u16) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}
