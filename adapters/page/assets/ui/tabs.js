// The panel beside the board: one of its parts is shown, and the tabs choose which.

import { showCurrent } from "../game/moves.js";
import { byId } from "./dom.js";

/** @typedef {"play" | "moves" | "analysis" | "review" | "practice" | "settings"} Tab */

/** @type {Tab[]} */
const NAMES = ["play", "moves", "analysis", "review", "practice", "settings"];
/**
 * The parts that are of use while an exercise is on the board.
 * @type {Set<Tab>}
 */
const OF_EXERCISE = new Set(["practice", "settings"]);

/**
 * The parts beside which a person reads the moves. CSS hides the list where there is no room for both.
 * @type {Set<Tab>}
 */
const WITH_MOVES = new Set(["analysis", "review"]);

/** The part that is shown. */
export const shownTab = () => NAMES.find((name) => !byId(`panel-${name}`).hidden);

/**
 * Shows a part of the panel.
 * @param {Tab} chosen
 */
export function openTab(chosen) {
  for (const name of NAMES) {
    const isChosen = name === chosen;
    byId(`panel-${name}`).hidden = !isChosen;
    byId(`tab-${name}`).setAttribute("aria-selected", String(isChosen));
    byId(`tab-${name}`).tabIndex = isChosen ? 0 : -1;
  }
  if (WITH_MOVES.has(chosen)) byId(`panel-${chosen}`).append(byId("record"));
  else byId("panel-moves").prepend(byId("record"));
  showCurrent();
}

/**
 * Offers only the parts that are of use during an exercise, or all of them again.
 * @param {boolean} isExercise
 */
export function limitTabs(isExercise) {
  for (const name of NAMES) byId(`tab-${name}`).disabled = isExercise && !OF_EXERCISE.has(name);
  if (isExercise) openTab("practice");
}

/**
 * The tab that a key leads to from this one; null if it leads nowhere.
 * @param {Tab} name
 * @param {string} key
 */
function next(name, key) {
  const open = NAMES.filter((each) => !byId(`tab-${each}`).disabled && byId(`tab-${each}`).checkVisibility());
  const at = open.indexOf(name);
  const to = new Map([
    ["ArrowLeft", at - 1],
    ["ArrowRight", at + 1],
    ["Home", 0],
    ["End", open.length - 1],
  ]).get(key);
  return to === undefined ? null : open[(to + open.length) % open.length];
}

/** Listens to the tabs. */
export function listenTabs() {
  openTab(NAMES[0]);
  addEventListener("resize", showCurrent);
  for (const name of NAMES) {
    byId(`tab-${name}`).addEventListener("click", () => openTab(name));
    byId(`tab-${name}`).addEventListener("keydown", (event) => {
      const to = next(name, event.key);
      if (!to) return;
      event.preventDefault();
      openTab(to);
      byId(`tab-${to}`).focus();
    });
  }
}
