//! The QR codes of `leap web --listen` on a real terminal, read by a program that reads such codes.

use std::io::Read as _;

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use crate::programs::{LEAP, LEAPD};

/// Pixels for each half of a cell.
const SCALE: usize = 4;
const ROWS: u16 = 60;
const COLUMNS: u16 = 100;

/// The codes on a screen whose background is dark.
fn codes(screen: &vt100::Screen) -> Vec<String> {
    let is_light = |x: usize, y: usize| {
        let (row, column) = ((y / SCALE / 2) as u16, (x / SCALE) as u16);
        let cell = screen.cell(row, column).map_or("", vt100::Cell::contents);
        let is_lower = y / SCALE % 2 == 1;
        cell == "█" || cell == if is_lower { "▄" } else { "▀" }
    };
    let (width, height) = (usize::from(COLUMNS) * SCALE, usize::from(ROWS) * SCALE * 2);
    let grey = |x: usize, y: usize| if is_light(x, y) { 255 } else { 0 };
    let mut picture = rqrr::PreparedImage::prepare_from_greyscale(width, height, grey);
    let grids = picture.detect_grids();
    grids.iter().filter_map(|grid| grid.decode().ok()).map(|(_, text)| text).collect()
}

#[test]
fn a_code_on_the_terminal_is_the_link_beside_it() {
    let games = tempfile::tempdir().unwrap();
    let size = PtySize { rows: ROWS, cols: COLUMNS, pixel_width: 0, pixel_height: 0 };
    let pty = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(LEAP.as_str());
    command.args(["web", "--port", "0", "--no-open", "--listen", "127.0.0.1:0", "--games"]);
    command.arg(games.path().join("games"));
    command.args(["--", LEAPD.as_str()]);
    let mut child = pty.slave.spawn_command(command).unwrap();
    drop(pty.slave);
    let mut reader = pty.master.try_clone_reader().unwrap();
    let mut terminal = vt100::Parser::new(ROWS, COLUMNS, 0);
    let mut piece = [0; 4096];
    let mut found = Vec::new();
    while found.is_empty() {
        let length = reader.read(&mut piece).unwrap();
        assert!(length > 0, "the server has ended: {}", terminal.screen().contents());
        terminal.process(&piece[..length]);
        found = codes(terminal.screen());
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let shown = terminal.screen().contents();
    let link = shown.split_whitespace().find(|word| word.contains("/#host=")).unwrap();
    assert_eq!(found, [link]);
}
