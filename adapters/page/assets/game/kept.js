// State that survives a reload and the loss of an engine: the game and its clocks in this tab, the settings in all of them.
//
// The stored data may be anything, and nothing in it may prevent the page from loading.

import { load, store } from "../ui/storage.js";
import { MAX_DEPTH } from "./tree.js";

const KEY = "leap-board";
const SETTINGS = "leap-settings";
/** How often a state is tried while engines crash on it. It is then tried once without options, and afterwards dropped. */
const TRIES = 2;

/** Stores a state. Without storage a reload starts from the beginning. */
export function keep(what) {
  store(KEY, what, "sessionStorage");
  // Settings that a game from a file has set aside are the ones to store.
  const settings = Object.entries({ ...what, ...what.own }).filter(([part]) => part in SETTING_KINDS);
  store(SETTINGS, Object.fromEntries(settings));
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === "string";
const isFlag = (value) => typeof value === "boolean";
const isSide = (value) => value === "human" || value === "engine";
const isLevel = (value) => isText(value) && /^\d{1,2}$/.test(value);
const SIDES = ["p1", "p2"];
const isPair = (value) => Array.isArray(value) && value.length === 2 && value.every(isText);
const isList = (value, isKind) => Array.isArray(value) && value.every(isKind);
const orNull = (isKind) => (value) => value === null || isKind(value);
const isVerdict = (value) => /^(p1win|p2win|draw)$/.test(value?.result) && isText(value.reason);
const isSource = (value) => isList(value?.tags, isPair) && isText(value.result);
const isMove = (value) => isText(value) && /^\S+$/.test(value);
const isCount = (value) => value === undefined || (Number.isSafeInteger(value) && value >= 0);
const isScore = (value) => value === undefined || [value?.cp, value?.mate].filter(Number.isSafeInteger).length === 1;
const isGlyph = (value) => Number.isInteger(value) && value >= 0 && value < 256;

/** Whether a value is a line of a tree (tree.js), with variations that are at most so deep within one another. */
function isLine(value, depth = MAX_DEPTH) {
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

/** Whether a value is a position of a review (review.js), or null in place of one. */
function isReviewed(value) {
  if (value === null) return true;
  const isFound = isText(value?.best) && isList(value.line, isMove) && isList(value.effects, isText) && isText(value.score?.kind);
  return SIDES.includes(value?.side) && value.chance >= 0 && value.chance <= 1 && (value.score === undefined || isFound);
}

/** Whether a value is what a review is judged by (yardstick.js). An old review has none. */
const isYardstick = (value) => value === undefined || (value?.strictness > 0 && (value.scale === null || value.scale > 0));

/** Whether a value is a review as `ReviewCard.kept` has it. */
const isReview = (value) => isList(value?.moves, isMove) && isList(value.positions, isReviewed) && isYardstick(value.yardstick);

/** The type of each part of a game. A missing part is not an error. */
const GAME_KINDS = {
  id: isText,
  start: orNull(isText),
  moves: (value) => isList(value, isMove),
  plies: orNull((value) => isLine(value)),
  path: orNull((value) => isList(value, isMove)),
  hasTakenBack: isFlag,
  ply: (value) => Number.isInteger(value) && value >= 0,
  options: orNull((value) => isList(value, isPair)),
  verdict: orNull(isVerdict),
  source: orNull(isSource),
  review: orNull(isReview),
  key: isText,
  isPaused: isFlag,
  isCounting: isFlag,
  own: orNull((value) => SETTING_KINDS.players(value?.players) && SETTING_KINDS.control(value.control)),
  times: orNull((value) => Number.isFinite(value?.p1) && Number.isFinite(value?.p2)),
};
/** The type of each setting. */
const SETTING_KINDS = {
  values: isObject,
  players: (value) => isSide(value?.p1) && isSide(value?.p2),
  levels: (value) => isLevel(value?.p1) && isLevel(value?.p2),
  control: (value) => isText(value) && value.length < 10,
  isAnalysing: isFlag,
  isFollowing: isFlag,
  isFlipped: isFlag,
};
const KINDS = { ...GAME_KINDS, ...SETTING_KINDS };

/** Whether a value is a game with its players, as far as that can be known without an engine. */
export const isGame = (value) =>
  isObject(value) &&
  isText(value.id) &&
  Array.isArray(value.moves) &&
  Object.keys(KINDS).every((part) => value[part] === undefined || KINDS[part](value[part]));

/**
 * The stored state, as far as it is valid; null if nothing is stored. It has the parts above. `values` becomes a
 * list of names with texts, and `left` names the dropped parts. A new tab gets the settings alone. The call counts
 * as a try until a state is stored again.
 */
export function takeKept() {
  const game = load(KEY, "sessionStorage");
  const found = game ?? load(SETTINGS);
  if (found === undefined) return null;
  const tries = Number.isInteger(found?.tries) ? found.tries : 0;
  if (!isObject(found) || tries > TRIES) return { values: [], left: ["everything"] };
  keep({ ...found, tries: tries + 1 });
  const parts = Object.keys(KINDS).filter((part) => found[part] !== undefined);
  const left = parts.filter((part) => !KINDS[part](found[part]));
  if (game !== undefined && game.id === undefined) left.push("game");
  const kept = Object.fromEntries(parts.filter((part) => !left.includes(part)).map((part) => [part, found[part]]));
  // Moves are meaningless without their start.
  if (left.includes("start")) delete kept.moves;
  if (tries === TRIES) return { ...kept, values: [], left: [...left, "values"] };
  const values = Object.entries(kept.values ?? {});
  left.push(...values.filter(([, value]) => !isText(value)).map(([name]) => name));
  return { ...kept, values: values.filter(([, value]) => isText(value)), left };
}
