//! How the page loads on a slow machine over a slow line. The figures are printed; docs/browser.md has them.

use serde::Deserialize;

use super::page::{Page, with_page};

/// The most bytes of a first visit, and of a later one.
const MOST_BYTES: u64 = 120_000;
const MOST_AGAIN: u64 = 4_000;

/// The most pixels by which men move when the page draws its own board: the coordinates of a small board are larger.
const MOST_MOVED: f64 = 8.0;

/// Notes when a board with pieces has been painted, where the middle of each side's men is, and how far things jump.
const WATCH: &str = "
    window.load = { board: null, shifts: 0 };
    window.men = () => ['m', 'M'].flatMap((man) => {
      const places = [...document.querySelectorAll(`#board .place[data-piece=${man}]`)];
      const boxes = places.map((place) => place.getBoundingClientRect());
      const end = (pick, side) => pick(...boxes.map((box) => box[side]));
      const middle = (from, to) => (end(Math.min, from) + end(Math.max, to)) / 2;
      return [middle('left', 'right'), middle('top', 'bottom')];
    });
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) window.load.shifts += value;
    }).observe({ type: 'layout-shift', buffered: true });
    const look = () => {
      const hasBoard = document.querySelector('#board .place[data-piece] *');
      if (!hasBoard) return requestAnimationFrame(look);
      window.first = men();
      requestAnimationFrame(() => setTimeout(() => { window.load.board = performance.now(); }));
    };
    requestAnimationFrame(look);";

/// What has been loaded: the milliseconds until the board was painted, the layout shift, and the files with their bytes.
/// `moved` has the pixels by which the men moved afterwards.
#[derive(Debug, Deserialize)]
struct Load {
    board: f64,
    shifts: f64,
    moved: f64,
    files: u64,
    bytes: u64,
}

const LOADED: &str = "
    const files = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    const moved = Math.max(...men().map((side, at) => Math.abs(side - window.first[at])));
    return { ...window.load, moved, files: files.length, bytes: files.reduce((sum, { transferSize }) => sum + transferSize, 0) };";

/// The latency of a line in milliseconds, and its bytes a second.
type Line = (f64, i64);

/// A name, how many times slower the processor is, and a line.
type Machine = (&'static str, u32, Option<Line>);

/// What the page is loaded on. The line of 150 ms is that of a telephone in Lighthouse, and Fast
/// 3G is that of Chromium's developer tools.
const MACHINES: [Machine; 4] = [
    ("this machine", 1, None),
    ("processor 4 times slower", 4, None),
    ("processor 4 times slower, 150 ms and 1.6 Mbit/s", 4, Some((150.0, 204_800))),
    ("processor 4 times slower, Fast 3G", 4, Some((562.5, 180_000))),
];

/// Leaves nothing of earlier visits when the page is left, its address included.
const FORGET: &str = "
    history.replaceState(null, '', location.pathname);
    const store = localStorage;
    addEventListener('pagehide', () => store.clear());";

/// Loads the page anew.
#[allow(clippy::print_stdout, reason = "figures of a measurement")]
async fn load(page: &Page, about: &str) -> Load {
    page.forget_tab().await;
    page.reload().await;
    page.wait_until("the board is painted", "return window.load.board !== null").await;
    page.settled().await;
    let load: Load = serde_json::from_value(page.run(LOADED, vec![]).await).unwrap();
    println!(
        "{about}: board after {:.0} ms, {} files, {} bytes, layout shift {:.3}",
        load.board, load.files, load.bytes, load.shifts
    );
    load
}

fn is_light_and_nothing_jumps(machines: &[Machine]) {
    with_page(async move |page| {
        page.run_first(WATCH).await;
        for (width, height) in [(390, 844), (1366, 768)] {
            page.on_screen(width, height).await;
            for &(name, slowdown, line) in machines {
                page.slow_down(slowdown, line).await;
                for (visit, most) in [("first", MOST_BYTES), ("second", MOST_AGAIN)] {
                    page.keep_files(visit == "second").await;
                    if visit == "first" {
                        page.run(FORGET, vec![]).await;
                    }
                    let about = format!("{width}x{height}, {name}, {visit} visit");
                    let load = load(&page, &about).await;
                    assert!(load.bytes <= most, "{about}: {load:?}");
                    assert!(load.shifts < 0.001, "{about}: {load:?}");
                    assert!(load.moved < MOST_MOVED, "{about}: {load:?}");
                }
            }
            page.slow_down(1, None).await;
        }
    });
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn a_visit_on_a_slow_machine_is_light_and_nothing_jumps() {
    is_light_and_nothing_jumps(&MACHINES[3..]);
}

mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn a_visit_on_each_machine_is_light_and_nothing_jumps() {
        is_light_and_nothing_jumps(&MACHINES);
    }
}
