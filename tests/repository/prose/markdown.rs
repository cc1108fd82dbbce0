//! What people read of a text in Markdown, without its marks.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};

/// A text in Markdown.
pub(crate) struct Page {
    pub(crate) passages: Vec<Passage>,
    /// The lines of tables and code.
    exempt: Vec<Range<usize>>,
}

/// A paragraph, a heading, an item of a list or a cell of a table: running text.
#[derive(Default)]
pub(crate) struct Passage {
    /// Its words; `CODE` stands for a code span, and `URL` for an address.
    pub(crate) text: String,
    /// Where a line of the page begins in the text, and its number.
    lines: Vec<(usize, usize)>,
}

impl Passage {
    /// The line of the page for an offset in the text.
    pub(crate) fn line_at(&self, offset: usize) -> usize {
        let before = self.lines.partition_point(|(start, _)| *start <= offset);
        self.lines[before.saturating_sub(1)].1
    }

    fn push(&mut self, text: &str, line: usize) {
        self.lines.push((self.text.len(), line));
        self.text.push_str(text);
    }
}

impl Page {
    /// Reads a page.
    pub(crate) fn parse(text: &str) -> Self {
        let starts: Vec<usize> =
            [0].into_iter().chain(text.match_indices('\n').map(|(end, _)| end + 1)).collect();
        let line_of = |offset: usize| starts.partition_point(|start| *start <= offset);
        let mut page = Self { passages: Vec::new(), exempt: Vec::new() };
        let mut passage = Passage::default();
        // The end of a part that is not read: a block of code, or the text of an address.
        let mut unread = 0;
        let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS;
        for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
            if is_border(&event) {
                page.passages.push(std::mem::take(&mut passage));
            }
            let line = line_of(range.start);
            match event {
                Event::Start(Tag::CodeBlock(_)) => {
                    unread = range.end;
                    page.exempt.push(line..line_of(range.end - 1) + 1);
                }
                Event::Start(Tag::Table(_)) => page.exempt.push(line..line_of(range.end - 1) + 1),
                Event::Start(Tag::Link { link_type: LinkType::Autolink, .. }) => {
                    unread = range.end;
                    passage.push("URL", line);
                }
                Event::Text(text) if range.start >= unread => passage.push(&text, line),
                Event::Code(_) => passage.push("CODE", line),
                Event::SoftBreak | Event::HardBreak => passage.push(" ", line),
                _ => {}
            }
        }
        page.passages.push(passage);
        page.passages.retain(|passage| !passage.text.is_empty());
        page
    }

    /// Whether a line may be long: tables and code cannot be wrapped.
    pub(crate) fn is_exempt(&self, line: usize) -> bool {
        self.exempt.iter().any(|lines| lines.contains(&line))
    }
}

/// Whether running text ends here: at any mark that does not stand within a sentence.
fn is_border(event: &Event<'_>) -> bool {
    use pulldown_cmark::TagEnd;
    match event {
        Event::Start(tag) => {
            !matches!(tag, Tag::Emphasis | Tag::Strong | Tag::Link { .. } | Tag::Image { .. })
        }
        Event::End(tag) => {
            !matches!(tag, TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link | TagEnd::Image)
        }
        Event::Rule => true,
        // A cell of a table may have several lines.
        Event::InlineHtml(html) => html.starts_with("<br"),
        _ => false,
    }
}
