// The engine's thinking beside the board: a bar, the score, and while it analyses the best lines, which can be looked at and
// played.

import { arrowsOf } from "../board/notation.js";
import { Preview } from "../board/preview.js";
import { exactOf, exactOfMove, exactText, shareOf, shortText } from "../game/exact.js";
import { percentFor, percentOf, scoreFor, scoreText } from "../review/chances.js";
import { byId, html } from "../ui/dom.js";
import { t } from "../ui/i18n.js";
import { hasPersonAndEngine, viewer, viewOf } from "../ui/panels.js";
import { loadObject, store } from "../ui/storage.js";
import { readInfo } from "./engine.js";

const KEY = "leap-analysis";
const USUAL_LINES = 3;
const MOST_LINES = 5;
/** How many moves of a line are displayed. */
const SHOWN_MOVES = 8;

/**
 * A stored number of lines, if it is one.
 * @param {unknown} stored
 */
const countIn = (stored) => {
  const count = Number.isInteger(stored) ? Number(stored) : 0;
  return count >= 1 && count <= MOST_LINES ? count : USUAL_LINES;
};

/**
 * Takes an `info` over into lines by rank. A search that was begun anew at the same position has to become as deep first.
 * @param {Map<number, Info>} lines
 * @param {Info} info
 */
export function takeLine(lines, info) {
  const isDeepEnough = (info.depth ?? 0) >= (lines.get(info.multipv)?.depth ?? 0);
  if (isDeepEnough) lines.set(info.multipv, info);
  return isDeepEnough;
}

export class Analysis {
  #app;
  /** @type {Map<number, Info>} */
  #lines = new Map(); // the last `info` of each line, by rank
  /** @type {Map<number, Info>} */
  #shown = new Map(); // those in the list, by rank
  /** @type {string | null} */
  #of = null; // the position text that the lines are of
  /** @type {Side} */
  #side = "p1"; // that is to move there
  /** @type {{ of: string, move: string } | null} */
  #threat = null; // { of, move }: what the other side would play
  #share = 50; // of p1 in the bar, in percent, by the engine's guess
  #isDue = false; // a new `info` waits to be displayed
  #preview;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    const stored = loadObject(KEY);
    this.count = countIn(stored.lines);
    this.isBarWanted = stored.isBarWanted === true;
    byId("show-bar").checked = this.isBarWanted;
    this.#preview = new Preview(app, (rank) => this.#shown.get(rank)?.pv ?? []);
  }

  /** Whether a person wants the engine to analyse. */
  get isOn() {
    return byId("analyse").checked;
  }

  /** Whether the lines of the displayed position are listed, rather than the thoughts about the engine's own move. */
  get #isListing() {
    const { game, isHuman, isPaused } = this.#app;
    return this.isOn && !game.isOver && (isHuman || isPaused) && this.#of === game.fen;
  }

  /**
   * Fills the choice of how many lines the engine shows, as far as it can show several.
   * @param {App} app
   */
  offer({ options }) {
    const most = Math.min(MOST_LINES, Number(options.find(({ name }) => name === "MultiPV")?.max ?? 1));
    this.count = Math.min(this.count, most);
    const choices = Array.from({ length: most }, (_, at) => html("option", { value: at + 1, selected: at + 1 === this.count }, String(at + 1)));
    byId("line-count").replaceChildren(...choices);
    byId("line-count").disabled = most === 1;
  }

  /**
   * Sets how many lines are shown.
   * @param {number} lines
   */
  choose(lines) {
    this.count = lines;
    this.#store();
  }

  /**
   * Sets whether the bar is shown in games against the engine too.
   * @param {boolean} isWanted
   */
  wantBar(isWanted) {
    this.isBarWanted = isWanted;
    this.#store();
    this.#showBar();
  }

  #store() {
    store(KEY, { lines: this.count, isBarWanted: this.isBarWanted });
  }

  clear() {
    this.#lines.clear();
    this.#threat = null;
    this.#fill(50);
    byId("line").textContent = "";
    this.#clearScore();
    this.show();
  }

  /**
   * Handles an `info` line of a search by a side.
   * @param {string} line
   * @param {Side} side
   */
  note(line, side) {
    const info = readInfo(line, this.#app.engine.countsPlies);
    if (!info || info.multipv > MOST_LINES) return;
    const { fen } = this.#app.game;
    if (this.#of !== fen) this.#lines.clear();
    this.#of = fen;
    this.#side = side;
    if (!takeLine(this.#lines, info) || this.#isDue) return;
    // The first depths take less than a frame.
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      if (this.#preview.isHolding) return;
      this.#showScore();
      this.show();
      this.#app.point();
    });
  }

  #showScore() {
    const best = this.#lines.get(1);
    if (!best) return;
    const view = viewOf(this.#app.players);
    this.#fill(percentOf(best, this.#side, "p1"));
    byId("score").textContent = scoreText(scoreFor(best.score, this.#side, view));
    byId("chance").textContent = t("analysis.chance", { n: percentOf(best, this.#side, view) });
  }

  /** Displays the lines of the position, or what the engine thinks of its own move. A line that a person looks at stays. */
  show() {
    if (!this.#app.game?.board) return;
    const isListing = this.#isListing;
    // Without analysis, the thoughts about the last move stay.
    const best = isListing || !this.isOn ? this.#lines.get(1) : null;
    this.#showBar();
    this.#showView();
    byId("threat").disabled = this.#app.game.isOver;
    byId("threat").setAttribute("aria-pressed", String(this.isThreatening));
    if (!isListing) this.#preview.release();
    if (this.#preview.isHolding) return;
    const thought = best ? { depth: best.depth, line: best.pv.slice(0, SHOWN_MOVES).join(" ") } : {};
    byId("line").textContent = best ? t(isListing ? "analysis.depth" : "evaluation.depth", thought) : "";
    this.#shown = new Map(isListing ? [...this.#lines].sort(([a], [b]) => a - b) : []);
    byId("lines").replaceChildren(...[...this.#shown].map((line) => this.#row(line)));
  }

  /** @param {[number, Info]} line */
  #row([rank, info]) {
    const { players } = this.#app;
    const view = viewOf(players);
    const chance = percentOf(info, this.#side, view);
    const exact = exactOfMove(this.#app, info.pv[0]);
    /**
     * @param {string} move
     * @param {number} at
     */
    const step = (move, at) => html("button", { type: "button", class: "step", "data-rank": rank, "data-at": at }, move);
    return html(
      "li",
      {},
      html(
        "span",
        { class: "worth" },
        html("strong", {}, exact ? shortText(exact) : scoreText(scoreFor(info.score, this.#side, view))),
        html("span", { class: "quiet" }, t("analysis.chance", { n: chance })),
      ),
      html("span", { class: "steps-of" }, ...info.pv.slice(0, SHOWN_MOVES).map(step)),
    );
  }

  /** The arrows of the threat and of the first moves of the lines; the best one comes last, so it lies on top. */
  get arrows() {
    const { fen } = this.#app.game;
    const threat = this.#threat?.of === fen ? arrowsOf("threat", this.#threat.move) : [];
    if (!this.#isListing) return threat;
    const firsts = [...this.#lines].sort(([a], [b]) => b - a);
    return [...firsts.flatMap(([rank, { pv }]) => arrowsOf(rank === 1 ? "best" : "line", pv[0])), ...threat];
  }

  /**
   * Shows or hides what the other side would play at the displayed position.
   * @param {string | null} move
   */
  threaten(move) {
    this.#threat = move === null ? null : { of: this.#app.game.fen, move };
  }

  get isThreatening() {
    return this.#threat?.of === this.#app.game.fen;
  }

  /**
   * The bar of a finished game.
   * @param {string} result
   */
  end(result) {
    this.#fill(result === "p1win" ? 100 : result === "p2win" ? 0 : 50);
  }

  /**
   * Fills the bar with a share of p1 in percent, unless an exact value is known.
   * @param {number} percent
   */
  #fill(percent) {
    this.#share = percent;
    this.#showBar();
  }

  /** Whether the bar is shown: not unasked in a game against the engine. */
  get #wantsBar() {
    const { exercise, game, party, players } = this.#app;
    if (exercise || party) return false;
    const isTold = game?.isOver || this.#lines.size > 0 || this.#reviewed !== null || exactOf(this.#app) !== null;
    return this.isOn || this.isBarWanted || (isTold && !hasPersonAndEngine(players));
  }

  /** The share of p1 in the displayed position by the review, in percent; null if it is not known. */
  get #reviewed() {
    const { game, reviewer } = this.#app;
    const chance = game?.board && game.tree.isOnMain && !game.isOver ? reviewer.current?.chances[game.ply] : null;
    return typeof chance === "number" ? percentFor(chance, "p1") : null;
  }

  /** Names the view of all scores, and says that both sides are free. */
  #showView() {
    const { game, isFree, players } = this.#app;
    const side = viewer(game, players);
    byId("viewed").textContent = [t("evaluation.view", { side }), isFree && t("analysis.free")].filter(Boolean).join(" ");
  }

  #showBar() {
    const { board, status } = this.#app.game ?? {};
    byId("bar").toggleAttribute("hidden", !this.#wantsBar);
    const exact = exactOf(this.#app);
    const percent = exact ? shareOf(exact, status.turn) : this.#lines.size ? this.#share : (this.#reviewed ?? this.#share);
    byId("bar-p1").setAttribute("height", String(percent));
    byId("bar-p1").setAttribute("y", String(100 - percent));
    byId("bar").classList.toggle("exact", exact !== null);
    if (!board) return;
    const { game, players } = this.#app;
    const seen = viewOf(players) === "p1" ? percent : 100 - percent;
    byId("bar").setAttribute("aria-valuenow", String(seen));
    const share = t("evaluation.share", { n: seen, side: viewer(game, players) });
    byId("bar").setAttribute("aria-valuetext", exact ? exactText(exact, status.turn, board) : share);
    // The score of a known position says less than its value.
    if (exact) this.#clearScore();
  }

  #clearScore() {
    byId("score").textContent = byId("chance").textContent = "";
  }
}
