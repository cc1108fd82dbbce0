// A game in the address of the page. It stands after the `#`, so no server sees it. `game` is always there. `fen`,
// `moves` and an `option` for each changed rule are there if needed.

import { isGame } from "../game/kept.js";

/** The longest address that is read, in characters. Browsers and messengers cut longer ones. */
const LONGEST = 30_000;

/**
 * The game of an address, in the form of a game from a file (files.js); null if it has none.
 * @param {string} hash
 * @returns {(FoundGame & { id: string, options: OptionPair[] }) | null}
 */
export function readAddress(hash) {
  const parts = new URLSearchParams(hash.slice(1, LONGEST));
  if (!parts.has("game")) return null;
  const moves = (parts.get("moves") ?? "").split(" ").filter(Boolean);
  /** @type {(option: string) => OptionPair} */
  const pairOf = (option) => {
    const [name, ...value] = option.split("=");
    return [name, value.join("=")];
  };
  const game = {
    id: parts.get("game") ?? "",
    start: parts.get("fen"),
    moves,
    ply: moves.length,
    options: parts.getAll("option").map(pairOf),
    record: null,
  };
  return isGame(game) ? game : null;
}

/**
 * The game and the ply that an address names in short, as in `#eximo/12`; null if it names none.
 * @param {string} hash
 */
export function readPlace(hash) {
  const [, id, ply = "0"] = hash.match(/^#([\w-]+)(?:\/(\d{1,5}))?$/) ?? [];
  return id ? { id, ply: Number(ply) } : null;
}

/**
 * The address of a game, at the displayed position, in this page or in another one.
 * @param {{ id: string, start: string | null, moves: string[], ply: number, options: OptionPair[] }} game
 * @param {string} page
 */
export function addressOf({ id, start, moves, ply, options }, page = location.origin + location.pathname) {
  const parts = new URLSearchParams({ game: id });
  if (start !== null) parts.set("fen", start);
  if (ply > 0) parts.set("moves", moves.slice(0, ply).join(" "));
  for (const option of options) parts.append("option", option.join("="));
  return `${page}#${parts}`;
}
