// The conversation with an engine, over a fake socket.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine } from "../assets/engine/engine.js";

class Socket {
  static OPEN = 1;
  readyState = 1;
  sent = [];

  constructor() {
    Socket.last = this;
    queueMicrotask(() => this.onopen());
  }

  send(line) {
    if (line === "keep") this.hear("session 0 120");
    else this.sent.push(line);
  }

  close() {}

  hear(...lines) {
    for (const data of lines) this.onmessage({ data });
  }
}

async function connect(more = {}) {
  Object.assign(globalThis, { WebSocket: Socket, location: { protocol: "http:", host: "page" } });
  return Engine.connect({ onLost: () => {}, onLine: () => {}, signal: new AbortController().signal, ...more });
}

test("what is asked aside is sent in its place, and neither it nor its answer is noted", async () => {
  const noted = [];
  const onLine = (direction, line) => noted.push(`${direction} ${line}`);
  const engine = await connect({ onLine });
  const asked = [engine.ask("query fen"), engine.aside.ask("eval"), engine.ask("query status")];
  assert.deepEqual(Socket.last.sent, ["query fen", "isready", "eval", "isready", "query status", "isready"]);
  Socket.last.hear("response a", "readyok", "response b", "info depth 1", "readyok", "response c", "readyok");
  assert.deepEqual(await Promise.all(asked), ["a", "b", "c"]);
  const questions = ["> query fen", "> isready", "> query status", "> isready"];
  assert.deepEqual(noted, [...questions, "< response a", "< readyok", "< info depth 1", "< response c", "< readyok"]);
});

test("an answer that a cut delays is waited for, and a silent engine is given up all the same", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const [cuts, lost] = [[], []];
  const engine = await connect({ onCut: (isCut) => cuts.push(isCut), onLost: (reason) => lost.push(reason) });
  const asked = engine.ask("query fen");
  Socket.last.onclose({ code: 1006 });
  context.mock.timers.tick(9_000);
  assert.deepEqual([cuts, engine.isOpen, lost], [[true], true, []]);
  await null;
  Socket.last.hear("resumed 0 2");
  context.mock.timers.tick(9_000);
  Socket.last.hear("response a", "readyok");
  assert.deepEqual([await asked, cuts, lost], ["a", [true, false], []]);
  const silent = engine.ask("query fen");
  context.mock.timers.tick(10_001);
  await assert.rejects(silent);
});
