// The tree of moves.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_DEPTH, Tree } from "../assets/game/tree.js";

const plies = (...moves) => moves.map((move) => ({ move }));
const moves = (nodes) => nodes.map(({ move }) => move).join(" ");

/** A tree whose main line is a b c, with d e in place of b. */
function branched() {
  const tree = new Tree(plies("a", "b", "c"));
  tree.go(tree.at(1));
  tree.play("d");
  tree.play("e");
  return tree;
}

test("another move begins a variation, and nothing of the main line is lost", () => {
  const tree = branched();
  assert.deepEqual([moves(tree.line), moves(tree.main), tree.ply, tree.isOnMain], ["a d e", "a b c", 3, false]);
  assert.deepEqual(tree.plies, [{ move: "a" }, { move: "b", variations: [plies("d", "e")] }, { move: "c" }]);
});

test("a known move goes on along its line", () => {
  const tree = branched();
  tree.go(tree.at(1));
  assert.equal(moves(tree.line), "a d e");
  tree.play("b");
  assert.deepEqual([moves(tree.line), tree.ply, tree.isOnMain], ["a b c", 2, true]);
});

test("a promoted variation becomes the main line, and the main line a variation", () => {
  const tree = branched();
  tree.promote(tree.node);
  assert.deepEqual([moves(tree.main), tree.isOnMain, tree.ply], ["a d e", true, 3]);
  assert.deepEqual(tree.plies[1], { move: "d", variations: [plies("b", "c")] });
});

test("a deleted variation leaves the line at the move before it", () => {
  const tree = branched();
  const [first] = tree.node.variations;
  tree.remove(first);
  assert.deepEqual([moves(tree.line), tree.ply, tree.isRich], ["a b c", 1, false]);
});

test("a variation that one does not look at is deleted without a move of the board", () => {
  const tree = branched();
  const [first] = tree.node.variations;
  tree.go(tree.main.at(-1));
  tree.remove(first);
  assert.deepEqual([moves(tree.line), tree.ply], ["a b c", 3]);
});

test("plies with comments and variations within variations come back as they were", () => {
  const told = [
    { move: "a", score: { cp: 3 }, depth: 4, nodes: 9, timeUs: 1500, glyphs: [2, 6], text: "so" },
    {
      move: "b",
      variations: [
        [
          { move: "c", variations: [plies("d", "e")] },
          { move: "f", text: "x" },
        ],
        plies("g"),
      ],
    },
  ];
  // The first move of a variation cannot have variations of its own: they are in place of the same move.
  const flat = [told[0], { move: "b", variations: [[{ move: "c" }, { move: "f", text: "x" }], plies("d", "e"), plies("g")] }];
  assert.deepEqual(new Tree(told).plies, flat);
  assert.deepEqual(new Tree(flat).plies, flat);
});

test("a tree is rich as soon as anything but moves is told", () => {
  assert.equal(new Tree(plies("a", "b")).isRich, false);
  assert.equal(new Tree([{ move: "a", text: "well" }]).isRich, true);
  assert.equal(new Tree([{ move: "a", glyphs: [] }]).isRich, false);
});

test("variations are not made deeper within one another than records may have them", () => {
  const tree = new Tree(plies("a", "b"));
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    tree.go(tree.at(tree.ply - 1));
    assert.notEqual(tree.play(`v${depth}`), null);
    tree.play("w");
  }
  tree.go(tree.at(tree.ply - 1));
  assert.equal(tree.play("one more"), null);
});
