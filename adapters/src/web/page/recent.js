// Recent games, the newest first, in the storage of the browser: nothing that was played is lost by starting something else.
//
// The stored data may be anything: an older page or another program at this address may have written it.

import { isGame } from "./kept.js";

const KEY = "leap-recent";
/** How many games are remembered. */
const MOST = 20;

/** A key for a new game. */
export const newKey = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;

/** The recent games: `{ key, when, id, start, moves, ply, options, players, levels, verdict, ending }`. */
export function recent() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(found) ? found.filter((game) => isGame(game) && typeof game.key === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** The game with a key, if it is remembered. */
export const recall = (key) => recent().find((game) => game.key === key);

/** Remembers a game, in place of its earlier state. */
export function remember(game) {
  store([{ ...game, when: Date.now() }, ...recent().filter(({ key }) => key !== game.key)].slice(0, MOST));
}

/** Forgets all games but one. */
export function forgetAllBut(key) {
  store(recent().filter((game) => game.key === key));
}

/** Stores games; when there is no room for all of them, the oldest go. */
function store(games) {
  for (let count = games.length; count >= 0; count = Math.floor(count / 2)) {
    try {
      localStorage.setItem(KEY, JSON.stringify(games.slice(0, count)));
      return;
    } catch {
      if (count === 0) return;
    }
  }
}
