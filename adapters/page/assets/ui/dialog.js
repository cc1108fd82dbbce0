// A question beside the board, with two answers. Any other action of the person withdraws it.

import { byId } from "./dom.js";

/** @typedef {{ onYes: () => unknown, onNo: () => unknown }} Answers what is called on the answers */

export class Question {
  /** @type {Answers | null} */
  #pending = null;

  /**
   * Asks a question. `onYes` and `onNo` are called on its answers.
   * @param {{ text: string, yes: string, no: string, onYes: () => unknown, onNo?: () => unknown }} question
   */
  ask({ text, yes, no, onYes, onNo = () => {} }) {
    this.#pending = { onYes, onNo };
    byId("asked").textContent = text;
    byId("accept").textContent = yes;
    byId("decline").textContent = no;
    byId("question").hidden = false;
    // A key pressed by mistake must not agree to anything.
    byId("decline").focus();
  }

  get isOpen() {
    return this.#pending !== null;
  }

  /** Removes the question. Returns what its answers would have done, or null without a question. */
  take() {
    const pending = this.#pending;
    this.#pending = null;
    byId("question").hidden = true;
    return pending;
  }
}
