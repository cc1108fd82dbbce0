// The way to the engine: a WebSocket of `leap web`, where a text frame is a line of the protocol.
//
// In a page without a server its place is taken by exported/connection.js.

import { named, t } from "./i18n.js";

/** Whether there is a server, which reads files. */
export const HAS_SERVER = true;

/**
 * Connects: resolves to `{ isOpen, send, close }`, or rejects with a reason for people. `onLine(line)` receives every line, and
 * `onClose(reason)` is called once.
 */
export function connect({ onLine, onClose }) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws${location.protocol === "https:" ? "s" : ""}://${location.host}/engine`);
    let isOpen = false;
    socket.onopen = () => {
      isOpen = true;
      resolve({
        get isOpen() {
          return socket.readyState === WebSocket.OPEN;
        },
        send: (line) => socket.send(line),
        close: () => socket.close(),
      });
    };
    socket.onmessage = ({ data }) => onLine(data);
    socket.onclose = ({ code }) => {
      if (isOpen) onClose(named("lost", String(code)) ?? t("lost.connection"));
      else reject(new Error(t("lost.busy")));
    };
  });
}
