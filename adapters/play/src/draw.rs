//! Drawing the screen.

use std::collections::BTreeSet;

use leap_board::fold;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect, Size};
use ratatui::style::{Modifier, Style, Stylize as _};
use ratatui::text::{Line, Text};
use ratatui::widgets::{Block, Clear, Paragraph, Row, Table, Wrap};

use super::action::WORDS;
use super::board;
use super::scene::{ExactValues, Lesson, Mark, Scene};

/// The fewest columns for the text beside the board.
const LEAST_PANEL: u16 = 26;
/// The most rows below the board: the marks, what is said, the typed text, and the keys.
const FOOT: u16 = 6;
/// The fewest rows below the board; there the keys are left out.
const LEAST_FOOT: u16 = 4;
/// The most lines for a variation.
const MOST_THOUGHT: usize = 3;
const KEYS: &str = "arrows Tab: choose  Enter: take  Esc: back  ?: help  Ctrl-Q: quit";

const PAGE_KEYS: &str = "arrows: other pages  Esc: back to the game";

/// Draws everything.
pub(super) fn draw(scene: &Scene, frame: &mut Frame) {
    let area = frame.area();
    let height = area.height.saturating_sub(LEAST_FOOT);
    let room = Size::new(area.width.saturating_sub(LEAST_PANEL), height);
    let Some(layout) = board::Layout::new(scene.board, scene.bottom, room) else {
        frame.render_widget(Paragraph::new(too_small(scene, area)).wrap(Wrap::default()), area);
        return;
    };
    let foot = area.height.saturating_sub(layout.size().height).clamp(LEAST_FOOT, FOOT);
    let [upper, foot] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(foot)]).areas(area);
    let width = layout.size().width;
    let [left, _, right] =
        Layout::horizontal([Constraint::Length(width), Constraint::Length(2), Constraint::Fill(1)])
            .areas(upper);
    board::draw(scene, &layout, left, frame.buffer_mut());
    match scene.lesson {
        Some(lesson) => self::lesson(scene, lesson, right, foot, frame),
        None => {
            panel(scene, right, frame);
            feet(scene, foot, frame);
        }
    }
    if scene.shows_help {
        help(area, frame);
    }
    if let Some(values) = scene.values {
        exact_values(values, area, frame);
    }
}

fn too_small(scene: &Scene, area: Rect) -> String {
    let least = board::Layout::least(scene.board);
    format!(
        "this window is too small: expected at least {} columns and {} rows, found {} and {}",
        least.width + LEAST_PANEL,
        least.height + LEAST_FOOT,
        area.width,
        area.height
    )
}

/// About the game and its pieces, the engine's information, and as many of the last moves as fit.
fn panel(scene: &Scene, area: Rect, frame: &mut Frame) {
    let width = usize::from(area.width);
    let folded = |line: &String| fold(line.split(' ').map(str::to_owned), " ", width);
    let mut lines: Vec<Line> = scene.facts.iter().flat_map(folded).map(Line::from).collect();
    if let Some(first) = lines.first_mut() {
        first.style = Style::new().add_modifier(Modifier::BOLD);
    }
    lines.extend(board::key(scene, width));
    let thought = scene.thought.iter().flat_map(|line| folded(line).into_iter().take(MOST_THOUGHT));
    lines
        .extend(std::iter::once(Line::default()).chain(thought.map(|line| Line::from(line).dim())));
    lines.push(Line::default());
    let room = usize::from(area.height).saturating_sub(lines.len());
    let moves = (1..).zip(scene.moves).map(|(number, mv)| format!("{number} {mv}"));
    let moves = fold(moves, "  ", width);
    lines.extend(moves.into_iter().rev().take(room).rev().map(Line::from));
    frame.render_widget(Paragraph::new(Text::from(lines)), area);
}

/// Draws the rows below the board: the marks, what has happened, what is awaited, the typed text, the keys.
///
/// With little room the keys are left out first.
fn feet(scene: &Scene, area: Rect, frame: &mut Frame) {
    let has_keys = area.height > LEAST_FOOT;
    let [marks, said, typed, keys] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(1),
        Constraint::Length(u16::from(has_keys)),
    ])
    .areas(area);
    frame.render_widget(Paragraph::new(legend(scene)).dim(), marks);
    frame.render_widget(Paragraph::new(KEYS).dim(), keys);
    let mut lines = Vec::new();
    if !scene.notice.is_empty() {
        lines.push(Line::from(scene.notice).bold());
    }
    lines.push(Line::from(scene.prompt.as_str()));
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), said);
    let entered = if scene.entered.is_empty() { "move" } else { &scene.entered };
    // Only the end of a long line is shown.
    let room = usize::from(area.width).saturating_sub(entered.chars().count() + 3);
    let start = scene.input.chars().count().saturating_sub(room);
    let input: String = scene.input.chars().skip(start).collect();
    frame.render_widget(Paragraph::new(format!("{entered}> {input}_")).bold(), typed);
}

/// What the marks on the board mean.
fn legend(scene: &Scene) -> String {
    let marks: BTreeSet<Mark> = scene.marks.values().copied().collect();
    marks.into_iter().filter_map(Mark::meaning).collect::<Vec<_>>().join("  ")
}

/// Draws a page of the rules: the clause beside the board, and the caption of the position below it.
fn lesson(scene: &Scene, lesson: &Lesson, beside: Rect, below: Rect, frame: &mut Frame) {
    let [number, count] = lesson.number;
    let mut lines = vec![
        Line::from(lesson.title.as_str()).bold(),
        Line::default(),
        Line::from(lesson.heading.as_str()).bold(),
    ];
    let words = lesson.text.split_whitespace().map(str::to_owned);
    lines.extend(fold(words, " ", usize::from(beside.width)).into_iter().map(Line::from));
    frame.render_widget(Paragraph::new(Text::from(lines)), beside);
    let [marks, said, keys] =
        Layout::vertical([Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)])
            .areas(below);
    frame.render_widget(Paragraph::new(legend(scene)).dim(), marks);
    frame.render_widget(Paragraph::new(lesson.caption.as_str()).wrap(Wrap { trim: true }), said);
    let keys_text = format!("{number} of {count}  {PAGE_KEYS}");
    frame.render_widget(Paragraph::new(keys_text).dim(), keys);
}

fn help(area: Rect, frame: &mut Frame) {
    let intro = [
        "Choose a square with the arrows, or with Tab among those that go on, and",
        "take it with Enter or Space: the piece, then each square it goes to.",
        "Enter on the piece ends a turn that may end. Esc takes a step back.",
        "Or type a move, as a1c3, or its start. Enter ends the engine's thinking.",
    ];
    let words = WORDS.map(|(word, key, what, _)| format!("{word:<15} {key:<7} {what}"));
    let lines: Vec<Line> =
        intro.map(str::to_owned).into_iter().chain(words).map(Line::from).collect();
    let (place, block) = window(" leap play ", lines.len(), area, frame);
    frame.render_widget(Paragraph::new(lines).block(block), place);
}

/// A window in the middle of the screen, with room for so many lines.
fn window<'a>(title: &'a str, lines: usize, area: Rect, frame: &mut Frame) -> (Rect, Block<'a>) {
    let height = u16::try_from(lines + 2).unwrap_or(u16::MAX).min(area.height);
    let [width, height] = [76.min(area.width), height].map(Constraint::Length);
    let place = area.centered(width, height);
    frame.render_widget(Clear, place);
    (place, Block::bordered().title(title).title_bottom(" ? or Esc: back to the game "))
}

/// Draws the exact values as a table. Where there is little room, the worst moves are left out.
fn exact_values(values: &ExactValues, area: Rect, frame: &mut Frame) {
    let title = format!(" {} ", values.title);
    let (place, block) = window(&title, values.rows.len(), area, frame);
    let longest = values.rows.iter().map(|[mv, _]| mv.chars().count()).max().unwrap_or(0);
    let widths =
        [Constraint::Length(u16::try_from(longest).unwrap_or(u16::MAX)), Constraint::Min(24)];
    let rows = values.rows.iter().map(|cells| Row::new(cells.each_ref().map(String::as_str)));
    frame.render_widget(Table::new(rows, widths).column_spacing(2).block(block), place);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use leap_protocol::payload::Side;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;
    use leap_board::Board;
    use leap_client::notation::Placement;

    fn board(lines: &[&str]) -> Board {
        Board::parse(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>())
    }

    fn cells() -> Board {
        let man = "piece M name man owner p1 value 1";
        let colours = "colours p1 black p2 white";
        board(&["files 4 ranks 3 kind cells", man, "piece m name man owner p2 value 1", colours])
    }

    fn scene<'a>(board: &'a Board, placement: &'a Placement) -> Scene<'a> {
        Scene {
            board,
            placement,
            bottom: Side::P1,
            cursor: "a1",
            marks: BTreeMap::new(),
            facts: vec!["game".to_owned(), "black is to move".to_owned()],
            kinds: Vec::new(),
            thought: vec!["+0.10 for black at depth 3".to_owned(), "a1b2 d3c2".to_owned()],
            moves: &[],
            entered: String::new(),
            input: "",
            notice: "",
            prompt: "choose a man".to_owned(),
            shows_help: false,
            values: None,
            lesson: None,
            has_colour: false,
        }
    }

    /// The screen without trailing blanks.
    fn screen(scene: &Scene, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(scene, frame)).unwrap();
        let buffer = terminal.backend().buffer();
        let row = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
        (0..height).map(|y| row(y).trim_end().to_owned() + "\n").collect()
    }

    #[test]
    fn cells_have_lines_between_them_and_marks_beside_the_pieces() {
        let (board, placement) = (cells(), Placement::parse("m2m/1m2/M2M").unwrap());
        let mut scene = scene(&board, &placement);
        let marks = [
            ("a1", Mark::Here),
            ("c3", Mark::Land),
            ("b1", Mark::Drop),
            ("b2", Mark::Victim),
            ("d3", Mark::Land),
        ];
        scene.marks = marks.map(|(square, mark)| (square.to_owned(), mark)).into();
        scene.cursor = "c3";
        let moves = ["a1b2", "d3c2", "b2c3xd4"].map(str::to_owned);
        scene.moves = &moves;
        (scene.entered, scene.input) = ("a1".to_owned(), "c3");
        (scene.notice, scene.prompt) = ("b3: the square is taken", "where to?".to_owned());
        insta::assert_snapshot!(screen(&scene, 60, 15));
    }

    #[test]
    fn the_second_player_can_sit_below() {
        let (board, placement) = (cells(), Placement::parse("m3/4/3M").unwrap());
        let scene = Scene { bottom: Side::P2, ..scene(&board, &placement) };
        insta::assert_snapshot!(screen(&scene, 60, 12));
    }

    #[test]
    fn where_there_is_little_room_there_are_no_lines() {
        let (board, placement) = (cells(), Placement::parse("m2m/4/M2M").unwrap());
        insta::assert_snapshot!(screen(&scene(&board, &placement), 50, 10));
    }

    #[test]
    fn where_there_is_too_little_room_it_says_so() {
        let (board, placement) = (cells(), Placement::parse("m2m/4/M2M").unwrap());
        let scene = scene(&board, &placement);
        for (width, height) in [(20, 20), (60, 6), (1, 1)] {
            let screen = screen(&scene, width, height);
            assert!(width < 20 || screen.starts_with("this window is"), "{screen}");
            let words = screen.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(width < 20 || words.contains("41 columns and 8 rows"), "{screen}");
        }
    }

    #[test]
    fn where_there_is_little_room_refusals_marks_and_prompts_are_still_there() {
        let (board, placement) = (cells(), Placement::parse("m2m/4/M2M").unwrap());
        let marks = [("a1".to_owned(), Mark::Origin)].into();
        let prompt = "choose a man".to_owned();
        let scene = Scene { marks, notice: "b2: empty", prompt, ..scene(&board, &placement) };
        let screen = screen(&scene, 60, 8);
        for part in ["<> can move", "b2: empty", "choose a man", "move> _"] {
            assert!(screen.contains(part), "{part} is not in {screen}");
        }
        assert!(!screen.contains("arrows"), "{screen}");
    }

    #[test]
    fn points_are_joined_by_their_lines() {
        let lines = [
            "files 3 ranks 3 kind points",
            "line a1 a2",
            "line a2 a3",
            "line a1 b1",
            "line b1 c1",
            "line a1 b2",
            "line b2 c3",
            "line a2 b1",
            "line a3 c1",
            "piece M name man owner p1 value 1",
            "piece m name man owner p2 value 1",
        ];
        let (board, placement) = (board(&lines), Placement::parse("m1m/1m1/M1M").unwrap());
        let scene = Scene { cursor: "b1", ..scene(&board, &placement) };
        insta::assert_snapshot!(screen(&scene, 50, 11));
    }

    #[test]
    fn each_rank_of_hexagons_begins_half_a_hexagon_further_right() {
        let lines = [
            "files 3 ranks 3 kind hexagons",
            "hole a1",
            "hole c3",
            "piece M name stone owner p1 value 1",
            "piece m name stone owner p2 value 1",
            "colours p1 red p2 blue",
        ];
        let (board, placement) = (board(&lines), Placement::parse("1m1/1M1/2M").unwrap());
        let marks = [("a2".to_owned(), Mark::Land), ("a3".to_owned(), Mark::Trace)].into();
        let scene = Scene { cursor: "b2", marks, ..scene(&board, &placement) };
        let below = |scene: &Scene, labels: [&str; 3]| {
            let screen = screen(scene, 60, 10);
            for (line, label) in screen.lines().zip(labels) {
                assert!(line.starts_with(label), "{label} does not begin {line:?}");
            }
            screen.lines().take(3).map(|line| line.matches('·').count()).sum::<usize>()
        };
        // Seven cells: three with pieces, and one where a piece may go.
        assert_eq!(below(&scene, ["     3", "   2", " 1"]), 3);
        assert_eq!(below(&Scene { bottom: Side::P2, ..scene }, ["     1", "   2", " 3"]), 3);
    }

    #[test]
    fn pieces_are_told_apart_without_colours() {
        let lines = [
            "files 6 ranks 1 kind cells",
            "piece C name cross owner p1 value 1",
            "piece C~ name stop owner p2 value 1",
            "piece S name star owner p1 value 1",
            "piece s name star owner p2 value 1",
            "piece s~ name stop owner p1 value 1",
            "piece g name green owner none value 1",
        ];
        let (board, placement) = (board(&lines), Placement::parse("CSss~C~g").unwrap());
        let screen = screen(&scene(&board, &placement), 60, 8);
        assert!(screen.contains("│[C]│ S │ s │ S~│ c~│ g │"), "{screen}");
    }

    #[test]
    fn a_page_of_the_rules_has_its_own_position_and_text() {
        let board = cells();
        let lesson = Lesson {
            title: "Runners".to_owned(),
            heading: "Captures".to_owned(),
            text: "A runner that is jumped over leaves the board at once.".to_owned(),
            caption: "a1c3: the runner on b2 is captured.".to_owned(),
            number: [2, 7],
            placement: Placement::parse("4/1m2/M3").unwrap(),
            marks: BTreeMap::new(),
        };
        let marks = [("a1", Mark::Here), ("b2", Mark::Victim), ("c3", Mark::Land)];
        let marks = marks.map(|(square, mark)| (square.to_owned(), mark)).into();
        let placement = &lesson.placement;
        let scene = Scene { cursor: "", marks, lesson: Some(&lesson), ..scene(&board, placement) };
        insta::assert_snapshot!(screen(&scene, 60, 15));
    }

    #[test]
    fn exact_values_are_a_table_in_front_of_the_board() {
        let (board, placement) = (cells(), Placement::parse("m2m/1m2/M2M").unwrap());
        let rows = [["a1b2", "black wins, capture or end in 3 plies"], ["a1b1", "draw by count"]];
        let values = ExactValues {
            title: "Black wins, capture or end in 3 plies".to_owned(),
            rows: rows.map(|row| row.map(str::to_owned)).into(),
        };
        insta::assert_snapshot!(screen(
            &Scene { values: Some(&values), ..scene(&board, &placement) },
            80,
            15
        ));
    }

    #[test]
    fn the_help_has_all_words() {
        let (board, placement) = (cells(), Placement::parse("4/4/4").unwrap());
        let scene = Scene { shows_help: true, ..scene(&board, &placement) };
        insta::assert_snapshot!(screen(&scene, 80, 24));
    }
}
