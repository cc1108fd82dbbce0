// The review of a game. An engine of its own values each position of the main line, and each move is judged by what it loses.

import { chanceFor, chanceOf, scoreFor } from "./chances.js";
import { pairs } from "./dom.js";
import { Engine } from "./engine.js";
import { positionCommand } from "./game.js";
import { t } from "./i18n.js";
import { accuracyOf, chanceOfResult, isDoubtful, isWrong, labelOf, LABELS, lossOf } from "./judgement.js";
import { readOption } from "./settings.js";

/** The nodes of a position, and of a position around a doubtful move. */
const NODES = 50_000;
export const NODES_OF_SECOND_LOOK = 4 * NODES;
/** The longest line that is told in place of a move, in plies. */
const LONGEST_LINE = 8;
/** What engines that have these options are set to: they tell chances, and their scores hold for both sides. */
const JUDGING = [
  ["UCI_ShowWDL", "true"],
  ["Contempt", "0"],
];

/** The moves of a game with the values of the positions between them. */
export class Review {
  /**
   * @param moves those of the main line
   * @param positions the values found so far, one more than moves in the end: `{ side, chance, score, best, line, effects, isForced }`.
   *   The chance is p1's. `effects` has those of the best move and of the played one (SPEC 4.28).
   */
  constructor(moves, positions = []) {
    Object.assign(this, { moves, positions });
  }

  get isComplete() {
    return this.positions.length > this.moves.length;
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

  /** The accuracy of a side from 0 to 100, and how many moves have each label, from the heaviest. */
  summary(side) {
    const choices = this.choices(side);
    const counts = LABELS.map((label) => choices.filter((choice) => labelOf(choice) === label).length);
    return { accuracy: accuracyOf(choices), counts };
  }

  /** The moves with a label, in the order of the game: `{ ply, side, choice }`. */
  get wrong() {
    const judged = this.moves.map((_, at) => ({ ply: at + 1, side: this.positions[at]?.side, choice: this.choice(at + 1) }));
    return judged.filter(({ choice }) => choice && isWrong(choice));
  }

  /** Those that lose most, the worst first. */
  worst(most) {
    return this.wrong.sort((one, other) => lossOf(other.choice) - lossOf(one.choice)).slice(0, most);
  }

  /** Writes what was found about a move into the tree: its evaluation, its label, and the better line as a variation. */
  annotate(tree, ply) {
    const node = tree.main[ply - 1];
    const choice = this.choice(ply);
    if (!node || !choice) return;
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

/** Values the positions that a review has not valued yet. Calls `onPosition` after each. The signal ends it. */
export async function carryOut(review, { id, start, rules }, { signal, onPosition }) {
  const engine = await Engine.connect({ onLost: () => {}, signal });
  try {
    const greeting = await engine.command("ugi", "ugiok");
    const known = new Set(greeting.map((line) => readOption(line)?.name));
    const options = [["Game", id], ...rules, ...JUDGING.filter(([name]) => known.has(name))];
    await Promise.all(options.map(([name, value]) => engine.command(`setoption name ${name} value ${value}`)));
    const value = async (ply, nodes) => {
      review.positions[ply] = await examine(engine, { start, moves: review.moves, ply, nodes });
    };
    const deep = new Set(); // the positions with a second look
    const lookAgain = async (ply) => {
      if (deep.has(ply)) return;
      await value(ply, NODES_OF_SECOND_LOOK);
      deep.add(ply);
    };
    for (let ply = review.positions.length; ply <= review.moves.length; ply++) {
      await value(ply, NODES);
      // What a second look finds may put the blame on an earlier move.
      let first = ply;
      for (; first > 0 && isDoubtful(review.choice(first)) && !(deep.has(first - 1) && deep.has(first)); first--) {
        await lookAgain(first - 1);
        await lookAgain(first);
      }
      for (let changed = first; changed <= ply; changed++) onPosition(changed);
    }
  } finally {
    engine.close();
  }
}

/** What an engine finds in a position. */
async function examine(engine, { start, moves, ply, nodes }) {
  const placed = engine.command(positionCommand(start, moves.slice(0, ply)));
  const [, answer, legal] = await Promise.all([placed, engine.ask("query status"), engine.ask("query moves limit 2").catch(() => "")]);
  const { turn: side, over, result } = pairs(answer.split(" "));
  if (over === "true") return { side, chance: chanceOfResult(result, "p1") };
  const { best, info } = await engine.evaluate(`nodes ${nodes}`);
  if (!info || !best || best === "none") throw new Error(t("review.noAnswer"));
  const { score, pv } = info;
  const effectsOf = (move) => (move ? engine.ask(`query effects ${move}`).catch(() => "") : "");
  const effects = await Promise.all([best, moves[ply]].map(effectsOf));
  const line = pv[0] === best ? pv.slice(0, LONGEST_LINE) : [best];
  return { side, chance: chanceOf(info, side), score, best, line, effects, isForced: legal.startsWith("1 ") };
}
