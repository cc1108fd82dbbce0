//! Makes the built-in tables anew and writes them to `tables/data`.

use std::path::Path;

use anyhow::{Context as _, Result};
use leap_tables::{BUILT_IN, CaptureRule, make};

fn main() -> Result<()> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    for capture in [CaptureRule::Optional, CaptureRule::Mandatory] {
        let made = tempfile::tempdir()?;
        let tables = make::tables(capture, BUILT_IN, made.path())?;
        let path = data.join(format!("alquerque-{capture}.tables"));
        std::fs::write(&path, make::built_in(&tables)?)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
