//! The engine of the host, lent to exported pages (`--engine-for`).

use serde_json::json;

use super::{Page, Server};
use crate::support::{MOCK, Workplace};

const SITE: &str = "https://me.example";
const LENT: [&str; 2] = ["--engine-for", "https://Me.example:443/leap/"];

fn secret(place: &Workplace, file: &str) -> String {
    place.read(&format!("games/{file}")).trim().to_owned()
}

/// A WebSocket that a page of another site opens; the first line of the answer if it is refused.
fn from_site(server: &Server, path: &str, site: &str) -> Result<Page, String> {
    let (head, page) = Page::request(&server.guests, path, &server.guests, site);
    match head.starts_with("HTTP/1.1 101 ") {
        true => Ok(page),
        false => Err(head.lines().next().unwrap_or_default().to_owned()),
    }
}

fn session(server: &Server, site: &str, secret: &str) -> Page {
    let mut page = from_site(server, "/engine", site).unwrap_or_else(|head| panic!("{head}"));
    page.send(&format!("secret {secret}"));
    page
}

#[test]
fn an_exported_page_uses_the_engine_by_its_secret_and_comes_back_after_a_cut() {
    let place = Workplace::new();
    let server =
        Server::listening(&place, &LENT, &[MOCK, "puppet", "isready=readyok", "=heard %s"]);
    let mut page = session(&server, SITE, &secret(&place, "engine.key"));
    page.send("keep");
    let answer = page.text();
    let token = answer.split(' ').nth(1).unwrap();
    page.send("setoption name Threads value 1");
    assert_eq!(page.text(), "heard setoption name Threads value 1");
    page.send("setoption name Hash value 65536");
    assert!(page.text().starts_with("error out-of-range : "));
    drop(page);
    let mut page = from_site(&server, "/session", SITE).unwrap_or_else(|head| panic!("{head}"));
    page.send(&format!("resume {token} 2"));
    assert_eq!(page.text(), "resumed 2 2");
    page.send("go");
    assert_eq!(page.text(), "heard go");
}

#[test]
fn pages_of_sites_that_were_not_named_are_refused() {
    let place = Workplace::new();
    let server = Server::listening(&place, &LENT, &[MOCK]);
    for path in ["/engine", "/session"] {
        for site in ["https://evil.example", "http://me.example", "https://me.example.evil", "null"]
        {
            assert_eq!(
                from_site(&server, path, site).err().as_deref(),
                Some("HTTP/1.1 403 Forbidden")
            );
        }
    }
    // A site that was named takes no part in games, and is no page of this machine.
    assert_eq!(
        from_site(&server, "/meeting", SITE).err().as_deref(),
        Some("HTTP/1.1 403 Forbidden")
    );
    for path in ["/engine", "/session", "/meeting"] {
        let (head, _) = Page::request(&server.own, path, &server.own, SITE);
        assert!(head.starts_with("HTTP/1.1 403 "), "{head}");
    }
}

#[test]
fn the_secret_of_the_engine_opens_the_engine_and_nothing_else() {
    let place = Workplace::new();
    let server = Server::listening(&place, &LENT, &[MOCK]);
    let invited = server.invite(json!(null));
    let engine = secret(&place, "engine.key");
    for claim in
        [json!({ "do": "host", "secret": engine }), json!({ "do": "enter", "secret": engine })]
    {
        let mut page = Page::open(&server.guests, "/meeting");
        assert_eq!(page.fails(claim), "no-such-link");
    }
    // To a page of another site no other secret opens anything.
    for other in [&secret(&place, "host.key"), &invited.guest, &"0".repeat(32), ""] {
        assert_eq!(session(&server, SITE, other).closed().0, 4002);
    }
    let mut own = session(&server, &format!("http://{}", server.guests), &engine);
    assert_eq!(own.ask("isready"), [""; 0]);
}

#[test]
fn without_the_flag_there_is_no_secret_of_the_engine() {
    let place = Workplace::new();
    drop(Server::listening(&place, &LENT, &[MOCK]));
    let engine = secret(&place, "engine.key");
    let server = Server::listening(&place, &[], &[MOCK]);
    let mut page = server.ask_rules(&engine);
    assert_eq!(page.closed().0, 4002);
    assert!(from_site(&server, "/engine", SITE).is_err());
    let empty = Workplace::new();
    drop(Server::listening(&empty, &[], &[MOCK]));
    assert!(!empty.path("games/engine.key").exists());
}

#[cfg(unix)]
#[test]
fn only_the_user_can_read_the_secret_of_the_engine() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Workplace::new();
    let _server = Server::listening(&place, &LENT, &[MOCK]);
    let mode = std::fs::metadata(place.path("games/engine.key")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn an_engine_in_use_is_told_to_a_page_that_asks() {
    let place = Workplace::new();
    let options = [&LENT[..], &["--engines", "1"]].concat();
    let server = Server::listening(&place, &options, &[MOCK]);
    let engine = secret(&place, "engine.key");
    let mut first = session(&server, SITE, &engine);
    assert_eq!(first.ask("isready"), [""; 0]);
    assert_eq!(session(&server, SITE, &engine).closed().0, 1013);
    drop(first);
}
