//! `leap web --listen` behind a proxy and under systemd, by the files of docs/web-server.md. Where Caddy or the
//! programs of systemd are missing, their tests are skipped, with a message.

use std::fs;
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::guests::{Server, play};
use crate::programs::{LEAP, LEAPD, ROOT, Running, free_port, has, wait_until};

const SYSTEMD: &str = "Debian: apt-get install systemd";

/// The folder of the files.
fn example(name: &str) -> PathBuf {
    PathBuf::from(ROOT).join("adapters/examples/server").join(name)
}

fn connects(port: u16) -> Result<TcpStream, String> {
    TcpStream::connect(("127.0.0.1", port)).map_err(|error| format!("port {port}: {error}"))
}

#[test]
fn a_game_is_played_through_caddy() {
    if !has("caddy", "version", "Debian: apt-get install caddy") {
        return;
    }
    let (port, proxy_port) = (free_port("127.0.0.1"), free_port("127.0.0.1"));
    let site = format!("http://localhost:{proxy_port}");
    let server =
        Server::listening(&format!("127.0.0.1:{port}"), &["--guest-url", &format!("{site}/")]);
    assert_eq!(server.guests, format!("{site}/"), "links lead to the proxy");
    let home = tempfile::tempdir().unwrap();
    let mut caddy = Command::new("caddy");
    caddy.arg("run").arg("--config").arg(example("Caddyfile"));
    caddy.env("SITE", &site).env("LEAP", format!("127.0.0.1:{port}")).env("HOME", home.path());
    let _caddy = Running(caddy.stderr(Stdio::null()).spawn().unwrap());
    wait_until(|| connects(proxy_port));
    // Its clients connect to the address in the links.
    assert!(play(&server, "sapos", 1) > 1);
}

/// The words that start the service of the unit, with the programs of this build in the place of installed ones.
fn service_command(games: &str) -> Vec<String> {
    let unit = fs::read_to_string(example("leap-web.service")).unwrap();
    let line = unit.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap();
    let line =
        line.replace("/usr/bin/leapd", &LEAPD).replace("/usr/bin/leap ", &format!("{} ", *LEAP));
    line.replace("${STATE_DIRECTORY}", games).split(' ').map(str::to_owned).collect()
}

#[test]
fn a_game_is_played_at_the_socket_that_systemd_passes_on() {
    if !has("systemd-socket-activate", "--version", SYSTEMD) {
        return;
    }
    let (port, games) = (free_port("127.0.0.1"), tempfile::tempdir().unwrap());
    let mut command = Command::new("systemd-socket-activate");
    command.arg("-l").arg(format!("127.0.0.1:{port}"));
    command.args(service_command(games.path().join("games").to_str().unwrap()));
    // The first connection starts the service.
    let mut server = Server::run(command.stderr(Stdio::null()), games, || {
        wait_until(|| connects(port));
    });
    assert_eq!(server.guests, "https://games.example/");
    server.guests = format!("http://127.0.0.1:{port}/");
    assert!(play(&server, "sapos", 1) > 1);
}

#[test]
fn without_a_socket_of_systemd_the_reason_is_told() {
    let output =
        Command::new(LEAP.as_str()).args(["web", "--listen", "inherited"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(told.contains("expected a socket of systemd, found none"), "{told}");
}

#[test]
fn the_units_are_valid_and_their_sandbox_is_tight() {
    if !has("systemd-analyze", "--version", SYSTEMD) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // The programs are installed nowhere, so an existing one stands for them.
    let service = fs::read_to_string(example("leap-web.service")).unwrap();
    let service = service.replace("/usr/bin/leap ", &format!("{} ", *LEAP));
    fs::write(folder.path().join("leap-web.service"), service).unwrap();
    fs::copy(example("leap-web.socket"), folder.path().join("leap-web.socket")).unwrap();
    let verdict = |args: &[&str]| {
        let mut analyze = Command::new("systemd-analyze");
        let output = analyze.args(args).current_dir(folder.path()).output().unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(output.status.success(), "{args:?}: {said}");
        said
    };
    let said = verdict(&["verify", "./leap-web.service", "./leap-web.socket"]);
    assert_eq!(said, "", "nothing to complain about");
    // From 0 to 100; a service without a sandbox has 96.
    verdict(&["security", "--offline=yes", "--threshold=10", "./leap-web.service"]);
}
