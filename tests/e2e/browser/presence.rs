//! No engine works for a page that is left, frozen or out of sight.

use super::page::{Page, with_tabs};
use super::window::CLOCK;

const IS_SEARCHING: &str = "return leap.inspect().isSearching";
const RESTS: &str = "return !leap.inspect().isSearching";
/// Makes the page rest without a delay when it is hidden.
const RESTS_IMMEDIATELY: &str = "const later = window.setTimeout; \
    window.setTimeout = (run, ms, ...more) => later(run, ms === 5000 ? 0 : ms, ...more)";
const LONG_MS: u32 = 13_000;

impl Page {
    /// Goes to another page in the same tab.
    async fn leave(&self, address: &str) {
        self.client.goto(address).await.unwrap();
    }

    /// Goes back to a page that was left.
    async fn come_back(&self) {
        self.client.back().await.unwrap();
        self.wait_until("a game is set up", "return Boolean(window.leap?.inspect().fen)").await;
        self.idle().await;
    }

    /// Whether the browser has kept the page, as it was marked before it was left.
    async fn is_marked(&self) -> bool {
        self.run("return window.isMarked === true", vec![]).await == true
    }

    async fn mark(&self) {
        self.run("window.isMarked = true", vec![]).await;
    }

    /// Hides the page behind another tab.
    async fn hide(&self) {
        let own = self.client.window().await.unwrap();
        let other = self.open_tab().await;
        self.client.switch_to_window(own).await.unwrap();
        self.go_behind(&String::from(other)).await;
    }

    /// Waits until every timer of the page that is due has run.
    async fn timers_have_run(&self) {
        self.client.execute_async("setTimeout(arguments[0])", vec![]).await.unwrap();
    }

    async fn analyse(&self) {
        self.press("analyse").await;
        self.wait_until("it searches", IS_SEARCHING).await;
    }
}

#[test]
fn pages_that_are_left_keep_no_engine_and_come_back_with_their_game() {
    with_tabs(&["--engines", "4"], |page| async move {
        page.open("eximo").await;
        page.choose("p2-player", "human").await;
        page.click_squares(&["c3", "c4"]).await;
        page.analyse().await;
        let moves = page.moves().await;
        for visit in 0..6 {
            page.mark().await;
            page.leave(&format!("{}?visit={visit}", page.server.url)).await;
            page.wait_until("it searches", "return window.leap?.inspect().isSearching === true")
                .await;
            assert!(!page.is_marked().await && !page.is_lost().await);
            assert_eq!(page.moves().await, moves, "{visit}");
            page.server.wait_for_engines(1);
        }
        for visit in 0..6 {
            page.come_back().await;
            assert!(page.is_marked().await, "the browser has not kept visit {visit}");
            page.wait_until("it searches again", IS_SEARCHING).await;
            assert!(!page.is_lost().await);
            assert_eq!(page.moves().await, moves, "{visit}");
            page.server.wait_for_engines(1);
        }
        page.leave("about:blank").await;
        page.server.wait_for_engines(0);
    });
}

#[test]
fn a_search_for_a_move_is_begun_again_when_the_page_comes_back() {
    with_tabs(&[], |page| async move {
        page.choose("p2-level", "5").await;
        page.click_squares(&["b2"]).await;
        page.click_square("c3").await;
        page.wait_until("the engine thinks", IS_SEARCHING).await;
        page.mark().await;
        page.leave("about:blank").await;
        page.server.wait_for_engines(0);
        page.come_back().await;
        assert!(page.is_marked().await);
        page.wait_until("the engine thinks again", IS_SEARCHING).await;
        page.press("move-now").await;
        assert_eq!(page.moves_at_least(2).await.len(), 2);
        assert_eq!((page.is_lost().await, page.complaint().await), (false, String::new()));
    });
}

#[test]
fn a_move_that_was_being_entered_is_still_there_when_the_page_comes_back() {
    with_tabs(&[], |page| async move {
        page.open("sapos").await;
        page.choose("p2-player", "human").await;
        page.click_squares(&["d2", "d4"]).await;
        let entered = page.text("entered").await;
        page.leave("about:blank").await;
        page.come_back().await;
        assert_eq!((page.text("entered").await, entered.as_str()), (entered.clone(), "d2d4"));
        page.click_square("d5").await;
        assert_eq!(page.moves_at_least(1).await.len(), 1);
    });
}

#[test]
fn clocks_stop_while_the_page_is_left() {
    with_tabs(&[], |page| async move {
        page.choose("p2-player", "human").await;
        page.choose("control", "custom").await;
        page.fill("#own-control", "0.2+0").await;
        // Longer than the time left on the clock: the page has heard that it is left before this listener does.
        let pass_when_left =
            format!("addEventListener('pagehide', () => {{ passed += {LONG_MS}; }})");
        page.run(&format!("{CLOCK} {pass_when_left}"), vec![]).await;
        page.click_squares(&["b2", "c3"]).await;
        page.leave("about:blank").await;
        page.come_back().await;
        assert_eq!(page.run("return passed", vec![]).await, LONG_MS, "the browser kept the page");
        page.press("pause").await;
        page.idle().await;
        assert!(page.run("return leap.inspect().isOver", vec![]).await == false);
        page.press("resume").await;
        page.run(&format!("passed += {LONG_MS}"), vec![]).await;
        page.wait_until("the flag falls in time", "return leap.inspect().isOver").await;
    });
}

#[test]
fn an_analysis_out_of_sight_stops_and_goes_on_in_sight() {
    with_tabs(&[], |page| async move {
        page.open("tactica").await;
        page.choose("p2-player", "human").await;
        page.analyse().await;
        page.run(RESTS_IMMEDIATELY, vec![]).await;
        page.hide().await;
        page.wait_until("it rests", RESTS).await;
        page.server.wait_for_engines(1);
        page.come_into_sight().await;
        page.wait_until("it searches again", IS_SEARCHING).await;
    });
}

#[test]
fn engines_do_not_play_each_other_out_of_sight() {
    with_tabs(&[], |page| async move {
        page.choose_quickly("p1-player", "engine").await;
        page.choose_quickly("p2-level", "5").await;
        page.choose_quickly("p1-level", "5").await;
        page.run(RESTS_IMMEDIATELY, vec![]).await;
        page.hide().await;
        page.wait_until("it rests", RESTS).await;
        page.idle().await;
        let moves = page.moves().await;
        page.timers_have_run().await;
        page.idle().await;
        assert_eq!(page.moves().await, moves);
        assert_eq!(page.run(RESTS, vec![]).await, true);
        page.come_into_sight().await;
        page.wait_until("they go on", IS_SEARCHING).await;
    });
}

#[test]
fn an_engine_makes_its_move_out_of_sight_when_a_person_waits_for_it() {
    with_tabs(&[], |page| async move {
        page.choose("p2-level", "5").await;
        page.click_squares(&["b2"]).await;
        page.click_square("c3").await;
        page.wait_until("the engine thinks", IS_SEARCHING).await;
        page.run(RESTS_IMMEDIATELY, vec![]).await;
        page.hide().await;
        page.timers_have_run().await;
        page.idle().await;
        assert_eq!(page.run(IS_SEARCHING, vec![]).await, true);
        page.run("document.getElementById('move-now').click()", vec![]).await;
        assert_eq!(page.moves_at_least(2).await.len(), 2);
        assert_eq!(page.run("return document.hidden", vec![]).await, true);
    });
}

#[test]
fn a_frozen_page_keeps_no_engine() {
    with_tabs(&[], |page| async move {
        page.choose("p2-player", "human").await;
        page.click_squares(&["b2", "c3"]).await;
        let fen = page.fen().await;
        page.server.wait_for_engines(1);
        page.hide().await;
        page.freeze(true).await;
        page.server.wait_for_engines(0);
        page.freeze(false).await;
        page.come_into_sight().await;
        page.server.wait_for_engines(1);
        assert_eq!((page.fen().await, page.is_lost().await), (fen, false));
    });
}

#[test]
fn a_page_without_an_engine_says_why_and_what_to_do() {
    with_tabs(&["--engines", "1"], |page| async move {
        let first = page.client.window().await.unwrap();
        let second = page.open_tab().await;
        page.client.switch_to_window(second.clone()).await.unwrap();
        page.leave(&page.server.url).await;
        page.wait_for_loss().await;
        let why = page.text("lost-why").await;
        assert_eq!(
            why,
            "No engine: all engines of the server are in use: close another page of it, or start \
             'leap web' with more --engines."
        );
        page.picture("busy").await;
        page.client.switch_to_window(first).await.unwrap();
        page.client.close_window().await.unwrap();
        page.client.switch_to_window(second).await.unwrap();
        page.press("reconnect").await;
        page.wait_until("it plays", "return Boolean(leap.inspect().fen)").await;
        assert!(!page.is_lost().await);
    });
}
