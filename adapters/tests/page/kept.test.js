// What is kept over a reload may be anything.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { keep, takeKept } from "../../src/web/page/kept.js";

beforeEach(() => {
  const kept = new Map();
  globalThis.sessionStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
});

const GAME = { id: "eximo", start: null, moves: ["c3c4"], ply: 1, players: { p1: "human", p2: "engine" }, level: "6", isFlipped: true };

test("what was kept is found, its options as pairs", () => {
  assert.equal(takeKept(), null);
  keep({ ...GAME, values: { Hash: "8" } });
  const found = takeKept();
  assert.deepEqual(found, { ...GAME, values: [["Hash", "8"]], left: [] });
});

test("what is of another kind is left out and named", () => {
  keep({ ...GAME, start: 7, level: "high", values: { Hash: 8, MaxPlies: "9" } });
  const { moves, level, values, left } = takeKept();
  assert.deepEqual([moves, level, values, left], [undefined, undefined, [["MaxPlies", "9"]], ["start", "level", "Hash"]]);
  sessionStorage.setItem("leap-game", "{");
  assert.deepEqual(takeKept(), { values: [], left: ["everything"] });
});

test("what engines are lost with is tried less and less", () => {
  keep({ ...GAME, values: { Hash: "8" } });
  assert.deepEqual(
    [takeKept(), takeKept()].map(({ left }) => left),
    [[], []],
  );
  assert.deepEqual(takeKept().left, ["values"]);
  assert.deepEqual(takeKept(), { values: [], left: ["everything"] });
});
