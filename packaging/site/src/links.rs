//! Links in Markdown: each is changed where it stands, so that the rest of a text stays as it is.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};

/// What becomes of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// The link stays as it is.
    Same,
    /// The link leads elsewhere.
    To(String),
    /// The text of the link stays, without a link.
    Text,
}

/// The headings, links and text of Markdown as GitHub reads it.
pub(crate) fn parse(text: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    Parser::new_ext(text, options).into_offset_iter()
}

/// Changes the links of a text by `link`, and its running text by `prose`: neither code nor headings nor links.
pub(crate) fn rewrite(
    text: &str,
    mut link: impl FnMut(&str) -> Link,
    prose: impl Fn(&str) -> String,
) -> String {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut depth = 0_u32;
    for (event, range) in parse(text) {
        match event {
            Event::Start(
                Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. },
            ) => {
                depth += 1;
                if link_type == LinkType::Inline {
                    edits.extend(change(text, range, &dest_url, link(&dest_url)));
                }
            }
            Event::Start(Tag::Heading { .. } | Tag::CodeBlock(_) | Tag::HtmlBlock) => depth += 1,
            Event::End(
                TagEnd::Link
                | TagEnd::Image
                | TagEnd::Heading(_)
                | TagEnd::CodeBlock
                | TagEnd::HtmlBlock,
            ) => depth -= 1,
            Event::Text(_) if depth == 0 => {
                let changed = prose(&text[range.clone()]);
                edits.push((range, changed));
            }
            _ => {}
        }
    }
    apply(text, edits)
}

/// The edits for a link that stands in this range.
fn change(
    text: &str,
    range: Range<usize>,
    destination: &str,
    link: Link,
) -> Vec<(Range<usize>, String)> {
    let Some(at) = text[range.clone()].rfind(&format!("]({destination}")) else {
        return Vec::new();
    };
    let close = range.start + at;
    match link {
        Link::Same => Vec::new(),
        Link::To(to) => vec![(close + 2..close + 2 + destination.len(), to)],
        Link::Text => {
            vec![(range.start..range.start + 1, String::new()), (close..range.end, String::new())]
        }
    }
}

fn apply(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let mut changed = String::with_capacity(text.len());
    let mut at = 0;
    for (range, new) in edits {
        changed += &text[at..range.start];
        changed += &new;
        at = range.end;
    }
    changed + &text[at..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn to_b(destination: &str) -> Link {
        match destination {
            "a" => Link::To("b".to_owned()),
            "none" => Link::Text,
            _ => Link::Same,
        }
    }

    #[test]
    fn links_are_changed_where_they_stand() {
        let text =
            "# [x](a)\n\n| [a](a) | [![p](a)](c) |\n|--|--|\n| `[a](a)` | [t `u`](none). |\n";
        let changed = rewrite(text, to_b, str::to_owned);
        let expected = "# [x](b)\n\n| [a](b) | [![p](b)](c) |\n|--|--|\n| `[a](a)` | t `u`. |\n";
        assert_eq!(changed, expected);
    }

    #[test]
    fn prose_is_neither_code_nor_heading_nor_link() {
        let text = "# one\n\none `one` [one](x)\n\n```text\none\n```\n";
        let changed = rewrite(text, to_b, |prose| prose.replace("one", "two"));
        assert_eq!(changed, "# one\n\ntwo `one` [one](x)\n\n```text\none\n```\n");
    }
}
