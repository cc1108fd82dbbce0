// The way to the engine: a WebSocket of `leap web`, where a text frame is a line of the protocol.
//
// In a page without a server, exported/connection.js takes the place of this file.

import { door } from "../meeting/guests.js";
import { secrets } from "../meeting/secrets.js";
import { t } from "../ui/i18n.js";
import { BUSY, CUT, Lines, ownServer, Unopened } from "./session.js";

/** Keeps the page in the browser, if it needs no server. */
export const keepPage = () => {};

/** How often a busy server is asked again, and after how long. The engine of the previous page may be about to end. */
const TRIES = 5;
const PAUSE_MS = 400;

/**
 * Connects: resolves to `{ isOpen, send, close }`, or rejects with a reason for people. `onLine(line)` receives every line,
 * `onCut(isCut)` is told when the connection is cut for a while, and `onClose(reason)` is called once. The signal ends the
 * connection immediately, even while it opens.
 * @param {ConnectOptions} options
 */
export async function connect(options) {
  const { signal } = options;
  const address = ownServer();
  // At the door for guests, the first line tells who asks.
  const secret = door === "guests" ? (secrets().host ?? secrets().join ?? "") : null;
  for (let left = TRIES; ; left--) {
    try {
      return await Lines.open({ ...options, address, secret });
    } catch (error) {
      if (!(error instanceof Unopened)) throw error;
      const reason = await refusal(error, signal);
      if (reason !== t("lost.busy") || left === 1 || signal.aborted) throw new Error(reason);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/**
 * Why a connection was refused. Scripts cannot see the answer to a WebSocket, so the server is asked once more.
 * @param {Unopened} error
 * @param {AbortSignal} signal
 */
async function refusal({ code, message }, signal) {
  if (code === BUSY) return t("lost.busy");
  if (code !== CUT) return message;
  const answer = await fetch("engine", { method: "POST", signal }).catch(() => null);
  if (!answer) return t("lost.unreachable");
  return t(answer.status === 503 ? "lost.busy" : "lost.notStarted");
}
