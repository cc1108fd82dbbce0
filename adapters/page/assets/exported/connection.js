// The way to the engine in a page without a server (`leap web --export`). A worker of the page runs it, unless the page uses an
// engine at home.

import { connectHome } from "../engine/home.js";
import { Leapd } from "../leapd/index.js";
import { t } from "../ui/i18n.js";

// This module stands in the place of engine/connection.js.
export { keepPage } from "../exported/update.js";

/**
 * See the other connection.js.
 * @param {ConnectOptions} options
 */
export const connect = async (options) => (await connectHome(options)) ?? connectWorker(options);

/** @param {ConnectOptions} options */
function connectWorker({ onLine, onClose, signal }) {
  if (signal.aborted) throw new Error(t("lost.connection"));
  let isOpen = true;
  /** @param {string} reason */
  const close = (reason) => {
    if (!isOpen) return;
    isOpen = false;
    onClose(reason);
  };
  const engine = new Leapd({ onLine, onEnd: () => close(t("lost.1011")) });
  const leave = () => {
    engine.terminate();
    close(t("lost.connection"));
  };
  signal.addEventListener("abort", leave, { once: true });
  return {
    get isOpen() {
      return isOpen;
    },
    /** @param {string} line */
    send: (line) => engine.send(line),
    close: leave,
  };
}
