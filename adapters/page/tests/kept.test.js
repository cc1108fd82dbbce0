// What is kept over a reload may be anything.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { keep, takeKept } from "../assets/game/kept.js";
import { storage } from "./storage.js";

const openTab = () => {
  globalThis.sessionStorage = storage();
};
beforeEach(() => {
  openTab();
  globalThis.localStorage = storage();
});

const GAME = {
  id: "eximo",
  start: null,
  moves: ["c3c4"],
  ply: 1,
  isCounting: true,
  players: { p1: "human", p2: "engine" },
  levels: { p1: "6", p2: "10" },
  isFlipped: true,
};

test("what was kept is found, its options as pairs", () => {
  assert.equal(takeKept(), null);
  keep({ ...GAME, values: { Hash: "8" } });
  const found = takeKept();
  assert.deepEqual(found, { ...GAME, values: [["Hash", "8"]], left: [] });
});

test("what is of another kind is left out and named", () => {
  keep({ ...GAME, start: 7, levels: { p1: "high" }, values: { Hash: 8, MaxPlies: "9" } });
  const { moves, levels, values, left } = takeKept();
  assert.deepEqual([moves, levels, values, left], [undefined, undefined, [["MaxPlies", "9"]], ["start", "levels", "Hash"]]);
  sessionStorage.setItem("leap-board", "{");
  assert.deepEqual(takeKept(), { values: [], left: ["everything"] });
});

test("a list is no text, and a text no number", () => {
  const review = { moves: ["c3c4"], positions: [{ side: "p1", chance: "0.5" }, null] };
  keep({ ...GAME, verdict: { result: ["p1win"], reason: "time" }, review });
  const { verdict, left } = takeKept();
  assert.deepEqual([verdict, left], [undefined, ["verdict", "review"]]);
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

test("a new tab has the settings and no game", () => {
  keep({ ...GAME, values: { Hash: "8" }, control: "3+2", isAnalysing: true, isFollowing: true });
  openTab();
  const { players, levels, isFlipped } = GAME;
  assert.deepEqual(takeKept(), {
    players,
    levels,
    isFlipped,
    control: "3+2",
    isAnalysing: true,
    isFollowing: true,
    values: [["Hash", "8"]],
    left: [],
  });
});

test("the settings are a person's own, not those of a game from a file", () => {
  const own = { players: { p1: "engine", p2: "human" }, control: "5+5" };
  keep({ ...GAME, players: { p1: "human", p2: "human" }, control: "", own });
  assert.deepEqual(takeKept().own, own);
  openTab();
  const { players, control } = takeKept();
  assert.deepEqual({ players, control }, own);
});
