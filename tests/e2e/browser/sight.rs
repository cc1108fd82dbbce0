//! The questions, refusals and messages of the page are in sight, true, and in the words of its reader.

use serde_json::Value;

use super::page::{Page, with_page};

/// A small notebook, the same at 200 %, and a telephone: widths and heights in CSS pixels.
const SMALL: [(u32, u32); 3] = [(1366, 625), (683, 312), (390, 844)];
/// A position of Alquerque in which a man can capture the last enemy.
const LAST_CAPTURE: &str = "5/5/2m2/1M3/5 1 - 0 20";

/// Whether an element is in the window, whole and with nothing over it.
async fn in_sight(page: &Page, id: &str) -> bool {
    let script = "const part = document.getElementById(arguments[0]); const box = part.getBoundingClientRect(); \
        const [x, y] = [box.left + 3, (box.top + box.bottom) / 2]; \
        return box.height > 0 && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth \
          && part.contains(document.elementFromPoint(x, y))";
    page.run(script, vec![id.into()]).await == true
}

async fn scroll_to(page: &Page, top: u32) {
    page.run("scrollTo(0, arguments[0])", vec![top.into()]).await;
    page.drawn().await;
}

/// Asserts that an element is seen from where the window is now.
async fn assert_in_sight(page: &Page, id: &str, about: &str) {
    page.drawn().await;
    if !in_sight(page, id).await {
        page.picture("out-of-sight").await;
        panic!("{about}: #{id} is out of sight");
    }
}

/// Sets up a game that was not played yet, without what a first visit shows.
async fn with_people(page: &Page, game: &str) {
    page.open(game).await;
    page.choose("p2-player", "human").await;
}

/// Makes one of the moves that are offered, one that drops a piece as soon as it can.
async fn make_a_move(page: &Page) {
    let made = page.moves().await.len();
    for clicks in 0.. {
        let state = page.settled().await;
        if page.moves().await.len() > made || state.is_over {
            break;
        }
        assert!(clicks < 20, "no move is made");
        let squares = if state.origins.is_empty() { &state.targets } else { &state.origins };
        match squares.last() {
            Some(square) if !state.can_end => page.click_square(square).await,
            _ => page.press("end-turn").await,
        }
    }
}

#[test]
fn prompts_refusals_and_questions_are_in_sight_without_scrolling() {
    with_page(|page| async move {
        for language in ["en", "es"] {
            for (width, height) in SMALL {
                page.on_screen(width, height).await;
                page.choose("language", language).await;
                page.choose("p2-player", "human").await;
                let about = format!("{language}, {width}x{height}");
                scroll_to(&page, 0).await;
                assert_in_sight(&page, "prompt", &about).await;
                page.click_square("a5").await;
                page.settled().await;
                assert_ne!(page.complaint().await, "", "{about}");
                assert_in_sight(&page, "message", &about).await;
                assert_eq!(page.run("return scrollY", vec![]).await, 0, "{about}");
                page.picture(&format!("in-sight-{language}-{width}")).await;
                page.press("offer-draw").await;
                page.settled().await;
                for part in ["asked", "accept", "decline"] {
                    assert_in_sight(&page, part, &about).await;
                }
                page.picture(&format!("in-sight-{language}-{width}-asked")).await;
                page.press("decline").await;
                page.settled().await;
                // The message is in sight from the settings at the other end of the page too.
                scroll_to(&page, 5_000).await;
                assert_in_sight(&page, "message", &about).await;
            }
        }
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn an_answer_of_the_engine_stays_until_the_player_acts() {
    with_page(|page| async move {
        page.set_up("mmmmm/mmmmm/5/5/2M2 1 - 0 10").await;
        page.press("offer-draw").await;
        page.settled().await;
        assert!(page.text("news").await.contains("offered with your next move"));
        page.click_squares(&["c1"]).await;
        assert!(page.text("news").await.contains("offered with your next move"));
        let target = page.settled().await.targets[0].clone();
        page.click_square(&target).await;
        page.moves_at_least(2).await;
        assert_eq!(page.text("message").await, "The engine declines the draw.");
        assert!(page.text("news").await.starts_with("Black: "), "{}", page.text("news").await);
        let origin = page.settled().await.origins[0].clone();
        page.click_square(&origin).await;
        page.settled().await;
        assert_eq!(page.text("message").await, "");
    });
}

#[test]
fn a_refusal_goes_with_whatever_the_player_does_next() {
    with_page(|page| async move {
        with_people(&page, "alquerque").await;
        page.click_squares(&["b2", "c3"]).await;
        page.moves_at_least(1).await;
        for action in ["undo", "redo", "flip", "new-game", "move", "language"] {
            let refused = if action == "redo" || action == "move" { "a5" } else { "b2" };
            page.click_square(refused).await;
            page.settled().await;
            assert_ne!(page.complaint().await, "", "{action}");
            match action {
                "move" => page.click_squares(&["b2", "c3"]).await,
                "language" => page.choose("language", "es").await,
                button => page.press(button).await,
            }
            page.settled().await;
            assert_eq!(page.complaint().await, "", "{action}");
            if action == "new-game" {
                page.click_squares(&["b2"]).await;
                page.press("cancel").await;
            }
        }
    });
}

#[test]
fn the_second_of_two_turns_is_announced() {
    with_page(|page| async move {
        with_people(&page, "sapos").await;
        page.click_squares(&["d2", "d4", "d5"]).await;
        assert!(!page.text("news").await.contains("again"));
        make_a_move(&page).await;
        assert!(page.text("news").await.starts_with("Black moves again."));
        make_a_move(&page).await;
        assert!(!page.text("news").await.contains("again"), "{}", page.text("news").await);
        // A person against an engine is spoken to.
        page.choose("p1-player", "engine").await;
        for (language, words) in [("en", "You move again."), ("es", "Te toca mover otra vez.")] {
            page.choose("language", language).await;
            page.open("sapos").await;
            page.moves_at_least(1).await;
            make_a_move(&page).await;
            assert!(page.text("news").await.starts_with(words), "{}", page.text("news").await);
            page.picture(&format!("second-turn-{language}")).await;
        }
    });
}

#[test]
fn a_draw_between_two_people_is_asked_and_so_is_resigning() {
    with_page(|page| async move {
        with_people(&page, "alquerque").await;
        page.click_squares(&["b2", "c3"]).await;
        page.press("offer-draw").await;
        page.settled().await;
        assert_eq!(page.text("asked").await, "Black offers a draw. White, do you accept?");
        page.press("decline").await;
        page.settled().await;
        assert_eq!(page.text("message").await, "White declines the draw.");
        assert!(page.is_hidden("question").await && !page.settled().await.is_over);
        page.press("resign").await;
        page.settled().await;
        assert_eq!(page.text("asked").await, "Black, do you resign?");
        // Any other action withdraws the question.
        for action in ["\u{E00C}", "f", "u"] {
            page.type_keys(action).await;
            page.settled().await;
            assert!(page.is_hidden("question").await && !page.settled().await.is_over, "{action}");
            page.press("redo").await;
            page.settled().await;
            page.press("resign").await;
            page.settled().await;
        }
        page.press("accept").await;
        page.settled().await;
        assert_eq!(page.text("over").await, "White wins: the other side has resigned");
        // Resigning works against an engine too.
        page.press("again").await;
        page.choose("p2-player", "engine").await;
        page.click_squares(&["b2", "c3"]).await;
        page.moves_at_least(2).await;
        page.press("resign").await;
        page.settled().await;
        assert_eq!(page.text("asked").await, "Resign this game?");
        page.press("decline").await;
        assert!(!page.settled().await.is_over);
    });
}

#[test]
fn the_result_says_who_has_won_and_how_in_the_words_of_the_game() {
    with_page(|page| async move {
        for (language, person, people) in [
            ("en", "You have won: all men of the other side are captured", "White wins: all men"),
            (
                "es",
                "Has ganado: todas las fichas del otro bando están capturadas",
                "Ganan las blancas: todas las fichas",
            ),
        ] {
            page.choose("language", language).await;
            page.set_up(LAST_CAPTURE).await;
            page.click_squares(&["b2", "d4"]).await;
            assert_eq!(page.text("over").await, person);
            page.choose("p2-player", "human").await;
            assert!(page.text("over").await.starts_with(people), "{}", page.text("over").await);
            page.choose("p2-player", "engine").await;
        }
        page.set_up("5/5/M1M2/MM3/mMM2 2 - 4 17").await;
        assert!(page.text("over").await.contains("ninguna jugada legal"));
    });
}

#[test]
fn figures_of_the_protocol_and_parts_of_scores_are_for_those_who_ask() {
    with_page(|page| async move {
        page.open("froglet").await;
        let read = async || -> String {
            let text = page.run("return document.querySelector('main').innerText", vec![]).await;
            text.as_str().unwrap().to_owned()
        };
        let asked_for = [
            ("counters", ["repetitions 1", "quiet 0"]),
            ("parts-list", ["What the evaluation is made of", "in all"]),
        ];
        for tab in ["play", "moves", "analysis", "review", "practice", "settings"] {
            page.press(&format!("tab-{tab}")).await;
            let shown = read().await;
            let words = asked_for.iter().flat_map(|(_, words)| words);
            for words in words.chain(&["<empty>"]) {
                assert!(!shown.contains(words), "{tab}: {words}: {shown}");
            }
            assert!(shown.contains("frogs 144"), "{shown}");
        }
        for (id, words) in asked_for {
            page.show_details(id).await;
            let is_filled = format!("return document.getElementById('{id}').textContent !== ''");
            page.wait_until("they are there", &is_filled).await;
            let shown = read().await;
            assert!(words.iter().all(|words| shown.contains(words)), "{shown}");
        }
    });
}

#[test]
fn levels_stand_beside_engines_and_a_score_says_whose_it_is() {
    with_page(|page| async move {
        let shown = async || {
            page.reveal("#p1-level").await;
            let [p1, p2, follow] = ["p1-level", "p2-level", "follow"].map(|id| page.is_shown(id));
            [p1.await, p2.await, follow.await]
        };
        assert_eq!(shown().await, [false, true, true]);
        page.press("analyse").await;
        for (player, view) in [("engine", " for you"), ("human", " for white")] {
            page.choose_quickly("p2-player", player).await;
            page.wait_until(
                "there is a score",
                "return document.getElementById('score').textContent !== ''",
            )
            .await;
            assert!(page.text("viewed").await.contains(view), "{}", page.text("viewed").await);
        }
        assert_eq!(shown().await, [false; 3]);
        let share = page.attribute("#bar", "aria-valuetext").await;
        assert!(share.ends_with(" % for white"), "{share}");
    });
}

#[test]
fn the_guide_covers_no_piece_and_names_them_all() {
    /// Symbols of pieces that a mark or an arrow covers.
    const COVERED: &str = r##"
        const boxOf = (part) => part.getBoundingClientRect();
        const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        return [...document.querySelectorAll("#guide .example")].flatMap((board) => {
          const symbols = [...board.querySelectorAll(".place .mark, .place .dots, .place .eyes, .place .rim")];
          const centre = (box, path) => new DOMPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2).matrixTransform(path.getScreenCTM().inverse());
          const marks = [...board.querySelectorAll(".mark-victims")].map(boxOf);
          const arrows = [...board.querySelectorAll(".arrow .edge-line")];
          const isUnder = (box) => marks.some((mark) => meet(mark, box)) || arrows.some((path) => path.isPointInStroke(centre(box, path)));
          return symbols.filter((symbol) => isUnder(boxOf(symbol))).map(() => board.getAttribute("aria-label"));
        });"##;
    with_page(|page| async move {
        for language in ["en", "es"] {
            page.choose("language", language).await;
            for game in page.games().await {
                page.open(&game).await;
                page.press("how-to-play").await;
                page.drawn().await;
                let about = format!("{language}, {game}");
                assert_eq!(page.run(COVERED, vec![]).await, Value::Array(vec![]), "{about}");
                let text = page.text("guide-text").await;
                assert!(!(language == "es" && text.contains("Stop")), "{about}: {text}");
                let kinds = "return document.querySelectorAll('#guide .legend li').length";
                assert!(page.run(kinds, vec![]).await.as_u64().unwrap() >= 1, "{about}");
                if game == "tactica" {
                    let name = if language == "en" { "Stop (cross)" } else { "Tope (cruz)" };
                    assert!(text.contains(name), "{about}: {text}");
                    page.picture(&format!("guide-{language}-tactica")).await;
                }
                page.press("close-guide").await;
            }
        }
    });
}

#[test]
fn a_first_visit_is_greeted_once() {
    with_page(|page| async move {
        for (language, words) in [("en", "5 board games"), ("es", "5 juegos de tablero")] {
            page.choose("language", language).await;
            assert!(page.is_shown("greeting").await && !page.is_shown("welcome").await);
            assert!(page.text("greeting").await.contains(words));
        }
        page.picture("greeting").await;
        page.press("greeted").await;
        page.settled().await;
        assert!(!page.is_shown("greeting").await);
        page.forget_tab().await;
        page.reload().await;
        assert!(!page.is_shown("greeting").await);
        // A known person gets only the welcome of a game.
        assert!(page.is_shown("welcome").await);
    });
}

#[test]
fn a_beginner_makes_legal_moves_in_every_game() {
    with_page(|page| async move {
        for game in page.games().await {
            page.open(&game).await;
            page.fill("#p2-level", "0").await;
            for _ in 0..3 {
                make_a_move(&page).await;
            }
            assert!(page.moves().await.len() >= 6, "{game}");
            assert_eq!(page.complaint().await, "", "{game}");
        }
        assert_eq!(page.errors().await, [""; 0]);
    });
}
