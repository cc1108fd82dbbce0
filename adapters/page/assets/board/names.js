// The names of pieces for people.

import { t } from "../ui/i18n.js";
import { kindOf } from "./pieces.js";

/**
 * The name of a piece without its colour: `man`, `Stop (cross)`. A neutral piece is named with its worth.
 * @param {string} text
 * @param {Board} board
 */
export function kindName(text, board) {
  const piece = board.pieces.get(text);
  if (!piece) return text;
  const kind = kindOf(text, board)?.name;
  const name = kind && kind !== piece.name ? t("board.flipped", { piece: board.word(piece.name), kind: board.word(kind) }) : board.word(piece.name);
  return piece.owner === "none" ? t("board.points", { piece: name, n: piece.value }) : name;
}

/**
 * The name of a piece: `man, white`.
 * @param {string} text
 * @param {Board} board
 */
export function describe(text, board) {
  const piece = board.pieces.get(text);
  if (!piece) return text;
  const name = kindName(text, board);
  return piece.owner === "none" ? name : t("board.pieceOf", { piece: name, colour: board.word(board.colours[piece.owner] ?? piece.owner) });
}
