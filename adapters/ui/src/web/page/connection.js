// The way to the engine: a WebSocket of `leap web`, where a text frame is a line of the protocol.
//
// In a page without a server, exported/connection.js takes the place of this file.

import { door } from "./guests.js";
import { named, t } from "./i18n.js";
import { secrets } from "./joined.js";

/** Keeps the page in the browser, if it needs no server. */
export const keepPage = () => {};

/** How often a busy server is asked again, and after how long. The engine of the previous page may be about to end. */
const TRIES = 5;
const PAUSE_MS = 400;

/**
 * Connects: resolves to `{ isOpen, send, close }`, or rejects with a reason for people. `onLine(line)` receives
 * every line, and `onClose(reason)` is called once. The signal ends the connection immediately, even while it opens.
 */
export async function connect({ onLine, onClose, signal }) {
  for (let left = TRIES; ; left--) {
    const connection = await open({ onLine, onClose, signal });
    if (connection) return connection;
    const reason = await refusal(signal);
    if (reason !== "lost.busy" || left === 1 || signal.aborted) throw new Error(t(reason));
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Resolves to a connection, or to null if it is refused. */
function open({ onLine, onClose, signal }) {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(null);
    const socket = new WebSocket(`ws${location.protocol === "https:" ? "s" : ""}://${location.host}/engine`);
    let isOpen = false;
    let hasEnded = false;
    const end = (reason) => {
      if (hasEnded) return;
      hasEnded = true;
      if (isOpen) onClose(reason);
      else resolve(null);
    };
    socket.onopen = () => {
      isOpen = true;
      // At the door for guests, the first line tells who asks.
      if (door === "guests") socket.send(`secret ${secrets().host ?? secrets().join ?? ""}`);
      resolve({
        get isOpen() {
          return socket.readyState === WebSocket.OPEN;
        },
        send: (line) => socket.send(line),
        close: () => socket.close(),
      });
    };
    socket.onmessage = ({ data }) => hasEnded || onLine(data);
    socket.onclose = ({ code }) => end(named("lost", String(code)) ?? t("lost.connection"));
    const leave = () => {
      socket.close();
      end(t("lost.connection"));
    };
    signal.addEventListener("abort", leave, { once: true });
  });
}

/** Why a connection was refused. Scripts cannot see the answer to a WebSocket, so the server is asked once more. */
async function refusal(signal) {
  const answer = await fetch("engine", { method: "POST", signal }).catch(() => null);
  if (!answer) return "lost.unreachable";
  return answer.status === 503 ? "lost.busy" : "lost.notStarted";
}
