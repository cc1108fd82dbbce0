// Files: read by the server, and the session as a transcript.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Log, placed, readGames } from "../assets/files/files.js";
import { install, speak } from "../assets/ui/i18n.js";
import { LANGUAGES } from "./languages.js";

beforeEach(() => install(LANGUAGES));

const answers = (status, body) => {
  globalThis.fetch = async (path, { method }) => {
    assert.deepEqual([path, method], ["games", "POST"]);
    return new Response(body, { status });
  };
};

test("the games of a file are those that the server has read", async () => {
  answers(200, '{"games":[{"line":1}]}');
  assert.deepEqual(await readGames(new Blob(["x"])), [{ line: 1 }]);
});

test("a file that is refused is refused with its line", async () => {
  answers(422, '{"line":2,"text":"expected x, found y"}');
  await assert.rejects(readGames(new Blob(["x"])), { message: "line 2: expected x, found y" });
  answers(422, '{"line":null,"text":"expected x, found y"}');
  await assert.rejects(readGames(new Blob(["x"])), { message: "expected x, found y" });
});

test("what the server knows by its kind is said in the language of the page, and never at length", async () => {
  answers(422, '{"line":5,"text":"expected x","kind":"chess"}');
  await assert.rejects(readGames(new Blob(["x"])), {
    message: "line 5: expected a record of this program, found one of chess, which it does not play",
  });
  speak("es");
  await assert.rejects(readGames(new Blob(["x"])), { message: /^línea 5: .* ajedrez/ });
  speak("en");
  answers(422, JSON.stringify({ line: null, text: "x", kind: "move", found: "b".repeat(1000) }));
  await assert.rejects(readGames(new Blob(["x"])), { message: `expected a move, found '${"b".repeat(50)}…'` });
});

test("an error in a game tells its move, its line and its file", () => {
  const game = { line: 1, startLine: 2, moves: ["a1a2", "b1b2"], moveLines: [4, 5] };
  const said = (error, found = game, name = "'x.ugr'") => placed(Object.assign(new Error("why"), error), found, name).message;
  assert.equal(said({ code: "illegal-move", index: 2 }), "'x.ugr': line 5, move 2 ('b1b2'): why");
  assert.equal(said({ code: "bad-position" }), "'x.ugr': line 2, position text: why");
  assert.equal(said({ code: "bad-argument" }), "'x.ugr': line 1: why");
  const pasted = { moves: ["a1a2"] };
  assert.equal(said({ code: "illegal-move", index: 1 }, pasted, "The link"), "The link: move 1 ('a1a2'): why");
  assert.equal(said({}, pasted, null), "why");
});

test("without a server, or with another one, a file is not read", async () => {
  const failed = { message: "The file cannot be read: the server does not answer." };
  answers(502, "<h1>Bad gateway</h1>");
  await assert.rejects(readGames(new Blob(["x"])), failed);
  globalThis.fetch = async () => {
    throw new TypeError("Failed to fetch");
  };
  await assert.rejects(readGames(new Blob(["x"])), failed);
  await assert.rejects(readGames({ size: 5 << 20 }), { message: "expected a file of at most 4 MiB, found 5.0 MiB" });
});

test("a transcript marks the lines in which dots stand for themselves", () => {
  const log = new Log();
  for (const line of ["a ... b", "info ...", "c"]) log.note("<", line);
  assert.equal(log.text(), "ugt 1\n\n<= a ... b\n<* info ...\n< c\n");
});
