//! Diagrams in SVG: a frame with axes, and marks within it. Colours come from the page's style sheet.

use maud::{Markup, html};

/// The size of the diagram, in its own units.
const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 220.0;
/// The part within the axes.
const LEFT: f64 = 48.0;
const TOP: f64 = 8.0;
const INNER_WIDTH: f64 = WIDTH - LEFT - 12.0;
const INNER_HEIGHT: f64 = HEIGHT - TOP - 40.0;

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

    /// The position of a value, as a share of the axis.
    fn share(&self, value: f64) -> f64 {
        (value - self.from) / (self.to - self.from)
    }

    /// Round values on the axis, about five: multiples of 1, 2 or 5 times a power of ten.
    fn ticks(&self) -> Vec<f64> {
        let rough = (self.to - self.from) / 5.0;
        let power = 10_f64.powf(rough.log10().floor());
        let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough);
        let step = factor.unwrap_or(10.0) * power;
        let step = if self.counts { step.max(1.0) } else { step };
        let (first, last) = ((self.from / step).ceil() as i64, (self.to / step).floor() as i64);
        // The bounds are finite, so there are few ticks; otherwise there would be none.
        (first..=last).take(20).map(|n| n as f64 * step).collect()
    }
}

/// The two axes of a diagram.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) x: Axis,
    pub(super) y: Axis,
}

impl Frame {
    /// A diagram: axes with marks within them. `text` describes it in words.
    pub(super) fn draw(&self, text: &str, marks: &Markup) -> Markup {
        html! {
            svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(text) {
                (self.grid())
                // A nested element clips everything outside.
                svg x=(LEFT) y=(TOP) width=(INNER_WIDTH) height=(INNER_HEIGHT) { (marks) }
            }
        }
    }

    fn grid(&self) -> Markup {
        let bottom = TOP + INNER_HEIGHT;
        html! {
            g class="grid" {
                @for value in self.y.ticks() {
                    @let y = coordinate(TOP + self.vertical(value));
                    line x1=(LEFT) x2=(LEFT + INNER_WIDTH) y1=(y) y2=(y) {}
                    text x=(LEFT - 6.0) y=(y) dy="0.32em" text-anchor="end" { (short(value)) }
                }
                @for value in self.x.ticks() {
                    @let x = coordinate(LEFT + self.horizontal(value));
                    line x1=(x) x2=(x) y1=(bottom) y2=(bottom + 4.0) {}
                    text x=(x) y=(bottom + 15.0) text-anchor="middle" { (short(value)) }
                }
                text x=(LEFT + INNER_WIDTH / 2.0) y=(HEIGHT - 6.0) text-anchor="middle" { (self.x.label) }
                text x="12" y=(TOP + INNER_HEIGHT / 2.0) text-anchor="middle"
                    transform=(format!("rotate(-90 12 {})", TOP + INNER_HEIGHT / 2.0)) { (self.y.label) }
            }
        }
    }

    fn horizontal(&self, x: f64) -> f64 {
        self.x.share(x) * INNER_WIDTH
    }

    fn vertical(&self, y: f64) -> f64 {
        (1.0 - self.y.share(y)) * INNER_HEIGHT
    }

    fn points(&self, points: impl IntoIterator<Item = (f64, f64)>) -> String {
        let text =
            |(x, y)| format!("{},{}", coordinate(self.horizontal(x)), coordinate(self.vertical(y)));
        points.into_iter().map(text).collect::<Vec<_>>().join(" ")
    }

    /// A line through points.
    pub(super) fn line(&self, class: &str, points: &[(f64, f64)]) -> Markup {
        html! { polyline class=(format!("line {class}")) points=(self.points(points.iter().copied())) {} }
    }

    /// The area between a lower and an upper value, from left to right: `(x, low, high)`.
    pub(super) fn band(&self, class: &str, bounds: &[(f64, f64, f64)]) -> Markup {
        let there = bounds.iter().map(|(x, low, _)| (*x, *low));
        let back = bounds.iter().rev().map(|(x, _, high)| (*x, *high));
        html! { polygon class=(format!("band {class}")) points=(self.points(there.chain(back))) {} }
    }

    /// Lines along the edges of the diagram where the area of [`Frame::band`] goes on beyond them.
    pub(super) fn cuts(&self, class: &str, bounds: &[(f64, f64, f64)]) -> Markup {
        let Axis { from, to, .. } = self.y;
        // Within the edge by half the width of the line.
        let inset = (to - from) / INNER_HEIGHT;
        let above = runs(bounds, |(_, _, high)| *high > to).map(|run| (run, to - inset));
        let below = runs(bounds, |(_, low, _)| *low < from).map(|run| (run, from + inset));
        html! {
            @for ([left, right], y) in above.chain(below) { (self.line(class, &[(left, y), (right, y)])) }
        }
    }

    /// A bar rising from the axis, with its figures as text.
    pub(super) fn bar(&self, from: f64, to: f64, height: f64, text: &str) -> Markup {
        let (left, right) = (self.horizontal(from) + 0.5, self.horizontal(to) - 0.5);
        let top = self.vertical(height);
        html! {
            rect class="bar" x=(coordinate(left)) y=(coordinate(top)) width=(coordinate((right - left).max(0.5)))
                height=(coordinate(INNER_HEIGHT - top)) { title { (text) } }
        }
    }
}

/// The first and the last `x` of each run of points that `is_beyond` accepts.
fn runs<'a>(
    bounds: &'a [(f64, f64, f64)],
    is_beyond: impl Fn(&(f64, f64, f64)) -> bool + 'a,
) -> impl Iterator<Item = [f64; 2]> + 'a {
    let runs = bounds.split(move |point| !is_beyond(point));
    runs.filter_map(|run| Some([run.first()?.0, run.last()?.0]))
}

/// Formats a coordinate with one decimal, which is more than visible.
fn coordinate(value: f64) -> f64 {
    // Points far outside are invisible too, and clamping keeps them finite.
    let value = if value.is_finite() { value.clamp(-9999.0, 9999.0) } else { 0.0 };
    (value * 10.0).round() / 10.0
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

    #[test]
    fn ticks_are_round_and_within_the_axis() {
        for (from, to, expected) in [
            (0.0, 10.0, vec![0.0, 2.0, 4.0, 6.0, 8.0, 10.0]),
            (-37.0, 81.0, vec![0.0, 50.0]),
            (0.0, 0.5, vec![0.0, 0.1, 0.2, 0.3, 0.4, 0.5]),
        ] {
            let ticks: Vec<String> =
                Axis::new("", from, to).ticks().into_iter().map(short).collect();
            assert_eq!(ticks, expected.into_iter().map(short).collect::<Vec<_>>());
        }
    }

    #[test]
    fn between_two_games_there_is_no_other() {
        assert_eq!(Axis::counting("", 0.0, 2.0).ticks(), [0.0, 1.0, 2.0]);
    }

    #[test]
    fn a_range_of_nothing_has_ticks_too() {
        assert!(!Axis::new("", 5.0, 5.0).ticks().is_empty());
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
    fn points_beyond_everything_stay_numbers() {
        let axis = Axis::new("", 0.0, 1.0);
        let frame = Frame { x: axis, y: axis };
        let line = frame.line("", &[(f64::INFINITY, f64::NAN), (0.5, 1e300)]).into_string();
        assert!(!line.contains("inf") && !line.contains("NaN"), "{line}");
    }
}
