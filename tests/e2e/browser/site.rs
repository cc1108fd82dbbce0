//! The website: the boards of the pages that teach the games, and the way to the playable page. Needs mdBook and the
//! engine for browsers; without them the test is skipped, with a message.

use leap_engine::guide;
use leap_games::IDS;

use super::page::{Page, with_site};

/// Steps through every example to its end and back; returns how many moves were made at the end, and what went wrong.
const STEP_THROUGH: &str = "
    const done = arguments[0];
    const changed = async (figure, button) => {
      const before = figure.innerHTML;
      button.click();
      while (figure.innerHTML === before) await new Promise((next) => setTimeout(next, 5));
    };
    const press = async (figure, name) => {
      const button = figure.querySelector(name);
      while (!button.disabled) await changed(figure, button);
      return figure.dataset.ply;
    };
    const run = async () => {
      const plies = [];
      for (const figure of document.querySelectorAll('figure[data-move]')) {
        plies.push(await press(figure, '.learn-forward'), await press(figure, '.learn-back'));
      }
      const faults = [...document.querySelectorAll('.learn-message.bad, .learn-lost')].map((e) => e.textContent);
      done([plies.join(''), faults.join()]);
    };
    run();";

/// Plays the best move of the table, several times on the first board of each part; returns the plies that each one told.
const WALK: &str = "
    const done = arguments[0];
    const run = async () => {
      const told = [];
      for (const part of document.querySelectorAll('.learn')) {
        const table = part.querySelector('.learn-values tbody');
        const plies = [];
        for (let ply = 0; ply < 4; ply += 1) {
          const row = table.firstElementChild;
          plies.push(Number(row.lastElementChild.textContent));
          row.querySelector('button').click();
          while (row.isConnected) await new Promise((next) => setTimeout(next, 5));
        }
        told.push(plies);
      }
      done(told);
    };
    run();";

async fn open(page: &Page, path: &str) {
    let url = page.server.url.replace("play/", path);
    page.client.goto(&url).await.unwrap();
    let is_ready = "const parts = [...document.querySelectorAll('.learn')]; \
        return parts.length > 0 && parts.every((part) => part.dataset.isReady === '')";
    page.wait_until(&format!("the boards of {path} are ready"), is_ready).await;
}

/// Makes a move on the first board of the page with the mouse. It takes the first square that is offered, and a drop
/// rather than a step: steps might follow each other for ever.
async fn make_a_move(page: &Page) {
    const OFFERED: &str = "const board = document.querySelector('.learn-place'); \
        const end = board.parentNode.querySelector('.turn-end'); \
        if (board.parentNode.dataset.ply === '1') return 'done'; \
        if (!end.hidden) { end.click(); return null; } \
        const marks = ['drops', 'removals', 'steps', 'origins'].map((kind) => `.is-${kind}`); \
        const offered = marks.map((mark) => board.querySelector(mark)).find(Boolean); \
        if (offered?.classList.contains('is-path')) return null; \
        return offered?.dataset.square ?? null";
    for _ in 0..100 {
        match page.run(OFFERED, vec![]).await.as_str() {
            Some("done") => return,
            Some(square) => page.click_square(square).await,
            None => {}
        }
        page.drawn().await;
    }
    panic!("expected a move on {}", page.client.current_url().await.unwrap());
}

/// Each game is taught in the languages that its number has.
fn is_taught(languages: fn(usize) -> Vec<&'static str>) {
    with_site(async move |page| {
        for (number, game) in IDS.into_iter().enumerate() {
            for language in languages(number) {
                open(&page, &format!("learn/{language}/{game}.html")).await;
                let told = page.client.execute_async(STEP_THROUGH, vec![]).await.unwrap();
                let (plies, faults) = (told[0].as_str().unwrap(), told[1].as_str().unwrap());
                let examples = plies.len() / 2;
                assert!(examples > 2, "{game} {language}: {plies}");
                assert_eq!((plies, faults), (&*"10".repeat(examples), ""), "{game} {language}");
                make_a_move(&page).await;
                page.picture(&format!("learn-{game}-{language}")).await;
            }
            page.press_first(".learn-play").await;
            page.wait_until("the game is set up", "return Boolean(window.leap?.inspect().fen)")
                .await;
            page.settled().await;
            assert_eq!(page.tab().await, game);
        }
    });
}

#[test]
fn every_game_is_taught_on_boards_in_one_language_or_the_other() {
    is_taught(|number| guide::languages().skip(number % 2).take(1).collect());
}

#[test]
fn one_walks_through_solved_positions_by_their_best_moves() {
    with_site(|page| async move {
        for language in guide::languages() {
            open(&page, &format!("learn/{language}/alquerque-solved.html")).await;
            let told = page.client.execute_async(WALK, vec![]).await.unwrap();
            let told: Vec<Vec<i64>> = serde_json::from_value(told).unwrap();
            assert_eq!(told.len(), 2, "a part for each capture rule");
            for plies in &told {
                assert!(plies[0] > 4, "{told:?}");
                assert!(plies.windows(2).all(|two| two[1] == two[0] - 1), "{told:?}");
            }
            page.picture(&format!("solved-{language}")).await;
        }
    });
}

mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn every_game_is_taught_on_boards_in_every_language() {
        is_taught(|_| guide::languages().collect());
    }
}
