// What a person sees at the first visit, above the board: what this is, and where to begin. It does not come back.

import { byId } from "./dom.js";
import { t } from "./i18n.js";
import { load, store } from "./storage.js";

const KEY = "leap-greeted";

const isGreeted = () => load(KEY) === true;

/** Whether a person is greeted; a game is then not offered to be explained as well. */
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
