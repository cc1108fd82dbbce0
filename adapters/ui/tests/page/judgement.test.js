// Moves are judged as `leap analyse` judges them: the cases are shared.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { chanceOf } from "../../src/web/page/chances.js";
import { accuracyOf, chanceOfResult, isDoubtful, labelOf, lossOf } from "../../src/web/page/judgement.js";

const CASES = JSON.parse(readFileSync(new URL("../../../analyse/tests/judgements.json", import.meta.url), "utf8"));

const near = (found, expected, what) => assert.ok(Math.abs(found - expected) < 1e-6, `${what}: expected ${expected}, found ${found}`);
const choiceOf = ({ before, after, best, forced }) => ({ before, after, isBest: best, isForced: forced });

/** The accuracy of some moves, or null. */
function checkAccuracy(choices, expected, what) {
  const found = accuracyOf(choices);
  if (expected === null) assert.equal(found, null, what);
  else near(found, expected, what);
}

test("the chances of scores, of announced ends and of results", () => {
  for (const { what, score, wdl, chance } of CASES.chances) {
    const [[kind, value]] = Object.entries(score);
    near(chanceOf({ score: { kind, value }, wdl }, "p1"), chance, what);
    near(chanceOf({ score: { kind, value }, wdl }, "p2"), 1 - chance, what);
  }
  for (const { result, side, chance } of CASES.results) near(chanceOfResult(result, side), chance, `${result} for ${side}`);
});

test("the loss, the label and the accuracy of a move", () => {
  for (const { what, loss, doubtful, label, accuracy, ...move } of CASES.moves) {
    near(lossOf(choiceOf(move)), loss, what);
    assert.equal(isDoubtful(choiceOf(move)), doubtful, what);
    assert.equal(labelOf(choiceOf(move))?.name ?? null, label, what);
    checkAccuracy([choiceOf(move)], accuracy, what);
  }
});

test("the accuracy of a side", () => {
  for (const { what, moves, accuracy } of CASES.sides) checkAccuracy(moves.map(choiceOf), accuracy, what);
});
