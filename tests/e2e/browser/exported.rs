//! The page without a server of its own: `leap web --export`, from a plain file server. Needs python3 and the engine
//! for browsers (`adapters/wasm/build`); without them these tests are skipped, with a message.

use leap_games::IDS;
use serde_json::json;

use super::page::{Page, with_exported_page, with_exported_pages};

async fn is_kept_by_the_browser(page: &Page) {
    // A page in the folder of another one belongs to the other's service worker until it has its own.
    const KEPT: &str = "const done = arguments[0]; const look = async () => { \
            const found = await navigator.serviceWorker.getRegistration(); \
            const isOwn = found?.active && found.scope === new URL('./', location).href; \
            if (isOwn) done(true); else setTimeout(look, 20); \
        }; look();";
    page.client.execute_async(KEPT, vec![]).await.unwrap();
}

/// The engine of the page plays whole games against itself.
fn are_played_without_a_server(games: &[&str]) {
    with_exported_page(async move |page| {
        for &game in games {
            page.open(game).await;
            page.fill("#rules [name=MaxPlies]", "60").await;
            for side in ["p1-player", "p2-player"] {
                page.choose_quickly(side, "engine").await;
            }
            page.wait_until("the game is over", "return leap.inspect().isOver").await;
            let standing = page.text("standing").await;
            assert!(standing.contains("wins: ") || standing.contains("Draw: "), "{standing}");
            assert!(page.moves().await.len() >= 4, "{game}");
            for side in ["p1-player", "p2-player"] {
                page.choose_quickly(side, "human").await;
            }
        }
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn whole_games_are_played_without_a_server() {
    are_played_without_a_server(&["alquerque", "tactica"]);
}

#[test]
fn the_page_works_offline_after_the_first_visit() {
    with_exported_page(|mut page| async move {
        is_kept_by_the_browser(&page).await;
        page.server.stop();
        page.reload().await;
        plays(&page).await;
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn the_page_can_be_installed() {
    with_exported_page(|page| async move {
        page.go_to_profile().await;
        is_kept_by_the_browser(&page).await;
        assert_eq!(page.faults_of_installation().await, json!({ "installabilityErrors": [] }));
        page.client.goto("about:blank").await.unwrap();
    });
}

#[test]
fn an_analysis_without_end_is_stopped_by_a_move() {
    with_exported_page(|page| async move {
        page.open("tactica").await;
        page.choose("p2-player", "human").await;
        page.run("document.getElementById('analyse').click()", vec![]).await;
        page.wait_until("it searches", "return leap.inspect().isSearching").await;
        page.click_square("a1").await;
        page.click_square("a4").await;
        let is_made = "return document.querySelectorAll('.move').length === 1";
        page.wait_until("the move is made", is_made).await;
    });
}

#[test]
fn a_link_opens_a_game_in_another_page() {
    with_exported_page(|page| async move {
        page.open("sapos").await;
        page.choose("p2-player", "human").await;
        page.click_squares(&["d2", "d4", "d5"]).await;
        let (fen, moves) = (page.fen().await, page.moves_at_least(1).await);
        // A link that the page may not copy is shown.
        page.run("Object.defineProperty(navigator, 'clipboard', {})", vec![]).await;
        page.show_details("copy-link").await;
        page.press("copy-link").await;
        page.idle().await;
        let message = page.text("message").await;
        // After an address of this machine, a sentence says so.
        let link = message.split(' ').next().unwrap().to_owned();
        page.open("eximo").await;
        for address in ["about:blank", &link] {
            page.client.goto(address).await.unwrap();
        }
        let is_set_up =
            "return Boolean(window.leap?.inspect().fen) && !location.hash.includes('=')";
        page.wait_until("the game is set up", is_set_up).await;
        assert_eq!((page.fen().await, page.moves().await), (fen, moves));
    });
}

#[test]
fn a_link_of_a_host_is_for_everyone_and_one_of_this_machine_is_not() {
    with_exported_page(|page| async move {
        let here = page.client.current_url().await.unwrap();
        for (host, is_local) in [("127.0.0.1", true), ("leap.example", false)] {
            let mut address = here.clone();
            address.set_host(Some(host)).unwrap();
            page.visit(address.as_str()).await;
            page.show_details("copy-link").await;
            page.press("copy-link").await;
            page.idle().await;
            let message = page.text("message").await;
            assert_eq!(message.contains("It opens on this machine only."), is_local, "{message}");
        }
    });
}

#[test]
fn records_are_opened_without_a_network() {
    with_exported_page(|mut page| async move {
        is_kept_by_the_browser(&page).await;
        page.reload().await;
        page.server.stop();
        page.choose("p2-player", "human").await;
        page.load("[Game \"eximo\"]\n[P1 \"Ann\"]\n\n1. c3c4 2. c6c5 *\n").await;
        assert_eq!((page.tab().await, page.complaint().await), ("eximo".into(), String::new()));
        assert_eq!(page.moves().await, ["c3c4", "c6c5"]);
        page.paste("[Game \"sapos\"]\n\n1. d2d4@d5 *\n").await;
        page.wait_until(
            "it is opened",
            "return Boolean(document.querySelector('[data-game=sapos][aria-pressed=true]'))",
        )
        .await;
        assert_eq!(page.moves_at_least(1).await, ["d2d4@d5"]);
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn a_reader_that_cannot_be_loaded_says_so_and_the_page_goes_on() {
    const FORGET: &str = "const done = arguments[0]; \
        const forget = async () => { \
            for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister(); \
            for (const name of await caches.keys()) await caches.delete(name); \
        }; forget().then(() => done(true));";
    with_exported_page(|page| async move {
        is_kept_by_the_browser(&page).await;
        page.client.execute_async(FORGET, vec![]).await.unwrap();
        page.server.spoil_reader();
        page.reload().await;
        page.choose("p2-player", "human").await;
        for (language, said) in [("en", "The file cannot be read"), ("es", "No se puede leer")] {
            page.choose("language", language).await;
            page.load("[Game \"eximo\"]\n\n*\n").await;
            let complaint = page.complaint().await;
            assert!(complaint.contains(said), "{complaint}");
        }
        page.paste("1. c3c4 2. c6c5").await;
        assert_eq!(page.moves_at_least(2).await, ["c3c4", "c6c5"]);
    });
}

#[test]
fn an_address_that_is_no_game_is_refused_and_changes_nothing() {
    with_exported_page(|page| async move {
        page.open("eximo").await;
        let fen = page.fen().await;
        for address in ["#game=chess", "#game=eximo&fen=8/8", "#game=eximo&moves=a1a9"] {
            page.run("location.hash = arguments[0]", vec![address.into()]).await;
            page.wait_until("it is read", "return !location.hash.includes('=')").await;
            page.idle().await;
            assert_ne!(page.complaint().await, "", "{address}");
            assert_eq!((page.tab().await, page.fen().await), ("eximo".to_owned(), fen.clone()));
        }
    });
}

/// Looks for a new version, as the browser does now and then.
async fn look_for_update(page: &Page) {
    const UPDATE: &str = "const done = arguments[0]; \
        navigator.serviceWorker.ready.then((registration) => registration.update()).then(() => done(true))";
    page.client.execute_async(UPDATE, vec![]).await.unwrap();
    page.wait_until("it is offered", "return Boolean(document.getElementById('update'))").await;
}

/// Waits until the page is of the version that was deployed.
async fn is_renewed(page: &Page) {
    let name = "return document.getElementById('engine-name')?.textContent === 'Second'";
    page.wait_until("the new version is there", name).await;
    page.settled().await;
}

/// The name of the engine that a page is given when it starts another one.
async fn next_engine(page: &Page) -> String {
    const AGAIN: &str = "document.getElementById('engine-name').textContent = ''; \
        for (const event of ['freeze', 'resume']) document.dispatchEvent(new Event(event));";
    page.run(AGAIN, vec![]).await;
    page.idle().await;
    assert!(!page.is_lost().await, "{}", page.text("lost-why").await);
    page.text("engine-name").await
}

async fn plays(page: &Page) {
    page.open("tactica").await;
    page.choose("p2-player", "human").await;
    page.drag("a1", "a4").await;
    assert_eq!(page.moves_at_least(1).await, ["a1a4"]);
}

#[test]
fn exports_side_by_side_keep_each_other_whole() {
    with_exported_pages(&["a/", "b/", "a/c/"], |mut page| async move {
        let first = page.server.url.clone();
        let sites = [first.clone(), first.replace("/a/", "/b/"), format!("{first}c/")];
        for site in &sites {
            page.client.goto(site).await.unwrap();
            page.settled().await;
            is_kept_by_the_browser(&page).await;
        }
        // The page takes over a new version of its site, since no other page of this site is open.
        page.client.goto(&first).await.unwrap();
        page.settled().await;
        page.server.deploy("a", "Second");
        look_for_update(&page).await;
        page.press("reload").await;
        is_renewed(&page).await;
        // The next visit forgets the version before.
        page.client.goto("about:blank").await.unwrap();
        page.server.stop();
        for (site, is_new) in sites.iter().zip([true, false, false]) {
            page.client.goto(site).await.unwrap();
            page.settled().await;
            assert_eq!(page.text("engine-name").await == "Second", is_new, "{site}");
            plays(&page).await;
        }
        let caches = "const done = arguments[0]; caches.keys().then((names) => done(names.length))";
        assert_eq!(page.client.execute_async(caches, vec![]).await.unwrap(), sites.len());
    });
}

#[test]
fn a_page_stays_of_its_version_until_it_is_reloaded() {
    with_exported_pages(&["a/"], |page| async move {
        is_kept_by_the_browser(&page).await;
        plays(&page).await;
        let name = page.text("engine-name").await;
        let first = page.client.window().await.unwrap();
        let second = page.open_tab().await;
        page.client.switch_to_window(second.clone()).await.unwrap();
        page.client.goto(&page.server.url).await.unwrap();
        page.settled().await;
        page.server.deploy("a", "Second");
        // Both pages stay as they are, although the server has nothing of them any more.
        look_for_update(&page).await;
        assert_eq!(page.text("update").await, "A new version is ready.Reload");
        page.picture("update").await;
        assert_eq!(next_engine(&page).await, name);
        // A reload that was not asked for changes nothing either.
        page.reload().await;
        assert_eq!(next_engine(&page).await, name);
        page.press("reload").await;
        is_renewed(&page).await;
        // The other page goes on with its own version, and with its game after a reload.
        page.client.switch_to_window(first).await.unwrap();
        page.come_into_sight().await;
        assert_eq!(next_engine(&page).await, name);
        assert_eq!(page.moves().await, ["a1a4"]);
        assert_eq!(page.errors().await, [""; 0]);
        page.press("reload").await;
        is_renewed(&page).await;
        assert_eq!(page.moves().await, ["a1a4"]);
    });
}

mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn whole_games_of_each_kind_are_played_without_a_server() {
        are_played_without_a_server(&IDS);
    }
}
