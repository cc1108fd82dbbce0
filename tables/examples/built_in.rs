//! Makes the built-in tables anew and writes them to `tables/data`.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use leap_tables::make::{self, Wanted};
use leap_tables::{BUILT_IN, Capture, EndgameTablebase};

fn main() -> Result<()> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    for capture in [Capture::Optional, Capture::Mandatory] {
        let made = tempfile::tempdir()?;
        let directory = made.path().to_owned();
        let wanted = Wanted { capture, men: BUILT_IN, directory, save_every: Duration::MAX };
        make::make(&wanted, &mut |_| {})?;
        let mut tables = EndgameTablebase::new(capture);
        let refused = tables.open(made.path());
        ensure!(refused.is_empty(), "{refused:?}");
        let path = data.join(format!("alquerque-{capture}.tables"));
        std::fs::write(&path, make::built_in(&tables)?)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
