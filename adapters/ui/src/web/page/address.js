// A game in the address of the page, behind the `#`, which no server sees: `game`, and if they are needed `fen`, `moves` and an
// `option` for each rule that is not at its default.

import { isGame } from "./kept.js";

/** The longest address that is read, in characters: browsers and messengers cut longer ones. */
const LONGEST = 30_000;

/** The game of an address, as a file would have it (files.js); null if it has none. */
export function readAddress(hash) {
  const parts = new URLSearchParams(hash.slice(1, LONGEST));
  if (!parts.has("game")) return null;
  const moves = (parts.get("moves") ?? "").split(" ").filter(Boolean);
  const options = parts.getAll("option").map((option) => {
    const [name, ...value] = option.split("=");
    return [name, value.join("=")];
  });
  const game = { id: parts.get("game"), start: parts.get("fen"), moves, ply: moves.length, options, record: null };
  return isGame(game) ? game : null;
}

/** The address of a game, at the position that is displayed, in this page or in another one. */
export function addressOf({ id, start, moves, ply, options }, page = location.origin + location.pathname) {
  const parts = new URLSearchParams({ game: id });
  if (start !== null) parts.set("fen", start);
  if (ply > 0) parts.set("moves", moves.slice(0, ply).join(" "));
  for (const option of options) parts.append("option", option.join("="));
  return `${page}#${parts}`;
}
