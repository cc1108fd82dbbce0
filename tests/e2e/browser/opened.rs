//! What a person gives to the page: files, drops and pasted texts. What is wrong in them is told with its place, by the
//! page of `leap web` and by an exported one.

use std::fs;

use serde_json::json;

use super::page::{Page, with_each_page, with_page};

/// Waits until the page has said something that contains a text.
async fn says(page: &Page, text: &str) {
    let script =
        format!("return document.getElementById('message').textContent.includes({})", json!(text));
    page.wait_until(&format!("the page says '{text}'"), &script).await;
    page.settled().await;
}

const RECORD: &str =
    "[Game \"eximo\"]\n[P1 \"Ann\"]\n\n1. c3c4 2. f6f5\n3. b3b4 4. g6g5\n5. c3c4 6. c6c5 *\n";
const TRANSCRIPT: &str =
    "ugt 1\ngame eximo\n> position startpos moves c3c4 f6f5\n> move b3b4 g6g5\n> move c3c4\n";

#[test]
fn an_illegal_move_is_told_with_its_number_its_line_its_file_and_the_reason() {
    with_each_page(|page| async move {
        for (language, text, expected) in [
            ("en", RECORD, ": line 6, move 5 ('c3c4'): c3: there is no piece to move here"),
            ("en", TRANSCRIPT, ": line 5, move 5 ('c3c4'): c3: there is no piece to move here"),
            ("es", RECORD, ": línea 6, jugada 5 ('c3c4'): c3: aquí no hay ninguna pieza que mover"),
            ("es", "[Game \"eximo\"]\n[Fen \"8/8\"]\n\n*\n", ": línea 2, texto de la posición: "),
            ("en", "[Game \"eximo\"]\n[Fen \"8/8\"]\n\n*\n", ": line 2, position text: "),
            (
                "en",
                "[Game \"eximo\"]\n\n*\n[Game \"chess\"]\n\n*\n",
                ": line 4: expected a game of this engine, found 'chess'",
            ),
        ] {
            page.choose("language", language).await;
            let file = page.pick_file(text).await;
            if text.matches("[Game").count() == 2 {
                page.wait_until(
                    "there is a choice",
                    "return document.getElementById('chooser').open",
                )
                .await;
                page.keys("\u{E015}\u{E007}").await;
            }
            page.file_is_read().await;
            let name = file.path().file_name().unwrap().to_str().unwrap();
            let complaint = page.complaint().await;
            assert!(complaint.starts_with(&format!("'{name}'{expected}")), "{complaint}");
            assert_eq!(page.moves().await, [""; 0]);
        }
        page.choose("language", "en").await;
        page.load(RECORD).await;
        page.picture("illegal-in-file").await;
    });
}

/// Foreign files, and what is said of each in both languages.
const FOREIGN: &[(&[u8], &str, &str)] = &[
    (
        b"[Event \"Casual\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 2. Nf3 Nc6 1/2-1/2\n",
        "line 1: expected a record of this program, found one of chess, which it does not play",
        "línea 1: se esperaba una partida de este programa, se encontró una de ajedrez, que no juega",
    ),
    (
        b"[Variant \"Atomic\"]\n\n1. e4 *\n",
        "found one of another game (Atomic)",
        "se encontró una de otro juego (Atomic)",
    ),
    (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "found an image (png)", "se encontró una imagen (png)"),
    (
        b"\x1f\x8b\x08\0\0\0\0\0\0\x03",
        "found a packed file (gz)",
        "se encontró un archivo comprimido (gz)",
    ),
    (b"\xff\xfe[\0G\0a\0", "found one in UTF-16", "se encontró uno en UTF-16"),
    (
        b"[Game \"eximo\"]\n[P1 \"Jos\xe9\"]\n",
        "line 2: expected a text in UTF-8, found the byte 0xE9",
        "línea 2: se esperaba un texto en UTF-8",
    ),
    (
        b"[Game \"eximo\"]\n\n1. c3c4",
        "line 3: expected a result",
        "línea 3: se esperaba un resultado",
    ),
];

#[test]
fn foreign_files_are_named_as_what_they_are() {
    with_each_page(|page| async move {
        for (bytes, english, spanish) in FOREIGN {
            for (language, expected) in [("en", english), ("es", spanish)] {
                page.choose("language", language).await;
                page.load(bytes).await;
                let complaint = page.complaint().await;
                assert!(complaint.contains(expected), "{complaint}");
            }
        }
    });
}

#[test]
fn records_positions_moves_and_links_are_pasted_and_open_the_game_that_they_are_of() {
    with_each_page(|page| async move {
        page.choose("p2-player", "human").await;
        for (text, said, game, moves) in [
            ("[Game \"sapos\"]\n\n1. d2d4@d5 *\n", "1 move is loaded.", "sapos", 1),
            ("8/4M3/8/m7/8/8/8/1M6 1 - 3 20", "The position is set up.", "eximo", 0),
            ("1. c3c4 2. c6c5", "2 moves are loaded.", "eximo", 2),
            ("position startpos moves b2c3", "1 move is loaded.", "alquerque", 1),
            ("https://example.org/leap/#game=eximo&moves=c3c4", "1 move is loaded.", "eximo", 1),
        ] {
            page.paste(text).await;
            says(&page, said).await;
            assert_eq!(
                (page.tab().await.as_str(), page.moves().await.len()),
                (game, moves),
                "{text}"
            );
            page.open("tactica").await;
        }
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn what_is_pasted_and_unknown_says_so_and_changes_nothing() {
    with_each_page(|page| async move {
        page.open("eximo").await;
        let before = page.fen().await;
        for (text, said) in [
            ("hello <b>world</b>", "The pasted text: line 1: expected a game record"),
            (
                "1. e4 e5 2. Nf3 Nc6",
                "The pasted text: expected a record of this program, found one of chess",
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "expected a position of this program, found one of chess",
            ),
            (
                "1. c3c4 2. c3c4",
                "The pasted text: move 2 ('c3c4'): c3: there is no piece to move here",
            ),
            ("b2c3 d4c3", "The pasted text, as Alquerque: move 2 ('d4c3'): "),
            ("8/8/8/8/8/8/8/8 3 - 0 0", "The pasted text: position text: "),
        ] {
            page.paste(text).await;
            says(&page, said).await;
            assert_ne!(page.complaint().await, "", "{text}");
            assert_eq!((page.tab().await, page.fen().await), ("eximo".to_owned(), before.clone()));
        }
        // A text that is pasted into a field stays there.
        page.show_details("fen").await;
        page.run(
            "const field = document.getElementById('fen'); field.focus(); field.select()",
            vec![],
        )
        .await;
        page.paste("1. c3c4").await;
        assert_eq!(page.field("#fen").await, "1. c3c4");
        assert_eq!(page.moves().await, [""; 0]);
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn files_and_texts_are_dropped_on_the_page_which_shows_that_it_takes_them() {
    with_each_page(|page| async move {
        page.choose("p2-player", "human").await;
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("game.ugr");
        fs::write(&path, "[Game \"eximo\"]\n\n1. c3c4 2. c6c5 *\n").unwrap();
        let file = json!({ "items": [], "files": [path], "dragOperationsMask": 1 });
        let text = json!({ "items": [{ "mimeType": "text/plain", "data": "1. c3c4" }], "dragOperationsMask": 1 });
        for (what, said) in [(&file, "2 moves are loaded."), (&text, "1 move is loaded.")] {
            assert!(page.is_hidden("drop").await);
            page.drag_over_board("dragEnter", what).await;
            page.drag_over_board("dragOver", what).await;
            assert!(!page.is_hidden("drop").await);
            page.picture("drop").await;
            page.drag_over_board("drop", what).await;
            says(&page, said).await;
            assert!(page.is_hidden("drop").await);
            assert_eq!(page.tab().await, "eximo");
        }
        // A file that is dragged out of the window is not awaited any more.
        page.drag_over_board("dragEnter", &file).await;
        assert!(!page.is_hidden("drop").await);
        page.run(
            "document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true }))",
            vec![],
        )
        .await;
        assert!(page.is_hidden("drop").await);
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn a_link_of_this_machine_says_so_and_what_can_be_sent_instead() {
    with_page(|page| async move {
        page.choose("p2-player", "human").await;
        page.load("[Game \"eximo\"]\n\n1. c3c4 *\n").await;
        page.allow_clipboard().await;
        page.show_details("copy-link").await;
        for (button, said, copied) in [
            (
                "copy-link",
                "The link is copied. It opens on this machine only. To send the game, use 'Copy game' or 'Copy position'.",
                "#game=eximo&moves=c3c4",
            ),
            ("copy-record", "The game is copied as text.", "1. c3c4 *"),
            ("copy-position", "The position text is copied.", " 2 - 1 1"),
        ] {
            page.press(button).await;
            says(&page, said).await;
            let clipboard = "const done = arguments[0]; navigator.clipboard.readText().then(done, (error) => done(String(error)))";
            let found = page.client.execute_async(clipboard, vec![]).await.unwrap();
            assert!(found.as_str().unwrap().contains(copied), "{found}");
        }
        page.picture("copied").await;
    });
}
