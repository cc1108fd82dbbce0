// The level that follows the results.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Ladder, levelAfter } from "../assets/game/level.js";
import { RUNGS } from "../assets/ui/settings.js";

const [LOWEST, SECOND, THIRD] = RUNGS.map(({ id }) => id);
const FULL = RUNGS.at(-1).id;

/** A page on which a person (p1) has played against the engine, with this result. */
function pageOf({ result = "p1win", players = { p1: "human", p2: "engine" }, level = SECOND, isOver = true } = {}) {
  const said = [];
  const conduct = { levels: { p1: FULL, p2: level }, showChoices: () => {} };
  return { said, conduct, players, game: { start: null, moves: [], isOver, status: { result } }, say: (text) => said.push(text) };
}

/** The levels after a game that was played from its start, and how often the page has spoken. */
function after(told, meanwhile = () => {}) {
  const page = pageOf(told);
  const ladder = new Ladder();
  ladder.isOn = true;
  ladder.begin(page.game);
  meanwhile(ladder, page);
  ladder.follow(page);
  return [page.conduct.levels, page.said.length];
}

test("a result moves the level by one rung, never beyond the lowest and full strength", () => {
  assert.deepEqual(
    ["p1win", "p2win", "draw"].map((result) => levelAfter(SECOND, result, "p2")),
    [THIRD, LOWEST, SECOND],
  );
  assert.equal(levelAfter(SECOND, "p1win", "p1"), LOWEST);
  assert.deepEqual([levelAfter(LOWEST, "p2win", "p2"), levelAfter(FULL, "p1win", "p2")], [LOWEST, FULL]);
  // A fixed depth is on no rung.
  assert.equal(levelAfter("6", "p1win", "p2"), "6");
});

test("the level rises after a win of the person and falls after a loss, and the page says so", () => {
  assert.deepEqual(after({ result: "p1win" }), [{ p1: FULL, p2: THIRD }, 1]);
  assert.deepEqual(after({ result: "p2win" }), [{ p1: FULL, p2: LOWEST }, 1]);
  assert.deepEqual(after({ result: "draw" }), [{ p1: FULL, p2: SECOND }, 0]);
  assert.deepEqual(after({ result: "p2win", level: LOWEST }), [{ p1: FULL, p2: LOWEST }, 0]);
  assert.deepEqual(after({ isOver: false }), [{ p1: FULL, p2: SECOND }, 0]);
});

test("games of two people, of two engines, from files or with moves taken back change nothing", () => {
  const unchanged = [{ p1: FULL, p2: SECOND }, 0];
  for (const player of ["human", "engine"]) assert.deepEqual(after({ players: { p1: player, p2: player } }), unchanged);
  assert.deepEqual(
    after({}, (ladder) => ladder.begin({ start: null, moves: ["a1a2"] })),
    unchanged,
  );
  assert.deepEqual(
    after({}, (ladder) => ladder.begin({ start: "8/8 1 - 0 0", moves: [] })),
    unchanged,
  );
  assert.deepEqual(
    after({}, (ladder) => ladder.spoil()),
    unchanged,
  );
  assert.deepEqual(
    after({}, (ladder) => {
      ladder.isOn = false;
    }),
    unchanged,
  );
});

test("a game counts once, also if the choice is made after its end, and a stored one as before", () => {
  const [levels] = after({}, (ladder, page) => ladder.follow(page));
  assert.equal(levels.p2, THIRD);
  const late = after({}, (ladder, page) => {
    ladder.isOn = false;
    ladder.follow(page);
    ladder.isOn = true;
  });
  assert.equal(late[0].p2, SECOND);
  const stored = { start: null, moves: ["a1a2"] };
  assert.equal(after({}, (ladder) => ladder.begin(stored, true))[0].p2, THIRD);
  assert.equal(after({}, (ladder) => ladder.begin(stored, false))[0].p2, SECOND);
});
