// The way to the engine in a page without a server (`leap web --export`): a worker of the page runs it.

import { t } from "./i18n.js";
import { Leapd } from "./leapd/index.js";

/** Whether there is a server, which reads files. */
export const HAS_SERVER = false;

// With all of its files kept by the browser, the page works without a network. Where that cannot be, it works all the same.
navigator.serviceWorker?.register("service.js").catch(() => {});

/** See the other connection.js. */
export async function connect({ onLine, onClose }) {
  let isOpen = true;
  const close = (reason) => {
    if (!isOpen) return;
    isOpen = false;
    onClose(reason);
  };
  const engine = new Leapd({ onLine, onEnd: () => close(t("lost.1011")) });
  return {
    get isOpen() {
      return isOpen;
    },
    send: (line) => engine.send(line),
    close() {
      engine.terminate();
      close(t("lost.connection"));
    },
  };
}
