// Records, written. What is written is read with the one parser in tests/e2e/browser/records.rs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { namesOf, verdictOf, writeRecord } from "../assets/files/records.js";
import { Tree } from "../assets/game/tree.js";

const NOW = new Date("2026-01-01T12:00:00Z");
const PLAYERS = { p1: "a person", p2: 'the "engine" \\' };
const tree = (...plies) => new Tree(plies.map((ply) => (typeof ply === "string" ? { move: ply } : ply)));
const unfinished = { id: "eximo", start: null, tree: tree("c3c4"), source: null, ending: { result: "none", reason: "none", isByRules: false } };
const write = (game, rules = []) => writeRecord({ ...unfinished, ...game }, PLAYERS, rules, NOW);

test("an unfinished game ends in an asterisk and has no reason", () => {
  const head = '[Game "eximo"]\n[Date "2026-01-01T12:00:00.000Z"]\n[P1 "a person"]\n[P2 "the \\"engine\\" \\\\"]\n[Result "*"]\n';
  assert.equal(write({}), `${head}\n1. c3c4 *\n\n`);
});

test("a game has its reason, its start and its rules", () => {
  const rules = [["MaxPlies", "77"]];
  const text = write({ start: "8/8 1", ending: { result: "draw", reason: "max-plies", isByRules: true } }, rules);
  assert.ok(text.includes('[Result "draw"]\n[Reason "rules max-plies"]\n[Fen "8/8 1"]\n[Option "MaxPlies=77"]\n\n1. c3c4 draw\n'), text);
  assert.match(write({ ending: { result: "p2win", reason: "resignation", isByRules: false } }), /\[Reason "resignation"\]\n/);
});

test("lines of moves are as long as in the other programs", () => {
  const moves = Array.from({ length: 40 }, () => "a1a2");
  const lines = write({ tree: tree(...moves) })
    .split("\n\n")[1]
    .split("\n");
  assert.deepEqual([lines.length, lines.every((line) => line.length <= 100), lines[1].startsWith("13. a1a2 14. ")], [4, true, true]);
});

test("a record that was opened keeps its tags, until it ends otherwise", () => {
  const source = {
    tags: [
      ["Game", "eximo"],
      ["Event", "x"],
    ],
    result: "*",
  };
  assert.equal(write({ source }), '[Game "eximo"]\n[Event "x"]\n\n1. c3c4 *\n\n');
  assert.match(write({ source, ending: { result: "p1win", reason: "time" } }), /\[P1 "a person"\][\s\S]*\[Reason "time"\]/);
});

test("comments, annotations and variations are written in format 2", () => {
  const main = [
    { move: "c3c4", score: { cp: -3 }, depth: 4, nodes: 9, timeUs: 15, glyphs: [6, 14], text: "one } two" },
    {
      move: "c7c5",
      score: { mate: 2 },
      variations: [
        [
          { move: "d6d5", variations: [] },
          { move: "d3d4", text: "x" },
        ],
      ],
    },
  ];
  const text = write({ tree: tree(...main) });
  assert.ok(text.startsWith('[Format "2"]\n[Game "eximo"]\n'), text);
  const moves = "1. c3c4 $6 $14 {cp -3 depth 4 nodes 9 us 15 : one ) two} 2. c7c5 {mate 2} (2. d6d5 3. d3d4 {: x}) *";
  assert.equal(text.split("\n\n")[1].replaceAll("\n", " "), moves);
  assert.doesNotMatch(write({ tree: tree({ move: "c3c4", score: { cp: 1 } }) }), /Format/);
});

test("a record tells its ending and its players", () => {
  const tags = [
    ["P1", "a"],
    ["Reason", "rules no-moves"],
  ];
  assert.deepEqual(verdictOf({ tags, result: "p1win" }), { result: "p1win", reason: "no-moves" });
  assert.equal(verdictOf({ tags, result: "*" }), null);
  assert.deepEqual(namesOf({ tags }), { p1: "a", p2: "?" });
});
