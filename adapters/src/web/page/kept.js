// What is kept over a reload and over the loss of an engine: the game, who plays it, the options that were changed.
//
// What is found may be anything: an older page wrote it, or another program at this address. Nothing in it may keep the page
// from coming up.

const KEY = "leap-game";
/** How often the same is tried while engines are lost in the midst of it; then without options, then not at all. */
const TRIES = 2;

/** Keeps something. Without storage a reload begins anew. */
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
/** What each part must be. One that is missing is no fault. */
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
 * What was kept, as far as it is of the right kind, `{ id, start, moves, ply, values, players, level, isFlipped, left }`: values a
 * list of names with texts, and left what had to be left out. Null if nothing was kept. Counts as a try until something is
 * kept again.
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
  // Moves belong to where they began.
  if (left.includes("start")) delete kept.moves;
  if (tries === TRIES) return { ...kept, values: [], left: [...left, "values"] };
  const values = Object.entries(kept.values ?? {});
  left.push(...values.filter(([, value]) => !isText(value)).map(([name]) => name));
  return { ...kept, values: values.filter(([, value]) => isText(value)), left };
}

/** Undefined if nothing was kept, or nothing can be; null if it cannot be read. */
function read() {
  let text;
  try {
    text = sessionStorage.getItem(KEY) ?? undefined;
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return text === undefined ? undefined : null;
  }
}
