// Another try at one's mistakes: the positions of a review before them, as exercises.

import { practise, withReply } from "../practice/practice.js";
import { t } from "../ui/i18n.js";
import { SIDES } from "../ui/panels.js";
import { ownChance } from "./chances.js";
import { chanceOfResult, isWrong, lossOf } from "./judgement.js";
import { NODES, SECOND_LOOK } from "./review.js";

/**
 * The sides whose mistakes are tried again: those of people, or both in a game without one.
 * @param {Players} players
 */
function sidesOf(players) {
  const people = SIDES.filter((side) => players[side] === "human");
  return people.length ? people : SIDES;
}

/**
 * The plies of the mistakes, in the order of the game.
 * @param {Review} review
 * @param {Players} players
 */
export const mistakes = (review, players) => {
  const sides = sidesOf(players);
  return review.wrong.filter((move) => sides.includes(move.side)).map((move) => move.ply);
};

/**
 * The exercise of a mistake. Right is every move that is no mistake itself.
 * @param {Review} review
 * @param {number} ply
 * @param {Pick<Game, "id" | "start" | "options">} game
 * @returns {Task}
 */
export function taskOf(review, ply, { id, start, options }) {
  const before = review.choice(ply)?.before ?? 0;
  const best = review.positions[ply - 1]?.best;
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
      const seen = () => (scale && score ? ownChance(score, null, scale) : (chance ?? 0));
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
 * @param {Review} review
 */
export function retry(app, review) {
  const tasks = mistakes(review, app.players).map((ply) => taskOf(review, ply, app.game));
  return practise(app, tasks, { title: () => t("retry.title") });
}
