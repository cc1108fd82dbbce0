// The games of a file, browsed together: which moves were played in them from the position on the board, and how they ended.

import { moveOfRow } from "../game/exact.js";
import { openStored } from "../game/setup.js";
import { byId, html, svg } from "../ui/dom.js";
import { t } from "../ui/i18n.js";
import { SIDES, sideName } from "../ui/panels.js";

/** The most moves that are listed. */
const MOST_ROWS = 40;
/** @type {("p1win" | "draw" | "p2win")[]} */
const RESULTS = ["p1win", "draw", "p2win"];
/** @typedef {{ move: string, count: number, p1win: number, draw: number, p2win: number }} Continuation */

/**
 * The moves of games from a position, most played first: `{ move, count, p1win, draw, p2win }`, and how many games have reached
 * it. The position is that after `moves` from `start`. Games that reach it by other moves are not counted.
 * @param {FoundGame[]} games
 * @param {{ id: string, start: string | null, moves: string[] }} place
 */
export function continuations(games, { id, start, moves }) {
  /** @type {Map<string, Continuation>} */
  const rows = new Map();
  const reached = games.filter((game) => game.id === id && game.start === start && moves.every((move, at) => game.moves[at] === move));
  for (const { moves: played, record } of reached) {
    const move = played[moves.length];
    if (move === undefined) continue;
    const row = rows.get(move) ?? { move, count: 0, p1win: 0, draw: 0, p2win: 0 };
    row.count += 1;
    const result = RESULTS.find((each) => each === record?.result);
    if (result) row[result] += 1;
    rows.set(move, row);
  }
  return { reached: reached.length, rows: [...rows.values()].sort((a, b) => b.count - a.count) };
}

/**
 * Browses all games of a file, from the start of one of them.
 * @param {App} app
 * @param {FoundGame[]} games
 * @param {FoundGame} first
 * @param {string} name
 */
export async function browse(app, games, first, name) {
  const usual = app.ids[0];
  app.browsed = { games: games.map((game) => ({ ...game, id: game.id ?? usual })), name };
  await openStored(app, { ...first, moves: [], moveLines: [], ply: 0, record: null }, name);
  app.say(t("explorer.opened", { n: games.length }));
}

/**
 * Ends browsing. The game on the board stays.
 * @param {App} app
 */
export function endBrowsing(app) {
  app.browsed = null;
  showExplorer(app);
}

/**
 * The results of a move as a bar: p1's wins, draws, p2's wins.
 * @param {Continuation} row
 */
function bar({ p1win, draw, p2win }) {
  const sum = p1win + draw + p2win;
  let x = 0;
  const parts = [p1win, draw, p2win].map((count, at) => {
    const width = sum ? (100 * count) / sum : 0;
    x += width;
    return svg("rect", { class: RESULTS[at], x: x - width, width, height: 10 });
  });
  return svg("svg", { class: "results", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, ...parts);
}

/** @param {Continuation} each */
const row = (each) =>
  html(
    "tr",
    {},
    html("th", { scope: "row" }, html("button", { type: "button", class: "played", "data-played": each.move }, each.move)),
    html("td", {}, String(each.count)),
    html("td", {}, RESULTS.map((result) => each[result]).join(" · ")),
    html("td", {}, bar(each)),
  );

/**
 * Shows the moves that were played from the position on the board.
 * @param {App} app
 */
export function showExplorer(app) {
  const { browsed, game } = app;
  byId("explorer").hidden = !browsed;
  if (!browsed) return;
  const { reached, rows } = continuations(browsed.games, { id: game.id, start: game.start, moves: game.moves.slice(0, game.ply) });
  byId("explorer-count").textContent = t(reached ? "explorer.reached" : "explorer.left", { n: reached });
  const [p1, p2] = SIDES.map((side) => sideName(game.board, side));
  byId("explorer-results").textContent = t("explorer.results", { p1, p2 });
  byId("explorer-table").hidden = rows.length === 0;
  byId("explorer-moves").replaceChildren(...rows.slice(0, MOST_ROWS).map(row));
}

/**
 * A click on a move plays it.
 * @param {App} app
 */
export function listenToExplorer(app) {
  byId("explorer-moves").addEventListener("click", (event) => {
    const move = moveOfRow(event);
    if (move) app.act(() => app.playLine([move]));
  });
}
