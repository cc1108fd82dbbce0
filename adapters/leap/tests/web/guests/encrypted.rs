//! Connections of guests with encryption.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use super::Server;
use crate::support::{LEAP, MOCK, Workplace, text};

/// Makes a certificate for this machine; `None` without OpenSSL.
fn certificate(place: &Workplace) -> Option<[String; 2]> {
    let files = ["chain.pem", "key.pem"].map(|name| place.path(name).display().to_string());
    let [chain, key] = &files;
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"])
        .args(["-days", "2", "-subj", "/CN=localhost", "-keyout", key, "-out", chain])
        .output();
    let Ok(made) = made else {
        leap_testing::skip("openssl", "apt install openssl");
        return None;
    };
    assert!(made.status.success(), "{}", text(&made.stderr));
    Some(files)
}

#[test]
fn a_page_is_served_with_encryption() {
    let place = Workplace::new();
    let Some([chain, key]) = certificate(&place) else { return };
    let server = Server::listening(&place, &["--cert", &chain, "--key", &key], &[MOCK]);
    let address = server.guests.trim_start_matches("https://");
    let mut client = Command::new("openssl")
        .args(["s_client", "-quiet", "-verify_return_error", "-CAfile", &chain])
        .args(["-connect", address])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let request = format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    client.stdin.as_mut().unwrap().write_all(request.as_bytes()).unwrap();
    let answer = text(&client.wait_with_output().unwrap().stdout);
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert!(answer.contains("<title>leap</title>"));
}

fn refused(place: &Workplace, chain: &str, key: &str) -> Output {
    let mut command = Command::new(LEAP);
    command.args(["web", "--port", "0", "--no-open", "--listen", "127.0.0.1:0", "--games"]);
    command.arg(place.path("games")).args(["--cert", chain, "--key", key, "--", MOCK]);
    command.output().unwrap()
}

#[test]
fn files_that_are_no_certificate_or_key_are_named_and_not_quoted() {
    let place = Workplace::new();
    let Some([chain, key]) = certificate(&place) else { return };
    let other = place.path("other.pem").display().to_string();
    std::fs::write(&other, "a secret text\n").unwrap();
    for (chain, key, told) in [
        (&*other, &*key, "expected certificates in PEM in "),
        (&*chain, &*other, "expected a private key in PEM in "),
        (&*chain, "missing.pem", "cannot read missing.pem"),
    ] {
        let done = refused(&place, chain, key);
        assert_eq!(done.status.code(), Some(2));
        let said = text(&done.stderr);
        assert!(said.contains(told) && !said.contains("a secret"), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn a_server_without_encryption_warns_in_one_line_unless_it_stays_here() {
    let place = Workplace::new();
    let warned = |address: &str| {
        let mut server = Server::listening_at(&place, address, &[], &[MOCK]);
        let stderr = server.child.0.stderr.take().unwrap();
        drop(server);
        let mut said = String::new();
        std::io::Read::read_to_string(&mut std::io::BufReader::new(stderr), &mut said).unwrap();
        said
    };
    assert_eq!(warned("127.0.0.1:0"), "");
    let said = warned("0.0.0.0:0");
    assert!(said.starts_with("leap: connections of guests are not encrypted"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}
