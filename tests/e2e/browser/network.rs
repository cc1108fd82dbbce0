//! A network of its own for a browser, joined to this machine by a cable.

use std::process::{Command, Stdio};

/// The ends of the cable here and there. No network has these addresses: they are for documentation.
pub(super) const NEAR: &str = "198.51.100.1";
pub(super) const FAR: &str = "198.51.100.2";

/// A network namespace, which is deleted when it is dropped.
pub(super) struct Network {
    name: String,
}

fn ip(words: &str) -> bool {
    let mut ip = Command::new("ip");
    let ran = ip.args(words.split(' ')).stdout(Stdio::null()).stderr(Stdio::null()).status();
    ran.is_ok_and(|status| status.success())
}

impl Network {
    /// Makes the network; `None` where the system does not let us.
    pub(super) fn join() -> Option<Network> {
        let name = format!("leap{}", std::process::id());
        if !ip(&format!("netns add {name}")) {
            println!("SKIPPED: no network namespaces (they need root and the program ip)");
            return None;
        }
        let network = Network { name };
        let name = &network.name;
        let is_joined = ip(&format!("link add {name}a type veth peer name {name}b netns {name}"))
            && ip(&format!("addr add {NEAR}/30 dev {name}a"))
            && ip(&format!("link set {name}a up"))
            && ip(&format!("-n {name} addr add {FAR}/30 dev {name}b"))
            && ip(&format!("-n {name} link set {name}b up"))
            && ip(&format!("-n {name} link set lo up"));
        if !is_joined {
            println!("SKIPPED: no pair of veth devices");
        }
        is_joined.then_some(network)
    }

    /// A WebDriver program in this network, which listens to this machine alone.
    pub(super) fn command(&self, driver: &str) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.name, driver]);
        command.arg(format!("--allowed-ips={NEAR}"));
        command
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        ip(&format!("netns delete {}", self.name));
    }
}
