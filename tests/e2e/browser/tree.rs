//! The moves as a tree, and the review of a game.

use leap_records::{Ply, Record};

use super::page::{Page, with_page};

/// Three moves of Alquerque. The second loses a man.
const GAME: &str = "[Game \"alquerque\"]\n[P1 \"Ann\"]\n[P2 \"Bob\"]\n[Result \"p1win\"]\n[Reason \"resignation\"]\n\n\
    1. b2c3 {cp 31 depth 5 us 2500000} 2. b3b2 3. b1b3 p1win\n\n";

async fn saved(page: &Page) -> Record {
    Record::parse_all(&page.saved("save-record").await).unwrap().remove(0)
}

fn moves(plies: &[Ply]) -> Vec<&str> {
    plies.iter().map(|ply| ply.mv.as_str()).collect()
}

/// Goes to the position after a move of the main line.
async fn visit(page: &Page, ply: usize) {
    page.reveal("#moves").await;
    let script = "document.querySelectorAll('#moves .turn .move')[arguments[0] - 1].click()";
    page.run(script, vec![ply.into()]).await;
    page.settled().await;
}

#[test]
fn another_move_in_a_game_begins_a_variation_and_nothing_is_lost() {
    with_page(|page| async move {
        page.load(GAME).await;
        visit(&page, 1).await;
        page.click_squares(&["d4", "b2", "a1", "c3"]).await;
        page.fill("#note", "the man is gone").await;
        page.settled().await;
        page.reload().await;
        let record = saved(&page).await;
        assert_eq!(moves(&record.plies), ["b2c3", "b3b2", "b1b3"]);
        let [variation] = &record.plies[1].variations[..] else { panic!("{record:?}") };
        assert_eq!(moves(variation), ["d4b2", "a1c3"]);
        assert_eq!(variation[1].text, "the man is gone");
        assert_eq!(record.tag("P1"), Some("Ann"), "it is still the game of the record");
        page.picture("tree").await;

        page.press("promote").await;
        page.settled().await;
        let record = saved(&page).await;
        assert_eq!(moves(&record.plies), ["b2c3", "d4b2", "a1c3"]);
        assert_eq!(moves(&record.plies[1].variations[0]), ["b3b2", "b1b3"]);

        page.press_first("li.variation .move").await;
        page.settled().await;
        page.press("delete-variation").await;
        page.settled().await;
        assert_eq!(page.moves().await, ["b2c3", "d4b2", "a1c3"]);
        assert!(page.is_hidden("variation").await);
    });
}

#[test]
fn a_move_after_a_takeback_goes_on_with_the_game() {
    with_page(|page| async move {
        page.choose("p2-player", "human").await;
        page.click_squares(&["b2", "c3", "b3", "b2"]).await;
        page.press("undo").await;
        page.settled().await;
        page.click_squares(&["d4", "b2"]).await;
        page.settled().await;
        let record = saved(&page).await;
        assert_eq!(moves(&record.plies), ["b2c3", "d4b2"]);
        assert_eq!(moves(&record.plies[1].variations[0]), ["b3b2"]);
    });
}

#[test]
fn an_opened_record_is_a_game_of_its_players_with_what_they_told() {
    with_page(|page| async move {
        page.load(GAME).await;
        let sides = [page.text("p1").await, page.text("p2").await];
        assert!(sides[0].contains("Ann") && sides[1].contains("Bob"), "{sides:?}");
        visit(&page, 1).await;
        assert_eq!(page.text("told").await, "+0.31 · depth 5 · 2.5 s");
        assert_eq!(page.saved("save-record").await, GAME);
    });
}

#[test]
fn a_game_is_reviewed_in_place_and_the_review_is_kept() {
    with_page(|page| async move {
        page.load(GAME).await;
        page.press("review-over").await;
        let is_done = "return document.querySelectorAll('#review-worst li').length > 0 \
             && document.getElementById('stop-review').hidden";
        page.wait_until("the game is reviewed", is_done).await;
        page.settled().await;
        let worst = page.text("review-worst").await;
        assert!(worst.contains("2. b3b2 "), "{worst}");
        let record = saved(&page).await;
        assert!(!record.plies[1].glyphs.is_empty(), "{record}");
        assert!(!record.plies[1].variations.is_empty(), "{record}");
        page.press_first("#review-worst .move").await;
        page.settled().await;
        let arrows =
            "return ['last', 'better'].every((kind) => document.querySelector(`.arrow-${kind}`))";
        page.wait_until("arrows show both moves", arrows).await;
        page.picture("review").await;

        // A click at the left end of the graph goes to the start.
        page.run(
            "const graph = document.getElementById('review-graph');
             graph.dispatchEvent(new MouseEvent('click', { clientX: graph.getBoundingClientRect().left }))",
            vec![],
        )
        .await;
        page.settled().await;
        assert!(
            page.attribute("#undo", "disabled").await == "true"
                || page.fen().await.ends_with(" 0 0")
        );
        page.reload().await;
        assert_eq!(page.text("review-worst").await, worst);
    });
}
