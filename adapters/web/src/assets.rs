//! The files of the page, as they are served.

use std::sync::LazyLock;

use axum::body::Bytes;
use leap_client::EngineCommand;
use leap_page::{FILES, Made, PIECES, bundle, style, text};

/// A file of the page.
#[derive(Debug)]
pub(super) struct Asset {
    /// Its path in the page; empty for the page itself.
    pub(super) path: &'static str,
    pub(super) content_type: &'static str,
    pub(super) body: Lazy<Bytes>,
}

/// What is made when it is first asked for: a server starts before it has a page.
pub(super) type Lazy<T> = LazyLock<T, Box<dyn FnOnce() -> T + Send>>;

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const IMAGE: &str = "image/svg+xml";
const TEXT: &str = "text/plain; charset=utf-8";

/// The module that starts the page.
const MAIN: &str = "ui/main.js";
/// The styles of the page, in order.
const STYLES: [&str; 6] = [
    "ui/style.css",
    "board/board.css",
    "game/play.css",
    "board/looks.css",
    "practice/practice.css",
    "engine/analysis.css",
];
/// The folder of the positions to practise. The page loads those of a game when they are asked for.
const POSITIONS: &str = "practice/positions";

/// Where the page has its board.
const BOARD: &str = "<div id=\"board\">";

/// The page itself. With `FirstBoard::Leapd` it holds the board with which leapd begins, so a person sees it before
/// scripts and an engine are there. The page draws its own over it.
pub(super) fn html(first: FirstBoard) -> String {
    let board = match first {
        FirstBoard::Leapd => text("board/first.html"),
        FirstBoard::None => "",
    };
    unindented(text("index.html")).replacen(BOARD, &format!("{BOARD}{board}"), 1)
}

/// Which board a page holds before its engine answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstBoard {
    /// That of leapd's first game. A script takes it away where the page will not begin with this game.
    Leapd,
    /// None: nobody knows the games of another engine.
    None,
}

impl FirstBoard {
    /// That of an engine, by the name of its program.
    pub(super) fn of(engine: &EngineCommand) -> Self {
        match engine.program.file_stem() {
            Some(name) if name == "leapd" => Self::Leapd,
            _ => Self::None,
        }
    }
}

/// The one script that stands in the page itself.
pub(super) fn inline_script() -> &'static str {
    let (_, script) = text("board/first.html").split_once("<script>").unwrap_or_default();
    script.split_once("</script>").unwrap_or_default().0
}

/// All files, the page itself first. `made` has the modules that take the place of others.
pub(super) fn assets(made: &[Made], first: FirstBoard) -> Vec<Asset> {
    let positions = FILES.get_dir(POSITIONS).into_iter().flat_map(|folder| folder.files());
    let positions = positions.filter_map(|file| Some((file.path().to_str()?, file.contents())));
    let made = made.to_vec();
    let first = [
        asset("", HTML, move || html(first).into()),
        asset("page.css", STYLE, || unindented(&style(&STYLES)).into()),
        asset("page.js", SCRIPT, move || script(MAIN, &made).into()),
        asset("icon.svg", IMAGE, || text("icon.svg").into()),
    ];
    let positions = positions.map(|(path, body)| asset(path, TEXT, move || body.into()));
    first.into_iter().chain(positions).collect()
}

fn asset(
    path: &'static str,
    content_type: &'static str,
    body: impl FnOnce() -> Bytes + Send + 'static,
) -> Asset {
    Asset { path, content_type, body: Lazy::new(Box::new(body)) }
}

/// A module with all that it imports, as a script. `made` has the modules that take the place of others.
pub(super) fn script(entry: &str, made: &[Made]) -> String {
    let constant = |name, json: &str| format!("export const {name} = {};\n", json.trim_end());
    let all = [
        ("ui/texts.js", constant("texts", &texts())),
        ("board/shapes.js", constant("shapes", &serde_json::Value::from(PIECES).to_string())),
        ("review/scales.js", constant("scales", text("review/scales.json"))),
    ];
    bundle(entry, &[&all, made].concat())
}

/// The texts of all languages as one object: each language stays one file, and the page loads one script.
fn texts() -> String {
    let languages = FILES.get_dir("lang").into_iter().flat_map(|folder| folder.files());
    let texts = languages.map(|file| {
        let tag = file.path().file_stem().unwrap_or_default().display();
        // No string of JSON holds the end of a line: what lines begin with is indentation.
        format!("\"{tag}\": {}", unindented(file.contents_utf8().unwrap_or("{}")))
    });
    format!("{{\n{}}}", texts.collect::<Vec<_>>().join(","))
}

/// A text without the blanks at the beginning of its lines.
fn unindented(text: &str) -> String {
    text.lines().map(str::trim_start).collect::<Vec<_>>().join("\n")
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

/// All files, as they are served at a door.
pub(super) fn assets_at(door: Entrance, first: FirstBoard) -> Vec<Asset> {
    let module = |door| vec![("meeting/guests.js", format!("export const door = \"{door}\";\n"))];
    let made = match door {
        Entrance::Only => Vec::new(),
        Entrance::Own => module("own"),
        Entrance::Guests => module("guests"),
    };
    assets(&made, first)
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;
    use leap_board::Level;

    use super::*;

    /// A constant of a module in the script of the page.
    fn constant(name: &str) -> serde_json::Value {
        let script = script(MAIN, &[]);
        let (_, rest) = script.split_once(&format!("\nconst {name} = ")).unwrap();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter();
        values.next().unwrap().unwrap()
    }

    #[test]
    fn the_page_has_the_drawing_of_pieces() {
        assert_eq!(constant("shapes"), PIECES);
    }

    #[test]
    fn the_page_is_small() {
        let assets = assets(&[], FirstBoard::Leapd);
        let first = assets.iter().filter(|asset| !asset.path.starts_with(POSITIONS));
        let bytes: usize = first.map(|asset| asset.body.len()).sum();
        assert!(bytes < 360_000, "{bytes}");
    }

    #[test]
    fn the_page_loads_one_style_and_one_script() {
        let page = html(FirstBoard::Leapd);
        let links: Vec<&str> =
            page.lines().filter(|line| line.contains("href=") || line.contains("src=")).collect();
        let loads = |name: &str| links.iter().filter(|line| line.contains(name)).count();
        assert_eq!(
            (loads("page.css"), loads("page.js"), loads(".css"), loads(".js")),
            (1, 1, 1, 1)
        );
    }

    #[test]
    fn only_the_page_of_leapd_has_a_board_before_its_engine_answers() {
        let [ours, others] = [FirstBoard::Leapd, FirstBoard::None].map(html);
        assert_eq!(others, unindented(text("index.html")));
        let (before, board) = ours.split_once(BOARD).unwrap();
        assert!(others.starts_with(&format!("{before}{BOARD}</div>")));
        assert!(board.starts_with("<svg ") && ours.matches("<script>").count() == 1);
        assert!(inline_script().starts_with("try { "), "{}", inline_script());
    }

    #[test]
    fn a_page_knows_the_door_by_which_it_came_in() {
        for (door, name) in
            [(Entrance::Only, "none"), (Entrance::Own, "own"), (Entrance::Guests, "guests")]
        {
            let assets = assets_at(door, FirstBoard::None);
            let script = &assets.iter().find(|asset| asset.path == "page.js").unwrap().body;
            let script = std::str::from_utf8(script).unwrap();
            assert_eq!(script.matches("\nconst door = ").count(), 1);
            assert!(script.contains(&format!("\nconst door = \"{name}\";\n")), "{door:?}");
        }
    }

    #[test]
    fn a_language_is_one_file() {
        let texts = constant("texts");
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
        let report = bundle("review/report.js", &[]);
        for (path, body) in [("page.js", script(MAIN, &[])), ("the script of reports", report)] {
            for reader in READERS {
                assert!(!body.contains(reader), "{path}: {reader}");
            }
        }
    }
}
