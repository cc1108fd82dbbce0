// "How to play": the rules as the engine tells them, with boards that show what a move does.

import { Drawing } from "../board/drawing.js";
import { kindName } from "../board/names.js";
import { apply, readEffects, readPosition, touched } from "../board/notation.js";
import { pieceIcon } from "../board/pieces.js";
import { byId, html } from "../ui/dom.js";
import { capital, t } from "../ui/i18n.js";
import { load, store } from "../ui/storage.js";
import { showDialog } from "../ui/trail.js";
import { greet, setGreeted } from "../ui/welcome.js";

/** @import { Example } from "../engine/guide.js" */
/** @typedef {{ pieces: Pieces, marks: Marks, arrows: Arrow[] }} Picture */

const KEY = "leap-known-games";
/**
 * The buttons that start a lesson.
 * @type {Ids["button"][]}
 */
const LESSONS = ["first-lesson", "greeting-lesson", "course-lesson"];

/**
 * Shows the rules of the game in play.
 * @param {App} app
 */
export function showGuide(app) {
  const { guide, board, id } = app.game;
  if (!guide.clauses.length) return;
  byId("guide-title").textContent = app.game.titleOf(id);
  const offer = html("button", { type: "button", id: "lesson", class: "primary", title: t("lesson.what") }, t("lesson.open"));
  byId("guide-text").replaceChildren(
    html("p", { hidden: !guide.hasLesson }, offer),
    legend(board),
    ...guide.clauses.map(({ heading, text, examples }) =>
      html("section", {}, html("h3", {}, heading), html("p", {}, text), pictures(examples, board)),
    ),
  );
  setKnown(app);
  byId("guide").addEventListener("close", () => byId("guide-text").replaceChildren(), { once: true });
  showDialog(byId("guide"));
  byId("guide-text").scrollTop = 0;
}

/**
 * The pieces of a game with their names, both colours of a kind side by side.
 * @param {Board} board
 */
export function kinds(board) {
  const byName = new Map();
  for (const text of board.pieces.keys()) {
    const name = kindName(text, board);
    byName.set(name, [...(byName.get(name) ?? []), text]);
  }
  return [...byName];
}

/**
 * A list of the pieces of a game, under a heading.
 * @param {Board} board
 */
export function legend(board) {
  /** @param {[string, string[]]} kind */
  const kind = ([name, texts]) => html("li", {}, ...texts.map((text) => pieceIcon(text, board)), html("span", {}, capital(name)));
  return html("section", {}, html("h3", {}, t("guide.pieces")), html("ul", { class: "legend" }, ...kinds(board).map(kind)));
}

/**
 * Boards for some examples; null without any.
 * @param {Example[]} examples
 * @param {Board} board
 */
function pictures(examples, board) {
  if (!examples.length) return null;
  return html("div", { class: "examples" }, ...examples.map((example) => picture(example, board)));
}

/**
 * A little board with a caption; its button shows the position before and after the move.
 * @param {Example} example
 * @param {Board} board
 */
function picture({ fen, move, effects, caption }, board) {
  const place = html("div", { class: "example", role: "img", "aria-label": caption });
  const drawing = new Drawing(place);
  drawing.build(board);
  const [before, after] = states(fen, readEffects(effects), board);
  /** @param {Picture} state */
  const show = ({ pieces, marks, arrows }) => {
    drawing.show(pieces, marks);
    drawing.point(arrows);
  };
  show(before);
  const button = html("button", { type: "button", "aria-pressed": "false" }, t("guide.after"));
  button.addEventListener("click", () => {
    const isAfter = button.getAttribute("aria-pressed") === "false";
    button.setAttribute("aria-pressed", String(isAfter));
    button.textContent = t(isAfter ? "guide.before" : "guide.after");
    show(isAfter ? after : before);
  });
  return html("figure", {}, place, html("figcaption", {}, caption), move ? button : null);
}

/**
 * The position before a move with the move's effects, and the position after it, as `Drawing` displays them.
 * @param {string} fen
 * @param {Effect[]} effects
 * @param {Board} board
 * @returns {Picture[]}
 */
export function states(fen, effects, board) {
  /** @param {...string} kinds */
  const of = (...kinds) => new Set(effects.flatMap(({ kind, square }) => (square && kinds.includes(kind) ? [square] : [])));
  const steps = effects.filter((step) => step.kind === "from");
  const pieces = readPosition(fen, board);
  const after = new Map(pieces);
  for (const step of effects) apply(after, step);
  const origins = new Set([...steps.slice(0, 1).map(({ square }) => square), ...of("removed")]);
  const marks = { origins, victims: of("captured", "changed"), drops: of("dropped"), removals: of("removed") };
  const last = touched(effects);
  return [
    { pieces, marks, arrows: steps.map(({ square, to }) => ["last", square, to]) },
    { pieces: after, marks: { last }, arrows: [] },
  ];
}

// ---- games that a person sees for the first time

function knownGames() {
  const known = load(KEY);
  return Array.isArray(known) ? known : [];
}

/**
 * Notes that this person knows this game.
 * @param {App} app
 */
export function setKnown(app) {
  const known = knownGames();
  if (!known.includes(app.game.id)) store(KEY, [...known, app.game.id]);
  byId("welcome").hidden = true;
  setGreeted();
}

/**
 * Greets a person at the first visit; later offers the rules of a game that was never opened before.
 * @param {App} app
 */
export function welcome(app) {
  const { game } = app;
  const isTold = game.guide.clauses.length > 0;
  byId("how-to-play").hidden = !isTold;
  for (const id of LESSONS) byId(id).hidden = !game.guide.hasLesson;
  byId("welcome").hidden = greet(app) || !isTold || knownGames().includes(game.id);
  byId("welcome-text").textContent = t("guide.welcome", { game: game.titleOf(game.id) });
}
