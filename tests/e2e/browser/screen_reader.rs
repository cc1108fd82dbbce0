//! What a screen reader gets of the page: the accessibility tree that the browser computes, and what is announced.

use leap_games::IDS;
use serde::Deserialize;
use serde_json::Value;

use super::keyboard::{play_by_keys, tab_to};
use super::page::{Page, with_page};

/// Notes what live regions say, as `[id, text]`. A screen reader hears of a change only where the region was there before.
const LISTEN: &str = "
    window.heard = [];
    const region = ({ target }) => (target.closest ? target : target.parentElement)?.closest('[aria-live]');
    new MutationObserver((changes) => {
      for (const each of new Set(changes.map(region))) {
        if (each?.isConnected && each.checkVisibility()) heard.push([each.id, each.textContent]);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });";

/// A node of the accessibility tree.
#[derive(Debug, Deserialize)]
struct Node {
    ignored: bool,
    role: Option<Text>,
    name: Option<Text>,
    #[serde(default)]
    properties: Vec<Property>,
}

#[derive(Debug, Deserialize)]
struct Text {
    #[serde(default)]
    value: String,
}

#[derive(Debug, Deserialize)]
struct Property {
    name: String,
    value: Value,
}

impl Node {
    fn role(&self) -> &str {
        self.role.as_ref().map_or("", |role| &role.value)
    }

    fn name(&self) -> &str {
        self.name.as_ref().map_or("", |name| name.value.trim())
    }

    fn has(&self, property: &str) -> bool {
        self.properties.iter().any(|one| one.name == property && one.value["value"] == true)
    }
}

/// Asserts that everything a person can reach has a role and a name, and that the board has a name for each square.
async fn assert_named(page: &Page, about: &str) {
    let nodes: Vec<Node> = serde_json::from_value(page.accessibility().await).unwrap();
    let seen: Vec<&Node> = nodes.iter().filter(|node| !node.ignored).collect();
    let reached = seen.iter().filter(|node| node.has("focusable"));
    let nameless = reached.filter(|node| {
        node.name().is_empty() || ["", "none", "generic", "GenericContainer"].contains(&node.role())
    });
    let nameless: Vec<_> = nameless.collect();
    assert!(nameless.is_empty(), "{about}: {nameless:?}");
    let is_square = |node: &&&Node| {
        let mut name = node.name().bytes();
        node.role() == "gridcell"
            && name.next().is_some_and(|file| file.is_ascii_lowercase())
            && name.next().is_some_and(|rank| rank.is_ascii_digit())
            && node.name().contains(", ")
    };
    let squares =
        page.run("return document.querySelectorAll('[data-square]').length", vec![]).await;
    assert_eq!(seen.iter().filter(is_square).count() as u64, squares.as_u64().unwrap(), "{about}");
}

/// Asserts that the moves of both sides were announced, in their order, and then the result, and nothing twice in a row.
async fn assert_heard(page: &Page, game: &str) {
    let heard = page.run("return heard", vec![]).await;
    let heard: Vec<(String, String)> = serde_json::from_value(heard).unwrap();
    for id in ["standing", "prompt", "news", "message"] {
        let said: Vec<_> = heard.iter().filter(|(region, _)| region == id).collect();
        let twice = said.windows(2).find(|pair| pair[0] == pair[1]);
        assert!(twice.is_none(), "{game}: {twice:?}");
    }
    let mut news = heard.iter().filter(|(region, _)| region == "news");
    for mv in page.moves().await {
        let is_told = |text: &str| text.contains(": ") && text.split(' ').any(|word| word == mv);
        assert!(news.any(|(_, text)| is_told(text)), "{game}: {mv} in {heard:?}");
    }
    let result = ("standing".to_owned(), page.text("over").await);
    assert!(heard.contains(&result), "{game}: {result:?} in {heard:?}");
}

fn is_played_by_keys_and_announced(game: &str) {
    with_page(|page| async move {
        tab_to(&page, &format!("[data-game={game}]")).await;
        page.keys("\u{E007}").await;
        page.settled().await;
        page.run(LISTEN, vec![]).await;
        play_by_keys(&page, async || assert_named(&page, game).await).await;
        assert_heard(&page, game).await;
        // What the tabs show is named too.
        for tab in ["play", "moves", "analysis", "review", "practice", "settings"] {
            page.press(&format!("tab-{tab}")).await;
            page.settled().await;
            assert_named(&page, &format!("{game}, {tab}")).await;
        }
        assert_eq!(page.errors().await, [""; 0], "{game}");
    });
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn a_game_with_drops_is_played_by_keys_with_every_control_named_and_every_move_announced() {
    is_played_by_keys_and_announced("eximo");
}

/// Run by `.ci/run exhaustive`: minutes.
mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn each_game_is_played_by_keys_with_every_control_named_and_every_move_announced() {
        IDS.into_iter().for_each(is_played_by_keys_and_announced);
    }
}
