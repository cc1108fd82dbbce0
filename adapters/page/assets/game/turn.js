// A move entered step by step: the engine tells what the entered part does and what may follow (SPEC 4.41).

import { apply, readPosition } from "../board/notation.js";

/**
 * The square of a token of a move.
 * @param {string} token
 */
export const squareOf = (token) => token.replace(/^(x(?=[a-z])|@)/, "");

/** The token of a pass (SPEC 9.31). */
const PASS = "pass";

/**
 * What a token does: a `drop`, a `removal`, a `step` of a piece, or a `pass`.
 * @param {string} token
 */
export function kindOf(token) {
  if (token === PASS) return "pass";
  if (token[0] === "@") return "drop";
  return token === squareOf(token) ? "step" : "removal";
}

/** @typedef {ReturnType<typeof import("./messages.js").readTurn>} TurnState */

/** @type {TurnState} */
const NOTHING = { next: new Map(), canEnd: false, drops: 0, steps: [] };

/**
 * @param {Map<string, boolean>} next
 * @param {string} square
 */
const tokenIn = (next, square) => [square, `x${square}`, `@${square}`].find((token) => next.has(token));

export class Turn {
  /** @type {TurnState | null} */
  #begun = null; // before the first token; null if nothing can be entered
  /** @type {TurnState[]} */
  #states = []; // after each token
  /** @type {string[]} */
  taken = []; // tokens

  /** @param {Pick<Game, "begun" | "fen" | "board" | "askTurn">} game */
  constructor(game) {
    this.game = game;
  }

  /**
   * Begins in the displayed position. If it is not a person's turn, nothing can be entered.
   * @param {boolean} isOpen
   */
  begin(isOpen) {
    this.#begun = isOpen ? this.game.begun : null;
    this.reset();
  }

  /** Takes all tokens back. */
  reset() {
    this.#states = [];
    this.taken = [];
  }

  get #state() {
    return this.#states.at(-1) ?? this.#begun ?? NOTHING;
  }

  /** The text so far. */
  get path() {
    return this.taken.join("");
  }

  /** The tokens that may follow, and whether each is known to complete the move. */
  get next() {
    return this.#state.next;
  }

  get canEnd() {
    return this.#state.canEnd;
  }

  /** Whether the move may be a pass. */
  get canPass() {
    return this.next.has(PASS);
  }

  /** The move that ends the turn here: what was entered, or a pass. Undefined if the turn goes on. */
  get ended() {
    if (this.canPass) return PASS;
    return this.canEnd && !this.isEmpty ? this.path : undefined;
  }

  /** How many drops the move will have, as far as that is known. */
  get dropsInAll() {
    return this.drops + this.#state.drops;
  }

  /**
   * The token that continues to a square, if there is one.
   * @param {string} square
   */
  tokenFor(square) {
    return tokenIn(this.next, square);
  }

  /**
   * The token with which another move begins at a square, if there is one.
   * @param {string} square
   */
  originFor(square) {
    return this.isEmpty || !this.#begun ? undefined : tokenIn(this.#begun.next, square);
  }

  /**
   * The squares that may follow by a step, a drop or a removal. A move of a single square puts a piece there: a drop.
   * @param {...string} kinds
   */
  squares(...kinds) {
    /** @param {[string, boolean]} follower */
    const kind = ([token, isWhole]) => (this.isEmpty && isWhole && kindOf(token) === "step" ? "drop" : kindOf(token));
    const fits = [...this.next].filter((follower) => kinds.includes(kind(follower)));
    return new Set(fits.map(([token]) => squareOf(token)));
  }

  /** The square where the moving piece stands after the tokens so far, if one moves. */
  get place() {
    return this.taken.findLast((token) => kindOf(token) === "step");
  }

  /** How many drops are among the tokens so far. */
  get drops() {
    return this.taken.filter((token) => kindOf(token) === "drop").length;
  }

  get isEmpty() {
    return this.taken.length === 0;
  }

  /** Whether only the end can follow. */
  get isComplete() {
    return this.canEnd && this.next.size === 0;
  }

  /** The marks of what was entered and of what may follow, as `Drawing.show` takes them. */
  get marks() {
    const isBegun = !this.isEmpty;
    return {
      origins: isBegun ? null : this.squares("step", "removal"),
      steps: isBegun ? this.squares("step") : null,
      drops: this.squares("drop"),
      removals: this.squares("removal"),
      ends: this.canEnd && this.place ? new Set([this.place]) : null,
      path: new Set(this.taken.map(squareOf)),
      victims: new Set((this.preview?.steps ?? []).flatMap(({ kind, square }) => (kind === "captured" && square ? [square] : []))),
    };
  }

  /** @param {string} token */
  async add(token) {
    this.#states.push(await this.game.askTurn(this.path + token));
    this.taken.push(token);
  }

  /** Takes the last token back. */
  back() {
    this.#states.pop();
    this.taken.pop();
  }

  /** The board after the tokens so far, and their effects. Null before the first token. */
  get preview() {
    if (this.isEmpty) return null;
    const { steps } = this.#state;
    const pieces = readPosition(this.game.fen, this.game.board);
    for (const step of steps) apply(pieces, step);
    return { pieces, steps };
  }
}
