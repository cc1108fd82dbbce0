// Who has won, and whose view it is: in the words of the game and of the people who play it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Guide } from "../assets/engine/guide.js";
import { install, speak } from "../assets/ui/i18n.js";
import { isOnlyPerson, playerOf, standing } from "../assets/ui/panels.js";
import { LANGUAGES } from "./languages.js";

const board = {
  pieces: new Map([["m", { owner: "p1" }]]),
  colours: { p1: "white", p2: "black" },
  word: (word) => ({ white: "White", black: "Black" })[word] ?? word,
};
const guide = new Guide([
  "rules word count : the points decide",
  "rules word no-moves : the other side has no legal move",
  "rules ending no-moves men 0 : all men are captured",
  "rules loss no-moves men 0 : all your men are captured",
  "rules loss no-moves : you cannot move",
]);
const [PERSON, ENGINE, GUEST] = ["human", "engine", "remote"];

/** What is said when p1 has won, for these players. */
function said(p1, p2, { result = "p1win", reason = "no-moves", men = "3-0", rules = guide } = {}) {
  return standing({ board, guide: rules, isOver: true, status: { result, reason, men } }, { p1, p2 });
}

test("the result says whether the person or the engine has won, and of two alike which colour", () => {
  install(LANGUAGES);
  speak("en");
  assert.equal(said(PERSON, ENGINE), "You have won: all men are captured");
  assert.equal(said(ENGINE, PERSON), "You have lost: all your men are captured");
  assert.equal(said(PERSON, PERSON), "White wins: all men are captured");
  assert.equal(said(ENGINE, ENGINE), "White wins: all men are captured");
  assert.equal(said(PERSON, ENGINE, { result: "draw", reason: "repetition" }), "Draw: the position has been repeated");
  assert.equal(said(ENGINE, PERSON, { reason: "resignation" }), "You have resigned, so the engine wins");
  assert.equal(said(PERSON, PERSON, { reason: "resignation" }), "White wins: the other side has resigned");
  speak("es");
  assert.equal(said(PERSON, ENGINE), "Has ganado: all men are captured");
  assert.equal(said(ENGINE, PERSON), "Has perdido: all your men are captured");
  speak("en");
});

/** By reason and what the loser has left: what is said to the winner and to spectators, and what to the loser. */
const REASONS = {
  en: [
    ["no-moves", 0, "all men are captured", "all your men are captured"],
    ["no-moves", 2, "the other side has no legal move", "you cannot move"],
    ["count", 2, "the points decide", "the points decide"],
    ["quiet-limit", 2, "too long without a capture", "too long without a capture"],
    ["max-plies", 2, "the limit of plies is reached", "the limit of plies is reached"],
    ["repetition", 2, "the position has been repeated", "the position has been repeated"],
    ["time", 2, "the other side's time is up", "your time is up"],
    ["win-adjudication", 2, "both players saw the same side win", "both players saw the same side win"],
    ["strange", 2, "strange", "strange"],
  ],
  es: [
    ["no-moves", 0, "all men are captured", "all your men are captured"],
    ["quiet-limit", 2, "demasiadas jugadas sin captura", "demasiadas jugadas sin captura"],
    ["max-plies", 2, "se ha alcanzado el límite de jugadas", "se ha alcanzado el límite de jugadas"],
    ["repetition", 2, "la posición se ha repetido", "la posición se ha repetido"],
    ["time", 2, "el otro bando ha agotado su tiempo", "se te ha agotado el tiempo"],
  ],
};
const HEADS = {
  en: ["You have won", "You have lost", "White wins", "Black wins"],
  es: ["Has ganado", "Has perdido", "Ganan las white", "Ganan las black"],
};

test("each reason is said to the winner, to the loser and to those who watch", () => {
  install(LANGUAGES);
  for (const [language, reasons] of Object.entries(REASONS)) {
    speak(language);
    const [won, lost, white, black] = HEADS[language];
    for (const [reason, left, others, loser] of reasons) {
      const p1win = { result: "p1win", reason, men: `3-${left}` };
      const p2win = { result: "p2win", reason, men: `${left}-3` };
      for (const foe of [ENGINE, GUEST]) {
        assert.equal(said(PERSON, foe, p1win), `${won}: ${others}`);
        assert.equal(said(foe, PERSON, p2win), `${won}: ${others}`);
        assert.equal(said(foe, PERSON, p1win), `${lost}: ${loser}`);
        assert.equal(said(PERSON, foe, p2win), `${lost}: ${loser}`);
      }
      for (const both of [PERSON, ENGINE, GUEST]) {
        assert.equal(said(both, both, p1win), `${white}: ${others}`);
        assert.equal(said(both, both, p2win), `${black}: ${others}`);
      }
    }
  }
  speak("en");
});

test("one who has resigned is told so, and a draw is the same for everybody", () => {
  install(LANGUAGES);
  const resigned = { reason: "resignation" };
  for (const [language, winner, alone, guest, draw] of [
    ["en", "You have won: the other side has resigned", "You have resigned, so the engine wins", "You have resigned", "Draw: agreed"],
    ["es", "Has ganado: el otro bando se ha rendido", "Te has rendido: ha ganado el motor", "Te has rendido", "Tablas: de común acuerdo"],
  ]) {
    speak(language);
    for (const foe of [ENGINE, GUEST]) assert.equal(said(PERSON, foe, resigned), winner);
    assert.equal(said(ENGINE, PERSON, resigned), alone);
    assert.equal(said(GUEST, PERSON, resigned), guest);
    for (const p1 of [PERSON, ENGINE, GUEST]) {
      for (const p2 of [PERSON, ENGINE, GUEST]) assert.equal(said(p1, p2, { result: "draw", reason: "agreement" }), draw);
    }
  }
  speak("en");
});

test("where the engine has no words for the loser, the page has them", () => {
  install(LANGUAGES);
  const silent = new Guide([]);
  const older = new Guide(["rules ending no-moves men 0 : all men of the other side are captured"]);
  for (const [language, told] of [
    ["en", "You have lost: you have no legal move"],
    ["es", "Has perdido: no tienes ninguna jugada legal"],
  ]) {
    speak(language);
    for (const rules of [silent, older]) assert.equal(said(ENGINE, PERSON, { rules }), told);
  }
  speak("en");
});

test("a game in play says who is to move", () => {
  assert.equal(standing({ board, guide, isOver: false, status: { turn: "p2" } }, { p1: PERSON, p2: ENGINE }), "Black to move");
});

test("only one person at the board is called you", () => {
  install(LANGUAGES);
  speak("en");
  /** The players of p1 and p2. */
  const called = (p1, p2) => ["p1", "p2"].map((side) => playerOf({ source: null }, { p1, p2 }, side, null));
  assert.deepEqual(called(PERSON, ENGINE), ["you", null]);
  assert.deepEqual(called(ENGINE, PERSON), [null, "you"]);
  assert.deepEqual(called(PERSON, PERSON), ["", ""]);
});

test("of two people none is the only one", () => {
  assert.ok(isOnlyPerson({ p1: PERSON, p2: ENGINE }, "p1"));
  for (const p2 of [PERSON, ENGINE]) assert.ok(!isOnlyPerson({ p1: PERSON, p2 }, "p2"));
});
