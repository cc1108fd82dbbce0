//! What was tried by kind: a dot for each match, at its Elo.

use anyhow::Result;
use plotters::prelude::*;

use super::{GRID, INK, KEPT, LEFT_OUT, picture, text};
use crate::data::{Data, Kept, Match};
use crate::tables::RELEASE;

const WIDTH: u32 = 760;
const STRIP: u32 = 44;
/// The space for title and axis, in pixels.
const FRAME: u32 = 110;
/// Elo at the left and at the right. Dots beyond stand there.
const RANGE: (f64, f64) = (-250.0, 350.0);

/// Draws the matches of a game, or of all games.
pub(super) fn draw(data: &Data, game: Option<&str>) -> Result<String> {
    let of_game = |row: &&Match| game.is_none_or(|game| row.game == game);
    let tried = |row: &&Match| row.kind != RELEASE && row.kept != Kept::Neither;
    let rows: Vec<_> = data.results.iter().filter(of_game).filter(tried).collect();
    let rows: Vec<_> = rows.into_iter().filter_map(|row| Some((row, row.elo()?))).collect();
    let mut kinds: Vec<_> = rows.iter().map(|(row, _)| row.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let strips = u32::try_from(kinds.len())?;
    picture((WIDTH, FRAME + STRIP * strips), |area| {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_right(24)
            .caption("Elo of what was tried; green: kept, orange: left out", text(15))
            .x_label_area_size(40)
            .y_label_area_size(90)
            .build_cartesian_2d(RANGE.0..RANGE.1, (0.0..f64::from(strips)).step(1.0))?;
        chart
            .configure_mesh()
            .disable_y_axis()
            .disable_y_mesh()
            .x_labels(13)
            .x_label_formatter(&|elo| format!("{elo:+.0}"))
            .x_desc("Elo against the engine without the change")
            .label_style(text(12))
            .axis_style(INK)
            .bold_line_style(GRID)
            .light_line_style(GRID.mix(0.0))
            .draw()?;
        chart.draw_series([PathElement::new([(0.0, 0.0), (0.0, f64::from(strips))], INK)])?;
        for (strip, kind) in kinds.iter().enumerate() {
            let bottom = f64::from(strips) - 1.0 - strip as f64;
            let name = EmptyElement::at((RANGE.0, bottom + 0.5))
                + Text::new((*kind).to_owned(), (-86, -6), text(13));
            chart.plotting_area().draw(&name)?;
            let here: Vec<_> = rows.iter().filter(|(row, _)| row.kind == *kind).collect();
            for (index, (row, (elo, low, high))) in here.iter().enumerate() {
                let at = bottom + (index as f64 + 1.0) / (here.len() as f64 + 1.0);
                let colour = if row.kept == Kept::Yes { KEPT } else { LEFT_OUT };
                let inside = |elo: f64| elo.clamp(RANGE.0, RANGE.1);
                let ends = [(inside(*low), at), (inside(*high), at)];
                chart.draw_series([PathElement::new(ends, colour.mix(0.35))])?;
                chart.draw_series([Circle::new((inside(*elo), at), 3, colour.filled())])?;
            }
        }
        Ok(())
    })
}
