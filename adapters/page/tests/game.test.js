// Texts of the protocol, read.

import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, readEffects, readPosition } from "../assets/board/notation.js";
import { readInfo, Refused } from "../assets/engine/engine.js";
import { readOption } from "../assets/ui/settings.js";

test("a position's pieces stand on their squares, ranks from the top", () => {
  const pieces = readPosition("10M1/12/a~11 1 - 0 0", { files: 12, ranks: 3 });
  assert.deepEqual(
    [...pieces],
    [
      ["k3", "M"],
      ["a1", "a~"],
    ],
  );
});

test("the effects of a move, applied in their order, give the next position", () => {
  const steps = readEffects("from b2 to d4 captured c3 dropped e5=M flipped a1=m removed e1 points 3 turn p2");
  assert.deepEqual(steps, [
    { kind: "from", square: "b2", to: "d4" },
    { kind: "captured", square: "c3" },
    { kind: "dropped", square: "e5", piece: "M" },
    { kind: "changed", square: "a1", piece: "m" },
    { kind: "removed", square: "e1" },
    { kind: "points", points: 3 },
  ]);
  const pieces = readPosition("5/5/2m2/1M3/M3m 1 - 0 0", { files: 5, ranks: 5 });
  for (const step of steps) apply(pieces, step);
  assert.deepEqual(Object.fromEntries(pieces), { a1: "m", d4: "M", e5: "M" });
});

test("an info line tells a line of play, or nothing", () => {
  const info = readInfo("info depth 5 seldepth 9 score cp -12 nodes 77 pv a1a2 b1b2");
  assert.deepEqual(info, { multipv: 1, depth: 5, seldepth: 9, score: { kind: "cp", value: -12 }, nodes: 77, pv: ["a1a2", "b1b2"] });
  for (const line of ["info string score cp 1 pv a1", "info depth 3 nodes 9", "info score cp 3"]) assert.equal(readInfo(line), null);
});

test("an error line is its text, with its code and square", () => {
  const { message, code, reason, square } = new Refused("error illegal-move move a1a9 reason off-board at a9 : a9: it is not on this board");
  assert.deepEqual([message, code, reason, square], ["a9: it is not on this board", "illegal-move", "off-board", "a9"]);
});

test("an option line is taken apart, whatever its name", () => {
  const combo = { name: "Alquerque Capture", type: "combo", default: "optional", vars: ["optional", "mandatory"] };
  assert.deepEqual(readOption("option name Alquerque Capture type combo default optional var optional var mandatory"), combo);
  assert.deepEqual(readOption("option name Hash type spin default 16 min 1 max 64"), {
    name: "Hash",
    type: "spin",
    default: "16",
    min: "1",
    max: "64",
    vars: [],
  });
  assert.equal(readOption("id name leapd"), null);
  const text = readOption("option name Book type string default a name of b");
  assert.deepEqual(text, { name: "Book", type: "string", default: "a", vars: [] });
});
