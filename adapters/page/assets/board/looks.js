// How the board and pieces look, and whether moves are heard. A person chooses for all games and visits.

import { byId } from "../ui/dom.js";
import { loadObject, store } from "../ui/storage.js";
import { setStyle } from "./pieces.js";

const KEY = "leap-looks";
/** @typedef {"board" | "pieces" | "sound"} Kind */

/** @type {Kind[]} */
const KINDS = ["board", "pieces", "sound"];
/** @type {("board" | "pieces")[]} */
const DRAWN = ["board", "pieces"];
/** The choices of each kind, the usual one first. The colours of boards are in looks.css, the pieces in pieces.svg. */
export const CHOICES = { board: ["wood", "stone", "sea", "clear"], pieces: ["flat", "shaded", "letters"], sound: ["on", "off"] };

/** The choices in force. */
export const looks = { board: CHOICES.board[0], pieces: CHOICES.pieces[0], sound: CHOICES.sound[0] };

/** Takes over the choices that are stored, as far as they are known, and returns all in force. */
export function recallLooks() {
  const stored = loadObject(KEY);
  for (const kind of KINDS) looks[kind] = CHOICES[kind].find((choice) => choice === stored[kind]) ?? looks[kind];
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
  for (const kind of DRAWN) byId(`look-${kind}`).value = looks[kind];
  /**
   * @param {Kind} kind
   * @param {string} value
   */
  const take = (kind, value) => {
    looks[kind] = value;
    setStyle(looks.pieces);
    store(KEY, looks);
    document.documentElement.dataset.board = looks.board;
    if (!app.game?.board || kind === "sound") return;
    app.view.build(app.game.board);
    app.draw();
  };
  for (const kind of DRAWN) {
    const list = byId(`look-${kind}`);
    list.addEventListener("change", () => app.guarded(() => take(kind, list.value)));
  }
  byId("sound").addEventListener("change", () => take("sound", byId("sound").checked ? "on" : "off"));
}
