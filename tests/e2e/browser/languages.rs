//! The page in the languages of its users.

use super::page::{Page, with_page};

/// What a person reads without opening anything, and the language that the page says it is in.
async fn read(page: &Page) -> (String, String) {
    let lang = page.run("return document.documentElement.lang", vec![]).await;
    let text = page.run("return document.querySelector('main').innerText", vec![]).await;
    (lang.as_str().unwrap().to_owned(), text.as_str().unwrap().to_owned())
}

#[test]
fn the_language_is_changed_at_once_and_kept() {
    with_page(|page| async move {
        page.open("eximo").await;
        page.choose("p2-player", "human").await;
        page.click_square("c3").await;
        page.click_square("c4").await;
        page.moves_at_least(1).await;
        page.reveal("#new-game").await;
        let (lang, english) = read(&page).await;
        assert_eq!(lang, "en");
        assert!(english.contains("New game") && english.contains(" to move"), "{english}");
        page.choose("language", "es").await;
        for is_reloaded in [false, true] {
            let (lang, spanish) = read(&page).await;
            assert_eq!(lang, "es", "{is_reloaded}");
            assert!(spanish.contains("Partida nueva"), "{spanish}");
            for word in ["New game", "Undo", "to move", "Human", "Engine", "Beginner"] {
                assert!(!spanish.contains(word), "{word}: {spanish}");
            }
            assert_eq!(page.moves().await, ["c3c4"]);
            assert_eq!(page.errors().await, [""; 0]);
            page.reload().await;
        }
        page.click_square("a1").await;
        page.settled().await;
        assert_eq!(page.text("message").await, "a1: aquí no hay ninguna pieza que mover");
        page.picture("spanish").await;
    });
}

#[test]
fn the_language_can_be_changed_while_the_engine_thinks() {
    with_page(|page| async move {
        page.open("sapos").await;
        page.choose("p2-level", "5").await;
        for square in ["d2", "d4", "d5"] {
            page.click_square(square).await;
            if square != "d5" {
                page.settled().await;
            }
        }
        page.wait_until("the engine thinks", "return leap.inspect().isSearching").await;
        let script = "const list = document.getElementById('language'); list.value = 'es'; list.dispatchEvent(new Event('change'))";
        page.run(script, vec![]).await;
        page.wait_until("it thinks again", "return document.querySelector('.side.turn')?.textContent.includes('pensando') ?? false").await;
        assert_eq!((page.complaint().await, page.moves().await.len()), (String::new(), 1));
    });
}

#[test]
fn the_language_of_the_browser_is_chosen() {
    with_page(|page| async move {
        page.browse_in("es-AR").await;
        page.reload().await;
        assert_eq!(read(&page).await.0, "es");
        page.browse_in("de").await;
        page.reload().await;
        assert_eq!(read(&page).await.0, "en");
    });
}
