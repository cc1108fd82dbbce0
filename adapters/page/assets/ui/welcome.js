// The greeting above the board at a person's first visit: what the page is, and where to begin.

import { byId } from "./dom.js";
import { t } from "./i18n.js";
import { load, store } from "./storage.js";

const KEY = "leap-greeted";

const isGreeted = () => load(KEY) === true;

/** The page has something to show beside its board. */
export const setStarted = () => document.querySelector("main")?.classList.remove("starting");

/**
 * Whether a person is greeted. The page then does not also offer to explain a game.
 * @param {App} app
 */
export function greet({ ids }) {
  const isNew = !isGreeted();
  byId("greeting").hidden = !isNew;
  byId("greeting-what").textContent = t("greeting.what", { n: ids.length });
  return isNew;
}

/** From now on the person is known here. */
export function setGreeted() {
  if (!isGreeted()) store(KEY, true);
  byId("greeting").hidden = true;
}
