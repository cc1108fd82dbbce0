// State that survives a reload and the loss of an engine: the game and its clocks in this tab, the settings in all of them.
//
// The stored data may be anything, and nothing in it may prevent the page from loading.

import { isObject, isPositive, load, store } from "../ui/storage.js";
import { MAX_DEPTH } from "./tree.js";

/** @import { SavedReview } from "../review/review.js" */

/**
 * A game with its players, as it is stored. Any part but the id and the moves may be missing.
 * @typedef {object} KeptGame
 * @property {string} id
 * @property {string | null} [start] a position text; null for the start of the game
 * @property {string[]} moves
 * @property {Ply[] | null} [plies]
 * @property {string[] | null} [path]
 * @property {boolean} [hasTakenBack]
 * @property {number} [ply]
 * @property {OptionPair[] | null} [options]
 * @property {Verdict | null} [verdict]
 * @property {Source | null} [source]
 * @property {SavedReview | null} [review]
 * @property {string} [key]
 * @property {boolean} [isPaused]
 * @property {boolean} [isCounting]
 * @property {{ players: Players, control: string } | null} [own]
 * @property {Record<Side, number> | null} [times]
 * @property {Players} [players]
 * @property {Record<Side, string>} [levels]
 * @property {string} [control]
 * @property {boolean} [isAnalysing]
 * @property {boolean} [isFollowing]
 * @property {boolean} [isFlipped]
 */
/** @typedef {Partial<KeptGame> & { values: OptionPair[], left: string[] }} KeptState with options, and the names of the dropped parts */
/** @typedef {(value: unknown) => boolean} Check */

const KEY = "leap-board";
const SETTINGS = "leap-settings";
/** How often a state is tried while engines crash on it. It is then tried once without options, and afterwards dropped. */
const TRIES = 2;

/**
 * Stores a state. Without storage a reload starts from the beginning.
 * @param {Record<string, unknown>} what
 */
export function keep(what) {
  store(KEY, what, "sessionStorage");
  // Settings that a game from a file has set aside are the ones to store.
  const settings = Object.entries({ ...what, ...(isObject(what.own) ? what.own : {}) }).filter(([part]) => part in SETTING_KINDS);
  store(SETTINGS, Object.fromEntries(settings));
}

/**
 * @param {unknown} value
 * @returns {value is string}
 */
const isText = (value) => typeof value === "string";
/** @param {unknown} value */
const isFlag = (value) => typeof value === "boolean";
/** @param {unknown} value */
const isSide = (value) => value === "p1" || value === "p2";
/** @param {unknown} value */
const isPlayer = (value) => value === "human" || value === "engine";
/** @param {unknown} value */
const isLevel = (value) => isText(value) && /^\d{1,2}$/.test(value);
/** @param {unknown} value */
const isPair = (value) => isList(value, isText) && value.length === 2;
/**
 * @param {unknown} value
 * @param {Check} isKind
 * @returns {value is unknown[]}
 */
const isList = (value, isKind) => Array.isArray(value) && value.every((each) => isKind(each));
/**
 * @param {Check} isKind
 * @returns {Check}
 */
const orNull = (isKind) => (value) => value === null || isKind(value);
/** @param {unknown} value */
const isResult = (value) => isText(value) && /^(p1win|p2win|draw)$/.test(value);
/** @param {unknown} value */
const isVerdict = (value) => isObject(value) && isResult(value.result) && isText(value.reason);
/** @param {unknown} value */
const isSource = (value) => isObject(value) && isList(value.tags, isPair) && isText(value.result);
/** @param {unknown} value */
const isMove = (value) => isText(value) && /^\S+$/.test(value);
/** @param {unknown} value */
const isCount = (value) => value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0);
/** @param {unknown} value */
const isScore = (value) => value === undefined || (isObject(value) && [value.cp, value.mate].filter(Number.isSafeInteger).length === 1);
/** @param {unknown} value */
const isGlyph = (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 256;
/** @param {unknown} value */
const isShare = (value) => typeof value === "number" && value >= 0 && value <= 1;

/**
 * Whether a value is a line of a tree (tree.js), with variations that are at most so deep within one another.
 * @param {unknown} value
 * @param {number} depth
 * @returns {value is unknown[]}
 */
function isLine(value, depth = MAX_DEPTH) {
  /** @type {Check} */
  const isPly = (ply) =>
    isObject(ply) &&
    isMove(ply.move) &&
    isScore(ply.score) &&
    [ply.depth, ply.nodes, ply.timeUs].every(isCount) &&
    isList(ply.glyphs ?? [], isGlyph) &&
    isText(ply.text ?? "") &&
    isList(ply.variations ?? [], (line) => depth > 0 && isLine(line, depth - 1) && line.length > 0);
  return isList(value, isPly);
}

/**
 * Whether a value is a position of a review (review.js).
 * @param {unknown} value
 */
function isReviewed(value) {
  if (!isObject(value) || !isSide(value.side) || !isShare(value.chance)) return false;
  const { best, line, effects, score } = value;
  return score === undefined || (isText(best) && isList(line, isMove) && isList(effects, isText) && isObject(score) && isText(score.kind));
}

/**
 * Whether a value is what a review is judged by (yardstick.js). An old review has none.
 * @param {unknown} value
 */
const isYardstick = (value) =>
  value === undefined || (isObject(value) && isPositive(value.strictness) && (value.scale === null || isPositive(value.scale)));

/**
 * Whether a value is a review as `Reviewer.save` has it.
 * @param {unknown} value
 */
const isReview = (value) =>
  isObject(value) && isList(value.moves, isMove) && isList(value.positions, orNull(isReviewed)) && isYardstick(value.yardstick);

/**
 * Whether a value has something of this type for each side.
 * @param {Check} isKind
 * @returns {Check}
 */
const forBoth = (isKind) => (value) => isObject(value) && isKind(value.p1) && isKind(value.p2);

/**
 * The type of each setting.
 * @type {Record<string, Check>}
 */
const SETTING_KINDS = {
  values: isObject,
  players: forBoth(isPlayer),
  levels: forBoth(isLevel),
  control: (value) => isText(value) && value.length < 10,
  isAnalysing: isFlag,
  isFollowing: isFlag,
  isFlipped: isFlag,
};
/**
 * The type of each part of a game, and of each setting. A missing part is not an error.
 * @type {Record<string, Check>}
 */
const KINDS = {
  id: isText,
  start: orNull(isText),
  moves: (value) => isList(value, isMove),
  plies: orNull((value) => isLine(value)),
  path: orNull((value) => isList(value, isMove)),
  hasTakenBack: isFlag,
  ply: (value) => value !== undefined && isCount(value),
  options: orNull((value) => isList(value, isPair)),
  verdict: orNull(isVerdict),
  source: orNull(isSource),
  review: orNull(isReview),
  key: isText,
  isPaused: isFlag,
  isCounting: isFlag,
  own: orNull((value) => isObject(value) && SETTING_KINDS.players(value.players) && SETTING_KINDS.control(value.control)),
  times: orNull(forBoth(Number.isFinite)),
  ...SETTING_KINDS,
};

/**
 * Whether a value is a game with its players, as far as that can be known without an engine.
 * @param {unknown} value
 * @returns {value is KeptGame}
 */
export const isGame = (value) =>
  isObject(value) &&
  isText(value.id) &&
  Array.isArray(value.moves) &&
  Object.keys(KINDS).every((part) => value[part] === undefined || KINDS[part](value[part]));

/**
 * The stored state, as far as it is valid; null if nothing is stored. It has the parts above. `values` becomes a
 * list of names with texts, and `left` names the dropped parts. A new tab gets the settings alone. The call counts
 * as a try until a state is stored again.
 * @returns {KeptState | null}
 */
export function takeKept() {
  const game = load(KEY, "sessionStorage");
  const found = game ?? load(SETTINGS);
  if (found === undefined) return null;
  const tries = isObject(found) && Number.isInteger(found.tries) ? Number(found.tries) : 0;
  if (!isObject(found) || tries > TRIES) return { values: [], left: ["everything"] };
  keep({ ...found, tries: tries + 1 });
  const parts = Object.keys(KINDS).filter((part) => found[part] !== undefined);
  const left = parts.filter((part) => !KINDS[part](found[part]));
  if (game !== undefined && found.id === undefined) left.push("game");
  /** @type {Partial<KeptGame> & { values?: Record<string, unknown> }} */
  const kept = Object.fromEntries(parts.filter((part) => !left.includes(part)).map((part) => [part, found[part]]));
  // Moves are meaningless without their start.
  if (left.includes("start")) delete kept.moves;
  if (tries === TRIES) return { ...kept, values: [], left: [...left, "values"] };
  /** @type {OptionPair[]} */
  const values = [];
  for (const [name, value] of Object.entries(kept.values ?? {})) {
    if (isText(value)) values.push([name, value]);
    else left.push(name);
  }
  return { ...kept, values, left };
}
