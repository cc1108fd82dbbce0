// Another try at one's mistakes: the positions of a review before them, as exercises.

import { practise, withReply } from "../practice/practice.js";
import { t } from "../ui/i18n.js";
import { ownChance } from "./chances.js";
import { chanceOfResult, isWrong, lossOf } from "./judgement.js";
import { NODES, SECOND_LOOK } from "./review.js";

/** The sides whose mistakes are tried again: those of people, or both in a game without one. */
function sidesOf(players) {
  const people = Object.keys(players).filter((side) => players[side] === "human");
  return people.length ? people : Object.keys(players);
}

/** The plies of the mistakes, in the order of the game. */
export const mistakes = (review, players) => {
  const sides = sidesOf(players);
  return review.wrong.filter((move) => sides.includes(move.side)).map((move) => move.ply);
};

/** The exercise of a mistake. Right is every move that is no mistake itself. */
export function taskOf(review, ply, { id, start, options }) {
  const { before } = review.choice(ply);
  const { best } = review.positions[ply - 1];
  return {
    id,
    start,
    moves: review.moves.slice(0, ply - 1),
    options,
    answer: best,
    goal: (side) => t("retry.goal", { side, move: review.moves[ply - 1] }),
    judge: async ({ person, look }) => {
      const { move, status, score, chance, reply } = await look(`nodes ${SECOND_LOOK * NODES}`);
      const { scale } = review.yardstick;
      const seen = () => (scale ? ownChance(score, null, scale) : chance);
      const after = status.over === "true" ? chanceOfResult(status.result, person) : seen();
      const choice = { before, after, isBest: move === best, isForced: false };
      if (!isWrong(choice)) return { isRight: true, why: "", reply: null };
      const why = withReply(t("retry.wrong", { move, n: Math.round(100 * lossOf(choice)) }), reply);
      return { isRight: false, why, reply };
    },
  };
}

/**
 * Starts the exercises of a reviewed game.
 * @param {App} app
 */
export function retry(app, review) {
  const tasks = mistakes(review, app.players).map((ply) => taskOf(review, ply, app.game));
  return practise(app, tasks, { title: () => t("retry.title") });
}
