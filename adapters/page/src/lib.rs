//! The page on which people play and look at games, as files: its modules, styles and texts.
//!
//! `leap web` serves the whole page. A page of `leap report` or `leap analyse` holds the viewer of games alone, as one
//! script ([`bundle`]). So one module draws a board, a piece or a graph of chances wherever a browser shows it.

use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use include_dir::{Dir, include_dir};
use regex_lite::Regex;

/// All files of the page, by their paths: `index.html`, `ui/main.js`, `lang/en.json`.
pub static FILES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/assets");

/// The drawing of pieces: a `g` with the colours of each shade, and a `symbol` for each shape.
pub const PIECES: &str = include_str!("../assets/board/pieces.svg");

/// A line that takes names from another module.
static IMPORT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?m)^(?:import|export) \{[^}]*\} from "(\.[^"]+)";\n"#).expect("it is constant")
});

/// Lines of comments alone.
static COMMENT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^ *(?://[^\n]*|/\*(?:[^*]|\*[^/])*\*/)\n").expect("it is constant")
});

/// The text of a module or a style as pages load it, without the comments that stand on lines of their own.
#[must_use]
pub fn code(path: &str) -> String {
    COMMENT.replace_all(text(path), "").into_owned()
}

/// The text of a file of the page; empty if there is none.
#[must_use]
pub fn text(path: impl AsRef<Path>) -> &'static str {
    FILES.get_file(path).and_then(|file| file.contents_utf8()).unwrap_or_default()
}

/// The paths of a module and of all those that it imports, each after those that it imports itself.
#[must_use]
pub fn modules(entry: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    find(Path::new(entry), &mut Vec::new(), &mut found);
    found
}

fn find(path: &Path, met: &mut Vec<PathBuf>, found: &mut Vec<&'static str>) {
    let Some(file) = FILES.get_file(path).filter(|_| !met.contains(&path.to_owned())) else {
        return;
    };
    met.push(path.to_owned());
    for import in imports(path) {
        find(&import, met, found);
    }
    found.extend(file.path().to_str());
}

/// The paths of the modules from which a module takes names.
fn imports(module: &Path) -> Vec<PathBuf> {
    let folder = module.parent().unwrap_or(Path::new(""));
    IMPORT.captures_iter(text(module)).map(|import| plain(&folder.join(&import[1]))).collect()
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, part| {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
        plain
    })
}

/// A module and all those that it imports as one script of type `module`, for a page that loads nothing. The modules share
/// one scope, so no two of them may declare the same name.
#[must_use]
pub fn bundle(entry: &str) -> String {
    modules(entry)
        .into_iter()
        .map(|path| IMPORT.replace_all(&code(path), "").into_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The script of reports and analyses.
    const REPORT: &str = "review/report.js";

    #[test]
    fn a_module_stands_after_those_that_it_imports() {
        let found = modules(REPORT);
        let position = |path: &str| found.iter().position(|found| *found == path).unwrap();
        assert!(position("ui/dom.js") < position("board/drawing.js"));
        assert!(position("board/drawing.js") < position("review/viewer.js"));
        assert_eq!(found.last(), Some(&REPORT));
    }

    #[test]
    fn every_module_that_is_imported_is_there() {
        for folder in FILES.dirs() {
            for file in
                folder.files().filter(|file| file.path().extension().is_some_and(|end| end == "js"))
            {
                for import in imports(file.path()) {
                    let is_of_engine = import.starts_with("leapd");
                    assert!(
                        is_of_engine || FILES.contains(&import),
                        "{:?}: {import:?}",
                        file.path()
                    );
                }
            }
        }
    }

    #[test]
    fn a_bundle_imports_nothing_and_declares_each_name_once() {
        let script = bundle(REPORT);
        assert!(script.lines().all(|line| !line.starts_with("import ")), "{script}");
        let declared =
            Regex::new(r"(?m)^(?:export )?(?:async )?(?:const|let|class|function) (\w+)");
        let mut names = BTreeSet::new();
        for found in declared.unwrap().captures_iter(&script) {
            assert!(names.insert(found[1].to_owned()), "{} is declared twice", &found[1]);
        }
        assert!(names.contains("Drawing") && names.contains("Viewer"), "{names:?}");
    }
}
