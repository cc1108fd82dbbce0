// The list of moves: the main line, and variations in place of its moves. What is told about the displayed move stands below.

import { scoreText } from "../review/chances.js";
import { byId, html } from "../ui/dom.js";
import { t } from "../ui/i18n.js";

/** The signs of annotations, by their numbers in records (SPEC 19.16). */
const SIGNS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };

const signs = ({ glyphs = [] }) => glyphs.map((glyph) => SIGNS[glyph] ?? "").join("");

/** What is told about a move: the evaluation by its player, the depth of the search, the time. */
function told({ score, depth, timeUs }) {
  const [kind, value] = Object.entries(score ?? {})[0] ?? [];
  return [
    kind && scoreText({ kind, value }),
    depth !== undefined && t("moves.depth", { depth }),
    timeUs !== undefined && t("moves.seconds", { seconds: (timeUs / 1e6).toFixed(1) }),
  ].filter(Boolean);
}

/** Shows the tree of the game. `visit` goes to a move. */
export function showMoves({ tree, isAtEnd, ply }, visit) {
  const current = tree.node;
  const button = (node) => {
    const isCurrent = node === current && "true";
    const label = node.move + signs(node);
    return html("button", { type: "button", class: "move", "aria-current": isCurrent, onclick: () => visit(node) }, label);
  };
  const list = byId("moves");
  list.replaceChildren(...tree.main.flatMap((node) => [html("li", {}, button(node)), ...variations(node, button, "li")]));
  const marked = list.querySelector("[aria-current]");
  if (marked) list.scrollTop = marked.offsetTop - list.offsetTop - list.clientHeight / 2;
  byId("undo").disabled = byId("first").disabled = ply === 0;
  byId("redo").disabled = byId("last").disabled = isAtEnd;
  byId("variation").hidden = tree.isOnMain;
  showTold(current);
}

/** The variations in place of a move of their parent line, each in an element of this name. */
function variations(node, button, name) {
  if (node.isVariation) return [];
  return node.parent.children.slice(1).map((first) => {
    const line = [first, ...first.rest].flatMap((each) => [
      html("span", { class: "number" }, `${each.ply}.`),
      button(each),
      ...variations(each, button, "span"),
    ]);
    return html(name, { class: "variation" }, ...line);
  });
}

function showTold(node) {
  byId("told").textContent = told(node).join(" · ");
  const note = byId("note");
  note.disabled = node.parent === null;
  if (document.activeElement !== note) note.value = node.text ?? "";
}
