// The engine's levels, and the seed of a game.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newKey } from "../assets/files/recent.js";
import { levelOf, LEVELS, RUNGS, seedOf, strengthOf } from "../assets/ui/settings.js";

test("the levels rise to full strength, and so do the rungs that results lead through", () => {
  for (const levels of [LEVELS, RUNGS]) {
    const strengths = levels.map(({ strength }) => strength);
    assert.deepEqual(
      strengths,
      strengths.toSorted((a, b) => a - b),
    );
    assert.deepEqual([strengths[0], strengths.at(-1)], [-20, 100]);
  }
  assert.equal(new Set(RUNGS.map(({ strength }) => strength)).size, RUNGS.length);
});

test("a stored level keeps its strength, and the beginner's of earlier pages is the weakest", () => {
  const stored = ["0", "1", "2", "3", "4", "5", "6", "7", "8"].map((id) => levelOf(id));
  assert.deepEqual(
    stored.map(({ strength, go }) => `${strength} ${go}`),
    [
      "-20 movetime 1500",
      "25 movetime 1500",
      "50 movetime 1500",
      "75 movetime 1500",
      "100 movetime 1500",
      "100 movetime 5000",
      "100 depth 1",
      "100 depth 6",
      "100 depth 12",
    ],
  );
  assert.equal(levelOf("11"), undefined);
  assert.equal(new Set(LEVELS.map(({ id }) => id)).size, LEVELS.length);
});

test("an engine that knows no levels for beginners plays at its weakest", () => {
  assert.deepEqual(
    ["-20", "0", "40"].map((min) => strengthOf(-10, { min })),
    [-10, 0, 40],
  );
});

test("a game keeps its seed, and another has another within the engine's range", () => {
  const seeds = ["m1-a", "m1-a", "m2-zzzzzz", "m3-"].map((key) => seedOf(key, { max: "2147483647" }));
  assert.deepEqual(seeds, [10, 10, 36 ** 6 - 1 - 2 ** 31, 0]);
  for (let n = 0; n < 100; n++) assert.ok([0, 1, 2].includes(seedOf(newKey(), { max: "2" })));
});
