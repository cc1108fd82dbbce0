//! `leap web` in a real browser: whole games by mouse, and everything that can happen on the way. Needs `chromedriver`
//! and its browser (Debian: chromium-driver); without it these tests are skipped, with a message.
//!
//! With `LEAP_SCREENSHOTS=1`, screenshots are left in `target/screenshots`.

mod analysis;
mod clicks;
mod contrast;
mod devtools;
mod driver;
mod exact;
mod exported;
mod guests;
mod history;
mod home;
mod hostile;
mod kept;
mod keyboard;
mod languages;
mod layout;
mod line;
mod load;
mod looks;
mod network;
mod opened;
mod page;
mod pictures;
mod practice;
mod presence;
mod records;
mod report;
mod screen_reader;
mod server;
mod sight;
mod site;
mod tour;
mod tree;
mod unfinished;
mod window;
use page::{Page, with_page};
use window::Action;

/// A random player against an engine that looks one ply ahead.
async fn play_whole_game(page: &Page, game: &str) {
    page.open(game).await;
    let (mut hops, mut clicks) = (0, 0_usize);
    loop {
        let state = page.settled().await;
        if state.is_over {
            break;
        }
        match state.action(clicks) {
            Action::Choose(square) => page.click_square(&square).await,
            Action::EndTurn => page.press("end-turn").await,
            Action::TakeBack => {
                for _ in &state.path {
                    page.press("cancel").await;
                }
            }
        }
        clicks += 1;
        hops = hops.max(state.path.len());
        if clicks == 9 {
            page.picture(&format!("{game}-in-play")).await;
        }
        assert!(clicks < 2_000, "{game} does not end");
    }
    page.picture(&format!("{game}-over")).await;
    let moves = page.moves().await;
    let standing = page.text("standing").await;
    let told = ["You have won: ", "You have lost: ", "Draw: "];
    assert!(told.iter().any(|words| standing.starts_with(words)), "{standing}");
    assert!(moves.len() >= 4, "{moves:?}");
    assert_eq!(page.errors().await, [""; 0], "{game}");
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn a_game_with_two_turns_in_a_row_is_played_to_its_end_by_mouse() {
    with_page(async |page| play_whole_game(&page, "sapos").await);
}

#[test]
fn hops_are_entered_one_by_one_and_the_turn_ended_by_a_button() {
    with_page(|page| async move {
        page.open("alquerque").await;
        page.choose("p2-player", "human").await;
        // A capture that may continue, but need not.
        for is_ended in [false, true] {
            page.set_up("5/1m1m1/5/1m1m1/M3m 1 - 0 10").await;
            page.click_square("a1").await;
            page.click_square("c3").await;
            let state = page.settled().await;
            assert!(state.can_end && state.targets.contains(&"e5".to_owned()), "{state:?}");
            assert_eq!(page.text("entered").await, "a1c3");
            assert!(page.has_class("b2", "is-victims").await);
            page.picture("alquerque-first-hop").await;
            if is_ended {
                page.press("end-turn").await;
            } else {
                // If nothing can follow, the turn ends by itself.
                page.click_square("e5").await;
            }
            let expected = if is_ended { "a1c3" } else { "a1c3e5" };
            assert_eq!(page.moves_at_least(1).await, [expected]);
        }
    });
}

#[test]
fn drops_are_chosen_on_the_board() {
    with_page(|page| async move {
        page.open("eximo").await;
        page.choose("p2-player", "human").await;
        page.set_up("8/4M3/8/m7/8/8/8/1M6 1 - 3 20").await;
        page.click_squares(&["e7", "e8", "c1", "g2"]).await;
        assert_eq!(page.moves_at_least(1).await, ["e7e8@c1@g2"]);
        assert!(page.fen().await.starts_with("8/8/8/m7/8/8/6M1/1MM5 2"), "{}", page.fen().await);
    });
}

#[test]
fn a_refused_move_is_explained() {
    with_page(|page| async move {
        page.open("alquerque").await;
        page.click_square("a5").await;
        page.settled().await;
        assert_eq!(page.text("message").await, "a5: this piece is not the mover's");
        assert!(page.has_class("a5", "is-wrong").await);
        page.click_square("b2").await;
        page.click_square("d5").await;
        page.settled().await;
        assert!(page.text("message").await.starts_with("d5: "), "{}", page.text("message").await);
        page.picture("refused").await;
    });
}

#[test]
fn moves_are_taken_back_and_made_again() {
    with_page(|page| async move {
        page.open("sapos").await;
        page.choose("p2-player", "human").await;
        let start = page.fen().await;
        page.click_squares(&["d2", "d4", "d5"]).await;
        let moves = page.moves_at_least(1).await;
        let after = page.fen().await;
        page.press("undo").await;
        page.settled().await;
        assert_eq!(page.fen().await, start);
        page.press("redo").await;
        page.settled().await;
        assert_eq!((page.fen().await, page.moves().await), (after, moves));
    });
}

#[test]
fn pieces_can_be_dragged_and_moved_by_keyboard() {
    with_page(|page| async move {
        page.open("tactica").await;
        page.choose("p2-player", "human").await;
        page.drag("a1", "a4").await;
        assert_eq!(page.moves_at_least(1).await, ["a1a4"]);
        // Black's second turn from the other side of the board: a8 to a6, with arrows and Enter alone.
        page.focus_square("a8").await;
        page.keys("\u{E007}").await;
        page.settled().await;
        page.keys("\u{E015}\u{E015}\u{E007}").await;
        assert_eq!(page.moves_at_least(2).await[1], "a8a6");
    });
}

#[test]
fn a_reload_brings_the_game_back() {
    with_page(|page| async move {
        page.open("eximo").await;
        page.choose("p2-player", "human").await;
        page.click_square("c3").await;
        page.click_square("c4").await;
        let moves = page.moves_at_least(1).await;
        let fen = page.fen().await;
        page.reload().await;
        assert_eq!((page.fen().await, page.moves().await), (fen, moves));
        assert_eq!(page.field("#p1-level").await, "6");
        assert_eq!(page.complaint().await, "");
    });
}

#[test]
fn when_the_engine_is_gone_the_page_says_so_and_goes_on_with_another() {
    with_page(|page| async move {
        page.open("sapos").await;
        page.choose("p2-player", "human").await;
        page.click_squares(&["d2", "d4", "d5"]).await;
        let (fen, moves) = (page.fen().await, page.moves_at_least(1).await);
        page.server.kill_engines();
        page.wait_for_loss().await;
        assert_eq!(page.text("lost-why").await, "No engine: the engine has ended.");
        page.picture("lost").await;
        page.press("reconnect").await;
        page.wait_until("the loss is over", "return document.getElementById('lost').hidden").await;
        page.settled().await;
        assert_eq!((page.fen().await, page.moves().await), (fen, moves));
    });
}

#[test]
fn a_page_whose_scripts_do_not_arrive_says_so() {
    with_page(|page| async move {
        page.open("sapos").await;
        page.wait_until("the page has started", "return !document.getElementById('unstarted')")
            .await;
        page.reload_without("page.js").await;
        // Its style lets ten seconds pass first.
        let pass = "for (const animation of unstarted.getAnimations()) animation.finish();";
        page.run(pass, vec![]).await;
        let said = "return unstarted.checkVisibility({ visibilityProperty: true })";
        page.wait_until("the page says that it has not started", said).await;
        assert!(page.text("unstarted").await.starts_with("The page has not started. Reload it."));
    });
}

#[test]
fn saved_games_can_be_opened_again() {
    with_page(|page| async move {
        page.open("froglet").await;
        page.choose("p2-player", "human").await;
        let origin = page.settled().await.origins[3].clone();
        page.click_square(&origin).await;
        let moves = page.moves_at_least(1).await;
        let record = page.saved("save-record").await;
        assert!(
            record.starts_with("[Game \"froglet\"]\n") && record.contains(&moves[0]),
            "{record}"
        );
        let transcript = page.saved("save-transcript").await;
        assert!(transcript.starts_with("ugt 1\n") && transcript.contains("> query turn"));
        for text in [record, transcript] {
            page.press("new-game").await;
            page.settled().await;
            page.load(&text).await;
            assert_eq!(page.moves_at_least(1).await, moves);
        }
    });
}

mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn each_game_is_played_to_its_end_by_mouse() {
        for game in leap_games::IDS {
            with_page(async move |page| play_whole_game(&page, game).await);
        }
    }
}
