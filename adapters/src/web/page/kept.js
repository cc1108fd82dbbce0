// State that survives a reload and the loss of an engine: the game, its players, the changed options.
//
// The stored data may be anything: an older page or another program at this address may have written it. Nothing in it may
// prevent the page from loading.

const KEY = "leap-game";
/** How often a state is tried while engines crash on it; then it is tried without options, then not at all. */
const TRIES = 2;

/** Stores a state. Without storage a reload starts from the beginning. */
export function keep(what) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(what));
  } catch {
    // Nothing depends on it.
  }
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === "string";
const isSide = (value) => value === "human" || value === "engine";
/** The type of each part. A missing part is not an error. */
const KINDS = {
  id: isText,
  start: (value) => value === null || isText(value),
  moves: (value) => Array.isArray(value) && value.every((move) => isText(move) && /^\S+$/.test(move)),
  ply: (value) => Number.isInteger(value) && value >= 0,
  values: isObject,
  players: (value) => isSide(value?.p1) && isSide(value?.p2),
  level: (value) => /^\d$/.test(value),
  isFlipped: (value) => typeof value === "boolean",
};

/**
 * The stored state, as far as it is valid: `{ id, start, moves, ply, values, players, level, isFlipped, left }`, where values is a
 * list of names with texts, and left names the dropped parts. Null if nothing is stored. Counts as a try until a state is
 * stored again.
 */
export function takeKept() {
  const found = read();
  if (found === undefined) return null;
  const tries = Number.isInteger(found?.tries) ? found.tries : 0;
  if (!isObject(found) || tries > TRIES) return { values: [], left: ["everything"] };
  keep({ ...found, tries: tries + 1 });
  const parts = Object.keys(KINDS).filter((part) => found[part] !== undefined);
  const left = parts.filter((part) => !KINDS[part](found[part]));
  const kept = Object.fromEntries(parts.filter((part) => !left.includes(part)).map((part) => [part, found[part]]));
  // Moves are meaningless without their start.
  if (left.includes("start")) delete kept.moves;
  if (tries === TRIES) return { ...kept, values: [], left: [...left, "values"] };
  const values = Object.entries(kept.values ?? {});
  left.push(...values.filter(([, value]) => !isText(value)).map(([name]) => name));
  return { ...kept, values: values.filter(([, value]) => isText(value)), left };
}

/** Undefined if nothing is or can be stored; null if it cannot be read. */
function read() {
  let text;
  try {
    text = sessionStorage.getItem(KEY) ?? undefined;
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return text === undefined ? undefined : null;
  }
}
