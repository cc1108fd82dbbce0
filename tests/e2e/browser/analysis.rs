//! Analysis beside the board: lines, threats, the editor, the games of a file, pictures, and the keys that step through
//! moves.

use fantoccini::Locator;
use fantoccini::actions::{InputSource, MouseActions, PointerAction};
use serde_json::json;

use super::page::{Page, with_each_page, with_page};
use super::window::schemes_to_fit;

/// Three games that share their first move, the first one finished.
const GAMES: &str = "[Game \"eximo\"]\n[P1 \"Ann\"]\n\n1. c3c4 2. f6f5 p1win\n\n\
                     [Game \"eximo\"]\n[P1 \"Bob\"]\n\n1. c3c4 2. c6c5 3. b3b4 draw\n\n\
                     [Game \"eximo\"]\n[P1 \"Eve\"]\n\n1. c3c4 2. f6f5 p2win\n";
/// A move of the second line, the third move of the first one.
const STEP: &str = "#lines [data-rank='1'][data-at='2']";

async fn between_people(page: &Page, game: &str) {
    page.open(game).await;
    page.choose("p2-player", "human").await;
}

/// Waits until so many lines are as deep as this.
async fn lines(page: &Page, count: usize, moves: usize) {
    let script = format!(
        "const lines = [...document.querySelectorAll('#lines li')]; \
         return lines.length === {count} && lines.every((line) => line.querySelectorAll('.step').length >= {moves})"
    );
    page.wait_until(&format!("{count} lines are shown"), &script).await;
}

/// How many elements there are.
async fn count(page: &Page, selector: &str) -> u64 {
    let script = "return document.querySelectorAll(arguments[0]).length";
    page.run(script, vec![selector.into()]).await.as_u64().unwrap()
}

/// Points at an element. A list that is drawn anew meanwhile has another one, which is pointed at then.
async fn point_at(page: &Page, selector: &str) {
    let mut pointed = Ok(());
    for _ in 0..50 {
        let element = page.client.find(Locator::Css(selector)).await.unwrap();
        let at = PointerAction::MoveToElement { element, duration: None, x: 0.0, y: 0.0 };
        let actions = MouseActions::new("mouse".to_owned()).then(at);
        pointed = page.client.perform_actions(actions).await;
        if pointed.is_ok() {
            return;
        }
    }
    pointed.unwrap();
}

/// Ends the analysis, so that the page comes to rest.
async fn stop(page: &Page) {
    page.press("analyse").await;
    page.settled().await;
}

#[test]
fn lines_have_chances_and_can_be_looked_at_and_played() {
    with_each_page(|page| async move {
        between_people(&page, "eximo").await;
        page.choose_quickly("line-count", "2").await;
        page.press("analyse").await;
        lines(&page, 2, 3).await;
        let line = "return document.querySelector('#lines li').textContent";
        let line = page.run(line, vec![]).await;
        assert!(line.as_str().unwrap().contains(" %"), "{line}");
        assert!(page.text("line").await.starts_with("depth "));
        assert!(page.text("chance").await.ends_with(" %"));
        assert!(count(&page, ".arrow-best").await > 0 && count(&page, ".arrow-line").await > 0);
        let chances = "return leap.inspect().fen";
        let before = page.run(chances, vec![]).await;
        point_at(&page, STEP).await;
        page.wait_until(
            "the line is looked at",
            "return Boolean(document.querySelector('.arrow-last'))",
        )
        .await;
        page.picture("analysis-line").await;
        assert_eq!(page.run(chances, vec![]).await, before, "nothing is played");
        // While it is pointed at, the list stays as it is.
        let shown = "return [...document.querySelectorAll('#lines li:first-child .step')].slice(0, 3).map((e) => e.textContent)";
        let shown: Vec<String> = serde_json::from_value(page.run(shown, vec![]).await).unwrap();
        page.press_first(STEP).await;
        page.wait_until(
            "the line is played",
            "return document.querySelectorAll('.move').length === 3",
        )
        .await;
        assert_eq!(page.moves().await, shown);
        lines(&page, 2, 1).await;
        // The arrow of the last move would lie below those of the moves to come.
        assert_eq!(count(&page, ".arrow-last").await, 0);
        stop(&page).await;
        assert!(count(&page, ".arrow-last").await > 0);
        assert_eq!((count(&page, "#lines li").await, page.errors().await), (0, vec![]));
        page.reload().await;
        assert_eq!(page.field("#line-count").await, "2");
    });
}

#[test]
fn earlier_positions_of_a_finished_game_are_analysed_too() {
    with_page(|page| async move {
        page.load(GAMES.split("\n\n[Game").next().unwrap()).await;
        page.press("analyse").await;
        page.wait_until("nothing is analysed", "return !leap.inspect().isSearching").await;
        assert_eq!(count(&page, "#lines li").await, 0);
        page.press("undo").await;
        lines(&page, 3, 1).await;
        stop(&page).await;
    });
}

#[test]
fn a_threat_is_an_arrow_of_its_own_and_changes_nothing() {
    with_page(|page| async move {
        between_people(&page, "alquerque").await;
        page.set_up("5/5/1m3/M4/4M 1 - 0 10").await;
        let before = page.fen().await;
        page.press("threat").await;
        page.settled().await;
        assert_eq!(count(&page, ".arrow-threat").await, 1);
        assert!(page.text("message").await.starts_with("Threat: b3"));
        page.picture("threat").await;
        assert_eq!((page.fen().await, page.moves().await), (before, vec![]));
        page.type_keys("t").await;
        page.settled().await;
        assert_eq!(count(&page, ".arrow-threat").await, 0);
        // The engine is back in the game.
        page.click_squares(&["e1", "e2"]).await;
        assert_eq!(page.moves_at_least(1).await, ["e1e2"]);
        assert_eq!(page.errors().await, [""; 0]);
    });
}

/// Clicks a square of the editor.
async fn put(page: &Page, square: &str) {
    page.press_first(&format!("#editor-board [data-square={square}] .hit")).await;
}

#[test]
fn a_position_is_put_together_by_mouse_and_keyboard_and_judged_by_the_engine() {
    with_page(|page| async move {
        between_people(&page, "eximo").await;
        page.press("edit").await;
        page.drawn().await;
        page.picture("editor").await;
        page.press("editor-clear").await;
        put(&page, "c3").await;
        put(&page, "d3").await;
        // The same piece again takes it away.
        put(&page, "d3").await;
        page.press_first("#palette [data-piece=m]").await;
        // The arrows go from the square with the focus.
        page.run("document.querySelector('#editor-board [data-square=c6]').focus()", vec![]).await;
        page.keys("\u{E014}\u{E007}").await;
        page.press_first("#palette [data-piece=M]").await;
        put(&page, "a8").await;
        assert_eq!(page.field("#editor-text").await, "M7/8/3m4/8/8/2M5/8/8 1 - 0 0");
        page.press("editor-play").await;
        page.settled().await;
        assert!(page.text("editor-refusal").await.starts_with("position text: "));
        page.press_first("#palette [data-piece='']").await;
        put(&page, "a8").await;
        assert_eq!(page.text("editor-refusal").await, "");
        page.press("editor-play").await;
        page.settled().await;
        assert_eq!(page.fen().await, "8/8/3m4/8/8/2M5/8/8 1 - 0 0");
        assert!(!page.is_shown("editor").await);
        page.press("edit").await;
        page.press("editor-start").await;
        page.wait_until(
            "the start is shown",
            "return document.getElementById('editor-text').value.startsWith('1mmmmmm1')",
        )
        .await;
        page.press("editor-close").await;
        assert_eq!((page.complaint().await, page.errors().await), (String::new(), vec![]));
    });
}

#[test]
fn the_games_of_a_file_are_browsed_by_their_moves() {
    with_each_page(|page| async move {
        let _file = page.pick_file(GAMES).await;
        page.wait_until("there is a choice", "return document.getElementById('chooser').open")
            .await;
        page.press("browse").await;
        page.file_is_read().await;
        let rows = async || {
            let script = "return [...document.querySelectorAll('#explorer-moves tr')].map((row) => [...row.children].slice(0, 3).map((cell) => cell.textContent).join(' | '))";
            page.run(script, vec![]).await
        };
        assert_eq!(rows().await, json!(["c3c4 | 3 | 1 · 1 · 1"]));
        page.press_first("[data-played=c3c4]").await;
        page.moves_at_least(1).await;
        assert_eq!(rows().await, json!(["f6f5 | 2 | 1 · 0 · 1", "c6c5 | 1 | 0 · 1 · 0"]));
        page.picture("explorer").await;
        page.press_first("[data-played=c6c5]").await;
        page.moves_at_least(2).await;
        page.type_keys("\u{E012}").await;
        page.settled().await;
        assert_eq!(rows().await.as_array().unwrap().len(), 2);
        page.press("end-browsing").await;
        page.settled().await;
        assert!(!page.is_shown("explorer").await);
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn arrow_keys_step_through_moves_unless_the_board_is_used_by_keys() {
    with_page(|page| async move {
        between_people(&page, "eximo").await;
        let start = page.fen().await;
        page.click_squares(&["c3", "c4", "f6", "f5"]).await;
        let end = page.fen().await;
        // The last click has left the focus on the board.
        for (keys, ply) in [("\u{E012}", 1), ("\u{E011}", 0), ("\u{E014}", 1), ("\u{E010}", 2)] {
            page.keys(keys).await;
            page.settled().await;
            let shown = page.fen().await;
            assert!(shown.ends_with(&format!(" {ply}")), "{ply}: {shown}");
        }
        assert_eq!(page.fen().await, end);
        page.type_keys("\u{E011}").await;
        page.settled().await;
        page.focus_square("c3").await;
        page.keys("\u{E012}\u{E007}").await;
        page.settled().await;
        assert_eq!((page.fen().await, page.text("entered").await), (start, "b3".to_owned()));
    });
}

#[test]
fn the_board_turns_for_the_only_person_who_may_turn_it_back() {
    with_page(|page| async move {
        let corner =
            "return document.querySelector('#board [role=row] [data-square]').dataset.square";
        assert_eq!(page.run(corner, vec![]).await, "a5");
        page.choose_quickly("p1-player", "engine").await;
        page.choose("p2-player", "human").await;
        assert_eq!(page.run(corner, vec![]).await, "e1");
        page.press("flip").await;
        page.settled().await;
        page.press("new-game").await;
        page.settled().await;
        assert_eq!(page.run(corner, vec![]).await, "a5");
        page.choose("p1-player", "human").await;
        page.choose_quickly("p1-player", "engine").await;
        page.settled().await;
        assert_eq!(page.run(corner, vec![]).await, "e1");
    });
}

/// Compares the colours of a copied picture with those on the screen: a square and the body of every piece.
const COMPARE: &str = r##"
    const done = arguments[0];
    const differences = async () => {
      const [item] = await navigator.clipboard.read();
      const bitmap = await createImageBitmap(await item.getType("image/png"));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      canvas.drawImage(bitmap, 0, 0);
      const svg = document.querySelector("#board svg");
      const [left, top, width] = svg.getAttribute("viewBox").split(" ").map(Number);
      const scale = bitmap.width / width;
      const found = [];
      const check = (element, dx, dy) => {
        const group = element.closest("[data-square]");
        const [x, y] = group.getAttribute("transform").match(/[\d.]+/g).map(Number);
        const [r, g, b] = canvas.getImageData(Math.round((x + dx - left) * scale), Math.round((y + dy - top) * scale), 1, 1).data;
        const wanted = getComputedStyle(element).fill.match(/\d+/g).slice(0, 3).map(Number);
        if (Math.max(...[r, g, b].map((value, at) => Math.abs(value - wanted[at]))) > 3) found.push(`${group.dataset.square}: ${[r, g, b]} for ${wanted}`);
      };
      for (const place of svg.querySelectorAll(".place .body")) check(place, 0.23, 0.56);
      for (const cell of svg.querySelectorAll(".cell")) check(cell, 0.04, 0.04);
      return found;
    };
    differences().then(done, (error) => done([String(error)]));"##;

#[test]
fn a_picture_has_the_colours_of_the_screen() {
    with_page(|page| async move {
        page.allow_clipboard().await;
        page.open("tactica").await;
        page.set_up("csh5/C~S~H~5/8/8/8/8/c~s~h~5/CSH5 1 - 0 0").await;
        page.show_details("copy-picture").await;
        for (scheme, board, pieces) in
            [("light", "wood", "flat"), ("dark", "sea", "shaded"), ("dark", "clear", "letters")]
        {
            page.in_scheme(scheme).await;
            page.fill("#look-board", board).await;
            page.fill("#look-pieces", pieces).await;
            page.run(
                "document.getElementById('copy-picture').scrollIntoView({ block: 'center' })",
                vec![],
            )
            .await;
            page.press("copy-picture").await;
            page.wait_until(
                "the picture is copied",
                "return document.getElementById('message').textContent === 'The picture is copied.'",
            )
            .await;
            let found = page.client.execute_async(COMPARE, vec![]).await.unwrap();
            assert_eq!(found, json!([]), "{scheme}, {board}, {pieces}");
        }
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn what_belongs_to_the_analysis_fits_every_screen() {
    with_page(|page| async move {
        between_people(&page, "froglet").await;
        page.press("analyse").await;
        for language in ["en", "es"] {
            page.choose_quickly("language", language).await;
            lines(&page, 3, 1).await;
            for &scheme in schemes_to_fit() {
                page.in_scheme(scheme).await;
                for (width, height) in [(390, 844), (1366, 768), (1920, 1080)] {
                    page.on_screen(width, height).await;
                    page.drawn().await;
                    let name = format!("analysis-{language}-{scheme}-{width}");
                    page.picture(&name).await;
                    let beyond = "return document.documentElement.scrollWidth - innerWidth";
                    assert!(page.run(beyond, vec![]).await.as_i64().unwrap() <= 0, "{name}");
                    page.press("edit").await;
                    page.drawn().await;
                    page.picture(&format!("editor-{language}-{scheme}-{width}")).await;
                    let box_of = "const box = document.getElementById('editor').getBoundingClientRect(); \
                                  return box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth";
                    assert_eq!(page.run(box_of, vec![]).await, true, "{name}");
                    page.press("editor-close").await;
                }
            }
        }
        page.on_screen(1280, 1000).await;
        stop(&page).await;
        assert_eq!(page.errors().await, [""; 0]);
    });
}
