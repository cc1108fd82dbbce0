// The rating system Glicko-2, by the steps of its paper: M. Glickman, "Example of the Glicko-2 system", 2022
// (glicko.net/glicko/glicko2.pdf).

/** @typedef {{ rating: number, deviation: number, volatility: number }} Rating */

/** Glicko-2 counts in units of so many points around the mean. */
const UNIT = 173.7178;
const MEAN = 1500;
/** How fast the volatility may change. The paper suggests 0.3 to 1.2. */
const TAU = 0.5;
const PRECISION = 1e-6;

/** The rating of somebody unknown. */
export const UNKNOWN = { rating: MEAN, deviation: 350, volatility: 0.06 };

/** @param {number} phi */
const weight = (phi) => 1 / Math.sqrt(1 + (3 * phi ** 2) / Math.PI ** 2);
/** @param {{ rating: number, deviation: number }} player */
const scaled = ({ rating, deviation }) => ({ mu: (rating - MEAN) / UNIT, phi: deviation / UNIT });

/**
 * The expected score, from 0 to 1, of a player at `mu` against an opponent.
 * @param {number} mu
 * @param {{ mu: number, phi: number }} opponent
 */
const expected = (mu, opponent) => 1 / (1 + Math.exp(-weight(opponent.phi) * (mu - opponent.mu)));

/**
 * Step 5: the new volatility, by the Illinois algorithm.
 * @param {number} volatility
 * @param {number} phi
 * @param {number} variance
 * @param {number} delta
 */
function volatilityAfter(volatility, phi, variance, delta) {
  const a = Math.log(volatility ** 2);
  /** @param {number} x */
  const f = (x) => {
    const sum = phi ** 2 + variance + Math.exp(x);
    return (Math.exp(x) * (delta ** 2 - sum)) / (2 * sum ** 2) - (x - a) / TAU ** 2;
  };
  let [low, high] = [a, Math.log(delta ** 2 - phi ** 2 - variance)];
  if (!Number.isFinite(high)) {
    let k = 1;
    while (f(a - k * TAU) < 0) k += 1;
    high = a - k * TAU;
  }
  let [atLow, atHigh] = [f(low), f(high)];
  while (Math.abs(high - low) > PRECISION) {
    const between = low + ((low - high) * atLow) / (atHigh - atLow);
    const value = f(between);
    if (value * atHigh <= 0) [low, atLow] = [high, atHigh];
    else atLow /= 2;
    [high, atHigh] = [between, value];
  }
  return Math.exp(low / 2);
}

/**
 * The rating after a rating period, with at least one game. A score is 1, a half or 0.
 *
 * @param {Rating} player
 * @param {{ rating: number, deviation: number, score: number }[]} games
 */
export function rated(player, games) {
  const { mu, phi } = scaled(player);
  const each = games.map((game) => ({ ...scaled(game), score: game.score }));
  const parts = each.map((opponent) => ({ g: weight(opponent.phi), e: expected(mu, opponent), score: opponent.score }));
  const variance = 1 / parts.reduce((sum, { g, e }) => sum + g ** 2 * e * (1 - e), 0);
  const surprise = parts.reduce((sum, { g, e, score }) => sum + g * (score - e), 0);
  const volatility = volatilityAfter(player.volatility, phi, variance, variance * surprise);
  const after = 1 / Math.sqrt(1 / (phi ** 2 + volatility ** 2) + 1 / variance);
  return { rating: MEAN + UNIT * (mu + after ** 2 * surprise), deviation: UNIT * after, volatility };
}
