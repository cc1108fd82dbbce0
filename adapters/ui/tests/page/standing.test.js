// Who has won, and whose view it is: in the words of the game and of the people who play it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Guide } from "../../src/web/page/guide.js";
import { install, speak } from "../../src/web/page/i18n.js";
import { isOnlyPerson, standing } from "../../src/web/page/panels.js";
import { LANGUAGES } from "./languages.js";

const board = { colours: { p1: "white", p2: "black" }, word: (word) => ({ white: "White", black: "Black" })[word] ?? word };
const guide = new Guide(["rules ending no-moves men 0 : all men are captured"]);
const [PERSON, ENGINE] = ["human", "engine"];

/** What is said when p1 has won, for these players. */
function said(p1, p2, { result = "p1win", reason = "no-moves" } = {}) {
  return standing({ board, guide, isOver: true, status: { result, reason, men: "3-0" } }, { p1, p2 });
}

test("the result says whether the person or the engine has won, and of two alike which colour", () => {
  install(LANGUAGES);
  speak("en");
  assert.equal(said(PERSON, ENGINE), "You have won: all men are captured");
  assert.equal(said(ENGINE, PERSON), "You have lost: all men are captured");
  assert.equal(said(PERSON, PERSON), "White wins: all men are captured");
  assert.equal(said(ENGINE, ENGINE), "White wins: all men are captured");
  assert.equal(said(PERSON, ENGINE, { result: "draw", reason: "repetition" }), "Draw: the position has been repeated");
  assert.equal(said(ENGINE, PERSON, { reason: "resignation" }), "You have resigned, so the engine wins");
  assert.equal(said(PERSON, PERSON, { reason: "resignation" }), "White wins: the other side has resigned");
  speak("es");
  assert.equal(said(PERSON, ENGINE), "Has ganado: all men are captured");
  assert.equal(said(ENGINE, PERSON), "Has perdido: all men are captured");
  speak("en");
});

test("a game in play says who is to move", () => {
  assert.equal(standing({ board, guide, isOver: false, status: { turn: "p2" } }, { p1: PERSON, p2: ENGINE }), "Black to move");
});

test("of two people none is the only one", () => {
  assert.ok(isOnlyPerson({ p1: PERSON, p2: ENGINE }, "p1"));
  for (const p2 of [PERSON, ENGINE]) assert.ok(!isOnlyPerson({ p1: PERSON, p2 }, "p2"));
});
