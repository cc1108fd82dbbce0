//! Pages that teach the games, one for each game and language: what the engine tells people, with boards.
//!
//! A page can be read without scripts. The module `learn.js` of the playable page draws a board for each figure.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use leap_client::{EngineCommand, Session};
use leap_protocol::payload::{Clause, Example, Guide};

use crate::Page;
use crate::html::{Texts, escaped, figure, head};
use crate::solved::Solved;
use crate::spec::Spec;

const REPLY_TIMEOUT: Duration = Duration::from_secs(10);

/// The pages of all languages.
#[derive(Debug)]
pub(crate) struct Lessons {
    /// Languages: the name of the part of the book, and its pages.
    parts: Vec<(String, Vec<Page>)>,
}

impl Lessons {
    /// Asks an engine how its games are played. `module` is the folder of `learn.js` in the site.
    pub(crate) fn ask(root: &Path, leapd: &Path, module: &str) -> Result<Self> {
        let mut engine = Session::start(&EngineCommand::new(leapd), REPLY_TIMEOUT)?;
        engine.discover()?;
        let games = engine.info().games.clone();
        let languages = engine.rules(None)?.languages;
        let spec = fs::read_to_string(root.join("SPEC.md")).context("cannot read SPEC.md")?;
        let spec = Spec::split(&spec);
        let solved = Solved::read(root)?;
        let mut parts = Vec::new();
        for language in &languages {
            let texts = Texts::read(root, language)?;
            let mut pages = Vec::new();
            for game in &games {
                engine.set_game(game)?;
                let guide = engine.rules(Some(language))?;
                pages.push(
                    Lesson { game, guide: &guide, texts: &texts, spec: &spec, module }.page(),
                );
                pages.extend(solved.page(game, &guide.title, language, &texts, module));
            }
            parts.push((texts.get("guide.open").to_owned(), pages));
        }
        engine.quit()?;
        Ok(Self { parts })
    }

    /// The parts of the book, a language each: names and pages.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (&str, &[Page])> {
        self.parts.iter().map(|(name, pages)| (name.as_str(), pages.as_slice()))
    }

    pub(crate) fn pages(&self) -> impl Iterator<Item = &Page> {
        self.parts.iter().flat_map(|(_, pages)| pages)
    }

    /// The first page of the site. Below its title are links to what a visitor can do.
    pub(crate) fn greet(&self, text: &str) -> String {
        let (title, rest) = text.split_once('\n').unwrap_or((text, ""));
        let mut ways = "[Play in the browser](play/index.html)\n".to_owned();
        for (name, pages) in self.parts() {
            let links = pages.iter().map(|page| format!("[{}]({})", page.title, page.path));
            let links: Vec<String> = links.collect();
            // Writing to a string does not fail.
            let _ = write!(ways, "\n{name}: {}\n", links.join(", "));
        }
        format!("{title}\n\n<div class=\"site-ways\">\n\n{ways}\n</div>\n{rest}")
    }
}

/// A page about a game.
struct Lesson<'a> {
    game: &'a str,
    guide: &'a Guide,
    texts: &'a Texts,
    spec: &'a Spec,
    module: &'a str,
}

impl Lesson<'_> {
    fn page(&self) -> Page {
        let Self { game, guide, texts, module, .. } = self;
        let language = &guide.language;
        let mut text = format!(
            "<div class=\"learn\" lang=\"{language}\" data-game=\"{game}\" data-play=\"../../play/index.html\">\n"
        );
        text += &head(module);
        let _ = writeln!(text, "\n# {}\n", escaped(&guide.title));
        let play = texts.get("learn.play");
        let _ = write!(
            text,
            "<p><a class=\"learn-play\" href=\"../../play/index.html#game={game}\">{play}</a>"
        );
        if let Some(chapter) = self.spec.chapter_of(&guide.title) {
            let file = chapter.path.replace(".md", ".html");
            let _ = write!(text, "<a href=\"../../{file}\">{}</a>", texts.get("learn.clauses"));
        }
        let _ = writeln!(text, "</p>\n<noscript><p>{}</p></noscript>", texts.get("learn.noScript"));
        let _ = writeln!(text, "<div class=\"learn-pieces\"></div>");
        let _ = writeln!(text, "{}", figure("", &escaped(texts.get("learn.start"))));
        for clause in &guide.clauses {
            self.clause(&mut text, clause);
        }
        text += "\n</div>\n";
        let path = format!("learn/{language}/{game}.md");
        Page { path, title: guide.title.clone(), text }
    }

    fn clause(&self, text: &mut String, Clause { heading, text: told, examples, .. }: &Clause) {
        let _ = write!(text, "\n## {}\n\n{}\n", escaped(heading), escaped(told));
        for example in examples {
            let _ = write!(text, "\n{}\n", example_figure(example));
        }
    }
}

/// A figure with a position and perhaps a move.
fn example_figure(Example { fen, mv, caption, .. }: &Example) -> String {
    let caption = escaped(caption);
    let data = format!(" data-fen=\"{}\"", escaped(fen));
    match mv {
        None => figure(&data, &caption),
        Some((mv, effects)) => {
            let data = format!(
                "{data} data-move=\"{mv}\" data-effects=\"{}\"",
                escaped(&effects.to_string())
            );
            figure(&data, &format!("<code>{mv}</code> {caption}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_an_engine_are_text() {
        assert_eq!(escaped("a<b> & \"*\""), "a&lt;b&gt; &amp; &quot;&#42;&quot;");
        let example =
            Example { fen: "5/c~4 1".to_owned(), mv: None, caption: "<script>".to_owned() };
        let expected = "<figure class=\"learn-board\" data-fen=\"5/c&#126;4 1\">\n\
                        <figcaption>&lt;script&gt;</figcaption>\n</figure>";
        assert_eq!(example_figure(&example), expected);
    }
}
