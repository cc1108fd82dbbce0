//! Nothing is thrown away by a slip: games are brought back, settings stay; the conduct of a game besides its moves.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::page::{Page, with_engine, with_page};
use super::window::CLOCK;
use crate::programs::RESIGNING;

/// A first move of Alquerque by two people.
async fn begin(page: &Page) -> (String, Vec<String>) {
    page.choose("p2-player", "human").await;
    play(page, "b2", "c3").await;
    state(page).await
}

async fn play(page: &Page, from: &str, to: &str) {
    page.click_square(from).await;
    page.settled().await;
    page.click_square(to).await;
    page.settled().await;
}

/// Resigns, and says so again when asked.
async fn resign(page: &Page) {
    page.press("resign").await;
    page.settled().await;
    page.press("accept").await;
    page.settled().await;
}

async fn state(page: &Page) -> (String, Vec<String>) {
    (page.fen().await, page.moves().await)
}

#[test]
fn a_game_that_was_left_by_any_way_is_brought_back_and_that_is_undone_too() {
    const OTHER: &str = "[Game \"eximo\"]\n\n1. c3c4 2. c6c5 *\n";
    with_page(|page| async move {
        let before = begin(&page).await;
        for slip in ["new-game", "n", "tab", "file", "position"] {
            match slip {
                "new-game" => page.press("new-game").await,
                "n" => page.type_keys("n").await,
                "tab" => page.open("sapos").await,
                "file" => page.load(OTHER).await,
                _ => page.set_up("5/1m1m1/5/1m1m1/M3m 1 - 0 10").await,
            }
            page.settled().await;
            assert_ne!(state(&page).await, before, "{slip}");
            let other = state(&page).await;
            page.press("bring-back").await;
            page.settled().await;
            assert_eq!(state(&page).await, before, "{slip}");
            assert_eq!(page.tab().await, "alquerque", "{slip}");
            if slip == "file" {
                page.press("bring-back").await;
                page.settled().await;
                assert_eq!(state(&page).await, other);
                page.type_keys("b").await;
                page.settled().await;
                assert_eq!(state(&page).await, before);
            }
        }
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn recent_games_are_listed_also_in_another_visit() {
    with_page(|page| async move {
        let before = begin(&page).await;
        resign(&page).await;
        page.open("sapos").await;
        page.forget_tab().await;
        page.reload().await;
        page.show_details("recent").await;
        let listed = page.text("recent").await;
        assert!(listed.starts_with("Alquerque · 1 move · first player won · "), "{listed}");
        page.picture("recent").await;
        page.press_first(".recent").await;
        page.settled().await;
        assert_eq!(state(&page).await, before);
        assert!(
            page.text("standing").await.contains("resigned"),
            "{}",
            page.text("standing").await
        );
        page.open("eximo").await;
        page.show_details("recent").await;
        page.press("forget-recent").await;
        page.settled().await;
        assert_eq!(page.text("recent").await, "");
    });
}

#[test]
fn settings_survive_a_reload_and_hold_in_another_tab() {
    with_page(|page| async move {
        for (id, value) in [("p1-level", "1"), ("p2-level", "7"), ("control", "5+5")] {
            page.fill(&format!("#{id}"), value).await;
        }
        page.choose("p1-player", "human").await;
        page.choose("p2-player", "human").await;
        page.fill("[name=Hash]", "64").await;
        page.press("analyse").await;
        for is_new_tab in [false, true] {
            if is_new_tab {
                page.forget_tab().await;
            }
            page.reload_busy().await;
            for (selector, value) in [
                ("#p1-level", "1"),
                ("#p2-level", "7"),
                ("#control", "5+5"),
                ("#p2-player", "human"),
                ("[name=Hash]", "64"),
            ] {
                assert_eq!(page.field(selector).await, value, "{selector}");
            }
            assert!(page.is_checked("analyse").await);
        }
    });
}

#[test]
fn a_person_resigns_and_a_rematch_swaps_the_sides() {
    with_page(|page| async move {
        page.fill("#p1-level", "8").await;
        play(&page, "b2", "c3").await;
        page.moves_at_least(2).await;
        resign(&page).await;
        let standing = page.text("standing").await;
        assert_eq!(standing, "You have resigned, so the engine wins");
        let record = page.saved("save-record").await;
        assert!(record.contains("[Result \"p2win\"]\n[Reason \"resignation\"]\n"), "{record}");
        page.reload().await;
        assert_eq!(page.text("standing").await, standing);
        // A slip of the finger is taken back as a move is.
        page.press("undo").await;
        page.settled().await;
        assert!(page.text("standing").await.ends_with(" to move"));
        resign(&page).await;
        page.press("rematch").await;
        page.moves_at_least(1).await;
        let fields = [page.field("#p1-player").await, page.field("#p2-player").await];
        assert_eq!(fields, ["engine", "human"]);
        let levels = [page.field("#p1-level").await, page.field("#p2-level").await];
        assert_eq!(levels, ["6", "8"]);
    });
}

#[test]
fn an_engine_that_resigns_has_lost() {
    let folder = tempfile::tempdir().unwrap();
    let engine = folder.path().join("engine");
    fs::write(&engine, format!("#!/bin/sh\n{}\n", *RESIGNING)).unwrap();
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).unwrap();
    with_engine(&engine, |page| async move {
        page.press("hint").await;
        const TOLD: &str =
            "return document.getElementById('message').textContent.includes('would resign')";
        page.wait_until("the hint", TOLD).await;
        play(&page, "b2", "c3").await;
        page.wait_until("the end", "return !document.getElementById('result').hidden").await;
        let standing = page.text("standing").await;
        assert_eq!(standing, "You have won: the other side has resigned");
    });
}

#[test]
fn the_level_follows_the_results_of_whole_games_if_one_wants() {
    with_page(|page| async move {
        page.fill("#p2-level", "1").await;
        page.press("follow").await;
        page.reload().await;
        assert!(page.is_checked("follow").await);
        let what = page.text("level-what").await;
        play(&page, "b2", "c3").await;
        page.moves_at_least(2).await;
        page.reload().await;
        resign(&page).await;
        assert_eq!(page.field("#p2-level").await, "10");
        assert_ne!(page.text("level-what").await, what);
        assert!(page.text("message").await.ends_with(" a level: Learner."));
        // A game from a file, or with a move taken back, changes nothing.
        page.load("[Game \"alquerque\"]\n\n1. b2c3 *\n").await;
        page.settled().await;
        page.choose("p2-player", "engine").await;
        page.moves_at_least(2).await;
        resign(&page).await;
        assert_eq!(page.field("#p2-level").await, "10");
        page.press("new-game").await;
        page.settled().await;
        play(&page, "b2", "c3").await;
        page.moves_at_least(2).await;
        page.press("undo").await;
        page.settled().await;
        play(&page, "d2", "c3").await;
        page.moves_at_least(2).await;
        resign(&page).await;
        assert_eq!(page.field("#p2-level").await, "10");
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn a_draw_is_agreed_where_the_game_knows_agreement() {
    with_page(|page| async move {
        begin(&page).await;
        page.press("offer-draw").await;
        page.settled().await;
        page.press("accept").await;
        page.settled().await;
        assert_eq!(page.text("standing").await, "Draw: agreed");
        assert!(page.saved("save-record").await.contains("[Reason \"agreement\"]"));
        page.open("eximo").await;
        play(&page, "c3", "c4").await;
        assert!(page.is_hidden("offer-draw").await);
        // An engine that stands badly accepts a draw, one that stands well does not.
        page.open("alquerque").await;
        page.choose("p2-player", "engine").await;
        for (fen, is_taken) in
            [("2m2/5/5/MMMMM/MMMMM 1 - 0 10", true), ("mmmmm/mmmmm/5/5/2M2 1 - 0 10", false)]
        {
            page.set_up(fen).await;
            page.press("offer-draw").await;
            page.settled().await;
            let origin = page.settled().await.origins[0].clone();
            page.click_square(&origin).await;
            let target = page.settled().await.targets[0].clone();
            page.click_square(&target).await;
            page.settled().await;
            let standing = page.text("standing").await;
            assert_eq!(standing == "Draw: agreed", is_taken, "{fen}: {standing}");
        }
    });
}

#[test]
fn a_game_is_paused_and_an_engine_hurried() {
    with_page(|page| async move {
        page.fill("#p1-level", "5").await;
        page.choose_quickly("p1-player", "engine").await;
        page.wait_until("it thinks", "return !document.getElementById('move-now').hidden").await;
        page.press("pause").await;
        page.wait_until("it is paused", "return !document.getElementById('resume').hidden").await;
        assert!(page.is_hidden("move-now").await);
        assert_eq!(page.moves().await, [""; 0]);
        page.press("resume").await;
        page.wait_until("it thinks", "return !document.getElementById('move-now').hidden").await;
        page.press("move-now").await;
        page.wait_until("it has moved", "return document.querySelectorAll('.move').length > 0")
            .await;
    });
}

#[test]
fn clocks_run_from_the_first_move_stop_in_a_pause_and_end_the_game() {
    with_page(|page| async move {
        page.choose("p2-player", "human").await;
        page.choose("control", "custom").await;
        page.fill("#own-control", "soon").await;
        assert!(
            page.complaint().await.contains("such as 3+2, found soon"),
            "{}",
            page.complaint().await
        );
        page.fill("#own-control", "0.05+0").await;
        assert_eq!(page.text("p1-clock").await, "0:03.0");
        play(&page, "b2", "c3").await;
        page.wait_until(
            "black's clock runs",
            "return document.getElementById('p2-clock').classList.contains('running')",
        )
        .await;
        page.press("pause").await;
        page.settled().await;
        let left = page.text("p2-clock").await;
        page.picture("clocks").await;
        page.reload().await;
        assert_eq!(
            (page.text("p1-clock").await, page.text("p2-clock").await),
            ("0:03.0".to_owned(), left.clone())
        );
        page.run(CLOCK, vec![]).await;
        page.press("resume").await;
        page.run("passed += 3000", vec![]).await;
        page.wait_until("the flag has fallen", "return leap.inspect().isOver").await;
        assert!(left.as_str() > "0:00.0", "{left}");
        let record = page.saved("save-record").await;
        assert!(record.contains("[Result \"p1win\"]\n[Reason \"time\"]\n"), "{record}");
        page.press("again").await;
        page.settled().await;
        assert_eq!(page.text("p2-clock").await, "0:03.0");
    });
}

#[test]
fn an_engine_plays_by_the_clock() {
    with_page(|page| async move {
        page.choose("control", "1+1").await;
        play(&page, "b2", "c3").await;
        page.moves_at_least(2).await;
        let said = page.saved("save-transcript").await;
        let go = said.lines().find(|line| line.starts_with("> go ")).unwrap();
        assert!(go.starts_with("> go p1time ") && go.ends_with("p1inc 1000 p2inc 1000"), "{go}");
    });
}
