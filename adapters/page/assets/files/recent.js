// Recent games, the newest first, in the storage of the browser. A person who starts another game loses none.
//
// Each game has an entry of its own, so no tab can overwrite what another tab has stored meanwhile.

import { isGame } from "../game/kept.js";
import { isElsewhere } from "../game/locks.js";
import { keysWith, load, loadObject, remove, store } from "../ui/storage.js";

/**
 * A game among the recent ones: with its result, when it was stored, and whether the person has left it for another one.
 * @typedef {KeptGame & { key: string, ending?: string, when?: number, isSetAside?: boolean }} RecentGame
 */

const ENTRY = "leap-board:";
/** Earlier versions stored all games in this list. */
const LIST = "leap-recent";
/** How many games are remembered. */
const MOST = 20;
/** The longest entry with variations and comments, in characters. A longer one would drive others out of the storage. */
const LARGEST = 200_000;

/** A key for a new game. */
export const newKey = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;

/** The recent games, as `App.describe` describes them, each with its `ending`, `when` it was stored, and `isSetAside`. */
export const recent = () => stored().slice(0, MOST);

/**
 * The game with a key, if it is remembered.
 * @param {string | null} key
 */
export const recall = (key) => stored().find((game) => game.key === key);

/**
 * Remembers a game, in place of its earlier state. Of a very large one the moves alone.
 * @param {RecentGame} game
 */
export function remember(game) {
  const whole = { ...game, when: Date.now() };
  const entry = JSON.stringify(whole).length > LARGEST ? { ...whole, plies: null, path: null, source: null, review: null } : whole;
  const older = () => stored().filter(({ key }) => key !== game.key && !isElsewhere(key));
  for (const { key } of older().slice(MOST - 1)) remove(ENTRY + key);
  while (!store(ENTRY + game.key, entry)) {
    const oldest = older().at(-1);
    if (!oldest) return;
    remove(ENTRY + oldest.key);
  }
}

/**
 * Notes that a person has left a game for another one. The game was not closed with its tab.
 * @param {string} key
 */
export function setAside(key) {
  const game = recall(key);
  if (game) store(ENTRY + key, { ...game, isSetAside: true });
}

/**
 * Forgets all games except this one and those that other tabs have.
 * @param {string} key
 */
export function forgetAllBut(key) {
  for (const game of stored()) if (game.key !== key && !isElsewhere(game.key)) remove(ENTRY + game.key);
}

/**
 * All games in the storage, the newest first.
 * @returns {RecentGame[]}
 */
function stored() {
  adopt();
  const games = keysWith(ENTRY).map((name) => ({ ...loadObject(name), key: name.slice(ENTRY.length) }));
  return games.filter(isRecent).sort((one, other) => (other.when || 0) - (one.when || 0));
}

/**
 * @param {{ key: string }} game
 * @returns {game is RecentGame}
 */
const isRecent = (game) => isGame(game);

/** Gives each game of the list an entry. */
function adopt() {
  const list = load(LIST);
  if (list === undefined) return;
  remove(LIST);
  for (const game of Array.isArray(list) ? list : []) if (isGame(game) && typeof game.key === "string") store(ENTRY + game.key, game);
}
