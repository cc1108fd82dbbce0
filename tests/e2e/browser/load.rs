//! How the page loads on a slow machine over a slow line. The figures are printed; docs/browser.md has them.

use serde::Deserialize;

use super::page::with_page;

/// The most bytes of a first visit.
const MOST_BYTES: u64 = 400_000;

/// Notes when a board with pieces has been painted, and how far things jump.
const WATCH: &str = "
    window.load = { board: null, shifts: 0 };
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) window.load.shifts += value;
    }).observe({ type: 'layout-shift', buffered: true });
    const look = () => {
      const hasBoard = document.querySelector('#board .place[data-piece] *');
      if (!hasBoard) return requestAnimationFrame(look);
      requestAnimationFrame(() => setTimeout(() => { window.load.board = performance.now(); }));
    };
    requestAnimationFrame(look);";

/// What has been loaded: the milliseconds until the board was painted, the layout shift, and the files with their bytes.
#[derive(Debug, Deserialize)]
struct Load {
    board: f64,
    shifts: f64,
    files: u64,
    bytes: u64,
}

const LOADED: &str = "
    const files = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    return { ...window.load, files: files.length, bytes: files.reduce((sum, { transferSize }) => sum + transferSize, 0) };";

#[allow(clippy::print_stdout, reason = "figures of a measurement")]
#[test]
#[ignore = "slow: run by .ci/run"]
fn a_first_visit_on_a_slow_machine_is_light_and_nothing_jumps() {
    with_page(|page| async move {
        page.run_first(WATCH).await;
        for (width, height) in [(390, 844), (1366, 768)] {
            page.on_screen(width, height).await;
            for (name, slowdown, line) in [
                ("this machine", 1, None),
                ("processor 4 times slower", 4, None),
                ("processor 4 times slower, Fast 3G", 4, Some((562.5, 180_000))),
            ] {
                page.slow_down(slowdown, line).await;
                page.forget_tab().await;
                page.reload().await;
                page.wait_until("the board is painted", "return window.load.board !== null").await;
                page.settled().await;
                let load: Load = serde_json::from_value(page.run(LOADED, vec![]).await).unwrap();
                println!(
                    "{width}x{height}, {name}: board after {:.0} ms, {} files, {} bytes, layout shift {:.3}",
                    load.board, load.files, load.bytes, load.shifts
                );
                assert!(load.bytes <= MOST_BYTES, "{name}: {load:?}");
                assert!(load.shifts < 0.001, "{name}: {load:?}");
            }
            page.slow_down(1, None).await;
        }
    });
}
