// The list of moves in columns by player.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsOf } from "../assets/game/moves.js";
import { Tree } from "../assets/game/tree.js";

/** A main line of these moves: `b2c3` of the side before the colon, as in `p1:b2c3`. */
function tree(moves, plies = {}) {
  const made = new Tree(moves.map((move, at) => ({ move: move.split(":")[1] ?? move, ...plies[at] })));
  made.main.forEach((node, at) => {
    node.mover = moves[at].includes(":") ? moves[at].split(":")[0] : null;
  });
  return made;
}

const texts = (main) => rowsOf(main).map(({ number, p1, p2 }) => [number, ...[p1, p2].map((nodes) => nodes.map(({ move }) => move).join(" "))]);

test("a row is a turn of both players", () => {
  assert.deepEqual(texts(tree(["p1:a", "p2:b", "p1:c"]).main), [
    [1, "a", "b"],
    [2, "c", ""],
  ]);
});

test("moves of the same player in a row stand in one cell", () => {
  assert.deepEqual(texts(tree(["p1:a", "p2:b", "p2:c", "p1:d", "p1:e", "p2:f"]).main), [
    [1, "a", "b c"],
    [2, "d e", "f"],
  ]);
});

test("a game may begin with the second player", () => {
  assert.deepEqual(texts(tree(["p2:a", "p1:b", "p2:c"]).main), [
    [1, "", "a"],
    [2, "b", "c"],
  ]);
});

test("where nobody has told who moves, players alternate", () => {
  assert.deepEqual(texts(tree(["a", "b", "c"]).main), [
    [1, "a", "b"],
    [2, "c", ""],
  ]);
});

test("a turn goes on behind a variation, with the same number", () => {
  const rows = rowsOf(tree(["p1:a", "p2:b"], { 0: { variations: [[{ move: "x" }]] } }).main);
  assert.deepEqual(
    rows.map(({ number, isSplit }) => [number, isSplit]),
    [
      [1, false],
      [1, true],
    ],
  );
  assert.equal(rows[0].after.move, "a");
});
