// The words of engines about boards: what stands where, and what a move does there.

import { pairs } from "../ui/dom.js";

/** The number of files or ranks: files have letters. */
const size = (text) => (/^([1-9]|1\d|2[0-6])$/.test(text) ? Number(text) : 0);

/**
 * A board of this size. Its pieces are known by their texts; `lines` join points, and `holes` are no squares. `kind` is
 * that of SPEC 4.23.
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
  const colours = { p1: "white", p2: "black" };
  const word = (/** @type {string} */ word) => word;
  const [holes, pieces] = [new Set(), new Map()];
  return { files, ranks, isPoints, isHexagons, squares, lines, holes, pieces, colours, word };
}

/** A board as an engine describes it (SPEC 4.23). A size that no board has is 0. */
export function readBoard(lines) {
  let board = emptyBoard(0, 0, "cells");
  for (const [, kind, ...words] of lines.map((line) => line.split(" "))) {
    if (kind === "files") board = emptyBoard(size(words[0]), size(words[2]), words[4]);
    else if (kind === "line") board.lines.push(words);
    else if (kind === "hole") board.holes.add(words[0]);
    else if (kind === "piece") board.pieces.set(words[0], pairs(words.slice(1)));
    else if (kind === "colours") board.colours = { ...board.colours, ...pairs(words) };
  }
  return board;
}

/**
 * The board of some position texts of a game, for want of a description. Pieces belong to sides by the case of their letters
 * (SPEC 9.2).
 */
export function guessBoard(texts) {
  const boards = texts.map((text) => text.split(" ")[0]);
  const rows = boards[0]?.split("/") ?? [];
  const files = [...(rows[0] ?? "").matchAll(/(\d+)|[A-Za-z]~?/g)].reduce((sum, [, run]) => sum + Number(run ?? 1), 0);
  const board = emptyBoard(size(String(files)), size(String(rows.length)), "cells");
  for (const text of boards.flatMap((board) => board.match(/[A-Za-z]~?/g) ?? [])) {
    board.pieces.set(text, { name: text, owner: /^[A-Z]/.test(text) ? "p1" : "p2", value: "1" });
  }
  return board;
}

/** The pieces of a position text by square (SPEC 9.8). */
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

/** The steps of a move: `{ kind: "from", square, to }`, `{ kind: "captured", square }`, `{ kind: "dropped", square, piece }` … */
export function readEffects(text) {
  const words = text.split(" ");
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

/** The squares that a move touches, by its effects. */
export const touched = (effects) => new Set(effects.flatMap(({ square, to }) => [square, to]).filter(Boolean));

/** All squares of a move text, in their order (SPEC 9.20). */
export const squaresOf = (move) => move.match(/[a-z]\d+/g) ?? [];

/** The arrows of a move text, as `Drawing.point` takes them. Those of drops and removals stay on their square. */
export function arrowsOf(kind, move) {
  const [steps, ...drops] = move[0] === "x" ? ["", ...squaresOf(move)] : move.split("@");
  const stops = squaresOf(steps);
  return [...stops.slice(1).map((square, at) => [kind, stops[at], square]), ...drops.map((square) => [kind, square, square])];
}

/** Applies a step to pieces by square. */
export function apply(pieces, step) {
  switch (step.kind) {
    case "from": {
      const piece = pieces.get(step.square);
      pieces.delete(step.square);
      pieces.set(step.to, piece);
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
