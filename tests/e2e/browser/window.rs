//! A page in a window of a browser, used like a person does.

use std::fs;
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource, MouseActions, PointerAction};
use fantoccini::{Client, Locator};
use serde::Deserialize;
use serde_json::Value;

use crate::programs::screenshots;

/// The colour schemes.
pub(super) const SCHEMES: [&str; 2] = ["light", "dark"];

/// The colour schemes for tests of sizes and places, on which no scheme has a bearing: the dark one is for pictures alone.
pub(super) fn schemes_to_fit() -> &'static [&'static str] {
    if screenshots().is_some() { &SCHEMES } else { &SCHEMES[..1] }
}

/// How long anything may take on a slow machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// The possible actions on the board.
#[derive(Debug, Deserialize)]
pub(crate) struct State {
    pub(crate) is_over: bool,
    pub(crate) origins: Vec<String>,
    pub(crate) targets: Vec<String>,
    pub(crate) path: Vec<String>,
    pub(crate) can_end: bool,
}

/// What a player does next.
pub(crate) enum Action {
    Choose(String),
    EndTurn,
    TakeBack,
}

impl State {
    /// What a player does who moves about at random: `at` is the number of actions before.
    pub(crate) fn action(&self, at: usize) -> Action {
        // Prefers squares not visited yet, so that a frog that may move in circles also stops.
        let fresh: Vec<&String> =
            self.targets.iter().filter(|square| !self.path.contains(square)).collect();
        if self.can_end && (fresh.is_empty() || at.is_multiple_of(3)) {
            Action::EndTurn
        } else if self.path.is_empty() && !self.origins.is_empty() {
            Action::Choose(self.origins[at * 7 % self.origins.len()].clone())
        } else if let Some(square) = fresh.get(at * 5 % fresh.len().max(1)) {
            Action::Choose((*square).clone())
        } else {
            // A dead end: start again with another move.
            Action::TakeBack
        }
    }
}

/// Waits until the page is idle and returns the possible actions.
const SETTLED: &str = "
    const done = arguments[0];
    const squares = (kind) => [...document.querySelectorAll('#board .is-' + kind)].map((e) => e.dataset.square);
    const look = async () => {
      if (!window.leap?.inspect().fen) return setTimeout(look, 20);
      await leap.inspect().work;
      const { isOver, isSearching } = leap.inspect();
      const can_end = !document.getElementById('end-turn').hidden;
      const origins = squares('origins');
      const state = { is_over: isOver, origins, targets: ['steps', 'drops', 'removals'].flatMap((kind) => (origins.length ? [] : squares(kind))), path: squares('path'), can_end };
      const isHumans = state.origins.length + state.targets.length > 0 || can_end;
      if (isSearching || !(isOver || isHumans)) return setTimeout(look, 20);
      done(state);
    };
    look();";

/// What a page shows, for the message of a test that waits in vain.
const SHOWN: &str = "
    const { fen, isOver, turn, isSearching } = window.leap?.inspect() ?? {};
    const { failures } = window;
    const [standing, message] = ['standing', 'message'].map((id) => document.getElementById(id)?.textContent);
    const moves = [...document.querySelectorAll('.move')].map((e) => e.textContent);
    const isLost = document.getElementById('lost')?.hidden === false;
    const loaded = performance.getEntriesByType('resource').length;
    const page = `${location.href} ${document.readyState}, ${loaded} resources`;
    const game = { fen, moves, turn, isOver, isSearching };
    return { page, failures, isLost, game, standing, message };";

/// Whether the page tells that it is lost.
const LOST: &str = "return document.getElementById('lost')?.hidden === false";

/// Uncaught errors, and error messages of the page.
pub(super) const LISTEN: &str = "window.failures = []; addEventListener('error', (e) => failures.push(e.message)); \
                      addEventListener('unhandledrejection', (e) => failures.push(String(e.reason)));";

/// Makes the page's clock run ahead by `passed` milliseconds.
pub(super) const CLOCK: &str = "const { now } = performance; \
    window.passed = 0; performance.now = () => now.call(performance) + passed;";

/// A page in a window of a browser.
pub(crate) struct Window {
    pub(super) client: Client,
}

impl Window {
    pub(super) async fn run(&self, script: &str, args: Vec<Value>) -> Value {
        self.client.execute(script, args).await.unwrap()
    }

    pub(crate) async fn settled(&self) -> State {
        let state = tokio::time::timeout(PATIENCE, self.client.execute_async(SETTLED, vec![]));
        let Ok(state) = state.await else {
            panic!("expected that the page settles, found {}", self.run(SHOWN, vec![]).await)
        };
        serde_json::from_value(state.unwrap()).unwrap()
    }

    pub(crate) async fn wait_until(&self, what: &str, script: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.run(script, vec![]).await != true {
            if Instant::now() >= deadline {
                panic!("expected that {what}, found {}", self.run(SHOWN, vec![]).await);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Shows the part of the panel that an element is in, and the list of games that it is in.
    pub(crate) async fn reveal(&self, selector: &str) {
        const REVEAL: &str = "const part = document.querySelector(arguments[0]); \
            const panel = part?.closest('[role=tabpanel]'); \
            if (panel?.hidden) document.getElementById(panel.getAttribute('aria-labelledby')).click(); \
            if (part?.closest('nav') && !part.checkVisibility()) document.getElementById('menu').click();";
        self.run(REVEAL, vec![selector.into()]).await;
    }

    /// Starts a game.
    pub(crate) async fn open(&self, game: &str) {
        self.reveal(&format!("[data-game={game}]")).await;
        self.client
            .find(Locator::Css(&format!("[data-game={game}]")))
            .await
            .unwrap()
            .click()
            .await
            .unwrap();
        self.settled().await;
    }

    /// Waits until what has changed is drawn.
    pub(crate) async fn drawn(&self) {
        let frames = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done())))";
        self.client.execute_async(frames, vec![]).await.unwrap();
    }

    /// Whether the element with this id is displayed.
    pub(crate) async fn is_shown(&self, id: &str) -> bool {
        let script = "return document.getElementById(arguments[0]).offsetParent !== null";
        self.run(script, vec![id.into()]).await == true
    }

    pub(crate) async fn attribute(&self, selector: &str, name: &str) -> String {
        let script = "return document.querySelector(arguments[0]).getAttribute(arguments[1])";
        let value = self.run(script, vec![selector.into(), name.into()]).await;
        value.as_str().unwrap().to_owned()
    }

    /// The games of the engine.
    pub(crate) async fn games(&self) -> Vec<String> {
        let script =
            "return [...document.querySelectorAll('[data-game]')].map((e) => e.dataset.game)";
        serde_json::from_value(self.run(script, vec![]).await).unwrap()
    }

    pub(crate) async fn reload(&self) {
        self.client.refresh().await.unwrap();
        self.run(LISTEN, vec![]).await;
        self.settled().await;
    }

    /// Goes to an address of the page, as in a new tab.
    pub(crate) async fn visit(&self, url: &str) {
        self.client.goto(url).await.unwrap();
        self.run(LISTEN, vec![]).await;
        self.settled().await;
    }

    pub(crate) async fn press(&self, id: &str) {
        self.reveal(&format!("#{id}")).await;
        self.client.find(Locator::Id(id)).await.unwrap().click().await.unwrap();
    }

    pub(crate) async fn choose(&self, id: &str, value: &str) {
        self.reveal(&format!("#{id}")).await;
        self.client.find(Locator::Id(id)).await.unwrap().select_by_value(value).await.unwrap();
        self.settled().await;
    }

    /// Chooses a player; the page need not come to rest.
    pub(crate) async fn choose_quickly(&self, id: &str, value: &str) {
        self.reveal(&format!("#{id}")).await;
        self.client.find(Locator::Id(id)).await.unwrap().select_by_value(value).await.unwrap();
    }

    async fn mouse(&self, actions: Vec<PointerAction>) {
        let mouse = actions
            .into_iter()
            .fold(MouseActions::new("mouse".to_owned()), |m, action| m.then(action));
        self.client.perform_actions(mouse).await.unwrap();
    }

    async fn to(&self, square: &str) -> PointerAction {
        let place = format!("[data-square={square}] .hit");
        let element = self.client.find(Locator::Css(&place)).await.unwrap();
        PointerAction::MoveToElement {
            element,
            duration: Some(Duration::from_millis(30)),
            x: 0.0,
            y: 0.0,
        }
    }

    /// Clicks one square after the other, each when the page is done with the one before.
    pub(crate) async fn click_squares(&self, squares: &[&str]) {
        for square in squares {
            self.click_square(square).await;
            self.settled().await;
        }
    }

    pub(crate) async fn click_square(&self, square: &str) {
        let button = fantoccini::actions::MOUSE_BUTTON_LEFT;
        self.mouse(vec![
            self.to(square).await,
            PointerAction::Down { button },
            PointerAction::Up { button },
        ])
        .await;
    }

    pub(crate) async fn drag(&self, from: &str, to: &str) {
        let button = fantoccini::actions::MOUSE_BUTTON_LEFT;
        let (from, to) = (self.to(from).await, self.to(to).await);
        self.mouse(vec![from, PointerAction::Down { button }, to, PointerAction::Up { button }])
            .await;
    }

    pub(crate) async fn focus_square(&self, square: &str) {
        self.run(
            "document.querySelector(`[data-square=${arguments[0]}]`).focus()",
            vec![square.into()],
        )
        .await;
    }

    pub(crate) async fn keys(&self, keys: &str) {
        self.client.active_element().await.unwrap().send_keys(keys).await.unwrap();
    }

    /// Sets up a position text.
    pub(crate) async fn set_up(&self, fen: &str) {
        self.show_details("fen").await;
        let field = self.client.find(Locator::Id("fen")).await.unwrap();
        field.clear().await.unwrap();
        field.send_keys(fen).await.unwrap();
        self.press("set-fen").await;
        self.settled().await;
    }

    pub(crate) async fn text(&self, id: &str) -> String {
        let text = self
            .run("return document.getElementById(arguments[0]).textContent", vec![id.into()])
            .await;
        text.as_str().unwrap().to_owned()
    }

    pub(crate) async fn has_class(&self, square: &str, class: &str) -> bool {
        let script = "return document.querySelector(`[data-square=${arguments[0]}]`).classList.contains(arguments[1])";
        self.run(script, vec![square.into(), class.into()]).await == true
    }

    pub(crate) async fn fen(&self) -> String {
        self.settled().await;
        self.run("return leap.inspect().fen", vec![]).await.as_str().unwrap().to_owned()
    }

    pub(crate) async fn moves(&self) -> Vec<String> {
        let moves = self
            .run("return [...document.querySelectorAll('.move')].map((e) => e.textContent)", vec![])
            .await;
        serde_json::from_value(moves).unwrap()
    }

    /// The moves, once there are this many.
    pub(crate) async fn moves_at_least(&self, count: usize) -> Vec<String> {
        let script = format!("return document.querySelectorAll('.move').length >= {count}");
        self.wait_until(&format!("{count} moves are made"), &script).await;
        self.settled().await;
        self.moves().await
    }

    /// The errors of the page since it was opened.
    pub(crate) async fn errors(&self) -> Vec<String> {
        serde_json::from_value(self.run("return failures", vec![]).await).unwrap()
    }

    /// The text that a button would save.
    pub(crate) async fn saved(&self, button: &str) -> String {
        const CATCH: &str = "URL.createObjectURL = (blob) => { window.blob = blob; return '#'; }; URL.revokeObjectURL = () => {}; \
                             HTMLAnchorElement.prototype.click = () => {}; \
                             delete window.blob;";
        self.run(CATCH, vec![]).await;
        self.show_details("fen").await;
        self.press(button).await;
        self.wait_until("a text is saved", "return Boolean(window.blob)").await;
        let text =
            self.client.execute_async("blob.text().then(arguments[0])", vec![]).await.unwrap();
        text.as_str().unwrap().to_owned()
    }

    /// Opens a file with this text.
    pub(crate) async fn load(&self, text: impl AsRef<[u8]>) {
        let _file = self.pick_file(text).await;
        self.file_is_read().await;
    }

    /// Waits until a game of the file is set up, or none.
    pub(crate) async fn file_is_read(&self) {
        self.wait_until("the file is read", "return document.getElementById('file').value === ''")
            .await;
        self.settled().await;
    }

    /// Picks a file with this text, which lasts as long as what is returned.
    pub(crate) async fn pick_file(&self, text: impl AsRef<[u8]>) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), text).unwrap();
        let input = self.client.find(Locator::Id("file")).await.unwrap();
        input.send_keys(file.path().to_str().unwrap()).await.unwrap();
        file
    }

    /// Replaces the game stored by the page, and reloads it.
    pub(crate) async fn reload_with_kept(&self, kept: &str) {
        // This runs after the page has stored its game, which it does when it is left.
        let script = "const kept = arguments[0]; \
                      addEventListener('pagehide', () => sessionStorage.setItem('leap-board', kept));";
        self.run(script, vec![kept.into()]).await;
        self.reload().await;
    }

    /// Forgets what this tab has stored, as a new tab has nothing. The page must not store it again.
    pub(crate) async fn forget_tab(&self) {
        let script = "const store = sessionStorage; \
                      addEventListener('pagehide', () => store.clear());";
        self.run(script, vec![]).await;
    }

    /// Reloads a page that need not come to rest.
    pub(crate) async fn reload_busy(&self) {
        self.client.refresh().await.unwrap();
        self.run(LISTEN, vec![]).await;
        self.wait_until("a game is set up", "return Boolean(window.leap?.inspect().fen)").await;
        self.idle().await;
    }

    /// Waits for the actions so far; engines may go on.
    pub(crate) async fn idle(&self) {
        self.client.execute_async("leap.inspect().work.then(arguments[0])", vec![]).await.unwrap();
    }

    /// Types keys where the page listens to them.
    pub(crate) async fn type_keys(&self, keys: &str) {
        self.run("document.activeElement.blur()", vec![]).await;
        self.keys(keys).await;
    }

    /// Opens the part of the page that can be folded and holds an element.
    pub(crate) async fn show_details(&self, id: &str) {
        self.reveal(&format!("#{id}")).await;
        let script = "const folded = document.getElementById(arguments[0]).closest('details'); \
                      if (folded) folded.open = true;";
        self.run(script, vec![id.into()]).await;
    }

    pub(crate) async fn press_first(&self, selector: &str) {
        self.reveal(selector).await;
        self.client.find(Locator::Css(selector)).await.unwrap().click().await.unwrap();
    }

    pub(crate) async fn is_hidden(&self, id: &str) -> bool {
        self.run("return document.getElementById(arguments[0]).hidden", vec![id.into()]).await
            == true
    }

    pub(crate) async fn is_checked(&self, id: &str) -> bool {
        self.run("return document.getElementById(arguments[0]).checked", vec![id.into()]).await
            == true
    }

    /// The displayed value of a field.
    pub(crate) async fn field(&self, selector: &str) -> String {
        let script = "return document.querySelector(arguments[0]).value";
        self.run(script, vec![selector.into()]).await.as_str().unwrap().to_owned()
    }

    /// Sets the value of a field, as with the keyboard.
    pub(crate) async fn fill(&self, selector: &str, value: &str) {
        let script = "const field = document.querySelector(arguments[0]); field.value = arguments[1]; \
                      field.dispatchEvent(new Event('change'));";
        self.run(script, vec![selector.into(), value.into()]).await;
        self.settled().await;
    }

    /// The page's error message; empty if its message is not an error.
    pub(crate) async fn complaint(&self) -> String {
        let script = "const line = document.getElementById('message'); \
                      return line.classList.contains('bad') ? line.textContent : ''";
        self.run(script, vec![]).await.as_str().unwrap().to_owned()
    }

    /// The game whose tab is selected.
    pub(crate) async fn tab(&self) -> String {
        let script = "return document.querySelector('[data-game][aria-pressed=true]').dataset.game";
        self.run(script, vec![]).await.as_str().unwrap().to_owned()
    }

    pub(crate) async fn is_lost(&self) -> bool {
        self.run(LOST, vec![]).await == true
    }

    /// Waits until the page tells that it is lost.
    pub(crate) async fn wait_for_loss(&self) {
        self.wait_until("the loss is told", LOST).await;
    }

    pub(crate) async fn picture(&self, name: &str) {
        let Some(folder) = screenshots() else { return };
        let png = self.client.screenshot().await.unwrap();
        fs::write(folder.join(format!("web-{name}.png")), png).unwrap();
    }
}
