// Engines work only for somebody: a page that is left lets go of its engine. A page out of sight rests work that nobody
// waits for.
//
// A browser may keep a page that was left (the back/forward cache), or freeze one after a long time out of sight. Such
// a page comes back with its game, and with another engine.

import { newKey } from "../files/recent.js";
import { leave as release, take } from "../game/locks.js";
import { openAddress, reconnect } from "../game/setup.js";

/**
 * What the page was like when it was left.
 * @typedef {{ state: ReturnType<App["leave"]>, fen: string | undefined, taken: string[], isOffering: boolean }} Before
 */

/** How long a page is out of sight before such work rests. */
const UNSEEN_MS = 5000;

/**
 * Listens to the comings and goings of the page.
 * @param {App} app
 */
export function listenToPresence(app) {
  /** @type {Before | null} */
  let left = null;
  /** @type {number | undefined} */
  let resting;

  const leave = () => {
    left ??= { state: app.leave(), fen: app.game?.fen, taken: app.turn?.taken ?? [], isOffering: app.conduct.isOffering };
    release();
  };
  const look = () => {
    clearTimeout(resting);
    if (document.hidden) {
      resting = setTimeout(() => app.guarded(() => app.searches.setUnseen(true)), UNSEEN_MS);
      return;
    }
    if (left) {
      const before = left;
      left = null;
      app.guarded(() => comeBack(app, before));
    }
    app.guarded(() => app.searches.setUnseen(false));
  };

  addEventListener("pagehide", leave);
  document.addEventListener("freeze", leave);
  addEventListener("pageshow", look);
  document.addEventListener("resume", look);
  document.addEventListener("visibilitychange", look);
  look();
}

/**
 * Continues with another engine where the page was left: the game of this tab, and the entered part of a move.
 * @param {App} app
 * @param {Before} before
 */
async function comeBack(app, { state, fen, taken, isOffering }) {
  await reconnect(app, state);
  // If another tab has taken the game meanwhile, this tab continues with a copy.
  if (!(await take(app.key))) app.key = newKey();
  await openAddress(app);
  if (app.game.fen !== fen) return;
  app.conduct.isOffering = isOffering;
  for (const token of taken) {
    if (!app.turn.next.has(token)) break;
    await app.turn.add(token);
  }
  app.draw();
}
