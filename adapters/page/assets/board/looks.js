// How the board and pieces look, and whether moves are heard. A person chooses for all games and visits.

import { byId } from "../ui/dom.js";
import { load, store } from "../ui/storage.js";
import { setStyle } from "./pieces.js";

const KEY = "leap-looks";
/** The choices of each kind, the usual one first. The colours of boards are in looks.css, the pieces in pieces.svg. */
export const CHOICES = { board: ["wood", "stone", "sea", "clear"], pieces: ["flat", "shaded", "letters"], sound: ["on", "off"] };

/** The choices in force. */
export const looks = Object.fromEntries(Object.entries(CHOICES).map(([kind, [usual]]) => [kind, usual]));

/** Takes over the choices that are stored, as far as they are known, and returns all in force. */
export function recallLooks() {
  const stored = load(KEY);
  for (const kind of Object.keys(CHOICES)) if (CHOICES[kind].includes(stored?.[kind])) looks[kind] = stored[kind];
  setStyle(looks.pieces);
  return looks;
}

/**
 * Applies the choices and listens to their fields.
 * @param {App} app
 */
export function listenToLooks(app) {
  recallLooks();
  document.documentElement.dataset.board = looks.board;
  const { sound } = looks;
  byId("sound").checked = sound === "on";
  for (const kind of ["board", "pieces"]) byId(`look-${kind}`).value = looks[kind];
  const take = (kind, value) => {
    looks[kind] = value;
    setStyle(looks.pieces);
    store(KEY, looks);
    document.documentElement.dataset.board = looks.board;
    if (!app.game?.board || kind === "sound") return;
    app.view.build(app.game.board);
    app.draw();
  };
  for (const kind of ["board", "pieces"])
    byId(`look-${kind}`).addEventListener("change", ({ target }) => app.guarded(() => take(kind, target.value)));
  byId("sound").addEventListener("change", ({ target }) => take("sound", target.checked ? "on" : "off"));
}
