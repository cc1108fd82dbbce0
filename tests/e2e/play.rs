//! `leap play` in a terminal, used like a person does: send keys, read the screen.
//!
//! With `LEAP_SCREENSHOTS=1`, screenshots are left in `target/screenshots`.

mod picture;
mod screen;

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use leap_games::IDS;
use leap_records::Record;

use crate::programs::{LEAP, LEAPD, RESIGNING, kill_engines_of, tables};
use screen::Terminal;

const ENTER: &str = "\r";
const TAB: &str = "\t";
const ESCAPE: &str = "\u{1b}";
const UP: &str = "\u{1b}[A";
const RIGHT: &str = "\u{1b}[C";
const LEFT: &str = "\u{1b}[D";

/// The records of games of the engine against itself, by the name of the game.
pub(crate) static WHOLE_GAMES: LazyLock<Vec<(&str, String)>> =
    LazyLock::new(|| IDS.iter().map(|game| (*game, whole_game(game))).collect());

/// Watches a game to its end; returns its record.
fn whole_game(game: &str) -> String {
    let terminal = Terminal::start(game, &["--side", "none"]);
    // A long reason takes two lines, and the screen may be read between them.
    terminal.wait_until("the end", |text| {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        (words.contains(" won: ") || words.contains("A draw: ")) && words.contains("; 'new' begins")
    });
    terminal.picture(&format!("{game}-over"));
    terminal.quit_with_text()
}

fn moves(record: &Record) -> Vec<&str> {
    record.plies.iter().map(|ply| ply.mv.as_str()).collect()
}

#[test]
fn squares_are_picked_with_keys_and_the_engine_answers() {
    let mut terminal = Terminal::start("eximo", &[]);
    // The first piece that can move is b1; the first of its targets is one square above.
    terminal.press(&format!("{TAB} "));
    terminal.wait_for("go to a marked square");
    terminal.press(TAB);
    terminal.picture("eximo-picked");
    terminal.press(ENTER);
    let text =
        terminal.wait_until("two moves", |text| text.contains("  2 ") && !text.contains('…'));
    assert!(text.contains("black is to move") && text.contains("for white at depth 2"), "{text}");
    terminal.picture("eximo-answered");
    let games = terminal.quit();
    assert_eq!((games.len(), moves(&games[0]).len()), (1, 2));
    assert_eq!((games[0].tag("Result"), games[0].tag("Reason")), (Some("*"), None));
}

#[test]
fn the_level_that_the_engine_plays_at_is_on_the_screen() {
    let mut terminal = Terminal::start("eximo", &["--level", "learner"]);
    terminal.wait_for("level: learner");
    for (value, told) in [("50", "level: club"), ("40", "strength: 40")] {
        terminal.press(&format!("set Strength={value}{ENTER}"));
        terminal.wait_for(told);
    }
    terminal.press(&format!("both{ENTER}"));
    terminal.wait_until("no engine plays", |text| !text.contains("strength:"));
}

/// A position of Alquerque with moves that win, draw and lose.
const EXACT: &str = "5/5/1M3/1mm2/1M3 1 - 0 0";

/// Where a board stands on the screen: its ranks, how far squares are apart, and where the first is, at the upper left.
type Place = (u16, (u16, u16), (u16, u16));
const LINED: Place = (8, (4, 2), (5, 1));
const POINTS: Place = (5, (4, 2), (4, 0));
const CLOSE: Place = (12, (3, 1), (4, 0));

#[test]
fn no_two_kinds_of_pieces_look_alike_without_colours() {
    let men = "8/8/3m4/8/8/3M4/8/8";
    let all = "chs1H~C~S~1/8/8/8/8/8/8/CHS1h~c~s~1 1 - 0 20";
    for (game, fen, place, squares) in [
        ("alquerque", "m4/5/5/5/4M 1 - 0 0", POINTS, "a5 e1"),
        ("eximo", &format!("{men} 1 - 0 20"), LINED, "d6 d3"),
        ("sapos", &format!("{men} 1 1 5 20"), LINED, "d6 d3"),
        ("tactica", all, LINED, "a8 b8 c8 e8 f8 g8 a1 b1 c1 e1 f1 g1"),
    ] {
        let terminal = Terminal::start_without_colours(game, &["--side", "both", "--fen", fen]);
        let (ranks, step, first) = place;
        let mut seen = BTreeSet::new();
        for square in squares.split(' ') {
            let [_, sign, beside] = terminal.square(square, ranks, step, first);
            assert_ne!(sign.trim(), "", "{game} {square}: {}", terminal.text());
            assert!(seen.insert((sign, beside == "~")), "{game} {square}: {}", terminal.text());
        }
        terminal.quit();
    }
}

#[test]
fn frogs_are_told_apart_by_letters_which_are_explained() {
    let terminal = Terminal::start_without_colours("froglet", &["--side", "both"]);
    let text = terminal.text();
    for kind in ["G green frog: 1", "Y yellow frog: 2", "R red frog: 3", "B blue frog: 4"] {
        assert!(text.contains(kind), "{kind} is not in {text}");
    }
    // What the prompt calls marked is marked, and the marks are explained.
    assert!(text.contains("take a marked green frog off the board"), "{text}");
    assert!(text.contains("-- can be taken off"), "{text}");
    let (ranks, step, first) = CLOSE;
    let mut greens = 0;
    for rank in 1..=ranks {
        for file in 'a'..='l' {
            let square = format!("{file}{rank}");
            let [left, sign, right] = terminal.square(&square, ranks, step, first);
            assert!("GYRB".contains(&sign), "{square}: {text}");
            assert_eq!(sign == "G", left == "-" && right == "-", "{square}: {text}");
            greens += usize::from(sign == "G");
        }
    }
    assert_eq!(greens, 66);
}

#[test]
fn marks_tell_where_to_hop_where_to_drop_and_where_to_end() {
    let fen = "2mmm3/2mmm3/2m5/8/8/3M1MM1/3MM1M1/8 1 1 5 5";
    let mut terminal = Terminal::start_without_colours("sapos", &["--side", "both", "--fen", fen]);
    let (ranks, step, first) = LINED;
    let marks = |terminal: &Terminal, square| terminal.square(square, ranks, step, first).concat();
    assert!(terminal.text().contains("<> can move"), "{}", terminal.text());
    assert_eq!(marks(&terminal, "d2"), "<○>");
    terminal.enter("d2f2");
    let text = terminal.wait_for("+ place here");
    assert!(text.contains("() moves") && text.contains("• go here"), "{text}");
    assert_eq!(marks(&terminal, "h2"), " • ");
    assert_eq!(marks(&terminal, "f1"), " + ");
    assert_eq!(marks(&terminal, "f2"), "(○)");
    let fen = "5/1m1m1/5/1m1m1/M3m 1 - 0 10";
    let args = ["--side", "both", "--fen", fen];
    let mut terminal = Terminal::start_without_colours("alquerque", &args);
    terminal.press(&format!("{TAB}{ENTER}"));
    terminal.wait_for("a1> ");
    terminal.press(&format!("{TAB}{TAB}{TAB}{ENTER}"));
    let text = terminal.wait_for("{} end here");
    let (ranks, step, first) = POINTS;
    // The cursor is on the piece, too.
    assert_eq!(terminal.square("c3", ranks, step, first).concat(), "{○}", "{text}");
    assert!(text.contains("end the turn here (Enter on the piece)"), "{text}");
}

#[test]
fn a_refusal_stays_in_sight_beside_the_prompt_until_the_next_entry() {
    for game in &IDS {
        let mut terminal = Terminal::start(game, &["--side", "both"]);
        let before = terminal.wait_for("; 'rules' explains the game");
        let prompt = before.lines().find(|line| line.contains("'rules'")).unwrap().trim();
        for wrong in ["a1a9", "xyzzy", "z9"] {
            terminal.enter(wrong);
            let text = terminal.wait_for(&format!("{wrong}: "));
            assert!(text.contains(prompt), "{text}");
            // Looking around and typing are no entries.
            terminal.press(&format!("{UP}{TAB}abc"));
            let text = terminal.wait_for("> abc_");
            assert!(text.contains(&format!("{wrong}: ")) && text.contains(prompt), "{text}");
            // The whole board is still shown.
            let is_below = |line: &str| line.split_whitespace().take(3).eq(["a", "b", "c"]);
            assert!(text.lines().any(is_below), "{text}");
            terminal.press(ESCAPE);
            terminal.wait_until("no refusal", |text| !text.contains(&format!("{wrong}: ")));
        }
    }
}

#[test]
fn the_second_of_two_turns_is_announced() {
    let mut terminal = Terminal::start("sapos", &["--side", "both"]);
    terminal.wait_for("White: choose a frog");
    terminal.enter("d2d4@d5");
    terminal.wait_for("Black: choose a frog");
    terminal.enter("d7f7@f8");
    terminal.wait_for("Black moves again: choose a frog");
    terminal.enter("undo");
    terminal.wait_for("Black: choose a frog");
    let mut terminal = Terminal::start("sapos", &["--side", "p2"]);
    terminal.wait_until("a move", |text| text.contains("1 ") && !text.contains('…'));
    terminal.enter("hint");
    let text = terminal.wait_for("hint: ");
    let hint = text.split("hint: ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    assert!(!text.contains("again"), "{text}");
    terminal.enter(&hint);
    terminal.wait_for("you move again: choose a frog");
}

#[test]
fn the_result_says_who_has_won() {
    // Black, the first player, takes the last man.
    let fen = "8/8/8/8/8/3m4/3M4/8 1 - 0 20";
    for (side, told) in [("p1", "You have won: "), ("both", "Black has won: ")] {
        let mut terminal = Terminal::start("eximo", &["--side", side, "--fen", fen]);
        terminal.enter("d2d4");
        terminal.wait_for(told);
        terminal.enter("d4d5");
        let text = terminal.wait_for("d4d5: not played, the game is over");
        assert!(text.contains(told), "{text}");
    }
    let terminal = Terminal::start("eximo", &["--side", "p2", "--fen", fen]);
    terminal.wait_for("You have lost: all your men are captured");
}

#[test]
fn two_people_agree_on_a_draw_and_one_who_resigns_is_asked_first() {
    let mut terminal = Terminal::start("alquerque", &["--side", "both"]);
    terminal.enter("b2c3");
    terminal.wait_for("1 b2c3");
    terminal.enter("draw");
    terminal.wait_for("Black offers a draw. Does White accept? y: yes, n: no");
    terminal.press("n");
    terminal.wait_for("White declines the draw");
    terminal.enter("resign");
    let text = terminal.wait_for("Black gives the game up? y: yes, n: no");
    assert!(!text.contains("declines"), "{text}");
    terminal.press(ESCAPE);
    terminal.wait_for("Black: choose a man");
    terminal.enter("resign");
    terminal.wait_for("gives the game up?");
    terminal.press("y");
    terminal.wait_for("White has won: the other side has resigned");
    // A decision of people can be taken back, and no move with it.
    terminal.enter("undo");
    terminal.wait_until("the game goes on", |text| {
        text.contains("Black: choose a man") && text.contains("1 b2c3")
    });
    terminal.enter("draw");
    terminal.wait_for("Does White accept?");
    terminal.press("y");
    terminal.wait_for("A draw: agreed by both sides");
    let games = terminal.quit();
    let tags = ["Result", "Reason"].map(|tag| games[0].tag(tag).unwrap().to_owned());
    assert_eq!((tags, moves(&games[0])), (["draw", "agreement"].map(str::to_owned), vec!["b2c3"]));
}

#[test]
fn an_engine_that_resigns_has_lost() {
    let mut terminal = Terminal::start_engine("alquerque", &["sh", "-c", &RESIGNING]);
    terminal.enter("hint");
    terminal.wait_for("the engine would resign");
    terminal.enter("b2c3");
    terminal.wait_for("You have won: the other side has resigned");
    let games = terminal.quit();
    assert_eq!((games[0].tag("Reason"), moves(&games[0])), (Some("resignation"), vec!["b2c3"]));
}

#[test]
fn the_engine_is_offered_a_draw_with_the_next_move_and_its_answer_stays() {
    let fen = "mmmmm/mmmm1/5/5/M4 1 - 0 0";
    let mut terminal = Terminal::start("alquerque", &["--fen", fen]);
    terminal.enter("draw");
    terminal.wait_for("the draw is offered with your next move");
    terminal.enter("a1a2");
    let text = terminal
        .wait_until("the engine's move", |text| text.contains("  2 ") && !text.contains('…'));
    assert!(text.contains("the engine declines the draw"), "{text}");
    terminal.enter("status");
    let text = terminal.wait_for("moves made: 2; since a capture: 2; times this position");
    assert!(!text.contains("declines"), "{text}");
    let mut terminal = Terminal::start("sapos", &[]);
    terminal.enter("draw");
    let text = terminal.wait_for("sapos knows no draw by agreement");
    assert!(!text.contains("repetitions") && !text.contains("moves made"), "{text}");
}

#[test]
fn exact_values_are_a_table_that_goes_at_any_key() {
    let tables = tables(4);
    let option = format!("TablePath={}", tables.path().display());
    let args = ["--side", "both", "--option", &option, "--fen", EXACT];
    let mut terminal = Terminal::start("alquerque", &args);
    terminal.enter("value");
    let text = terminal.wait_for("Esc: back to the game");
    terminal.picture("alquerque-values");
    for part in [
        " White wins, capture or end in 7 plies ",
        "b1c1  white wins, capture or end in 7 plies",
        "b3a3  draw by count",
        "b1a1  black wins, capture or end in 2 plies",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    terminal.press(ESCAPE);
    terminal.wait_until("the board", |text| !text.contains("Esc: back to the game"));
    let mut terminal = Terminal::start("eximo", &["--side", "both"]);
    terminal.enter("value");
    terminal.wait_for("not known exactly: there are no tables of this game");
}

#[test]
fn whole_games_are_watched_to_their_ends() {
    for (game, text) in &*WHOLE_GAMES {
        let games = Record::parse_all(text).unwrap();
        assert_eq!((games.len(), games[0].tag("Game")), (1, Some(*game)));
        assert_ne!(games[0].tag("Reason"), None);
    }
}

#[test]
fn a_turn_is_entered_step_by_step_and_may_stop() {
    let fen = "5/1m1m1/5/1m1m1/M3m 1 - 0 10";
    let mut terminal = Terminal::start("alquerque", &["--side", "both", "--fen", fen]);
    terminal.enter("a1c3");
    // A typed move that may end is made immediately. A move entered with keys has to be confirmed.
    terminal.enter("undo");
    terminal.wait_until("taken back", |text| !text.contains("1 a1c3"));
    terminal.press(ENTER);
    terminal.wait_for("a1> ");
    terminal.press(&format!("{TAB}{TAB}{TAB}"));
    terminal.wait_until("a victim", |text| text.contains("x●x"));
    terminal.picture("alquerque-victim");
    terminal.press(ESCAPE);
    terminal.wait_for("move> ");
    terminal.press(&format!("{UP}{ENTER}"));
    terminal.wait_for("c4: ");
    terminal.enter("redo");
    terminal.wait_for("1 a1c3");
    let games = terminal.quit();
    assert_eq!(moves(&games[0]), ["a1c3"]);
}

#[test]
fn drops_are_typed_or_picked() {
    let fen = "8/4M3/8/m7/8/8/8/1M6 1 - 3 20";
    let mut terminal = Terminal::start("eximo", &["--side", "both", "--fen", fen]);
    terminal.enter("e7e8");
    terminal.wait_for("drop a man on a marked square of your first two rows: 1 of 2");
    terminal.enter("c1");
    terminal.wait_for("drop a man on a marked square of your first two rows: 2 of 2");
    terminal.press(&format!("{TAB}{ENTER}"));
    terminal.wait_for("1 e7e8@");
    let games = terminal.quit();
    assert!(moves(&games[0])[0].starts_with("e7e8@c1@"), "{:?}", games[0]);
}

#[test]
fn the_rules_are_explained_page_by_page_with_positions() {
    for game in &IDS {
        let mut terminal = Terminal::start(game, &["--side", "both"]);
        let before = terminal.wait_for("; 'rules' explains the game");
        terminal.enter("rules");
        let first = terminal.wait_for("1 of ");
        let count: usize = number_before(&first, "  arrows: ");
        assert!(count >= 4, "{first}");
        for number in 2..=count {
            terminal.press(RIGHT);
            let text = terminal.wait_for(&format!("{number} of {count}"));
            terminal.picture(&format!("{game}-rules-{number}"));
            assert!(!text.contains("> _"), "{text}");
        }
        terminal.press(LEFT);
        terminal.wait_for(&format!("{} of {count}", count - 1));
        terminal.press(ESCAPE);
        terminal.wait_until("the game", |text| trimmed(text) == trimmed(&before));
        terminal.enter("rules es");
        terminal.wait_until("Spanish", |text| text.contains("1 of ") && *text != first);
        terminal.press(ESCAPE);
        terminal.wait_until("the game", |text| trimmed(text) == trimmed(&before));
        assert_eq!(terminal.quit(), []);
    }
}

/// The lines without the blanks at their ends. Such blanks stay where text was drawn.
fn trimmed(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_end).collect()
}

/// The number at the end of what comes before these words.
fn number_before(text: &str, words: &str) -> usize {
    let before = text.split(words).next().unwrap();
    before.rsplit(' ').next().unwrap().parse().unwrap_or_else(|_| panic!("{text}"))
}

#[test]
fn the_first_frog_is_named_by_its_square() {
    let mut terminal = Terminal::start("froglet", &["--side", "both"]);
    terminal.enter("a1");
    terminal.wait_for("a1: ");
    terminal.enter("d6");
    terminal.wait_for("1 xd6");
    terminal.picture("froglet");
    assert_eq!(moves(&terminal.quit()[0]), ["xd6"]);
}

#[test]
fn hints_are_shown_and_not_played() {
    let mut terminal = Terminal::start("tactica", &[]);
    terminal.enter("hint");
    let text = terminal.wait_for("hint: ");
    assert!(!text.contains("  1 ") && text.contains("black is to move"), "{text}");
    assert_eq!(terminal.quit(), []);
}

#[test]
fn what_is_refused_is_explained_and_changes_nothing() {
    let mut terminal = Terminal::start("alquerque", &[]);
    for (line, part) in [
        ("a5", "a5: this piece is not the mover's"),
        ("a1a9", "a1a9: the square is not on this board"),
        ("fen 5/5 1", "expected five fields"),
        ("set Hash=lots", "Hash takes a number"),
        ("xyzzy", "xyzzy: this is not a move text"),
    ] {
        terminal.enter(line);
        let text = terminal.wait_for(part);
        assert!(text.contains("white is to move"), "{text}");
    }
    terminal.enter("depth deep");
    terminal.wait_for("leap play ");
    terminal.picture("help");
    terminal.press(ESCAPE);
    terminal.wait_for("> _");
    terminal.enter("fen");
    terminal.wait_for("mmmmm/mmmmm/mm1MM/MMMMM/MMMMM 1");
    assert_eq!(terminal.quit(), []);
}

#[test]
fn an_engine_that_was_lost_is_started_again() {
    let mut terminal = Terminal::start("eximo", &["--side", "both"]);
    terminal.enter("c3c4");
    terminal.wait_for("1 c3c4");
    kill_engines_of(terminal.child.process_id().unwrap());
    terminal.press(TAB);
    terminal.wait_for("it has been started again");
    terminal.enter("c7c5");
    terminal.wait_for("1 c3c4  2 c7c5");
}

#[test]
fn small_windows_are_survived() {
    let terminal = Terminal::start("froglet", &[]);
    terminal.resize(10, 30);
    terminal.wait_for("this window is too small");
    terminal.resize(40, 120);
    terminal.wait_for("┌───┬");
}

#[test]
fn it_wants_a_terminal() {
    let done = Command::new(LEAP.as_str())
        .args(["play", "--", &LEAPD])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let error = String::from_utf8(done.stderr).unwrap();
    assert_eq!(error, "leap: expected a terminal, found a file or a pipe\n");
    assert_eq!(done.status.code(), Some(2));
}
