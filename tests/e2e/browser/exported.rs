//! The page without a server of its own: `leap web --export`, from a plain file server. Needs python3 and the engine for
//! browsers (`adapters/wasm/build`); without them these tests are skipped, with a message.

use leapd::games::GameId;
use serde_json::json;

use super::page::{Page, with_exported_page};

async fn is_kept_by_the_browser(page: &Page) {
    const KEPT: &str =
        "const done = arguments[0]; navigator.serviceWorker.ready.then(() => done(true))";
    page.client.execute_async(KEPT, vec![]).await.unwrap();
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn whole_games_are_played_without_a_server() {
    with_exported_page(|page| async move {
        for &game in GameId::NAMES {
            page.open(game).await;
            page.fill("#rules [name=MaxPlies]", "60").await;
            for side in ["p1-player", "p2-player"] {
                page.choose_quickly(side, "engine").await;
            }
            page.wait_until("the game is over", "return leap.inspect().isOver").await;
            let standing = page.text("standing").await;
            assert!(standing.contains("wins: ") || standing.contains("Draw: "), "{standing}");
            assert!(page.moves().await.len() >= 4, "{game}");
            for side in ["p1-player", "p2-player"] {
                page.choose_quickly(side, "human").await;
            }
        }
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn the_page_works_offline_after_the_first_visit() {
    with_exported_page(|mut page| async move {
        is_kept_by_the_browser(&page).await;
        page.server.stop();
        page.reload().await;
        page.open("tactica").await;
        page.choose("p2-player", "human").await;
        page.drag("a1", "a4").await;
        assert_eq!(page.moves_at_least(1).await, ["a1a4"]);
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn the_page_can_be_installed() {
    with_exported_page(|page| async move {
        is_kept_by_the_browser(&page).await;
        assert_eq!(page.faults_of_installation().await, json!({ "installabilityErrors": [] }));
    });
}

#[test]
fn an_analysis_without_end_is_stopped_by_a_move() {
    with_exported_page(|page| async move {
        page.open("tactica").await;
        page.choose("p2-player", "human").await;
        page.run("document.getElementById('analyse').click()", vec![]).await;
        page.wait_until("it searches", "return leap.inspect().isSearching").await;
        page.click_square("a1").await;
        page.click_square("a4").await;
        let is_made = "return document.querySelectorAll('.move').length === 1";
        page.wait_until("the move is made", is_made).await;
    });
}

#[test]
fn a_link_opens_a_game_in_another_page() {
    with_exported_page(|page| async move {
        page.open("sapos").await;
        page.choose("p2-player", "human").await;
        page.click_squares(&["d2", "d4", "d5"]).await;
        let (fen, moves) = (page.fen().await, page.moves_at_least(1).await);
        // What the page may not copy it shows.
        page.run("Object.defineProperty(navigator, 'clipboard', {})", vec![]).await;
        page.show_details("copy-link").await;
        page.press("copy-link").await;
        page.idle().await;
        let link = page.text("message").await;
        page.open("eximo").await;
        for address in ["about:blank", &link] {
            page.client.goto(address).await.unwrap();
        }
        let is_set_up = "return Boolean(window.leap?.inspect().fen) && !location.hash";
        page.wait_until("the game is set up", is_set_up).await;
        assert_eq!((page.fen().await, page.moves().await), (fen, moves));
    });
}

#[test]
fn a_link_of_a_host_is_for_everyone_and_one_of_this_machine_is_not() {
    with_exported_page(|page| async move {
        let here = page.client.current_url().await.unwrap();
        for (host, is_local) in [("127.0.0.1", true), ("leap.example", false)] {
            let mut address = here.clone();
            address.set_host(Some(host)).unwrap();
            page.visit(address.as_str()).await;
            page.show_details("copy-link").await;
            page.press("copy-link").await;
            page.idle().await;
            let message = page.text("message").await;
            assert_eq!(message.contains("It opens on this machine only."), is_local, "{message}");
        }
    });
}

#[test]
fn positions_and_moves_are_pasted_without_a_server() {
    with_exported_page(|page| async move {
        page.paste("1. c3c4 2. c6c5").await;
        assert_eq!(page.moves_at_least(2).await, ["c3c4", "c6c5"]);
        assert_eq!(page.tab().await, "eximo");
        page.paste("[Game \"eximo\"]\n\n1. c3c4 *").await;
        page.wait_until(
            "a record is refused",
            "return document.getElementById('message').classList.contains('bad')",
        )
        .await;
        let complaint = page.complaint().await;
        assert!(complaint.contains("records are opened by 'leap web'"), "{complaint}");
    });
}

#[test]
fn an_address_that_is_no_game_is_refused_and_changes_nothing() {
    with_exported_page(|page| async move {
        page.open("eximo").await;
        let fen = page.fen().await;
        for address in ["#game=chess", "#game=eximo&fen=8/8", "#game=eximo&moves=a1a9"] {
            page.run("location.hash = arguments[0]", vec![address.into()]).await;
            page.wait_until("it is read", "return !location.hash").await;
            page.idle().await;
            assert_ne!(page.complaint().await, "", "{address}");
            assert_eq!((page.tab().await, page.fen().await), ("eximo".to_owned(), fen.clone()));
        }
    });
}

#[test]
fn what_needs_a_server_says_so() {
    with_exported_page(|page| async move {
        page.show_details("load").await;
        assert!(page.is_hidden("load").await && page.is_shown("no-server").await);
    });
}
