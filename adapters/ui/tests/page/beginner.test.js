// Moves of someone who does not look at the board.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dice, stray } from "../../src/web/page/beginner.js";

/** An engine for which these moves are legal, each a list of tokens; a turn may end where one of them ends. */
function engineOf(moves) {
  const ask = async (question) => {
    const entered = question.split(" ")[2] ?? "";
    const tokens = moves.flatMap((move) => {
      const at = move.findIndex((_, length) => move.slice(0, length).join("") === entered);
      if (at >= 0) return [move[at]];
      return move.join("") === entered ? ["end"] : [];
    });
    return [...new Set(tokens)].join(" ");
  };
  return { ask };
}

const MOVES = [
  ["a1", "a2"],
  ["a1", "a2", "a4", "@a3"],
  ["b1", "b2"],
  ["xc1", "c2"],
];

test("every legal move is made now and then, and no other", async () => {
  const random = dice(7);
  const made = new Set();
  for (let n = 0; n < 200; n++) made.add(await stray(engineOf(MOVES), random));
  assert.deepEqual([...made].sort(), MOVES.map((move) => move.join("")).sort());
});

test("the same seed makes the same moves", async () => {
  const moves = async (seed) => {
    const random = dice(seed);
    return Promise.all(Array.from({ length: 20 }, () => stray(engineOf(MOVES), random)));
  };
  assert.deepEqual(await moves(1), await moves(1));
  assert.notDeepEqual(await moves(1), await moves(2));
});

test("a game without moves has none, and squares that lead in circles are given up", async () => {
  assert.equal(await stray(engineOf([]), dice(1)), null);
  assert.equal(await stray({ ask: async () => "a1 a2" }, dice(1)), null);
});

test("the numbers are spread evenly from 0 to 1", () => {
  const random = dice(3);
  const counts = Array(10).fill(0);
  for (let n = 0; n < 10_000; n++) counts[Math.floor(10 * random())]++;
  for (const count of counts) assert.ok(Math.abs(count - 1000) < 150, String(counts));
});
