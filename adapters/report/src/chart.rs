//! Diagrams in SVG, drawn by plotters: a frame with axes, and marks within it.
//!
//! plotters writes colours as attributes. The page's style sheet has its own for each class, and those win.

use std::io;
use std::ops::Range;

use maud::{Markup, PreEscaped, html};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::types::RangedCoordf64;
use plotters::element::{Drawable, PointCollection};
use plotters::prelude::*;

/// The size of the diagram. plotters knows whole coordinates only, so these are tenths of what is visible.
const WIDTH: u32 = 4000;
const HEIGHT: u32 = 2200;
/// The part within the axes.
const LEFT: u32 = 480;
const TOP: u32 = 80;
const INNER_WIDTH: u32 = WIDTH - LEFT - 120;
const INNER_HEIGHT: u32 = HEIGHT - TOP - 400;
/// Room on each side of marks: plotters bends lines at the edge of its picture, so the picture is larger.
const ROOM: u32 = 10 * WIDTH;
/// The size of letters. plotters divides it by 1.24.
const TEXT: u32 = 155;
/// The gap on each side of a bar.
const GAP: u32 = 5;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<io::Error>>;

/// One axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    from: f64,
    to: f64,
    label: &'static str,
    /// Whether there is nothing between whole numbers.
    counts: bool,
}

impl Axis {
    /// Creates an axis between two values; an empty range is widened.
    pub(super) fn new(label: &'static str, from: f64, to: f64) -> Self {
        let to = if to > from { to } else { from + 1.0 };
        Self { from, to, label, counts: false }
    }

    /// Creates an axis of whole numbers.
    pub(super) fn counting(label: &'static str, from: f64, to: f64) -> Self {
        Self { counts: true, ..Self::new(label, from, to) }
    }

    fn range(&self) -> Range<f64> {
        self.from..self.to
    }

    /// The most values that the axis names.
    fn most_ticks(&self) -> usize {
        if self.counts { 6.min((self.to - self.from) as usize + 1) } else { 6 }
    }

    /// Moves a value far outside nearer, where it is invisible too: coordinates of plotters would overflow.
    fn within_room(&self, value: f64) -> f64 {
        let reach = 10.0 * (self.to - self.from);
        if value.is_nan() { self.from } else { value.clamp(self.from - reach, self.to + reach) }
    }
}

/// The two axes of a diagram.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The horizontal axis.
    pub(super) x: Axis,
    /// The vertical axis.
    pub(super) y: Axis,
}

impl Frame {
    /// A diagram: axes with marks within them. `text` describes it in words.
    pub(super) fn draw(&self, text: &str, marks: &Markup) -> Markup {
        html! {
            svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(text) {
                g class="grid" { (drawn((WIDTH, HEIGHT), |area| self.grid(area))) }
                // A nested element clips everything outside.
                svg x=(LEFT) y=(TOP) width=(INNER_WIDTH) height=(INNER_HEIGHT)
                    viewBox=(format!("{ROOM} {ROOM} {INNER_WIDTH} {INNER_HEIGHT}")) { (marks) }
            }
        }
    }

    fn grid(&self, area: &Area<'_>) -> Drawn {
        let text = ("system-ui, sans-serif", TEXT);
        ChartBuilder::on(area)
            .margin_top(TOP)
            .margin_right(WIDTH - LEFT - INNER_WIDTH)
            .set_label_area_size(LabelAreaPosition::Left, LEFT)
            .set_label_area_size(LabelAreaPosition::Bottom, HEIGHT - TOP - INNER_HEIGHT)
            .build_cartesian_2d(self.x.range(), self.y.range())?
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.stroke_width(10))
            .axis_style(BLACK.stroke_width(10))
            .set_all_tick_mark_size(40)
            .label_style(text)
            .axis_desc_style(text)
            .x_desc(self.x.label)
            .y_desc(self.y.label)
            .x_labels(self.x.most_ticks())
            .y_labels(self.y.most_ticks())
            .x_label_formatter(&|value| short(*value))
            .y_label_formatter(&|value| short(*value))
            .draw()
    }

    /// A shape within the axes.
    fn mark<E>(&self, shape: E) -> Markup
    where
        for<'a> &'a E: PointCollection<'a, (f64, f64)>,
        for<'a> E: Drawable<SVGBackend<'a>>,
    {
        // A chart of plotters would bend lines at the ends of its axes, so this is a plain area.
        let [left, top] = [ROOM as i32; 2];
        let (right, bottom) = (left + INNER_WIDTH as i32, top + INNER_HEIGHT as i32);
        let (x, y) = (self.x.range(), self.y.range());
        let axes =
            Cartesian2d::<RangedCoordf64, RangedCoordf64>::new(x, y, (left..right, bottom..top));
        drawn((INNER_WIDTH + 2 * ROOM, INNER_HEIGHT + 2 * ROOM), |area| {
            area.apply_coord_spec(axes).draw(&shape)
        })
    }

    fn point(&self, x: f64, y: f64) -> (f64, f64) {
        (self.x.within_room(x), self.y.within_room(y))
    }

    /// A line through points.
    pub(super) fn line(&self, class: &str, points: &[(f64, f64)]) -> Markup {
        let points: Vec<_> = points.iter().map(|(x, y)| self.point(*x, *y)).collect();
        html! { g class=(format!("line {class}")) { (self.mark(PathElement::new(points, BLACK))) } }
    }

    /// The area between a lower and an upper value, from left to right: `(x, low, high)`.
    pub(super) fn band(&self, class: &str, bounds: &[(f64, f64, f64)]) -> Markup {
        let there = bounds.iter().map(|(x, low, _)| self.point(*x, *low));
        let back = bounds.iter().rev().map(|(x, _, high)| self.point(*x, *high));
        let points: Vec<_> = there.chain(back).collect();
        html! { g class=(format!("band {class}")) { (self.mark(Polygon::new(points, BLACK))) } }
    }

    /// Lines along the edges of the diagram where the area of [`Frame::band`] goes on beyond them.
    pub(super) fn cuts(&self, class: &str, bounds: &[(f64, f64, f64)]) -> Markup {
        let Axis { from, to, .. } = self.y;
        // The line lies within the edge by half its own width.
        let inset = 10.0 * (to - from) / f64::from(INNER_HEIGHT);
        let above = runs(bounds, |(_, _, high)| *high > to).map(|run| (run, to - inset));
        let below = runs(bounds, |(_, low, _)| *low < from).map(|run| (run, from + inset));
        html! {
            @for ([left, right], y) in above.chain(below) { (self.line(class, &[(left, y), (right, y)])) }
        }
    }

    /// A bar rising from the axis, with its figures as text.
    pub(super) fn bar(&self, from: f64, to: f64, height: f64, text: &str) -> Markup {
        let mut bar =
            Rectangle::new([self.point(from, 0.0), self.point(to, height)], BLACK.filled());
        bar.set_margin(0, 0, GAP, GAP);
        html! { g class="bar" { title { (text) } (self.mark(bar)) } }
    }
}

/// What plotters draws, without the outermost element.
fn drawn(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Drawn) -> Markup {
    let mut picture = String::new();
    let area = SVGBackend::with_string(&mut picture, size).into_drawing_area();
    draw(&area).and_then(|()| area.present()).expect("writing to a string does not fail");
    drop(area);
    let inner = picture.split_once('>').and_then(|(_, rest)| rest.rsplit_once("</svg>"));
    PreEscaped(inner.expect("one element holds all others").0.to_owned())
}

/// The first and the last `x` of each run of points that `is_beyond` accepts.
fn runs<'a>(
    bounds: &'a [(f64, f64, f64)],
    is_beyond: impl Fn(&(f64, f64, f64)) -> bool + 'a,
) -> impl Iterator<Item = [f64; 2]> + 'a {
    let runs = bounds.split(move |point| !is_beyond(point));
    runs.filter_map(|run| Some([run.first()?.0, run.last()?.0]))
}

/// Formats the value of a tick with as many digits as it needs.
fn short(value: f64) -> String {
    let rounded = (value * 1e4).round() / 1e4;
    match rounded.abs() {
        1e6.. => format!("{}M", rounded / 1e6),
        1e4.. => format!("{}k", rounded / 1e3),
        // Avoids "-0".
        0.0 => "0".to_owned(),
        _ => rounded.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of the horizontal axis, below one of a single value.
    fn ticks(x: Axis) -> Vec<String> {
        let frame = Frame { x, y: Axis::counting("", 0.0, 1.0) };
        let svg = frame.draw("", &html! {}).into_string();
        let texts =
            svg.split("<text ").skip(1).filter(|text| text.contains("text-anchor=\"middle\""));
        let inner = |text: &str| Some(text.split_once('>')?.1.split_once('<')?.0.trim().to_owned());
        texts.filter_map(inner).filter(|text| !text.is_empty()).collect()
    }

    #[test]
    fn ticks_are_round_and_within_the_axis() {
        for (from, to, expected) in [
            (0.0, 10.0, "0 2 4 6 8 10"),
            (-37.0, 81.0, "-20 0 20 40 60 80"),
            (0.0, 0.5, "0 0.1 0.2 0.3 0.4 0.5"),
        ] {
            assert_eq!(ticks(Axis::new("", from, to)).join(" "), expected);
        }
    }

    #[test]
    fn between_two_games_there_is_no_other() {
        assert_eq!(ticks(Axis::counting("", 0.0, 2.0)), ["0", "1", "2"]);
        assert_eq!(ticks(Axis::counting("", 0.0, 1.0)), ["0", "1"]);
    }

    #[test]
    fn a_range_of_nothing_has_ticks_too() {
        assert!(!ticks(Axis::new("", 5.0, 5.0)).is_empty());
    }

    #[test]
    fn an_area_that_goes_on_is_marked_where_it_is_cut_off() {
        let axis = Axis::new("", 0.0, 10.0);
        let frame = Frame { x: axis, y: axis };
        let bounds = [(0.0, -9.0, 5.0), (5.0, 2.0, 99.0), (10.0, 3.0, 99.0)];
        let cuts = frame.cuts("cut", &bounds).into_string();
        assert_eq!(cuts.matches("<polyline").count(), 2, "one above, one below: {cuts}");
        let whole = frame.cuts("cut", &[(0.0, 1.0, 2.0), (5.0, 1.0, 2.0)]).into_string();
        assert_eq!(whole, "");
    }

    #[test]
    fn points_beyond_everything_are_drawn_outside() {
        let axis = Axis::new("", 0.0, 1.0);
        let frame = Frame { x: axis, y: axis };
        let inside = i64::from(ROOM)..=i64::from(ROOM + INNER_HEIGHT);
        for beyond in [1e300, -1e300, f64::INFINITY, f64::NEG_INFINITY, 1.01, -0.01] {
            let line = frame.line("", &[(0.5, beyond), (beyond, 0.5)]).into_string();
            let y =
                line.split("points=\"").nth(1).and_then(|points| points.split([',', ' ']).nth(1));
            let y: i64 = y.unwrap().parse().unwrap();
            assert_eq!(
                (y < *inside.start(), y > *inside.end()),
                (beyond > 0.0, beyond < 0.0),
                "{line}"
            );
        }
        let line = frame.line("", &[(f64::NAN, f64::NAN)]).into_string();
        assert!(line.contains(&format!("\"{ROOM},{} \"", ROOM + INNER_HEIGHT)), "{line}");
    }

    /// The page's rules match elements that plotters chooses.
    #[test]
    fn the_style_sheet_colours_what_is_drawn() {
        let axis = Axis::new("", 0.0, 1.0);
        let frame = Frame { x: axis, y: axis };
        let rules = include_str!("page.css");
        for (mark, rule) in [
            (frame.line("s0", &[(0.0, 0.0), (1.0, 1.0)]), ".line polyline"),
            (frame.band("s0", &[(0.0, 0.0, 1.0), (1.0, 0.0, 1.0)]), ".band polygon"),
            (frame.bar(0.0, 1.0, 1.0, "a & b"), ".bar rect"),
        ] {
            let (class, element) = rule[1..].split_once(' ').unwrap();
            let mark = mark.into_string();
            assert!(rules.contains(&format!("\n{rule} {{")), "{rule}");
            assert!(mark.starts_with(&format!("<g class=\"{class}")), "{mark}");
            assert_eq!(mark.matches(" opacity=").count(), 1, "one shape: {mark}");
            assert_eq!(mark.matches(&format!("<{element} ")).count(), 1, "{mark}");
        }
    }

    #[test]
    fn a_bar_tells_its_figures_and_a_diagram_what_it_shows() {
        let axis = Axis::new("", 0.0, 1.0);
        let frame = Frame { x: axis, y: axis };
        let bar = frame.bar(0.0, 1.0, 1.0, "1–2: <3>");
        assert!(bar.0.contains("<title>1–2: &lt;3&gt;</title>"), "{}", bar.0);
        let whole = frame.draw("Elo of \"a\"", &bar).into_string();
        assert!(whole.contains("role=\"img\" aria-label=\"Elo of &quot;a&quot;\""), "{whole}");
        assert_eq!(whole.matches("<svg").count(), whole.matches("</svg>").count());
    }
}
