// Judging moves by the winning chances that they lose, by the rules of `leap analyse`. adapters/analyse/tests/judgements.json
// has cases that both decide alike.

/** How fast the accuracy of a move falls with its loss. */
const STRICTNESS = 5;
/** Losses are rounded to this fraction, so that 0.60 less 0.55 is 0.05. */
const ROUNDING = 1e6;

/** The labels, from the heaviest: the least loss, and the annotation (SPEC 19.16). */
export const LABELS = [
  { name: "blunder", least: 0.2, glyph: 4 },
  { name: "mistake", least: 0.1, glyph: 2 },
  { name: "inaccuracy", least: 0.05, glyph: 6 },
];

/** The chance of a side in a game that is over. */
export const chanceOfResult = (result, side) => ({ draw: 0.5, [`${side}win`]: 1 })[result] ?? 0;

/** How much of the point a move loses. `before` and `after` are the chances of its mover. */
export function lossOf({ before, after, isBest, isForced }) {
  if (isBest || isForced) return 0;
  return Math.max(0, Math.round((before - after) * ROUNDING) / ROUNDING);
}

/**
 * Whether the searches around a move may be too short. No move gains anything. The engine's own and a single one lose nothing
 * either. A change across such a move is an error of a search.
 */
export const isDoubtful = ({ before, after }) => Math.round(Math.abs(before - after) * ROUNDING) / ROUNDING >= LABELS.at(-1).least;

/** What is wrong with a move: one of `LABELS`, or null. */
export const labelOf = (choice) => LABELS.find(({ least }) => lossOf(choice) >= least) ?? null;

/** Whether anything is wrong with a move. */
export const isWrong = (choice) => labelOf(choice) !== null;

/** The accuracy of some moves, from 0 to 100; null if none of them had an alternative. */
export function accuracyOf(choices) {
  const each = choices.filter(({ isForced }) => !isForced).map((choice) => 100 * Math.exp(-STRICTNESS * lossOf(choice)));
  return each.length ? each.reduce((sum, value) => sum + value, 0) / each.length : null;
}
