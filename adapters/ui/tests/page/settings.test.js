// The engine's levels, and the seed of a game.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newKey } from "../../src/web/page/recent.js";
import { LEVELS, seedOf } from "../../src/web/page/settings.js";

test("the levels rise to full strength", () => {
  const strengths = LEVELS.map(([, { strength }]) => strength);
  assert.deepEqual(
    strengths,
    strengths.toSorted((a, b) => a - b),
  );
  assert.equal(strengths.at(-1), 100);
});

test("a game keeps its seed, and another has another within the engine's range", () => {
  const seeds = ["m1-a", "m1-a", "m2-zzzzzz", "m3-"].map((key) => seedOf(key, { max: "2147483647" }));
  assert.deepEqual(seeds, [10, 10, 36 ** 6 - 1 - 2 ** 31, 0]);
  for (let n = 0; n < 100; n++) assert.ok([0, 1, 2].includes(seedOf(newKey(), { max: "2" })));
});
