// A question beside the board, with two answers. Whatever else the person does withdraws it.

import { byId } from "./dom.js";

export class Question {
  #pending = null;

  /** Asks. `onYes` and `onNo` are what the answers do. */
  ask({ text, yes, no, onYes, onNo = () => {} }) {
    this.#pending = { onYes, onNo };
    byId("asked").textContent = text;
    byId("accept").textContent = yes;
    byId("decline").textContent = no;
    byId("question").hidden = false;
    // A key that is pressed by mistake agrees to nothing.
    byId("decline").focus();
  }

  get isOpen() {
    return this.#pending !== null;
  }

  /** Takes the question away; returns what its answers would have done, or null if there was none. */
  take() {
    const pending = this.#pending;
    this.#pending = null;
    byId("question").hidden = true;
    return pending;
  }
}
