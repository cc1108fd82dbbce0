// Games as files: records (SPEC 19) and transcripts of the session (SPEC 16).
//
// A file may come from anybody. Reading takes linear time and returns a game to be tried on the engine:
// `{ id, start, moves, options }`, where the options are a list of names with values.

/** The longest file that is accepted, in bytes, and the longest game in it. */
const MAX_BYTES = 4 << 20;
const MAX_MOVES = 10_000;
const RESULTS = new Set(["p1win", "p2win", "draw", "void", "*"]);

/** A foreign text for a message, truncated if it is long. */
export const quote = (text) => (text.length > 40 ? `'${text.slice(0, 40)}…'` : `'${text}'`);

/** Lets the browser save a text. */
export function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const escaped = (text) => `"${String(text).replace(/[\\"]/g, "\\$&")}"`;
/** The record of a game. */
export function writeRecord(game, players, options) {
  const { result } = game.status;
  const tags = [
    ["Game", game.id],
    ["Date", new Date().toISOString()],
    ["P1", players.p1],
    ["P2", players.p2],
  ];
  tags.push(["Result", result === "none" ? "*" : result]);
  if (game.isOver) tags.push(["Reason", `rules ${game.status.reason}`]);
  if (game.start) tags.push(["Fen", game.start]);
  tags.push(...Object.entries(options).map(([name, value]) => ["Option", `${name}=${value}`]));
  const moves = game.moves.map((move, at) => `${at + 1}. ${move}`);
  const head = tags.map(([name, value]) => `[${name} ${escaped(value)}]\n`).join("");
  return `${head}\n${[...moves, result === "none" ? "*" : result].join(" ")}\n\n`;
}

/** Reads a file: a record or a transcript, according to its beginning. */
export async function readFile(file) {
  if (file.size > MAX_BYTES) throw new Error(`expected a file of at most ${MAX_BYTES >> 20} MiB, found ${(file.size / (1 << 20)).toFixed(1)} MiB`);
  return readGame(decode(await file.arrayBuffer()));
}

function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("expected a text in UTF-8, found something else");
  }
}

function readGame(text) {
  if (text.trim() === "") throw new Error("expected a game record or a transcript, found an empty file");
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  return lines[0].startsWith("ugt ") ? readTranscript(lines) : readRecord(lines);
}

/** Appends moves to a game. */
function add(found, moves) {
  if (found.moves.length + moves.length > MAX_MOVES) throw new Error(`expected a game of at most ${MAX_MOVES} moves, found a longer one`);
  found.moves.push(...moves);
}

const words = (text) => text.split(/[ \t]+/).filter(Boolean);

// ---- records

/** The first game of a file of records. */
function readRecord(lines) {
  const found = { id: null, start: null, moves: [], options: [] };
  let at = lines.findIndex((line) => line.trim() !== "");
  for (; lines[at]?.startsWith("["); at++) {
    const [name, value] = readTag(lines[at], at + 1);
    if (name === "Game") found.id = value;
    if (name === "Fen") found.start = value;
    if (name === "Option") found.options.push(splitOnce(value, "="));
  }
  if (found.id === null) throw new Error(`line ${at + 1}: expected a record, which begins with [Game "…"], found ${quote(lines[at] ?? "")}`);
  readMoves(found, lines, at);
  return found;
}

function readTag(line, number) {
  const text = line.trimEnd();
  const begin = text.indexOf(' "');
  if (begin < 0 || !text.endsWith('"]') || begin + 2 > text.length - 2)
    throw new Error(`line ${number}: expected [Name "value"], found ${quote(text)}`);
  return [text.slice(1, begin), text.slice(begin + 2, -2).replace(/\\(.)/g, "$1")];
}

/** The parts before and after the first `sign`; without one, everything is before it. */
function splitOnce(text, sign) {
  const at = text.indexOf(sign);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** The moves from a line on, up to the result or the next game. Comments are skipped; they do not nest. */
function readMoves(found, lines, from) {
  let comment = 0; // the line where it began
  for (let at = from; at < lines.length; at++) {
    const line = lines[at];
    if (comment === 0 && line.startsWith("[")) return;
    for (let begin = 0, end; begin <= line.length; begin = end + 1) {
      end = line.indexOf(comment > 0 ? "}" : "{", begin);
      const isTurn = end >= 0;
      if (!isTurn) end = line.length;
      if (comment === 0 && isResultAfter(found, words(line.slice(begin, end)))) return;
      if (isTurn) comment = comment > 0 ? 0 : at + 1;
    }
  }
  if (comment > 0) throw new Error(`line ${comment}: expected a '}' after the comment, found the end of the file`);
}

/** Appends the moves among some words of a record; returns whether the result follows. */
function isResultAfter(found, text) {
  const end = text.findIndex((word) => RESULTS.has(word));
  add(
    found,
    text.slice(0, end < 0 ? undefined : end).filter((word) => !/^\d+\.+$/.test(word)),
  );
  return end >= 0;
}

// ---- transcripts

/** The last game of a transcript: follows its `position` and `move` lines and nothing else. */
function readTranscript(lines) {
  if (lines[0].trimEnd() !== "ugt 1") throw new Error(`line 1: expected ugt 1, found ${quote(lines[0])}`);
  const found = { id: null, start: null, moves: [], options: [] };
  for (const line of lines) {
    const isSaid = line.startsWith("> ");
    const [first, ...rest] = words(isSaid ? line.slice(2) : line);
    if (first === "game" && !isSaid) found.id = rest[0] ?? "";
    else if (first === (isSaid ? "setoption" : "option")) setOption(found, rest);
    else if (!isSaid) continue;
    else if (first === "position") setPosition(found, rest);
    else if (first === "move") add(found, rest);
    else if (first === "undo" && /^[1-9]\d*$/.test(rest[0] ?? "1")) found.moves.splice(-(rest[0] ?? 1));
    else if (first === "uginewgame" || first === "ucinewgame") Object.assign(found, { start: null, moves: [] });
  }
  return found;
}

function setOption(found, [, ...rest]) {
  const at = rest.indexOf("value");
  if (at < 0) return;
  const [name, value] = [rest.slice(0, at).join(" "), rest.slice(at + 1).join(" ")];
  if (name.toLowerCase() === "game") Object.assign(found, { id: value, start: null, moves: [] });
  else found.options.push([name, value]);
}

function setPosition(found, [kind, ...rest]) {
  const at = rest.indexOf("moves");
  const text = (at < 0 ? rest : rest.slice(0, at)).join(" ");
  Object.assign(found, { start: kind === "fen" ? text : null, moves: [] });
  if (at >= 0) add(found, rest.slice(at + 1));
}

// ---- the session

/** The session since the page was opened, as a transcript; the oldest lines are dropped. */
export class Log {
  #lines = [];
  #size = 0;
  #isPaused = false;

  /** Runs a task whose lines are not noted. */
  async without(task) {
    this.#isPaused = true;
    try {
      return await task();
    } finally {
      this.#isPaused = false;
    }
  }

  note(direction, line) {
    if (this.#isPaused) return;
    // Literal dots have to be marked in the transcript (SPEC 16.10).
    const sign = direction === "<" && line.includes("...") ? (line.startsWith("info ") ? "<*" : "<=") : direction;
    this.#lines.push(`${sign} ${line}`.trimEnd());
    this.#size += line.length;
    if (this.#lines.length > 50_000 || this.#size > 16 << 20) this.#forget();
  }

  #forget() {
    this.#lines.splice(0, Math.ceil(this.#lines.length / 4), "# earlier lines are left out");
    this.#size = this.#lines.reduce((size, line) => size + line.length, 0);
  }

  text() {
    return `ugt 1\n\n${this.#lines.join("\n")}\n`;
  }
}
