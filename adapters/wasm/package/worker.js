// The engine in a worker: of a page, or of Node.js (`worker_threads`). A message is input, `null` its end; the answers are lines,
// and `null` once the session is over.

import { MODULE, start } from "./engine.js";

const url = new URL(MODULE, import.meta.url);

function fetched() {
  return fetch(url).then((response) => {
    if (!response.ok) throw new Error(`expected ${url}, found status ${response.status}`);
    return response.arrayBuffer();
  });
}

/** Answers the messages of a port. Those that come before the engine has started wait for it, in order. */
function serve(module, post) {
  const starting = module.then((bytes) => start(bytes, post));
  return async (message) => {
    const engine = await starting;
    const goesOn = await (message === null ? engine.end() : engine.send(message));
    if (!goesOn) post(null);
  };
}

if (globalThis.WorkerGlobalScope) {
  const take = serve(fetched(), (message) => postMessage(message));
  addEventListener("message", ({ data }) => take(data));
  // A fault is an error of the worker, which the page hears of, and not one of a promise.
  addEventListener("unhandledrejection", ({ reason }) => reportError(reason));
} else {
  const { parentPort } = await import("node:worker_threads");
  const { readFile } = await import("node:fs/promises");
  const take = serve(readFile(url), (message) => parentPort.postMessage(message));
  parentPort.on("message", take);
}
