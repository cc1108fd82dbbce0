//! Pages of solved positions, one for each language and game with tables: boards that show what every move leads to.
//!
//! The positions are those of `tables/longest.csv`. The page's own engine knows their values.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::Page;
use crate::html::{Texts, escaped, figure, head};

/// Where the positions are, in the repository.
const FILE: &str = "tables/longest.csv";
/// The most men of a position whose value the engine of a page knows by itself.
const BUILT_IN: u32 = 7;
/// Shorter ways to a capture are no walk.
const LEAST_PLIES: u32 = 4;

/// A solved position.
struct Position {
    game: String,
    /// The option of the rule, as `name=value`.
    option: String,
    own: u32,
    enemy: u32,
    plies: u32,
    fen: String,
}

/// The solved positions of all games.
pub(crate) struct Solved(Vec<Position>);

impl Solved {
    /// Reads the file in the repository.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(root.join(FILE)).with_context(|| format!("cannot read {FILE}"))?;
        let rows = text.lines().enumerate().skip(1);
        let read = |(at, line): (usize, &str)| {
            position(line).with_context(|| {
                let columns = "game,option,own,enemy,plies,outcome,position";
                format!("{FILE}, line {}: expected {columns}, found '{line}'", at + 1)
            })
        };
        Ok(Self(rows.map(read).collect::<Result<_>>()?))
    }

    /// The page of a game, if it has solved positions that are a walk. `title` is the game's name.
    pub(crate) fn page(
        &self,
        game: &str,
        title: &str,
        language: &str,
        texts: &Texts,
        module: &str,
    ) -> Option<Page> {
        let is_shown = |position: &&Position| {
            let Position { own, enemy, plies, .. } = position;
            position.game == game && own + enemy <= BUILT_IN && *plies >= LEAST_PLIES
        };
        let shown: Vec<&Position> = self.0.iter().filter(is_shown).collect();
        if shown.is_empty() {
            return None;
        }
        let title = format!("{title}: {}", texts.get("learn.solved"));
        let mut text = format!(
            "{}\n# {}\n\n{}\n",
            head(module),
            escaped(&title),
            escaped(texts.get("learn.solvedText"))
        );
        let mut option = "";
        for Position { option: rule, own, enemy, fen, .. } in &shown {
            if option != rule {
                let close = if option.is_empty() { "" } else { "</div>\n" };
                let heading = rule.replace('=', " ");
                let _ = write!(
                    text,
                    "\n{close}\n## <code>{heading}</code>\n\n<div class=\"learn\" lang=\"{language}\" data-game=\"{game}\" \
                     data-option=\"{rule}\" data-values data-play=\"../../play/index.html\">\n"
                );
                option = rule;
            }
            let data = format!(" data-fen=\"{}\"", escaped(fen));
            let men = texts
                .get("learn.men")
                .replace("{own}", &own.to_string())
                .replace("{enemy}", &enemy.to_string());
            let _ = write!(text, "\n{}\n", figure(&data, &escaped(&men)));
        }
        text += "\n</div>\n";
        Some(Page { path: format!("learn/{language}/{game}-solved.md"), title, text })
    }
}

fn position(line: &str) -> Option<Position> {
    let columns: Vec<&str> = line.split(',').collect();
    let [game, option, own, enemy, plies, _, fen] = columns[..] else { return None };
    Some(Position {
        game: game.to_owned(),
        option: option.to_owned(),
        own: own.parse().ok()?,
        enemy: enemy.parse().ok()?,
        plies: plies.parse().ok()?,
        fen: fen.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_a_position() {
        let row = position("g,Rule=on,3,4,21,Draw,5/m4/5/4M/5 1 - 0 0").unwrap();
        assert_eq!((row.own, row.enemy, row.plies, &*row.option), (3, 4, 21, "Rule=on"));
        assert!(position("g,Rule=on,3,4,21,Draw").is_none());
    }
}
