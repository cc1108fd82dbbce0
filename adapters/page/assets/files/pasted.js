// What a pasted or dropped text is, if the page can tell without the server: a position text, moves, or a link.

import { readAddress } from "./address.js";

/** The longest text that is looked at, in characters. The engine takes no longer line. */
const LONGEST = 1 << 20;
/** A position text has five fields (SPEC 9.7); programs write `position`, `fen` and `moves` around it (SPEC 3.13). */
const POSITION = /^(?:position\s+)?(?:startpos|(?:fen\s+)?(?<fen>[^\s/]+\/\S+(?:\s+\S+){2}(?:\s+\d+){2}))(?:\s+moves\s+(?<moves>.+))?$/s;
/** The shape of a move (SPEC A.5). A move number may stand before it. */
const MOVE = /^(?:\d+\.+)?((?:@[a-z][1-9]\d*|x?[a-z][1-9]\d*)+)$/;
const NO_MOVE = /^(?:\d+\.+|p1win|p2win|draw|void|\*)$/;

/**
 * The moves of a text that has nothing else; null for any other text.
 * @param {string} text
 */
function readMoves(text) {
  const words = text
    .replace(/\{[^}]*\}/g, " ")
    .split(/\s+/)
    .filter((word) => word && !NO_MOVE.test(word));
  const moves = words.flatMap((word) => word.match(MOVE)?.[1] ?? []);
  return words.length > 0 && moves.length === words.length ? moves : null;
}

/**
 * The game in a text, in the form of a game from a file (files.js); null if there is none. It has no id where any
 * game may be meant.
 * @param {string} text
 * @returns {FoundGame | null}
 */
export function readText(text) {
  if (text.length > LONGEST) return null;
  const told = text.trim();
  const hash = told.match(/^\S*(#game=\S+)$/)?.[1];
  if (hash) return readAddress(hash);
  const position = told.match(POSITION)?.groups;
  const written = position ? position.moves : told;
  const moves = written === undefined ? [] : readMoves(written);
  if (!moves) return null;
  const start = position?.fen?.replace(/\s+/g, " ") ?? null;
  return { start, moves, ply: moves.length, options: null, record: null };
}
