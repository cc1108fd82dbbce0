// The connection of a page to its server, with a fake server.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { connect } from "../assets/engine/connection.js";
import { install, speak, t } from "../assets/ui/i18n.js";
import { LANGUAGES } from "./languages.js";
import { Socket, sockets } from "./sockets.js";

/**
 * The server. `accepts` says which sockets are accepted, in turn. `status` is the answer to a question. `lets` is what is said when a
 * page is let in.
 */
let server;

class ServerSocket extends Socket {
  constructor(address) {
    super(address);
    const isAccepted = server.accepts.shift();
    if (isAccepted === undefined) return;
    queueMicrotask(() => (isAccepted ? this.open() : this.end()));
  }

  send(line) {
    if (line === "keep" && server.lets) this.hear(server.lets);
  }
}

/** Pauses take no time, and no limit is reached. */
const pause = (task, ms) => ms < 1000 && queueMicrotask(task);

beforeEach(() => {
  sockets.length = 0;
  server = { accepts: [], status: 503, lets: "session 0 120" };
  install(LANGUAGES);
  speak("en");
  Object.assign(globalThis, { WebSocket: ServerSocket, location: { protocol: "http:", host: "page" }, setTimeout: pause });
  globalThis.fetch = async (_, { signal }) => {
    signal.throwIfAborted();
    if (server.status === null) throw new TypeError("network");
    return { status: server.status };
  };
});

/** Begins to connect; notes the lines and the reasons of the end. */
function begin() {
  const leaving = new AbortController();
  const [lines, reasons] = [[], []];
  const onLine = (line) => lines.push(line);
  const connecting = connect({ onLine, onClose: (reason) => reasons.push(reason), signal: leaving.signal });
  return { connecting, leave: () => leaving.abort(), lines, reasons };
}

test("an engine that is about to be free is waited for", async () => {
  server.accepts = [false, false, true];
  const connection = await begin().connecting;
  assert.deepEqual([connection.isOpen, sockets.length], [true, 3]);
});

test("a refusal says why and what to do", async () => {
  for (const [status, key, count] of [
    [503, "lost.busy", 5],
    [204, "lost.notStarted", 1],
    [null, "lost.unreachable", 1],
  ]) {
    sockets.length = 0;
    server = { accepts: Array(9).fill(false), status };
    await assert.rejects(begin().connecting, { message: t(key) });
    assert.equal(sockets.length, count, key);
  }
});

test("a door for guests says in words why it lets nobody in", async () => {
  for (const [code, key, count] of [
    [1013, "lost.busy", 5],
    [4002, "lost.4002", 1],
  ]) {
    sockets.length = 0;
    server = { accepts: Array(9).fill(true) };
    const { connecting } = begin();
    const refuse = async () => {
      for (let at = 0; at < count; at++) {
        while (!sockets[at]?.readyState) await null;
        sockets[at].end(code);
      }
    };
    await Promise.all([refuse(), assert.rejects(connecting, { message: t(key) })]);
    assert.equal(sockets.length, count, key);
  }
});

test("a page that leaves closes its connection at once and is told once", async () => {
  server.accepts = [true];
  const { connecting, leave, lines, reasons } = begin();
  const connection = await connecting;
  leave();
  assert.deepEqual([connection.isOpen, reasons.length], [false, 1]);
  // A line that is still on its way comes when the page is back, and is no longer meant for the page.
  sockets[0].onmessage({ data: "readyok" });
  sockets[0].end(1000);
  assert.deepEqual([lines, reasons.length], [[], 1]);
});

test("a page that leaves while it connects keeps no connection either", async () => {
  const { connecting, leave } = begin();
  leave();
  await assert.rejects(connecting);
  assert.deepEqual([sockets.length, sockets[0].readyState], [1, 2]);
});

test("the reason of an end that the server names is told", async () => {
  server.accepts = [true];
  const { connecting, reasons } = begin();
  await connecting;
  sockets[0].end(1011);
  assert.deepEqual(reasons, [t("lost.1011")]);
});
