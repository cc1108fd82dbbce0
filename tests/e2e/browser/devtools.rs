//! What only the browser's developer tools can do: other screens, colour schemes and languages.

use fantoccini::Client;
use fantoccini::wd::{WebDriverCompatibleCommand, WindowHandle};
use http::Method;
use serde_json::{Value, json};
use url::{ParseError, Url};

use super::page::Page;

/// A command of the DevTools protocol, in chromedriver's extension of WebDriver.
#[derive(Debug)]
struct DevTools {
    command: &'static str,
    params: Value,
}

impl WebDriverCompatibleCommand for DevTools {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        let body = json!({ "cmd": self.command, "params": self.params });
        (Method::POST, Some(body.to_string()))
    }
}

/// The answer of the browser to a command of the DevTools protocol.
pub(super) async fn devtools(client: &Client, command: &'static str, params: Value) -> Value {
    client.issue_cmd(DevTools { command, params }).await.unwrap()
}

/// Opens an empty tab of a browser context, or a window.
pub(super) async fn open_target(client: &Client, context: &str, is_window: bool) -> WindowHandle {
    let params =
        json!({ "url": "about:blank", "browserContextId": context, "newWindow": is_window });
    let target = devtools(client, "Target.createTarget", params).await;
    target["targetId"].as_str().unwrap().to_owned().try_into().unwrap()
}

impl Page {
    async fn devtools(&self, command: &'static str, params: Value) -> Value {
        devtools(&self.client, command, params).await
    }

    /// The browser context of the window.
    async fn context(&self) -> String {
        let target = self.devtools("Target.getTargetInfo", json!({})).await;
        target["targetInfo"]["browserContextId"].as_str().unwrap().to_owned()
    }

    /// Opens an empty tab beside that of the page.
    pub(crate) async fn open_tab(&self) -> WindowHandle {
        open_target(&self.client, &self.context().await, false).await
    }

    /// Goes on in the browser's first window. It belongs to the browser's own profile: a page of another context cannot
    /// be installed. The test leaves the window empty.
    pub(crate) async fn go_to_profile(&self) {
        let own = self.client.window().await.unwrap();
        let windows = self.client.windows().await.unwrap();
        let first = windows.into_iter().find(|window| *window != own).unwrap();
        self.client.switch_to_window(first).await.unwrap();
        self.visit(&self.server.url).await;
    }

    /// The browser's reasons against installing the page.
    pub(crate) async fn faults_of_installation(&self) -> Value {
        self.devtools("Page.getInstallabilityErrors", json!({})).await
    }

    /// Loads the page anew without a file of it.
    pub(crate) async fn reload_without(&self, file: &str) {
        self.devtools("Network.enable", json!({})).await;
        self.devtools("Network.setBlockedURLs", json!({ "urls": [format!("*/{file}*")] })).await;
        self.client.refresh().await.unwrap();
    }

    /// Brings another tab in front of that of the page.
    pub(crate) async fn go_behind(&self, other: &str) {
        self.devtools("Target.activateTarget", json!({ "targetId": other })).await;
        self.wait_until("it is out of sight", "return document.hidden").await;
    }

    /// Brings the tab of the page in front of the others.
    pub(crate) async fn come_into_sight(&self) {
        self.devtools("Page.bringToFront", json!({})).await;
        self.wait_until("it is in sight", "return !document.hidden").await;
    }

    /// Freezes the page as the browser does with one that was not seen for long, or takes it up again.
    pub(crate) async fn freeze(&self, is_frozen: bool) {
        let state = if is_frozen { "frozen" } else { "active" };
        self.devtools("Page.setWebLifecycleState", json!({ "state": state })).await;
    }

    /// Makes the browser that of a person with this language.
    pub(crate) async fn browse_in(&self, language: &str) {
        let agent = self.run("return navigator.userAgent", vec![]).await;
        let params = json!({ "userAgent": agent, "acceptLanguage": language });
        self.devtools("Emulation.setUserAgentOverride", params).await;
    }

    /// Lets the page read and write the clipboard, as a person would when asked.
    pub(crate) async fn allow_clipboard(&self) {
        let permissions = json!({
            "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"],
            "browserContextId": self.context().await,
        });
        self.devtools("Browser.grantPermissions", permissions).await;
    }

    /// Pastes a text by the keyboard.
    pub(crate) async fn paste(&self, text: &str) {
        self.allow_clipboard().await;
        let copy = "const [text, done] = arguments; navigator.clipboard.writeText(text).then(() => done(''), (error) => done(String(error)))";
        assert_eq!(self.client.execute_async(copy, vec![text.into()]).await.unwrap(), "");
        let key = |kind: &str, commands: &[&str]| json!({ "type": kind, "key": "v", "code": "KeyV", "modifiers": 2, "windowsVirtualKeyCode": 86, "commands": commands });
        self.devtools("Input.dispatchKeyEvent", key("keyDown", &["Paste"])).await;
        self.devtools("Input.dispatchKeyEvent", key("keyUp", &[])).await;
    }

    /// Drags something over the middle of the board: `dragEnter`, `dragOver`, `drop`.
    pub(crate) async fn drag_over_board(&self, kind: &str, what: &Value) {
        let place = "const { x, y, width, height } = document.querySelector('#board').getBoundingClientRect(); return [x + width / 2, y + height / 2]";
        let at = self.run(place, vec![]).await;
        let event = json!({ "type": kind, "x": at[0], "y": at[1], "data": what });
        self.devtools("Input.dispatchDragEvent", event).await;
    }

    /// Sets a screen of this size in pixels.
    pub(crate) async fn on_screen(&self, width: u32, height: u32) {
        let params =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", params).await;
    }

    /// Runs a script in each document before any other.
    pub(crate) async fn run_first(&self, script: &str) {
        let params = json!({ "source": script });
        self.devtools("Page.addScriptToEvaluateOnNewDocument", params).await;
    }

    /// Makes the processor of the page so many times slower, and its line one with this latency in milliseconds and these
    /// bytes a second.
    pub(crate) async fn slow_down(&self, times: u32, line: Option<(f64, i64)>) {
        self.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": times })).await;
        self.devtools("Network.enable", json!({})).await;
        let (latency, down) = line.unwrap_or((0.0, -1));
        let params = json!({
            "offline": false, "latency": latency, "downloadThroughput": down, "uploadThroughput": down / 2,
        });
        self.devtools("Network.emulateNetworkConditions", params).await;
    }

    /// The accessibility tree of the page, as a flat list of nodes.
    pub(crate) async fn accessibility(&self) -> Value {
        self.devtools("Accessibility.getFullAXTree", json!({})).await["nodes"].take()
    }

    /// Lets the browser keep files for the next visit, or not.
    pub(crate) async fn keep_files(&self, keeps: bool) {
        self.devtools("Network.setCacheDisabled", json!({ "cacheDisabled": !keeps })).await;
    }

    /// Sets the colour scheme that the person prefers: `light` or `dark`.
    pub(crate) async fn in_scheme(&self, scheme: &str) {
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }
}
