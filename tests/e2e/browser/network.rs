//! Two networks of their own, joined by a cable: one for a server and a browser, and one for browsers far away.
//!
//! Nothing changes for other programs of this machine. A change of its network would make browsers give up requests.

use std::fs::File;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

use nix::sched::{CloneFlags, setns};

use crate::programs::wait_until;

/// The ends of the cable here and there. No network has these addresses: they are for documentation.
pub(super) const NEAR: &str = "198.51.100.1";
pub(super) const FAR: &str = "198.51.100.2";

/// How many pairs of networks this process has made.
static MADE: AtomicU32 = AtomicU32::new(0);

/// Two network namespaces, which are deleted when this is dropped.
pub(super) struct Networks {
    near: String,
    far: String,
}

/// What the program `ip` answers; `None` if it refuses, or if there is no such program.
fn answer(words: &str) -> Option<String> {
    let output = Command::new("ip").args(words.split(' ')).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn ip(words: &str) -> bool {
    answer(words).is_some()
}

impl Networks {
    /// Makes the networks; `None` where the system does not let us.
    fn join() -> Option<Networks> {
        let name = format!("leap{}-{}", std::process::id(), MADE.fetch_add(1, Relaxed));
        let networks = Networks { near: format!("{name}-near"), far: format!("{name}-far") };
        let Networks { near, far } = &networks;
        if ![near, far].iter().all(|name| ip(&format!("netns add {name}"))) {
            println!("SKIPPED: no network namespaces (they need root and the program ip)");
            return None;
        }
        let is_joined =
            ip(&format!("-n {near} link add cable type veth peer name cable netns {far}"))
                && [(near, NEAR), (far, FAR)].iter().all(|(name, address)| {
                    ip(&format!("-n {name} addr add {address}/30 dev cable"))
                        && ip(&format!("-n {name} link set cable up"))
                        && ip(&format!("-n {name} link set lo up"))
                });
        if !is_joined {
            println!("SKIPPED: no pair of veth devices");
            return None;
        }
        wait_until(|| {
            let state = answer(&format!("-n {far} -br link show cable")).unwrap_or_default();
            state.contains(" UP ").then_some(()).ok_or(state)
        });
        Some(networks)
    }

    /// Runs a test in the near network. What it starts is there, too. Without networks it runs where it is.
    pub(super) fn within(test: impl FnOnce(Option<&Networks>) + Send) {
        let networks = Networks::join();
        let Some(near) = networks.as_ref() else { return test(None) };
        let file = File::open(format!("/var/run/netns/{}", near.near)).unwrap();
        // A thread cannot go back to the network that it has left.
        let run = thread::scope(|scope| {
            let inside = || {
                setns(&file, CloneFlags::CLONE_NEWNET).unwrap();
                test(Some(near));
            };
            scope.spawn(inside).join()
        });
        run.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }

    /// Puts the cable in, or pulls it out.
    pub(super) fn put_cable(&self, is_in: bool) {
        let state = if is_in { "up" } else { "down" };
        assert!(ip(&format!("-n {} link set cable {state}", self.near)));
    }

    /// A WebDriver program in the far network, which listens to the near one alone.
    pub(super) fn command(&self, driver: &str) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.far, driver, &format!("--allowed-ips={NEAR}")]);
        command
    }
}

impl Drop for Networks {
    fn drop(&mut self) {
        ip(&format!("netns delete {}", self.near));
        ip(&format!("netns delete {}", self.far));
    }
}
