// The line of news beside the board. Its sentences follow from the state of the game, so none outlives the state.

import { announce, byId, html } from "./dom.js";
import { t } from "./i18n.js";
import { isOnlyPerson, other, sideName } from "./panels.js";

/**
 * That the side to move has just moved.
 * @param {App} app
 */
function again({ game, players }) {
  const side = game.status.turn;
  if (isOnlyPerson(players, side)) return t("turn.youAgain");
  if (isOnlyPerson(players, other(side)) && players[side] === "engine") return t("turn.engineAgain");
  return t("turn.sideAgain", { side: sideName(game.board, side) });
}

/**
 * The sentences, the urgent ones first: pairs of a text and whether it is urgent. What does not hold has no text.
 * @param {App} app
 * @returns {[text: string | boolean | null | undefined, isUrgent: boolean][]}
 */
function sentences(app) {
  const { conduct, game, isPaused, latest } = app;
  const isOn = !game.isOver && game.isAtEnd;
  return [
    [latest?.isAgain && isOn && again(app), true],
    [latest && t("turn.played", { side: sideName(game.board, latest.side), move: latest.moves.join(" · ") }), false],
    [isOn && conduct.isOffering && t("draw.goesWithMove"), false],
    [isOn && isPaused && t("conduct.paused"), false],
  ];
}

/** @param {App} app */
export function showNews(app) {
  const parts = sentences(app).flatMap(([text, isUrgent]) => (text ? [html(isUrgent ? "strong" : "span", {}, String(text)), " "] : []));
  announce(byId("news"), ...parts);
}
