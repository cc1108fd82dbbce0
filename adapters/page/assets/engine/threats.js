// Threats: what the other side would play if the side to move passed. No game has a pass (SPEC 9), so the engine is asked
// about the same position with the other side to move.

import { t } from "../ui/i18n.js";
import { Refused } from "./engine.js";

/** How long the engine looks for a threat, in milliseconds. */
const LOOK_MS = 600;

/**
 * The position text (SPEC 9.7) with the other side to move.
 * @param {string} fen
 */
export function passed(fen) {
  const [board, side, ...rest] = fen.split(" ");
  return [board, side === "1" ? "2" : "1", ...rest].join(" ");
}

/**
 * Shows the threat at the displayed position as an arrow, or hides it again.
 * @param {App} app
 */
export async function showThreat(app) {
  const { analysis, game } = app;
  const isShown = analysis.isThreatening;
  if (game.isOver) return;
  analysis.threaten(null);
  if (!isShown) await find(app);
  app.draw();
}

/** @param {App} app */
async function find(app) {
  app.say(t("threat.searching"));
  const move = await app.searches.apart(async (engine, search) => {
    try {
      await engine.command(`position fen ${passed(app.game.fen)}`);
    } catch (error) {
      if (error instanceof Refused) return null;
      throw error;
    }
    return search(`movetime ${LOOK_MS}`);
  });
  if (move === null) return app.say(t("threat.refused"));
  if (move === "none") return app.say(t("threat.none"));
  app.analysis.threaten(move);
  app.say(t("threat.move", { move }));
}
