//! What the page shows can be seen, whatever the game, the colour scheme and the eyes.
//!
//! Contrasts are those of WCAG 2.2, computed from the styles in force. Shapes differ where colours do.

use std::fs;
use std::path::Path;

use leap_testing::skip;
use serde::Deserialize;
use serde_json::json;

use super::page::{Page, with_page, with_tables};
use super::window::{SCHEMES, State};
use crate::programs::ROOT;

/// The least contrast of a graphical object (WCAG 1.4.11).
const SEEN: f64 = 3.0;

/// Functions on colours and marks, for scripts.
const COLOURS: &str = r##"
    const rgba = (text) => {
      const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
      const scale = text.startsWith("color(") ? 1 : 255;
      return { rgb: [r / scale, g / scale, b / scale], a };
    };
    const over = (top, below) => top.rgb.map((value, at) => value * top.a + below[at] * (1 - top.a));
    const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    const contrast = (a, b) => {
      const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
      return (high + 0.05) / (low + 0.05);
    };
    const paint = (element, property) => rgba(getComputedStyle(element)[property]);
    const board = document.querySelector("#board svg");
    const ground = (square) => {
      const cell = paint(square.querySelector(".cell") ?? board.querySelector("rect.table"), "fill").rgb;
      const glow = square.querySelector(".glow");
      return getComputedStyle(glow).fill === "none" ? cell : over(paint(glow, "fill"), cell);
    };
    const shape = (element) => [...element.querySelectorAll("*")]
      .map((part) => part.tagName + ["d", "r", "cx", "cy", "transform"].map((name) => part.getAttribute(name)).join())
      .join() + element.textContent;
"##;

/// A mark on the board, and its contrasts.
#[derive(Deserialize)]
struct Mark {
    kind: String,
    square: String,
    shape: String,
    /// The contrast between the two colours of the mark.
    within: f64,
    /// The contrast between its core and the square below it.
    on_ground: f64,
    /// The contrast between a piece and the better of its two colours.
    on_piece: f64,
}

async fn marks(page: &Page) -> Vec<Mark> {
    let script = format!(
        r#"{COLOURS}
        return [...board.querySelectorAll(".marks > g")].map((mark) => {{
          const square = mark.closest("[data-square]");
          const [edge, core] = ["edge", "core"].map((part) => paint(mark.querySelector(`.${{part}}-line`), "stroke").rgb);
          const body = square.querySelector(".place .body");
          const on = (below) => Math.max(contrast(core, below), contrast(edge, below));
          return {{
            kind: mark.getAttribute("class"), square: square.dataset.square, shape: shape(mark), within: contrast(core, edge),
            on_ground: contrast(core, ground(square)), on_piece: body ? on(paint(body, "fill").rgb) : 21,
          }};
        }});"#
    );
    serde_json::from_value(page.run(&script, vec![]).await).unwrap()
}

/// The boards or the styles of pieces that can be chosen.
async fn choices(page: &Page, id: &str) -> Vec<String> {
    let script =
        "return [...document.getElementById(arguments[0]).options].map((option) => option.value)";
    let choices: Vec<String> =
        serde_json::from_value(page.run(script, vec![id.into()]).await).unwrap();
    assert!(choices.len() >= 3, "{choices:?}");
    choices
}

/// Changes the colours of the board, without drawing it again.
async fn colour(page: &Page, board: &str) {
    page.run("document.documentElement.dataset.board = arguments[0]", vec![board.into()]).await;
}

/// Checks the marks on every board; appends their kinds with their shapes.
async fn check(page: &Page, about: &str, shapes: &mut Vec<(String, String)>) {
    for board in choices(page, "look-board").await {
        colour(page, &board).await;
        for mark in marks(page).await {
            let least = mark.within.min(mark.on_ground).min(mark.on_piece);
            assert!(least >= SEEN, "{about}, {board}: {} on {}, {least}", mark.kind, mark.square);
            shapes.push((mark.kind, mark.shape));
        }
    }
}

/// The square that goes on with a turn: a new one if there is any.
fn next(state: &State, clicks: usize) -> Option<&String> {
    let squares = if state.path.is_empty() { &state.origins } else { &state.targets };
    squares.get(clicks * 5 % squares.len().max(1))
}

/// The schemes in which a game is seen, by its number.
type Schemes = fn(usize) -> &'static [&'static str];

fn stand_out_and_differ_by_shape(schemes: Schemes) {
    with_page(async move |page| {
        let mut shapes = Vec::new();
        page.choose("p2-player", "human").await;
        for (number, game) in page.games().await.into_iter().enumerate() {
            for scheme in schemes(number) {
                page.in_scheme(scheme).await;
                page.open(&game).await;
                for clicks in 0..9 {
                    let state = page.settled().await;
                    check(&page, &format!("{game}, {scheme}, click {clicks}"), &mut shapes).await;
                    match next(&state, clicks) {
                        Some(square) => page.click_square(square).await,
                        None => page.press("end-turn").await,
                    }
                }
            }
        }
        // Refusals, captures and ends of turns.
        page.open("alquerque").await;
        for scheme in SCHEMES {
            page.in_scheme(scheme).await;
            page.set_up("5/1m1m1/5/1m1m1/M3m 1 - 0 10").await;
            page.click_square("a3").await;
            page.settled().await;
            check(&page, scheme, &mut shapes).await;
            for square in ["a1", "c3"] {
                page.click_square(square).await;
            }
            page.settled().await;
            check(&page, scheme, &mut shapes).await;
        }
        shapes.sort();
        shapes.dedup();
        for kind in ["origins", "steps", "drops", "removals", "ends", "victims", "wrong"] {
            assert!(shapes.iter().any(|(of, _)| *of == format!("mark-{kind}")), "{kind}");
        }
        for (kind, shape) in &shapes {
            assert!(!shapes.iter().any(|(k, s)| k != kind && s == shape), "{kind}: {shape}");
        }
    });
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn marks_stand_out_and_differ_by_shape() {
    stand_out_and_differ_by_shape(|number| &SCHEMES[number % 2..][..1]);
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn marks_of_exact_values_stand_out_and_differ_by_shape() {
    with_tables(4, |page| async move {
        let mut shapes = Vec::new();
        page.choose("p2-player", "human").await;
        page.open("alquerque").await;
        page.set_up(super::exact::FEN).await;
        page.show_details("details").await;
        for scheme in SCHEMES {
            page.in_scheme(scheme).await;
            for square in page.settled().await.origins {
                page.click_square(&square).await;
                page.settled().await;
                check(&page, &format!("{scheme}, {square}"), &mut shapes).await;
                page.press("cancel").await;
                page.settled().await;
            }
            check(&page, scheme, &mut shapes).await;
        }
        shapes.sort();
        shapes.dedup();
        for kind in ["wins", "draws", "loses"] {
            let of = |(kind_of, _): &&(String, String)| *kind_of == format!("mark-{kind}");
            let (_, shape) = shapes.iter().find(of).unwrap_or_else(|| panic!("{kind}: {shapes:?}"));
            assert_eq!(shapes.iter().filter(|(_, s)| s == shape).count(), 1, "{kind}: {shape}");
        }
    });
}

/// Positions in which all pieces of the game stand; the others have them at their start.
const ALL_PIECES: &[(&str, &str)] = &[("tactica", "csh5/C~S~H~5/8/8/8/8/c~s~h~5/CSH5 1 - 0 0")];

async fn show_all_pieces(page: &Page, game: &str) {
    page.open(game).await;
    if let Some((_, fen)) = ALL_PIECES.iter().find(|(of, _)| *of == game) {
        page.set_up(fen).await;
    }
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn pieces_differ_by_shape_or_by_brightness() {
    let script = format!(
        r#"{COLOURS}
        const pieces = new Map([...board.querySelectorAll(".place")].filter((place) => place.dataset.piece)
          .map((place) => [place.dataset.piece, {{ shape: shape(place), body: paint(place.querySelector(".body"), "fill").rgb }}]));
        const alike = [];
        for (const [name, a] of pieces) for (const [other, b] of pieces)
          if (name < other && a.shape === b.shape && contrast(a.body, b.body) < {SEEN}) alike.push(name + " " + other);
        return [pieces.size, ...alike];"#
    );
    with_page(|page| async move {
        for game in page.games().await {
            show_all_pieces(&page, &game).await;
            for style in choices(&page, "look-pieces").await {
                page.fill("#look-pieces", &style).await;
                for scheme in SCHEMES {
                    page.in_scheme(scheme).await;
                    let found = page.run(&script, vec![]).await;
                    let found = found.as_array().unwrap();
                    assert!(found[0].as_u64().unwrap() >= 2, "{game}");
                    assert_eq!(found[1..], [""; 0], "{game}, {style}, {scheme}");
                }
            }
        }
        page.picture("all-pieces").await;
    });
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn pieces_stand_out_from_every_board_and_their_signs_from_the_pieces() {
    let script = format!(
        r#"{COLOURS}
        const faults = [];
        for (const place of board.querySelectorAll(".place")) {{
          const body = place.querySelector(".body");
          if (!body) continue;
          const [fill, rim] = ["fill", "stroke"].map((part) => paint(body, part).rgb);
          const below = ground(place.closest("[data-square]"));
          const seen = Math.max(contrast(fill, below), contrast(rim, below));
          if (seen < {SEEN}) faults.push(`${{place.dataset.piece}}: ${{seen}} on the board`);
          for (const sign of place.querySelectorAll(".mark, .letter, .dots circle, .eyes circle")) {{
            const read = contrast(paint(sign, sign.matches(".mark") ? "stroke" : "fill").rgb, fill);
            if (read < {SEEN}) faults.push(`${{place.dataset.piece}}: ${{read}} on the piece`);
          }}
        }}
        return [...new Set(faults)];"#
    );
    with_page(|page| async move {
        for game in page.games().await {
            show_all_pieces(&page, &game).await;
            for style in choices(&page, "look-pieces").await {
                page.fill("#look-pieces", &style).await;
                for board in choices(&page, "look-board").await {
                    colour(&page, &board).await;
                    for scheme in SCHEMES {
                        page.in_scheme(scheme).await;
                        let found = page.run(&script, vec![]).await;
                        let about = format!("{game}, {style}, {board}, {scheme}");
                        assert_eq!(found.as_array().unwrap()[..], [""; 0], "{about}");
                    }
                }
            }
        }
    });
}

/// The script of axe-core, if it is installed.
fn axe() -> Option<String> {
    let axe = Path::new(ROOT).join("adapters/node_modules/axe-core/axe.min.js");
    let found = fs::read_to_string(axe).ok();
    if found.is_none() {
        skip("axe-core", "in adapters/: npm install");
    }
    found
}

/// Asserts that axe-core finds nothing in what the page shows. In the dark it looks at colours alone: nothing else
/// depends on the scheme.
async fn assert_clean(page: &Page, axe: &str, scheme: &str, about: &str) {
    let run = "const [rules, done] = arguments; axe.run(rules ? { runOnly: rules } : {}).then(({ violations }) => done(violations.map( \
               ({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(' | ')}`)))";
    let colours = json!(["color-contrast", "link-in-text-block"]);
    let rules = if scheme == "light" { json!(null) } else { colours };
    page.run(axe, vec![]).await;
    let found = page.client.execute_async(run, vec![rules]).await.unwrap();
    assert_eq!(found.as_array().unwrap()[..], [""; 0], "{scheme}, {about}");
}

/// A colour scheme and the width of a screen.
type Look = (&'static str, u32);

/// Each colour scheme on screens of two widths. The first and the last have all schemes and widths.
const LOOKS: [Look; 4] = [("light", 390), ("light", 1280), ("dark", 390), ("dark", 1280)];

fn is_clean_in_each_tab_and_dialog(looks: impl IntoIterator<Item = Look>) {
    let Some(axe) = axe() else { return };
    with_page(async move |page| {
        page.open("eximo").await;
        page.run(
            "for (const part of document.querySelectorAll('details')) part.open = true",
            vec![],
        )
        .await;
        for (scheme, width) in looks {
            page.in_scheme(scheme).await;
            page.on_screen(width, 900).await;
            let tabs = ["play", "moves", "analysis", "review", "practice", "settings"];
            let tabs = tabs.map(|tab| (format!("tab-{tab}"), ""));
            let dialogs = [
                ("how-to-play", "close-guide"),
                ("edit", "editor-close"),
                ("open-invite", "close-invite"),
            ];
            let dialogs = dialogs.map(|(open, close)| (open.to_owned(), close));
            for (open, close) in tabs.into_iter().chain(dialogs) {
                page.press(&open).await;
                page.settled().await;
                assert_clean(&page, &axe, scheme, &format!("{width}, {open}")).await;
                if !close.is_empty() {
                    page.press(close).await;
                }
            }
        }
    });
}

#[test]
fn axe_finds_nothing_in_each_tab_and_dialog() {
    is_clean_in_each_tab_and_dialog([LOOKS[0], LOOKS[3]]);
}

fn is_clean_from_a_question_to_the_review_and_in_exercises(looks: impl IntoIterator<Item = Look>) {
    let Some(axe) = axe() else { return };
    with_page(async move |page| {
        for (scheme, width) in looks {
            page.in_scheme(scheme).await;
            page.on_screen(width, 900).await;
            page.open("alquerque").await;
            page.click_squares(&["b2", "c3"]).await;
            for (press, until) in [
                ("resign", "return !document.getElementById('question').hidden"),
                ("accept", "return !document.getElementById('result').hidden"),
                ("review-over", "return Boolean(document.querySelector('#review-worst h2'))"),
                ("practice", "return !document.getElementById('exercise').hidden"),
                ("exercise-leave", "return document.getElementById('exercise').hidden"),
                ("course-lesson", "return !document.getElementById('exercise').hidden"),
                ("exercise-leave", "return document.getElementById('exercise').hidden"),
            ] {
                page.press(press).await;
                page.wait_until(press, until).await;
                page.settled().await;
                assert_clean(&page, &axe, scheme, &format!("{width}, {press}")).await;
            }
        }
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn axe_finds_nothing_from_a_question_to_the_review_of_the_game_and_in_exercises() {
    is_clean_from_a_question_to_the_review_and_in_exercises([LOOKS[0], LOOKS[3]]);
}

mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn marks_stand_out_and_differ_by_shape_in_each_scheme() {
        stand_out_and_differ_by_shape(|_| &SCHEMES);
    }

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn axe_finds_nothing_in_each_tab_and_dialog_in_each_scheme_on_each_screen() {
        is_clean_in_each_tab_and_dialog(LOOKS);
    }

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn axe_finds_nothing_in_the_review_and_in_exercises_in_each_scheme_on_each_screen() {
        is_clean_from_a_question_to_the_review_and_in_exercises(LOOKS);
    }
}
