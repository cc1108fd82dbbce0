//! A person's first five minutes with the page, in both languages and colour schemes, on small and large screens. Its
//! pictures are `target/screenshots/web-tour-*.png`.

use super::layout::SCREENS;
use super::page::{Page, with_page};
use super::window::schemes_to_fit;

/// What is cut off or overlaps something else, among everything that is read or pressed.
const UNTIDY: &str = r#"
    const top = document.querySelector("dialog[open]") ?? document;
    const shown = [...top.querySelectorAll("button, select, input, h1, h2, h3, summary, .side > *, .fields span, p, figcaption")]
      // What is one pixel wide is for screen readers alone.
      .filter((part) => part.checkVisibility() && part.getClientRects().length > 0 && part.getBoundingClientRect().width > 1);
    const name = (part) => part.id || part.textContent.slice(0, 30) || part.className;
    const isCut = (part) => getComputedStyle(part).display !== "inline" && part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0;
    const pen = document.createElement("canvas").getContext("2d");
    const isNarrow = (list) => {
      const style = getComputedStyle(list);
      pen.font = style.font;
      const room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 18;
      return list.size < 2 && [...list.options].some((option) => pen.measureText(option.text).width > room);
    };
    // A text that is typed may be longer than its field.
    const isHidden = (part) => part.matches("select") ? isNarrow(part) : !part.matches("input") && isCut(part);
    const faults = shown.filter(isHidden).map((part) => `cut: ${name(part)}`);
    // What the panel has scrolled away is not seen.
    const seen = (part) => {
      const box = part.getBoundingClientRect();
      const pane = part.closest(".panel, #guide-text, .editor")?.getBoundingClientRect() ?? box;
      const [left, top] = [Math.max(box.left, pane.left), Math.max(box.top, pane.top)];
      return { left, top, right: Math.min(box.right, pane.right), bottom: Math.min(box.bottom, pane.bottom) };
    };
    const boxes = shown.map((part) => [part, seen(part)]).filter(([, { left, right, top, bottom }]) => left < right && top < bottom);
    for (const [a, one] of boxes) for (const [b, other] of boxes) {
      if (a === b || a.contains(b) || b.contains(a) || (a.compareDocumentPosition(b) & 2)) continue;
      const [width, height] = [Math.min(one.right, other.right) - Math.max(one.left, other.left), Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)];
      if (width > 1 && height > 1) faults.push(`overlap: ${name(a)} and ${name(b)}`);
    }
    return faults;"#;

/// The parts of the page that are unfolded.
const UNFOLDED: &str = "document.querySelectorAll('details[open]')";

/// A game with a variation.
const GAME: &str =
    "[Game \"alquerque\"]\n[Format \"2\"]\n\n1. b2c3 2. d4b2 (2. b3b2 3. b1b3) 3. a1c3 *\n";

/// A tour in one language and colour scheme.
struct Tour<'a> {
    page: &'a Page,
    language: &'static str,
    scheme: &'static str,
}

impl Tour<'_> {
    /// Looks at the page on all screens.
    async fn look(&self, moment: &str) {
        for (width, height) in SCREENS {
            self.page.on_screen(width, height).await;
            self.page.drawn().await;
            let name = format!("tour-{}-{}-{width}-{moment}", self.language, self.scheme);
            let faults = self.page.run(UNTIDY, vec![]).await;
            self.page.picture(&name).await;
            assert_eq!(faults.as_array().unwrap()[..], [""; 0], "{name}");
        }
        self.page.on_screen(1280, 1000).await;
        self.page.drawn().await;
    }

    /// Arrives, reads how to play, and looks at an example's move.
    async fn learn(&self) {
        let page = self.page;
        assert!(page.is_shown("greeting").await);
        assert_eq!(page.run(&format!("return {UNFOLDED}.length"), vec![]).await, 0);
        self.look("1-arrival").await;
        page.press("how-to-play").await;
        page.wait_until("the rules are shown", "return document.getElementById('guide').open")
            .await;
        let clauses = "return document.querySelectorAll('#guide h3').length >= 3 && document.querySelectorAll('#guide .example').length >= 4";
        assert_eq!(page.run(clauses, vec![]).await, true);
        self.look("2-how-to-play").await;
        page.run("document.querySelector('#guide figure button').click()", vec![]).await;
        assert_eq!(page.attribute("#guide figure button", "aria-pressed").await, "true");
        page.press("close-guide").await;
        assert!(!page.is_shown("greeting").await && !page.is_shown("welcome").await);
    }

    /// Makes a first move, after a wrong one, and asks for a hint.
    async fn play(&self) {
        let page = self.page;
        assert_ne!(page.text("prompt").await, "");
        page.click_square("a5").await;
        page.settled().await;
        assert!(page.complaint().await.starts_with("a5: "), "{}", page.complaint().await);
        self.look("3-refused").await;
        page.click_square("b2").await;
        page.click_square("c3").await;
        page.moves_at_least(2).await;
        page.press("hint").await;
        page.wait_until("a hint is shown", "return Boolean(document.querySelector('.arrow-hint'))")
            .await;
        self.look("4-hint").await;
    }

    /// Enters two drops, against a friend.
    async fn drop(&self) {
        let page = self.page;
        page.open("eximo").await;
        page.choose("p2-player", "human").await;
        page.set_up("8/4M3/8/m7/8/8/8/1M6 1 - 3 20").await;
        for (square, count) in [("e7", ""), ("e8", "1"), ("c1", "2")] {
            page.click_square(square).await;
            page.settled().await;
            let prompt = page.text("prompt").await;
            assert!(count.is_empty() || prompt.contains(&format!("{count} ")), "{prompt}");
        }
        self.look("5-second-drop").await;
        page.click_square("g2").await;
        page.moves_at_least(1).await;
    }

    /// Looks at a game of two people with a variation, at its review and at a mistake, lets the engine analyse, and practises.
    async fn study(&self) {
        let page = self.page;
        page.load(GAME).await;
        page.press("tab-moves").await;
        self.look("8-moves").await;
        page.press("tab-review").await;
        page.press("review").await;
        let is_done = "return document.querySelectorAll('#review-worst li').length > 0";
        page.wait_until("the game is reviewed", is_done).await;
        page.settled().await;
        page.press_first("#review-worst .move").await;
        page.settled().await;
        self.look("9-mistake").await;
        page.press("analyse").await;
        page.wait_until("lines are shown", "return Boolean(document.querySelector('#lines li'))")
            .await;
        self.look("10-analysis").await;
        page.press("analyse").await;
        page.press("tab-settings").await;
        self.look("11-settings").await;
        page.press("tab-practice").await;
        page.press("course-lesson").await;
        page.wait_until("the lesson begins", "return document.body.matches('.practising')").await;
        page.settled().await;
        self.look("12-lesson").await;
        page.press("exercise-leave").await;
        page.settled().await;
    }

    /// Sees how a game ends, with all that can be set unfolded.
    async fn end(&self) {
        let page = self.page;
        page.set_up("8/8/8/3m4/3M4/8/8/8 1 - 3 20").await;
        page.click_squares(&["d4", "d6"]).await;
        assert!(page.is_shown("result").await);
        page.run(
            "for (const part of document.querySelectorAll('details')) part.open = true",
            vec![],
        )
        .await;
        self.look("6-result").await;
        page.press("rematch").await;
        assert!(!page.settled().await.is_over);
        for game in page.games().await {
            page.open(&game).await;
            self.look(&format!("7-{game}")).await;
        }
        page.run(&format!("for (const part of {UNFOLDED}) part.open = false"), vec![]).await;
        assert_eq!(page.errors().await, [""; 0]);
    }
}

fn visit(language: &'static str) {
    for &scheme in schemes_to_fit() {
        with_page(async move |page| {
            page.in_scheme(scheme).await;
            page.browse_in(language).await;
            page.reload().await;
            let tour = Tour { page: &page, language, scheme };
            tour.learn().await;
            tour.play().await;
            tour.drop().await;
            tour.end().await;
            tour.study().await;
        });
    }
}

#[test]
#[ignore = "slow: run by .ci/run"]
fn a_first_visit_in_english() {
    visit("en");
}

mod exhaustive {
    use super::*;

    #[test]
    #[ignore = "exhaustive: run by .ci/run exhaustive"]
    fn a_first_visit_in_spanish() {
        visit("es");
    }
}
