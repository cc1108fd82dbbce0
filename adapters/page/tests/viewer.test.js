// What the viewer of reports and analyses says of a game.

import assert from "node:assert/strict";
import { test } from "node:test";
import { guessBoard } from "../assets/board/notation.js";
import { better, chanceIn, described, judged, worst } from "../assets/review/viewer.js";

const ANALYSED = {
  p1: { name: "Ann" },
  p2: { name: "Bob" },
  moves: [
    { move: "a1b1", side: "p1", before: 0.5, after: 0.5, loss: 0, label: null },
    { move: "a2b2", side: "p2", before: 0.5, after: 0.43, loss: 0.07, label: "inaccuracy" },
    { move: "b1c1", side: "p1", before: 0.5, after: 0.119203, loss: 0.380797, label: "blunder" },
  ],
  positions: [
    { fen: "8/8 1 - 0 0", turn: "p1", chance: 0.5, score: { cp: 0 }, depth: 5, line: ["a1b1"] },
    { fen: "8/8 2 - 0 1", turn: "p2", chance: 0.5, score: { cp: 0 }, depth: null, line: [] },
    { fen: "8/8 1 6-5 0 2", turn: "p1", chance: 0.57, score: { cp: -70 }, depth: 5, line: ["b1d1", "b2d2"] },
    { fen: null, turn: "p2", chance: 0.119203, score: { mate: -3 }, depth: 5, line: ["b2c2"] },
  ],
};

test("a labelled move is told with what it lost and what was better, the worst first", () => {
  assert.deepEqual(worst(ANALYSED), [3, 2]);
  assert.equal(judged(ANALYSED, 3), "3. b1c1 by p1: blunder, 50 % to 12 %");
  assert.deepEqual(better(ANALYSED, 3), { move: "b1d1", worth: "–0.70, depth 5", line: "b1d1 b2d2" });
  assert.equal(better(ANALYSED, 2), null);
});

test("a position is told with its move, its chance and what the board does not show", () => {
  assert.deepEqual(
    [0, 2, 3].map((ply) => described(ANALYSED, ply)),
    [
      "ply 0 of 3 · chance of p1 50 %",
      "ply 2 of 3 · Bob: a2b2 · chance of p1 57 % · extra 6-5",
      "ply 3 of 3 · Ann: b1c1 · chance of p1 12 % · this position is not known",
    ],
  );
  // All moves of the game are no text for people.
  const long = { ...ANALYSED, positions: [{ fen: `5/5 1 ${"12.".repeat(20)} 0 0` }] };
  assert.equal(described(long, 0), "ply 0 of 3");
});

test("in a match the players tell time and score, and chances follow from their scores", () => {
  const played = {
    p1: { name: "Ann" },
    p2: { name: "Bob" },
    moves: [{ move: "a1b1" }, { move: "a2b2", side: "p2", time_us: 2500 }],
    positions: [{ fen: "8/8 1 - 0 0" }, { fen: "8/8 2 - 0 1", turn: "p2", score: { cp: -250 }, depth: 7 }, { fen: "8/8 1 - 0 2" }],
  };
  assert.deepEqual(
    [1, 2].map((ply) => described(played, ply)),
    ["ply 1 of 2 · opening: a1b1 · chance of p1 73 %", "ply 2 of 2 · Bob: a2b2 · 2.5 ms · –2.50, depth 7"],
  );
  assert.equal(chanceIn({ turn: "p2", score: { mate: 2 } }), 0);
  assert.equal(chanceIn({}), null);
});

test("without a description a board is as large as its positions, and letters tell the sides", () => {
  const board = guessBoard(["10M1/12/a~11 1 - 0 0", "12/12/12 2 - 0 1"]);
  assert.deepEqual([board.files, board.ranks, [...board.pieces.keys()]], [12, 3, ["M", "a~"]]);
  assert.deepEqual([board.pieces.get("M").owner, board.pieces.get("a~").owner], ["p1", "p2"]);
  assert.deepEqual(guessBoard([]).pieces.size, 0);
});
