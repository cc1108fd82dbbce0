// leapd: an engine for five board games, in a worker.

import { hear, OPTIONS, Worker } from "./threads.js";

export { readGames, Unread } from "./games.js";

/** See index.d.ts. */
export class Leapd {
  #worker = new Worker(new URL("worker.js", import.meta.url), OPTIONS);

  constructor({ onLine, onEnd = () => {} }) {
    let hasEnded = false;
    const end = (error) => {
      if (hasEnded) return;
      hasEnded = true;
      this.#worker.terminate();
      onEnd(error);
    };
    hear(this.#worker, (message) => (message === null ? end(null) : onLine(message)), end);
  }

  send(line) {
    this.write(`${line}\n`);
  }

  write(input) {
    this.#worker.postMessage(input);
  }

  end() {
    this.#worker.postMessage(null);
  }

  terminate() {
    this.#worker.terminate();
  }
}
