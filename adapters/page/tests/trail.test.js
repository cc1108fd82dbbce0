// The history of the browser as the page walks it, with a browser that takes its time.

import assert from "node:assert/strict";
import { test } from "node:test";

/** A history that goes back when `arrive` is called, as a busy browser does some time after it was asked. */
function browser() {
  const entries = [{ state: null }];
  let at = 0;
  const asked = [];
  const told = new EventTarget();
  const history = {
    get state() {
      return entries[at].state;
    },
    pushState(state) {
      entries.splice(at + 1);
      at = entries.push({ state }) - 1;
    },
    replaceState(state) {
      entries[at] = { state };
    },
    go: (by) => asked.push(by),
  };
  const arrive = () => {
    at += asked.shift();
    told.dispatchEvent(Object.assign(new Event("popstate"), { state: history.state }));
  };
  Object.assign(globalThis, {
    history,
    location: { hash: "", pathname: "/", search: "" },
    addEventListener: told.addEventListener.bind(told),
  });
  return { arrive, asked };
}

const rest = () => new Promise((resolve) => setImmediate(resolve));

/** A trail of its own at this ply of a game. `came` gets what it takes for a step of the person. */
async function trail(ply) {
  const { arrive, asked } = browser();
  // Each module that is asked for by another address has its own state.
  const { listenTrail, noteGame, noteOpen } = await import(`../assets/ui/trail.js?${ply}`);
  const came = [];
  listenTrail((state) => came.push(state));
  noteGame({ id: "sapos", key: "k", ply });
  await rest();
  const openAndClose = async () => {
    const close = noteOpen(() => {});
    await rest();
    close();
    await rest();
  };
  return { arrive, asked, came, openAndClose };
}

test("a step back of the page itself is no step of a person, soon after another or late", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { arrive, asked, came, openAndClose } = await trail(0);
  await openAndClose();
  arrive();
  await rest();
  context.mock.timers.tick(900);
  await openAndClose();
  assert.deepEqual(asked, [-1]);
  // The patience with the first step ends while the second is under way, which takes its time.
  context.mock.timers.tick(1_200);
  arrive();
  await rest();
  assert.deepEqual(came, []);
});

test("a browser that never goes back does not keep the next step of a person from being heard", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { arrive, asked, came, openAndClose } = await trail(3);
  await openAndClose();
  context.mock.timers.tick(60_000);
  await rest();
  assert.deepEqual(asked, [-1]);
  arrive();
  assert.deepEqual(came, [{ depth: 0, key: "k", ply: 3 }]);
});
