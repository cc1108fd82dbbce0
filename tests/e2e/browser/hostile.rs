//! Foreign files, and what an older page may have stored.

use super::page::{Page, with_page};

/// The last game and rules reported by the engine.
async fn rules(page: &Page) -> String {
    let transcript = page.saved("save-transcript").await;
    let last = transcript
        .lines()
        .rev()
        .find(|line| line.starts_with("< response ") && line.contains(" MaxPlies "));
    last.unwrap().trim_start_matches("< response ").to_owned()
}

#[test]
fn a_file_sets_rules_of_its_game_and_nothing_else() {
    const RECORD: &str = "[Game \"eximo\"]\n[Option \"maxplies=77\"]\n[Option \"Hash=255\"]\n[Option \"Strength=1\"]\n\
        [Option \"AlquerqueCapture=mandatory\"]\n[Option \"__proto__=x\"]\n\n1. c3c4 *\n\n";
    const TRANSCRIPT: &str = "ugt 1\ngame eximo\noption name Hash value 255\noption name MaxPlies value 77\n\
        > setoption name Threads value 2\n> position startpos moves c3c4\n";
    with_page(|page| async move {
        for text in [RECORD, TRANSCRIPT] {
            page.open("alquerque").await;
            page.load(text).await;
            assert_eq!(
                (page.moves().await, page.tab().await),
                (vec!["c3c4".to_owned()], "eximo".to_owned())
            );
            assert!(page.complaint().await.contains("'Hash', "), "{}", page.complaint().await);
            assert_eq!(rules(&page).await, "eximo MaxPlies 77");
            let record = page.saved("save-record").await;
            assert!(record.to_lowercase().contains("[option \"maxplies=77\"]"), "{record}");
            page.reload().await;
            assert_eq!(page.moves().await, ["c3c4"]);
            assert_eq!(page.complaint().await, "");
            let said = page.saved("save-transcript").await;
            assert!(said.contains("> setoption name MaxPlies value 77"), "{said}");
            for option in ["Hash", "Threads", "AlquerqueCapture", "Strength value 1\n"] {
                assert!(!said.contains(&format!("> setoption name {option}")), "{said}");
            }
        }
    });
}

/// Files that cannot be opened, each with the page's message.
fn bad_files() -> Vec<(Vec<u8>, &'static str)> {
    let record =
        |tags: &str, moves: &str| format!("[Game \"alquerque\"]\n{tags}\n{moves}\n").into_bytes();
    let other =
        |tags: &str, moves: &str| format!("[Game \"eximo\"]\n{tags}\n{moves}\n").into_bytes();
    let option = |option: &str| format!("[Option \"MaxPlies=9\"]\n[Option \"{option}\"]\n");
    vec![
        (record(&option("AlquerqueQuietLimit=many"), "1. b2c3 *"), "AlquerqueQuietLimit"),
        (record(&option("AlquerqueQuietLimit=99999999999"), "1. b2c3 *"), "AlquerqueQuietLimit"),
        (record(&option("AlquerqueCapture=optional"), "1. b2c3 2. b2c3 *"), "b2"),
        (other(&option("MaxPlies=5"), "1. c3c4 2. c3c4 *"), "c3"),
        (other("[Fen \"8/8\"]\n", "*"), "board"),
        (
            record("[Fen \"mmmmm/mmmmm/mm1MM/MMMMM/MMMMM 1 - 0 0 moves b2c3\"]\n", "*"),
            "expected a position text",
        ),
        (record("", &format!("1. {} *", "b".repeat(1 << 21))), "expected a line of at most 1 MiB"),
        (record("", "1. b2\u{1}c3 *"), "a character that is neither"),
        (b"[Game \"chess\"]\n\n1. e2e4 *\n".to_vec(), "'chess'"),
        (b"ugt 1\ngame chess\n> position startpos moves e2e4\n".to_vec(), "'chess'"),
        (b"ugt 1\ngame eximo\n".to_vec(), "expected a transcript with a game, found none"),
        (b"ugt 1\nhello\n".to_vec(), "line 2: "),
        (b"ugt 2\ngame eximo\n".to_vec(), "ugt 1"),
        (b"[Game \"eximo\n\n*".to_vec(), "line 1: expected [Name \"value\"]"),
        (b"[Site \"here\"]\n\nb2c3 *".to_vec(), "line 1: expected a game with the tag Game"),
        (Vec::new(), "an empty file"),
        (b" \n\n\t\n".to_vec(), "an empty file"),
        ((0..=255).collect(), "expected a text in UTF-8"),
        (vec![0; 1 << 20], "line 1: expected a game record"),
        (vec![b'['; 4 << 20], "line 1: expected [Name"),
        (vec![b'\n'; 4 << 20], "an empty file"),
        (vec![b'b'; 5 << 20], "expected a file of at most 4 MiB, found 5.0 MiB"),
        (record("", "1. b2c3 {never closed"), "line 3: expected a '}'"),
        (record("", &"{".repeat(80_000)), "line 3: expected a '}'"),
        (record("", &"{".repeat(4_000_000)), "line 3: expected a '}'"),
        (record("", &"{\n".repeat(2_000_000)), "line 3: expected a '}'"),
        (
            record("", format!("b2c3 {}", "{}".repeat(2_000_000)).trim_end_matches('}')),
            "line 3: expected a '}'",
        ),
        (record("", &format!("{}*", "b2c3 ".repeat(100_000))), "at most 10000 moves"),
        (record("", &"b2c3 ".repeat(100_001)), "at most 100000 moves"),
        (record("", "b2c3 draw c2c3"), "line 3: expected nothing after the result"),
        (record("", "1. b2c3"), "line 3: expected a result"),
        (record("", "1. b2c3\n\n[Game \"eximo\"]\n\n1. c3c4 *"), "expected a result"),
        (record("", "2. b2c3 *"), "line 3: expected number 1"),
        (format!("ugt 1\n{}", "> move b2c3\n".repeat(100_000)).into_bytes(), "at most 10000 moves"),
    ]
}

fn change_nothing(files: Vec<(Vec<u8>, &str)>) {
    with_page(async move |page| {
        page.choose("p2-player", "human").await;
        page.load("[Game \"alquerque\"]\n[Option \"AlquerqueCapture=mandatory\"]\n\n1. b2c3 *\n")
            .await;
        let state = || async {
            (page.fen().await, page.moves().await, page.tab().await, rules(&page).await)
        };
        let before = state().await;
        assert_eq!(
            before.3,
            "alquerque MaxPlies 400 AlquerqueCapture mandatory AlquerqueQuietLimit 100"
        );
        for (bytes, complaint) in files {
            let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(90)]).into_owned();
            for id in ["first", "last"] {
                page.press(id).await;
                page.settled().await;
            }
            page.load(bytes).await;
            assert!(
                page.complaint().await.contains(complaint),
                "{shown}: {}",
                page.complaint().await
            );
            assert!(page.complaint().await.chars().count() < 200, "{shown}");
            assert_eq!(state().await, before, "{shown}");
        }
        page.reload().await;
        assert_eq!(state().await, before);
        assert_eq!(page.complaint().await, "");
    });
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn some_files_that_cannot_be_opened_change_nothing() {
    change_nothing(bad_files().into_iter().step_by(4).collect());
}

#[test]
fn records_are_read_with_all_that_may_stand_in_them() {
    with_page(|page| async move {
        let braces = format!("1. b2c3 {}}} *", "{".repeat(80_000));
        for moves in [
            braces.as_str(),
            "1. b2c3{a comment\n[Game \"eximo\"] } *",
            "b2c3 draw",
            "b2c3 void",
            "\r\n1. b2c3\r\np1win\r\n",
        ] {
            page.open("sapos").await;
            page.load(format!(
                "\u{feff}\n[Event \"a \\\"b\\\" \\\\\"]\r\n[Game \"alquerque\"]\n\n{moves}"
            ))
            .await;
            assert_eq!(
                (page.moves().await, page.tab().await),
                (vec!["b2c3".to_owned()], "alquerque".to_owned())
            );
            assert!(page.text("message").await.starts_with("1 move is loaded."));
        }
    });
}

/// Stored texts that are no games, and the game that is shown instead of each.
const NO_GAMES: &[(&str, &str)] = &[
    (r#"{"id":"eximo","moves":"c3c4"}"#, "eximo"),
    (r#"{"id":"eximo","start":null,"moves":["c3c4\nquit"]}"#, "eximo"),
    (r#"{"id":"eximo","start":null,"moves":["c3c5"]}"#, "eximo"),
    (r#"{"id":"eximo","start":"8/8\nquit","moves":[]}"#, "eximo"),
    (r#"{"id":"eximo","start":{"a":1},"moves":[null]}"#, "eximo"),
    (r#"{"id":"eximo","start":7,"moves":["c3c4"]}"#, "eximo"),
    ("", "alquerque"),
    (r#"{"id":"eximo","start":null,"moves":[],"ply":-3,"values":["a"]}"#, "eximo"),
    (r#"{"id":"eximo\nquit","start":null,"moves":[]}"#, "alquerque"),
    (r#"{"id":{"toString":7}}"#, "alquerque"),
    ("{", "alquerque"),
    ("null", "alquerque"),
    ("[]", "alquerque"),
    ("\"\"", "alquerque"),
    ("{}", "alquerque"),
];

#[test]
#[ignore = "slow: run by .ci/run"]
fn a_page_comes_up_whatever_was_kept() {
    let game =
        |more: &str| format!(r#"{{"id":"eximo","start":null,"moves":["c3c4"],"ply":0,{more}}}"#);
    with_page(|page| async move {
        // Each part is dropped individually, and the rest is kept.
        for (kept, complaint) in [
            (
                game(r#""values":{"Hash":"65536","MaxPlies":"77","Nonsense":"1"}"#),
                "'Hash 65536', 'Nonsense 1'",
            ),
            (
                game(
                    r#""values":{"MaxPlies":"77","Threads":"99999","MultiPV":7,"Game":{"toString":1}}"#,
                ),
                "'MultiPV', 'Game', 'Threads 99999'",
            ),
            (game(r#""values":{"MaxPlies":"77","Hash":"1\nquit"}"#), "'Hash 1\nquit'"),
            (game(r#""values":{"MaxPlies":"77"},"levels":"length""#), "'levels'"),
            (
                game(r#""values":{"MaxPlies":"77"},"players":{"p1":"nobody"},"isFlipped":3"#),
                "'players', 'isFlipped'",
            ),
        ] {
            page.reload_with_kept(&kept).await;
            assert!(
                page.complaint().await.contains(complaint),
                "{kept}: {}",
                page.complaint().await
            );
            assert_eq!(
                (page.moves().await, rules(&page).await),
                (vec!["c3c4".to_owned()], "eximo MaxPlies 77".to_owned()),
                "{kept}"
            );
        }
        for &(kept, tab) in NO_GAMES {
            // The address would name a game.
            page.run("history.replaceState(null, '', location.pathname)", vec![]).await;
            page.reload_with_kept(kept).await;
            assert_eq!((page.tab().await, page.is_lost().await), (tab.to_owned(), false), "{kept}");
            assert!(
                page.complaint().await.starts_with("Left out of what was kept: '"),
                "{kept}: {}",
                page.complaint().await
            );
            assert_eq!(page.moves().await, [""; 0], "{kept}");
            // The game can be played, and a reload reports nothing.
            page.reload().await;
            assert_eq!(
                (page.tab().await, page.complaint().await),
                (tab.to_owned(), String::new()),
                "{kept}"
            );
        }
    });
}

#[test]
fn what_engines_are_lost_with_again_and_again_is_left_out() {
    let kept = |tries: u32| {
        format!(
            r#"{{"id":"eximo","start":null,"moves":["c3c4"],"ply":0,"values":{{"MaxPlies":"77"}},"tries":{tries}}}"#
        )
    };
    with_page(|page| async move {
        for (tries, moves, rules_then) in [
            (1, &["c3c4"][..], "eximo MaxPlies 77"),
            (2, &["c3c4"], "eximo MaxPlies 40"),
            (3, &[], "alquerque MaxPlies 40 AlquerqueCapture optional AlquerqueQuietLimit 100"),
        ] {
            page.reload_with_kept(&kept(tries)).await;
            assert_eq!(page.moves().await, moves);
            assert_eq!(page.complaint().await.is_empty(), tries == 1, "{}", page.complaint().await);
            assert_eq!(rules(&page).await, rules_then);
        }
    });
}

#[test]
fn an_option_beyond_its_bound_is_refused_and_shown_as_it_was() {
    with_page(|page| async move {
        page.open("eximo").await;
        page.fill("[name=Hash]", "64").await;
        for (value, words) in
            [("257", "at most 256"), ("65536", "at most 256"), ("many", "a whole number")]
        {
            page.fill("[name=Hash]", value).await;
            assert!(page.complaint().await.contains(words), "{value}: {}", page.complaint().await);
            assert_eq!(page.field("[name=Hash]").await, "64");
        }
        page.reload().await;
        assert_eq!(
            (page.field("[name=Hash]").await, page.complaint().await),
            ("64".to_owned(), String::new())
        );
    });
}

mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn files_that_cannot_be_opened_change_nothing() {
        change_nothing(bad_files());
    }
}
