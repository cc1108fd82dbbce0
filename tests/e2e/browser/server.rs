//! What serves the page under test.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use leap_site::Site;

use super::line::Line;
use super::page::LOCAL;
use crate::programs::{
    LEAP, LEAPD, ROOT, Running, engines_of, free_port, has, kill_engines_of, tables, wait_until,
};

/// Longer games are ended at this ply.
const MAX_PLIES: u32 = 40;

/// What serves the page.
pub(crate) struct Server {
    process: Running,
    pub(crate) url: String,
    /// The files that it serves or needs, if they are not its own.
    files: Option<tempfile::TempDir>,
}

impl Server {
    /// `leap web` with leapd.
    pub(super) fn start(options: &[&str]) -> Server {
        Server::run(&mut leap_web(options), None)
    }

    /// `leap web` with another engine than leapd.
    pub(super) fn of_engine(engine: &Path) -> Server {
        let mut command = Command::new(LEAP.as_str());
        command.args(["web", "--port", "0", "--no-open", "--"]).arg(engine);
        Server::run(&mut command, None)
    }

    /// `leap web --listen` with leapd at an address of this machine, and the address of the page for guests.
    pub(super) fn with_guests(ip: &str) -> (Server, String) {
        Server::listen(&["--listen", &format!("{ip}:0")])
    }

    /// `leap web --listen` with leapd at an address of this machine, where guests come over a line that can be cut.
    pub(super) fn with_guests_behind_line(ip: &str) -> (Server, Line) {
        let line = Line::start(ip);
        // A free port, since the server tells the address of the line instead of its own.
        let free = free_address(ip);
        let (server, _) = Server::listen(&["--listen", &free, "--guest-url", &line.url()]);
        line.lead_to(&free);
        (server, line)
    }

    /// `leap web` with options of `--listen`, and the address of the page for guests.
    fn listen(options: &[&str]) -> (Server, String) {
        let files = tempfile::tempdir().unwrap();
        let games = files.path().join("games");
        let mut command = leap_web(&[&["--games", games.to_str().unwrap()], options].concat());
        let mut process = Running(command.stdout(Stdio::piped()).spawn().unwrap());
        let mut lines = BufReader::new(process.0.stdout.take().unwrap()).lines();
        let url = lines.next().unwrap().unwrap();
        let guests = lines.next().unwrap().unwrap().trim_start_matches("guests: ").to_owned();
        (Server { process, url, files: Some(files) }, guests)
    }

    /// `leap web` with leapd, reached over a line that can be cut.
    pub(super) fn behind_line(options: &[&str]) -> (Server, Line) {
        let line = Line::start(LOCAL);
        let name = line.name();
        let mut server = Server::start(&[&["--allow-host", &name], options].concat());
        line.lead_to(server.url.trim_start_matches("http://").trim_end_matches('/'));
        server.url = line.url();
        (server, line)
    }

    /// A file server for an exported page, and the engine at home that the page may use.
    pub(super) fn with_home(engine: &Path) -> (Server, Home) {
        let server = Server::serve(tempfile::tempdir().unwrap());
        let home = Home::start(&server.url);
        let site = server.files.as_ref().unwrap().path();
        export_with(site, engine, &["--engine-at", &home.line.url()]);
        (server, home)
    }

    /// `leap web` with leapd, which has exact values of positions with so few men.
    pub(super) fn with_tables(men: u32) -> Server {
        let files = tables(men);
        let path = format!("TablePath={}", files.path().display());
        // Values are unknown where `MaxPlies` may come first (SPEC 4.53a).
        let options = ["--option", &path, "--option", "MaxPlies=0"];
        Server::run(leap_web(&[]).args(options), Some(files))
    }

    /// A file server for what `leap web --export` writes to some folders; the address is that of the first.
    pub(super) fn of_files(engine: &Path, sites: &[&str]) -> Server {
        let files = tempfile::tempdir().unwrap();
        for site in sites {
            export(&files.path().join(site), engine);
        }
        let mut server = Server::serve(files);
        server.url += sites[0];
        server
    }

    /// A file server for the website; the address is that of the playable page. `None` without mdBook.
    pub(super) fn of_site(engine: &Path) -> Option<Server> {
        if !has("mdbook", "--version", "CONTRIBUTING.md says how to install it") {
            return None;
        }
        let files = tempfile::tempdir().unwrap();
        export(&files.path().join("play"), engine);
        let (root, leapd) = (PathBuf::from(ROOT), PathBuf::from(LEAPD.as_str()));
        Site { root, leapd, api: None, repository: None }.write(files.path()).unwrap();
        assert_eq!(leap_site::check::broken_links(files.path()).unwrap(), [""; 0]);
        let mut server = Server::serve(files);
        server.url += "play/";
        Some(server)
    }

    /// A file server for a folder.
    fn serve(files: tempfile::TempDir) -> Server {
        let mut command = Command::new("python3");
        command.args(["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory"]);
        Server::run(command.arg(files.path()).stderr(Stdio::null()), Some(files))
    }

    /// Runs a server that prints its address.
    fn run(command: &mut Command, files: Option<tempfile::TempDir>) -> Server {
        let mut process = Running(command.stdout(Stdio::piped()).spawn().unwrap());
        let mut line = String::new();
        BufReader::new(process.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = &line[line.find("http://").unwrap()..];
        let url = address.trim_end().trim_end_matches([')', ' ', '.']).to_owned();
        Server { process, url, files }
    }

    /// Ends the server: from now on the page has no network.
    pub(crate) fn stop(&mut self) {
        self.process.0.kill().unwrap();
        self.process.0.wait().unwrap();
    }

    /// Spoils the reader of files of every version.
    pub(crate) fn spoil_reader(&self) {
        for version in versions(self.files.as_ref().unwrap().path()) {
            fs::write(version.join("leapd/reader.wasm"), "").unwrap();
        }
    }

    /// Kills the engines that the server has started, as if they had crashed.
    pub(crate) fn kill_engines(&self) {
        kill_engines_of(self.process.0.id());
    }

    /// Waits until the server has this many engines.
    pub(crate) fn wait_for_engines(&self, count: usize) {
        wait_until(|| {
            let engines = engines_of(self.process.0.id());
            let is_so = engines.len() == count;
            is_so.then_some(()).ok_or(format!("expected {count} engines, found {engines:?}"))
        });
    }

    /// Replaces a site by the page with another engine, whose name is `engine`, and removes the files of earlier
    /// versions.
    pub(crate) fn deploy(&self, site: &str, engine: &str) {
        let site = self.files.as_ref().unwrap().path().join(site);
        let before = versions(&site);
        export(&site, another_engine(engine).path());
        for folder in before {
            fs::remove_dir_all(folder).unwrap();
        }
        assert_eq!(versions(&site).len(), 1);
    }
}

/// `leap web --listen` with leapd, which lends its engine to an exported page over a line that can be cut.
pub(crate) struct Home {
    server: Server,
    pub(super) line: Line,
    /// The link with the secret.
    link: String,
}

impl Home {
    /// Starts the server for the page at this address.
    fn start(page: &str) -> Home {
        let (line, free) = (Line::start(LOCAL), free_address(LOCAL));
        let at = line.url();
        let options = ["--listen", &free, "--guest-url", &at, "--engine-for", page];
        let (server, _) = Server::listen(&options);
        line.lead_to(&free);
        let games = server.files.as_ref().unwrap().path().join("games");
        let secret = fs::read_to_string(games.join("engine.key")).unwrap();
        let link = format!("{page}#engine={}&at={at}", secret.trim());
        Home { server, line, link }
    }

    /// The link of the page with the engine, with its secret.
    pub(super) fn link(&self) -> &str {
        &self.link
    }

    pub(super) fn wait_for_engines(&self, count: usize) {
        self.server.wait_for_engines(count);
    }

    /// Ends the server.
    pub(super) fn stop(&mut self) {
        self.server.stop();
    }
}

fn free_address(ip: &str) -> String {
    format!("{ip}:{}", free_port(ip))
}

fn leap_web(options: &[&str]) -> Command {
    let mut command = Command::new(LEAP.as_str());
    command.args(["web", "--port", "0", "--no-open"]).args(options).args(["--", &LEAPD]);
    command.args(["--option", &format!("MaxPlies={MAX_PLIES}")]);
    command
}

fn export(site: &Path, engine: &Path) {
    export_with(site, engine, &[]);
}

fn export_with(site: &Path, engine: &Path, options: &[&str]) {
    let mut export = Command::new(LEAP.as_str());
    export.args(["web", "--export"]).arg(site).arg("--wasm").arg(engine).args(options);
    assert!(export.status().unwrap().success());
}

/// The folders of versions in a site.
fn versions(site: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(site).unwrap().map(|file| file.unwrap().path());
    files.filter(|path| path.join("leapd").is_dir()).collect()
}

/// The engine for browsers under another name.
fn another_engine(name: &str) -> tempfile::TempDir {
    const POST: &str = "start(bytes, post)";
    let folder = tempfile::tempdir().unwrap();
    for file in fs::read_dir(crate::wasm::package().unwrap()).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
    }
    let path = folder.path().join("worker.js");
    let script = fs::read_to_string(&path).unwrap();
    assert!(script.contains(POST), "{script}");
    let renames =
        format!("start(bytes, (line) => post(line.replace(/^id name .*/, 'id name {name}')))");
    fs::write(&path, script.replacen(POST, &renames, 1)).unwrap();
    folder
}
