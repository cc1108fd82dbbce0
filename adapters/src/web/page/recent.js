// Recent games, the newest first, in the storage of the browser: nothing that was played is lost by starting something else.

import { isGame } from "./kept.js";
import { load, store } from "./storage.js";

const KEY = "leap-recent";
/** How many games are remembered. */
const MOST = 20;

/** A key for a new game. */
export const newKey = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;

/** The recent games: `{ key, when, id, start, moves, ply, options, players, levels, verdict, ending }`. */
export function recent() {
  const found = load(KEY);
  return Array.isArray(found) ? found.filter((game) => isGame(game) && typeof game.key === "string").slice(0, MOST) : [];
}

/** The game with a key, if it is remembered. */
export const recall = (key) => recent().find((game) => game.key === key);

/** Remembers a game, in place of its earlier state. */
export function remember(game) {
  storeNewest([{ ...game, when: Date.now() }, ...recent().filter(({ key }) => key !== game.key)].slice(0, MOST));
}

/** Forgets all games but one. */
export function forgetAllBut(key) {
  storeNewest(recent().filter((game) => game.key === key));
}

/** Stores games; when there is no room for all of them, the oldest go. */
function storeNewest(games) {
  let count = games.length;
  while (!store(KEY, games.slice(0, count)) && count > 0) count = Math.floor(count / 2);
}
