// The card with the review of the game: the graph of winning chances, the accuracy of both sides, the worst moves.

import { readEffects } from "../board/notation.js";
import { Lost } from "../engine/engine.js";
import { byId, html } from "../ui/dom.js";
import { messageOf, named, t } from "../ui/i18n.js";
import { colourWithin, isOnlyPerson, other, SIDES, sideName, viewOf } from "../ui/panels.js";
import { levelOf } from "../ui/settings.js";
import { drawGraph, plyAt } from "./graph.js";
import { isWrong, labelOf, LABELS, lossOf } from "./judgement.js";
import { mistakes, retry } from "./retry.js";
import { carryOut, Review } from "./review.js";
import { USUAL } from "./yardstick.js";

/** @import { Mistake, SavedReview } from "./review.js" */

/** How many of the worst moves of a side are listed. */
const MOST = 5;
/** Nobody waits for the longest searches of a record. */
const MOST_NODES = 20_000_000;
const FULL_STRENGTH = 100;

/** @param {number} share */
const percent = (share) => Math.round(100 * share);

/** The review of the game on the board. */
export class Reviewer {
  #app;
  /** @type {Review | null} */
  #review = null;
  /** @type {AbortController | null} */
  #stop = null; // ends the review that is being made

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  /**
   * Takes over what was kept of a game: `{ moves, positions, yardstick }` or null.
   * @param {SavedReview | null} kept
   */
  set(kept) {
    this.halt();
    this.#review = kept?.yardstick ? new Review(kept.moves, kept.positions, kept.yardstick) : null;
  }

  /** @returns {SavedReview | null} */
  save() {
    if (!this.#review) return null;
    const { moves, positions, yardstick } = this.#review;
    return { moves, positions, yardstick };
  }

  /** The review, if it is one of the main line as it is now. */
  get current() {
    const [review, main] = [this.#review, this.#app.game.tree.main];
    const isSame = review?.moves.length === main.length && main.every(({ move }, at) => move === review.moves[at]);
    return isSame ? review : null;
  }

  get #complete() {
    return this.current?.isComplete ? this.current : null;
  }

  /** Ends the making of a review. What was found stays. */
  halt() {
    this.#stop?.abort();
    this.#stop = null;
  }

  /** Reviews the game, or goes on with it. The page stays free for other things meanwhile. */
  begin() {
    const app = this.#app;
    const { game } = app;
    this.halt();
    const review = this.current ?? new Review(game.tree.main.map(({ move }) => move));
    this.#review = review;
    const stop = new AbortController();
    this.#stop = stop;
    const onPosition = () => {
      if (this.current !== review) stop.abort();
      else app.guarded(() => app.draw());
    };
    const { id, start, rules } = game;
    /** @param {number} ply */
    const effortOf = (ply) => searchesOf(app, ply);
    carryOut(review, { id, start, rules: [...rules], level: levelOfGame(app), effortOf }, { signal: stop.signal, onPosition })
      .then(() => this.current === review && review.annotate(game.tree))
      .catch((error) => this.#explain(stop.signal, error))
      .finally(() => this.#end(stop));
    app.draw();
  }

  /**
   * @param {AbortSignal} signal
   * @param {unknown} error
   */
  #explain({ aborted }, error) {
    if (!aborted) this.#app.say(error instanceof Lost ? t("engine.none", { why: error.message }) : messageOf(error), true);
  }

  /** @param {AbortController} stop */
  #end(stop) {
    if (this.#stop === stop) this.#stop = null;
    const app = this.#app;
    app.guarded(() => {
      app.draw();
      app.remember();
    });
  }

  /** Lets the person try again at the mistakes. */
  retry() {
    this.halt();
    return this.#complete && retry(this.#app, this.#complete);
  }

  /** What is known of the move that led to the displayed position: the effects of this move, and of a better one. */
  get made() {
    const { tree } = this.#app.game;
    const review = tree.isOnMain ? this.#complete : null;
    const [best = "", played = ""] = review?.positions[tree.ply - 1]?.effects ?? [];
    const choice = review?.choice(tree.ply);
    return { played: readEffects(played), better: choice && isWrong(choice) ? readEffects(best) : [] };
  }

  show() {
    const { exercise, game, players } = this.#app;
    const review = exercise ? null : this.current;
    const isOn = this.#stop !== null;
    const isComplete = Boolean(review?.isComplete);
    const isUseless = isOn || isComplete || exercise !== null || game.tree.main.length === 0;
    byId("review").hidden = byId("review-over").hidden = isUseless;
    byId("stop-review").hidden = !isOn;
    byId("review").textContent = t(review ? "review.goOn" : "review.begin");
    byId("review-progress").hidden = !isOn;
    Object.assign(byId("review-progress"), { max: game.tree.main.length + 1, value: review?.count ?? 0 });
    byId("reviewed").hidden = !review;
    byId("review-none").hidden = review !== null;
    byId("judged").hidden = !isComplete;
    byId("retry").hidden = !review?.isComplete || mistakes(review, players).length === 0;
    if (review) drawGraph(byId("review-graph"), review.chances, game.tree.isOnMain ? game.ply : null);
    if (!review?.isComplete) return;
    showSummaries(this.#app, review);
    showWorst(this.#app, review);
  }
}

/**
 * The sides that an engine plays, with its level.
 * @param {App} app
 */
function enginesOf({ conduct, game, players }) {
  const levels = SIDES.map((side) => (players[side] === "engine" ? levelOf(conduct.levels[side]) : undefined));
  return game.source ? [] : levels.filter(Boolean);
}

/**
 * The level of the players: that of the weakest engine, or a usual one where only people play.
 * @param {App} app
 */
const levelOfGame = (app) => Math.min(...enginesOf(app).map(({ strength }) => strength), USUAL);

/**
 * The limits of the players' searches around a position: those that a record tells, or those of an engine at full strength.
 * @param {App} app
 * @param {number} ply
 */
function searchesOf(app, ply) {
  const { main } = app.game.tree;
  const nodes = Math.max(0, ...[main[ply - 1], main[ply]].map((node) => node?.nodes ?? 0));
  if (nodes > 0) return `nodes ${Math.min(nodes, MOST_NODES)}`;
  return enginesOf(app).find(({ strength }) => strength === FULL_STRENGTH)?.go ?? null;
}

/**
 * The sides, that of the reader first.
 * @param {App} app
 * @returns {Side[]}
 */
const sidesOf = ({ players }) => [viewOf(players), other(viewOf(players))];

/**
 * The accuracy of each side, and how many moves have each label.
 * @param {App} app
 * @param {Review} review
 */
function showSummaries(app, review) {
  const { game } = app;
  /** @param {Side} side */
  const row = (side) => {
    const { accuracy, counts } = review.summary(side);
    const share = accuracy === null ? t("review.decided") : `${Math.round(accuracy)} %`;
    const cells = [share, ...counts].map((text) => html("td", {}, String(text)));
    return html("tr", {}, html("th", { scope: "row" }, sideName(game.board, side)), ...cells);
  };
  const heads = [t("review.accuracy"), ...LABELS.map(({ name }) => named("labels", name))];
  byId("review-table").replaceChildren(
    html("tr", {}, html("td", {}), ...heads.map((head) => html("th", { scope: "col" }, head))),
    ...sidesOf(app).map(row),
  );
  const decided = sidesOf(app).reduce((count, side) => count + review.summary(side).decided, 0);
  byId("review-decided").textContent = decided ? t("review.leftOut", { n: decided }) : "";
}

/**
 * The worst moves of each side in the order of play, each with what was better.
 * @param {App} app
 * @param {Review} review
 */
function showWorst(app, review) {
  /** @param {Mistake} mistake */
  const line = ({ ply, choice }) => {
    const { best = "", line: better = [best] } = review.positions[ply - 1] ?? {};
    const name = labelOf(choice)?.name ?? "";
    /** @param {TreeNode} node */
    const visit = (node) => app.act(() => app.visit(node));
    const main = app.game.tree.main;
    const played = html("button", { type: "button", class: "move", onclick: () => visit(main[ply - 1]) }, `${ply}. ${review.moves[ply - 1]}`);
    const first = main[ply - 1].siblings.find(({ move }) => move === best);
    const instead = html(
      "button",
      { type: "button", class: "move", disabled: !first, onclick: () => first && visit(first) },
      better.slice(0, 3).join(" "),
    );
    const what = t("review.lost", { label: named("label", name), n: percent(lossOf(choice)) });
    return html("li", {}, played, " ", html("span", { class: "quiet" }, what), " ", html("span", {}, t("review.better")), " ", instead);
  };
  /** @param {Side} side */
  const part = (side) => {
    const { game, players } = app;
    const heading = isOnlyPerson(players, side) ? t("review.yours") : t("review.sides", { side: colourWithin(game.board, side) });
    const worst = review.worst(side, MOST);
    const clean = html("p", { class: "quiet" }, t("review.clean"));
    return [html("h2", {}, heading), worst.length ? html("ol", {}, ...worst.map(line)) : clean];
  };
  byId("review-worst").replaceChildren(...sidesOf(app).flatMap(part));
}

/**
 * Goes to the position of the graph at which a person clicks.
 * @param {App} app
 */
export function listenToGraph(app) {
  byId("review-graph").addEventListener("click", (event) => {
    const { main, root } = app.game.tree;
    const ply = plyAt(event, main.length);
    app.act(() => app.visit(main[ply - 1] ?? root));
  });
}
