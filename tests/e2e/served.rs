//! `leap web --listen` behind a proxy and under systemd, by the files of docs/web-server.md. Where Caddy or
//! `systemd-analyze` is missing, its test is skipped, with a message.

use std::fs;
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::guests::{Server, play};
use crate::programs::{LEAP, ROOT, Running, free_port, has, wait_until};

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

#[test]
fn the_unit_is_valid_and_its_sandbox_is_tight() {
    if !has("systemd-analyze", "--version", SYSTEMD) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // The programs are installed nowhere, so an existing one stands for them.
    let service = fs::read_to_string(example("leap-web.service")).unwrap();
    let service = service.replace("/usr/bin/leap ", &format!("{} ", *LEAP));
    fs::write(folder.path().join("leap-web.service"), service).unwrap();
    let verdict = |args: &[&str]| {
        let mut analyze = Command::new("systemd-analyze");
        let output = analyze.args(args).current_dir(folder.path()).output().unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(output.status.success(), "{args:?}: {said}");
        said
    };
    let said = verdict(&["verify", "./leap-web.service"]);
    assert_eq!(said, "", "nothing to complain about");
    // From 0 to 100; a service without a sandbox has 96.
    verdict(&["security", "--offline=yes", "--threshold=10", "./leap-web.service"]);
}
