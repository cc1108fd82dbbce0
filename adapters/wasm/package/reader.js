// The reader of files in a worker (adapters/reader/src/lib.rs): a message is a file as bytes, the answer is JSON.

import { load, post, serve } from "./threads.js";

const decoder = new TextDecoder();
const starting = load("reader.wasm").then((bytes) => WebAssembly.instantiate(bytes));

serve(async (file) => {
  const reader = (await starting).instance.exports;
  // This much of a file that is too long is enough to refuse it.
  const bytes = file.subarray(0, reader.longest() + 1);
  const at = reader.room(bytes.length);
  new Uint8Array(reader.memory.buffer, at, bytes.length).set(bytes);
  const length = reader.read();
  post(decoder.decode(new Uint8Array(reader.memory.buffer, reader.answer(), length)));
});
