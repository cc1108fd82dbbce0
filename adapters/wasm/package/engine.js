// The engine in this thread: a WebAssembly module that takes bytes and gives lines (adapters/wasm/src/host.rs).
//
// A search holds the thread, but it can still be stopped. Every few milliseconds the module calls `pause`, and its
// stack is set aside. The messages that have come are handled, and the search continues.
//
// JavaScript engines with JSPI can set a stack aside and run the module as it is. The others run a module that sets its
// own stack aside, at about 0.6 of the speed.

import { unwinding } from "./asyncify.js";

const canSuspend = "Suspending" in WebAssembly;

/** The file of the module. */
export const MODULE = canSuspend ? "leapd.wasm" : "leapd-asyncify.wasm";

/** `{ pause, run }`: the module calls `pause` to wait, and `run` calls an export that may come to `pause`. */
const suspending = (wait) => ({ pause: new WebAssembly.Suspending(wait), run: (call) => WebAssembly.promising(call)() });

/** Resolves once the messages that have come are handled. A timer takes 4 ms, and a promise does not wait for them. */
function nextTask() {
  return new Promise((resolve) => {
    if (globalThis.setImmediate) return setImmediate(resolve);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/**
 * Starts the engine of the module `MODULE`; `onLine(line)` is called with each line that it writes.
 *
 * Resolves to `{ send, end }`: `send(text)` takes input, text or bytes, with line ends, and `end()` ends the input.
 * Both resolve when the work that they have begun is done, to whether the session goes on.
 */
export async function start(module, onLine) {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const { pause, run } = (canSuspend ? suspending : unwinding)(nextTask, () => engine);
  const host = {
    now: () => performance.now(),
    write_line: (at, bytes) => onLine(decoder.decode(new Uint8Array(engine.memory.buffer, at, bytes))),
    pause,
  };
  const { instance } = await WebAssembly.instantiate(module, { host });
  const engine = instance.exports;
  return {
    async send(text) {
      const bytes = typeof text === "string" ? encoder.encode(text) : text;
      const at = engine.room(bytes.length);
      new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
      return Boolean(await run(engine.take));
    },
    end: async () => Boolean(await run(engine.end)),
  };
}
