//! What our pages share: their style, the beginning of their head, the pictures of pieces.

use leap_board::{Board, picture, shape};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The style of tables, diagrams and boards, in light and dark.
const STYLE: &str = include_str!("page.css");

/// How every page with this head begins. A file that begins so is one of ours.
pub fn mark(head: &Markup) -> String {
    html! { (DOCTYPE) (PreEscaped("<html lang=\"en\"><head>")) (head) }.into_string()
}

/// The beginning of a page's head. The policy forbids the page to load anything, whatever names it contains.
pub fn head(policy: &str) -> Markup {
    html! {
        meta charset="utf-8";
        meta http-equiv="Content-Security-Policy" content=(policy);
    }
}

/// A page with this head, in the style of all pages and a style of its own.
pub fn document(head: &Markup, title: &str, style: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                (head)
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            body { (body) }
        }
    };
    page.into_string()
}

/// The pictures of the pieces of a board, to be used by their ids: the prefix, `-` and the piece's text.
pub fn pieces(board: &Board, prefix: &str) -> Markup {
    let name = |text: &str| text.trim_end_matches('~').to_owned();
    html! {
        svg class="pieces" aria-hidden="true" {
            @for (text, piece) in &board.pieces {
                // A piece that is flipped still shows which one it was.
                @let kind = board.pieces.get(&name(text)).unwrap_or(piece);
                symbol id=(format!("{prefix}-{text}")) viewBox="-.5 -.5 1 1" {
                    (PreEscaped(shape("shadow").unwrap_or_default()))
                    (PreEscaped(picture(text, piece, kind, board)))
                }
            }
        }
    }
}
