// The list of moves: the main line in columns by player, and variations in place of its moves. What is told about the displayed
// move stands below.

import { scoreFor, scoreText } from "../review/chances.js";
import { byId, html } from "../ui/dom.js";
import { t } from "../ui/i18n.js";
import { other, SIDES, sideName } from "../ui/panels.js";

/** The signs of annotations, by their numbers in records (SPEC 19.16). */
const SIGNS = ["", "!", "?", "!!", "??", "!?", "?!"];

/** @param {TreeNode} node */
const signs = ({ glyphs = [] }) => glyphs.map((glyph) => SIGNS[glyph] ?? "").join("");

/**
 * What is told about a move: the evaluation from the view of a side, the depth of the search, the time.
 * @param {TreeNode} node
 * @param {Side} view
 */
function told({ mover, score, depth, timeUs }, view) {
  const [kind, value] = Object.entries(score ?? {})[0] ?? [];
  return [
    kind && scoreText(scoreFor({ kind, value }, mover ?? view, view)),
    depth !== undefined && t("moves.depth", { depth }),
    timeUs !== undefined && t("moves.seconds", { seconds: (timeUs / 1e6).toFixed(1) }),
  ].filter(Boolean);
}

/** @typedef {{ number: number, p1: TreeNode[], p2: TreeNode[], after: TreeNode | null, isSplit: boolean }} Row */

/**
 * The main line in rows. A row has the moves that each player makes one after the other.
 * Variations of the move `after` follow the row. Then the turn goes on in another row of the same number.
 * @param {TreeNode[]} main
 */
export function rowsOf(main) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {Row | null} */
  let row = null;
  let number = 0;
  /** @type {Side} */
  let before = "p2";
  for (const node of main) {
    // Where nobody has told, sides alternate.
    /** @type {Side} */
    const side = node.mover ?? other(before);
    /** @type {boolean} */
    const isNew = row === null || (side === "p1" && before === "p2");
    if (isNew) number += 1;
    if (row === null || isNew || row.after) {
      row = { number, p1: [], p2: [], after: null, isSplit: !isNew };
      rows.push(row);
    }
    row[side].push(node);
    if (node.siblings.length > 1) row.after = node;
    before = side;
  }
  return rows;
}

/** Scrolls the list to the current move. Nothing else scrolls where the list does so by itself. */
export function showCurrent() {
  const [record, move] = [byId("record"), byId("moves").querySelector("[aria-current]")];
  if (record.scrollHeight <= record.clientHeight) return move?.scrollIntoView({ block: "nearest" });
  const middle = move ? move.getBoundingClientRect().top - record.getBoundingClientRect().top - record.clientHeight / 2 : 0;
  record.scrollTop = move ? record.scrollTop + middle : 0;
}

/**
 * Shows the tree of the game. `visit` goes to a move. `view` is the side from whose view evaluations are told.
 * @param {Game} game
 * @param {Side} view
 * @param {(node: TreeNode) => void} visit
 */
export function showMoves({ board, tree, isAtEnd, ply }, view, visit) {
  const current = tree.node;
  /** @param {TreeNode} node */
  const button = (node) => {
    const isCurrent = node === current;
    // Tab goes to the current move alone, or it would take as long as the game to come past the list.
    const state = { tabindex: isCurrent ? 0 : -1, "aria-current": isCurrent && "true" };
    return html("button", { type: "button", class: "move", ...state, onclick: () => visit(node) }, node.move + signs(node));
  };
  /**
   * @param {TreeNode[]} nodes
   * @param {boolean} isSplit
   */
  const cell = (nodes, isSplit) => html("span", {}, ...(nodes.length || !isSplit ? nodes.map(button) : ["…"]));
  /** @param {Row} row */
  const line = ({ number, p1, p2, after, isSplit }) => [
    html("li", { class: "turn" }, html("span", { class: "number" }, String(number)), cell(p1, isSplit), cell(p2, false)),
    ...(after ? variations(after, button, "li", number) : []),
  ];
  const head = html(
    "li",
    { class: "turn heads", "aria-hidden": "true" },
    html("span"),
    ...SIDES.map((side) => html("span", {}, sideName(board, side))),
  );
  const list = byId("moves");
  const hasFocus = document.activeElement?.closest("#moves .move");
  list.replaceChildren(...(tree.main.length ? [head] : []), ...rowsOf(tree.main).flatMap(line));
  /** @type {HTMLElement | null} */
  const shown = list.querySelector("[aria-current]");
  if (hasFocus) shown?.focus({ preventScroll: true });
  showCurrent();
  byId("undo").disabled = byId("first").disabled = ply === 0;
  byId("redo").disabled = byId("last").disabled = isAtEnd;
  byId("variation").hidden = tree.isOnMain;
  showTold(current, view);
}

/**
 * The variations in place of a move of their parent line, each in an element of this name. The number is that of the turn.
 * @param {TreeNode} node
 * @param {(node: TreeNode) => HTMLElement} button
 * @param {"li" | "span"} name
 * @param {number | null} number
 * @returns {HTMLElement[]}
 */
function variations(node, button, name, number = null) {
  if (node.isVariation) return [];
  return node.siblings.slice(1).map((first) => {
    const line = [first, ...first.rest].flatMap((each) => [button(each), ...variations(each, button, "span")]);
    const head = number === null ? null : html("span", { class: "number" }, `${number}${node.mover === "p2" ? "…" : "."}`);
    return html(name, { class: "variation" }, head, ...line);
  });
}

/**
 * @param {TreeNode} node
 * @param {Side} view
 */
function showTold(node, view) {
  byId("told").textContent = told(node, view).join(" · ");
  const note = byId("note");
  note.disabled = node.parent === null;
  if (document.activeElement !== note) note.value = node.text ?? "";
}
