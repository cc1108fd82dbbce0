// Records and transcripts, read and written.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Log, readFile, writeRecord } from "../../src/web/page/files.js";

const read = (text) => readFile(new Blob([text]));

test("a record that was written is read back", async () => {
  const status = { result: "p1win", reason: "no-moves" };
  const game = { id: "eximo", start: "8/8 1 - 0 0", moves: ["c3c4", "c7c5"], status, isOver: true };
  const text = writeRecord(game, { p1: "human", p2: "engine" }, { MaxPlies: "77" });
  assert.match(text, /\[Reason "rules no-moves"\]\n/);
  assert.deepEqual(await read(text), { id: "eximo", start: "8/8 1 - 0 0", moves: ["c3c4", "c7c5"], options: [["MaxPlies", "77"]] });
});

test("comments, numbers and what follows the result are no moves", async () => {
  const { moves } = await read('[Game "sapos"]\n\n1. d2d4 {a\n[comment] {} 2. d7d5 p1win 3. a1a2\n');
  assert.deepEqual(moves, ["d2d4", "d7d5"]);
});

test("the last game of a transcript is followed to its end", async () => {
  const lines = ["ugt 1", "game sapos", "> position startpos moves d2d4", "> setoption name Game value eximo"];
  lines.push("option name MaxPlies value 9", "> position startpos moves a1a2 b1b2", "> move c1c2 d1d2", "> undo 3", "< response x");
  assert.deepEqual(await read(lines.join("\r\n")), { id: "eximo", start: null, moves: ["a1a2"], options: [["MaxPlies", "9"]] });
});

test("what is neither is refused with its line", async () => {
  await assert.rejects(read(" \n"), /found an empty file/);
  await assert.rejects(read("\nhello"), /^Error: line 2: expected a record/);
  await assert.rejects(read('[Game "eximo"]\n[Site]\n'), /^Error: line 2: expected \[Name "value"\]/);
  await assert.rejects(read('[Game "eximo"]\n\na1a2 {'), /^Error: line 3: expected a '}'/);
  await assert.rejects(read(`ugt 1\n${"> move a1a2\n".repeat(10_001)}`), /at most 10000 moves/);
});

test("a transcript marks the lines in which dots stand for themselves", () => {
  const log = new Log();
  for (const line of ["a ... b", "info ...", "c"]) log.note("<", line);
  assert.equal(log.text(), "ugt 1\n\n<= a ... b\n<* info ...\n< c\n");
});
