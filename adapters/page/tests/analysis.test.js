// What the analysis computes from the engine's answers and from the games of a file.

import assert from "node:assert/strict";
import { test } from "node:test";
import { arrowsOf, readPosition, squaresOf } from "../assets/board/notation.js";
import { takeLine } from "../assets/engine/analysis.js";
import { readInfo } from "../assets/engine/engine.js";
import { passed } from "../assets/engine/threats.js";
import { continuations } from "../assets/files/explorer.js";
import { chanceOf, percentFor, percentOf, scoreFor, scoreText } from "../assets/review/chances.js";

globalThis.matchMedia = () => ({ matches: true });
const { boardText } = await import("../assets/board/editor.js");

test("the engine's own chances come first, and half of the draws counts", () => {
  const info = readInfo("info depth 5 multipv 2 score cp 300 wdl 500 300 200 nodes 7 pv a1a2");
  assert.deepEqual([info.wdl, info.nodes, info.multipv], [[500, 300, 200], 7, 2]);
  assert.deepEqual([chanceOf(info, "p1"), chanceOf(info, "p2")], [0.65, 0.35]);
});

test("without chances they follow from the score, and those of both sides add up", () => {
  const chance = (score, side) => chanceOf(readInfo(`info depth 1 score ${score} pv a1a2`), side);
  assert.equal(chance("cp 0", "p1"), 0.5);
  assert.ok(chance("cp 100", "p1") > 0.55 && chance("cp 100", "p1") < chance("cp 300", "p1"));
  assert.ok(Math.abs(chance("cp 80", "p1") + chance("cp 80", "p2") - 1) < 1e-12);
  assert.deepEqual([chance("mate 3", "p1"), chance("mate 3", "p2"), chance("mate -1", "p1")], [1, 0, 0]);
});

test("the distance to the end is in moves, whatever the engine counts", () => {
  const value = (n, countsPlies) => readInfo(`info score mate ${n} pv a1a2`, countsPlies).score.value;
  assert.deepEqual(
    [1, 2, 3, -3, -4].map((n) => value(n, true)),
    [1, 1, 2, -2, -2],
  );
  assert.deepEqual(
    [1, 2, -3].map((n) => value(n, false)),
    [1, 2, -3],
  );
  assert.equal(readInfo("info score cp 5 pv a1a2").score.value, 5);
});

test("scores and chances are told from the view of a side", () => {
  const told = (score, side, view) => scoreText(scoreFor(score, side, view));
  assert.equal(told({ kind: "cp", value: 35 }, "p1", "p1"), "+0.35");
  assert.equal(told({ kind: "cp", value: 35 }, "p2", "p1"), "−0.35");
  assert.equal(told({ kind: "mate", value: 3 }, "p2", "p1"), "−#3");
  assert.deepEqual([percentFor(0.63, "p1"), percentFor(0.63, "p2")], [63, 37]);
});

test("a search that begins anew replaces a line once it is as deep", () => {
  const lines = new Map();
  const info = (depth, move) => ({ multipv: 1, depth, pv: [move] });
  assert.deepEqual([takeLine(lines, info(4, "a")), takeLine(lines, info(1, "b")), lines.get(1).pv], [true, false, ["a"]]);
  assert.deepEqual([takeLine(lines, info(4, "c")), lines.get(1).pv], [true, ["c"]]);
});

test("the arrows of a move are its steps; those of drops and removals stay on their square", () => {
  assert.deepEqual(arrowsOf("best", "a1c3e5"), [
    ["best", "a1", "c3"],
    ["best", "c3", "e5"],
  ]);
  assert.deepEqual(arrowsOf("best", "d2d4@d12"), [
    ["best", "d2", "d4"],
    ["best", "d12", "d12"],
  ]);
  assert.deepEqual(
    [arrowsOf("best", "xd4"), squaresOf("xd4"), squaresOf("c7c8@b1@d12")],
    [[["best", "d4", "d4"]], ["d4"], ["c7", "c8", "b1", "d12"]],
  );
});

test("a side that passes leaves everything but the side to move", () => {
  assert.equal(passed("8/4M3/8/m7/8/8/8/1M6 1 - 3 20"), "8/4M3/8/m7/8/8/8/1M6 2 - 3 20");
  assert.equal(passed(passed("8/8 2 1 0 7")), "8/8 2 1 0 7");
});

test("the board of a position text is written as it was read", () => {
  for (const [text, files, ranks] of [
    ["csh5/C~S~H~5/8/8/8/8/c~s~h~5/CSH5", 8, 8],
    ["10M1/12/a11", 12, 3],
    ["mmmmm/mm1MM/5", 5, 3],
  ]) {
    assert.equal(boardText(readPosition(`${text} 1 - 0 0`, { files, ranks }), { files, ranks }), text);
  }
});

const game = (moves, result, rest) => ({ id: "eximo", start: null, moves: moves.split(" "), record: { result }, ...rest });

test("the moves from a position are counted with the results of their games", () => {
  const games = [
    game("a b c", "p1win"),
    game("a b d", "p2win"),
    game("a b c", "draw"),
    game("a b", "p1win"),
    game("a x", "*"),
    game("a b c", "p1win", { id: "sapos" }),
    game("a b c", "p1win", { start: "8/8 1 - 0 0" }),
  ];
  const at = (moves) => continuations(games, { id: "eximo", start: null, moves });
  assert.deepEqual(at(["a", "b"]), {
    reached: 4,
    rows: [
      { move: "c", count: 2, p1win: 1, draw: 1, p2win: 0 },
      { move: "d", count: 1, p1win: 0, draw: 0, p2win: 1 },
    ],
  });
  assert.deepEqual(
    at(["a"]).rows.map(({ move, count }) => [move, count]),
    [
      ["b", 4],
      ["x", 1],
    ],
  );
  assert.deepEqual(at(["b"]), { reached: 0, rows: [] });
});

test("only an announced end is certain", () => {
  const sure = { score: { kind: "cp", value: 3000 }, wdl: [1000, 0, 0] };
  assert.deepEqual([percentOf(sure, "p1", "p1"), percentOf(sure, "p1", "p2")], [99, 1]);
  const mate = { score: { kind: "mate", value: 3 }, wdl: [1000, 0, 0] };
  assert.deepEqual([percentOf(mate, "p2", "p2"), percentOf(mate, "p2", "p1")], [100, 0]);
});
