//! Engines on another machine, by ssh, as docs/machines.md says. A server of our own on this machine stands for
//! the other one. Without sshd these tests are skipped, with a message.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use leap_testing::skip;
use serde_json::Value;

use crate::programs::{LEAP, LEAPD, Running, free_port, wait_until};

/// What a client must be told to reach the server, as a person would have it in `~/.ssh/config`.
const CLIENT: &str = "Host far\n HostName 127.0.0.1\n Port PORT\n User USER\n IdentityFile DIR/user\n \
                      IdentitiesOnly yes\n UserKnownHostsFile DIR/known\n StrictHostKeyChecking accept-new\n \
                      BatchMode yes\n LogLevel ERROR\n";
const SERVER: &str = "Port PORT\nListenAddress 127.0.0.1\nHostKey DIR/host\nPidFile none\nStrictModes no\nUsePAM no\n\
                      AuthorizedKeysFile DIR/user.pub\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n";

/// An ssh server with keys of its own.
struct Far {
    _server: Running,
    files: tempfile::TempDir,
}

impl Far {
    fn start() -> Option<Far> {
        let sshd = Path::new("/usr/sbin/sshd");
        if !sshd.is_file() {
            skip("sshd", "Debian: apt-get install openssh-server");
            return None;
        }
        // Started by root, it insists on a folder that a start of the system makes.
        let _ = fs::create_dir("/run/sshd");
        let files = tempfile::tempdir().unwrap();
        let port = free_port("127.0.0.1");
        let user = Command::new("id").arg("-un").output().unwrap().stdout;
        let fill = |text: &str| {
            let text = text.replace("PORT", &port.to_string());
            let text = text.replace("USER", String::from_utf8_lossy(&user).trim());
            text.replace("DIR", files.path().to_str().unwrap())
        };
        for (name, text) in [("client", CLIENT), ("server", SERVER)] {
            fs::write(files.path().join(name), fill(text)).unwrap();
        }
        for key in ["host", "user"] {
            let mut make = Command::new("ssh-keygen");
            make.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(files.path().join(key));
            assert!(make.status().unwrap().success());
        }
        let mut server = Command::new(sshd);
        server.args(["-D", "-e", "-f"]).arg(files.path().join("server"));
        let log = fs::File::create(files.path().join("log")).unwrap();
        let far = Far { _server: Running(server.stderr(log).spawn().unwrap()), files };
        wait_until(|| {
            let log = || fs::read_to_string(far.path("log")).unwrap();
            TcpStream::connect(("127.0.0.1", port)).map_err(|_| log())
        });
        Some(far)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.files.path().join(name)
    }

    /// The command line of an engine at the far side, which writes its process id to a file.
    fn engine(&self, command: &str) -> String {
        let (client, ids) = (self.path("client"), self.path("ids"));
        let script = format!("echo $$ >> {}; {command}", ids.display());
        format!("ssh -F {} -T far {}", client.display(), shlex::try_quote(&script).unwrap())
    }

    fn leapd(&self) -> String {
        self.engine(&format!("exec {}", *LEAPD))
    }

    /// The processes that engines at the far side have been.
    fn ids(&self) -> Vec<u32> {
        let ids = fs::read_to_string(self.path("ids")).unwrap_or_default();
        ids.lines().map(|id| id.parse().unwrap()).collect()
    }

    /// Waits until no engine is left at the far side.
    fn is_left(&self) {
        let ids = self.ids();
        assert!(!ids.is_empty(), "no engine was started");
        wait_until(|| {
            let left = ids.iter().find(|id| is_alive(**id));
            left.map_or(Ok(()), |id| Err(format!("the engine {id} is left")))
        });
    }

    /// Starts a match of two games between leapd here and this engine.
    fn begin_match(&self, far: &str, limit: &str) -> Child {
        let mut leap = Command::new(LEAP.as_str());
        leap.args([
            "match",
            "--game",
            "tactica",
            "--max-plies",
            "6",
            "--margin",
            "10000",
            "--json",
        ]);
        leap.args(["--each", limit, "--engine", "name=here", "--engine", "name=far"]);
        leap.arg(format!("cmd={far}")).arg("--out").arg(self.path("match"));
        leap.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The events of the match.
    fn events(&self, kind: &str) -> Vec<Value> {
        let stream = fs::read_to_string(self.path("match/events.ndjson")).unwrap_or_default();
        // The last line may be incomplete.
        let events = stream.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        events.filter(|event| event["event"] == kind).collect()
    }
}

fn is_alive(id: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    // Who starts the tests may not wait for orphans.
    !status.is_empty() && !status.contains(") Z ")
}

/// The process that has started another one.
fn parent(id: u32) -> u32 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("PPid:")).unwrap();
    line.trim().parse().unwrap()
}

fn signal(name: &str, id: u32) {
    let mut kill = Command::new("sh");
    assert!(kill.args(["-c", "kill -$0 $1", name, &id.to_string()]).status().unwrap().success());
}

fn leap(args: &[&str]) -> Output {
    let output = Command::new(LEAP.as_str()).args(args).output().unwrap();
    let said = [&output.stdout[..], &output.stderr].concat();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&said));
    output
}

#[test]
fn a_match_a_check_and_a_comparison_take_an_engine_on_another_machine() {
    let Some(far) = Far::start() else { return };
    let output = far.begin_match(&far.leapd(), "depth=2").wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(far.events("end").len(), 2);
    assert_eq!(far.events("fault"), [Value::Null; 0]);
    let words = shlex::split(&far.leapd()).unwrap();
    let words = words.iter().map(String::as_str);
    leap(
        &["check", "--timeout", "60000", "--filter", "greeting", "--"]
            .into_iter()
            .chain(words)
            .collect::<Vec<_>>(),
    );
    leap(&["compare", "--game", "sapos", "--games", "1", "--max-plies", "4", &LEAPD, &far.leapd()]);
    far.is_left();
}

#[test]
fn a_cut_connection_is_reported_in_the_words_of_ssh() {
    let Some(far) = Far::start() else { return };
    let mut game = far.begin_match(&far.leapd(), "movetime=100");
    wait_until(|| if far.events("move").len() > 1 { Ok(()) } else { Err("no move".to_owned()) });
    // The engine's parent serves the connection.
    let engine = far.ids().into_iter().rfind(|id| is_alive(*id)).unwrap();
    signal("KILL", parent(engine));
    assert!(game.wait().unwrap().success());
    let fault = &far.events("fault")[0];
    let text = fault["text"].as_str().unwrap();
    assert_eq!((&fault["kind"], &fault["engine"]), (&"crash".into(), &1.into()), "{text}");
    // What ssh says depends on whether it was just reading or writing.
    assert!(text.contains("exit status 255; its standard error: "), "{text}");
    far.is_left();
}

/// Ends a match by Ctrl-C in the midst of its first game, with this engine.
fn ended_by_ctrl_c(far: &Far, engine: &str) {
    let mut game = far.begin_match(engine, "movetime=60000");
    wait_until(|| match far.events("start").len() {
        0 => Err("no game".to_owned()),
        _ => Ok(()),
    });
    // Once would let the game end.
    signal("INT", game.id());
    wait_until(|| {
        // Two signals may arrive as one.
        if game.try_wait().unwrap().is_none() {
            signal("INT", game.id());
        }
        game.try_wait().unwrap().map(drop).ok_or("the match goes on".to_owned())
    });
    far.is_left();
}

#[test]
fn ctrl_c_leaves_no_leapd_at_the_far_side() {
    let Some(far) = Far::start() else { return };
    ended_by_ctrl_c(&far, &far.leapd());
}

#[test]
fn ctrl_c_leaves_no_engine_at_the_far_side_that_ignores_the_end_of_its_input() {
    let Some(far) = Far::start() else { return };
    let ids = far.path("ids");
    let engine = format!("echo $$ >> {}; {}; sleep 1000", ids.display(), *LEAPD);
    ended_by_ctrl_c(&far, &far.engine(&format!("(cat; kill 0) | sh -c '{engine}'")));
}
