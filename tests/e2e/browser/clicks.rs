//! What a click costs: lines to the engine, and how often they are waited for.

use serde::Deserialize;

use super::page::{Page, with_page};

/// Notes the commands of the page's connection. What is sent before anything is heard again is one wait; the `isready`
/// behind each command is not counted.
const LISTEN: &str = "
    const wire = (window.wire = { sent: [], waits: 0, heard: true });
    const { send } = WebSocket.prototype;
    const known = new WeakSet();
    WebSocket.prototype.send = function (line) {
        if (!known.has(this)) this.addEventListener('message', () => { wire.heard = true; });
        known.add(this);
        if (wire.heard) wire.waits += 1;
        wire.heard = false;
        if (line !== 'isready') wire.sent.push(line);
        return send.call(this, line);
    };";

#[derive(Debug, Deserialize)]
struct Cost {
    sent: Vec<String>,
    waits: u32,
}

/// What a click on a square costs, until the page is idle again.
async fn cost(page: &Page, square: &str) -> Cost {
    page.run("Object.assign(window.wire, { sent: [], waits: 0, heard: true })", vec![]).await;
    page.click_square(square).await;
    page.settled().await;
    serde_json::from_value(page.run("return window.wire", vec![]).await).unwrap()
}

#[test]
fn every_click_waits_once_and_asks_once_unless_it_completes_the_move() {
    with_page(|page| async move {
        page.open("eximo").await;
        page.choose("p2-player", "human").await;
        page.set_up("8/4M3/8/m7/8/8/8/8 1 - 3 20").await;
        page.run("document.getElementById('details').open = false", vec![]).await;
        page.settled().await;
        page.run(LISTEN, vec![]).await;
        for (square, question) in [
            ("e7", "query turn e7"),
            ("c4", "query legal e7c4"),
            ("e8", "query turn e7e8"),
            ("g2", "query turn e7e8@g2"),
        ] {
            let Cost { sent, waits } = cost(&page, square).await;
            assert_eq!((sent, waits), (vec![question.to_owned()], 1), "{square}");
        }
        let Cost { sent, waits } = cost(&page, "b1").await;
        assert_eq!((sent.len(), waits), (7, 1), "{sent:?}");
        assert_eq!(page.moves_at_least(1).await, ["e7e8@b1@g2"]);
        // The first click of the next turn needs no more than the others.
        let Cost { sent, waits } = cost(&page, "a5").await;
        assert_eq!((sent, waits), (vec!["query turn a5".to_owned()], 1));
    });
}
