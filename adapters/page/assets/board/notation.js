// The words of engines about boards: what stands where, and what a move does there.

import { pairs } from "../ui/dom.js";

/** @typedef {{ name: string, owner: Side | "none", value: string }} Piece what a piece is, as `query board` tells it */
/** @typedef {Map<string, string>} Pieces the texts of pieces, by square */
/** @typedef {ReturnType<typeof emptyBoard>} Board */
/** @typedef {[kind: string, from: string, to: string]} Arrow */
/** @typedef {{ kind: "from", square: string, to: string }} Step a piece goes from one square to another */
/**
 * A step of a move (SPEC 4.28).
 * @typedef {Step
 *   | { kind: "captured" | "removed", square: string, to?: undefined }
 *   | { kind: "changed" | "dropped", square: string, piece: string, to?: undefined }
 *   | { kind: "points", points: number, square?: undefined, to?: undefined }} Effect
 */

/**
 * The number of files or ranks: files have letters.
 * @param {string} text
 */
const size = (text) => (/^([1-9]|1\d|2[0-6])$/.test(text) ? Number(text) : 0);

/**
 * A board of this size. Its pieces are known by their texts; `lines` join points, and `holes` are no squares. `kind` is
 * that of SPEC 4.23.
 * @param {number} files
 * @param {number} ranks
 * @param {string} kind
 */
function emptyBoard(files, ranks, kind) {
  /** @type {string[]} */
  const squares = [];
  /** @type {string[][]} */
  const lines = [];
  for (let rank = 1; rank <= ranks; rank++) {
    for (let file = 0; file < files; file++) squares.push(String.fromCharCode(97 + file) + rank);
  }
  const [isPoints, isHexagons] = [kind === "points", kind === "hexagons"];
  /** @type {Record<string, string>} */
  const colours = { p1: "white", p2: "black" };
  /** @param {string} word */
  const word = (word) => word;
  /** @type {Set<string>} */
  const holes = new Set();
  /** @type {Map<string, Piece>} */
  const pieces = new Map();
  return { files, ranks, isPoints, isHexagons, squares, lines, holes, pieces, colours, word };
}

/**
 * A board as an engine describes it (SPEC 4.23). A size that no board has is 0.
 * @param {string[]} lines
 */
export function readBoard(lines) {
  let board = emptyBoard(0, 0, "cells");
  for (const [, kind, ...words] of lines.map((line) => line.split(" "))) {
    if (kind === "files") board = emptyBoard(size(words[0]), size(words[2]), words[4]);
    else if (kind === "line") board.lines.push(words);
    else if (kind === "hole") board.holes.add(words[0]);
    else if (kind === "piece") board.pieces.set(words[0], readPiece(words.slice(1)));
    else if (kind === "colours") board.colours = { ...board.colours, ...pairs(words) };
  }
  return board;
}

/**
 * @param {string[]} words
 * @returns {Piece}
 */
function readPiece(words) {
  const { name, owner, value } = pairs(words);
  return { name, owner: owner === "p1" || owner === "p2" ? owner : "none", value };
}

/**
 * The board of some position texts of a game, for want of a description. Pieces belong to sides by the case of their letters
 * (SPEC 9.2).
 * @param {string[]} texts
 */
export function guessBoard(texts) {
  const boards = texts.map((text) => text.split(" ")[0]);
  const rows = boards[0]?.split("/") ?? [];
  const files = [...(rows[0] ?? "").matchAll(/(\d+)|[A-Za-z]~?/g)].reduce((sum, [, run]) => sum + Number(run ?? 1), 0);
  const board = emptyBoard(size(String(files)), size(String(rows.length)), "cells");
  for (const text of boards.flatMap((board) => [...(board.match(/[A-Za-z]~?/g) ?? [])])) {
    board.pieces.set(text, { name: text, owner: /^[A-Z]/.test(text) ? "p1" : "p2", value: "1" });
  }
  return board;
}

/**
 * The pieces of a position text by square (SPEC 9.8).
 * @param {string} fen
 * @param {Pick<Board, "ranks">} board
 * @returns {Pieces}
 */
export function readPosition(fen, board) {
  const pieces = new Map();
  fen
    .split(" ")[0]
    .split("/")
    .forEach((row, fromTop) => {
      let file = 0;
      for (const [, run, piece] of row.matchAll(/(\d+)|([A-Za-z]~?)/g)) {
        if (run) file += Number(run);
        else pieces.set(String.fromCharCode(97 + file++) + (board.ranks - fromTop), piece);
      }
    });
  return pieces;
}

/**
 * The steps of a move: `{ kind: "from", square, to }`, `{ kind: "captured", square }`, `{ kind: "dropped", square, piece }` …
 * @param {string} text
 * @returns {Effect[]}
 */
export function readEffects(text) {
  const words = text.split(" ");
  /** @type {Effect[]} */
  const steps = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [kind, value] = [words[at], words[at + 1]];
    if (kind === "from") {
      steps.push({ kind, square: value, to: words[at + 3] });
      at += 2;
    } else if (kind === "captured" || kind === "removed") steps.push({ kind, square: value });
    else if (value.includes("=")) {
      const [square, piece] = value.split("=");
      steps.push({ kind: kind === "dropped" ? kind : "changed", square, piece });
    } else if (kind === "points") steps.push({ kind, points: Number(value) });
  }
  return steps;
}

/**
 * The squares that a move touches, by its effects.
 * @param {Effect[]} effects
 */
export const touched = (effects) => new Set(effects.flatMap(({ square, to }) => [square, to]).filter(Boolean));

/**
 * All squares of a move text, in their order (SPEC 9.20).
 * @param {string} move
 * @returns {string[]}
 */
export const squaresOf = (move) => move.match(/[a-z]\d+/g) ?? [];

/**
 * The arrows of a move text, as `Drawing.point` takes them. Those of drops and removals stay on their square.
 * @param {string} kind
 * @param {string} move
 * @returns {Arrow[]}
 */
export function arrowsOf(kind, move) {
  const [steps, ...drops] = move[0] === "x" ? ["", ...squaresOf(move)] : move.split("@");
  const stops = squaresOf(steps);
  /** @type {(from: string, to: string) => Arrow} */
  const arrow = (from, to) => [kind, from, to];
  return [...stops.slice(1).map((square, at) => arrow(stops[at], square)), ...drops.map((square) => arrow(square, square))];
}

/**
 * Applies a step to pieces by square.
 * @param {Pieces} pieces
 * @param {Effect} step
 */
export function apply(pieces, step) {
  switch (step.kind) {
    case "from": {
      const piece = pieces.get(step.square);
      pieces.delete(step.square);
      if (piece) pieces.set(step.to, piece);
      break;
    }
    case "captured":
    case "removed":
      pieces.delete(step.square);
      break;
    case "changed":
    case "dropped":
      pieces.set(step.square, step.piece);
  }
}
