//! The files of the page, embedded in the program.

use std::sync::LazyLock;

use include_dir::{Dir, include_dir};
use leap_board::PIECES;

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asset {
    pub(super) path: &'static str,
    pub(super) content_type: &'static str,
    pub(super) body: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const IMAGE: &str = "image/svg+xml";

macro_rules! assets {
    ($($path:literal $content_type:ident $file:literal)*) => {
        /// The files as they are, the page itself first.
        const FILES: &[Asset] = &[
            $(Asset { path: $path, content_type: $content_type, body: include_str!(concat!("page/", $file)) }),*
        ];
    };
}

assets! {
    "/" HTML "index.html"
    "/style.css" STYLE "style.css"
    "/board.css" STYLE "board.css"
    "/looks.css" STYLE "looks.css"
    "/practice.css" STYLE "practice.css"
    "/analysis.css" STYLE "analysis.css"
    "/icon.svg" IMAGE "icon.svg"
    "/main.js" SCRIPT "main.js"
    "/address.js" SCRIPT "address.js"
    "/analysis.js" SCRIPT "analysis.js"
    "/chances.js" SCRIPT "chances.js"
    "/editor.js" SCRIPT "editor.js"
    "/exact.js" SCRIPT "exact.js"
    "/explorer.js" SCRIPT "explorer.js"
    "/picture.js" SCRIPT "picture.js"
    "/preview.js" SCRIPT "preview.js"
    "/threats.js" SCRIPT "threats.js"
    "/app.js" SCRIPT "app.js"
    "/setup.js" SCRIPT "setup.js"
    "/entry.js" SCRIPT "entry.js"
    "/controls.js" SCRIPT "controls.js"
    "/connection.js" SCRIPT "connection.js"
    "/engine.js" SCRIPT "engine.js"
    "/game.js" SCRIPT "game.js"
    "/ladder.js" SCRIPT "ladder.js"
    "/board.js" SCRIPT "board.js"
    "/drawing.js" SCRIPT "drawing.js"
    "/marks.js" SCRIPT "marks.js"
    "/pieces.js" SCRIPT "pieces.js"
    "/tree.js" SCRIPT "tree.js"
    "/turn.js" SCRIPT "turn.js"
    "/exercise.js" SCRIPT "exercise.js"
    "/practice.js" SCRIPT "practice.js"
    "/problems.js" SCRIPT "problems.js"
    "/puzzles.js" SCRIPT "puzzles.js"
    "/lesson.js" SCRIPT "lesson.js"
    "/library.js" SCRIPT "library.js"
    "/presence.js" SCRIPT "presence.js"
    "/prompt.js" SCRIPT "prompt.js"
    "/teaching.js" SCRIPT "teaching.js"
    "/moves.js" SCRIPT "moves.js"
    "/news.js" SCRIPT "news.js"
    "/panels.js" SCRIPT "panels.js"
    "/question.js" SCRIPT "question.js"
    "/recent.js" SCRIPT "recent.js"
    "/storage.js" SCRIPT "storage.js"
    "/records.js" SCRIPT "records.js"
    "/retry.js" SCRIPT "retry.js"
    "/review.js" SCRIPT "review.js"
    "/reviewed.js" SCRIPT "reviewed.js"
    "/settings.js" SCRIPT "settings.js"
    "/clock.js" SCRIPT "clock.js"
    "/conduct.js" SCRIPT "conduct.js"
    "/files.js" SCRIPT "files.js"
    "/judgement.js" SCRIPT "judgement.js"
    "/kept.js" SCRIPT "kept.js"
    "/graph.js" SCRIPT "graph.js"
    "/greeting.js" SCRIPT "greeting.js"
    "/guests.js" SCRIPT "guests.js"
    "/invite.js" SCRIPT "invite.js"
    "/joined.js" SCRIPT "joined.js"
    "/meeting.js" SCRIPT "meeting.js"
    "/party.js" SCRIPT "party.js"
    "/guide.js" SCRIPT "guide.js"
    "/i18n.js" SCRIPT "i18n.js"
    "/language.js" SCRIPT "language.js"
    "/desk.js" SCRIPT "desk.js"
    "/dom.js" SCRIPT "dom.js"
    "/opened.js" SCRIPT "opened.js"
    "/reading.js" SCRIPT "reading.js"
    "/pasted.js" SCRIPT "pasted.js"
    "/dropped.js" SCRIPT "dropped.js"
    "/copied.js" SCRIPT "copied.js"
    "/held.js" SCRIPT "held.js"
    "/home.js" SCRIPT "home.js"
    "/homes.js" SCRIPT "homes.js"
    "/lines.js" SCRIPT "lines.js"
    "/unfinished.js" SCRIPT "unfinished.js"
    "/looks.js" SCRIPT "looks.js"
    "/sound.js" SCRIPT "sound.js"
}

/// The drawing of pieces as a module.
static SHAPES: LazyLock<String> =
    LazyLock::new(|| format!("export default {};\n", serde_json::Value::from(PIECES)));

/// The texts of the page: a file for each language, named after its tag.
static LANGUAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/page/lang");

/// The texts of all languages as one module: each language stays one file, and the page loads one module.
static TEXTS: LazyLock<String> = LazyLock::new(|| {
    let texts = LANGUAGES.files().map(|file| {
        let tag = file.path().file_stem().unwrap_or_default().display();
        // No string of JSON holds the end of a line: what lines begin with is indentation.
        let lines = file.contents_utf8().unwrap_or("{}").lines().map(str::trim_start);
        format!("\"{tag}\": {}", lines.collect::<Vec<_>>().join("\n"))
    });
    format!("export default {{\n{}}};\n", texts.collect::<Vec<_>>().join(","))
});

/// The door by which a page came in, as the module `guests.js` tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entrance {
    /// No guests are allowed.
    Only,
    /// That of the people at this machine.
    Own,
    /// That of guests.
    Guests,
}

/// All files, the page itself first.
pub(super) fn assets() -> impl Iterator<Item = Asset> {
    let texts = Asset { path: "/texts.js", content_type: SCRIPT, body: &TEXTS };
    let shapes = Asset { path: "/shapes.js", content_type: SCRIPT, body: &SHAPES };
    FILES.iter().copied().chain([texts, shapes])
}

/// All files, as they are served at a door.
pub(super) fn assets_at(door: Entrance) -> impl Iterator<Item = Asset> {
    assets().map(move |asset| match (asset.path, door) {
        ("/guests.js", Entrance::Own) => Asset { body: "export const door = \"own\";\n", ..asset },
        ("/guests.js", Entrance::Guests) => {
            Asset { body: "export const door = \"guests\";\n", ..asset }
        }
        _ => asset,
    })
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;
    use leap_board::Level;

    use super::*;

    #[test]
    fn the_page_has_the_drawing_of_pieces() {
        let shapes = assets().find(|asset| asset.path == "/shapes.js").unwrap().body;
        let text = shapes.strip_prefix("export default ").unwrap().trim_end_matches([';', '\n']);
        assert_eq!(serde_json::from_str::<String>(text).unwrap(), PIECES);
    }

    #[test]
    fn the_page_is_small() {
        let bytes: usize = assets().map(|asset| asset.body.len()).sum();
        assert!(bytes < 390_000, "{bytes}");
    }

    /// Without preloading, each level of imports would cost a round trip.
    #[test]
    fn all_modules_are_loaded_at_once() {
        let page = assets().find(|asset| asset.path == "/").unwrap().body;
        for asset in assets().filter(|asset| asset.content_type == SCRIPT) {
            let name = asset.path.trim_start_matches('/');
            let is_loaded = [format!("modulepreload\" href=\"{name}\""), format!("src=\"{name}\"")];
            assert!(is_loaded.iter().any(|link| page.contains(link)), "{name}");
        }
    }

    #[test]
    fn a_language_is_one_file() {
        let texts = assets().find(|asset| asset.path == "/texts.js").unwrap().body;
        let texts = texts.trim_start_matches("export default ").trim_end_matches(";\n");
        let texts: serde_json::Value = serde_json::from_str(texts).unwrap();
        for (tag, name) in [("en", "English"), ("es", "Español")] {
            assert_eq!(texts[tag]["language"], name);
        }
        assert_eq!(texts.as_object().unwrap().len(), LANGUAGES.files().count());
    }

    #[test]
    fn levels_are_those_of_the_terminal() {
        let page = include_str!("page/settings.js").lines();
        let listed = page.filter(|line| line.contains("go: MOVE }"));
        let strengths: Vec<i64> = listed
            .map(|line| line.split_once("strength: ").unwrap().1.split_once(',').unwrap().0)
            .map(|strength| strength.parse().unwrap())
            .collect();
        let others: Vec<i64> =
            Level::value_variants().iter().map(|level| level.strength()).collect();
        assert_eq!(strengths, others);
    }

    /// Texts from engines and files must never be parsed as HTML.
    #[test]
    fn no_text_is_read_as_html_or_run() {
        const READERS: [&str; 7] = [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "createContextualFragment",
            "document.write",
            "eval(",
            "Function(",
        ];
        for asset in assets() {
            for reader in READERS {
                assert!(!asset.body.contains(reader), "{}: {reader}", asset.path);
            }
        }
    }

    #[test]
    fn every_module_that_is_imported_is_there() {
        for asset in assets().filter(|asset| asset.content_type == SCRIPT) {
            for line in asset.body.lines().filter(|line| line.starts_with("import ")) {
                let name = line.split('"').nth(1).unwrap();
                let path = name.strip_prefix('.').unwrap();
                assert!(assets().any(|asset| asset.path == path), "{}: {line}", asset.path);
            }
        }
    }
}
