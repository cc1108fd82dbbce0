//! The address and the history of the browser: they name the game and the ply, and Back closes what is open.

use super::page::{Page, with_page};

/// The part of the address after the `#`.
async fn place(page: &Page) -> String {
    page.idle().await;
    page.run("return location.hash", vec![]).await.as_str().unwrap().to_owned()
}

async fn wait_for(page: &Page, what: &str, script: &str) {
    page.wait_until(what, &format!("return {script}")).await;
    page.settled().await;
}

async fn go_back(page: &Page) {
    page.client.back().await.unwrap();
}

#[test]
fn the_address_names_the_game_and_the_ply_and_a_reload_shows_the_last_move() {
    with_page(|page| async move {
        page.open("eximo").await;
        wait_for(&page, "the game is named", "location.hash === '#eximo'").await;
        page.choose("p2-player", "human").await;
        page.click_squares(&["c3", "c4", "c6", "c5"]).await;
        wait_for(&page, "the ply is named", "location.hash === '#eximo/2'").await;
        page.reload().await;
        assert_eq!((place(&page).await, page.moves().await.len()), ("#eximo/2".to_owned(), 2));
        let last = "return document.querySelectorAll('#board .is-last').length === 2 \
                    && Boolean(document.querySelector('.arrow-last'))";
        assert_eq!(page.run(last, vec![]).await, true);
        page.run("location.hash = '#eximo/1'", vec![]).await;
        wait_for(&page, "the ply is shown", "leap.inspect().fen.endsWith(' 1')").await;
        page.run("location.hash = '#sapos'", vec![]).await;
        wait_for(&page, "the game is shown", "document.title.startsWith('Sapos')").await;
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn an_address_of_a_game_opens_it_at_a_first_visit() {
    with_page(|page| async move {
        let url = page.server.url.clone();
        page.forget_tab().await;
        page.client.goto("about:blank").await.unwrap();
        page.visit(&format!("{url}#froglet")).await;
        assert_eq!(page.tab().await, "froglet");
    });
}

#[test]
fn back_closes_what_is_open_and_otherwise_brings_the_previous_game_back() {
    with_page(|page| async move {
        page.open("eximo").await;
        page.choose("p2-player", "human").await;
        page.click_squares(&["c3", "c4"]).await;
        let (fen, moves) = (page.fen().await, page.moves().await);
        for (open, dialog) in
            [("how-to-play", "guide"), ("edit", "editor"), ("open-invite", "invite")]
        {
            page.press(open).await;
            wait_for(
                &page,
                "it is open",
                &format!("document.getElementById('{dialog}').open && history.state.depth === 1"),
            )
            .await;
            go_back(&page).await;
            wait_for(&page, "it is closed", &format!("!document.getElementById('{dialog}').open"))
                .await;
            assert_eq!(page.fen().await, fen, "{dialog}");
        }
        // A lesson from a dialog, and practice, are left too.
        page.press("how-to-play").await;
        page.press("lesson").await;
        for practice in [false, true] {
            if practice {
                page.press("practice").await;
            }
            wait_for(
                &page,
                "it has begun",
                "document.body.matches('.practising') && history.state.depth === 1",
            )
            .await;
            go_back(&page).await;
            wait_for(&page, "it is left", "!document.body.matches('.practising')").await;
            assert_eq!((page.fen().await, page.moves().await), (fen.clone(), moves.clone()));
        }
        page.open("sapos").await;
        wait_for(&page, "the game is named", "location.hash === '#sapos'").await;
        go_back(&page).await;
        wait_for(&page, "the game is back", "location.hash === '#eximo/1'").await;
        assert_eq!((page.fen().await, page.moves().await), (fen, moves));
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn what_is_closed_by_its_button_leaves_nothing_behind_in_the_history() {
    with_page(|page| async move {
        page.open("eximo").await;
        page.open("sapos").await;
        page.press("how-to-play").await;
        page.press("close-guide").await;
        wait_for(&page, "the entry is gone", "history.state.depth === 0").await;
        go_back(&page).await;
        wait_for(&page, "the previous game is there", "location.hash === '#eximo'").await;
        assert_eq!(page.tab().await, "eximo");
    });
}
