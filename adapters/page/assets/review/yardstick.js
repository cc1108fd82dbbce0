// What evaluations and losses are worth to those who play: chances fitted to games between players of a level, as in `leap analyse`
// (adapters/analyse/src/yardstick.rs, docs/analysis.md).

/** @typedef {Record<string, { weakest: number, strongest: number }>} Scales for both ends of the levels, by game */
/** @typedef {{ scale: number | null, strictness: number }} Yardstick */

/** The levels: values of leapd's option `Strength`. */
const WEAKEST = -20;
const STRONGEST = 100;
/** The level for unknown players, and the highest that judges. */
export const USUAL = 50;
/** How fast the accuracy of a move falls with its loss, at the weakest level and at the usual one. */
const STRICTNESS = [12, 5];

/** @type {Scales} */
let scales = {};

/**
 * Takes over the scales of the games (`scales.json`).
 * @param {Scales} table
 */
export function installScales(table) {
  scales = table;
}

/**
 * The value on an exponential curve through two values, at a share of the way.
 * @param {number} from
 * @param {number} to
 * @param {number} share
 */
const between = (from, to, share) => from * (to / from) ** share;

/**
 * How chances and losses are judged in a game between players of a level: `{ scale, strictness }`. Without a scale the engine's own
 * chances count, since only evaluations of leapd are known.
 * @param {string} engine
 * @param {string} id
 * @param {number} level
 * @returns {Yardstick}
 */
export function yardstickOf(engine, id, level) {
  /** @param {number} end */
  const share = (end) => (Math.min(USUAL, Math.max(WEAKEST, level)) - WEAKEST) / (end - WEAKEST);
  const known = engine.startsWith("leapd") && Object.hasOwn(scales, id) ? scales[id] : null;
  const [weakest, usual] = STRICTNESS;
  if (!known) return { scale: null, strictness: usual };
  return { scale: between(known.weakest, known.strongest, share(STRONGEST)), strictness: between(weakest, usual, share(USUAL)) };
}
