// Lines over a connection that is cut, with a fake server.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Lines } from "../assets/engine/session.js";
import { Socket, sockets } from "./sockets.js";

beforeEach(() => {
  sockets.length = 0;
  globalThis.WebSocket = Socket;
});

/** Opens a session that the server keeps, unless it answers otherwise; notes what happens. */
async function open({ timers }, { answer = "session abc 120", secret = null } = {}) {
  timers.enable({ apis: ["setTimeout", "Date"] });
  const leaving = new AbortController();
  const heard = [];
  const noted = { onLine: (line) => heard.push(line), onCut: (isCut) => heard.push(isCut), onClose: () => heard.push("closed") };
  const opening = Lines.open({ address: "ws://home/", secret, signal: leaving.signal, ...noted });
  sockets[0].open().hear(answer);
  return { lines: await opening, heard, leave: () => leaving.abort() };
}

const newest = () => sockets.at(-1);

/** The next attempt to come back. */
function again({ timers }) {
  const before = sockets.length;
  timers.tick(5000);
  assert.equal(sockets.length, before + 1);
  return newest().open();
}

test("a session begins with the secret and asks for a token", async ({ mock }) => {
  const { lines, heard } = await open(mock, { secret: "s" });
  assert.deepEqual([sockets[0].address, sockets[0].sent], ["ws://home/engine", ["secret s", "keep"]]);
  sockets[0].hear("readyok");
  assert.deepEqual([lines.isOpen, heard], [true, ["readyok"]]);
});

test("after a cut each line comes once, on both sides", async ({ mock }) => {
  const { lines, heard } = await open(mock);
  lines.send("a");
  lines.send("b");
  sockets[0].hear("1", "2");
  sockets[0].end();
  assert.ok(lines.isOpen);
  lines.send("c");
  // The server has got one line, and has sent two that did not arrive. Of three others it has kept these alone.
  const socket = again(mock);
  assert.deepEqual([socket.address, socket.sent], ["ws://home/session", ["resume abc 2"]]);
  socket.hear("resumed 5 1", "6", "7");
  lines.send("d");
  assert.deepEqual(socket.sent.slice(1), ["b", "c", "d"]);
  assert.deepEqual(heard, ["1", "2", true, false, "6", "7"]);
  socket.end();
  assert.deepEqual(again(mock).sent, ["resume abc 7"]);
});

test("the page tries to come back for as long as the server keeps the session", async ({ mock }) => {
  const { lines, heard } = await open(mock);
  sockets[0].end();
  let passed = 0;
  for (; lines.isOpen && passed < 200; passed++) {
    mock.timers.tick(1000);
    if (newest().readyState === 0) newest().end();
  }
  assert.ok(passed >= 120 && passed <= 126, `${passed} s`);
  assert.deepEqual(heard, [true, "closed"]);
});

test("an attempt that nobody answers is followed by another one", async ({ mock }) => {
  await open(mock);
  sockets[0].end();
  mock.timers.tick(300);
  assert.equal(sockets.length, 2);
  mock.timers.tick(10_000);
  mock.timers.tick(600);
  assert.deepEqual([sockets.length, sockets[1].readyState], [3, 2]);
});

test("a session that is gone is closed, and so is one that the server does not keep", async ({ mock }) => {
  const { heard } = await open(mock);
  sockets[0].end();
  again(mock).end(4004);
  assert.deepEqual(heard, [true, "closed"]);
  mock.timers.reset();
  sockets.length = 0;
  const other = await open(mock, { answer: "error unknown-command : keep" });
  sockets[0].end();
  assert.deepEqual([other.heard, other.lines.isOpen], [["closed"], false]);
});

test("an end that the server names is no cut", async ({ mock }) => {
  for (const code of [1001, 1008, 1011]) {
    mock.timers.reset();
    sockets.length = 0;
    const { heard } = await open(mock);
    sockets[0].end(code);
    mock.timers.tick(60_000);
    assert.deepEqual([heard, sockets.length], [["closed"], 1]);
  }
});

test("a page that leaves does not come back, also while it is cut off", async ({ mock }) => {
  for (const isCut of [false, true]) {
    mock.timers.reset();
    sockets.length = 0;
    const { lines, heard, leave } = await open(mock);
    if (isCut) sockets[0].end();
    leave();
    if (!isCut) sockets[0].end();
    mock.timers.tick(60_000);
    assert.deepEqual([heard.at(-1), lines.isOpen, sockets.length], ["closed", false, 1]);
  }
});

test("a server that knows of more lines than were sent, or of too few, is left", async ({ mock }) => {
  for (const answer of ["resumed 0 9", "resumed 0 0", "resumed", "readyok"]) {
    mock.timers.reset();
    sockets.length = 0;
    const { lines, heard } = await open(mock);
    for (let at = 0; at < 300; at++) lines.send("x");
    sockets[0].end();
    const socket = again(mock);
    socket.hear(answer === "resumed 0 9" ? "resumed 0 301" : answer);
    assert.deepEqual([heard.at(-1), socket.readyState], ["closed", 2], answer);
  }
});

test("a server that is silent or lets nobody in tells its code", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const opening = () => Lines.open({ address: "ws://home/", signal: new AbortController().signal });
  const refused = opening();
  newest().open().end(4002);
  await assert.rejects(refused, { code: 4002 });
  const silent = opening();
  mock.timers.tick(10_000);
  await assert.rejects(silent, { code: 1006 });
  assert.equal(newest().readyState, 2);
});
