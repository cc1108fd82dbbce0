// The choice of the language.

import { showHome } from "../engine/home.js";
import { open } from "../game/setup.js";
import { byId, html } from "./dom.js";
import { language, languages, speak, translate } from "./i18n.js";

/**
 * Fills the list of languages and listens to it.
 * @param {App} app
 */
export function listenLanguage(app) {
  const list = byId("language");
  list.append(...languages().map(([tag, name]) => html("option", { value: tag, lang: tag, selected: tag === language() }, name)));
  list.addEventListener("change", () => app.act(() => change(app, list.value)));
}

/**
 * @param {App} app
 * @param {string} tag
 */
async function change(app, tag) {
  speak(tag);
  translate(document);
  if (!app.game?.board) return;
  app.searches.overtake();
  await app.engine.stop();
  await app.learn();
  await open(app, { ...app.describe(), isPaused: app.isPaused });
  showHome(app);
  await app.party?.show();
}
