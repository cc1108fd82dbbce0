//! Two networks of their own, joined by a cable: one for a server and a browser, and one for browsers far away.
//!
//! Nothing changes for other programs of this machine. A change of its network would make browsers give up requests.

use std::fs::File;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::thread;

use leap_testing::skip;

use super::driver::enter;
use crate::programs::{Kept, wait_until};

/// The ends of the cable here and there. No network has these addresses: they are for documentation.
pub(super) const NEAR: &str = "198.51.100.1";
pub(super) const FAR: &str = "198.51.100.2";

/// How many pairs of networks this process has made.
static MADE: AtomicU32 = AtomicU32::new(0);

/// Two network namespaces, which are deleted when this is dropped, or when this program ends.
pub(super) struct Networks {
    near: String,
    far: String,
    _deletion: Kept,
}

/// What the program `ip` answers; `None` if it refuses, or if there is no such program.
fn answer(words: &str) -> Option<String> {
    let output = Command::new("ip").args(words.split(' ')).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn ip(words: &str) -> bool {
    answer(words).is_some()
}

fn open(network: &str) -> File {
    File::open(format!("/var/run/netns/{network}")).unwrap()
}

impl Networks {
    /// Makes the networks; `None` where the system does not let us.
    pub(super) fn join() -> Option<Networks> {
        let name = format!("leap{}-{}", std::process::id(), MADE.fetch_add(1, Relaxed));
        let (near, far) = (format!("{name}-near"), format!("{name}-far"));
        let script = format!("ip netns delete {near}; ip netns delete {far}");
        let networks = Networks { near, far, _deletion: Kept::until(&script) };
        let Networks { near, far, .. } = &networks;
        if ![near, far].iter().all(|name| ip(&format!("netns add {name}"))) {
            skip("network namespaces", "they need root, and the program ip (Debian: iproute2)");
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
            skip("network namespaces", "this system has no pairs of veth devices");
            return None;
        }
        wait_until(|| {
            let state = answer(&format!("-n {far} -br link show cable")).unwrap_or_default();
            state.contains(" UP ").then_some(()).ok_or(state)
        });
        Some(networks)
    }

    /// The near network, for [`enter`].
    pub(super) fn near(&self) -> File {
        open(&self.near)
    }

    /// The far network.
    pub(super) fn far(&self) -> File {
        open(&self.far)
    }

    /// Runs a function in the near network, in a thread of its own: a thread cannot go back.
    pub(super) fn within<T: Send>(&self, run: impl FnOnce() -> T + Send) -> T {
        let file = self.near();
        let inside = || {
            enter(&file);
            run()
        };
        let outcome = thread::scope(|scope| scope.spawn(inside).join());
        outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    /// Puts the cable in, or pulls it out.
    pub(super) fn put_cable(&self, is_in: bool) {
        let state = if is_in { "up" } else { "down" };
        assert!(ip(&format!("-n {} link set cable {state}", self.near)));
    }

    /// The command of a WebDriver program in the far network, which listens to the near one alone.
    pub(super) fn command(&self, driver: &str) -> Vec<String> {
        let allowed = format!("--allowed-ips={NEAR}");
        ["ip", "netns", "exec", &self.far, driver, &allowed].map(str::to_owned).to_vec()
    }
}
