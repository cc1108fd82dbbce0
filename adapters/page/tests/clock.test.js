// Clocks, with a time of their own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock, CONTROLS, readControl, timeText } from "../assets/game/clock.js";

test("a time control is minutes, and seconds for each move", () => {
  assert.deepEqual(readControl("3+2"), { base: 180_000, increment: 2000 });
  assert.deepEqual(readControl(" 0.5 "), { base: 30_000, increment: 0 });
  for (const text of ["", "0+5", "3+", "+3", "-3+2", "1e3", "3+2+1", "9999+1", "3 + x"]) assert.equal(readControl(text), null, text);
  for (const control of CONTROLS) assert.ok(readControl(control), control);
});

test("the clock of the side to move runs, and a move stops it with its increment", () => {
  let now = 0;
  const clock = new Clock({ base: 10_000, increment: 500 }, undefined, () => now);
  clock.run("p1");
  now = 1000;
  assert.deepEqual([clock.times, clock.running], [{ p1: 9000, p2: 10_000 }, "p1"]);
  clock.press("p1");
  now = 5000;
  assert.deepEqual([clock.times, clock.running], [{ p1: 9500, p2: 10_000 }, null]);
  clock.run("p2");
  now = 6500;
  // The same side may move twice in a row.
  clock.press("p2");
  clock.run("p2");
  now = 7000;
  assert.deepEqual(clock.times, { p1: 9500, p2: 8500 });
  assert.equal(clock.limits, "p1time 9500 p2time 8500 p1inc 500 p2inc 500");
});

test("a clock that did not run gets no increment", () => {
  const clock = new Clock({ base: 10_000, increment: 500 }, undefined, () => 0);
  clock.press("p1");
  assert.deepEqual(clock.times, { p1: 10_000, p2: 10_000 });
});

test("a flag falls at zero, and searches are never told of less than a millisecond", () => {
  let now = 0;
  const clock = new Clock({ base: 1000, increment: 0 }, { p1: 1000, p2: 50 }, () => now);
  clock.run("p2");
  now = 49;
  assert.equal(clock.flag, null);
  now = 50;
  assert.equal(clock.flag, "p2");
  now = 90;
  assert.equal(clock.limits, "p1time 1000 p2time 1 p1inc 0 p2inc 0");
});

test("times are shown in minutes and seconds, and in tenths at the end", () => {
  assert.deepEqual([600_000, 61_001, 59_000, 10_000, 9_960, 50, -3].map(timeText), ["10:00", "1:02", "0:59", "0:10", "0:09.9", "0:00.0", "0:00.0"]);
});
