//! Exact values in the page: the bar, a sentence, the marks on the board, and the list of moves.

use serde_json::json;

use super::page::{Page, with_page, with_tables};
use super::window::SCHEMES;

/// A position with moves that win, draw and lose.
pub(crate) const FEN: &str = "5/5/1M3/1mm2/1M3 1 - 0 0";
const KINDS: [&str; 3] = ["wins", "draws", "loses"];

/// What the list of moves says: kinds, moves and plies.
async fn listed(page: &Page) -> Vec<[String; 3]> {
    let script = "return [...document.querySelectorAll('#exact-moves tr')].map((row) => \
                  [row.className, row.querySelector('button').textContent, row.lastChild.textContent])";
    serde_json::from_value(page.run(script, vec![]).await).unwrap()
}

/// The marks of a square, and whether its name for people tells of them.
async fn marks(page: &Page, square: &str) -> Vec<&'static str> {
    let script = "const square = document.querySelector(`[data-square=${arguments[0]}]`); \
                  return [square.getAttribute('aria-label').endsWith(', ' + arguments[1]), \
                  square.querySelector(`.mark-${arguments[1]}`) !== null]";
    let mut found = Vec::new();
    for kind in KINDS {
        let told = page.run(script, vec![square.into(), kind.into()]).await;
        assert_eq!(told[0], told[1], "{square} {kind}");
        found.extend((told[1] == true).then_some(kind));
    }
    found
}

/// The best of the listed moves that begin with a text.
fn best(listed: &[[String; 3]], text: &str) -> Vec<&'static str> {
    let has = |kind: &&str| listed.iter().any(|[of, mv, _]| of == kind && mv.starts_with(text));
    KINDS.into_iter().find(has).into_iter().collect()
}

#[test]
fn where_values_are_known_the_bar_is_exact_and_moves_are_marked_and_listed() {
    with_tables(4, |page| async move {
        page.open("alquerque").await;
        page.choose("p2-player", "human").await;
        page.run("document.getElementById('details').open = false", vec![]).await;
        assert_eq!(page.text("exact").await, "");
        page.set_up(FEN).await;
        let told = "White wins, capture or end in 7 plies";
        assert_eq!(page.text("exact").await, told);
        assert_eq!(page.attribute("#bar", "aria-valuetext").await, told);
        assert_eq!(page.attribute("#bar-p1", "height").await, "100");
        // Without details, nobody is told which move is good.
        assert!(listed(&page).await.is_empty() && page.is_hidden("exact-table").await);
        let state = page.settled().await;
        assert!(state.origins.len() > 1, "{state:?}");
        for origin in &state.origins {
            assert_eq!(marks(&page, origin).await, [""; 0]);
        }
        page.show_details("details").await;
        page.settled().await;
        let moves = listed(&page).await;
        for kind in KINDS {
            assert!(moves.iter().any(|[of, ..]| of == kind), "{moves:?}");
        }
        for origin in &state.origins {
            assert_eq!(marks(&page, origin).await, best(&moves, origin), "{origin}");
        }
        for scheme in SCHEMES {
            page.in_scheme(scheme).await;
            page.picture(&format!("exact-{scheme}")).await;
        }
        // Squares that go on with a move have its value.
        page.click_square(&state.origins[0]).await;
        for target in page.settled().await.targets {
            let text = format!("{}{target}", state.origins[0]);
            assert_eq!(marks(&page, &target).await, best(&moves, &text), "{text}");
        }
        page.picture("exact-begun").await;
        page.press("cancel").await;
        page.settled().await;
        // The first move of the list is the best one. A click plays it.
        assert_eq!(moves[0][0], "wins");
        page.press_first("#exact-moves button").await;
        assert_eq!(page.moves_at_least(1).await, [moves[0][1].clone()]);
        assert!(page.text("exact").await.starts_with("White wins"));
        page.press("undo").await;
        page.settled().await;
        page.fill("#language", "es").await;
        page.settled().await;
        assert_eq!(page.text("exact").await, "Ganan las blancas, captura o final en 7 jugadas");
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn analysis_tells_exact_values_in_place_of_scores() {
    with_tables(4, |page| async move {
        page.open("alquerque").await;
        page.choose("p2-player", "human").await;
        page.set_up(FEN).await;
        page.press("analyse").await;
        page.wait_until("a line is shown", "return document.querySelector('#lines li') !== null")
            .await;
        let worth = "return document.querySelector('#lines .worth strong').textContent";
        let worth = page.run(worth, vec![]).await;
        assert!(worth.as_str().unwrap().starts_with('▲'), "{worth}");
        assert_eq!(page.text("score").await, "");
        assert!(!listed(&page).await.is_empty());
        page.picture("exact-analysis").await;
        page.press("analyse").await;
        page.settled().await;
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn where_nothing_is_known_nothing_is_shown() {
    with_page(|page| async move {
        page.open("eximo").await;
        page.choose("p2-player", "human").await;
        page.show_details("details").await;
        page.settled().await;
        let shown = "return [document.getElementById('bar').classList.contains('exact'), \
                     document.getElementById('exact-table').hidden]";
        assert_eq!(page.run(shown, vec![]).await, json!([false, true]));
        assert_eq!(page.text("exact").await, "");
    });
}
