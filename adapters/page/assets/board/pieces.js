// The appearance of pieces. The engine names them (SPEC 4.23). Their shapes and colours come from pieces.svg.

import { html, svg } from "../ui/dom.js";

/**
 * The shades and shapes of the drawing, by their names.
 * @type {Map<string, Element>}
 */
const drawn = new Map();
/** The style that a person has chosen: flat, shaded or letters. */
let style = "flat";

/**
 * Draws pieces in another style from now on.
 * @param {string} chosen
 */
export function setStyle(chosen) {
  style = chosen;
}

/**
 * Takes the drawing of all pieces, a text in SVG.
 * @param {string} text
 */
export function installPieces(text) {
  const drawing = new DOMParser().parseFromString(text, "image/svg+xml");
  for (const part of drawing.querySelectorAll("[id]")) drawn.set(part.id, part);
}

/**
 * The elements of a shape.
 * @param {string} id
 */
const shape = (id) => [...(drawn.get(id)?.childNodes ?? [])].map((part) => document.importNode(part, true));

/**
 * The shade of a player's pieces. A colour that is not drawn becomes white or black, whichever the other player has not.
 * @param {Side} owner
 * @param {Board} board
 */
function shadeOf(owner, { colours }) {
  const own = `shade-${colours[owner]}`;
  if (drawn.has(own)) return own;
  const other = colours[owner === "p1" ? "p2" : "p1"];
  const isWhite = other === "black" || (other !== "white" && owner === "p1");
  return isWhite ? "shade-white" : "shade-black";
}

/**
 * The shade of a piece: that of its owner, or its own if it is neutral.
 * @param {Piece | undefined} piece
 * @param {Board} board
 */
function shade(piece, board) {
  if (piece && piece.owner !== "none") return shadeOf(piece.owner, board);
  const own = `shade-${piece?.name}`;
  return drawn.has(own) ? own : "shade-other";
}

/**
 * What a piece is when it is not flipped. A flipped piece still shows its kind.
 * @param {string} text
 * @param {Board} board
 */
export const kindOf = (text, board) => board.pieces.get(text.replace("~", ""));

/**
 * Whether a player has pieces of one kind only.
 * @param {Piece | undefined} kind
 * @param {Board} board
 */
const isOnly = (kind, board) => kind && kind.owner !== "none" && [...board.pieces.values()].filter(({ owner }) => owner === kind.owner).length === 1;

/**
 * The sign on a piece: the sign of its name, dots for the worth of a neutral piece, or its letter where kinds differ.
 * @param {string} text
 * @param {Board} board
 */
function sign(text, board) {
  const kind = kindOf(text, board);
  const signs = [`name-${kind?.name}`, kind?.owner === "none" ? `worth-${kind.value}` : ""];
  const own = style === "letters" ? undefined : signs.find((name) => drawn.has(name));
  if (!own && style !== "letters" && isOnly(kind, board)) return [];
  const parts = shape(own ?? "letter");
  if (!own) parts[0].textContent = text[0].toUpperCase();
  return parts;
}

/**
 * A piece at the origin, in a square of size 1, in the chosen style.
 * @param {string} text
 * @param {Board} board
 */
export function drawPiece(text, board) {
  const colours = shade(board.pieces.get(text), board);
  const piece = document.importNode(drawn.get(colours) ?? svg("g"));
  piece.removeAttribute("id");
  piece.setAttribute("class", `piece ${colours} style-${style}`);
  const shading = style === "shaded" ? shape("shading") : [];
  piece.append(...shape("shadow"), ...shape(text.endsWith("~") ? "flipped" : "body"), ...shading, ...sign(text, board));
  return piece;
}

/**
 * A small picture of a piece in a line of text.
 * @param {string} text
 * @param {Board} board
 */
export function pieceIcon(text, board) {
  const span = html("span", { class: "icon", "aria-hidden": "true" });
  span.append(svg("svg", { viewBox: "-.5 -.5 1 1" }, drawPiece(text, board)));
  return span;
}
