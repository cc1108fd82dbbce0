// leapd: an engine for five board games, in a worker.

const isNode = Boolean(globalThis.process?.versions?.node);
const { Worker } = isNode ? await import("node:worker_threads") : globalThis;

/** See index.d.ts. */
export class Leapd {
  // Flags of the process, for scripts on its command line, are not meant for the worker.
  #worker = new Worker(new URL("worker.js", import.meta.url), { type: "module", execArgv: [] });

  constructor({ onLine, onEnd = () => {} }) {
    let hasEnded = false;
    const end = (error) => {
      if (hasEnded) return;
      hasEnded = true;
      this.#worker.terminate();
      onEnd(error);
    };
    const take = (message) => (message === null ? end(null) : onLine(message));
    if (isNode) this.#worker.on("message", take).on("error", end);
    else {
      this.#worker.onmessage = ({ data }) => take(data);
      this.#worker.onerror = ({ message }) => end(new Error(message));
    }
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
