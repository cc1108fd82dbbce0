// The games of files. A worker reads each file and then ends, which frees its memory.

import { hear, OPTIONS, Worker } from "./threads.js";

const encoder = new TextEncoder();

/** See index.d.ts. */
export class Unread extends Error {
  constructor(refusal) {
    super(refusal.line === null ? refusal.text : `line ${refusal.line}: ${refusal.text}`);
    this.name = "Unread";
    this.refusal = refusal;
  }
}

/** See index.d.ts. */
export async function readGames(file) {
  const worker = new Worker(new URL("reader.js", import.meta.url), OPTIONS);
  try {
    const answer = new Promise((resolve, reject) => hear(worker, resolve, reject));
    worker.postMessage(typeof file === "string" ? encoder.encode(file) : file);
    const { games, ...refusal } = JSON.parse(await answer);
    if (games) return games;
    throw new Unread(refusal);
  } finally {
    worker.terminate();
  }
}
