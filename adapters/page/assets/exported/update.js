// Keeps the page in the browser with a service worker, so that it works without a network. Offers new versions.

import { html } from "../ui/dom.js";
import { t } from "../ui/i18n.js";

/** @import { Attribute } from "../ui/dom.js" */

/** Keeps the page. Where the browser cannot keep it, the page works all the same. */
export async function keepPage() {
  const registration = await navigator.serviceWorker?.register("service.js").catch(() => null);
  if (!registration) return;
  // The first version of all takes over by itself.
  const look = () => registration.waiting && registration.active && offer(registration);
  look();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", look));
  document.addEventListener("visibilitychange", () => document.hidden || registration.update().catch(() => {}));
}

/** @param {ServiceWorkerRegistration} registration */
function offer(registration) {
  if (document.getElementById("update")) return;
  /**
   * @param {string} key
   * @param {"span" | "button"} name
   * @param {Record<string, Attribute>} attributes
   */
  const text = (key, name, attributes = {}) => html(name, { "data-t": key, ...attributes }, t(key));
  const button = text("update.reload", "button", { type: "button", id: "reload", class: "primary", onclick: () => reload(registration) });
  document.querySelector("header")?.after(html("p", { id: "update", role: "status" }, text("update.ready", "span"), button));
}

/**
 * Reloads this page in the new version. Other pages stay in theirs.
 * @param {ServiceWorkerRegistration} registration
 */
function reload({ waiting }) {
  // Another page may have asked for it already.
  if (!waiting) return location.reload();
  waiting.addEventListener("statechange", () => waiting.state === "activated" && location.reload());
  waiting.postMessage("takeOver");
}
