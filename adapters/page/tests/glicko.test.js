// Ratings by Glicko-2.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rated, UNKNOWN } from "../assets/practice/glicko.js";

const near = (found, expected, most) => assert.ok(Math.abs(found - expected) <= most, `expected ${expected}, found ${found}`);

test("the example of the paper", () => {
  const games = [
    { rating: 1400, deviation: 30, score: 1 },
    { rating: 1550, deviation: 100, score: 0 },
    { rating: 1700, deviation: 300, score: 0 },
  ];
  const { rating, deviation, volatility } = rated({ rating: 1500, deviation: 200, volatility: 0.06 }, games);
  near(rating, 1464.06, 0.01);
  near(deviation, 151.52, 0.01);
  near(volatility, 0.05999, 0.00001);
});

test("a rating rises by wins and falls by losses, and each result makes it surer", () => {
  for (const [score, way] of [
    [1, 1],
    [0, -1],
  ]) {
    let player = UNKNOWN;
    for (let at = 0; at < 50; at++) {
      const after = rated(player, [{ rating: 1500, deviation: 60, score }]);
      assert.ok(way * (after.rating - player.rating) > 0);
      player = after;
    }
    assert.ok(player.deviation < UNKNOWN.deviation);
  }
});

test("a surprise makes a rating more volatile", () => {
  const sure = { rating: 1500, deviation: 50, volatility: 0.06 };
  const surprised = rated(sure, Array(9).fill({ rating: 2100, deviation: 50, score: 1 }));
  assert.ok(surprised.volatility > sure.volatility);
  assert.ok(Number.isFinite(surprised.rating));
});
