//! The page on which people play and look at games, as files: its modules, styles and texts.
//!
//! A browser loads the modules of a page as one script ([`bundle`]), since each file costs a round trip. `leap web` serves
//! the whole page. A page of `leap report` or `leap analyse` holds the viewer of games alone. So one module draws a board,
//! a piece or a graph of chances wherever a browser shows it.

use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use include_dir::{Dir, include_dir};
use regex_lite::{Captures, Regex};

/// All files of the page, by their paths: `index.html`, `ui/main.js`, `lang/en.json`.
pub static FILES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/assets");

/// The drawing of pieces: a `g` with the colours of each shade, and a `symbol` for each shape.
pub const PIECES: &str = include_str!("../assets/board/pieces.svg");

/// A module that is no file of the page, or stands in the place of one: its path, and its text.
pub type Made = (&'static str, String);

/// A line that takes names from another module, or passes them on.
static IMPORT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?m)^(import|export) \{([^}]*)\} from "(\.[^"]+)";\n"#).expect("it is constant")
});

/// The beginning of a declaration that a module exports.
static EXPORT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^export ((?:async )?(?:const|class|function) (\w+))").expect("it is constant")
});

/// Blank lines, lines of comments alone, and comments after code. A comment with a quotation mark stays: it may be within
/// a text.
static COMMENT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?m)^ *(?://[^\n]*|/\*(?:[^*]|\*[^/])*\*/)?\n|([;{,]) // [^\n"`]*$"#)
        .expect("it is constant")
});

/// The text of a file of the page; empty if there is none.
#[must_use]
pub fn text(path: impl AsRef<Path>) -> &'static str {
    FILES.get_file(path).and_then(|file| file.contents_utf8()).unwrap_or_default()
}

/// The styles of these files as one, without the comments that stand on lines of their own.
#[must_use]
pub fn style(paths: &[&str]) -> String {
    paths.iter().map(|path| without_comments(text(path))).collect()
}

/// A module and all those that it imports, as one script of type `module`.
///
/// Each module is a function, so its names are its own, and returns what it exports. A module that is neither made nor a
/// file of the page is imported from the folder of the script.
#[must_use]
pub fn bundle(entry: &str, made: &[Made]) -> String {
    let (mut imports, mut functions) = (String::new(), String::new());
    for path in modules(entry, made) {
        match module(&path, made) {
            Some(text) => functions += &function(&path, text),
            None => {
                imports +=
                    &format!("import * as {} from \"./{}\";\n", variable(&path), path.display())
            }
        }
    }
    imports + &functions
}

fn without_comments(text: &str) -> String {
    COMMENT.replace_all(text, "$1").into_owned()
}

/// The text of a module; `None` if it is none of the page.
fn module<'m>(path: &Path, made: &'m [Made]) -> Option<&'m str> {
    let made = made.iter().find(|(name, _)| path == Path::new(name)).map(|(_, text)| &**text);
    made.or_else(|| FILES.get_file(path)?.contents_utf8())
}

/// The paths of a module and of all those that it imports, each after those that it imports itself.
fn modules(entry: &str, made: &[Made]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    find(Path::new(entry), made, &mut Vec::new(), &mut found);
    found
}

fn find(path: &Path, made: &[Made], met: &mut Vec<PathBuf>, found: &mut Vec<PathBuf>) {
    if met.iter().any(|met| met == path) {
        return;
    }
    met.push(path.to_owned());
    for import in IMPORT.captures_iter(module(path, made).unwrap_or_default()) {
        find(&imported(path, &import), made, met, found);
    }
    found.push(path.to_owned());
}

/// The path of the module from which a module takes names.
fn imported(module: &Path, import: &Captures<'_>) -> PathBuf {
    let folder = module.parent().unwrap_or(Path::new(""));
    // Without `.` and `..`.
    folder.join(&import[3]).components().fold(PathBuf::new(), |mut plain, part| {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
        plain
    })
}

/// What a bundle calls a module. Modules have no names with an underscore.
fn variable(path: &Path) -> String {
    path.with_extension("").display().to_string().replace(|c: char| !c.is_ascii_alphanumeric(), "_")
}

/// A module as a function that has been called.
fn function(path: &Path, text: &str) -> String {
    let text = without_comments(text);
    let mut exported: Vec<String> =
        EXPORT.captures_iter(&text).map(|export| export[2].to_owned()).collect();
    let text = EXPORT.replace_all(&text, "$1");
    let text = IMPORT.replace_all(&text, |import: &Captures<'_>| {
        if &import[1] == "export" {
            let names = import[2].split(',').filter_map(|name| name.split_whitespace().last());
            exported.extend(names.map(str::to_owned));
        }
        let (names, from) = (import[2].replace(" as ", ": "), variable(&imported(path, import)));
        format!("const {{{names}}} = {from};\n")
    });
    let (name, exported) = (variable(path), exported.join(", "));
    format!(
        "// {}\nconst {name} = (() => {{\n{text}return {{ {exported} }};\n}})();\n",
        path.display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The script of reports and analyses.
    const REPORT: &str = "review/report.js";

    #[test]
    fn a_module_stands_after_those_that_it_imports() {
        let found = modules(REPORT, &[]);
        let position =
            |path: &str| found.iter().position(|found| found == Path::new(path)).unwrap();
        assert!(position("ui/dom.js") < position("board/drawing.js"));
        assert!(position("board/drawing.js") < position("review/viewer.js"));
        assert_eq!(found.last().unwrap(), Path::new(REPORT));
    }

    #[test]
    fn comments_are_not_served() {
        let text = "/**\n * A list.\n * @type {string[]}\n */\nlet a = []; // it's empty\n\n\
                    // More.\nconst b = \"; // text\"; // a comment\nconst c = 1;\n";
        let rest = "let a = [];\nconst b = \"; // text\";\nconst c = 1;\n";
        assert_eq!(without_comments(text), rest);
    }

    /// All modules of the page.
    fn scripts() -> impl Iterator<Item = &'static Path> {
        let files = FILES.dirs().flat_map(|folder| folder.files());
        files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|end| end == "js"))
    }

    #[test]
    fn every_module_that_is_imported_is_there() {
        const MADE: [&str; 3] = ["ui/texts.js", "board/shapes.js", "review/scales.js"];
        for path in scripts() {
            for import in IMPORT.captures_iter(text(path)).map(|import| imported(path, &import)) {
                let is_made = import.starts_with("leapd")
                    || MADE.iter().any(|made| import == Path::new(made));
                assert!(is_made || FILES.contains(&import), "{path:?}: {import:?}");
            }
        }
    }

    /// Imports in a circle would take names before they are there.
    #[test]
    fn no_module_imports_one_that_imports_it() {
        for path in scripts() {
            let found = modules(path.to_str().unwrap(), &[]);
            for (at, module) in found.iter().enumerate() {
                for import in
                    IMPORT.captures_iter(text(module)).map(|import| imported(module, &import))
                {
                    assert!(found[..at].contains(&import), "{module:?} and {import:?}");
                }
            }
        }
    }

    #[test]
    fn a_bundle_has_no_line_of_a_module_that_takes_or_gives_names() {
        for path in scripts() {
            let script = bundle(path.to_str().unwrap(), &[]);
            let is_foreign = |line: &&str| line.starts_with("import * as ");
            for line in script.lines().skip_while(is_foreign) {
                assert!(
                    !line.starts_with("import ") && !line.starts_with("export "),
                    "{path:?}: {line}"
                );
            }
        }
    }

    #[test]
    fn a_module_becomes_a_function_that_returns_what_it_exports() {
        let made = [
            (
                "a/one.js",
                "/** A number. */\nexport const one = 1;\nexport async function wait() {}\n"
                    .to_owned(),
            ),
            (
                "a/two.js",
                "export { one } from \"./one.js\";\nimport { Leapd } from \"../leapd/index.js\";\n"
                    .to_owned(),
            ),
            ("b.js", "import { one as first } from \"./a/two.js\";\nlet own = first;\n".to_owned()),
        ];
        let expected = "\
import * as leapd_index from \"./leapd/index.js\";
// a/one.js
const a_one = (() => {
const one = 1;
async function wait() {}
return { one, wait };
})();
// a/two.js
const a_two = (() => {
const { one } = a_one;
const { Leapd } = leapd_index;
return { one };
})();
// b.js
const b = (() => {
const { one: first } = a_two;
let own = first;
return {  };
})();
";
        assert_eq!(bundle("b.js", &made), expected);
    }
}
