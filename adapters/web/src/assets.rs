//! The files of the page, as they are served.

use std::sync::LazyLock;

use leap_page::{FILES, PIECES, modules};

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
const TEXT: &str = "text/plain; charset=utf-8";

/// The module that starts the page.
const MAIN: &str = "ui/main.js";
/// The styles, and the icon.
const OTHERS: [(&str, &str); 7] = [
    ("ui/style.css", STYLE),
    ("board/board.css", STYLE),
    ("board/looks.css", STYLE),
    ("game/play.css", STYLE),
    ("practice/practice.css", STYLE),
    ("engine/analysis.css", STYLE),
    ("icon.svg", IMAGE),
];
/// The folder of the positions to practise. The page loads those of a game when they are asked for.
const POSITIONS: &str = "practice/positions";
/// The line of the page where its modules are listed. Without the list each level of imports would cost a round trip.
const LIST: &str = "<!-- modules -->\n";

/// The files as they are served, the page itself first.
static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let made = [
        ("ui/texts.js", &*texts().leak()),
        // The drawing of pieces as a module.
        (
            "board/shapes.js",
            &*format!("export default {};\n", serde_json::Value::from(PIECES)).leak(),
        ),
        ("review/scales.js", &*module("review/scales.json").leak()),
    ];
    let own = modules(MAIN).into_iter().map(|path| (path, &*leap_page::code(path).leak()));
    let scripts: Vec<(&str, &str)> = own.chain(made).collect();
    let links =
        scripts.iter().map(|(path, _)| format!("<link rel=\"modulepreload\" href=\"{path}\">\n"));
    let page = leap_page::text("index.html").replace(LIST, &links.collect::<String>());
    let asset = |(path, content_type, body): (&str, _, _)| Asset {
        path: format!("/{path}").leak(),
        content_type,
        body,
    };
    let others = OTHERS.iter().map(|(path, kind)| (*path, *kind, &*leap_page::code(path).leak()));
    let scripts = scripts.into_iter().map(|(path, body)| (path, SCRIPT, body));
    let positions = FILES.get_dir(POSITIONS).into_iter().flat_map(|folder| folder.files());
    let positions =
        positions.filter_map(|file| Some((file.path().to_str()?, file.contents_utf8()?)));
    let positions = positions.map(|(path, body)| (path, TEXT, body));
    let page = [("", HTML, &*page.leak())];
    page.into_iter().chain(others).chain(scripts).chain(positions).map(asset).collect()
});

/// A file of JSON as a module.
fn module(path: &str) -> String {
    format!("export default {};\n", leap_page::text(path).trim_end())
}

/// The texts of all languages as one module: each language stays one file, and the page loads one module.
fn texts() -> String {
    let languages = FILES.get_dir("lang").into_iter().flat_map(|folder| folder.files());
    let texts = languages.map(|file| {
        let tag = file.path().file_stem().unwrap_or_default().display();
        // No string of JSON holds the end of a line: what lines begin with is indentation.
        let lines = file.contents_utf8().unwrap_or("{}").lines().map(str::trim_start);
        format!("\"{tag}\": {}", lines.collect::<Vec<_>>().join("\n"))
    });
    format!("export default {{\n{}}};\n", texts.collect::<Vec<_>>().join(","))
}

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
    ASSETS.iter().copied()
}

/// All files, as they are served at a door.
pub(super) fn assets_at(door: Entrance) -> impl Iterator<Item = Asset> {
    assets().map(move |asset| match (asset.path, door) {
        ("/meeting/guests.js", Entrance::Own) => {
            Asset { body: "export const door = \"own\";\n", ..asset }
        }
        ("/meeting/guests.js", Entrance::Guests) => {
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
        let shapes = assets().find(|asset| asset.path == "/board/shapes.js").unwrap().body;
        let text = shapes.strip_prefix("export default ").unwrap().trim_end_matches([';', '\n']);
        assert_eq!(serde_json::from_str::<String>(text).unwrap(), PIECES);
    }

    #[test]
    fn the_page_is_small() {
        let is_first = |asset: &Asset| !asset.path[1..].starts_with(POSITIONS);
        let bytes: usize = assets().filter(is_first).map(|asset| asset.body.len()).sum();
        assert!(bytes < 360_000, "{bytes}");
    }

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
        let texts = assets().find(|asset| asset.path == "/ui/texts.js").unwrap().body;
        let texts = texts.trim_start_matches("export default ").trim_end_matches(";\n");
        let texts: serde_json::Value = serde_json::from_str(texts).unwrap();
        for (tag, name) in [("en", "English"), ("es", "Español")] {
            assert_eq!(texts[tag]["language"], name);
        }
        let files = FILES.get_dir("lang").unwrap().files();
        assert_eq!(texts.as_object().unwrap().len(), files.count());
    }

    #[test]
    fn levels_are_those_of_the_terminal() {
        let page = leap_page::text("ui/settings.js").lines();
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
        let report = leap_page::bundle("review/report.js");
        let served = assets().map(|asset| (asset.path, asset.body));
        for (path, body) in served.chain([("the script of reports", &*report)]) {
            for reader in READERS {
                assert!(!body.contains(reader), "{path}: {reader}");
            }
        }
    }
}
