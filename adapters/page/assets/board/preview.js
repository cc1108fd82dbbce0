// Looking at a line of the analysis: pointing at a move shows the board after it, and a click plays the line up to it.

import { positionCommand } from "../game/messages.js";
import { around, byId } from "../ui/dom.js";
import { arrowsOf, readPosition, squaresOf } from "./notation.js";

/** @import { Found } from "../ui/dom.js" */

/** How long a move is pointed at before the engine is asked, in milliseconds. */
const PATIENCE_MS = 120;

export class Preview {
  #app;
  #movesOf;
  /** @type {Map<string, string[]>} */
  #texts = new Map(); // position texts after each move of a line, by position and line
  /** @type {Found | null} */
  #pointed = null; // the button that is pointed at
  /** @type {number | undefined} */
  #timer;

  /**
   * `movesOf(rank)` gives the moves of a line.
   * @param {App} app
   * @param {(rank: number) => string[]} movesOf
   */
  constructor(app, movesOf) {
    this.#app = app;
    this.#movesOf = movesOf;
    const list = byId("lines");
    // Browsers invent other events of the mouse when a list changes under it, but no movement.
    list.addEventListener("pointermove", (event) => event.pointerType === "mouse" && this.#point(around(event, ".step")));
    list.addEventListener("pointerleave", () => this.#letGo());
    list.addEventListener("focusin", (event) => {
      const step = around(event, ".step:focus-visible");
      if (step) this.#point(step);
    });
    list.addEventListener("focusout", () => this.#letGo());
    list.addEventListener("click", (event) => this.#play(around(event, ".step")));
  }

  /**
   * The moves of a line up to the one on a button.
   * @param {Found} button
   */
  #lineOf({ dataset: { rank, at } }) {
    return this.#movesOf(Number(rank)).slice(0, Number(at) + 1);
  }

  /** @param {Found | null} button */
  #play(button) {
    if (!button) return;
    const moves = this.#lineOf(button);
    this.#letGo();
    this.#app.act(() => this.#app.playLine(moves));
  }

  /** @param {Found | null} button */
  #point(button) {
    if (!button) return this.#letGo();
    if (button === this.#pointed) return;
    this.release();
    this.#pointed = button;
    this.#timer = setTimeout(() => this.#app.guarded(() => this.#look(button)), PATIENCE_MS);
  }

  #letGo() {
    if (!this.isHolding) return;
    this.release();
    this.#app.draw();
  }

  /** Whether the list stays as it is, since a person looks at a line. */
  get isHolding() {
    return this.#pointed !== null;
  }

  /** Lets the list change again. */
  release() {
    this.#pointed = null;
    clearTimeout(this.#timer);
  }

  /**
   * Shows the board after the moves up to a button, unless something else is pointed at meanwhile.
   * @param {Found} button
   */
  async #look(button) {
    const moves = this.#lineOf(button);
    const last = moves.at(-1);
    if (button !== this.#pointed || last === undefined) return;
    const { game, view } = this.#app;
    const fen = await this.#textAfter(Number(button.dataset.rank), moves.length);
    if (button !== this.#pointed) return;
    view.show(readPosition(fen, game.board), { last: new Set(squaresOf(last)) });
    view.point(arrowsOf("last", last));
  }

  /**
   * The position text after so many moves of a line. The engine is asked once for the whole line.
   * @param {number} rank
   * @param {number} count
   */
  async #textAfter(rank, count) {
    const { game } = this.#app;
    const line = this.#movesOf(rank);
    const key = [game.fen, ...line].join(" ");
    const known = this.#texts.get(key);
    if (known) return known[count - 1];
    const made = game.moves.slice(0, game.ply);
    const texts = await this.#app.searches.apart((engine) =>
      Promise.all(
        line.map((_, at) => {
          const put = engine.command(positionCommand(game.start, [...made, ...line.slice(0, at + 1)]));
          return Promise.all([put, engine.ask("query fen")]).then(([, fen]) => fen);
        }),
      ),
    );
    this.#texts.clear();
    this.#texts.set(key, texts);
    return texts[count - 1];
  }
}
