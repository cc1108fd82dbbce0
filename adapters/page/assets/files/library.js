// Games to choose from: the recent ones, and those of a file.

import { byId, html } from "../ui/dom.js";
import { language, named, t } from "../ui/i18n.js";
import { showDialog } from "../ui/trail.js";
import { forgetAllBut, recall, recent } from "./recent.js";
import { namesOf } from "./records.js";

/** @param {string | undefined} result */
const resultText = (result) => named("result", result ?? "") ?? t("result.none");

/**
 * Shows the recent games, and the way back to the previous game if there is one.
 * @param {App} app
 */
export function showRecent(app) {
  const games = recent().filter(({ key }) => key !== app.key);
  const format = new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" });
  /** @param {RecentGame} game */
  const line = ({ id, moves, ending, when }) =>
    [app.game.titleOf(id), t("library.moves", { n: moves.length }), resultText(ending), when ? format.format(when) : ""].join(" · ");
  byId("recent").replaceChildren(
    ...games.map((game) => html("li", {}, html("button", { type: "button", class: "recent", "data-recent": game.key }, line(game)))),
  );
  byId("recent-none").hidden = games.length > 0;
  byId("forget-recent").hidden = games.length === 0;
  byId("bring-back").hidden = !app.left || app.left === app.key || !recall(app.left);
}

/**
 * Forgets the recent games, except for the one on the board.
 * @param {App} app
 */
export function forgetRecent(app) {
  forgetAllBut(app.key);
  showRecent(app);
}

/**
 * Lets a person choose one of the games of a file, or all of them to browse. `found` is null if none is chosen.
 * @param {App} app
 * @param {FoundGame[]} games
 * @returns {Promise<{ found: FoundGame | null, isForAll: boolean }>}
 */
export function chooseGame(app, games) {
  const dialog = byId("chooser");
  const list = byId("choices");
  list.replaceChildren(...games.map((game, at) => html("option", { value: at, selected: at === 0 }, `${at + 1}. ${choiceText(app, game)}`)));
  byId("chooser-count").textContent = t("library.count", { n: games.length });
  dialog.returnValue = "";
  showDialog(dialog);
  list.focus();
  return new Promise((resolve) => {
    dialog.onclose = () => resolve({ found: dialog.returnValue ? games[Number(list.value)] : null, isForAll: dialog.returnValue === "browse" });
  });
}

/**
 * The players of a game, its result and its length.
 * @param {App} app
 * @param {FoundGame} game
 */
function choiceText(app, { id, moves, record }) {
  const parts = [app.game.titleOf(id ?? app.ids[0]), t("library.moves", { n: moves.length })];
  if (!record) return parts.join(" · ");
  const { p1, p2 } = namesOf(record);
  return [`${p1} – ${p2}`, resultText(record.result), ...parts].join(" · ");
}

/** Enter and a double click open the chosen game. */
export function listenToChooser() {
  const list = byId("choices");
  const open = () => byId("chooser").close("open");
  list.addEventListener("dblclick", open);
  list.addEventListener("keydown", ({ key }) => key === "Enter" && open());
}
