//! leapd itself at a terminal.

use std::io::{Read as _, Write as _};

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};

use crate::programs::LEAPD;

/// leapd on a terminal of its own.
struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keyboard: Box<dyn std::io::Write + Send>,
    screen: Box<dyn std::io::Read + Send>,
    shown: String,
}

impl Terminal {
    fn open(args: &[&str]) -> Self {
        let size = PtySize { rows: 24, cols: 100, pixel_width: 0, pixel_height: 0 };
        let pty = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(LEAPD.as_str());
        command.args(args);
        command.env("TERM", "xterm-256color");
        let child = pty.slave.spawn_command(command).unwrap();
        let (keyboard, screen) =
            (pty.master.take_writer().unwrap(), pty.master.try_clone_reader().unwrap());
        Self { child, keyboard, screen, shown: String::new() }
    }

    /// Reads until it has shown this.
    fn wait_for(&mut self, text: &str) {
        let mut piece = [0; 4096];
        while !self.shown.contains(text) {
            let read = self.screen.read(&mut piece).unwrap();
            assert!(read > 0, "no '{text}' in {}", self.shown);
            self.shown += &String::from_utf8_lossy(&piece[..read]);
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn whoever_starts_leapd_at_a_terminal_is_told_what_to_type() {
    let mut terminal = Terminal::open(&[]);
    terminal.wait_for(" speaks UGI: type 'ugi', 'query rules', 'go movetime 1000' or 'quit'");
    terminal.keyboard.write_all(b"help\r").unwrap();
    terminal
        .wait_for("error unknown-command column 1 : expected a command, found 'help'; try 'ugi', ");
    terminal.keyboard.write_all(b"quit\r").unwrap();
    assert!(terminal.child.wait().unwrap().success());
}

#[test]
fn long_work_shows_a_bar_on_a_terminal() {
    for (args, expected) in [
        ("openings sapos --count 1000000 --odds 8", "/1000000 openings"),
        ("problems eximo --count 1000000", "/1000000 problems"),
        ("bench --suite sapos --nodes 4000000000", "/50 problems"),
        ("perft eximo 60", "0/40 moves"),
    ] {
        let mut terminal = Terminal::open(&args.split(' ').collect::<Vec<_>>());
        terminal.wait_for(expected);
    }
}
