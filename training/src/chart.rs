//! A chart of the losses.

use anyhow::Result;
use plotters::prelude::*;

use crate::loss::Losses;

/// The width and height of the chart, in pixels.
const SIZE: (u32, u32) = (720, 400);

/// A curve: its name, its colour, and the loss that it shows.
type Curve = (&'static str, RGBColor, fn(&Losses) -> f64);

const CURVES: [Curve; 3] = [
    ("fitted", RGBColor(31, 119, 180), |losses| losses.fitted),
    ("held out", RGBColor(214, 39, 40), |losses| losses.held_out),
    ("results, held out", RGBColor(44, 160, 44), |losses| losses.results),
];

/// Draws the losses before the first epoch and after each epoch, as SVG.
///
/// # Errors
/// The picture cannot be drawn.
pub(crate) fn draw(losses: &[Losses]) -> Result<String> {
    let all = || losses.iter().flat_map(|losses| CURVES.map(|(_, _, of)| of(losses)));
    let lowest = all().fold(f64::INFINITY, f64::min);
    let highest = all().fold(lowest, f64::max);
    let room = ((highest - lowest) / 20.0).max(1e-4);
    let mut picture = String::new();
    let area = SVGBackend::with_string(&mut picture, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(60)
        .build_cartesian_2d(0..losses.len().max(2) - 1, lowest - room..highest + room)?;
    chart
        .configure_mesh()
        .x_desc("epoch")
        .y_desc("cross entropy")
        .light_line_style(WHITE)
        .draw()?;
    for (name, colour, of) in CURVES {
        let points = losses.iter().map(of).enumerate();
        chart
            .draw_series(LineSeries::new(points, colour.stroke_width(2)))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour));
    }
    chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
    area.present()?;
    drop((chart, area));
    Ok(picture)
}
