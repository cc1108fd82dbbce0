//! Elo of each game against fixed releases, over time.

use std::collections::BTreeSet;

use anyhow::Result;
use plotters::prelude::*;

use leap_games::{IDS, TITLES};

use super::{Area, GRID, INK, LEFT_OUT, OURS, picture, text};
use crate::data::{Data, Match};
use crate::tables::{FIXED, RELEASE, has_clock, release_rows};

const PANEL: (u32, u32) = (760, 190);
/// Elo at the bottom and at the top. Intervals are cut there.
const RANGE: (f64, f64) = (-150.0, 500.0);

/// Draws a panel for each game.
pub(super) fn draw(data: &Data) -> Result<String> {
    let panels = IDS.into_iter().zip(TITLES);
    let height = PANEL.1 * u32::try_from(IDS.len())?;
    let matches = data.results.iter().filter(|row| row.kind == RELEASE);
    let days: BTreeSet<_> = matches.map(|row| row.date.as_str()).collect();
    let days: Vec<_> = days.into_iter().collect();
    picture((PANEL.0, height), |area| {
        for ((game, title), panel) in panels.zip(area.split_evenly((IDS.len(), 1))) {
            let rows: Vec<_> = release_rows(data, game).collect();
            draw_panel(title, &rows, &days, &panel)?;
        }
        Ok(())
    })
}

/// The place of each row: a day with matches is one unit, which the rows of that day share evenly.
fn places(rows: &[&Match], days: &[&str]) -> Vec<f64> {
    let place = |(index, row): (usize, &&Match)| {
        let of_day: Vec<_> = (0..rows.len()).filter(|&k| rows[k].date == row.date).collect();
        let rank = of_day.iter().position(|&k| k == index).unwrap_or(0) + 1;
        let day = days.iter().position(|day| *day == row.date).unwrap_or(0);
        day as f64 + rank as f64 / (of_day.len() + 1) as f64
    };
    rows.iter().enumerate().map(place).collect()
}

fn draw_panel(title: &str, rows: &[&Match], days: &[&str], panel: &Area<'_>) -> Result<()> {
    let mut chart = ChartBuilder::on(panel)
        .margin(8)
        .margin_right(24)
        .caption(title, text(15))
        .x_label_area_size(24)
        .y_label_area_size(48)
        .build_cartesian_2d(0.0..days.len().max(1) as f64, RANGE.0..RANGE.1)?;
    let label =
        |at: &f64| days.get(at.floor() as usize).map_or_else(String::new, ToString::to_string);
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(days.len() + 1)
        .x_label_formatter(&label)
        .y_labels(7)
        .y_label_formatter(&|elo| format!("{elo:+.0}"))
        .y_desc("Elo")
        .label_style(text(12))
        .axis_style(INK)
        .bold_line_style(GRID)
        .light_line_style(GRID.mix(0.0))
        .draw()?;
    let zero = [(0.0, 0.0), (days.len() as f64, 0.0)];
    chart.draw_series([PathElement::new(zero, INK)])?;
    let places = places(rows, days);
    for (row, at) in rows.iter().zip(places) {
        let colour = if row.opponent == FIXED { OURS } else { LEFT_OUT };
        let Some((elo, low, high)) = row.elo() else {
            // All games were won: there is no Elo, so a triangle points beyond the top.
            chart.draw_series([TriangleMarker::new((at, RANGE.1 - 40.0), 7, colour.filled())])?;
            continue;
        };
        let ends = [low, high].map(|elo| (at, elo.clamp(RANGE.0, RANGE.1)));
        chart.draw_series([PathElement::new(ends, colour.stroke_width(2))])?;
        let style = ShapeStyle { color: colour.into(), filled: has_clock(row), stroke_width: 2 };
        chart.draw_series([Circle::new((at, elo.clamp(RANGE.0, RANGE.1)), 4, style)])?;
    }
    Ok(())
}
