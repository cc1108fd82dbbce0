// The appearance of pieces. The engine names them (SPEC 4.23). Their shapes and colours come from pieces.svg.

import { html, svg } from "../ui/dom.js";

/** The drawing of all pieces, once it is installed, and the style that a person has chosen: flat, shaded or letters. */
let drawing = null;
let style = "flat";

/** Draws pieces in another style from now on. */
export function setStyle(chosen) {
  style = chosen;
}

/** Takes the drawing of all pieces, a text in SVG. */
export function installPieces(text) {
  drawing = new DOMParser().parseFromString(text, "image/svg+xml");
}

/** A shade or a shape of the drawing; null if it has none of this name. */
const drawn = (id) => drawing.getElementById(id);

/** The elements of a shape. */
const shape = (id) => [...document.importNode(drawn(id), true).childNodes];

/** The shade of a player's pieces. A colour that is not drawn becomes white or black, whichever the other player has not. */
function shadeOf(owner, { colours }) {
  const own = `shade-${colours[owner]}`;
  if (drawn(own)) return own;
  const other = colours[owner === "p1" ? "p2" : "p1"];
  const isWhite = other === "black" || (other !== "white" && owner === "p1");
  return isWhite ? "shade-white" : "shade-black";
}

/** The shade of a piece: that of its owner, or its own if it is neutral. */
function shade(piece, board) {
  if (piece && piece.owner !== "none") return shadeOf(piece.owner, board);
  const own = `shade-${piece?.name}`;
  return drawn(own) ? own : "shade-other";
}

/** What a piece is when it is not flipped. A flipped piece still shows its kind. */
export const kindOf = (text, board) => board.pieces.get(text.replace("~", ""));

/** Whether a player has pieces of one kind only. */
const isOnly = (kind, board) => kind && kind.owner !== "none" && [...board.pieces.values()].filter(({ owner }) => owner === kind.owner).length === 1;

/** The sign on a piece: the sign of its name, dots for the worth of a neutral piece, or its letter where kinds differ. */
function sign(text, board) {
  const kind = kindOf(text, board);
  const signs = [`name-${kind?.name}`, kind?.owner === "none" ? `worth-${kind.value}` : ""];
  const own = style === "letters" ? undefined : signs.find(drawn);
  if (!own && style !== "letters" && isOnly(kind, board)) return [];
  const parts = shape(own ?? "letter");
  if (!own) parts[0].textContent = text[0].toUpperCase();
  return parts;
}

/** A piece at the origin, in a square of size 1, in the chosen style. */
export function drawPiece(text, board) {
  const colours = shade(board.pieces.get(text), board);
  const piece = document.importNode(drawn(colours));
  piece.removeAttribute("id");
  piece.setAttribute("class", `piece ${colours} style-${style}`);
  const shading = style === "shaded" ? shape("shading") : [];
  piece.append(...shape("shadow"), ...shape(text.endsWith("~") ? "flipped" : "body"), ...shading, ...sign(text, board));
  return piece;
}

/** A small picture of a piece in a line of text. */
export function pieceIcon(text, board) {
  const span = html("span", { class: "icon", "aria-hidden": "true" });
  span.append(svg("svg", { viewBox: "-.5 -.5 1 1" }, drawPiece(text, board)));
  return span;
}
