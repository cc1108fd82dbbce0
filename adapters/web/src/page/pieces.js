// The appearance of pieces. The engine names them (SPEC 4.23). Their shapes and colours come from
// adapters/board/data/pieces.svg.

import { html, svg } from "./dom.js";
import { t } from "./i18n.js";
import { looks } from "./looks.js";

/** The drawing of all pieces, once it is installed. */
let drawing = null;

/** Takes the drawing of all pieces, a text in SVG. */
export function installPieces(text) {
  drawing = new DOMParser().parseFromString(text, "image/svg+xml");
}

/** A shade or a shape of the drawing; null if it has none of this name. */
const drawn = (id) => drawing.getElementById(id);

/** The elements of a shape. */
const shape = (id) => [...document.importNode(drawn(id), true).childNodes];

/** The colours of a piece: those of its owner, or its own if it is neutral. */
function shade(piece, board) {
  if (piece && piece.owner !== "none") return board.colours[piece.owner] === "white" ? "side-white" : "side-black";
  const own = `kind-${piece?.name}`;
  return drawn(own) ? own : "kind-other";
}

/** The name of a piece without its colour: `man`, `Stop (cross)`. A neutral piece is named with its worth. */
export function kindName(text, board) {
  const piece = board.pieces.get(text);
  const kind = kindOf(text, board)?.name;
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

/** What a piece is when it is not flipped. A flipped piece still shows its kind. */
const kindOf = (text, board) => board.pieces.get(text.replace("~", ""));

/** The sign on a piece: the sign of its name, dots for the worth of a neutral piece, or its letter. */
function sign(text, board) {
  const kind = kindOf(text, board);
  const signs = [`name-${kind?.name}`, kind?.owner === "none" ? `worth-${kind.value}` : ""];
  const own = looks.pieces === "letters" ? undefined : signs.find(drawn);
  const parts = shape(own ?? "letter");
  if (!own) parts[0].textContent = text[0].toUpperCase();
  return parts;
}

/** A piece at the origin, in a square of size 1, in the chosen style. */
export function drawPiece(text, board) {
  const colours = shade(board.pieces.get(text), board);
  const piece = document.importNode(drawn(colours));
  piece.removeAttribute("id");
  piece.setAttribute("class", `piece ${colours} style-${looks.pieces}`);
  const shading = looks.pieces === "shaded" ? shape("shading") : [];
  piece.append(...shape("shadow"), ...shape(text.endsWith("~") ? "flipped" : "body"), ...shading, ...sign(text, board));
  return piece;
}

/** A small picture of a piece in a line of text. */
export function pieceIcon(text, board) {
  const span = html("span", { class: "icon", "aria-hidden": "true" });
  span.append(svg("svg", { viewBox: "-.5 -.5 1 1" }, drawPiece(text, board)));
  return span;
}
