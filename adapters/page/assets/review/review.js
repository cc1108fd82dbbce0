// The review of a game. An engine of its own values each position of the main line, and each move is judged by what it loses,
// as in `leap analyse` (adapters/analyse/tests/judgements.json).

import { Engine } from "../engine/engine.js";
import { positionCommand, readStatus } from "../game/messages.js";
import { t } from "../ui/i18n.js";
import { readOption } from "../ui/settings.js";
import { chanceFor, chanceOf, scoreFor } from "./chances.js";
import { accuracyOf, chanceOfResult, isDecided, isDoubtful, isWrong, labelOf, LABELS, lossOf } from "./judgement.js";
import { USUAL, yardstickOf } from "./yardstick.js";

/** The nodes of a position, and of one around a doubtful move: those of `leap analyse`. */
export const NODES = 10_000;
export const SECOND_LOOK = 10;
/** The nodes of further searches, until one has a score. */
const MORE = [4, 16, 64].map((times) => times * NODES);
/** The longest line that is told in place of a move, in plies. */
const LONGEST_LINE = 8;
/** What engines that have these options are set to: they tell chances, and their scores hold for both sides. */
const JUDGING = [
  ["UCI_ShowWDL", "true"],
  ["Contempt", "0"],
];

/**
 * The value of a position. The chance is p1's. The rest is not known of a position in which the game is over.
 * @typedef {object} ReviewedPosition
 * @property {Side} side that is to move
 * @property {number} chance
 * @property {Score} [score]
 * @property {string} [best] the best move
 * @property {string[]} [line]
 * @property {string[]} [effects] those of the best move and of the played one (SPEC 4.28)
 * @property {boolean} [isForced]
 * @property {boolean} [isDeep] whether it had its second look
 */
/** @typedef {{ moves: string[], positions: (ReviewedPosition | null)[], yardstick?: Yardstick }} SavedReview */
/** @typedef {{ ply: number, side: Side, choice: Choice }} Mistake a move with a label */
/**
 * A game to review: `level` is that of its players, and `effortOf(ply)` returns the limits of their searches around a position, or
 * null.
 * @typedef {object} ReviewedGame
 * @property {string} id
 * @property {string | null} start
 * @property {OptionPair[]} rules
 * @property {number} level
 * @property {(ply: number) => string | null} effortOf
 */
/** @typedef {import("./yardstick.js").Yardstick} Yardstick */

/** The moves of a game with the values of the positions between them. */
export class Review {
  /**
   * @param {string[]} moves those of the main line
   * @param {(ReviewedPosition | null)[]} positions their values, one more than moves, null where not known yet
   * @param {Yardstick} yardstick by which chances and accuracies are judged; it is known once an engine reviews
   */
  constructor(moves, positions = [], yardstick = yardstickOf("", "", USUAL)) {
    this.moves = moves;
    this.positions = Array.from({ length: moves.length + 1 }, (_, at) => positions[at] ?? null);
    this.yardstick = yardstick;
  }

  /** The chances of p1; null where they are not known yet. */
  get chances() {
    return this.positions.map((position) => position?.chance ?? null);
  }

  /** How many positions have a value. */
  get count() {
    return this.positions.filter(Boolean).length;
  }

  get isComplete() {
    return this.positions.every(Boolean) && this.doubtful === null;
  }

  /** The ply of the last doubtful move without a second look; null if there is none. */
  get doubtful() {
    /** @param {number} ply */
    const isLeft = (ply) => {
      const choice = this.choice(ply);
      return choice !== null && isDoubtful(choice) && !(this.positions[ply - 1]?.isDeep && this.positions[ply]?.isDeep);
    };
    for (let ply = this.moves.length; ply > 0; ply--) if (isLeft(ply)) return ply;
    return null;
  }

  /**
   * Searches what is left: all positions once, from the end, so that the engine's table knows what follows, then those around
   * doubtful moves again. `search(ply, times)` returns the value of a position, found with so many times the nodes.
   * @param {(ply: number, times: number) => Promise<ReviewedPosition>} search
   */
  async complete(search) {
    const { positions } = this;
    /**
     * @param {number} ply
     * @param {number} times
     */
    const value = async (ply, times) => {
      positions[ply] = { ...(await search(ply, times)), isDeep: times > 1 };
    };
    for (let ply = this.moves.length; ply >= 0; ply--) if (!positions[ply]) await value(ply, 1);
    for (let ply = this.doubtful; ply !== null; ply = this.doubtful) {
      for (const each of [ply, ply - 1]) if (!positions[each]?.isDeep) await value(each, SECOND_LOOK);
    }
  }

  /**
   * The move that leads to a position, as it is judged; null for the first, and while the position has no value.
   * @param {number} ply
   * @returns {Choice | null}
   */
  choice(ply) {
    const [from, to] = [this.positions[ply - 1], this.positions[ply]];
    if (!from || !to) return null;
    const [before, after] = [from, to].map(({ chance }) => chanceFor(chance, from.side));
    return { before, after, isBest: from.best === this.moves[ply - 1], isForced: from.isForced };
  }

  /**
   * The choices of a side.
   * @param {Side} side
   */
  choices(side) {
    const plies = this.moves.map((_, at) => at + 1).filter((ply) => this.positions[ply - 1]?.side === side);
    return plies.map((ply) => this.choice(ply)).filter(Boolean);
  }

  /**
   * The accuracy of a side from 0 to 100, how many moves have each label, from the heaviest, and how many were decided.
   * @param {Side} side
   */
  summary(side) {
    const choices = this.choices(side);
    const counts = LABELS.map((label) => choices.filter((choice) => labelOf(choice) === label).length);
    return { accuracy: accuracyOf(choices, this.yardstick.strictness), counts, decided: choices.filter(isDecided).length };
  }

  /**
   * The moves with a label, in the order of the game.
   * @returns {Mistake[]}
   */
  get wrong() {
    return this.positions.flatMap((position, at) => {
      const choice = this.choice(at + 1);
      return position && choice && isWrong(choice) ? [{ ply: at + 1, side: position.side, choice }] : [];
    });
  }

  /**
   * Those of a side that lose most, in the order of the game.
   * @param {Side} side
   * @param {number} most
   */
  worst(side, most) {
    const own = this.wrong.filter((move) => move.side === side);
    const chosen = own.sort((one, other) => lossOf(other.choice) - lossOf(one.choice)).slice(0, most);
    return chosen.sort((one, other) => one.ply - other.ply);
  }

  /**
   * Writes what was found into the tree: for each move its evaluation, its label, and the better line as a variation.
   * @param {Tree} tree
   */
  annotate(tree) {
    for (const [at, node] of tree.main.entries()) this.#annotate(node, at + 1);
  }

  /**
   * @param {TreeNode} node
   * @param {number} ply
   */
  #annotate(node, ply) {
    const choice = this.choice(ply);
    const [from, to] = [this.positions[ply - 1], this.positions[ply]];
    if (!choice || !from || !to) return;
    node.score ??= scoreOf(to, from.side);
    const label = labelOf(choice);
    const own = LABELS.map(({ glyph }) => glyph);
    node.glyphs = [...(label ? [label.glyph] : []), ...(node.glyphs ?? []).filter((glyph) => !own.includes(glyph))];
    if (!label || !from.line) return;
    const [first] = node.parent?.add(from.line.map((move) => ({ move }))) ?? [];
    if (first) first.score ??= scoreOf(from, from.side);
  }
}

/**
 * The score of a position from a side's view, as records have it; undefined if the game is over.
 * @param {ReviewedPosition} position
 * @param {Side} view
 * @returns {Ply["score"]}
 */
function scoreOf({ side, score }, view) {
  if (!score) return undefined;
  const { kind, value } = scoreFor(score, side, view);
  return kind === "mate" ? { mate: value } : { cp: value };
}

/**
 * Completes a review of a game: `level` is that of its players, and `effortOf(ply)` returns the limits of their searches around a
 * position, or null. Calls `onPosition` before each search. The signal ends it.
 * @param {Review} review
 * @param {ReviewedGame} game
 * @param {{ signal: AbortSignal, onPosition: () => void }} control
 */
export async function carryOut(review, { id, start, rules, level, effortOf }, { signal, onPosition }) {
  const engine = await Engine.connect({ onLost: () => {}, signal });
  try {
    const greeting = await engine.command("ugi", "ugiok");
    const name = greeting.find((line) => line.startsWith("id name "))?.slice("id name ".length) ?? "";
    review.yardstick = yardstickOf(name, id, level);
    const known = new Set(greeting.map((line) => readOption(line)?.name));
    const options = [["Game", id], ...rules, ...JUDGING.filter(([name]) => known.has(name))];
    await Promise.all(options.map(([name, value]) => engine.command(`setoption name ${name} value ${value}`)));
    await review.complete(async (ply, times) => {
      onPosition();
      // Nobody is blamed by a weaker search than the one that chose the move.
      const limits = [`nodes ${times * NODES}`, times > 1 && effortOf(ply)].filter(Boolean);
      return await examine(engine, { start, moves: review.moves, ply, limits, scale: review.yardstick.scale });
    });
  } finally {
    engine.close();
  }
}

/**
 * What an engine finds in a position.
 * @param {Engine} engine
 * @param {{ start: string | null, moves: string[], ply: number, limits: string[], scale: number | null }} place
 * @returns {Promise<ReviewedPosition>}
 */
async function examine(engine, { start, moves, ply, limits, scale }) {
  const placed = engine.command(positionCommand(start, moves.slice(0, ply)));
  const [, answer, legal] = await Promise.all([placed, engine.ask("query status"), engine.ask("query moves limit 2").catch(() => "")]);
  const { turn: side, over, result } = readStatus(answer);
  if (over === "true") return { side, chance: chanceOfResult(result, "p1") };
  const { best, info } = await evaluate(engine, limits);
  const { score, pv } = info;
  /** @param {string | undefined} move */
  const effectsOf = (move) => (move ? engine.ask(`query effects ${move}`).catch(() => "") : "");
  const effects = await Promise.all([best, moves[ply]].map(effectsOf));
  const line = pv[0] === best ? pv.slice(0, LONGEST_LINE) : [best];
  return { side, chance: chanceOf(info, side, scale), score, best, line, effects, isForced: legal.startsWith("1 ") };
}

/**
 * The engine's move and the `info` about it, by the last of the searches that has a score. A search may be too short for one.
 * @param {Engine} engine
 * @param {string[]} limits
 */
async function evaluate(engine, limits) {
  let found = null;
  for (const each of [...limits, ...MORE.map((nodes) => `nodes ${nodes}`)]) {
    if (found && !limits.includes(each)) break;
    const { best, info } = await engine.evaluate(each);
    if (best && best !== "none" && info) found = { best, info };
  }
  if (!found) throw new Error(t("review.noAnswer"));
  return found;
}
