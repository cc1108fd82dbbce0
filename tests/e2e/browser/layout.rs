//! The page on the screens of its users, and what stands beside the board.

use super::page::{Page, with_page};

/// Widths and heights of screens: telephones, tablet, notebook, desktops.
pub(super) const SCREENS: [(u32, u32); 6] =
    [(360, 640), (390, 844), (768, 1024), (1366, 768), (1920, 1080), (2560, 1440)];

/// The width of the page beyond the screen, of the board, and the size of the smallest coordinate, in pixels.
async fn measure(page: &Page) -> (f64, f64, f64) {
    let script = "const svg = document.querySelector('#board svg'); const scale = svg.getScreenCTM().a; \
        const sizes = [...svg.querySelectorAll('.edge')].map((e) => scale * parseFloat(getComputedStyle(e).fontSize)); \
        return [document.documentElement.scrollWidth - innerWidth, svg.getBoundingClientRect().width, Math.min(...sizes)]";
    serde_json::from_value(page.run(script, vec![]).await).unwrap()
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn the_board_fits_its_screen_and_its_coordinates_can_be_read() {
    with_page(|page| async move {
        for language in ["en", "es"] {
            page.choose("language", language).await;
            for game in page.games().await {
                page.open(&game).await;
                for (width, height) in SCREENS {
                    page.on_screen(width, height).await;
                    page.drawn().await;
                    let about = format!("{language}, {game}, {width}x{height}");
                    let (beyond, board, coordinate) = measure(&page).await;
                    assert!(beyond <= 0.0, "{about}: {beyond} pixels too wide");
                    assert!(coordinate >= 11.0, "{about}: {coordinate}");
                    let least =
                        f64::from(width.min(height)) * if width < 500 { 0.85 } else { 0.66 };
                    assert!(board >= least, "{about}: {board}");
                }
            }
        }
    });
}

/// What is out of sight, cut off or covered: the board, the players with their clocks, or what is awaited. Also tells
/// whether the page scrolls.
const OUT_OF_SIGHT: &str = "
    const isSeen = (part) => {
      const { left, right, top, bottom, width, height } = part.getBoundingClientRect();
      const centre = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return width > 0 && height > 0 && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && part.contains(centre);
    };
    const parts = ['#board svg', '#p1', '#p2', '#p1-clock', '#p2-clock', '#prompt', '#menu, #games', '[role=tablist]', '#undo'];
    const shown = parts.map((part) => [part, [...document.querySelectorAll(part)].find((each) => each.checkVisibility())]);
    const faults = shown.filter(([, part]) => !part || !isSeen(part)).map(([name]) => name);
    const { scrollWidth, scrollHeight } = document.documentElement;
    return scrollWidth > innerWidth || scrollHeight > innerHeight ? [...faults, 'the page scrolls'] : faults;";

#[test]
fn board_players_and_clocks_are_in_sight_on_every_screen_whatever_the_panel_shows() {
    with_page(|page| async move {
        page.choose("control", "5+5").await;
        // Telephones and notebooks on their sides, too.
        let turned = [(640, 360), (844, 390), (683, 312), (1024, 768)];
        for (width, height) in SCREENS.into_iter().chain(turned) {
            page.on_screen(width, height).await;
            for tab in ["play", "moves", "analysis", "review", "practice", "settings"] {
                page.press(&format!("tab-{tab}")).await;
                let unfold = "for (const part of document.querySelectorAll('.panel details')) part.open = true";
                page.run(unfold, vec![]).await;
                page.drawn().await;
                let faults = page.run(OUT_OF_SIGHT, vec![]).await;
                assert_eq!(faults.as_array().unwrap()[..], [""; 0], "{width}x{height}, {tab}");
                let is_usable = format!(
                    "const {{ clientHeight, clientWidth, scrollWidth }} = document.getElementById('panel-{tab}'); \
                     return clientHeight >= 48 && scrollWidth <= clientWidth"
                );
                assert_eq!(page.run(&is_usable, vec![]).await, true, "{width}x{height}, {tab}");
            }
        }
        assert_eq!(page.errors().await, [""; 0]);
    });
}

/// The texts of players and clocks that are wider than their places.
const CUT_BESIDE_THE_BOARD: &str = "
    const isCut = (part) => part.checkVisibility() && getComputedStyle(part).display !== 'inline'
      && part.scrollWidth > part.clientWidth + 1;
    return [...document.querySelectorAll('.seat > *, .side > *')].filter(isCut).map((part) => part.textContent);";

#[test]
fn players_and_their_counts_are_read_in_full_on_a_small_telephone() {
    with_page(|page| async move {
        let (width, height) = SCREENS[0];
        page.on_screen(width, height).await;
        page.choose("control", "5+5").await;
        for language in ["en", "es"] {
            page.choose("language", language).await;
            for game in page.games().await {
                page.open(&game).await;
                page.drawn().await;
                let cut = page.run(CUT_BESIDE_THE_BOARD, vec![]).await;
                assert_eq!(cut.as_array().unwrap()[..], [""; 0], "{game}, {language}");
                page.picture(&format!("small-{game}-{language}")).await;
            }
        }
    });
}

/// How many turns of the list of moves fit in its place.
const TURNS: &str = "const [heads, turn] = [...document.querySelectorAll('#moves .turn')].map((row) => row.clientHeight); \
                     return (document.getElementById('record').clientHeight - heads) / turn";

#[test]
fn beside_three_lines_of_an_analysis_eight_turns_of_the_game_are_read() {
    with_page(|page| async move {
        page.choose("p2-player", "human").await;
        page.click_squares(&["b2", "c3"]).await;
        page.moves_at_least(1).await;
        page.on_screen(1366, 768).await;
        for language in ["en", "es"] {
            page.choose("language", language).await;
            page.press("analyse").await;
            let is_listed = "return document.querySelectorAll('#lines li').length === 3";
            page.wait_until("lines are shown", is_listed).await;
            let turns = page.run(TURNS, vec![]).await.as_f64().unwrap();
            page.press("analyse").await;
            page.settled().await;
            assert!(turns >= 8.0, "{language}: {turns}");
        }
    });
}

#[test]
fn the_current_move_stays_in_sight_when_the_window_changes() {
    with_page(|page| async move {
        page.open("tactica").await;
        page.choose_quickly("p1-player", "engine").await;
        page.moves_at_least(36).await;
        page.press("tab-moves").await;
        let visit = "document.querySelectorAll('.move')[30].click()";
        page.run(visit, vec![]).await;
        for (width, height) in [(1366, 768), (1024, 500), (360, 640)] {
            page.on_screen(width, height).await;
            page.drawn().await;
            let is_seen = "const { top, bottom } = document.querySelector('.move[aria-current]').getBoundingClientRect(); \
                           const panel = document.getElementById('panel-moves').getBoundingClientRect(); \
                           return top >= panel.top - 1 && bottom <= panel.bottom + 1";
            assert_eq!(page.run(is_seen, vec![]).await, true, "{width}x{height}");
        }
    });
}

#[test]
fn nothing_jumps_while_a_game_is_played() {
    with_page(|page| async move {
        let watch = "window.shifts = 0; new PerformanceObserver((list) => { \
                     for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifts += value; \
                     }).observe({ type: 'layout-shift', buffered: true });";
        page.run(watch, vec![]).await;
        for (width, height) in [(390, 844), (1366, 768)] {
            page.on_screen(width, height).await;
            page.open("eximo").await;
            page.drawn().await;
            page.run("window.shifts = 0", vec![]).await;
            for clicks in 0..12 {
                let state = page.settled().await;
                let squares =
                    if state.origins.is_empty() { &state.targets } else { &state.origins };
                page.click_square(&squares[clicks % squares.len()]).await;
            }
            page.settled().await;
            page.drawn().await;
            let shifts = page.run("return window.shifts", vec![]).await.as_f64().unwrap();
            // Google calls a page good up to 0.1.
            assert!(shifts < 0.1, "{width}: {shifts}");
        }
    });
}

#[test]
fn a_result_stays_beside_the_board_with_what_to_do_next() {
    with_page(|page| async move {
        page.open("eximo").await;
        assert!(!page.is_shown("result").await);
        page.set_up("8/8/8/5M2/8/3M2M1/3MM1M1/2MMM3 2 - 0 61").await;
        assert!(page.is_shown("result").await);
        let told = "You have won: all men of the other side are captured";
        assert_eq!(page.text("over").await, told);
        // The winner has all of the bar.
        assert_eq!(page.attribute("#bar", "aria-valuenow").await, "100");
        assert!(page.is_shown("rematch").await);
        // On a small telephone the moves of the game are still read below.
        let (width, height) = SCREENS[0];
        page.on_screen(width, height).await;
        page.drawn().await;
        let tall = page.run("return document.getElementById('result').clientHeight", vec![]).await;
        assert!(tall.as_f64().unwrap() <= 80.0, "{tall}");
        page.press("again").await;
        let state = page.settled().await;
        assert!(!state.is_over && !page.is_shown("result").await);
        assert_eq!(page.attribute("#bar", "aria-valuenow").await, "50");
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn a_hint_is_an_arrow_and_moves_nothing() {
    with_page(|page| async move {
        page.open("tactica").await;
        let before = page.fen().await;
        // The same holds for a turn that has begun.
        page.click_square("b1").await;
        page.settled().await;
        page.press("hint").await;
        page.wait_until("a hint is shown", "return Boolean(document.querySelector('.arrow-hint'))")
            .await;
        let hint = page.text("message").await;
        assert!(hint.starts_with("Hint: "), "{hint}");
        assert_eq!((page.fen().await, page.moves().await), (before, vec![]));
        let hint = hint.trim_start_matches("Hint: ").to_owned();
        page.press("cancel").await;
        page.settled().await;
        page.choose("p2-player", "human").await;
        for square in [&hint[..2], &hint[2..4]] {
            page.click_square(square).await;
        }
        assert_eq!(page.moves_at_least(1).await, [hint]);
        let arrows = "return [...document.querySelectorAll('.arrow')].map((e) => e.classList[1])";
        assert_eq!(page.run(arrows, vec![]).await, serde_json::json!(["arrow-last"]));
    });
}

#[test]
fn the_evaluation_is_shown_in_parts_that_add_up() {
    with_page(|page| async move {
        page.open("eximo").await;
        page.choose("p2-player", "human").await;
        let part = "return [...document.querySelectorAll('#parts-list tr')].map((row) => \
                    [row.firstChild.textContent, Math.round(100 * row.lastChild.textContent.replace('−', '-'))])";
        let parts = async || -> Vec<(String, i64)> {
            page.settled().await;
            serde_json::from_value(page.run(part, vec![]).await).unwrap()
        };
        page.show_details("parts-list").await;
        page.wait_until("parts are shown", "return Boolean(document.querySelector('#parts td'))")
            .await;
        let before = parts().await;
        page.click_squares(&["c3", "c4"]).await;
        page.moves_at_least(1).await;
        let after = parts().await;
        assert_ne!(before, after);
        for shown in [before, after] {
            let ((name, total), parts) = shown.split_last().unwrap();
            assert_eq!((name.as_str(), *total), ("in all", parts.iter().map(|part| part.1).sum()));
            assert!(parts.iter().any(|part| part.0 == "how the men stand together"), "{parts:?}");
        }
        assert!(page.text("viewed").await.contains("for black"));
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn a_click_on_the_piece_that_has_moved_ends_its_turn() {
    with_page(|page| async move {
        page.open("alquerque").await;
        page.choose("p2-player", "human").await;
        page.set_up("5/1m1m1/5/1m1m1/M3m 1 - 0 10").await;
        page.click_squares(&["a1", "c3"]).await;
        assert!(page.has_class("c3", "is-ends").await);
        page.click_square("c3").await;
        assert_eq!(page.moves_at_least(1).await, ["a1c3"]);
    });
}

#[test]
fn on_a_turned_board_the_players_change_places() {
    with_page(|page| async move {
        let top = "const [a, b] = ['p1', 'p2'].map((id) => document.getElementById(id).getBoundingClientRect().top); return a > b";
        assert_eq!(page.run(top, vec![]).await, true);
        page.press("flip").await;
        page.settled().await;
        assert_eq!(page.run(top, vec![]).await, false);
    });
}
