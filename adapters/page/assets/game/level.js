// The level that follows the results: it rises after a win of the person and falls after a loss. A draw keeps it.
//
// Only a whole game between one person and one engine tells how strong the person is. In a game from a file, others have
// moved. With moves taken back, anyone wins. Such games change no level, and no game counts twice.

import { t } from "../ui/i18n.js";
import { isOnlyPerson, other, SIDES } from "../ui/panels.js";
import { levelOf, RUNGS } from "../ui/settings.js";

/**
 * The id of the level after a result. It stays after a draw, at both ends, and where it is not one of the rungs.
 * @param {string} id
 * @param {string} result
 * @param {Side} engineSide
 */
export function levelAfter(id, result, engineSide) {
  const at = RUNGS.findIndex((level) => level.id === id);
  if (at < 0 || result === "draw") return id;
  const next = RUNGS[result === `${engineSide}win` ? at - 1 : at + 1];
  return next?.id ?? id;
}

export class Ladder {
  isOn = false;
  isCounting = false; // the result of the game in play will count

  /**
   * A game is set up. It counts from its start position on; a stored one as it did before.
   * @param {{ start: string | null, moves: string[] }} game
   * @param {boolean} isCounting
   */
  begin({ start, moves }, isCounting = start === null && moves.length === 0) {
    this.isCounting = isCounting;
  }

  /** The game in play does not count: a move was taken back, or a player was exchanged. */
  spoil() {
    this.isCounting = false;
  }

  /**
   * Takes note of the end of a game. If the level changes, the page says so.
   * @param {App} app
   */
  follow(app) {
    const { conduct, game, players } = app;
    if (!game.isOver) return;
    const isCounting = this.isOn && this.isCounting;
    this.isCounting = false;
    const engineSide = SIDES.find((side) => isOnlyPerson(players, other(side)));
    if (!isCounting || !engineSide) return;
    const { result } = game.status;
    const before = conduct.levels[engineSide];
    const level = levelAfter(before, result, engineSide);
    if (level === before) return;
    conduct.levels[engineSide] = level;
    conduct.showChoices();
    app.say(t(result === `${engineSide}win` ? "ladder.falls" : "ladder.rises", { level: levelOf(level)?.name() }));
  }
}
