// Puzzles: the lines of problems, what keeps a proof, themes, ratings and streaks; and the lesson of a guide.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { Guide } from "../assets/engine/guide.js";
import { tasksOf } from "../assets/practice/lesson.js";
import { gameOf, keeps, ofTheme, readProblem, readProblems, suiting, themesOf } from "../assets/practice/problems.js";
import { chooseNext, count, standingOf, taskOf } from "../assets/practice/puzzles.js";
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
  assert.deepEqual(readProblem(LINE), { id: "eximo.1", start, best: ["e6e7", "c1c2"], kind: "win", n: 5, rating: 600 });
  assert.equal(readProblem(LINE.replace("win in 5 plies", "margin of -1100 cp")).n, -11);
  assert.equal(readProblem(LINE.replace("win in 5 plies", "answer by 35 %")).kind, "answer");
  assert.equal(readProblem(LINE.replace("acn 7", "acn 160")).rating, 960);
  assert.equal(readProblem(LINE.replace("acn 7; ", "")).rating, 1500);
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

test("the page's own positions are read, tell their game and how hard they are, and have one name each", () => {
  const folder = new URL("../assets/practice/positions/", import.meta.url);
  for (const name of readdirSync(folder)) {
    const problems = readProblems(readFileSync(new URL(name, folder), "utf8"));
    const id = name.replace(".txt", "");
    assert.ok(problems.length >= 100 && problems.length <= 1000, name);
    assert.equal(gameOf(problems, IDS), id);
    assert.equal(new Set(problems.map((problem) => problem.id)).size, problems.length, name);
    const ratings = problems.map(({ rating }) => rating);
    assert.ok(Math.min(...ratings) < 800 && Math.max(...ratings) > 1800, name);
  }
});

test("a text with anything else is no file of problems", () => {
  for (const text of ["", "# nothing\n", `${LINE}\na1a2 b2b3`, '[Game "eximo"]']) assert.equal(readProblems(text), null);
});

test("problems are practised by theme", () => {
  const problems = ["win", "hold", "win"].map((kind, at) => ({ id: `eximo.${at}`, kind }));
  assert.deepEqual(themesOf(problems), ["all", "win", "hold"]);
  assert.equal(ofTheme(problems, "win").length, 2);
  assert.equal(ofTheme(problems, "margin").length, 3);
});

test("the next problem is the one whose rating is nearest, of those that were not seen", () => {
  const problems = [900, 1400, 1650].map((rating) => ({ id: `eximo.${rating}`, rating }));
  assert.equal(suiting(problems, 1500, new Set()), 1);
  assert.equal(suiting(problems, 1500, new Set(["eximo.1400"])), 2);
  assert.equal(suiting(problems, 1500, new Set(problems.map(({ id }) => id))), -1);
  useStorage();
  assert.deepEqual(
    [1, 2, 3, 4].map(() => chooseNext("eximo", problems)),
    [1, 2, 0, 1],
  );
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

const PROBLEM = { id: "eximo.1", rating: 1500 };

test("a streak grows by solved puzzles, ends by a mistake, and is kept by game", () => {
  useStorage();
  for (const isRight of [true, true, false, true]) count("eximo", isRight, PROBLEM);
  count("sapos", true, PROBLEM);
  const streakOf = (id) => [standingOf(id).now, standingOf(id).best];
  assert.deepEqual(["eximo", "sapos", "froglet"].map(streakOf), [
    [1, 2],
    [1, 1],
    [0, 0],
  ]);
});

test("the rating rises by a solved puzzle and falls by a mistake, and the page says by how much", () => {
  useStorage();
  assert.deepEqual(standingOf("eximo"), { now: 0, best: 0, rating: 1500, change: "0" });
  count("eximo", true, PROBLEM);
  const { rating, change } = standingOf("eximo");
  assert.deepEqual([rating > 1600, change], [true, `+${rating - 1500}`]);
  count("eximo", false, PROBLEM);
  assert.deepEqual([standingOf("eximo").rating < rating, standingOf("eximo").change.startsWith("\u2212")], [true, true]);
});

test("whatever else is stored, a streak is a count and a rating a number", () => {
  const strange = ["{", "[]", '{"eximo":{"now":-3,"best":"x","seen":7}}', '{"eximo":7}', "null", '{"eximo":{"player":{"rating":1,"deviation":0}}}'];
  for (const stored of strange) {
    useStorage({ "leap-puzzles": stored });
    assert.deepEqual(standingOf("eximo"), { now: 0, best: 0, rating: 1500, change: "0" }, stored);
    count("eximo", true, PROBLEM);
    assert.equal(chooseNext("eximo", [PROBLEM]), 0);
    assert.equal(standingOf("eximo").best, 1, stored);
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
  assert.equal(task.why("b2b3"), "The board shows what b2b3 does. This task is about: Hops.");
  assert.equal(new Guide(["rules clause Aim : None."]).hasLesson, false);
});
