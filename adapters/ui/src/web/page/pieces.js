// The appearance of pieces. The engine names them (SPEC 4.23); an unknown name is represented by its letter.

import { html, svg } from "./dom.js";
import { t } from "./i18n.js";
import { looks } from "./looks.js";

const MARKS = {
  // Each can be recognized by its shape, not by colour alone.
  cross: () => svg("path", { class: "mark", d: "M0-.2V.2M-.2 0H.2" }),
  horse: () => svg("path", { class: "mark", d: "M-.16-.16L.16.16M.16-.16L-.16.16" }),
  star: () => svg("path", { class: "mark", d: "M0-.22V.22M-.22 0H.22M-.15-.15L.15.15M.15-.15L-.15.15" }),
  green: () => dots(1),
  yellow: () => dots(2),
  red: () => dots(3),
  blue: () => dots(4),
  frog: () =>
    svg(
      "g",
      { class: "eyes" },
      svg("circle", { cx: -0.13, cy: -0.1, r: 0.07 }),
      svg("circle", { cx: 0.13, cy: -0.1, r: 0.07 }),
      svg("path", { class: "mark thin", d: "M-.17.1Q0 .22.17.1" }),
    ),
  man: () => svg("circle", { class: "rim", r: 0.2 }),
};

/** As many dots as a neutral piece is worth. */
function dots(count) {
  const places = [
    [],
    [[0, 0]],
    [
      [-0.1, 0],
      [0.1, 0],
    ],
    [
      [0, -0.11],
      [-0.11, 0.09],
      [0.11, 0.09],
    ],
    [
      [-0.1, -0.1],
      [0.1, -0.1],
      [-0.1, 0.1],
      [0.1, 0.1],
    ],
  ][count];
  return svg("g", { class: "dots" }, ...places.map(([cx, cy]) => svg("circle", { cx, cy, r: 0.06 })));
}

/** The CSS class of a piece: its owner's colour, or its own name if it is neutral. */
export function shade(text, board) {
  const piece = board.pieces.get(text);
  if (!piece || piece.owner === "none") return `kind-${piece?.name ?? "unknown"}`;
  return `side-${board.colours[piece.owner] ?? "white"}`;
}

/** The name of a piece without its colour: `man`, `Stop (cross)`; of a neutral one with what it is worth. */
export function kindName(text, board) {
  const piece = board.pieces.get(text);
  const kind = kindOf(text, board);
  const name = kind && kind !== piece.name ? t("board.flipped", { piece: board.word(piece.name), kind: board.word(kind) }) : board.word(piece.name);
  return piece.owner === "none" ? t("board.points", { piece: name, n: piece.value }) : name;
}

/** The name of a piece: `man, white`. */
export function describe(text, board) {
  const piece = board.pieces.get(text);
  if (!piece) return text;
  const name = kindName(text, board);
  return piece.owner === "none" ? name : t("board.pieceOf", { piece: name, colour: board.word(board.colours[piece.owner] ?? piece.owner) });
}

/** The name of what a piece is when it is not flipped: a flipped one still shows which it was. */
const kindOf = (text, board) => board.pieces.get(text.replace("~", ""))?.name;

/** The shadow and the light of a piece that is drawn as a solid one. */
const shading = () => [
  svg("path", { class: "shade", d: "M-.26.26A.37.37 0 0 0 .26-.26A.5.5 0 0 1-.26.26Z" }),
  svg("ellipse", { class: "gloss", cx: 0, cy: -0.24, rx: 0.17, ry: 0.08, transform: "rotate(-45)" }),
];

/** A piece at the origin, in a square of size 1, in the style that is chosen. */
export function drawPiece(text, board) {
  const name = kindOf(text, board);
  const style = looks.pieces;
  const body = text.endsWith("~")
    ? svg("rect", { class: "body", x: -0.32, y: -0.32, width: 0.64, height: 0.64, rx: 0.1, transform: "rotate(45) scale(.86)" })
    : svg("circle", { class: "body", r: 0.37 });
  const drawn = style === "letters" ? null : MARKS[name]?.();
  const mark = drawn ?? svg("text", { class: "letter" }, text[0].toUpperCase());
  const shadow = svg("ellipse", { class: "shadow", cx: 0.02, cy: 0.06, rx: 0.38, ry: 0.37 });
  return svg("g", { class: `piece ${shade(text, board)} style-${style}` }, shadow, body, ...(style === "shaded" ? shading() : []), mark);
}

/** A small picture of a piece in a line of text. */
export function pieceIcon(text, board) {
  const span = html("span", { class: "icon", "aria-hidden": "true" });
  span.append(svg("svg", { viewBox: "-.5 -.5 1 1" }, drawPiece(text, board)));
  return span;
}
