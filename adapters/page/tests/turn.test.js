// A turn that is entered step by step, on an engine that knows two moves.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readBoard } from "../assets/board/notation.js";
import { choose } from "../assets/game/entry.js";
import { Game } from "../assets/game/game.js";
import { readTurn } from "../assets/game/messages.js";
import { Turn } from "../assets/game/turn.js";

const BOARD = { files: 5, ranks: 5 };
const FEN = "5/3m1/5/1m3/M4 1 - 0 0";
const STATUS = "over false result none reason none turn p1 ply 0 quiet 0 repetitions 1";
const HOPS = ["from a1 to c3 captured b2", "from c3 to e5 captured d4"];
const AFTER = "side 2 extra - quiet 0 ply 1";

const ANSWERS = {
  "query turn": "entered - awaits first drops 0 next 1 first a1=step effects 0 unfinished incomplete at -",
  "query turn a1": "entered a1 awaits step drops 0 next 1 step c3=step,end effects 0 unfinished incomplete at -",
  "query turn a1c3": `entered a1c3 awaits step,end drops 0 next 1 step e5=end effects 3 ${HOPS[0]} end a1c3 ${AFTER}`,
  "query turn a1c3e5": `entered a1c3e5 awaits end drops 0 next 0 effects 6 ${HOPS.join(" ")} end a1c3e5 ${AFTER}`,
  "query next": "a1",
  "query next a1": "c3",
  "query next a1c3": "e5 end",
  "query next a1c3e5": "end",
  "query effects a1c3": `${HOPS[0]} ${AFTER}`,
  "query effects a1c3e5": `${HOPS.join(" ")} ${AFTER}`,
  "query legal a1b5": "false no-such-line at b5 : b5: no line",
  "query fen": FEN,
  "query status": STATUS,
  "query history": "1 a1c3e5",
  "query value": "win 3 reach 7 moves 1 a1c3e5 win 1",
  eval: "material 100 total 100",
};

/** An engine that notes what it is sent, and how often it is waited for: all that is sent before it answers is one wait. */
function engineOf(answers) {
  const engine = { sent: [], waits: 0, stop: async () => {} };
  let waiting = null;
  const answer = (text) => {
    waiting ??= new Promise((resolve) => setImmediate(resolve)).then(() => {
      waiting = null;
      engine.waits += 1;
    });
    return waiting.then(() => text);
  };
  engine.command = (line) => {
    engine.sent.push(line);
    return answer([]);
  };
  engine.ask = (line) => {
    engine.sent.push(line);
    return answer(answers[line]);
  };
  engine.aside = { ask: engine.ask };
  return engine;
}

/** A page between two people that is about to be clicked on. */
async function begin({ knowsTurns = true } = {}) {
  const engine = engineOf(ANSWERS);
  const game = new Game(engine);
  Object.assign(game, { board: BOARD, knowsTurns });
  await game.look();
  const turn = new Turn(game);
  turn.begin(true);
  const app = { engine, game, turn, isHuman: true, wrong: new Set(), said: "", draw: () => {} };
  app.say = (text) => {
    app.said = text;
  };
  app.play = async (move) => {
    await game.play(move);
    turn.begin(true);
  };
  /** What a click on a square sends, and for how many answers it waits. */
  app.click = async (square) => {
    Object.assign(engine, { sent: [], waits: 0 });
    await choose(app, square);
    return [engine.sent, engine.waits];
  };
  return app;
}

test("squares go on where they may, and the board is shown in between", async () => {
  const { turn } = await begin();
  assert.deepEqual([turn.tokenFor("a1"), turn.tokenFor("b2"), turn.isEmpty], ["a1", undefined, true]);
  await turn.add("a1");
  await turn.add("c3");
  assert.deepEqual([turn.path, turn.canEnd, turn.isComplete], ["a1c3", true, false]);
  assert.deepEqual(Object.fromEntries(turn.preview.pieces), { c3: "M", d4: "m" });
  await turn.add("e5");
  assert.equal(turn.isComplete, true);
  assert.deepEqual(Object.fromEntries(turn.preview.pieces), { e5: "M" });
});

test("a step is taken back without a question", async () => {
  const { engine, turn } = await begin();
  for (const token of ["a1", "c3", "e5"]) await turn.add(token);
  const asked = engine.sent.length;
  turn.back();
  assert.deepEqual([turn.path, turn.taken, turn.canEnd], ["a1c3", ["a1", "c3"], true]);
  assert.equal(engine.sent.length, asked);
});

test("nothing can be entered when it is nobody's turn", async () => {
  const { turn } = await begin();
  turn.begin(false);
  assert.deepEqual([turn.tokenFor("a1"), turn.next.size], [undefined, 0]);
});

test("each click waits for one answer, and asks one question unless it completes the move", async () => {
  const app = await begin();
  assert.deepEqual(await app.click("a1"), [["query turn a1"], 1]);
  assert.deepEqual(await app.click("b5"), [["query legal a1b5"], 1]);
  assert.deepEqual([app.said, [...app.wrong]], ["b5: no line", ["b5"]]);
  assert.deepEqual(await app.click("c3"), [["query turn a1c3"], 1]);
  const played = ["query effects a1c3e5", "move a1c3e5", "query history", "query fen", "query status", "query turn"];
  assert.deepEqual(await app.click("e5"), [played, 1]);
  assert.deepEqual([app.game.moves, app.turn.isEmpty, app.turn.tokenFor("a1")], [["a1c3e5"], true, "a1"]);
});

test("the parts of the evaluation are asked for in the same wait, and only where they are displayed", async () => {
  const app = await begin();
  app.game.wantsParts = () => true;
  for (const square of ["a1", "c3"]) assert.equal((await app.click(square))[1], 1);
  const [sent, waits] = await app.click("e5");
  assert.deepEqual([sent.at(-1), sent.length, waits], ["eval", 7, 1]);
  assert.deepEqual(app.game.parts, { material: "100", total: "100" });
});

test("exact values are asked for once a position in the same wait, and never again after reach 0", async () => {
  const app = await begin();
  const { engine, game } = app;
  game.knowsValues = true;
  const look = async () => {
    Object.assign(engine, { sent: [], waits: 0 });
    await game.look();
    return [engine.sent.filter((line) => line === "query value").length, engine.waits];
  };
  assert.deepEqual(await look(), [1, 1]);
  assert.deepEqual([game.values.position, [...game.values.moves.keys()]], [{ worth: "win", plies: 3 }, ["a1c3e5"]]);
  const { "query value": known } = ANSWERS;
  ANSWERS["query value"] = "unknown - reach 0 moves 0";
  assert.deepEqual(await look(), [1, 1]);
  assert.deepEqual(await look(), [0, 1]);
  ANSWERS["query value"] = known;
});

test("a click on the piece or elsewhere costs nothing more than its one question", async () => {
  const app = await begin();
  await app.click("a1");
  assert.deepEqual(await app.click("a1"), [[], 0]);
  assert.equal(app.turn.isEmpty, true);
  for (const square of ["a1", "c3"]) await app.click(square);
  assert.deepEqual(await app.click("a1"), [["query turn a1"], 1], "another move is meant");
  assert.deepEqual(app.turn.taken, ["a1"]);
});

test("an engine that does not know turns is asked what may follow, and nothing is guessed", async () => {
  const app = await begin({ knowsTurns: false });
  assert.deepEqual(await app.click("a1"), [["query next a1"], 1]);
  assert.deepEqual(await app.click("c3"), [["query next a1c3"], 1]);
  assert.equal(app.turn.preview.pieces.get("a1"), "M", "no board in mid-turn");
  const [sent, waits] = await app.click("e5");
  assert.deepEqual([sent.slice(0, 2), sent.at(-1), waits], [["query next a1c3e5", "query effects a1c3e5"], "query next", 2]);
  assert.deepEqual(app.game.moves, ["a1c3e5"]);
});

test("the answer tells what may follow, what it completes, and what is done", () => {
  const { next, canEnd, drops, steps } = readTurn(
    "entered a2a3 refused drop-occupied at a1 awaits step,drop drops 2 next 2 step b3=step,end drop @b1=end effects 3 " +
      "from a2 to a3 removed a3 unfinished drop-missing at a3 : effects 9",
  );
  assert.deepEqual(
    [...next],
    [
      ["b3", false],
      ["@b1", true],
    ],
  );
  assert.deepEqual([canEnd, drops, steps.map(({ kind }) => kind)], [false, 2, ["from", "removed"]]);
  assert.deepEqual(readTurn("nonsense"), { next: new Map(), canEnd: false, drops: Number.NaN, steps: [] });
});

test("a pass is no step: it ends the turn", () => {
  const turn = new Turn({ begun: readTurn("entered - awaits pass drops 0 next 1 pass pass=end effects 0 unfinished incomplete at -") });
  turn.begin(true);
  assert.deepEqual([turn.canPass, turn.ended, turn.squares("step").size], [true, "pass", 0]);
  turn.begin(false);
  assert.deepEqual([turn.canPass, turn.ended], [false, undefined]);
});

test("a board of hexagons lacks its holes", () => {
  const board = readBoard(["board files 3 ranks 3 kind hexagons", "board hole a1", "board hole c3"]);
  assert.deepEqual([board.isHexagons, board.isPoints, [...board.holes]], [true, false, ["a1", "c3"]]);
});

test("a move of a single square puts a piece there", () => {
  const turn = new Turn({ begun: readTurn("entered - awaits first drops 0 next 2 first d3=end first a1=step effects 0 unfinished incomplete at -") });
  turn.begin(true);
  assert.deepEqual([[...turn.marks.drops], [...turn.marks.origins]], [["d3"], ["a1"]]);
});
