//! The pages of a match and of its analysis, opened as people do: from the disk, without a server.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use super::page::{Page, with_page};
use super::window::SCHEMES;
use crate::programs::{LEAP, LEAPD};

/// Plays a short match of a game, and writes its page and that of its analysis.
fn write_pages(dir: &Path, game: &str) {
    let leap = |args: &[&str]| {
        let output = Command::new(LEAP.as_str()).args(args).current_dir(dir).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let strong = format!("cmd={}", *LEAPD);
    leap(&[
        "match",
        "--game",
        game,
        "--engine",
        &strong,
        "depth=1",
        "--engine",
        "player=random",
        "--games",
        "6",
        "--random-plies",
        "4",
        "--quiet",
        "--out",
        game,
    ]);
    leap(&["report", game]);
    let (games, analysis) = (format!("{game}/games.ugr"), format!("{game}-analysis"));
    leap(&["analyse", &games, "--nodes", "50", "--out", &analysis, "--quiet"]);
}

/// Pieces on the board, and those of them that have no picture.
async fn pieces(page: &Page) -> (u64, u64) {
    let script = "const drawn = [...document.querySelectorAll('#viewer .place')].filter(({ dataset }) => dataset.piece); \
        const missing = drawn.filter((place) => !place.querySelector('.piece .body')); \
        return [drawn.length, missing.length]";
    serde_json::from_value(page.run(script, vec![]).await).unwrap()
}

async fn note(page: &Page) -> String {
    let script = "return document.querySelector('#viewer [aria-live]').textContent";
    page.run(script, vec![]).await.as_str().unwrap().to_owned()
}

/// Steps through the first moves of the game that the page shows.
async fn step_through(page: &Page, what: &str) {
    let press = "document.querySelector('#viewer button[title=\"' + arguments[0] + '\"]').click()";
    page.run(press, vec![json!("start")]).await;
    assert!(note(page).await.starts_with("ply 0 of "), "{what}");
    for _ in 0..6 {
        page.run(press, vec![json!("move on")]).await;
        let (drawn, missing) = pieces(page).await;
        assert!(drawn > 0 && missing == 0, "{what}: {missing} of {drawn} without a picture");
    }
    assert!(note(page).await.starts_with("ply 6 of "), "{what}");
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn the_pages_of_a_match_open_from_the_disk_and_step_through_its_games() {
    let place = tempfile::tempdir().unwrap();
    with_page(|page| async move {
        for game in page.games().await {
            write_pages(place.path(), &game);
            for name in [format!("{game}/report.html"), format!("{game}-analysis/index.html")] {
                let file = place.path().join(&name);
                page.client.goto(&format!("file://{}", file.display())).await.unwrap();
                for scheme in SCHEMES {
                    page.in_scheme(scheme).await;
                    step_through(&page, &name).await;
                    page.picture(&format!("{}-{scheme}", name.replace(['/', '.'], "-"))).await;
                }
            }
            // The page that is open is that of the analysis.
            let is_judged =
                "return [...document.querySelectorAll('.judged td, .graph .bar-p1')].length";
            assert!(page.run(is_judged, vec![]).await.as_u64().unwrap() > 8, "{game}");
        }
    });
}
