//! The page under test: browsers and servers for it.

use std::cell::Cell;
use std::ops::Deref;
use std::path::Path;

use fantoccini::Client;

use super::driver::Place;
use super::driver::Side::{Far, Near};
use super::line::Line;
use super::network::{NEAR, Networks};
use super::server::{Home, Server};
use super::window::{LISTEN, Window};
use crate::wasm;

/// Where browsers and servers of this machine are.
pub(super) const LOCAL: &str = "127.0.0.1";

/// The first window of a server's page.
pub(crate) struct Page {
    window: Window,
    pub(crate) server: Server,
}

impl Deref for Page {
    type Target = Window;

    fn deref(&self) -> &Window {
        &self.window
    }
}

/// Runs a test on a fresh page of `leap web`.
pub(crate) fn with_page<F: Future<Output = ()>>(test: impl FnOnce(Page) -> F) {
    with_page_of(|| Server::start(&[]), test);
}

/// Runs a test on a fresh page of `leap web` whose engine has exact values of positions with so few men.
pub(crate) fn with_tables<F: Future<Output = ()>>(men: u32, test: impl FnOnce(Page) -> F) {
    with_page_of(|| Server::with_tables(men), test);
}

/// Runs a test on a fresh page of `leap web` with these options, in a browser whose tabs can be out of sight.
pub(crate) fn with_tabs<F: Future<Output = ()>>(options: &[&str], test: impl FnOnce(Page) -> F) {
    with_page_in(Place::with_tabs(), || Server::start(options), test);
}

/// Runs a test on a fresh page of `leap web` with another engine than leapd.
pub(crate) fn with_engine<F: Future<Output = ()>>(engine: &Path, test: impl FnOnce(Page) -> F) {
    with_page_of(|| Server::of_engine(engine), test);
}

/// Runs a test on a fresh page without a server of its own.
pub(crate) fn with_exported_page<F: Future<Output = ()>>(test: impl FnOnce(Page) -> F) {
    let Some(engine) = wasm::package() else { return };
    with_page_of(|| Server::of_files(&engine, &[""]), test);
}

/// Runs a test on a fresh page of `leap web`, and on one without a server of its own.
pub(crate) fn with_each_page<F: Future<Output = ()>>(test: impl Fn(Page) -> F) {
    with_page(&test);
    with_exported_page(&test);
}

/// Runs a test on a fresh page without a server of its own, the first of some on one host.
pub(crate) fn with_exported_pages<F: Future<Output = ()>>(
    sites: &[&str],
    test: impl FnOnce(Page) -> F,
) {
    let Some(engine) = wasm::package() else { return };
    with_page_of(|| Server::of_files(&engine, sites), test);
}

/// Runs a test on a fresh page of `leap web`, reached over a line that can be cut.
pub(crate) fn with_line<F: Future<Output = ()>>(
    options: &[&str],
    test: impl FnOnce(Page, Line) -> F,
) {
    with_page_and(|| Server::behind_line(options), test);
}

/// Runs a test on a fresh page without a server of its own that may use an engine at home.
pub(crate) fn with_home<F: Future<Output = ()>>(test: impl FnOnce(Page, Home) -> F) {
    let Some(engine) = wasm::package() else { return };
    with_page_and(|| Server::with_home(&engine), test);
}

/// Runs a test on a fresh page, with something that comes with its server.
fn with_page_and<T, F: Future<Output = ()>>(
    serve: impl FnOnce() -> (Server, T),
    test: impl FnOnce(Page, T) -> F,
) {
    let kept = Cell::new(None);
    let serve = || {
        let (server, more) = serve();
        kept.set(Some(more));
        server
    };
    with_page_of(serve, |page| test(page, kept.take().unwrap()));
}

/// Runs a test on the website, whose playable page is open.
pub(crate) fn with_site<F: Future<Output = ()>>(test: impl FnOnce(Page) -> F) {
    let Some(engine) = wasm::package() else { return };
    let Some(server) = Server::of_site(&engine) else { return };
    with_page_of(|| server, test);
}

/// Runs a test on a fresh page.
fn with_page_of<F: Future<Output = ()>>(
    serve: impl FnOnce() -> Server,
    test: impl FnOnce(Page) -> F,
) {
    with_page_in(Place::here(), serve, test);
}

fn with_page_in<F: Future<Output = ()>>(
    place: Option<&Place>,
    serve: impl FnOnce() -> Server,
    test: impl FnOnce(Page) -> F,
) {
    let Some(place) = place else { return };
    place.with_browsers([Near], async |[client]| {
        test(Page::open_first(client, serve()).await).await;
    });
}

/// Runs a test on a page of `leap web --listen`, with empty windows of two more browsers.
pub(crate) fn with_guests<F: Future<Output = ()>>(
    test: impl FnOnce(Page, String, [Window; 2]) -> F,
) {
    let Some(place) = Place::here() else { return };
    place.with_browsers([Near; 3], async |[first, others @ ..]| {
        let (server, guests) = Server::with_guests(LOCAL);
        let page = Page::open_first(first, server).await;
        test(page, guests, others.map(|client| Window { client })).await;
    });
}

/// Runs a test on a page of `leap web --listen`, with an empty window of a browser in another network. Skipped where
/// there can be no such network.
pub(crate) fn with_guest_elsewhere<F: Future<Output = ()>>(
    test: impl FnOnce(Page, Window) -> F + Send,
) {
    Place::within(|place| {
        if place.networks.is_none() {
            return;
        }
        place.with_browsers([Near, Far], async |[first, client]| {
            let (server, _) = Server::with_guests(NEAR);
            test(Page::open_first(first, server).await, Window { client }).await;
        });
    });
}

/// What is between the page and guests far away.
pub(crate) struct Way<'a> {
    pub(super) line: Line,
    /// The network of the guests' browsers, where there can be one.
    pub(super) networks: Option<&'a Networks>,
}

/// Runs a test on a page of `leap web --listen`, with empty windows of two browsers in another network and of one here.
/// Where there can be no such network, all browsers are here.
pub(crate) fn with_far_guests(test: impl AsyncFnOnce(Page, Way<'_>, [Window; 2], Window) + Send) {
    Place::within(|place| {
        place.with_browsers([Near, Far, Far, Near], async |[first, guest, other, here]| {
            let networks = place.networks.as_ref();
            let near = networks.map_or(LOCAL, |_| NEAR);
            let (server, line) = Server::with_guests_behind_line(near);
            let page = Page::open_first(first, server).await;
            let far = [guest, other].map(|client| Window { client });
            test(page, Way { line, networks }, far, Window { client: here }).await;
        });
    });
}

impl Page {
    /// The page of a server, where engines answer immediately.
    async fn open_first(client: Client, server: Server) -> Self {
        client.goto(&server.url).await.unwrap();
        client.execute(LISTEN, vec![]).await.unwrap();
        let page = Self { window: Window { client }, server };
        page.settled().await;
        for level in ["p1-level", "p2-level"] {
            page.fill(&format!("#{level}"), "6").await;
        }
        page
    }
}
