// Recent games, in a storage that may hold anything and be full.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { forgetAllBut, newKey, recall, recent, remember } from "../../src/web/page/recent.js";

let room;
beforeEach(() => {
  const kept = new Map();
  room = Number.POSITIVE_INFINITY;
  const setItem = (key, value) => {
    if (value.length > room) throw new Error("QuotaExceededError");
    kept.set(key, value);
  };
  globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem };
});

const game = (key, moves = ["a1a2"]) => ({ key, id: "eximo", start: null, moves, ply: moves.length, options: [["MaxPlies", "9"]] });
const keys = () => recent().map(({ key }) => key);

test("the newest game is the first, and each is there once", () => {
  for (const key of ["a", "b", "c", "a"]) remember(game(key));
  assert.deepEqual(keys(), ["a", "c", "b"]);
  assert.deepEqual(recall("b").options, [["MaxPlies", "9"]]);
  assert.equal(recall("d"), undefined);
  assert.notEqual(newKey(), newKey());
});

test("there are twenty at most", () => {
  for (let n = 0; n < 25; n++) remember(game(`${n}`));
  assert.deepEqual([keys().length, keys()[0], keys()[19]], [20, "24", "5"]);
});

test("where there is little room the oldest go", () => {
  for (const key of ["a", "b", "c", "d"]) remember(game(key));
  room = JSON.stringify(recent()).length;
  remember(game("e"));
  assert.deepEqual(keys().slice(0, 2), ["e", "d"]);
  room = 0;
  remember(game("f"));
  assert.equal(keys()[0], "e");
});

test("all but one are forgotten", () => {
  for (const key of ["a", "b", "c"]) remember(game(key));
  forgetAllBut("b");
  assert.deepEqual(keys(), ["b"]);
});

test("what is no game is not listed", () => {
  const bad = [
    null,
    3,
    {},
    { ...game("x"), moves: "a" },
    { ...game("x"), start: 3 },
    { ...game("x"), key: {} },
    { ...game("x"), players: { p1: "nobody" } },
  ];
  localStorage.setItem("leap-recent", JSON.stringify([...bad, game("good")]));
  assert.deepEqual(keys(), ["good"]);
  for (const text of ["{", "null", "{}", '"x"']) {
    localStorage.setItem("leap-recent", text);
    assert.deepEqual(keys(), []);
  }
});
