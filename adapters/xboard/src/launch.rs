//! Starting XBoard with a game and our pictures.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use clap::ValueEnum as _;
use leap_base::files;
use leap_board::{Game, People, Turn};
use leap_client::ChildGroup;
use process_wrap::std::CommandWrap;

use super::session::puts_pieces;
use super::view::View;
use super::{XboardArgs, art};

/// Where XBoard may be installed. Debian puts games outside of some users' `PATH`.
const PROGRAMS: [&str; 2] = ["xboard", "/usr/games/xboard"];

/// Runs XBoard until it is closed.
pub(super) fn launch(args: &XboardArgs) -> anyhow::Result<ExitCode> {
    ensure!(cfg!(unix), "--launch: expected a system with XBoard, found {}", env::consts::OS);
    let folder = tempfile::tempdir().context("cannot make a folder for the pictures")?;
    let mut game = Game::open(&args.game)?;
    let mut options = draw(&mut game, args.person.side, folder.path())?;
    options.extend(["-fcp".to_owned(), engine(args, game.id())?]);
    // The pictures are deleted when XBoard exits, so it must not save its settings.
    options.extend(["-saveSettingsOnExit", "false"].map(str::to_owned));
    drop(game);
    let status = start(&options)?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(2);
    Ok(ExitCode::from(code))
}

fn start(options: &[String]) -> anyhow::Result<std::process::ExitStatus> {
    for program in PROGRAMS {
        let command = CommandWrap::with_new(program, |command| {
            command.args(options);
        });
        match ChildGroup::start(command).and_then(|mut xboard| xboard.wait()) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            done => return done.with_context(|| format!("cannot start {program}")),
        }
    }
    anyhow::bail!(
        "there is no XBoard: expected the program {} (Debian: apt install xboard)",
        PROGRAMS.join(" or ")
    )
}

/// The command with which XBoard starts this program as its engine.
fn engine(args: &XboardArgs, game: &str) -> anyhow::Result<String> {
    let program = env::current_exe().context("where is this program?")?;
    let side = args.person.side.to_possible_value().context("a side has a name")?;
    let mut words: Vec<OsString> = vec![program.into(), "xboard".into()];
    let mut option = |name: &str, value: &dyn std::fmt::Display| {
        words.extend([name.into(), value.to_string().into()]);
    };
    option("--game", &game);
    option("--side", &side.get_name());
    option("--record", &args.person.record.display());
    args.game.limits.movetime.iter().for_each(|limit| option("--movetime", limit));
    args.game.limits.depth.iter().for_each(|limit| option("--depth", limit));
    args.game.limits.nodes.iter().for_each(|limit| option("--nodes", limit));
    args.game.fen.iter().for_each(|fen| option("--fen", fen));
    for pair in &args.game.option {
        option("--option", &format!("{}={}", pair.key, pair.value));
    }
    if !args.game.engine.is_empty() {
        words.push("--".into());
        words.extend(args.game.engine.iter().map(OsString::from));
    }
    let words: Option<Vec<&str>> = words.iter().map(|word| word.to_str()).collect();
    let words = words.context("XBoard takes no paths that are not UTF-8")?;
    Ok(shlex::try_join(words)?)
}

/// Draws the board and the pieces into a directory; returns the XBoard options that use them.
pub(super) fn draw(game: &mut Game, side: People, folder: &Path) -> anyhow::Result<Vec<String>> {
    let puts_pieces = puts_pieces(&Turn::begin(game)?);
    let board = game.board();
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let write = |name: String, content: &[u8], mark: &[u8]| {
        let path = folder.join(name);
        let done = files::renew(&path, content, mark);
        done.with_context(|| format!("cannot write {}", path.display()))?;
        anyhow::Ok(path.display().to_string())
    };
    let view = View::new(board, side.bottom(), puts_pieces)?;
    for kind in view.kinds() {
        write(
            format!("White{}.svg", kind.picture),
            art::piece(&kind.text, &kind.piece, board).as_bytes(),
            art::PIECE_MARK.as_bytes(),
        )?;
    }
    let folder = folder.display().to_string();
    let mut options = vec![
        ("-variant", game.id().to_owned()),
        ("-testLegality", "false".to_owned()),
        ("-showTargetSquares", "true".to_owned()),
        ("-highlightDragging", "true".to_owned()),
        ("-trueColors", "true".to_owned()),
        ("-showCoords", "true".to_owned()),
        ("-boardSize", view.square_size().to_string()),
        // Clocks would be reset by each position that is shown.
        ("-clockMode", "false".to_owned()),
        ("-lightSquareColor", "#efe2c6".to_owned()),
        ("-darkSquareColor", "#dcc79d".to_owned()),
        ("-pieceImageDirectory", folder),
    ];
    options.push(("-useBoardTexture", board.has_points().to_string()));
    if board.has_points() {
        // The size in the name tells XBoard that it is one picture of the whole board.
        let name = format!("{}-{}x{}.png", game.id(), board.files, board.ranks);
        let picture = write(name, &art::points(board, side.bottom())?, art::PNG_MARK)?;
        options.extend([
            ("-liteBackTextureFile", picture.clone()),
            ("-darkBackTextureFile", picture),
            ("-overrideLineGap", "0".to_owned()),
            // XBoard fits the picture to the board that it starts with.
            ("-boardWidth", board.files.to_string()),
            ("-boardHeight", board.ranks.to_string()),
        ]);
    }
    Ok(options.into_iter().flat_map(|(name, value)| [name.to_owned(), value]).collect())
}
