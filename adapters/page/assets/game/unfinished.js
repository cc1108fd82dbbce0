// The game of a closed tab: a new one offers to go on with it.

import { recall, recent, setAside } from "../files/recent.js";
import { byId } from "../ui/dom.js";
import { language, t } from "../ui/i18n.js";
import { isElsewhere } from "./locks.js";

/**
 * The newest unfinished game that was closed with its tab and that no other tab has; null if there is none.
 * @param {string[]} ids
 */
export function unfinishedGame(ids) {
  /** @param {RecentGame} game */
  const isOpen = ({ id, key, ending, isSetAside, moves }) =>
    ids.includes(id) && ending === "none" && moves.length > 0 && !isSetAside && !isElsewhere(key);
  return recent().find(isOpen) ?? null;
}

/**
 * Offers a game, or none.
 * @param {App} app
 * @param {RecentGame | null} game
 */
export function offerUnfinished(app, game) {
  app.offered = game?.key ?? null;
  showOffer(app);
}

/**
 * Shows the offer as long as nothing else is begun.
 * @param {App} app
 */
export function showOffer(app) {
  const game = app.offered && app.game.moves.length === 0 ? recall(app.offered) : null;
  byId("unfinished").hidden = !game;
  if (!game) return;
  byId("continue").textContent = t("unfinished.continue", { game: app.game.titleOf(game.id) });
  const format = new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" });
  byId("unfinished-what").textContent = [t("library.moves", { n: game.moves.length }), format.format(game.when)].join(" · ");
}

/**
 * The person does not want the game, now or in the next tab. An engine that has waited for the answer begins.
 * @param {App} app
 */
export async function decline(app) {
  if (app.offered) setAside(app.offered);
  app.offered = null;
  showOffer(app);
  if (app.isPaused && app.game.isAtEnd) await app.resume();
}
