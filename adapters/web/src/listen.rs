//! Listening for guests: the address, the names, and the address in links.

use std::io;
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::sync::Arc;

use anyhow::Context as _;
use leap_base::terminal;
use leap_client::EngineCommand;
use leap_meeting::{Meetings, show_link};
use tokio::net::TcpListener;

use super::guard::{Hosts, site_of};
use super::tls::{self, TlsAcceptor};
use super::{WebArgs, address as ip_address};

/// The port for guests, if none is given.
const PORT: u16 = 8472;

/// Everything that serving guests needs.
pub(super) struct Guests {
    pub(super) listener: TcpListener,
    pub(super) hosts: Hosts,
    pub(super) tls: Option<TlsAcceptor>,
    pub(super) meetings: Arc<Meetings>,
    url: String,
    /// The link of the host, with its secret.
    own_link: String,
    /// The links of exported pages that may use the engine.
    engine_links: Vec<String>,
    /// Whether others can read what guests send.
    is_readable: bool,
}

/// Reads `ADDRESS[:PORT]`.
pub(super) fn address(text: &str) -> Result<SocketAddr, &'static str> {
    let expected = "expected an address such as 0.0.0.0 or 192.0.2.1:8472";
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    if let Ok(ip) = ip_address(bare) {
        return Ok(SocketAddr::new(ip, PORT));
    }
    let (host, port) = text.rsplit_once(':').ok_or(expected)?;
    let port = port.parse().map_err(|_| expected)?;
    Ok(SocketAddr::new(ip_address(host).map_err(|_| expected)?, port))
}

/// Reads the address of the page for guests, and ends it with `/`.
pub(super) fn url(text: &str) -> Result<String, &'static str> {
    let site = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_plain = |c: char| c.is_ascii_graphic() && !"#?\"<>\\^`{|}".contains(c);
    match site {
        Some(site) if !site.starts_with('/') && !site.is_empty() && site.chars().all(is_plain) => {
            Ok(format!("{}/", text.trim_end_matches('/')))
        }
        _ => Err("expected an address such as https://games.example/"),
    }
}

/// Reads the address of an exported page, or of a server that it may use, and ends it with `/`.
pub(super) fn plain_url(text: &str) -> Result<String, &'static str> {
    let read = url(text)?;
    site_of(&read).ok_or("expected an address with a host name, such as https://games.example/")?;
    Ok(read)
}

/// The name of the server in an address, with its port.
fn name_in(url: &str) -> Option<&str> {
    url.split("//").nth(1)?.split('/').next()
}

/// Starts to listen.
pub(super) async fn bind(asked: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(asked)
        .await
        .with_context(|| format!("cannot listen at {asked}; --listen ADDRESS:0 takes any port"))
}

/// Opens the games, for guests who come by this listener.
pub(super) fn open(
    listener: TcpListener,
    args: &WebArgs,
    engine: &EngineCommand,
) -> anyhow::Result<Guests> {
    let tls = match (&args.cert, &args.key) {
        (Some(chain), Some(key)) => Some(tls::acceptor(chain, key)?),
        _ => None,
    };
    let address = listener.local_addr()?;
    let url = args.guest_url.clone().unwrap_or_else(|| own_url(address, args, tls.is_some()));
    let mut names = args.allow_host.clone();
    names.extend(name_in(&url).map(str::to_owned));
    let (mut meetings, own_link) = Meetings::open(engine.clone(), url.clone(), &args.games)?;
    let engine_links = match &*args.engine_for {
        [] => Vec::new(),
        pages => meetings.lend_engine(pages)?,
    };
    let sites = args.engine_for.iter().filter_map(|page| site_of(page)).collect();
    let hosts = Hosts::listening(address, names).lending_to(sites);
    let meetings = Arc::new(meetings);
    let is_readable = url.starts_with("http:") && !address.ip().is_loopback();
    Ok(Guests { listener, hosts, tls, meetings, url, own_link, engine_links, is_readable })
}

impl Guests {
    /// Tells the host how guests get in. The warning comes first: whoever reads the address has been warned.
    pub(super) fn announce(&self) -> io::Result<()> {
        if self.is_readable {
            terminal::warn(
                "leap: connections of guests are not encrypted: who can read the network can play for them; see --cert",
            );
        }
        terminal::show(format_args!("guests: {}\n", self.url))?;
        show_link("your own page at another device", &self.own_link);
        for link in &self.engine_links {
            show_link("the exported page with this engine", link);
        }
        Ok(())
    }
}

/// The address of the page for guests: by the first name that is allowed, or by an address of this machine.
fn own_url(address: SocketAddr, args: &WebArgs, is_encrypted: bool) -> String {
    let scheme = if is_encrypted { "https" } else { "http" };
    let port = address.port();
    let site = match args.allow_host.first() {
        Some(name) if name.contains(':') => name.clone(),
        Some(name) => format!("{name}:{port}"),
        None => SocketAddr::new(reached_at(address.ip()), port).to_string(),
    };
    format!("{scheme}://{site}/")
}

/// The address at which others reach a server. A server at all addresses has one by which it reaches others.
fn reached_at(ip: IpAddr) -> IpAddr {
    if !ip.is_unspecified() {
        return ip;
    }
    // Connecting a socket of this kind sends nothing. The address at its other end is one for documentation.
    let (from, to) = match ip {
        IpAddr::V4(_) => ("0.0.0.0:0", "192.0.2.1:9"),
        IpAddr::V6(_) => ("[::]:0", "[2001:db8::1]:9"),
    };
    let socket = UdpSocket::bind(from).and_then(|socket| socket.connect(to).map(|()| socket));
    let own = socket.and_then(|socket| socket.local_addr()).map(|address| address.ip());
    own.ok().filter(|ip| !ip.is_unspecified()).unwrap_or(match ip {
        IpAddr::V4(_) => IpAddr::from([127, 0, 0, 1]),
        IpAddr::V6(_) => IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_may_have_a_port() {
        let read = |text| address(text).map(|address| address.to_string());
        assert_eq!(read("0.0.0.0").unwrap(), "0.0.0.0:8472");
        assert_eq!(read("192.0.2.1:80").unwrap(), "192.0.2.1:80");
        assert_eq!(read("localhost:0").unwrap(), "127.0.0.1:0");
        assert_eq!(read("::").unwrap(), "[::]:8472");
        assert_eq!(read("[::1]").unwrap(), "[::1]:8472");
        assert_eq!(read("[::1]:9").unwrap(), "[::1]:9");
        for wrong in ["", ":80", "games.example", "192.0.2.1:x", "192.0.2.1:99999"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_address_for_guests_ends_with_a_slash_and_has_no_other_part() {
        assert_eq!(url("https://games.example").unwrap(), "https://games.example/");
        assert_eq!(url("http://a:8472/leap/").unwrap(), "http://a:8472/leap/");
        assert_eq!(name_in("http://a:8472/leap/"), Some("a:8472"));
        for wrong in ["games.example", "https://", "ftp://a/", "https://a/#b", "https://a b/"] {
            assert!(url(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_server_at_one_address_is_reached_there() {
        let ip: IpAddr = "192.0.2.1".parse().unwrap();
        assert_eq!(reached_at(ip), ip);
        assert!(!reached_at("0.0.0.0".parse().unwrap()).is_unspecified());
    }
}
