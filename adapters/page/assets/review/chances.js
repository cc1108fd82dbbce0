// Scores and winning chances. A chance is that of p1 everywhere: for the bar, the lines and whatever compares moves.

/** On the logistic curve of engines that tell no chances, so many centipawns multiply the odds by e. */
const CENTIPAWNS = 250;

/**
 * The winning chance of the side whose score it is, from 0 to 1. An announced end is certain. With a `scale`, so many centipawns
 * multiply the odds by e, whatever the engine's own chances are.
 * @param {Score} score
 * @param {number[] | null | undefined} wdl
 * @param {number | null} scale
 */
export function ownChance({ kind, value }, wdl, scale = null) {
  if (kind === "mate") return Number(value > 0);
  if (scale) return 1 / (1 + Math.exp(-value / scale));
  return wdl ? (wdl[0] + wdl[1] / 2) / 1000 : 1 / (1 + Math.exp(-value / CENTIPAWNS));
}

/**
 * The winning chance of p1, from 0 to 1: wins and half of the draws. `info` is that of a search by `side`. The engine's own
 * chances (SPEC 5.21) come first, unless there is a scale. Without them the chance follows from the score.
 * @param {{ score: Score, wdl?: number[] | null }} info
 * @param {Side} side
 * @param {number | null} scale
 */
export function chanceOf({ score, wdl = null }, side, scale = null) {
  return chanceFor(ownChance(score, wdl, scale), side);
}

/**
 * A chance of p1 from the view of a side; and back, since it is the same step.
 * @param {number} chance
 * @param {Side} view
 */
export const chanceFor = (chance, view) => (view === "p1" ? chance : 1 - chance);

/**
 * A chance of p1 in whole percent, from the view of a side.
 * @param {number} chance
 * @param {Side} view
 */
export const percentFor = (chance, view) => Math.round(100 * chanceFor(chance, view));

/**
 * The chance that an `info` of a search by `side` tells, in percent from a view. Only an announced end is certain.
 * @param {Pick<Info, "score" | "wdl">} info
 * @param {Side} side
 * @param {Side} view
 */
export function percentOf(info, side, view) {
  const percent = percentFor(chanceOf(info, side), view);
  return info.score.kind === "mate" ? percent : Math.min(99, Math.max(1, percent));
}

/**
 * The score of a search by `side`, from the view of a side.
 * @param {Score} score
 * @param {Side} side
 * @param {Side} view
 */
export const scoreFor = ({ kind, value }, side, view) => ({ kind, value: side === view ? value : -value });

/**
 * A score for people: `+0.35`, `-#3`.
 * @param {Score} score
 */
export function scoreText({ kind, value }) {
  if (kind === "mate") return `${value > 0 ? "" : "\u2212"}#${Math.abs(value)}`;
  return `${value < 0 ? "\u2212" : "+"}${Math.abs(value / 100).toFixed(2)}`;
}
