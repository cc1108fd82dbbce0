// The connection of a page to its game by invitation, with a fake server; and the parts of a game by invitation that are pure.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { added, playersFrom } from "../assets/meeting/client.js";
import { wishOf } from "../assets/meeting/invite.js";
import { Meeting } from "../assets/meeting/meeting.js";
import { hashOf, secretsIn } from "../assets/meeting/secrets.js";
import { install, speak } from "../assets/ui/i18n.js";
import { LANGUAGES } from "./languages.js";
import { Socket, sockets } from "./sockets.js";

let waits;

/** Messages are objects. */
class MeetingSocket extends Socket {
  hear(message) {
    super.hear(JSON.stringify(message));
  }

  send(text) {
    super.send(JSON.parse(text));
  }
}

beforeEach(() => {
  sockets.length = 0;
  waits = [];
  install(LANGUAGES);
  speak("en");
  Object.assign(globalThis, { WebSocket: MeetingSocket, location: { protocol: "https:", host: "page" } });
  globalThis.setTimeout = (task, ms) => waits.push({ task, ms });
});

function begin() {
  const [messages, links, ends] = [[], [], []];
  const meeting = new Meeting([{ do: "enter", secret: "s" }], {
    onMessage: (message) => messages.push(message),
    onLink: (isConnected) => links.push(isConnected),
    onEnd: (code) => ends.push(code),
  });
  return { meeting, messages, links, ends };
}

test("each connection begins with the entrance, and answers find their questions", async () => {
  const { meeting, messages } = begin();
  const [socket] = sockets;
  assert.equal(socket.address, "wss://page/meeting");
  await assert.rejects(meeting.ask({ do: "ask", what: "draw" }));
  socket.open();
  assert.deepEqual(socket.sent, [{ do: "enter", secret: "s" }]);
  const done = meeting.ask({ do: "ask", what: "draw" });
  const refused = meeting.ask({ do: "resign" });
  socket.hear({ say: "game", moves: [] });
  socket.hear({ say: "refused", kind: "no-draws", text: "this game has no draw", re: 2 });
  socket.hear({ say: "done", re: 1 });
  await done;
  await assert.rejects(refused, { code: "no-draws", message: "this game has no draw" });
  assert.deepEqual(messages, [{ say: "game", moves: [] }]);
});

test("an illegal move is explained in the language of the page", async () => {
  const { meeting } = begin();
  sockets[0].open();
  const move = meeting.ask({ do: "move", move: "a1a1", ply: 0 });
  sockets[0].hear({ say: "refused", kind: "illegal", reason: "unheard-of", at: "a1", text: "a1: no", re: 1 });
  await assert.rejects(move, { code: "illegal", square: "a1", message: "a1: no" });
});

test("a cut connection comes back, later each time, and enters again", async () => {
  const { meeting, links } = begin();
  sockets[0].open();
  const asked = meeting.ask({ do: "ask", what: "draw" });
  sockets[0].end(1006);
  await assert.rejects(asked);
  assert.deepEqual(links, [true, false]);
  waits[0].task();
  sockets[1].end(1006);
  assert.ok(waits[1].ms > waits[0].ms);
  waits[1].task();
  sockets[2].open();
  assert.deepEqual(sockets[2].sent, [{ do: "enter", secret: "s" }]);
  assert.deepEqual(links, [true, false, false, true]);
});

test("a seat that was taken over and an unknown link are the end", () => {
  for (const code of [4001, 4002]) {
    sockets.length = 0;
    const { ends } = begin();
    sockets[0].open();
    sockets[0].end(code);
    assert.deepEqual(ends, [code]);
    assert.equal(waits.length, 0);
  }
});

test("who has left does not come back", () => {
  const { meeting, ends } = begin();
  sockets[0].open();
  meeting.close();
  sockets[0].end(1006);
  assert.deepEqual([ends.length, waits.length, sockets.length], [0, 0, 1]);
});

test("an address has secrets of 128 bits, and nothing else is one", () => {
  const [join, host] = ["0123456789abcdef0123456789abcdef", "f".repeat(32)];
  assert.deepEqual(secretsIn(`#join=${join}`), { join, host: null });
  assert.deepEqual(secretsIn(hashOf({ join, host })), { join, host });
  assert.equal(hashOf({ join: null, host: null }), "");
  for (const wrong of ["", "#", "#game=eximo", `#join=${join}0`, `#join=${join.toUpperCase()}`, "#join=<script>"]) {
    assert.deepEqual(secretsIn(wrong), { join: null, host: null });
  }
});

test("a seat has its side, and who watches has none", () => {
  const state = { host: "p2", guest: "p1" };
  assert.deepEqual(playersFrom("host", state), { p1: "remote", p2: "human" });
  assert.deepEqual(playersFrom("guest", state), { p1: "human", p2: "remote" });
  assert.deepEqual(playersFrom("spectator", state), { p1: "remote", p2: "remote" });
});

test("a state goes on with a game or begins it anew", () => {
  assert.deepEqual(added([], ["a", "b"]), ["a", "b"]);
  assert.deepEqual(added(["a"], ["a", "b"]), ["b"]);
  assert.deepEqual(added(["a"], ["a"]), []);
  assert.equal(added(["a", "b"], ["a"]), null);
  assert.equal(added(["b"], ["a", "b"]), null);
});

test("an invitation is to the game, rules and position on the board", () => {
  const game = { id: "eximo", options: [["MaxPlies", "9"]], start: null, fen: "8/8 1 - 0 1" };
  const chosen = { control: "3+2", side: "p2", fromHere: false, search: false };
  const wish = { do: "invite", game: "eximo", options: [["MaxPlies", "9"]], start: null, side: "p2", search: false };
  assert.deepEqual(wishOf(game, chosen), { ...wish, clock: { base: 180000, increment: 2000 } });
  assert.deepEqual(wishOf(game, { ...chosen, control: "", fromHere: true }), { ...wish, clock: null, start: game.fen });
});
