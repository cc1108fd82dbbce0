//! A page that shows games: one file, which loads nothing. Reports and analyses write it.
//!
//! Tables and diagrams are in the page as it stands. The viewer shows the board, the moves, the winning chances and the
//! mistakes of a game. Its script is that part of the page of `leap web` which shows games.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// How every page begins. A file that begins so is one of ours.
pub const MARK: &str = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">\
    <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'";
/// The style of tables and diagrams, in light and dark.
const STYLE: &str = include_str!("page.css");

/// The script of the viewer.
static SCRIPT: LazyLock<String> = LazyLock::new(|| leap_page::bundle("review/report.js", &[]));

/// The games of a page.
#[derive(Clone, Debug, Serialize)]
pub struct Games<G> {
    /// Boards, each by the lines that describe it (SPEC 4.23). Without lines the board is guessed from the positions.
    pub boards: Vec<Vec<String>>,
    /// The index of a board, and a game on it, as in the file of `leap analyse` for programs (docs/analysis.md).
    pub games: Vec<(usize, G)>,
}

/// What the script reads.
#[derive(Serialize)]
struct Data<'a, G> {
    pieces: &'static str,
    #[serde(flatten)]
    games: &'a Games<G>,
}

/// A page with this body and these games. The body has the place of the [`viewer`].
pub fn document<G: Serialize>(title: &str, body: &Markup, games: &Games<G>) -> String {
    // Forbids the page to load anything, whatever names it contains, and to run another script.
    let hash = BASE64_STANDARD.encode(Sha256::digest(SCRIPT.as_bytes()));
    let policy =
        format!("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{hash}'");
    // Serialization cannot fail: all keys are strings. `</script>` in a text would end the element.
    let data = serde_json::to_string(&Data { pieces: leap_page::PIECES, games });
    let data = data.unwrap_or_else(|_| "null".to_owned()).replace('<', "\\u003c");
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(leap_page::text("board/board.css"))) (PreEscaped(STYLE)) }
            }
            body {
                (body)
                script id="data" type="application/json" { (PreEscaped(data)) }
                script type="module" { (PreEscaped(SCRIPT.as_str())) }
            }
        }
    };
    page.into_string()
}

/// The place where the script shows a game.
pub fn viewer() -> Markup {
    html! {
        noscript { p { "To step through the games needs JavaScript." } }
        div id="viewer" hidden {}
        p class="quiet screen" {
            "Left and right arrow: a move back, a move on. Home, End: the start, the end. Page up, page down: the game \
             before, the game after."
        }
    }
}

/// The link to a game, which the script understands.
pub fn anchor(game: impl std::fmt::Display) -> String {
    format!("#game-{game}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_begins_with_its_mark_and_runs_its_own_script_alone() {
        let games = Games { boards: vec![vec![]], games: vec![(0, "</script>")] };
        let page = document("a < b", &viewer(), &games);
        assert!(page.starts_with(MARK), "{page}");
        assert_eq!(page.matches("<script").count(), 2, "the data and the script");
        assert!(page.contains("a &lt; b") && page.contains("\\u003c/script>"));
        assert!(page.contains("script-src 'sha256-"), "{page}");
    }
}
