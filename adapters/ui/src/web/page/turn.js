// A move entered step by step: the engine is asked for the continuations (SPEC 4.24).

import { apply, readEffects, readPosition } from "./game.js";

/** The most steps that a completion may take; no game has moves that need more. */
const LONGEST = 200;

/** The square of a token of a move. */
export const squareOf = (token) => token.replace(/^(x(?=[a-z])|@)/, "");

/** What a token does: a `drop`, a `removal`, or a `step` of a piece. */
export const kindOf = (token) => (token[0] === "@" ? "drop" : token === squareOf(token) ? "step" : "removal");

const count = (tokens, kind) => tokens.filter((token) => kindOf(token) === kind).length;

export class Turn {
  constructor(game) {
    this.game = game;
    this.reset();
  }

  reset() {
    this.path = ""; // the text so far
    this.taken = []; // tokens
    this.next = new Set();
    this.canEnd = false;
    this.preview = null; // { pieces, steps } after the tokens so far
    this.dropsInAll = 0; // how many drops the move will have
  }

  /** Asks for the continuations. */
  async refresh() {
    const answer = await this.game.engine.ask(`query next ${this.path}`.trim());
    const tokens = answer ? answer.split(" ") : [];
    this.canEnd = tokens.includes("end");
    this.next = new Set(tokens.filter((token) => token !== "end"));
    this.preview = this.taken.length ? await this.#look() : null;
  }

  /** The token that continues to a square, if there is one. */
  tokenFor(square) {
    return [square, `x${square}`, `@${square}`].find((token) => this.next.has(token));
  }

  /** The squares that may follow by a step, a drop or a removal. */
  squares(kind) {
    return new Set([...this.next].filter((token) => kindOf(token) === kind).map(squareOf));
  }

  /** The square where the moving piece stands after the tokens so far, if one moves. */
  get place() {
    return this.taken.findLast((token) => kindOf(token) === "step");
  }

  /** How many drops are among the tokens so far. */
  get drops() {
    return count(this.taken, "drop");
  }

  get isEmpty() {
    return this.taken.length === 0;
  }

  /** Whether only the end can follow. */
  get isComplete() {
    return this.canEnd && this.next.size === 0;
  }

  async add(token) {
    this.taken.push(token);
    this.path += token;
    await this.refresh();
  }

  async back() {
    const token = this.taken.pop();
    if (token === undefined) return;
    this.path = this.path.slice(0, -token.length);
    await this.refresh();
  }

  /**
   * The board after the tokens so far. Only complete moves have effects, so a move that starts like this is requested, and those
   * of its effects that belong to these tokens are applied.
   */
  async #look() {
    const hops = count(this.taken, "step") - 1;
    const { drops } = this;
    const removals = count(this.taken, "removal");
    if (hops + drops + removals <= 0) return { pieces: readPosition(this.game.fen, this.game.board), steps: [] };
    const whole = await this.#completion();
    this.dropsInAll = count(whole, "drop");
    const effects = readEffects(await this.game.engine.ask(`query effects ${whole.join("")}`));
    const pieces = readPosition(this.game.fen, this.game.board);
    const steps = [];
    const seen = { from: 0, dropped: 0 };
    for (const step of effects) {
      if (step.kind in seen) seen[step.kind] += 1;
      if (seen.from > Math.max(hops, 0) || seen.dropped > drops) break;
      // Pieces other than the moving one change only at the very end of a move.
      if (step.kind === "changed" && !this.canEnd) break;
      steps.push(step);
      apply(pieces, step);
    }
    return { pieces, steps };
  }

  /** The tokens of a complete move that starts with these tokens: the shortest one, without going in circles. */
  async #completion() {
    const taken = [...this.taken];
    for (let step = 0; step < LONGEST; step++) {
      const tokens = (await this.game.engine.ask(`query next ${taken.join("")}`)).split(" ");
      if (tokens.includes("end")) break;
      taken.push(tokens.find((token) => token[0] === "@") ?? tokens.find((token) => !taken.includes(token)) ?? tokens[0]);
    }
    return taken;
  }
}
