// Moves are judged as `leap analyse` judges them: the cases are shared.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { chanceOf } from "../assets/review/chances.js";
import { accuracyOf, chanceOfResult, isDoubtful, labelOf, lossOf } from "../assets/review/judgement.js";
import { NODES, Review, SECOND_LOOK } from "../assets/review/review.js";
import { installScales, USUAL, yardstickOf } from "../assets/review/yardstick.js";

const CASES = JSON.parse(readFileSync(new URL("../../analyse/tests/judgements.json", import.meta.url), "utf8"));

installScales(JSON.parse(readFileSync(new URL("../assets/review/scales.json", import.meta.url), "utf8")));

const near = (found, expected, what) => assert.ok(Math.abs(found - expected) < 1e-6, `${what}: expected ${expected}, found ${found}`);
const choiceOf = ({ before, after, best, forced }) => ({ before, after, isBest: best, isForced: forced });

/** The accuracy of some moves, or null. */
function checkAccuracy(choices, expected, what, { strictness } = yardstickOf("", "", USUAL)) {
  const found = accuracyOf(choices, strictness);
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

test("the chances between players of a level, and how strictly their losses count", () => {
  for (const { what, engine, game, level, score, wdl, chance, tenth_lost: accuracy } of CASES.levels) {
    const yardstick = yardstickOf(engine, game, level);
    near(chanceOf({ score: { kind: "cp", value: score.cp }, wdl }, "p1", yardstick.scale), chance, what);
    checkAccuracy([{ before: 0.6, after: 0.5 }], accuracy, what, yardstick);
  }
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

test("a review searches the same positions in the same order, and says the same", async () => {
  assert.deepEqual([NODES, SECOND_LOOK], [CASES.limits.nodes, CASES.limits.second_look]);
  for (const { what, moves, first, second, searched, labels, accuracy } of CASES.reviews) {
    const review = new Review(moves);
    const found = [];
    await review.complete(async (ply, times) => {
      found.push([ply, times]);
      const { turn: side, score, best } = times === 1 ? first[ply] : { ...first[ply], score: { cp: second[ply].cp }, ...second[ply] };
      return { side, chance: chanceOf({ score: { kind: "cp", value: score.cp } }, side), best };
    });
    assert.deepEqual(found, searched, what);
    assert.deepEqual(
      moves.map((_, at) => labelOf(review.choice(at + 1))?.name ?? null),
      labels,
      what,
    );
    for (const side of ["p1", "p2"]) near(review.summary(side).accuracy, accuracy[side], what);
    assert.ok(review.isComplete, what);
  }
});

test("a review that was stopped goes on where it was, with what was kept of it", async () => {
  const [{ moves, first }] = CASES.reviews;
  const even = ({ turn: side, best }) => ({ side, chance: 0.5, best });
  const review = new Review(moves);
  const stopped = review.complete(async (ply) => {
    if (ply === 1) throw new Error("stopped");
    return even(first[ply]);
  });
  await assert.rejects(stopped, /stopped/);
  const { positions } = JSON.parse(JSON.stringify(review));
  const again = new Review(moves, positions);
  assert.deepEqual([again.count, again.isComplete], [3, false]);
  const searched = [];
  await again.complete(async (ply) => {
    searched.push(ply);
    return even(first[ply]);
  });
  assert.deepEqual([searched, again.isComplete], [[1, 0], true]);
});
