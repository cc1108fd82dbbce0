//! An exported page that uses the engine at home, and pages whose connection to an engine is cut.

use super::line::Line;
use super::page::{Page, with_home, with_line};
use super::server::Home;

const IS_SEARCHING: &str = "return leap.inspect().isSearching";
const CUT: &str = "The connection to the engine is cut; connecting again …";
const INSTEAD: &str = "Meanwhile this page uses its own engine.";

impl Page {
    /// Enters a link in the form for the engine at home.
    async fn use_home(&self, link: &str) {
        self.show_details("home-link").await;
        self.run("document.getElementById('home-link').value = arguments[0]", vec![link.into()])
            .await;
        self.press("use-home").await;
        self.idle().await;
    }

    /// What the page has told its engine in the game on the board.
    async fn searches(&self) -> usize {
        let transcript = self.saved("save-transcript").await;
        transcript.lines().filter(|line| line.starts_with("> go ")).count()
    }

    async fn says(&self, text: &str) {
        let script = format!("return document.getElementById('message').textContent === {text:?}");
        self.wait_until(&format!("the page says {text:?}"), &script).await;
    }
}

fn used(home: &Home) -> String {
    format!("The engine at http://{}/ is in use.", home.line.name())
}

#[test]
fn an_exported_page_plays_and_reviews_with_the_engine_at_home() {
    with_home(|page, home| async move {
        page.use_home(home.link()).await;
        assert_eq!(page.text("home-state").await, used(&home));
        assert_eq!(page.field("#home-link").await, "", "the secret does not stay on the screen");
        home.wait_for_engines(1);
        page.open("tactica").await;
        page.drag("a1", "a4").await;
        assert!(page.moves_at_least(2).await.len() >= 2);
        page.press("review").await;
        let is_reviewed = "return document.getElementById('review').hidden && \
                           document.getElementById('stop-review').hidden && \
                           !document.getElementById('reviewed').hidden";
        page.wait_until("the game is reviewed", is_reviewed).await;
        home.wait_for_engines(1);
        // The tab goes on with the engine, and another tab knows nothing of it.
        page.reload().await;
        assert_eq!(page.text("home-state").await, used(&home));
        home.wait_for_engines(1);
        page.show_details("leave-home").await;
        page.press("leave-home").await;
        home.wait_for_engines(0);
        page.settled().await;
        assert_eq!(page.text("home-state").await, "");
        assert_eq!(page.complaint().await, "");
        assert!(page.is_hidden("leave-home").await);
        page.press("new-game").await;
        page.settled().await;
        page.drag("a1", "a4").await;
        assert!(page.moves_at_least(2).await.len() >= 2);
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn a_link_with_the_secret_opens_the_page_with_the_engine_at_home() {
    with_home(|page, home| async move {
        for address in ["about:blank", home.link()] {
            page.client.goto(address).await.unwrap();
        }
        let is_used = format!(
            "return document.getElementById('home-state')?.textContent === {:?}",
            used(&home)
        );
        page.wait_until("the engine at home is used", &is_used).await;
        page.settled().await;
        assert!(!page.client.current_url().await.unwrap().as_str().contains("engine="));
        home.wait_for_engines(1);
        let elsewhere = "location.hash = '#engine=0&at=http://127.0.0.1:9/'";
        page.run(elsewhere, vec![]).await;
        page.wait_until("it is read", "return !location.hash.includes('=')").await;
        page.idle().await;
        assert!(page.complaint().await.starts_with("This page may not reach "));
        // Whoever leaves the page leaves no engine behind.
        page.client.goto("about:blank").await.unwrap();
        home.wait_for_engines(0);
    });
}

#[test]
fn the_engine_at_home_is_readable_on_small_and_large_screens_in_both_languages() {
    with_home(|page, home| async move {
        page.use_home(home.link()).await;
        for (language, used) in [("es", "Se usa el motor de "), ("en", "is in use.")] {
            page.choose("language", language).await;
            for (width, height) in [(390, 844), (1366, 768)] {
                page.client.set_window_size(width, height).await.unwrap();
                page.show_details("home-link").await;
                let look = "document.getElementById('home').scrollIntoView({ block: 'center' });";
                page.run(look, vec![]).await;
                page.drawn().await;
                let fits = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth";
                assert_eq!(page.run(fits, vec![]).await, true, "{language} {width}");
                page.picture(&format!("home-{language}-{width}")).await;
            }
            let state = page.text("home-state").await;
            assert!(state.contains(used), "{state}");
        }
    });
}

#[test]
fn an_engine_at_home_that_cannot_be_used_says_why_and_the_page_goes_on_with_its_own() {
    with_home(|page, mut home| async move {
        let at = format!("http://{}/", home.line.name());
        page.use_home("http://127.0.0.1/#host=0").await;
        let no_link =
            "expected the link that 'leap web --engine-for' prints, with 'engine=' and 'at='";
        assert_eq!(page.complaint().await, no_link);
        let elsewhere = home.link().replace(&at, "http://127.0.0.1:9/");
        page.use_home(&elsewhere).await;
        assert!(
            page.complaint().await.starts_with("This page may not reach http://127.0.0.1:9/: ")
        );
        let (start, secret) = home.link().split_once("engine=").unwrap();
        let wrong = format!("{start}engine={}{}", "0".repeat(32), &secret[32..]);
        page.use_home(&wrong).await;
        let why = format!("{at} does not know this secret: enter the link that it prints now.");
        assert_eq!(page.complaint().await, format!("{why} {INSTEAD}"));
        page.picture("home-refused").await;
        // The server knows the page by another name of its host only.
        let mut address = page.client.current_url().await.unwrap();
        address.set_host(Some("leap.example")).unwrap();
        address.set_fragment(None);
        page.visit(address.as_str()).await;
        page.use_home(home.link()).await;
        let why = page.complaint().await;
        assert!(why.starts_with(&format!("{at} does not let this page in: ")), "{why}");
        assert!(why.contains(address.as_str()), "{why}");
        home.stop();
        page.reload().await;
        let why = page.complaint().await;
        assert!(why.starts_with(&format!("{at} does not answer: ")), "{why}");
        page.open("tactica").await;
        page.drag("a1", "a4").await;
        assert!(page.moves_at_least(2).await.len() >= 2);
        assert_eq!(page.errors().await, [""; 0]);
    });
}

/// Cuts the line in the midst of an analysis, and while the engine thinks about its move.
async fn searches_outlast_cuts(page: &Page, line: &Line) {
    page.open("tactica").await;
    page.choose("p2-player", "human").await;
    let none = page.searches().await;
    page.press("analyse").await;
    page.wait_until("it searches", IS_SEARCHING).await;
    line.cut();
    page.says(CUT).await;
    line.mend();
    page.says("").await;
    page.wait_until("it searches", IS_SEARCHING).await;
    assert_eq!(page.searches().await, none + 1, "the search is the same one");
    page.press("analyse").await;
    page.settled().await;
    for (field, value) in [("p2-player", "engine"), ("p2-level", "5")] {
        page.choose(field, value).await;
    }
    let before = page.searches().await;
    page.drag("a1", "a4").await;
    page.wait_until("the engine thinks", IS_SEARCHING).await;
    line.cut();
    page.says(CUT).await;
    line.wait_for_refusal().await;
    line.mend();
    page.says("").await;
    page.press("move-now").await;
    assert!(page.moves_at_least(2).await.len() >= 2);
    assert_eq!(page.searches().await, before + 1, "the move is of the same search");
    assert_eq!((page.complaint().await, page.is_lost().await), (String::new(), false));
    assert_eq!(page.errors().await, [""; 0]);
}

#[test]
fn a_cut_in_the_midst_of_a_search_loses_nothing() {
    with_line(&[], |page, line| async move {
        searches_outlast_cuts(&page, &line).await;
        page.server.wait_for_engines(1);
        // A page that is left in order leaves no engine behind, also after it has come back.
        page.client.goto("about:blank").await.unwrap();
        page.server.wait_for_engines(0);
    });
}

#[test]
fn a_cut_in_the_midst_of_a_search_at_home_loses_nothing() {
    with_home(|page, home| async move {
        page.use_home(home.link()).await;
        searches_outlast_cuts(&page, &home.line).await;
        assert_eq!(page.text("home-state").await, used(&home));
        home.wait_for_engines(1);
    });
}

#[test]
fn a_page_that_is_cut_off_for_too_long_says_so_and_begins_its_search_again() {
    with_line(&["--keep", "1"], |page, line| async move {
        page.open("tactica").await;
        page.choose("p2-player", "human").await;
        page.press("analyse").await;
        page.wait_until("it searches", IS_SEARCHING).await;
        line.cut();
        page.server.wait_for_engines(0);
        line.mend();
        page.wait_for_loss().await;
        page.press("reconnect").await;
        page.wait_until("it searches", IS_SEARCHING).await;
        page.idle().await;
        assert!(!page.is_lost().await);
        page.server.wait_for_engines(1);
    });
}
