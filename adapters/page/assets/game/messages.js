// What the engine is told and answers about a game, in the texts of the protocol.

import { readEffects } from "../board/notation.js";
import { pairs } from "../ui/dom.js";
import { t } from "../ui/i18n.js";

/**
 * The answer to `query status` (SPEC 4.18).
 * @typedef {Record<string, string> & { turn: Side, over: string } & Verdict} Status
 */
/**
 * A turn (SPEC 4.42). The keys of `next` are the tokens that may follow. The value of a token that is known to complete
 * the move is true. `canEnd` is true if the move may end here. `drops` counts the drops that must still be made.
 * `steps` has the effects of the entered part.
 * @typedef {{ next: Map<string, boolean>, canEnd: boolean, drops: number, steps: Effect[] }} TurnState
 */
/** @typedef {"win" | "draw" | "loss"} Worth */
/** @typedef {{ worth: Worth, plies: number | null }} ExactValue */
/**
 * Exact values (SPEC 4.51), null where they are unknown. All positions of at most `reach` men are known. `isComplete`
 * is true if all known moves are listed.
 * @typedef {object} ExactValues
 * @property {ExactValue | null} position
 * @property {number} reach
 * @property {Map<string, ExactValue>} moves
 * @property {boolean} isComplete
 */

/**
 * The command that sets up a game from a position text, or null for the start position, and its moves.
 * @param {string | null} fen
 * @param {string[]} moves
 */
export function positionCommand(fen, moves) {
  // The rest would be parsed as moves.
  if (/(^|[ \t])moves([ \t]|$)/.test(fen ?? "")) throw new Error(t("fault.movesInPosition"));
  const start = fen === null ? "position startpos" : `position fen ${fen}`;
  return moves.length ? `${start} moves ${moves.join(" ")}` : start;
}

/** @param {string} text the answer to `query status` */
export const readStatus = (text) => /** @type {Status} */ (pairs(text.split(" ")));

/**
 * @param {string} text the answer to `query turn`
 * @returns {TurnState}
 */
export function readTurn(text) {
  const words = text.split(" : ", 1)[0].split(" ");
  /** @param {string} key */
  const wordAfter = (key) => words[words.indexOf(key) + 1] ?? "";
  /** @param {string} key */
  const pairsOf = (key) => words.slice(words.indexOf(key) + 2).slice(0, 2 * Number(wordAfter(key)));
  const followers = pairsOf("next").filter((_, at) => at % 2 === 1);
  const next = new Map(followers.map((follower) => follower.split("=")).map(([token, then]) => [token, then === "end"]));
  const canEnd = wordAfter("awaits").split(",").includes("end");
  return { next, canEnd, drops: Number(wordAfter("drops")), steps: readEffects(pairsOf("effects").join(" ")) };
}

/** @type {Worth[]} */
const WORTHS = ["win", "draw", "loss"];

/**
 * @param {string} text the answer to `query value`
 * @returns {ExactValues}
 */
export function readValues(text) {
  const words = text.split(" ");
  /** @param {string} key */
  const wordAfter = (key) => words[words.indexOf(key) + 1] ?? "";
  /**
   * @param {string} word
   * @param {string} plies
   */
  const value = (word, plies) => {
    const worth = WORTHS.find((each) => each === word);
    return worth ? { worth, plies: /^\d+$/.test(plies) ? Number(plies) : null } : null;
  };
  const listed = words.includes("moves") ? words.slice(words.indexOf("moves") + 2) : [];
  const moves = new Map();
  for (let at = 0; at + 2 < listed.length; at += 3) {
    const exact = value(listed[at + 1], listed[at + 2]);
    if (exact) moves.set(listed[at], exact);
  }
  const [position, isComplete] = [value(words[0], words[1]), !wordAfter("moves").endsWith("+")];
  return { position, reach: Number(wordAfter("reach")) || 0, moves, isComplete };
}
