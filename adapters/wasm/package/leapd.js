#!/usr/bin/env node
// The engine on standard input and output, for clients that start a process.

import { Leapd } from "./index.js";

const engine = new Leapd({
  onLine: (line) => process.stdout.write(`${line}\n`),
  onEnd: (error) => {
    if (error) process.stderr.write(`leapd: ${error.message}\n`);
    // When this callback is called, everything written to the pipe has been handed over.
    process.stdout.write("", () => process.exit(error ? 1 : 0));
  },
});
process.stdin.on("data", (bytes) => engine.write(bytes));
process.stdin.on("end", () => engine.end());
process.stdout.on("error", () => process.exit());
