// Recent games, in a storage that may hold anything and be full.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { forgetAllBut, newKey, recall, recent, remember, setAside } from "../assets/files/recent.js";
import { leave, look, take } from "../assets/game/locks.js";
import { locks } from "./locks.js";
import { storage } from "./storage.js";

let limits;
beforeEach(() => {
  limits = { room: Number.POSITIVE_INFINITY };
  globalThis.localStorage = storage(limits);
  let now = 1;
  mock.method(Date, "now", () => now++);
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
  limits.room = 4 * JSON.stringify(recent()[0]).length;
  remember(game("e"));
  assert.deepEqual(keys(), ["e", "d", "c", "b"]);
  limits.room = 0;
  remember(game("f"));
  assert.deepEqual(keys(), []);
});

test("games that other tabs have are neither overwritten nor forgotten", async () => {
  locks.shared = new Set(["leap-board-a"]);
  await look();
  for (const key of ["a", ...Array.from({ length: 25 }, (_, n) => `${n}`)]) remember(game(key));
  assert.ok(recall("a"));
  limits.room = 2 * JSON.stringify(recall("a")).length;
  remember(game("b"));
  forgetAllBut("c");
  assert.deepEqual(keys(), ["a"]);
  locks.shared.clear();
  await look();
  forgetAllBut("c");
  assert.deepEqual(keys(), []);
});

test("a game belongs to one tab at a time", async () => {
  locks.shared = new Set(["leap-board-b"]);
  assert.equal(await take("a"), true);
  assert.equal(await take("b"), false);
  assert.deepEqual([...locks.own], ["leap-board-a"]);
  locks.shared.clear();
  assert.equal(await take("b"), true);
  assert.deepEqual([...locks.own], ["leap-board-b"]);
  leave();
  await null;
  assert.deepEqual([...locks.own], []);
});

test("a game that was left for another is told apart until it goes on", () => {
  remember(game("a"));
  setAside("a");
  setAside("unknown");
  assert.deepEqual([recall("a").isSetAside, keys()], [true, ["a"]]);
  remember(game("a"));
  assert.equal(recall("a").isSetAside, undefined);
});

test("all but one are forgotten", () => {
  for (const key of ["a", "b", "c"]) remember(game(key));
  forgetAllBut("b");
  assert.deepEqual(keys(), ["b"]);
});

test("what is no game is not listed", () => {
  const bad = [null, 3, {}, { ...game("x"), moves: "a" }, { ...game("x"), start: 3 }, { ...game("x"), players: { p1: "nobody" } }];
  bad.forEach((value, at) => {
    localStorage.setItem(`leap-board:${at}`, JSON.stringify(value));
  });
  for (const text of ["{", "null", '"x"']) localStorage.setItem(`leap-board:${text}`, text);
  remember(game("good"));
  assert.deepEqual(keys(), ["good"]);
});

test("the list that earlier versions stored is taken over", () => {
  const list = (games) => localStorage.setItem("leap-recent", JSON.stringify(games));
  list([{ ...game("new"), when: 2 }, null, { ...game("x"), key: {} }, { ...game("old"), when: 1 }]);
  assert.deepEqual(keys(), ["new", "old"]);
  assert.equal(localStorage.getItem("leap-recent"), null);
  for (const text of ["{", "null", "{}", '"x"']) {
    localStorage.setItem("leap-recent", text);
    assert.deepEqual(keys(), ["new", "old"]);
  }
});
