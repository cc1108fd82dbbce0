//! Paths within the site and the repository: names between slashes, without a slash at either end.

/// The folder of a file; empty for a file at the root.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The path that a link in a folder leads to; `None` if it leads out of the root.
pub(crate) fn resolve(folder: &str, link: &str) -> Option<String> {
    let mut names: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
    for name in link.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop()?;
            }
            name => names.push(name),
        }
    }
    Some(names.join("/"))
}

/// The link from a file to another one.
pub(crate) fn relative(from: &str, to: &str) -> String {
    let (here, there): (Vec<&str>, Vec<&str>) =
        (from.split('/').collect(), to.split('/').collect());
    let shared = here.iter().zip(&there).take_while(|(a, b)| a == b).count();
    let shared = shared.min(here.len() - 1).min(there.len() - 1);
    let up = "../".repeat(here.len() - 1 - shared);
    up + &there[shared..].join("/")
}

/// The identifier that a heading gets on GitHub and in mdBook.
pub(crate) fn slug(heading: &str) -> String {
    let lower = heading.trim().to_lowercase();
    let kept = lower.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_resolved_within_the_root() {
        assert_eq!(resolve("docs/decisions", "../a.md").as_deref(), Some("docs/a.md"));
        assert_eq!(resolve("", "./docs/").as_deref(), Some("docs"));
        assert_eq!(resolve("docs", "../../releases"), None);
    }

    #[test]
    fn a_relative_link_leads_back() {
        for (from, to, link) in [
            ("index.md", "docs/a.md", "docs/a.md"),
            ("docs/b.md", "docs/a.md", "a.md"),
            ("learn/en/a.md", "play/index.html", "../../play/index.html"),
            ("a/b.md", "a/b.md", "b.md"),
        ] {
            assert_eq!(relative(from, to), link);
            assert_eq!(resolve(folder(from), link).as_deref(), Some(to));
        }
    }

    #[test]
    fn a_heading_has_the_identifier_that_github_gives_it() {
        assert_eq!(slug("15. Táctica \"S\""), "15-táctica-s");
        assert_eq!(slug("query games, query game"), "query-games-query-game");
    }
}
