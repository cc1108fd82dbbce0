//! WebDriver programs and their browsers. Starting a browser takes longer than most tests, so browsers are kept for the
//! next test. A test uses a browser alone, and in a browser context of its own. The test before has left no storage, no
//! cookies and no windows.

use std::cell::RefCell;
use std::env;
use std::fs::{self, File};
use std::future::pending;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};
use std::thread;

use fantoccini::wd::WindowHandle;
use fantoccini::{Client, ClientBuilder};
use futures_util::FutureExt as _;
use hyper_util::client::legacy::connect::HttpConnector;
use nix::sched::{CloneFlags, setns};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Handle};
use tungstenite::{Message, WebSocket};

use super::devtools::open_target;
use super::network::{FAR, Networks};
use super::page::LOCAL;
use crate::programs::{Kept, has};

const DRIVER: &str = "chromedriver";
/// Chromium without the parts that show windows (Debian: chromium-headless-shell). It takes a quarter less of the
/// processor, and has all tabs in sight. Without it the driver starts the whole browser.
static SHELL: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join("chromium-headless-shell"))
        .find(|shell| shell.is_file())
});
/// The width and height of a window, in pixels.
const SIZE: (u32, u32) = (1280, 1000);

/// A browser, and the window with which it began. This window stays open and empty.
struct Browser {
    client: Client,
    first: WindowHandle,
    /// For the commands that concern all windows: a driver has none for these.
    devtools: RefCell<WebSocket<TcpStream>>,
}

/// What a driver starts.
#[derive(Clone, Copy)]
enum Kind {
    Shell,
    Whole,
}

/// A WebDriver program, and those of its browsers that no test uses.
struct Driver {
    kind: Kind,
    address: String,
    /// Where it is, if not in the network of the tests.
    network: Option<File>,
    idle: Mutex<Vec<Browser>>,
    _process: Kept,
}

impl Driver {
    /// Starts the program by a command; its address for tests is `host`.
    fn start(kind: Kind, command: &[&str], host: &str, network: Option<File>) -> Driver {
        // The driver finds a free port, which another program may take a moment later. The driver then ends.
        for _ in 0..5 {
            let mut process = Kept::start(&[command, &["--port=0"]].concat());
            let lines = BufReader::new(process.0.stdout.as_mut().unwrap()).lines();
            let is_ready = |line: &String| line.contains("on port ") && line.ends_with('.');
            if let Some(ready) = lines.map_while(Result::ok).find(is_ready) {
                let port = ready.trim_end_matches('.').rsplit(' ').next().unwrap();
                let address = format!("http://{host}:{port}");
                return Driver {
                    kind,
                    address,
                    network,
                    idle: Mutex::default(),
                    _process: process,
                };
            }
        }
        panic!("chromedriver tells no port");
    }

    async fn browser(&self) -> Browser {
        // The lock is gone before anything waits.
        let idle = self.idle.lock().unwrap().pop();
        match idle {
            Some(browser) => browser,
            None => Browser::start(self).await,
        }
    }
}

impl Browser {
    async fn start(driver: &Driver) -> Browser {
        let size = format!("--window-size={},{}", SIZE.0, SIZE.1);
        // The list below the address is a page of its own in each window. Starting it takes longer than most tests.
        let mut options = json!({ "args": [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--force-prefers-reduced-motion",
            size,
            "--accept-lang=en",
            "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
            "--host-resolver-rules=MAP *.example 127.0.0.1",
        ] });
        if let (Kind::Shell, Some(shell)) = (driver.kind, &*SHELL) {
            options["binary"] = json!(shell);
        }
        let mut capabilities = serde_json::Map::new();
        capabilities.insert("goog:chromeOptions".to_owned(), options);
        let mut builder = ClientBuilder::new(HttpConnector::new());
        let client = builder.capabilities(capabilities).connect(&driver.address).await.unwrap();
        let first = client.window().await.unwrap();
        let profile = client.capabilities().unwrap()["chrome"]["userDataDir"].as_str().unwrap();
        let devtools = connect(Path::new(profile), driver.network.as_ref()).into();
        Browser { client, first, devtools }
    }

    /// The browser's answer to a command of the DevTools protocol.
    fn ask(&self, method: &str, params: &Value) -> Value {
        let mut devtools = self.devtools.borrow_mut();
        let command = json!({ "id": 1, "method": method, "params": params });
        devtools.send(Message::text(command.to_string())).unwrap();
        let mut answer: Value =
            serde_json::from_str(&devtools.read().unwrap().into_text().unwrap()).unwrap();
        assert!(answer["error"].is_null(), "{command}: {answer}");
        answer["result"].take()
    }

    /// Opens a window of a new browser context, whose id is returned.
    async fn begin(&self) -> String {
        let context = self.ask("Target.createBrowserContext", &json!({}));
        let context = context["browserContextId"].as_str().unwrap().to_owned();
        let window = open_target(&self.client, &context, true).await;
        self.client.switch_to_window(window).await.unwrap();
        self.client.set_window_rect(0, 0, SIZE.0, SIZE.1).await.unwrap();
        context
    }

    /// Closes all windows of a context, and forgets what they have stored.
    async fn end(&self, context: &str) {
        self.client.switch_to_window(self.first.clone()).await.unwrap();
        self.ask("Target.disposeBrowserContext", &json!({ "browserContextId": context }));
    }
}

/// Connects to the developer tools of a browser, which has written their address into its profile.
fn connect(profile: &Path, network: Option<&File>) -> WebSocket<TcpStream> {
    let address = fs::read_to_string(profile.join("DevToolsActivePort")).unwrap();
    let (port, path) = address.split_once('\n').unwrap();
    let inside = || {
        if let Some(network) = network {
            enter(network);
        }
        TcpStream::connect(format!("{LOCAL}:{port}")).unwrap()
    };
    // A thread cannot go back to the network that it has left.
    let stream = thread::scope(|scope| scope.spawn(inside).join().unwrap());
    tungstenite::client(format!("ws://{LOCAL}:{port}{path}"), stream).unwrap().0
}

fn has_driver() -> bool {
    has(DRIVER, "--version", "Debian: apt-get install chromium-driver")
}

/// The side of the cable at which a browser is. Where there is no cable, both are here.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Near,
    Far,
}

/// WebDriver programs here, or at both ends of a cable, and what tests need to use them.
pub(super) struct Place {
    runtime: Handle,
    near: Driver,
    far: Option<Driver>,
    pub(super) networks: Option<Networks>,
}

/// Pairs of networks that no test uses.
static IDLE: Mutex<Vec<Place>> = Mutex::new(Vec::new());

impl Place {
    /// This machine's own network. `None` and a message if there is no WebDriver program.
    pub(super) fn here() -> Option<&'static Place> {
        static HERE: LazyLock<Place> = LazyLock::new(|| Place::local(Kind::Shell));
        has_driver().then(|| &*HERE)
    }

    /// This machine's own network, with browsers whose tabs can be out of sight.
    pub(super) fn with_tabs() -> Option<&'static Place> {
        static WITH_TABS: LazyLock<Place> = LazyLock::new(|| Place::local(Kind::Whole));
        has_driver().then(|| &*WITH_TABS)
    }

    fn local(kind: Kind) -> Place {
        let near = Driver::start(kind, &[DRIVER], LOCAL, None);
        Place { runtime: runtime(|| ()), near, far: None, networks: None }
    }

    /// Runs a test in the near one of two networks. What it starts is there, too. Where there can be no networks, a
    /// message says so, and the test runs here.
    pub(super) fn within(test: impl FnOnce(&Place) + Send) {
        let Some(here) = Place::here() else { return };
        let idle = IDLE.lock().unwrap().pop();
        let Some(place) = idle.or_else(Place::far) else { return test(here) };
        place.networks.as_ref().unwrap().within(|| test(&place));
        IDLE.lock().unwrap().push(place);
    }

    fn far() -> Option<Place> {
        let networks = Networks::join()?;
        // What a thread starts is in its network.
        let [near, far] = networks.within(|| {
            let far = networks.command(DRIVER);
            let far: Vec<&str> = far.iter().map(String::as_str).collect();
            [
                Driver::start(Kind::Shell, &[DRIVER], LOCAL, None),
                Driver::start(Kind::Shell, &far, FAR, Some(networks.far())),
            ]
        });
        let file = networks.near();
        let runtime = runtime(move || enter(&file));
        Some(Place { runtime, near, far: Some(far), networks: Some(networks) })
    }

    /// Runs a test with an empty window in a browser of its own at each of these sides. A browser with which a test
    /// failed is closed.
    pub(super) fn with_browsers<const N: usize>(
        &self,
        sides: [Side; N],
        test: impl AsyncFnOnce([Client; N]),
    ) {
        let drivers = sides.map(|side| match (side, &self.far) {
            (Side::Far, Some(far)) => far,
            _ => &self.near,
        });
        let outcome = self.runtime.block_on(async {
            let mut browsers = Vec::new();
            for driver in drivers {
                let browser = driver.browser().await;
                let context = browser.begin().await;
                browsers.push((driver, browser, context));
            }
            let clients: Vec<_> = browsers.iter().map(|(_, one, _)| one.client.clone()).collect();
            let run = test(clients.try_into().unwrap());
            let outcome = AssertUnwindSafe(run).catch_unwind().await;
            for (driver, browser, context) in browsers {
                if outcome.is_err() {
                    let _ = browser.client.close().await;
                    continue;
                }
                browser.end(&context).await;
                driver.idle.lock().unwrap().push(browser);
            }
            outcome
        });
        if let Err(panic) = outcome {
            resume_unwind(panic);
        }
    }
}

/// A runtime for connections to drivers, which outlast tests. Its thread begins with a function.
fn runtime(begin: impl FnOnce() + Send + 'static) -> Handle {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let handle = runtime.handle().clone();
    thread::spawn(move || {
        begin();
        runtime.block_on(pending::<()>());
    });
    handle
}

/// Moves this thread to another network. It cannot go back.
pub(super) fn enter(network: &File) {
    setns(network, CloneFlags::CLONE_NEWNET).unwrap();
}
