//! Tables and charts about strength, made from rows of measurements.

mod charts;
mod data;
mod pages;
mod tables;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use data::Data;

/// A file that the rows decide, and what it should be.
type Made = (PathBuf, String);

/// Everything that the rows decide: pages with their tables, and charts.
fn made(root: &Path) -> Result<Vec<Made>> {
    let data = Data::read(&root.join("benches/strength"), &root.join("tables"))?;
    let mut all = pages::filled(root, &data)?;
    all.extend(charts::drawn(root, &data)?);
    Ok(all)
}

fn read(path: &Path) -> Result<String> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(text.replace("\r\n", "\n"))
}

/// Writes the pages and charts anew.
///
/// # Errors
/// A file cannot be read or written, a row is malformed, or a page names an unknown table.
pub fn update(root: &Path) -> Result<()> {
    for (path, text) in made(root)? {
        let folder = path.parent().context("expected a file in a folder")?;
        fs::create_dir_all(folder)?;
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Compares the pages and charts with the rows.
///
/// # Errors
/// A page or chart differs, or one of the errors of [`update`].
pub fn check(root: &Path) -> Result<()> {
    for (path, text) in made(root)? {
        if read(&path)? != text {
            bail!("{} is not what the rows give: run 'just pages'", path.display());
        }
    }
    Ok(())
}
