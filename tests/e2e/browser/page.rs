//! The page under test: browsers and servers for it.

use std::cell::Cell;
use std::io::{BufRead, BufReader};
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::process::{Command, Stdio};

use fantoccini::{Client, ClientBuilder};
use futures_util::FutureExt;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;

use super::line::Line;
use super::network::{FAR, NEAR, Networks};
use super::server::{Home, Server};
use super::window::{LISTEN, Window};
use crate::programs::Running;
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

const DRIVER: &str = "chromedriver";

/// The WebDriver program and its port; `None` if there is none.
fn start_driver() -> Option<(Running, u16)> {
    start_driver_by(|| Command::new(DRIVER))
}

/// A WebDriver program here, and one in the far network, where there is one.
fn start_drivers(networks: Option<&Networks>) -> Option<[(Running, u16); 2]> {
    let far = || networks.map_or_else(|| Command::new(DRIVER), |there| there.command(DRIVER));
    Some([start_driver()?, start_driver_by(far)?])
}

fn start_driver_by(command: impl Fn() -> Command) -> Option<(Running, u16)> {
    // The driver finds a free port, which another program may take a moment later. The driver then ends.
    for _ in 0..5 {
        let mut driver = command();
        let driver = driver.arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null());
        let Ok(driver) = driver.spawn() else {
            println!("SKIPPED: no chromedriver (Debian: apt-get install chromium-driver)");
            return None;
        };
        let mut driver = Running(driver);
        let lines = BufReader::new(driver.0.stdout.as_mut().unwrap()).lines();
        let is_ready = |line: &String| line.contains("on port ") && line.ends_with('.');
        if let Some(ready) = lines.map_while(Result::ok).find(is_ready) {
            let port = ready.trim_end_matches('.').rsplit(' ').next().unwrap().parse().unwrap();
            return Some((driver, port));
        }
    }
    panic!("chromedriver tells no port");
}

/// Runs a test on a fresh page of `leap web`.
pub(crate) fn with_page<F: Future<Output = ()>>(test: impl FnOnce(Page) -> F) {
    with_page_of(|| Server::start(&[]), test);
}

/// Runs a test on a fresh page of `leap web` whose engine has exact values of positions with so few men.
pub(crate) fn with_tables<F: Future<Output = ()>>(men: u32, test: impl FnOnce(Page) -> F) {
    with_page_of(|| Server::with_tables(men), test);
}

/// Runs a test on a fresh page of `leap web` with this many engines.
pub(crate) fn with_engines<F: Future<Output = ()>>(count: u32, test: impl FnOnce(Page) -> F) {
    with_page_of(|| Server::start(&["--engines", &count.to_string()]), test);
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
    let Some((_driver, port)) = start_driver() else { return };
    with_browsers([(LOCAL, port)], async |[client]| {
        test(Page::open_first(client, serve()).await).await;
    });
}

/// Runs a test on a page of `leap web --listen`, with empty windows of two more browsers.
pub(crate) fn with_guests<F: Future<Output = ()>>(
    test: impl FnOnce(Page, String, [Window; 2]) -> F,
) {
    let Some((_driver, port)) = start_driver() else { return };
    with_browsers([(LOCAL, port); 3], async |[first, others @ ..]| {
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
    Networks::within(|networks| {
        let Some(networks) = networks else { return };
        let Some([(_driver, port), (_far, far_port)]) = start_drivers(Some(networks)) else {
            return;
        };
        with_browsers([(LOCAL, port), (FAR, far_port)], async |[first, client]| {
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
    Networks::within(|networks| {
        let Some([(_driver, port), (_far, far_port)]) = start_drivers(networks) else { return };
        let (near, far) = if networks.is_some() { (NEAR, FAR) } else { (LOCAL, LOCAL) };
        let (here, far) = ((LOCAL, port), (far, far_port));
        with_browsers([here, far, far, here], async |[first, guest, other, here]| {
            let (server, line) = Server::with_guests_behind_line(near);
            let page = Page::open_first(first, server).await;
            let far = [guest, other].map(|client| Window { client });
            test(page, Way { line, networks }, far, Window { client: here }).await;
        });
    });
}

/// Runs a test with browsers of these drivers. Each browser has a profile of its own, and all are closed whatever
/// happens.
fn with_browsers<const N: usize>(drivers: [(&str, u16); N], test: impl AsyncFnOnce([Client; N])) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let outcome = runtime.block_on(async {
        let mut clients = Vec::new();
        for (driver, port) in drivers {
            clients.push(connect(driver, port).await);
        }
        let closing = clients.clone();
        let run = test(clients.try_into().unwrap());
        let outcome = AssertUnwindSafe(run).catch_unwind().await;
        for client in closing {
            client.close().await.unwrap();
        }
        outcome
    });
    if let Err(panic) = outcome {
        resume_unwind(panic);
    }
}

async fn connect(driver: &str, port: u16) -> Client {
    let options = json!({ "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--force-prefers-reduced-motion", "--window-size=1280,1000", "--accept-lang=en",
        "--host-resolver-rules=MAP *.example 127.0.0.1"] });
    let mut capabilities = serde_json::Map::new();
    capabilities.insert("goog:chromeOptions".to_owned(), options);
    let mut builder = ClientBuilder::new(HttpConnector::new());
    let address = format!("http://{driver}:{port}");
    builder.capabilities(capabilities).connect(&address).await.unwrap()
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
