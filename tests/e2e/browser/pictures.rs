//! The pictures of the page in the documents. `just pictures` takes them anew.

use std::path::Path;

use leap_testing::skip;

use super::page::{Page, with_engine, with_page};
use crate::programs::ROOT;

/// Shows the page as a reader's notebook does, at first without the greeting.
async fn prepare(page: &Page, game: &str) {
    page.on_screen(1280, 860).await;
    page.in_scheme("light").await;
    page.press("greeted").await;
    page.open(game).await;
}

async fn take(page: &Page, name: &str) {
    page.settled().await;
    page.drawn().await;
    page.picture(&format!("docs-{name}")).await;
    assert_eq!(page.errors().await, [""; 0], "{name}");
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn the_page_as_the_documents_show_it() {
    with_page(|page| async move {
        prepare(&page, "tactica").await;
        for (squares, moves) in [(["b1", "e4"], 2), (["a1", "a4"], 4)] {
            page.click_squares(&squares).await;
            page.moves_at_least(moves).await;
        }
        page.press("hint").await;
        page.wait_until("a hint is shown", "return Boolean(document.querySelector('.arrow-hint'))")
            .await;
        take(&page, "tactica").await;
        page.open("sapos").await;
        page.press("how-to-play").await;
        take(&page, "rules").await;
    });
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn a_game_of_the_examples_as_its_guide_shows_it() {
    let engine = Path::new(ROOT).join("target/examples/debug/othello");
    if !engine.exists() {
        skip("examples/othello", "examples/try builds it");
        return;
    }
    with_engine(&engine, |page| async move {
        page.on_screen(1280, 860).await;
        page.in_scheme("light").await;
        page.press("greeted").await;
        take(&page, "othello").await;
    });
}
