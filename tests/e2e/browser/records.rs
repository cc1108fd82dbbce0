//! Records in the page: its own and those of all other programs.

use leap_games::IDS;
use leap_records::Record;

use super::page::{Page, with_page};
use crate::corpus;

fn moves(record: &Record) -> Vec<String> {
    record.plies.iter().map(|ply| ply.mv.clone()).collect()
}

/// Opens the game with this index of a file with several.
async fn choose_game(page: &Page, text: &str, index: usize) {
    let _file = page.pick_file(text).await;
    page.wait_until("there is a choice", "return document.getElementById('chooser').open").await;
    page.keys(&"\u{E015}".repeat(index)).await;
    page.keys("\u{E007}").await;
    page.file_is_read().await;
}

/// Games of the engine against itself.
fn are_saved_opened_and_saved_again(games: &[&str]) {
    with_page(async move |page| {
        for &game in games {
            page.open(game).await;
            for side in ["p1-player", "p2-player"] {
                page.choose_quickly(side, "engine").await;
            }
            page.wait_until("the game is over", "return leap.inspect().isOver").await;
            let (standing, played) = (page.text("standing").await, page.moves().await);
            let saved = page.saved("save-record").await;
            let records = Record::parse_all(&saved).unwrap();
            assert_eq!(records[0].to_string(), saved, "all programs write alike");
            assert!(records[0].tag("Reason").unwrap().starts_with("rules "), "{saved}");
            assert_eq!(moves(&records[0]), played);
            // The record has the result of the game, not of the position that is shown.
            page.press("first").await;
            page.idle().await;
            assert_eq!(page.saved("save-record").await.lines().last(), saved.lines().last());
            page.press("new-game").await;
            page.load(&saved).await;
            assert_eq!((page.text("standing").await, page.moves().await), (standing, played));
            assert_eq!((page.tab().await.as_str(), page.complaint().await.as_str()), (game, ""));
            assert_eq!(page.saved("save-record").await, saved);
            for side in ["p1-player", "p2-player"] {
                page.choose_quickly(side, "human").await;
            }
        }
    });
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn finished_games_are_saved_opened_and_saved_again() {
    are_saved_opened_and_saved_again(&["eximo", "froglet"]);
}

/// Each `step`-th game of the corpus.
fn are_opened_and_saved_as_they_were(step: usize) {
    let corpus = corpus::all();
    with_page(async move |page| {
        for (writer, text) in corpus.iter().step_by(step) {
            page.load(text).await;
            let record = Record::parse_all(text).unwrap().remove(0);
            assert_eq!(page.complaint().await, "", "{writer}");
            assert_eq!(page.moves().await, moves(&record), "{writer}");
            let is_over = page.settled().await.is_over;
            assert_eq!(is_over, !text.trim_end().ends_with('*'), "{writer}");
            assert_eq!(&page.saved("save-record").await, text, "{writer}");
        }
        page.picture("record").await;
    });
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn some_games_of_all_programs_are_opened_and_saved_as_they_were() {
    are_opened_and_saved_as_they_were(8);
}

#[test]
fn a_file_with_many_games_is_chosen_from_and_can_be_left() {
    const FILE: &str =
        "[Game \"eximo\"]\n[P1 \"Ann\"]\n[P2 \"Bob\"]\n\n1. c3c4 p1win\n\n[Game \"sapos\"]\n\n*\n";
    with_page(|page| async move {
        page.choose("p2-player", "human").await;
        page.load("[Game \"alquerque\"]\n\n1. b2c3 *\n").await;
        let before = (page.fen().await, page.moves().await, page.tab().await);
        let _file = page.pick_file(FILE).await;
        page.wait_until("there is a choice", "return document.getElementById('chooser').open")
            .await;
        let lines = page.text("choices").await;
        assert!(lines.contains("Ann – Bob · first player won · Eximo · 1 move"), "{lines}");
        page.picture("chooser").await;
        page.keys("\u{E00C}").await;
        page.settled().await;
        assert_eq!((page.fen().await, page.moves().await, page.tab().await), before);
        for (index, game, moves) in [(0, "eximo", &["c3c4"][..]), (1, "sapos", &[])] {
            choose_game(&page, FILE, index).await;
            assert_eq!(page.tab().await, game);
            assert_eq!(page.moves().await, moves);
        }
    });
}

#[test]
fn a_record_brings_its_rules_and_the_persons_own_are_put_back() {
    with_page(|page| async move {
        page.fill("[name=AlquerqueQuietLimit]", "30").await;
        page.choose("p2-player", "human").await;
        page.load("[Game \"alquerque\"]\n[Option \"AlquerqueCapture=mandatory\"]\n\n1. b2c3 *\n")
            .await;
        let message = page.text("message").await;
        assert!(message.contains("Captures: mandatory"), "{message}");
        let rules = || async {
            let names = ["AlquerqueCapture", "AlquerqueQuietLimit", "MaxPlies"];
            let mut values = Vec::new();
            for name in names {
                values.push(page.field(&format!("[name={name}]")).await);
            }
            values.join(" ")
        };
        assert_eq!(rules().await, "mandatory 100 400");
        page.reload().await;
        assert_eq!(rules().await, "mandatory 100 400");
        page.press("new-game").await;
        page.settled().await;
        assert_eq!(rules().await, "optional 30 40");
        // A game after the records has the person's own options again, also after two records.
        page.load("[Game \"alquerque\"]\n[Option \"AlquerqueQuietLimit=7\"]\n\n1. b2c3 *\n").await;
        page.load("[Game \"eximo\"]\n[Option \"MaxPlies=99\"]\n\n1. c3c4 *\n").await;
        page.open("alquerque").await;
        assert_eq!(rules().await, "optional 30 40");
        assert_eq!(page.field("#p2-player").await, "human");
    });
}

mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn finished_games_of_each_kind_are_saved_opened_and_saved_again() {
        are_saved_opened_and_saved_again(&IDS);
    }

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn games_of_all_programs_are_opened_and_saved_as_they_were() {
        are_opened_and_saved_as_they_were(1);
    }
}
