// What workers need, in a page and in Node.js (`worker_threads`).

const isNode = Boolean(globalThis.process?.versions?.node);
const threads = isNode ? await import("node:worker_threads") : globalThis;

export const { Worker } = threads;
/** Flags of the process, for scripts on its command line, are not meant for a worker. */
export const OPTIONS = { type: "module", execArgv: [] };

/** Listens to a worker: to its messages, and to the error by which it fails. */
export function hear(worker, onMessage, onError) {
  if (isNode) return worker.on("message", onMessage).on("error", onError);
  worker.onmessage = ({ data }) => onMessage(data);
  worker.onerror = ({ message }) => onError(new Error(message));
}

/** In a worker: calls `take(message)` with each message. If `take` rejects, the worker fails with this error. */
export function serve(take) {
  if (isNode) return threads.parentPort.on("message", take);
  addEventListener("message", ({ data }) => take(data));
  addEventListener("unhandledrejection", ({ reason }) => reportError(reason));
}

/** In a worker: answers. */
export const post = isNode ? (message) => threads.parentPort?.postMessage(message) : (message) => postMessage(message);

/** The content of a file of this package. */
export async function load(name) {
  const url = new URL(name, import.meta.url);
  if (isNode) return (await import("node:fs/promises")).readFile(url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`expected ${url}, found status ${response.status}`);
  return response.arrayBuffer();
}
