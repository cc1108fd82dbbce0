//! Access control of the server.
//!
//! A page from elsewhere, open in the same browser, can reach a local address. Two headers identify it, and no script
//! can forge them:
//!
//! - `Origin` is the site of the page that opens a WebSocket.
//! - `Host` is the name under which the browser knows this server. It reveals a foreign name that resolves to this
//!   machine (DNS rebinding).

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, header};

/// The host names under which the server may be requested.
#[derive(Clone, Debug)]
pub(super) struct Hosts {
    names: Vec<String>,
    /// The port of a server that listens at all addresses of the machine: every address is its name. No foreign name
    /// gets in by this, since an address is no name.
    any: Option<u16>,
    /// The sites of other pages that may use the engine, as browsers name them.
    sites: Vec<String>,
}

impl Hosts {
    /// The served address, its usual names if it is local, and the additionally allowed names.
    pub(super) fn new(address: SocketAddr, allowed: Vec<String>) -> Self {
        let port = address.port();
        let mut hosts = allowed;
        hosts.push(address.to_string());
        if address.ip().is_loopback() || address.ip().is_unspecified() {
            hosts.extend(["localhost", "127.0.0.1", "[::1]"].map(|name| format!("{name}:{port}")));
        }
        Self { names: hosts, any: None, sites: Vec::new() }
    }

    /// Like [`Hosts::new`], for a server that other machines reach.
    pub(super) fn listening(address: SocketAddr, allowed: Vec<String>) -> Self {
        let any = address.ip().is_unspecified().then(|| address.port());
        Self { any, ..Self::new(address, allowed) }
    }

    /// Lets pages of these sites use the engine.
    pub(super) fn lending_to(self, sites: Vec<String>) -> Self {
        Self { sites, ..self }
    }

    /// The host name of the request, if it is one of ours.
    pub(super) fn known<'h>(&self, headers: &'h HeaderMap) -> Option<&'h str> {
        let host = headers.get(header::HOST)?.to_str().ok()?;
        let is_named = self.names.iter().any(|known| known.eq_ignore_ascii_case(host));
        (is_named || self.is_address(host)).then_some(host)
    }

    fn is_address(&self, host: &str) -> bool {
        let Some(port) = self.any else { return false };
        // Browsers leave out the usual ports.
        let is_usual = [80, 443].contains(&port);
        host.parse::<SocketAddr>().is_ok_and(|address| address.port() == port)
            || (is_usual && host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok())
    }

    /// Whether a WebSocket is opened by a page to which the engine is lent.
    pub(super) fn is_lent_to(&self, headers: &HeaderMap) -> bool {
        let is_lent = |origin| self.sites.iter().any(|site| site == origin);
        self.known(headers).is_some() && origin(headers).is_some_and(is_lent)
    }

    /// Whether a WebSocket is opened by our own page.
    pub(super) fn is_own_page(&self, headers: &HeaderMap) -> bool {
        let Some((host, origin)) = self.known(headers).zip(origin(headers)) else { return false };
        // A proxy in front of this server may use https.
        let site = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        site.is_some_and(|site| site.eq_ignore_ascii_case(host))
    }
}

/// The site of the page that sends a request.
fn origin(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::ORIGIN)?.to_str().ok()
}

/// The site of a page, as browsers name it in `Origin`: `https://me.example` for `https://me.example/leap/`. `None` if
/// the address has no plain host name.
pub(super) fn site_of(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split('/').next()?.to_ascii_lowercase();
    let usual = if scheme == "https" { ":443" } else { ":80" };
    let host = host.strip_suffix(usual).unwrap_or(&host);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:".contains(&byte);
    let is_host = !host.is_empty() && host.bytes().all(is_plain);
    is_host.then(|| format!("{scheme}://{host}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_page_is_let_in_by_each_of_our_names_and_nobody_else() {
        let hosts = Hosts::new("127.0.0.1:8471".parse().unwrap(), vec!["games.example".to_owned()]);
        for (host, origin, is_own) in [
            ("127.0.0.1:8471", Some("http://127.0.0.1:8471"), true),
            ("LOCALHOST:8471", Some("http://localhost:8471"), true),
            ("games.example", Some("https://games.example"), true),
            ("127.0.0.1:8471", Some("http://evil.example"), false),
            ("127.0.0.1:8471", Some("http://127.0.0.1:8472"), false),
            ("127.0.0.1:8471", Some("null"), false),
            ("127.0.0.1:8471", None, false),
            // Foreign names for this machine.
            ("evil.example:8471", Some("http://evil.example:8471"), false),
            ("evil.example", Some("http://evil.example"), false),
        ] {
            let names = [(header::HOST, Some(host)), (header::ORIGIN, origin)];
            let headers = names.into_iter().filter_map(|(name, value)| Some((name, value?)));
            let headers = headers.map(|(name, value)| (name, value.parse().unwrap())).collect();
            assert_eq!(hosts.is_own_page(&headers), is_own, "{host} {origin:?}");
        }
    }

    #[test]
    fn a_server_at_all_addresses_goes_by_each_of_them_and_by_no_foreign_name() {
        let hosts = Hosts::listening("0.0.0.0:8472".parse().unwrap(), Vec::new());
        let is_known = |host: &str| {
            let headers = HeaderMap::from_iter([(header::HOST, host.parse().unwrap())]);
            hosts.known(&headers).is_some()
        };
        assert!(is_known("192.0.2.7:8472") && is_known("[2001:db8::1]:8472"));
        for host in
            ["192.0.2.7:8471", "192.0.2.7", "evil.example:8472", "192.0.2.7.evil.example:8472"]
        {
            assert!(!is_known(host), "{host}");
        }
    }

    #[test]
    fn the_engine_is_lent_to_pages_of_the_named_sites_and_to_no_others() {
        let hosts = Hosts::new("127.0.0.1:8472".parse().unwrap(), Vec::new());
        let hosts = hosts.lending_to(vec!["https://me.example".to_owned()]);
        let is_lent = |host: &str, origin: &str| {
            let names = [(header::HOST, host), (header::ORIGIN, origin)];
            hosts.is_lent_to(
                &names.map(|(name, value)| (name, value.parse().unwrap())).into_iter().collect(),
            )
        };
        assert!(is_lent("127.0.0.1:8472", "https://me.example"));
        for (host, origin) in [
            ("evil.example:8472", "https://me.example"),
            ("127.0.0.1:8472", "http://me.example"),
            ("127.0.0.1:8472", "https://me.example:8443"),
            ("127.0.0.1:8472", "https://me.example.evil.example"),
            ("127.0.0.1:8472", "https://evil.me.example"),
            ("127.0.0.1:8472", "null"),
            ("127.0.0.1:8472", "*"),
        ] {
            assert!(!is_lent(host, origin), "{host} {origin}");
        }
    }

    #[test]
    fn a_site_is_named_as_browsers_name_it() {
        for (url, site) in [
            ("https://Me.Example/leap/", "https://me.example"),
            ("https://me.example:443/", "https://me.example"),
            ("http://127.0.0.1:8000/", "http://127.0.0.1:8000"),
        ] {
            assert_eq!(site_of(url).as_deref(), Some(site));
        }
        for wrong in [
            "me.example",
            "https://",
            "https://*/",
            "https://a;b/",
            "https://me@a/",
            "http://[::1]/",
        ] {
            assert_eq!(site_of(wrong), None, "{wrong}");
        }
    }
}
