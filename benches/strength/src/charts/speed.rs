//! Million nodes a second, a bar for each measurement.

use anyhow::Result;
use plotters::prelude::*;

use leap_games::{IDS, TITLES};

use super::{GRID, INK, OTHER, OURS, picture, text};
use crate::data::{Data, Measure};
use crate::tables::NODES_A_SECOND;

const WIDTH: u32 = 760;
const BAR: u32 = 24;
/// The space for title and axis, in pixels.
const FRAME: u32 = 100;

/// Draws the speed of each game, and of Stockfish for comparison.
pub(super) fn draw(data: &Data) -> Result<String> {
    let of = |game: &str| {
        let is = |row: &&Measure| row.measure == NODES_A_SECOND && row.game == game;
        data.measures.iter().filter(is).collect::<Vec<_>>()
    };
    let others = of("").into_iter().map(|row| ("Stockfish 15.1", row));
    let games = IDS
        .into_iter()
        .zip(TITLES)
        .flat_map(|(game, title)| of(game).into_iter().map(move |row| (title, row)));
    let bars: Vec<_> = games.chain(others).collect();
    let count = u32::try_from(bars.len())?;
    let speed = |row: &Measure| row.value.parse::<f64>().unwrap_or(0.0);
    let most = bars.iter().map(|(_, row)| speed(row)).fold(1.0, f64::max).ceil();
    picture((WIDTH, FRAME + BAR * count), |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_right(24)
            .caption("Million nodes a second, one thread", text(15))
            .x_label_area_size(28)
            .y_label_area_size(220)
            .build_cartesian_2d(0.0..most, 0.0..f64::from(count))?;
        chart
            .configure_mesh()
            .disable_y_axis()
            .disable_y_mesh()
            .label_style(text(12))
            .axis_style(INK)
            .bold_line_style(GRID)
            .light_line_style(GRID.mix(0.0))
            .draw()?;
        for (index, (title, row)) in bars.iter().enumerate() {
            let top = f64::from(count) - index as f64;
            let colour = if row.game.is_empty() { OTHER } else { OURS };
            let corners = [(0.0, top - 0.85), (speed(row), top - 0.15)];
            chart.draw_series([Rectangle::new(corners, colour.filled())])?;
            let name = EmptyElement::at((0.0, top - 0.5))
                + Text::new(format!("{title}, {}", row.date), (-212, -6), text(13));
            chart.plotting_area().draw(&name)?;
        }
        Ok(())
    })
}
