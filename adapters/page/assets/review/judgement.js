// Judging moves by the winning chances that they lose, by the rules of `leap analyse`. adapters/analyse/tests/judgements.json
// has cases that both decide alike.

/**
 * A move as it is judged. `before` and `after` are the chances of its mover. A best move is the engine's own; a forced one is the
 * only one.
 * @typedef {{ before: number, after: number, isBest: boolean, isForced?: boolean }} Choice
 */

/** A change of the chance across a move that calls for a second look. A longer search may find more of it. */
const DOUBTFUL = 0.03;
/** A side has lost if its chance is at most this, and has won if the other side has lost. */
const DECIDED = 0.02;
/** The least accuracy of a move in a harmonic mean. */
const LEAST_ACCURACY = 0.5;
/** Losses are rounded to this fraction, so that 0.60 less 0.55 is 0.05. */
const ROUNDING = 1e6;

/** The labels, from the heaviest: the least loss, and the annotation (SPEC 19.16). */
export const LABELS = [
  { name: "blunder", least: 0.2, glyph: 4 },
  { name: "mistake", least: 0.1, glyph: 2 },
  { name: "inaccuracy", least: 0.05, glyph: 6 },
];

/**
 * The chance of a side in a game that is over.
 * @param {string} result
 * @param {Side} side
 */
export const chanceOfResult = (result, side) => (result === "draw" ? 0.5 : Number(result === `${side}win`));

/**
 * How much of the point a move loses. `before` and `after` are the chances of its mover.
 * @param {Choice} choice
 */
export function lossOf({ before, after, isBest, isForced }) {
  if (isBest || isForced) return 0;
  return Math.max(0, Math.round((before - after) * ROUNDING) / ROUNDING);
}

/**
 * Whether the game is decided before a move, and stays so.
 * @param {Pick<Choice, "before" | "after">} choice
 */
export const isDecided = ({ before, after }) => before <= DECIDED || (before >= 1 - DECIDED && after >= 1 - DECIDED);

/**
 * Whether the searches around a move may be too short. No move gains anything. The engine's own and a single one lose nothing
 * either. A change across such a move is an error of a search.
 * @param {Pick<Choice, "before" | "after">} choice
 */
export const isDoubtful = ({ before, after }) => Math.round(Math.abs(before - after) * ROUNDING) / ROUNDING >= DOUBTFUL;

/**
 * What is wrong with a move: one of `LABELS`, or null.
 * @param {Choice} choice
 */
export const labelOf = (choice) => LABELS.find(({ least }) => lossOf(choice) >= least) ?? null;

/**
 * Whether anything is wrong with a move.
 * @param {Choice} choice
 */
export const isWrong = (choice) => labelOf(choice) !== null;

/** @param {number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/**
 * The accuracy of some moves, from 0 to 100: halfway between the arithmetic and the harmonic mean. One blunder weighs more than many
 * good moves. Moves without an alternative and moves of a decided game are left out; null if none remains.
 * @param {Choice[]} choices
 * @param {number} strictness
 */
export function accuracyOf(choices, strictness) {
  const counted = choices.filter((choice) => !choice.isForced && !isDecided(choice));
  const each = counted.map((choice) => 100 * Math.exp(-strictness * lossOf(choice)));
  const harmonic = each.length / sum(each.map((accuracy) => 1 / Math.max(LEAST_ACCURACY, accuracy)));
  return each.length ? (sum(each) / each.length + harmonic) / 2 : null;
}
