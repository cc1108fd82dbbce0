//! The page of a match, opened as people do: from the disk, without a server.

use std::path::Path;
use std::process::Command;

use serde_json::json;

use super::page::{Page, with_page};
use crate::programs::{LEAP, LEAPD};

/// Plays a short match of a game and writes its page.
fn write_report(dir: &Path, game: &str) {
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
}

/// Pieces on the board, and those of them that have no picture.
async fn pieces(page: &Page) -> (u64, u64) {
    let script = "const drawn = [...document.querySelectorAll('#viewer use')]; \
        const missing = drawn.filter((use) => !document.getElementById(use.getAttribute('href').slice(1))); \
        return [drawn.length, missing.length]";
    serde_json::from_value(page.run(script, vec![]).await).unwrap()
}

async fn note(page: &Page) -> String {
    let script = "return document.querySelector('#viewer [aria-live]').textContent";
    page.run(script, vec![]).await.as_str().unwrap().to_owned()
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn the_page_of_a_match_opens_from_the_disk_and_steps_through_its_games() {
    let place = tempfile::tempdir().unwrap();
    with_page(|page| async move {
        for game in page.games().await {
            write_report(place.path(), &game);
            let file = place.path().join(&game).join("report.html");
            page.client.goto(&format!("file://{}", file.display())).await.unwrap();
            for scheme in ["light", "dark"] {
                page.in_scheme(scheme).await;
                let press = "document.querySelector('#viewer button[title=\"' + arguments[0] + '\"]').click()";
                page.run(press, vec![json!("start")]).await;
                assert!(note(&page).await.starts_with("ply 0 of "), "{game}");
                for _ in 0..6 {
                    page.run(press, vec![json!("move on")]).await;
                    let (drawn, missing) = pieces(&page).await;
                    assert!(
                        drawn > 0 && missing == 0,
                        "{game}: {missing} of {drawn} without a picture"
                    );
                }
                assert!(note(&page).await.starts_with("ply 6 of "), "{game}");
                page.picture(&format!("report-{game}-{scheme}")).await;
            }
        }
    });
}
