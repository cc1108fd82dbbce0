// Exercises: what is asked, judged, answered and counted; no page and no engine.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Exercise } from "../assets/practice/exercise.js";

/** A board that a game ends on after some moves. */
class Board {
  person = "p1";
  made = [];
  looked = [];

  constructor(length = Number.POSITIVE_INFINITY) {
    this.length = length;
  }

  get isOver() {
    return this.made.length >= this.length;
  }

  async make(move) {
    this.made.push(move);
  }

  async search() {
    return "z9";
  }

  /** Drops are told in the order of the squares. */
  async look(move, limits) {
    this.looked.push([move, limits]);
    return { move: move.replace("@d2@b1", "@b1@d2"), status: {}, score: null, reply: "r1" };
  }
}

function exercise(task, board = new Board()) {
  const [states, results] = [[], []];
  const onChange = ({ state }) => states.push(state);
  const made = new Exercise(task, { board, onChange, onResult: (isRight) => results.push(isRight) });
  return { board, exercise: made, states, results };
}

const ASKED = { accepted: ["a1a2", "c7c8@b1@d2"], why: (move) => `${move} captures nothing` };

test("several moves are right, in whatever order a person has entered them", async () => {
  for (const move of ["a1a2", "c7c8@d2@b1"]) {
    const { board, exercise: one, states, results } = exercise(ASKED);
    await one.play(move);
    assert.deepEqual([one.state, results, states, board.made], ["solved", [true], ["judging", "solved"], [move]]);
  }
});

test("a wrong move is made and explained; a right one may follow after a new start, but the exercise counts as missed", async () => {
  const { board, exercise: one, results } = exercise(ASKED);
  await one.play("a1b2");
  assert.deepEqual([one.state, one.why, one.isOpen, board.made], ["wrong", "a1b2 captures nothing", false, ["a1b2"]]);
  await one.play("a1a2");
  assert.deepEqual([one.state, board.made], ["wrong", ["a1b2"]]);
  one.restart();
  await one.play("a1a2");
  assert.deepEqual([one.state, results, board.made], ["solved", [false], ["a1b2", "a1a2"]]);
});

test("the engine's answer to a wrong move is made too, unless the game is over", async () => {
  const judge = async () => ({ isRight: false, why: "it loses a man", reply: "r1" });
  const { board, exercise: one } = exercise({ judge });
  await one.play("a1b2");
  assert.deepEqual([one.state, one.why, board.made], ["wrong", "it loses a man", ["a1b2", "r1"]]);
  const last = exercise({ judge }, new Board(1));
  await last.exercise.play("a1b2");
  assert.deepEqual([last.exercise.state, last.board.made], ["wrong", ["a1b2"]]);
});

test("the answer may be shown, which counts as missed; later moves are found by the engine", async () => {
  const { exercise: one, results } = exercise(ASKED);
  assert.equal(await one.show(), "a1a2");
  assert.deepEqual([one.state, one.shown, results], ["shown", "a1a2", [false]]);
  const judged = exercise({ accepted: ["a1a2"], judge: async () => ({ isRight: true, reply: "b2b3" }) });
  await judged.exercise.play("a1a2");
  assert.equal(await judged.exercise.show(), "z9");
  assert.equal((await exercise({ accepted: ["a1a2"], answer: "c3c4" }).exercise.show()) === "c3c4", true);
});

test("the engine answers right moves until the game is over", async () => {
  const seen = [];
  const judge = async ({ move, isFirst, person, look }) => {
    seen.push([move, isFirst, person]);
    return { isRight: true, reply: (await look("nodes 5")).reply };
  };
  const { board, exercise: one, results } = exercise({ judge }, new Board(3));
  await one.play("a1a2");
  assert.deepEqual([one.state, one.reply, results], ["open", "r1", []]);
  await one.play("a2a3");
  assert.deepEqual([one.state, results, board.made], ["solved", [true], ["a1a2", "r1", "a2a3"]]);
  assert.deepEqual(seen, [
    ["a1a2", true, "p1"],
    ["a2a3", false, "p1"],
  ]);
  assert.deepEqual(board.looked[0], ["a1a2", "nodes 5"]);
  await one.play("a3a4");
  assert.equal(board.made.length, 3);
});

test("a new start keeps the result that is known", async () => {
  const { exercise: one, results } = exercise(ASKED);
  await one.play("a1b2");
  one.restart();
  assert.deepEqual([one.state, one.why], ["open", ""]);
  await one.play("a1a2");
  one.restart();
  await one.play("a1a2");
  assert.deepEqual(results, [false]);
});

test("an engine that fails leaves the exercise as it was", async () => {
  const { exercise: one, results } = exercise({ judge: async () => Promise.reject(new Error("lost")) });
  await assert.rejects(one.play("a1a2"), /lost/);
  assert.deepEqual([one.state, results], ["open", []]);
});
