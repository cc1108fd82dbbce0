// Exact values: reading them, and what they say of moves and squares.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bestAfter, bestFirst, exactMarks, exactOf, exactOfMove, exactText, shareOf, shortText } from "../assets/game/exact.js";
import { Game } from "../assets/game/game.js";
import { readValues } from "../assets/game/messages.js";
import { install, speak } from "../assets/ui/i18n.js";
import { LANGUAGES } from "./languages.js";

const BOARD = { pieces: new Map([["m", { owner: "p1" }]]), colours: { p1: "white", p2: "black" }, word: (word) => word };
const VALUES = "win 3 reach 7 moves 5 a1a2 loss 2 a1b1 win 5 b1b2 loss 8 b1c1 draw - a10a9 win 3";

test("an answer has the value of the position and those of its moves", () => {
  const { position, reach, moves, isComplete } = readValues(VALUES);
  assert.deepEqual([position, reach, isComplete, moves.size], [{ worth: "win", plies: 3 }, 7, true, 5]);
  assert.deepEqual(moves.get("b1c1"), { worth: "draw", plies: null });
  assert.equal(readValues("loss 2 reach 7 moves 1+ a1a2 loss 2").isComplete, false);
  assert.deepEqual(readValues("unknown - reach 0 moves 0"), { position: null, reach: 0, moves: new Map(), isComplete: true });
});

test("nonsense is nothing known", () => {
  for (const text of ["", "nonsense", "moves", "constructor 3 reach x moves 9 a1a2 toString", "win"]) {
    const { position, moves, reach } = readValues(text);
    assert.deepEqual([position?.plies ?? null, moves.size, reach], [null, 0, 0], text);
  }
});

test("a beginning has the best of its moves", () => {
  const { moves } = readValues(VALUES);
  assert.deepEqual(
    ["a1", "b1", "a10", "c1", "a1a2"].map((text) => bestAfter(moves, text)),
    ["win", "draw", "win", undefined, "loss"],
  );
  const hops = readValues("win 1 reach 7 moves 2 a1c3 loss 2 a1c3e5 win 1").moves;
  assert.deepEqual([bestAfter(hops, "a1c3"), bestAfter(hops, "a1c3", true)], ["win", "loss"]);
});

test("short wins and long losses come first", () => {
  const order = bestFirst(readValues(VALUES).moves).map(([move]) => move);
  assert.deepEqual(order, ["a10a9", "a1b1", "b1c1", "b1b2", "a1a2"]);
});

test("a value is a sentence that names the winner, in every language", () => {
  install(LANGUAGES, "en");
  const say = (text, side) => exactText(readValues(`${text} reach 7 moves 0`).position, side, BOARD);
  assert.equal(say("win 5", "p1"), "White wins, capture or end in 5 plies");
  assert.equal(say("loss 1", "p1"), "Black wins, capture or end in 1 ply");
  assert.equal(say("loss -", "p2"), "White wins by count");
  assert.equal(say("draw -", "p1"), "Drawn by count");
  assert.equal(say("draw 2", "p1"), "Drawn, capture or end in 2 plies");
  speak("es");
  assert.equal(say("win 1", "p2"), "Ganan las black, captura o final en 1 jugada");
  speak("en");
});

test("the bar belongs to the winner, and signs need no colours", () => {
  const all = ["win 3", "draw -", "loss 2"].map((text) => readValues(`${text} reach 7 moves 0`).position);
  assert.deepEqual(
    all.map((value) => [shareOf(value, "p1"), shareOf(value, "p2")]),
    [
      [100, 0],
      [50, 50],
      [0, 100],
    ],
  );
  assert.deepEqual(all.map(shortText), ["▲ 3", "=", "▼ 2"]);
});

/** A page that displays a position with these values. */
function pageOf(text, { path = "", next = ["a1", "b1"], canEnd = false, isOn = true, ...rest } = {}) {
  globalThis.document = { getElementById: () => ({ open: false }) };
  const turn = { path, isEmpty: path === "", canEnd, place: path.slice(-2), next: new Map(next.map((token) => [token, false])) };
  return { game: { values: readValues(text), isOver: false }, exercise: null, analysis: { isOn }, turn, ...rest };
}

const marksOf = (app) => Object.fromEntries(Object.entries(exactMarks(app)).map(([kind, squares]) => [kind, [...squares]]));
const NO_MARKS = { wins: [], draws: [], loses: [] };

test("squares are marked by the best move that goes over them", () => {
  assert.deepEqual(marksOf(pageOf(VALUES)), { wins: ["a1"], draws: ["b1"], loses: [] });
  assert.deepEqual(marksOf(pageOf(VALUES, { path: "a1", next: ["a2", "b1"] })), { wins: ["b1"], draws: [], loses: ["a2"] });
  const hops = "win 1 reach 7 moves 2 a1c3 loss 2 a1c3e5 win 1";
  assert.deepEqual(marksOf(pageOf(hops, { path: "a1c3", next: ["e5"], canEnd: true })), { wins: ["e5"], draws: [], loses: ["c3"] });
});

test("nothing is told where it is not wanted, not known, over or an exercise", () => {
  assert.deepEqual(marksOf(pageOf(VALUES, { isOn: false })), NO_MARKS);
  for (const text of ["unknown - reach 7 moves 1 a1a2 loss 2", "win 3 reach 7 moves 1+ a1a2 loss 2"])
    assert.deepEqual(marksOf(pageOf(text)), NO_MARKS);
  for (const rest of [{ exercise: {} }, { game: { values: readValues(VALUES), isOver: true } }, { game: null }]) {
    const app = pageOf(VALUES, rest);
    assert.deepEqual([exactOf(app), exactOfMove(app, "a1a2"), marksOf(app)], [null, null, NO_MARKS]);
  }
  assert.deepEqual(exactOfMove(pageOf(VALUES), "a1a2"), { worth: "loss", plies: 2 });
});

test("the value of a game's end is not told of its other positions", async () => {
  const ask = async (question) => (question === "query value" ? "loss 0 reach 0 moves 0" : "");
  const game = new Game({ ask, aside: { ask } });
  game.knowsValues = true;
  await game.look();
  assert.deepEqual(game.values.position, { worth: "loss", plies: 0 });
  await game.look();
  assert.equal(game.values.position, null);
});
