//! The files of the page, embedded in the program.

/// A file of the page.
#[derive(Debug)]
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
        /// All files, the page itself first.
        pub(super) const ASSETS: &[Asset] = &[
            $(Asset { path: $path, content_type: $content_type, body: include_str!(concat!("page/", $file)) }),*
        ];
    };
}

assets! {
    "/" HTML "index.html"
    "/style.css" STYLE "style.css"
    "/board.css" STYLE "board.css"
    "/icon.svg" IMAGE "icon.svg"
    "/main.js" SCRIPT "main.js"
    "/app.js" SCRIPT "app.js"
    "/setup.js" SCRIPT "setup.js"
    "/entry.js" SCRIPT "entry.js"
    "/controls.js" SCRIPT "controls.js"
    "/engine.js" SCRIPT "engine.js"
    "/game.js" SCRIPT "game.js"
    "/board.js" SCRIPT "board.js"
    "/pieces.js" SCRIPT "pieces.js"
    "/turn.js" SCRIPT "turn.js"
    "/panels.js" SCRIPT "panels.js"
    "/settings.js" SCRIPT "settings.js"
    "/files.js" SCRIPT "files.js"
    "/kept.js" SCRIPT "kept.js"
    "/dom.js" SCRIPT "dom.js"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_small() {
        let bytes: usize = ASSETS.iter().map(|asset| asset.body.len()).sum();
        assert!(bytes < 150_000, "{bytes}");
    }

    /// Without preloading, each level of imports would cost a round trip.
    #[test]
    fn all_modules_are_loaded_at_once() {
        let page = ASSETS.iter().find(|asset| asset.path == "/").unwrap().body;
        for asset in ASSETS.iter().filter(|asset| asset.content_type == SCRIPT) {
            let name = asset.path.trim_start_matches('/');
            let is_loaded = [format!("modulepreload\" href=\"{name}\""), format!("src=\"{name}\"")];
            assert!(is_loaded.iter().any(|link| page.contains(link)), "{name}");
        }
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
        for asset in ASSETS {
            for reader in READERS {
                assert!(!asset.body.contains(reader), "{}: {reader}", asset.path);
            }
        }
    }

    #[test]
    fn every_module_that_is_imported_is_there() {
        for asset in ASSETS.iter().filter(|asset| asset.content_type == SCRIPT) {
            for line in asset.body.lines().filter(|line| line.starts_with("import ")) {
                let name = line.split('"').nth(1).unwrap();
                let path = name.strip_prefix('.').unwrap();
                assert!(ASSETS.iter().any(|asset| asset.path == path), "{}: {line}", asset.path);
            }
        }
    }
}
