//! The charts, as SVG. They follow the light or dark scheme of the reader.

mod releases;
mod speed;
mod tried;

use std::path::Path;

use anyhow::{Context, Result};
use plotters::prelude::*;

use leap_games::IDS;

use crate::Made;
use crate::data::Data;

/// Colours that can be seen on white and on black.
const KEPT: RGBColor = RGBColor(46, 160, 67);
const LEFT_OUT: RGBColor = RGBColor(219, 97, 51);
const OURS: RGBColor = RGBColor(56, 132, 214);
const OTHER: RGBColor = RGBColor(140, 140, 140);
/// The colours that a dark scheme replaces.
const PAPER: RGBColor = RGBColor(255, 255, 255);
const INK: RGBColor = RGBColor(34, 34, 34);
const GRID: RGBColor = RGBColor(221, 221, 221);

const DARK: &str = "<style>@media (prefers-color-scheme: dark) {\
    [fill=\"#FFFFFF\"] { fill: #0d1117; } [fill=\"#222222\"] { fill: #e6edf3; } \
    [stroke=\"#222222\"] { stroke: #e6edf3; } [stroke=\"#DDDDDD\"] { stroke: #30363d; } }</style>\n";

const FONT: &str = "sans-serif";

/// Where a drawing function draws.
type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// Text in ink.
fn text(size: u32) -> TextStyle<'static> {
    (FONT, size).into_font().color(&INK)
}

/// A picture of a size in pixels.
fn picture(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Result<()>) -> Result<String> {
    let mut picture = String::new();
    let area = SVGBackend::with_string(&mut picture, size).into_drawing_area();
    area.fill(&PAPER)?;
    draw(&area)?;
    area.present()?;
    drop(area);
    let head = picture.find('\n').context("expected lines in an SVG file")? + 1;
    picture.insert_str(head, DARK);
    Ok(picture)
}

/// All charts.
///
/// # Errors
/// One of the charts cannot be drawn.
pub(crate) fn drawn(root: &Path, data: &Data) -> Result<Vec<Made>> {
    let folder = root.join("docs/images/strength");
    let mut all = vec![
        (folder.join("releases.svg"), releases::draw(data)?),
        (folder.join("tried.svg"), tried::draw(data, None)?),
        (folder.join("speed.svg"), speed::draw(data)?),
    ];
    for game in &IDS {
        all.push((folder.join(format!("tried-{game}.svg")), tried::draw(data, Some(game))?));
    }
    Ok(all)
}
