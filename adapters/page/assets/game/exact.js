// Exact values: who wins with perfect play, where the engine knows it (SPEC 4.50). They take the place of its guess in the bar.
// While the analysis or the details are open, moves are marked and listed with their values.

import { around, byId, html } from "../ui/dom.js";
import { capital, named, t } from "../ui/i18n.js";
import { colourWithin, other } from "../ui/panels.js";
import { squareOf } from "./turn.js";

/** @import { Worth } from "./messages.js" */

/** The most moves that are listed. */
const MOST_ROWS = 40;
/**
 * What a move does, the best first: the kind of its mark, and a sign that differs without colours.
 * @type {Record<Worth, [kind: string, sign: string]>}
 */
const KINDS = { win: ["wins", "▲"], draw: ["draws", "="], loss: ["loses", "▼"] };
/** @type {Worth[]} */
const WORTHS = ["win", "draw", "loss"];

/**
 * The best worth of the moves that begin with a text, or that are the text; undefined if there are none.
 * @param {Map<string, ExactValue>} moves
 * @param {string} text
 * @param {boolean} isWhole
 */
export function bestAfter(moves, text, isWhole = false) {
  // Without the look at the next digit, a1 would be the beginning of a10b10.
  /** @param {string} move */
  const isMeant = (move) => (isWhole ? move === text : move.startsWith(text) && !/\d/.test(move[text.length] ?? ""));
  const worths = new Set([...moves].filter(([move]) => isMeant(move)).map(([, { worth }]) => worth));
  return WORTHS.find((worth) => worths.has(worth));
}

/**
 * Moves with their values, the best first. A winner wants few plies, a loser many.
 * @param {Iterable<[string, ExactValue]>} moves
 */
export function bestFirst(moves) {
  /** @param {ExactValue} value */
  const delay = ({ worth, plies }) => {
    if (worth === "draw") return 0;
    return worth === "win" ? (plies ?? Number.MAX_SAFE_INTEGER) : -(plies ?? 0);
  };
  /**
   * @param {ExactValue} value
   * @returns {[number, number]}
   */
  const rank = (value) => [WORTHS.indexOf(value.worth), delay(value)];
  /**
   * @param {[number, number]} one
   * @param {[number, number]} another
   */
  const compare = ([a, fine], [b, other]) => a - b || fine - other;
  return [...moves].sort(([, a], [, b]) => compare(rank(a), rank(b)));
}

/**
 * The share of p1 in percent, where `side` has the value.
 * @param {ExactValue} value
 * @param {Side} side
 */
export const shareOf = ({ worth }, side) => (worth === "draw" ? 50 : (worth === "win") === (side === "p1") ? 100 : 0);

/**
 * A value that `side` has, as a sentence.
 * @param {ExactValue} value
 * @param {Side} side
 * @param {Board} board
 */
export function exactText({ worth, plies }, side, board) {
  if (worth === "draw") return capital(plies === null ? t("exact.drawByCount") : t("exact.draw", { n: plies }));
  const winner = colourWithin(board, worth === "win" ? side : other(side));
  return capital(plies === null ? t("exact.winByCount", { side: winner }) : t("exact.win", { side: winner, n: plies }));
}

/**
 * A value as a sign and the plies.
 * @param {ExactValue} value
 */
export const shortText = ({ worth, plies }) => [KINDS[worth][1], plies].filter((part) => part !== null).join(" ");

/**
 * What is known of the displayed position. Nothing is told when the game is over or an exercise is solved.
 * @param {App} app
 */
const known = ({ game, exercise }) => (game?.values && !game.isOver && !exercise ? game.values : null);

/**
 * The value of the displayed position; null if it is unknown.
 * @param {App} app
 */
export const exactOf = (app) => known(app)?.position ?? null;

/**
 * The value of a move in the displayed position; null if it is unknown.
 * @param {App} app
 * @param {string} move
 */
export const exactOfMove = (app, move) => known(app)?.moves.get(move) ?? null;

/** @param {App} app */
const wantsMoves = ({ analysis }) => analysis.isOn || byId("details").open;

/**
 * The marks of squares by the best move that still goes over them, as `Drawing.show` takes them.
 * @param {Turn} turn
 * @param {ExactValues | null} values
 */
export function valueMarks(turn, values) {
  /** @type {Record<string, Set<string>>} */
  const marks = Object.fromEntries(WORTHS.map((worth) => [KINDS[worth][0], new Set()]));
  // Where some moves are unknown, the best of the others tells nothing.
  if (!values?.position || !values.isComplete) return marks;
  /**
   * @param {string} square
   * @param {Worth | undefined} worth
   */
  const mark = (square, worth) => worth && marks[KINDS[worth][0]].add(square);
  for (const token of turn.next.keys()) mark(squareOf(token), bestAfter(values.moves, turn.path + token));
  if (turn.place && turn.canEnd) mark(turn.place, bestAfter(values.moves, turn.path, true));
  return marks;
}

/**
 * The marks of the displayed position, if they are wanted.
 * @param {App} app
 */
export const exactMarks = (app) => valueMarks(app.turn, wantsMoves(app) ? known(app) : null);

/** @param {[string, ExactValue]} valued */
function row([move, { worth, plies }]) {
  const [kind, sign] = KINDS[worth];
  return html(
    "tr",
    { class: kind },
    html("th", { scope: "row" }, html("button", { type: "button", class: "played", "data-played": move }, move)),
    html("td", {}, html("span", { class: "sign", "aria-hidden": "true" }, sign), named("board", kind)),
    html("td", {}, plies === null ? t("exact.byCount") : String(plies)),
  );
}

/**
 * The best moves with their values, as rows of a table whose buttons play them.
 * @param {ExactValues | null} values
 */
export const valueRows = (values) =>
  bestFirst(values?.moves ?? [])
    .slice(0, MOST_ROWS)
    .map(row);

/**
 * The move of a button of such a table; undefined elsewhere.
 * @param {Event} event
 */
export const moveOfRow = (event) => around(event, "[data-played]")?.dataset.played;

/**
 * Shows the value of the displayed position as a sentence, and those of its moves as a table.
 * @param {App} app
 */
export function showExact(app) {
  const { game } = app;
  const exact = exactOf(app);
  byId("exact").textContent = exact ? exactText(exact, game.status.turn, game.board) : "";
  const rows = wantsMoves(app) ? valueRows(known(app)) : [];
  byId("exact-table").hidden = rows.length === 0;
  byId("exact-moves").replaceChildren(...rows);
}

/**
 * A click on a move plays it.
 * @param {App} app
 */
export function listenToExact(app) {
  byId("exact-moves").addEventListener("click", (event) => {
    const move = moveOfRow(event);
    if (move) app.act(() => app.playLine([move]));
  });
}
