//! Puzzles and first lessons, solved by mouse in both languages. The game on the board comes back.

use super::page::{Page, with_page};

/// The most that White can still get is two points more: three, against the two that Black then takes, and one.
const PROBLEM: &str = "# leapd problems froglet\n\
    12/12/12/2GG8/12/12/12/2GY8/12/12/12/2GR8 1 10-10 0 60 bm c1e1; c0 \"margin of 200 cp\"; id \"froglet.1\";\n";

/// The moves of the first lesson of Froglet, square by square.
const LESSON: [&[&str]; 6] = [
    &["c1"],
    &["c3", "e3"],
    &["a1", "c1", "e1"],
    &["c3", "e3"],
    &["a1", "c1", "c3"],
    &["c1", "e1"],
];

/// Words of the texts in a language.
struct Words {
    language: &'static str,
    goal: &'static str,
    wrong: &'static str,
    streak: &'static str,
    lesson: &'static str,
    rule: &'static str,
}

const LANGUAGES: [Words; 2] = [
    Words {
        language: "en",
        goal: "Player 1 to move and finish 2 points ahead.",
        wrong: "✗ d1b1 gives points away. The engine would answer c5e5.",
        streak: " · 1 in a row, best 1",
        lesson: "First lesson: Froglet",
        rule: "This task is about: Points.",
    },
    Words {
        language: "es",
        goal: "Mueven las del jugador 1 y acaban con 2 puntos más.",
        wrong: "✗ d1b1 regala puntos. El motor respondería c5e5.",
        streak: " · 1 seguidas, récord 1",
        lesson: "Primera lección: Froglet",
        rule: "Esta tarea trata de: Puntos.",
    },
];

/// Enters a move, ends the turn where it could go on, and waits for what the page makes of it.
async fn enter(page: &Page, squares: &[&str], state: &str) {
    for square in squares {
        page.click_square(square).await;
        page.run("return leap.inspect().work.then(() => true)", vec![]).await;
    }
    if page.is_shown("end-turn").await {
        page.press("end-turn").await;
    }
    expect(page, state).await;
}

/// Waits for a state of the exercise.
async fn expect(page: &Page, state: &str) {
    let script = format!("return document.getElementById('exercise').dataset.state === '{state}'");
    page.wait_until(&format!("the exercise is {state}"), &script).await;
    page.run("return leap.inspect().work.then(() => true)", vec![]).await;
}

/// Opens a file with a problem, errs, tries again and solves it.
async fn solve_puzzle(page: &Page, words: &Words) {
    page.load(PROBLEM).await;
    page.wait_until("practice begins", "return document.body.matches('.practising')").await;
    expect(page, "open").await;
    assert_eq!(page.text("exercise-goal").await, words.goal);
    enter(page, &["d1", "b1"], "wrong").await;
    assert_eq!(page.text("exercise-verdict").await, words.wrong);
    page.picture(&format!("practice-{}", words.language)).await;
    page.press("exercise-again").await;
    expect(page, "open").await;
    enter(page, &["c1", "e1"], "open").await;
    assert!(page.text("exercise-verdict").await.contains("c5e5"));
    enter(page, &["d9", "b9"], "solved").await;
    // The mistake has ended the row. The next problem is the only one again.
    page.press("exercise-next").await;
    expect(page, "open").await;
    enter(page, &["c1", "e1"], "open").await;
    enter(page, &["c9", "e9"], "solved").await;
    let standing = page.text("exercise-progress").await;
    assert!(standing.ends_with(words.streak) && standing.contains("(+"), "{standing}");
    page.press("exercise-leave").await;
    page.settled().await;
}

/// Solves the six positions of the lesson, one of them after a mistake.
async fn take_lesson(page: &Page, words: &Words) {
    page.press("how-to-play").await;
    page.press("lesson").await;
    for (at, squares) in LESSON.iter().enumerate() {
        expect(page, "open").await;
        assert_eq!(page.text("exercise-title").await, words.lesson);
        assert_eq!(page.text("exercise-progress").await, format!("{}/6", at + 1));
        if at == 3 {
            enter(page, &["d3", "b3"], "wrong").await;
            let verdict = page.text("exercise-verdict").await;
            assert!(verdict.contains(words.rule), "{verdict}");
            // The board shows what the move does, until the next try.
            page.press("exercise-again").await;
            expect(page, "open").await;
        }
        enter(page, squares, "solved").await;
        if at < 5 {
            page.press("exercise-next").await;
        }
    }
}

#[test]
fn a_puzzle_and_a_lesson_are_solved_by_mouse_and_the_game_comes_back() {
    with_page(|page| async move {
        page.open("eximo").await;
        page.choose("p2-player", "human").await;
        page.click_squares(&["c3", "c4"]).await;
        let (fen, moves) = (page.fen().await, page.moves_at_least(1).await);
        for words in &LANGUAGES {
            page.choose("language", words.language).await;
            solve_puzzle(&page, words).await;
            assert_eq!((page.fen().await, page.moves().await), (fen.clone(), moves.clone()));
            page.open("froglet").await;
            take_lesson(&page, words).await;
            page.press("exercise-end").await;
            page.settled().await;
            assert!(!page.is_shown("exercise").await);
            assert_eq!(page.field("#p2-level").await, "0");
            assert_eq!(page.field("#p1-player").await, "human");
            page.press("bring-back").await;
            page.settled().await;
            assert_eq!((page.fen().await, page.moves().await), (fen.clone(), moves.clone()));
        }
        assert_eq!(page.errors().await, [""; 0]);
    });
}

#[test]
fn the_engines_problems_are_practised_by_game_and_theme_and_a_reload_brings_the_game_back() {
    with_page(|page| async move {
        page.open("sapos").await;
        page.choose("p2-player", "human").await;
        page.click_squares(&["d2", "d4", "d5"]).await;
        let (fen, moves) = (page.fen().await, page.moves_at_least(1).await);
        page.press("practice").await;
        expect(&page, "open").await;
        page.choose("exercise-theme", "win").await;
        page.press("exercise-show").await;
        expect(&page, "shown").await;
        page.press_first("[data-game=alquerque]").await;
        page.wait_until(
            "the puzzles are of another game",
            "return document.getElementById('exercise-title').textContent.endsWith('Alquerque')",
        )
        .await;
        page.reload().await;
        assert!(!page.is_shown("exercise").await);
        assert_eq!((page.fen().await, page.moves().await), (fen, moves));
        assert_eq!(page.errors().await, [""; 0]);
    });
}
