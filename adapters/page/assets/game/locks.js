// Which tab has which game. The game on each board holds a lock of the browser, so no two tabs continue the same game.
// On an insecure host there are no locks: no tab knows of another.

const PREFIX = "leap-board-";
/** How long a tab that is just being closed or reloaded may keep its game. */
const PATIENCE_MS = 400;

/** @type {{ key: string, release: (value?: unknown) => void } | null} */
let mine = null;
/** @type {Set<string>} */
let elsewhere = new Set();

/**
 * Takes a game for this tab and leaves the previous one. Resolves to false if another tab has the game.
 * @param {string} key
 * @returns {Promise<boolean>}
 */
export async function take(key) {
  const locks = globalThis.navigator?.locks;
  if (!locks || mine?.key === key) return true;
  const isTaken = await new Promise((resolve) => {
    const hold = () => {
      leave();
      return new Promise((release) => {
        mine = { key, release };
        resolve(true);
      });
    };
    locks.request(PREFIX + key, { signal: AbortSignal.timeout(PATIENCE_MS) }, hold).catch(() => resolve(false));
  });
  await look();
  return isTaken;
}

/** Lets other tabs have the game. */
export function leave() {
  mine?.release();
  mine = null;
}

/** Learns which games other tabs have. */
export async function look() {
  const { held = [] } = (await globalThis.navigator?.locks?.query()) ?? {};
  const names = held.map(({ name = "" }) => name).filter((name) => name.startsWith(PREFIX));
  const keys = names.map((name) => name.slice(PREFIX.length));
  elsewhere = new Set(keys.filter((key) => key !== mine?.key));
}

/**
 * Whether another tab had this game when this one last looked.
 * @param {string} key
 */
export const isElsewhere = (key) => elsewhere.has(key);
