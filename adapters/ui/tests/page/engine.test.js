// The conversation with an engine, over a fake socket.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine } from "../../src/web/page/engine.js";

class Socket {
  static OPEN = 1;
  readyState = 1;
  sent = [];

  constructor() {
    Socket.last = this;
    queueMicrotask(() => this.onopen());
  }

  send(line) {
    this.sent.push(line);
  }

  close() {}

  hear(...lines) {
    for (const data of lines) this.onmessage({ data });
  }
}

test("what is asked aside is sent in its place, and neither it nor its answer is noted", async () => {
  Object.assign(globalThis, { WebSocket: Socket, location: { protocol: "http:", host: "page" } });
  const noted = [];
  const onLine = (direction, line) => noted.push(`${direction} ${line}`);
  const engine = await Engine.connect({ onLost: () => {}, onLine, signal: new AbortController().signal });
  const asked = [engine.ask("query fen"), engine.aside.ask("eval"), engine.ask("query status")];
  assert.deepEqual(Socket.last.sent, ["query fen", "isready", "eval", "isready", "query status", "isready"]);
  Socket.last.hear("response a", "readyok", "response b", "info depth 1", "readyok", "response c", "readyok");
  assert.deepEqual(await Promise.all(asked), ["a", "b", "c"]);
  const questions = ["> query fen", "> isready", "> query status", "> isready"];
  assert.deepEqual(noted, [...questions, "< response a", "< readyok", "< info depth 1", "< response c", "< readyok"]);
});
