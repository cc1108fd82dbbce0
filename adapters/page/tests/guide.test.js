// What the engine tells people about its games, and what the page makes of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readEffects } from "../assets/board/notation.js";
import { askGuides, Guide } from "../assets/engine/guide.js";
import { awaited } from "../assets/game/awaited.js";
import { Game } from "../assets/game/game.js";
import { Turn } from "../assets/game/turn.js";
import { kinds, states } from "../assets/practice/teaching.js";
import { install } from "../assets/ui/i18n.js";
import { LANGUAGES } from "./languages.js";

const LINES = `rules language en of en es
rules title Leap Frog
rules clause Aim : Make the last move: it wins.
rules clause Moves : A frog hops.
rules example fen 3/f2/3 1 - 0 0 : A lone frog.
rules example fen 3/fF1/3 1 - 0 0 move a2c2 effects from a2 to c2 captured b2 dropped a1=f side 2 : It hops.
rules prompt first : choose a frog
rules prompt drop : place a frog
rules option Revisit : Coming back : Whether a frog may come back.
rules value Place all : anywhere
rules word frog : sapo
rules word no-moves : nobody can hop
rules ending no-moves frogs 0 : no frog is left
rules loss no-moves frogs 0 : you have no frog left
rules loss no-moves : you cannot hop`.split("\n");

test("a guide has its clauses with their examples, and words of its own", () => {
  const guide = new Guide(LINES);
  assert.equal(guide.title, "Leap Frog");
  assert.deepEqual(
    guide.clauses.map(({ heading, text, examples }) => [heading, text, examples.length]),
    [
      ["Aim", "Make the last move: it wins.", 0],
      ["Moves", "A frog hops.", 2],
    ],
  );
  assert.deepEqual(guide.clauses[1].examples, [
    { fen: "3/f2/3 1 - 0 0", move: null, effects: "", caption: "A lone frog." },
    { fen: "3/fF1/3 1 - 0 0", move: "a2c2", effects: "from a2 to c2 captured b2 dropped a1=f side 2", caption: "It hops." },
  ]);
  assert.deepEqual(guide.option("Revisit"), { label: "Coming back", text: "Whether a frog may come back." });
  assert.deepEqual(
    [guide.value("Place", "all"), guide.value("Place", "none"), guide.word("frog"), guide.word("toad")],
    ["anywhere", "none", "sapo", "toad"],
  );
});

test("a loss is said as the guide says it for what the side that has lost has left", () => {
  const guide = new Guide(LINES);
  const loss = (result, reason, frogs) => guide.loss({ result, reason, frogs });
  assert.equal(loss("p1win", "no-moves", "3-0"), "you have no frog left");
  assert.equal(loss("p2win", "no-moves", "0-3"), "you have no frog left");
  for (const frogs of ["0-3", "0", undefined]) assert.equal(loss("p1win", "no-moves", frogs), "you cannot hop");
  assert.equal(loss("draw", "no-moves", "0-0"), undefined);
  assert.equal(loss("p1win", "repetition", "3-0"), undefined);
});

test("an ending is said as the guide says it for what the side that has lost has left", () => {
  const guide = new Guide(LINES);
  const ending = (result, reason, frogs) => guide.ending({ result, reason, frogs });
  assert.equal(ending("p1win", "no-moves", "3-0"), "no frog is left");
  assert.equal(ending("p2win", "no-moves", "0-3"), "no frog is left");
  for (const [result, frogs] of [
    ["p1win", "0-3"],
    ["p2win", "3-0"],
    ["draw", "0-0"],
    ["p1win", "0"],
    ["p1win", undefined],
  ]) {
    assert.equal(ending(result, "no-moves", frogs), "nobody can hop");
  }
  assert.equal(ending("p1win", "max-plies", "3-0"), "max-plies");
});

test("a legend names each kind of piece once, and the other side of a piece", () => {
  install(LANGUAGES);
  const piece = (name, owner) => ({ name, owner, value: "2" });
  const pieces = new Map([
    ["C", piece("cross", "p1")],
    ["c", piece("cross", "p2")],
    ["c~", piece("stop", "p1")],
    ["G", piece("green", "none")],
  ]);
  assert.deepEqual(kinds({ pieces, word: (word) => word.toUpperCase() }), [
    ["CROSS", ["C", "c"]],
    ["STOP (CROSS)", ["c~"]],
    ["GREEN, 2 points", ["G"]],
  ]);
});

test("names that every object has are not taken for texts", () => {
  const guide = new Guide(["rules", "rules word", "other", "rules example fen x : y", "rulesok"]);
  assert.deepEqual([guide.word("constructor"), guide.prompt("toString"), guide.option("valueOf")], ["constructor", undefined, undefined]);
  assert.deepEqual(guide.clauses, []);
});

test("an example is shown before and after its move", () => {
  const board = { files: 3, ranks: 3 };
  const [before, after] = states("3/fF1/3 1 - 0 0", readEffects("from a2 to c2 captured b2 dropped a1=f"), board);
  assert.deepEqual(Object.fromEntries(before.pieces), { a2: "f", b2: "F" });
  assert.deepEqual(before.arrows, [["last", "a2", "c2"]]);
  assert.deepEqual([[...before.marks.origins], [...before.marks.victims], [...before.marks.drops]], [["a2"], ["b2"], ["a1"]]);
  assert.deepEqual(Object.fromEntries(after.pieces), { c2: "f", a1: "f" });
});

test("only an engine that tells its rules is asked for them", async () => {
  const asked = [];
  const engine = (protocol) => ({
    ask: async () => protocol,
    command: async (line) => {
      asked.push(line);
      return line.startsWith("query rules") ? LINES : [];
    },
  });
  assert.equal((await askGuides(engine("leap 1.0 fen board"), ["frogs"], "es")).size, 0);
  assert.deepEqual(asked, []);
  const guides = await askGuides(engine("leap 1.0 fen rules"), ["frogs", "toads"], "es");
  assert.deepEqual([...guides.keys()], ["frogs", "toads"]);
  assert.deepEqual(asked, ["setoption name Game value frogs", "query rules es", "setoption name Game value toads", "query rules es"]);
});

test("examples without a position are left out", () => {
  assert.deepEqual(new Guide(["rules clause Aim : Win.", "rules example move a1a2 : It moves."]).clauses[0].examples, []);
});

test("an engine that refuses to tell a game's rules has no guide for it", async () => {
  const command = async (line) => {
    if (line.startsWith("query")) throw new Error("out of words");
    return [];
  };
  const guides = await askGuides({ ask: async () => "leap 1.0 rules", command }, ["frogs"], "en");
  assert.deepEqual(guides.get("frogs").clauses, []);
});

/** A turn of a game whose answers to `query turn` are given by what has been entered. */
async function turnOf(answers) {
  const ask = async (question) => answers[question.split(" ")[2] ?? ""] ?? "";
  const game = Object.assign(new Game({ ask }), { knowsTurns: true });
  await game.look();
  return new Turn(game);
}

test("a sentence says what is awaited, in the words of the guide or else in general ones", async () => {
  install(LANGUAGES);
  const turn = await turnOf({
    "": "entered - awaits first drops 0 next 1 first a2=step effects 0 unfinished incomplete at -",
    a2: "entered a2 awaits step drops 0 next 1 step c2=step,drop,end effects 0 unfinished incomplete at -",
    a2c2: "entered a2c2 awaits step,drop,end drops 0 next 2 step a2=end drop @a1=end effects 2 from a2 to c2 end a2c2 side 2",
  });
  const guide = new Guide(LINES);
  assert.equal(awaited(turn, guide), "");
  turn.begin(true);
  assert.equal(awaited(turn, guide), "Choose a frog");
  await turn.add("a2");
  assert.equal(awaited(turn, guide), "Choose a marked square");
  await turn.add("c2");
  assert.equal(awaited(turn, guide), "Choose a marked square, place a frog, or end the turn");
});

test("drops are counted when more than one is due", async () => {
  const turn = await turnOf({
    "": "entered - awaits first drops 0 next 1 first a2=step effects 0 unfinished incomplete at -",
    a2: "entered a2 awaits step drops 0 next 1 step a3=drop effects 0 unfinished incomplete at -",
    a2a3: "entered a2a3 awaits drop drops 2 next 2 drop @a1=drop drop @b1=drop effects 3 from a2 to a3 removed a3 unfinished drop-missing at a3",
    "a2a3@a1":
      "entered a2a3@a1 awaits drop drops 1 next 1 drop @b1=end effects 4 from a2 to a3 removed a3 dropped a1=f unfinished drop-missing at a3",
  });
  turn.begin(true);
  const guide = new Guide(LINES);
  for (const token of ["a2", "a3"]) await turn.add(token);
  assert.equal(awaited(turn, guide), "Place a frog: 1 of 2");
  await turn.add("@a1");
  assert.equal(awaited(turn, guide), "Place a frog: 2 of 2");
});

test("a removal at the beginning is called one", async () => {
  const turn = await turnOf({ "": "entered - awaits remove drops 0 next 2 remove xa1=end remove xb1=end effects 0 unfinished incomplete at -" });
  turn.begin(true);
  assert.equal(awaited(turn, new Guide()), "Take away a marked piece");
});
