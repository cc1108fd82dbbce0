//! The page is used by keys alone, and says to screen readers what it shows.

use serde_json::json;

use super::page::{Page, with_page};
use super::window::Action;

/// Presses Tab until the focus is in an element.
pub(super) async fn tab_to(page: &Page, selector: &str) {
    let script = "return document.activeElement?.closest(arguments[0]) !== null";
    for _ in 0..60 {
        if page.run(script, vec![selector.into()]).await == true {
            return;
        }
        page.keys("\u{E004}").await;
    }
    panic!("Tab does not lead to {selector}");
}

/// Goes from the square with the focus to another one by arrows, and chooses it.
async fn choose(page: &Page, square: &str) {
    let focused = "return document.activeElement.dataset.square";
    let from = page.run(focused, vec![]).await.as_str().unwrap().to_owned();
    let at = |square: &str| (i32::from(square.as_bytes()[0]), square[1..].parse::<i32>().unwrap());
    let ((file, rank), (to_file, to_rank)) = (at(&from), at(square));
    let steps = |count: i32, more: &str, less: &str| {
        let key = if count > 0 { more } else { less };
        key.repeat(count.unsigned_abs() as usize)
    };
    let keys = steps(to_file - file, "\u{E014}", "\u{E012}")
        + &steps(to_rank - rank, "\u{E013}", "\u{E015}");
    page.keys(&format!("{keys}\u{E007}")).await;
}

/// Plays the game in play to its end by keys alone. `look` is called whenever the page awaits something.
pub(super) async fn play_by_keys(page: &Page, look: impl AsyncFn()) {
    page.type_keys("").await;
    for clicks in 0.. {
        let state = page.settled().await;
        look().await;
        if state.is_over {
            break;
        }
        assert!(clicks < 600, "the game does not end");
        match state.action(clicks) {
            Action::Choose(square) => {
                tab_to(page, "#board").await;
                choose(page, &square).await;
            }
            Action::EndTurn => page.keys("e").await,
            Action::TakeBack => page.keys(&"\u{E00C}".repeat(state.path.len())).await,
        }
    }
    tab_to(page, "#result").await;
}

#[test]
fn a_whole_game_is_played_by_keys_alone() {
    with_page(|page| async move {
        play_by_keys(&page, async || ()).await;
        assert!(page.moves().await.len() > 4);
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn tabs_are_chosen_by_arrows_and_the_panel_is_named_after_its_tab() {
    with_page(|page| async move {
        page.press("tab-play").await;
        page.keys("\u{E014}").await;
        let shown = "const tab = document.activeElement; \
                     const panel = document.getElementById(tab.getAttribute('aria-controls')); \
                     return [tab.id, tab.getAttribute('aria-selected'), panel.hidden, panel.getAttribute('aria-labelledby')]";
        let expected = json!(["tab-moves", "true", false, "tab-moves"]);
        assert_eq!(page.run(shown, vec![]).await, expected);
        page.keys("\u{E010}").await;
        let expected = json!(["tab-settings", "true", false, "tab-settings"]);
        assert_eq!(page.run(shown, vec![]).await, expected);
    });
}

#[test]
fn what_changes_is_announced_where_it_is_displayed() {
    with_page(|page| async move {
        for tab in ["play", "moves", "analysis"] {
            page.press(&format!("tab-{tab}")).await;
            let live = "return ['standing', 'prompt', 'news', 'message'].every((id) => { \
                        const part = document.getElementById(id); \
                        return part.getAttribute('aria-live') === 'polite' && !part.closest('[hidden]'); })";
            assert_eq!(page.run(live, vec![]).await, true, "{tab}");
        }
    });
}
