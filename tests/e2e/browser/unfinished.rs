//! The game of a closed tab comes back, and two tabs do not play the same one.

use fantoccini::wd::WindowHandle;

use super::page::{Page, with_page};

/// Opens the page in another tab and goes there.
async fn open_tab(page: &Page) -> WindowHandle {
    let url = page.client.current_url().await.unwrap();
    let tab = page.open_tab().await;
    page.client.switch_to_window(tab.clone()).await.unwrap();
    page.visit(url.as_str()).await;
    tab
}

/// Closes this tab and goes to another one.
async fn close_tab(page: &Page, next: &WindowHandle) {
    page.client.close_window().await.unwrap();
    page.client.switch_to_window(next.clone()).await.unwrap();
}

/// A blank tab that keeps the browser open.
async fn blank_tab(page: &Page) -> WindowHandle {
    let page_itself = page.client.window().await.unwrap();
    let blank = page.open_tab().await;
    page.client.switch_to_window(page_itself).await.unwrap();
    blank
}

async fn first_moves(page: &Page) -> (String, Vec<String>) {
    page.open("eximo").await;
    page.choose("p2-player", "human").await;
    page.click_squares(&["c3", "c4"]).await;
    page.moves_at_least(1).await;
    (page.fen().await, page.moves().await)
}

/// The keys of the games in the storage.
async fn stored(page: &Page) -> Vec<String> {
    let script =
        "return Object.keys(localStorage).filter((key) => key.startsWith('leap-board:')).sort()";
    serde_json::from_value(page.run(script, vec![]).await).unwrap()
}

#[test]
fn a_new_tab_offers_the_game_of_a_closed_one() {
    with_page(|page| async move {
        let before = first_moves(&page).await;
        let blank = blank_tab(&page).await;
        let url = page.client.current_url().await.unwrap();
        close_tab(&page, &blank).await;
        page.visit(url.as_str()).await;
        assert!(page.is_shown("unfinished").await);
        assert_eq!(page.text("continue").await, "Continue your game of Eximo");
        page.on_screen(1366, 625).await;
        page.drawn().await;
        page.picture("unfinished").await;
        page.choose("language", "es").await;
        assert_eq!(page.text("continue").await, "Continuar tu partida de Eximo");
        page.choose("language", "en").await;
        let games = stored(&page).await;
        page.press("continue").await;
        page.settled().await;
        assert_eq!((page.fen().await, page.moves().await), before);
        assert!(!page.is_shown("unfinished").await);
        assert_eq!(stored(&page).await, games, "it is the same game, not a copy");
        page.reload().await;
        assert_eq!((page.fen().await, page.moves().await), before);
        assert!(!page.is_shown("unfinished").await);
        assert_eq!(stored(&page).await, games);
    });
}

/// What a new tab offers.
async fn offered_anew(page: &Page) -> Option<String> {
    page.forget_tab().await;
    page.reload().await;
    match page.is_shown("unfinished").await {
        true => Some(page.text("continue").await),
        false => None,
    }
}

#[test]
fn only_a_game_that_was_closed_with_its_tab_is_offered_and_only_until_it_is_declined() {
    with_page(|page| async move {
        first_moves(&page).await;
        let offer = Some("Continue your game of Eximo".to_owned());
        assert_eq!(offered_anew(&page).await, offer);
        // Nobody has answered yet.
        page.open("sapos").await;
        assert!(!page.is_shown("unfinished").await);
        assert_eq!(offered_anew(&page).await, offer);
        page.press("begin-another").await;
        page.settled().await;
        assert!(!page.is_shown("unfinished").await);
        assert_eq!(offered_anew(&page).await, None);
        // The game is still among the recent ones. If it goes on, it is offered again.
        let go_on = async || {
            page.show_details("recent").await;
            page.press_first(".recent").await;
            page.settled().await;
            assert_eq!(page.moves().await, ["c3c4"]);
        };
        go_on().await;
        assert_eq!(offered_anew(&page).await, offer);
        page.press("continue").await;
        page.settled().await;
        // A game that was left for another one, or is over, is not offered.
        page.press("new-game").await;
        page.settled().await;
        assert_eq!(offered_anew(&page).await, None);
        go_on().await;
        page.press("resign").await;
        page.settled().await;
        page.press("accept").await;
        page.settled().await;
        assert_eq!(offered_anew(&page).await, None);
    });
}

#[test]
fn a_game_that_another_tab_has_is_not_offered_and_opens_as_a_copy() {
    with_page(|page| async move {
        let before = first_moves(&page).await;
        let first = page.client.window().await.unwrap();
        let games = stored(&page).await;
        open_tab(&page).await;
        assert!(!page.is_shown("unfinished").await);
        page.show_details("recent").await;
        page.press_first(".recent").await;
        page.settled().await;
        assert_eq!(
            page.text("message").await,
            "The game is open in another tab. This is a copy of it."
        );
        assert_eq!((page.fen().await, page.moves().await), before);
        // Each tab goes on with its own game.
        page.click_squares(&["c6", "c5"]).await;
        page.moves_at_least(2).await;
        page.press("forget-recent").await;
        page.settled().await;
        assert_eq!(stored(&page).await.len(), 2, "the game of the other tab stays");
        close_tab(&page, &first).await;
        assert_eq!((page.fen().await, page.moves().await), before);
        page.reload().await;
        assert_eq!((page.fen().await, page.moves().await), before);
        assert!(stored(&page).await.contains(&games[0]));
    });
}

#[test]
fn an_engine_does_not_begin_before_the_offer_is_answered() {
    with_page(|page| async move {
        first_moves(&page).await;
        page.choose_quickly("p1-player", "engine").await;
        page.forget_tab().await;
        page.reload_busy().await;
        assert!(page.is_shown("unfinished").await);
        assert_eq!(page.run("return leap.inspect().isSearching", vec![]).await, false);
        page.press("begin-another").await;
        page.moves_at_least(1).await;
    });
}
