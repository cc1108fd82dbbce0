// The clocks of both sides. Times are in milliseconds.

/** @typedef {{ base: number, increment: number }} Control the time for the game, and the time that is added for each move */
/** @typedef {Record<Side, number>} Times */

const MINUTE = 60_000;
const SECOND = 1000;

/** The time controls that are offered: minutes for the game, and seconds added for each move. */
export const CONTROLS = ["1+1", "3+2", "5+5", "10+5", "30+20"];

/**
 * Reads a time control such as `3+2` or `0.5+0`: `{ base, increment }`, or null if it is none.
 * @param {string} text
 */
export function readControl(text) {
  const [, minutes, seconds = "0"] = text.trim().match(/^(\d{1,3}(?:\.\d{1,2})?)(?:\+(\d{1,3}))?$/) ?? [];
  const base = Math.round(Number(minutes ?? 0) * MINUTE);
  return base > 0 ? { base, increment: Number(seconds) * SECOND } : null;
}

/**
 * A time as people read it: minutes and seconds, with tenths when little is left.
 * @param {number} left
 */
export function timeText(left) {
  const shown = Math.max(0, left);
  if (shown < 10 * SECOND) return `0:0${(Math.floor(shown / 100) / 10).toFixed(1)}`;
  const seconds = Math.ceil(shown / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export class Clock {
  #left;
  /** @type {Side | null} */
  #side = null; // whose clock runs
  #since = 0;
  #now;

  /**
   * `left` are the times of an earlier clock that continues; `now` tells the time.
   * @param {Control} control
   * @param {Times} left
   * @param {() => number} now
   */
  constructor({ base, increment }, left = { p1: base, p2: base }, now = () => performance.now()) {
    this.increment = increment;
    this.#left = { ...left };
    this.#now = now;
  }

  /**
   * Runs the clock of this side and stops the other. Null stops both.
   * @param {Side | null} side
   */
  run(side) {
    const now = this.#now();
    if (this.#side) this.#left[this.#side] -= now - this.#since;
    this.#side = side;
    this.#since = now;
  }

  /**
   * A side has moved: its clock stops. If the clock was running, it gets the increment.
   * @param {Side} side
   */
  press(side) {
    const wasRunning = this.#side === side;
    this.run(null);
    if (wasRunning) this.#left[side] += this.increment;
  }

  /**
   * The time that a side has left; zero or less if its flag has fallen.
   * @param {Side} side
   */
  left(side) {
    return this.#left[side] - (this.#side === side ? this.#now() - this.#since : 0);
  }

  /** The time that both sides have left. */
  get times() {
    return { p1: this.left("p1"), p2: this.left("p2") };
  }

  /** The side whose clock runs; null if it is none. */
  get running() {
    return this.#side;
  }

  /**
   * The side whose flag has fallen; null if it is none.
   * @returns {Side | null}
   */
  get flag() {
    if (this.left("p1") <= 0) return "p1";
    return this.left("p2") <= 0 ? "p2" : null;
  }

  /** The limits of a search (SPEC 5.1). */
  get limits() {
    const { p1, p2 } = this.times;
    /** @param {number} ms */
    const whole = (ms) => Math.max(1, Math.floor(ms));
    return `p1time ${whole(p1)} p2time ${whole(p2)} p1inc ${this.increment} p2inc ${this.increment}`;
  }
}
