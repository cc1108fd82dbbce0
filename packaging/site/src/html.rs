//! The parts that pages with boards share, and the texts of the playable page.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;

/// The texts of the playable page in a language.
pub(crate) struct Texts(Value);

impl Texts {
    pub(crate) fn read(root: &Path, language: &str) -> Result<Self> {
        let path = root.join("adapters/page/assets/lang").join(format!("{language}.json"));
        let text = fs::read_to_string(&path)
            .with_context(|| format!("cannot read '{}'", path.display()))?;
        Ok(Self(serde_json::from_str(&text)?))
    }

    pub(crate) fn get(&self, key: &str) -> &str {
        self.0[key].as_str().unwrap_or_default()
    }
}

/// What a page with boards loads. `module` is the folder of `learn.js` in the site.
pub(crate) fn head(module: &str) -> String {
    format!(
        "<link rel=\"stylesheet\" href=\"../../{module}/learn.css\">\n\
         <script type=\"module\" src=\"../../{module}/learn.js\"></script>\n"
    )
}

/// A figure with a board. `data` has the attributes that the script of the page reads.
pub(crate) fn figure(data: &str, caption: &str) -> String {
    format!("<figure class=\"learn-board\"{data}>\n<figcaption>{caption}</figcaption>\n</figure>")
}

/// A text as HTML and as Markdown.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            // Characters that Markdown reads as marks become numeric references of HTML.
            '*' | '_' | '`' | '[' | ']' | '\\' | '#' | '~' => {
                let _ = write!(escaped, "&#{};", c as u32);
            }
            c => escaped.push(c),
        }
    }
    escaped
}
