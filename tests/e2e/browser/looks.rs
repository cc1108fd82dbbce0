//! The look of boards and pieces, and sounds: chosen by a person, and remembered.

use serde_json::json;

use super::page::{Page, with_page};

/// The colour of a square and the class of a piece.
async fn look(page: &Page) -> (String, String) {
    let script = "const square = document.querySelector('[data-square=b2]'); \
                  return [getComputedStyle(square.querySelector('.cell')).fill, square.querySelector('.piece').getAttribute('class').split(' ').at(-1)]";
    serde_json::from_value(page.run(script, vec![]).await).unwrap()
}

#[test]
fn boards_and_pieces_are_chosen_and_remembered() {
    with_page(|page| async move {
        page.open("eximo").await;
        let mut seen = Vec::new();
        for (board, pieces) in
            [("wood", "flat"), ("stone", "shaded"), ("sea", "letters"), ("clear", "flat")]
        {
            page.fill("#look-board", board).await;
            page.fill("#look-pieces", pieces).await;
            let look = look(&page).await;
            assert_eq!(look.1, format!("style-{pieces}"));
            assert!(!seen.contains(&look.0), "{board}: {}", look.0);
            seen.push(look.0);
            page.picture(&format!("looks-{board}-{pieces}")).await;
        }
        page.fill("#look-pieces", "letters").await;
        let before = look(&page).await;
        page.reload().await;
        assert_eq!(look(&page).await, before);
        page.forget_tab().await;
        page.reload().await;
        assert_eq!(page.field("#look-board").await, "clear");
        assert_eq!(page.field("#look-pieces").await, "letters");
        // Pictures of the rules have the same pieces.
        page.press("how-to-play").await;
        let of_rules =
            "return document.querySelector('#guide .piece').classList.contains('style-letters')";
        assert_eq!(page.run(of_rules, vec![]).await, true);
        page.press("close-guide").await;
        // Values that another program has stored are ignored.
        page.run("localStorage.setItem('leap-looks', JSON.stringify({ board: 'x', pieces: 3, sound: {} }))", vec![]).await;
        page.reload().await;
        assert_eq!(
            (page.field("#look-board").await, page.field("#look-pieces").await),
            ("wood".to_owned(), "flat".to_owned())
        );
        assert_eq!(page.errors().await, [""; 0]);
    });
}

/// Notes the frequencies of all tones from now on.
const HEAR: &str = "window.heard = []; const Tone = OscillatorNode; \
    window.OscillatorNode = class extends Tone { constructor(output, options) { super(output, options); heard.push(options.frequency); } };";

/// The tones since this was asked the last time, once there are any.
async fn heard(page: &Page) -> Vec<u32> {
    page.wait_until("something is heard", "return heard.length > 0").await;
    serde_json::from_value(page.run("return heard.splice(0)", vec![]).await).unwrap()
}

#[test]
fn moves_captures_and_ends_are_heard_unless_a_person_turns_sounds_off() {
    with_page(|page| async move {
        page.choose("p2-player", "human").await;
        page.run(HEAR, vec![]).await;
        assert!(page.is_checked("sound").await);
        page.click_squares(&["b2", "c3"]).await;
        page.moves_at_least(1).await;
        heard(&page).await;
        page.click_squares(&["d4", "b2"]).await;
        let capture = heard(&page).await;
        assert_eq!(page.moves_at_least(2).await[1], "d4b2");
        page.reload().await;
        assert!(page.is_checked("sound").await);
        page.run(HEAR, vec![]).await;
        page.open("eximo").await;
        page.click_squares(&["c3", "c4"]).await;
        let quiet = heard(&page).await;
        page.press("resign").await;
        page.settled().await;
        page.press("accept").await;
        let end = heard(&page).await;
        assert!(
            quiet != capture && capture != end && quiet != end,
            "{quiet:?}, {capture:?}, {end:?}"
        );
        page.press("sound").await;
        page.press("again").await;
        page.settled().await;
        page.click_squares(&["c3", "c4"]).await;
        page.moves_at_least(1).await;
        assert_eq!(page.run("return heard", vec![]).await, json!([]));
        assert_eq!(page.errors().await, [""; 0]);
    });
}
