// Puzzles: the lines of problems, grades, what keeps a proof, streaks; and the lesson of a guide.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Guide } from "../assets/engine/guide.js";
import { tasksOf } from "../assets/practice/lesson.js";
import { gameOf, graded, GRADES, keeps, readProblem, readProblems } from "../assets/practice/problems.js";
import { count, streakOf, taskOf } from "../assets/practice/puzzles.js";
import { install } from "../assets/ui/i18n.js";
import { LANGUAGES } from "./languages.js";
import { storage } from "./storage.js";

const IDS = ["alquerque", "eximo", "sapos", "froglet", "tactica"];
const useStorage = (entries = {}) => {
  globalThis.localStorage = storage();
  for (const [key, text] of Object.entries(entries)) localStorage.setItem(key, text);
};
const kept = (id) => readFileSync(new URL(`../../../games/${id}/problems.txt`, import.meta.url), "utf8");
const LINE = '5m2/8/1m2M3/8/M7/M7/8/1MM5 1 - 0 393 bm e6e7 c1c2; c0 "win in 5 plies"; acn 7; id "eximo.1";';

test("a line has a position, right moves, a proof and a name; other operations are skipped", () => {
  const start = "5m2/8/1m2M3/8/M7/M7/8/1MM5 1 - 0 393";
  assert.deepEqual(readProblem(LINE), { id: "eximo.1", start, best: ["e6e7", "c1c2"], kind: "win", n: 5 });
  assert.equal(readProblem(LINE.replace("win in 5 plies", "margin of -1100 cp")).n, -11);
  for (const part of [" bm e6e7 c1c2;", ' c0 "win in 5 plies";', ' id "eximo.1";', "win in"]) assert.equal(readProblem(LINE.replace(part, "")), null);
});

test("every kept problem is read, and tells its game", () => {
  for (const id of IDS) {
    const problems = readProblems(kept(id));
    assert.equal(problems.length, kept(id).trim().split("\n").length - 1);
    assert.equal(gameOf(problems, IDS), id);
  }
  assert.equal(gameOf([{ id: "race.1" }], IDS), undefined);
});

test("a text with anything else is no file of problems", () => {
  for (const text of ["", "# nothing\n", `${LINE}\na1a2 b2b3`, '[Game "eximo"]']) assert.equal(readProblems(text), null);
});

test("each problem has one grade, and the easier ones have fewer legal moves", () => {
  const problems = [9, 2, 7, 4, 4, 30, 1].map((choices, at) => ({ id: `eximo.${at}`, choices }));
  const parts = GRADES.map((grade) => graded(problems, grade).map(({ choices }) => choices));
  assert.deepEqual(parts, [
    [1, 2],
    [4, 4, 7],
    [9, 30],
  ]);
  assert.equal(graded(readProblems(LINE), "hard").length, 1);
});

test("a later move is right if the engine still sees what is proved", () => {
  const [on, over] = [{ over: "false" }, (result, points) => ({ over: "true", result, points })];
  const score = (kind, value) => ({ kind, value });
  const cases = [
    [{ kind: "win" }, on, score("mate", 2), true],
    [{ kind: "win" }, on, score("mate", -2), false],
    [{ kind: "win" }, on, score("cp", 900), false],
    [{ kind: "win" }, on, score("cp", 29_500), true],
    [{ kind: "win" }, on, null, false],
    [{ kind: "win" }, over("p2win"), null, true],
    [{ kind: "win" }, over("draw"), null, false],
    [{ kind: "hold" }, on, score("mate", -1), false],
    [{ kind: "hold" }, on, score("cp", -800), true],
    [{ kind: "hold" }, over("draw"), null, true],
    [{ kind: "hold" }, over("p1win"), null, false],
    [{ kind: "margin", n: 3 }, on, score("cp", 300), true],
    [{ kind: "margin", n: 3 }, on, score("cp", 200), false],
    [{ kind: "margin", n: -2 }, over("p1win", "20-18"), null, true],
    [{ kind: "margin", n: -1 }, over("p1win", "20-18"), null, false],
  ];
  for (const [proof, status, seen, isRight] of cases) {
    assert.equal(keeps(proof, { status, score: seen }, "p2"), isRight, JSON.stringify([proof, status, seen]));
  }
});

test("the proof judges the first move, and the engine the later ones", async () => {
  install(LANGUAGES, "en");
  const { goal, judge } = taskOf(readProblem(LINE), "eximo");
  assert.equal(goal("black"), "Black to move and win in 3 moves.");
  const look = (move, kind, value) => async () => ({ move, status: { over: "false" }, score: { kind, value }, reply: "b6b5" });
  const first = { isFirst: true, person: "p1" };
  assert.deepEqual(await judge({ ...first, look: look("c1c2", "cp", 0) }), { isRight: true, why: "", reply: "b6b5" });
  const wrong = await judge({ ...first, look: look("a3a4", "mate", 3) });
  assert.deepEqual([wrong.isRight, wrong.why], [false, "a3a4 does not win. The engine would answer b6b5."]);
  const later = { ...first, isFirst: false };
  assert.equal((await judge({ ...later, look: look("a3a4", "mate", 3) })).isRight, true);
});

test("a streak grows by solved puzzles, ends by a mistake, and is kept by game", () => {
  useStorage();
  for (const isRight of [true, true, false, true]) count("eximo", isRight);
  count("sapos", true);
  assert.deepEqual(
    [streakOf("eximo"), streakOf("sapos"), streakOf("froglet")],
    [
      { now: 1, best: 2 },
      { now: 1, best: 1 },
      { now: 0, best: 0 },
    ],
  );
});

test("whatever else is stored, a streak is a count", () => {
  for (const stored of ["{", "[]", '{"eximo":{"now":-3,"best":"x"}}', '{"eximo":7}', "null"]) {
    useStorage({ "leap-puzzles": stored });
    assert.deepEqual(streakOf("eximo"), { now: 0, best: 0 }, stored);
    count("eximo", true);
    assert.deepEqual(streakOf("eximo"), { now: 1, best: 1 }, stored);
  }
});

test("the tasks of a guide are a lesson, and a wrong move is answered by its rule", () => {
  install(LANGUAGES, "en");
  const guide = new Guide([
    "rules clause Aim : Make the last move.",
    "rules clause Hops : A frog hops: over another.",
    "rules task points 3 fen 3/fF1/3 1 - 0 0 moves a2c2 b2b4 : Win 3 points: hop.",
    "rules task nothing",
  ]);
  assert.equal(guide.hasLesson, true);
  const [task, ...others] = tasksOf(guide, "frogs");
  assert.deepEqual(
    [task.id, task.start, task.accepted, task.goal(), others],
    ["frogs", "3/fF1/3 1 - 0 0", ["a2c2", "b2b4"], "Win 3 points: hop.", []],
  );
  assert.equal(task.why("b2b3"), "b2b3 is a legal move, but not what is asked. Hops: A frog hops: over another.");
  assert.equal(new Guide(["rules clause Aim : None."]).hasLesson, false);
});
