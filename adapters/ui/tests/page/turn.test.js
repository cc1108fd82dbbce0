// A turn that is entered step by step, on an engine that knows two moves.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Turn } from "../../src/web/page/turn.js";

const ANSWERS = {
  "query next": "a1",
  "query next a1": "c3",
  "query next a1c3": "e5 end",
  "query next a1c3e5": "end",
  "query effects a1c3": "from a1 to c3 captured b2",
  "query effects a1c3e5": "from a1 to c3 captured b2 from c3 to e5 captured d4",
};
const BOARD = { files: 5, ranks: 5 };

function begin() {
  const engine = { ask: async (question) => ANSWERS[question] };
  return new Turn({ engine, fen: "5/3m1/5/1m3/M4 1 - 0 0", board: BOARD });
}

test("squares go on where they may, and the board is shown in between", async () => {
  const turn = begin();
  await turn.refresh();
  assert.deepEqual([turn.tokenFor("a1"), turn.tokenFor("b2"), turn.isEmpty], ["a1", undefined, true]);
  await turn.add("a1");
  await turn.add("c3");
  assert.deepEqual([turn.path, turn.canEnd, turn.isComplete], ["a1c3", true, false]);
  assert.deepEqual(Object.fromEntries(turn.preview.pieces), { c3: "M", d4: "m" });
  await turn.add("e5");
  assert.equal(turn.isComplete, true);
  assert.deepEqual(Object.fromEntries(turn.preview.pieces), { e5: "M" });
});

test("a step is taken back", async () => {
  const turn = begin();
  for (const token of ["a1", "c3", "e5"]) await turn.add(token);
  await turn.back();
  assert.deepEqual([turn.path, turn.taken, turn.canEnd], ["a1c3", ["a1", "c3"], true]);
});
