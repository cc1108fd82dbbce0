// Game records, written (SPEC 19.13). They are read with the parser of the programs that play and referee (reading.js).

/** @import { FoundRecord } from "./files.js" */

/** The longest line of moves, as in the other programs. */
const WIDTH = 100;

/** @param {unknown} text */
const escaped = (text) => `"${String(text).replace(/[\\"]/g, "\\$&")}"`;

/**
 * The text of a record: pairs of tags, plies as a tree has them, and the word at the end.
 * @param {FoundRecord} record
 */
function write({ tags, plies, result }) {
  const format = plies.some(({ glyphs, text, variations }) => glyphs || text || variations) ? [["Format", "2"]] : [];
  const head = [...format, ...tags].map(([name, value]) => `[${name} ${escaped(value)}]\n`).join("");
  return `${head}\n${wrapped([...words(plies, 1), result])}\n\n`;
}

/**
 * The words of a line whose first move has this number. A line of the text may end after each of them.
 * @param {Ply[]} plies
 * @param {number} first
 * @returns {string[]}
 */
function words(plies, first) {
  return plies.flatMap(({ move, glyphs = [], variations = [], ...told }, at) => {
    const number = first + at;
    const signs = glyphs.map((glyph) => ` $${glyph}`).join("");
    const [begin, ...rest] = comment(told);
    const inner = variations.map((variation) => enclosed("(", words(variation, number), ")"));
    return [`${number}. ${move}${signs}${begin ? ` ${begin}` : ""}`, ...rest, ...inner.flat()];
  });
}

/**
 * The comment of a move: its keys with numbers, and the words of its text.
 * @param {Omit<Ply, "move">} told
 */
function comment({ score, depth, nodes, timeUs, text = "" }) {
  const keys = Object.entries({ ...score, depth, nodes, us: timeUs }).filter(([, value]) => value !== undefined);
  const told = keys.map(([key, value]) => `${key} ${value}`).join(" ");
  const said = text.split(/\s+/).filter(Boolean);
  const parts = [...(told ? [told] : []), ...(said.length ? [":", ...said.map((word) => word.replaceAll("}", ")"))] : [])];
  return enclosed("{", parts, "}");
}

/**
 * Puts signs before the first and after the last of some words.
 * @param {string} open
 * @param {string[]} parts
 * @param {string} close
 */
function enclosed(open, parts, close) {
  if (parts.length === 0) return parts;
  const [first, ...rest] = parts;
  const all = [open + first, ...rest];
  return [...all.slice(0, -1), all.at(-1) + close];
}

/** @param {string[]} parts */
function wrapped(parts) {
  const lines = [""];
  for (const part of parts) {
    const line = lines.at(-1);
    if (line && line.length + 1 + part.length > WIDTH) lines.push(part);
    else lines[lines.length - 1] = line ? `${line} ${part}` : part;
  }
  return lines.join("\n");
}

/**
 * The word for a result in records.
 * @param {{ result: string }} ending
 */
export const resultWord = ({ result }) => (result === "none" ? "*" : result);

/**
 * The record of a game. A game that was opened from a record, and whose main line has not changed, keeps the tags of that record.
 * `players` are the names of both sides, and `rules` the options that are not at their defaults.
 * @param {Pick<Game, "id" | "start" | "ending" | "source" | "tree">} game
 * @param {Record<Side, string | null>} players
 * @param {OptionPair[]} rules
 * @param {Date} now
 */
export function writeRecord(game, players, rules, now = new Date()) {
  const result = resultWord(game.ending);
  const { source } = game;
  const { plies } = game.tree;
  if (source?.result === result) return write({ tags: source.tags, plies, result });
  /** @type {Source["tags"]} */
  const tags = [
    ["Game", game.id],
    ["Date", now.toISOString()],
    ["P1", players.p1 ?? ""],
    ["P2", players.p2 ?? ""],
    ["Result", result],
  ];
  if (result !== "*") tags.push(["Reason", game.ending.isByRules ? `rules ${game.ending.reason}` : game.ending.reason]);
  if (game.start) tags.push(["Fen", game.start]);
  for (const option of rules) tags.push(["Option", option.join("=")]);
  return write({ tags, plies, result });
}

/**
 * How a record says that its game ended: `{ result, reason }`, or null if it is unfinished.
 * @param {Source} record
 * @returns {Verdict | null}
 */
export function verdictOf({ tags, result }) {
  if (result === "*") return null;
  const reason = tags.find(([name]) => name === "Reason")?.[1] || "recorded";
  // The reason of the rules follows the word `rules`.
  return { result, reason: reason.split(" ").at(-1) ?? reason };
}

/** The name of an unknown player. */
export const NAMELESS = "?";

/**
 * The names of the players in a record, as far as it has them.
 * @param {Source} record
 */
export function namesOf({ tags }) {
  /** @param {string} side */
  const name = (side) => tags.find(([tag]) => tag === side)?.[1] ?? NAMELESS;
  return { p1: name("P1"), p2: name("P2") };
}
