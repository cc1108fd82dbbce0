// The review of a game. An engine of its own values each position of the main line, and each move is judged by what it loses,
// as in `leap analyse` (adapters/analyse/tests/judgements.json).

import { Engine } from "../engine/engine.js";
import { positionCommand } from "../game/game.js";
import { pairs } from "../ui/dom.js";
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

/** The moves of a game with the values of the positions between them. */
export class Review {
  moves;
  positions;
  yardstick; // by which chances and accuracies are judged; it is known once an engine reviews

  /**
   * @param moves those of the main line
   * @param positions their values, one more than moves, null where not known yet:
   *   `{ side, chance, score, best, line, effects, isForced, isDeep }`. The chance is p1's. `effects` has those of the best move
   *   and of the played one (SPEC 4.28). A position is deep after its second look.
   */
  constructor(moves, positions = [], yardstick = yardstickOf("", "", USUAL)) {
    Object.assign(this, { moves, yardstick, positions: Array.from({ length: moves.length + 1 }, (_, at) => positions[at] ?? null) });
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
    const isLeft = (ply) => {
      const choice = this.choice(ply);
      return choice !== null && isDoubtful(choice) && !(this.positions[ply - 1].isDeep && this.positions[ply].isDeep);
    };
    for (let ply = this.moves.length; ply > 0; ply--) if (isLeft(ply)) return ply;
    return null;
  }

  /**
   * Searches what is left: all positions once, from the end, so that the engine's table knows what follows, then those around
   * doubtful moves again. `search(ply, times)` returns the value of a position, found with so many times the nodes.
   */
  async complete(search) {
    const { positions } = this;
    const value = async (ply, times) => {
      positions[ply] = { ...(await search(ply, times)), isDeep: times > 1 };
    };
    for (let ply = this.moves.length; ply >= 0; ply--) if (!positions[ply]) await value(ply, 1);
    for (let ply = this.doubtful; ply !== null; ply = this.doubtful) {
      for (const each of [ply, ply - 1]) if (!positions[each].isDeep) await value(each, SECOND_LOOK);
    }
  }

  /** The move that leads to a position, as it is judged; null for the first, and while the position has no value. */
  choice(ply) {
    const [from, to] = [this.positions[ply - 1], this.positions[ply]];
    if (!from || !to) return null;
    const [before, after] = [from, to].map(({ chance }) => chanceFor(chance, from.side));
    return { before, after, isBest: from.best === this.moves[ply - 1], isForced: from.isForced };
  }

  /** The choices of a side. */
  choices(side) {
    const plies = this.moves.map((_, at) => at + 1).filter((ply) => this.positions[ply - 1]?.side === side);
    return plies.map((ply) => this.choice(ply)).filter(Boolean);
  }

  /** The accuracy of a side from 0 to 100, how many moves have each label, from the heaviest, and how many were decided. */
  summary(side) {
    const choices = this.choices(side);
    const counts = LABELS.map((label) => choices.filter((choice) => labelOf(choice) === label).length);
    return { accuracy: accuracyOf(choices, this.yardstick.strictness), counts, decided: choices.filter(isDecided).length };
  }

  /** The moves with a label, in the order of the game: `{ ply, side, choice }`. */
  get wrong() {
    const judged = this.moves.map((_, at) => ({ ply: at + 1, side: this.positions[at]?.side, choice: this.choice(at + 1) }));
    return judged.filter(({ choice }) => choice && isWrong(choice));
  }

  /** Those of a side that lose most, in the order of the game. */
  worst(side, most) {
    const own = this.wrong.filter((move) => move.side === side);
    const chosen = own.sort((one, other) => lossOf(other.choice) - lossOf(one.choice)).slice(0, most);
    return chosen.sort((one, other) => one.ply - other.ply);
  }

  /** Writes what was found into the tree: for each move its evaluation, its label, and the better line as a variation. */
  annotate(tree) {
    for (const [at, node] of tree.main.entries()) this.#annotate(node, at + 1);
  }

  #annotate(node, ply) {
    const choice = this.choice(ply);
    const [from, to] = [this.positions[ply - 1], this.positions[ply]];
    if (to.score) node.score ??= scoreOf(to, from.side);
    const label = labelOf(choice);
    const own = LABELS.map(({ glyph }) => glyph);
    node.glyphs = [...(label ? [label.glyph] : []), ...(node.glyphs ?? []).filter((glyph) => !own.includes(glyph))];
    if (!label || !from.line) return;
    const [first] = node.parent.add(from.line.map((move) => ({ move })));
    first.score ??= scoreOf(from, from.side);
  }
}

/** The score of a position from a side's view, as records have it. */
function scoreOf({ side, score }, view) {
  const { kind, value } = scoreFor(score, side, view);
  return { [kind]: value };
}

/**
 * Completes a review of a game: `level` is that of its players, and `effortOf(ply)` returns the limits of their searches around a
 * position, or null. Calls `onPosition` before each search. The signal ends it.
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

/** What an engine finds in a position. */
async function examine(engine, { start, moves, ply, limits, scale }) {
  const placed = engine.command(positionCommand(start, moves.slice(0, ply)));
  const [, answer, legal] = await Promise.all([placed, engine.ask("query status"), engine.ask("query moves limit 2").catch(() => "")]);
  const { turn: side, over, result } = pairs(answer.split(" "));
  if (over === "true") return { side, chance: chanceOfResult(result, "p1") };
  const { best, info } = await evaluate(engine, limits);
  const { score, pv } = info;
  const effectsOf = (move) => (move ? engine.ask(`query effects ${move}`).catch(() => "") : "");
  const effects = await Promise.all([best, moves[ply]].map(effectsOf));
  const line = pv[0] === best ? pv.slice(0, LONGEST_LINE) : [best];
  return { side, chance: chanceOf(info, side, scale), score, best, line, effects, isForced: legal.startsWith("1 ") };
}

/** The engine's move and the `info` about it, by the last of the searches that has a score. A search may be too short for one. */
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
