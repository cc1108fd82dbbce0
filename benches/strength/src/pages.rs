//! The pages, and their tables between markers.
//!
//! `<!-- table NAME ARGUMENT... -->` begins a table, `<!-- end -->` ends it. What is between them is made anew.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use leap_games::IDS;

use crate::data::Data;
use crate::{Made, read, tables};

const BEGIN: &str = "<!-- table ";
const END: &str = "<!-- end -->";

/// The pages with tables: two for each game, and those that are about all games.
pub(crate) fn filled(root: &Path, data: &Data) -> Result<Vec<Made>> {
    let docs = fs::read_dir(root.join("docs")).context("cannot list docs")?;
    let mut shared: Vec<_> = docs.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    shared.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    shared.extend(["docs/measured/README.md", "training/README.md"].map(|page| root.join(page)));
    shared.sort();
    let of_game = |game: &&str| {
        ["games", "measured"].map(|folder| root.join(format!("docs/{folder}/{game}.md")))
    };
    let page = |path: PathBuf| {
        let text = fill(&read(&path)?, data).with_context(|| path.display().to_string())?;
        Ok((path, text))
    };
    shared.into_iter().chain(IDS.iter().flat_map(of_game)).map(page).collect()
}

/// A page with its tables made anew.
fn fill(page: &str, data: &Data) -> Result<String> {
    let mut filled = String::new();
    let mut rest = page;
    while let Some(start) = rest.find(BEGIN) {
        let marker = rest[start..].lines().next().unwrap_or("");
        let Some(named) = marker.strip_prefix(BEGIN).and_then(|text| text.strip_suffix(" -->"))
        else {
            bail!("expected '{BEGIN}NAME -->', found '{marker}'");
        };
        let after = start + marker.len();
        let Some(end) = rest[after..].find(END) else { bail!("expected '{END}' after '{marker}'") };
        if rest[after..after + end].contains(BEGIN) {
            bail!("expected '{END}' after '{marker}', found another table");
        }
        let table = tables::table(named, data).with_context(|| format!("'{named}'"))?;
        filled += &format!("{}{marker}\n{table}", &rest[..start]);
        rest = &rest[after + end..];
    }
    Ok(filled + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill_nothing(page: &str) -> Result<String> {
        fill(page, &Data::default())
    }

    #[test]
    fn what_stands_between_the_markers_is_replaced() {
        let page = "# Title\n<!-- table kept eximo -->\nold\n<!-- end -->\nrest\n";
        let filled = fill_nothing(page).unwrap();
        assert!(filled.starts_with("# Title\n<!-- table kept eximo -->\n| kind |"), "{filled}");
        assert!(filled.ends_with("|\n<!-- end -->\nrest\n"), "{filled}");
        assert_eq!(fill_nothing(&filled).unwrap(), filled);
    }

    #[test]
    fn a_page_with_a_wrong_marker_is_refused() {
        let pages = [
            "<!-- table nonsense -->\n<!-- end -->\n",
            "<!-- table kinds -->\n",
            "<!-- table kinds\n<!-- end -->\n",
            "<!-- table kinds -->\n<!-- table fast -->\n<!-- end -->\n",
        ];
        for page in pages {
            assert!(fill_nothing(page).is_err(), "{page}");
        }
    }
}
