// The first lesson of a game: positions to solve by hand, from the engine's guide (SPEC 4.40a).

import { open } from "../game/setup.js";
import { byId } from "../ui/dom.js";
import { t } from "../ui/i18n.js";
import { practise } from "./practice.js";
import { setKnown } from "./teaching.js";

/** The weakest level (settings.js). */
const WEAKEST = "0";

/**
 * The tasks of a guide, with the clause that each belongs to.
 * @param {Guide} guide
 * @param {string} id
 */
export const tasksOf = ({ clauses }, id) =>
  clauses.flatMap(({ heading, tasks }) =>
    tasks.map(({ fen, moves, goal }) => ({
      id,
      start: fen,
      accepted: moves,
      goal: () => goal,
      /** @param {string} move */
      why: (move) => t("lesson.other", { move, rule: heading }),
    })),
  );

/**
 * Starts the first lesson of a game.
 * @param {App} app
 */
export async function startLesson(app, id = app.game.id) {
  const guide = app.game.guides.get(id);
  if (!guide) return;
  byId("guide").close();
  setKnown(app);
  await practise(app, tasksOf(guide, id), {
    title: () => t("lesson.title", { game: app.game.titleOf(id) }),
    atEnd: { say: () => t("lesson.finished"), label: () => t("lesson.play"), act: () => play(app, id) },
    onGame: (other) => (app.game.guides.get(other)?.hasLesson ? startLesson(app, other) : null),
  });
}

/**
 * A game against the weakest level. The person begins.
 * @param {App} app
 * @param {string} id
 */
const play = (app, id) =>
  open(app, { id, players: { p1: "human", p2: "engine" }, levels: { p1: WEAKEST, p2: WEAKEST }, control: "", isFlipped: false });
