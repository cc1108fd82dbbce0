// A person's steps are in the history of the browser. The address names the game and the ply (`#eximo/12`). Back closes what
// is open, or brings the previous game back.

/** @typedef {{ id: string, key: string, ply: number }} Place a ply of a game */

/**
 * What is open, the innermost last: functions that close it.
 * @type {(() => void)[]}
 */
const open = [];
/**
 * Steps in the history take time, and are made one after the other.
 * @type {Promise<unknown>}
 */
let steps = Promise.resolve();
/** Whether this module itself goes back. */
let isOwn = false;
/** How long a busy browser may take to go back. */
const PATIENCE_MS = 5_000;
/** Whether the person has gone to another entry, which the next game belongs to. */
let hasGone = false;

/** @param {() => unknown} task */
const step = (task) => {
  steps = steps.then(task, task);
};

const depth = () => history.state?.depth ?? 0;

/** Makes as many entries of the history as things are open, or goes back over those of closed ones. */
const follow = () =>
  step(() => {
    const more = open.length - depth();
    if (more > 0) history.pushState({ ...history.state, depth: open.length }, "");
    if (more >= 0) return null;
    isOwn = true;
    return new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
      // A browser that does not go back must not keep the next step of the person from being heard.
      const patience = setTimeout(() => {
        isOwn = false;
        resolve();
      }, PATIENCE_MS);
      const arrived = () => {
        clearTimeout(patience);
        resolve();
      };
      addEventListener("popstate", arrived, { once: true });
      history.go(more);
    });
  });

/**
 * Notes that something is open. `close` is called when the person goes back. Returns a function to call when it is closed.
 * @param {() => void} close
 */
export function noteOpen(close) {
  open.push(close);
  follow();
  return () => {
    const at = open.indexOf(close);
    if (at < 0) return;
    open.splice(at, 1);
    follow();
  };
}

/**
 * Shows a dialog, which Back closes.
 * @param {HTMLDialogElement} dialog
 */
export function showDialog(dialog) {
  dialog.showModal();
  const closed = noteOpen(() => dialog.close());
  dialog.addEventListener("close", closed, { once: true });
}

/**
 * The part of an address that names a game and a ply.
 * @param {string} id
 * @param {number} ply
 */
export const hashAt = (id, ply) => `#${id}${ply ? `/${ply}` : ""}`;

/**
 * Writes the game on the board into the address. Another game is another entry of the history.
 * @param {Place} game
 */
export function noteGame({ id, key, ply }) {
  step(() => {
    // A link that is still to be read stays, and so does the secret of a game by invitation.
    if (location.hash.includes("=") || open.length) return;
    const state = { depth: 0, key, ply };
    const hash = hashAt(id, ply);
    if (history.state?.key === key && history.state.ply === ply && location.hash === hash) return;
    const isOther = history.state?.key !== undefined && history.state.key !== key && !hasGone;
    hasGone = false;
    history[isOther ? "pushState" : "replaceState"](state, "", location.pathname + location.search + hash);
  });
}

/**
 * Follows a person who goes back or forward. `onGame` is called with `{ key, ply }` where a game is to come back.
 * @param {(place: { key: string, ply: number }) => void} onGame
 */
export function listenTrail(onGame) {
  // What was open before the page was loaded is closed.
  if (depth()) history.replaceState({ ...history.state, depth: 0 }, "");
  addEventListener("popstate", ({ state }) => {
    if (isOwn) {
      isOwn = false;
      return;
    }
    const closed = open.splice(state?.depth ?? 0).reverse();
    for (const close of closed) close();
    if (closed.length || !state?.key) return;
    hasGone = true;
    onGame(state);
  });
}
