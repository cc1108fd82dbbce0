// Files: games that are read and saved, and the session as a transcript (SPEC 16).

import { named, t } from "../ui/i18n.js";
import { ask } from "./reading.js";

/**
 * A game that was read: from a file, a link or a text. Lines are those of the file.
 * @typedef {object} FoundGame
 * @property {string | null} [id] null for the default of the engine; undefined where any game may be meant
 * @property {string[]} [ids] the games that may be meant
 * @property {string | null} start
 * @property {string[]} moves
 * @property {number} ply
 * @property {OptionPair[] | null} options
 * @property {FoundRecord | null} record
 * @property {number} [line]
 * @property {number | null} [startLine]
 * @property {number[]} [moveLines]
 */
/** @typedef {Source & { plies: Ply[] }} FoundRecord */

/** The longest file that is read, in MiB. */
const MAX_MIB = 4;

/**
 * A foreign text for a message, truncated if it is long.
 * @param {string} text
 */
export const quote = (text) => `'${cut(text, 40)}'`;

/** The longest displayed text of a message, and of a value that was found. */
const MAX_TEXT = 150;
const MAX_FOUND = 50;

/**
 * @param {string} text
 * @param {number} longest
 */
const cut = (text, longest) => (text.length > longest ? `${text.slice(0, longest)}…` : text);

/**
 * Whether a file may be read at all.
 * @param {Blob} file
 */
export const isSmall = (file) => file.size <= MAX_MIB << 20;

/**
 * Lets the browser save a text, or something of another type.
 * @param {string} name
 * @param {BlobPart} content
 * @param {string} type
 */
export function save(name, content, type = "text/plain;charset=utf-8") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * The games of a file, at least one.
 * @param {Blob} file
 * @returns {Promise<FoundGame[]>}
 */
export async function readGames(file) {
  if (!isSmall(file)) throw new Error(t("files.tooLarge", { max: MAX_MIB, found: (file.size / (1 << 20)).toFixed(1) }));
  const answer = await ask(file);
  if (answer.games) return answer.games;
  const { line, kind, ...values } = answer;
  const found = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, cut(String(value), MAX_FOUND)]));
  const text = named("unread", kind, found) ?? cut(answer.text, MAX_TEXT);
  throw new Error(line ? t("files.atLine", { line, text }) : text);
}

/**
 * Adds the move, line and file to an error that the engine has found in a game from a file.
 * @param {Error & { code?: string, index?: number | null }} error
 * @param {FoundGame} game
 * @param {string} name
 */
export function placed(error, { line, startLine, moves, moveLines }, name) {
  const { code, index, message: text } = error;
  const part = index
    ? t("files.atMove", { n: index, move: quote(moves[index - 1]), text })
    : code === "bad-position"
      ? t("files.atPosition", { text })
      : null;
  const at = index ? moveLines?.[index - 1] : code === "bad-position" ? startLine : line;
  const whole = at ? t(part ? "files.atLineOf" : "files.atLine", { line: at, text: part ?? text }) : (part ?? text);
  error.message = inFile(name, whole);
  return error;
}

/**
 * A message about a file with this name. Without a name the message stays as it is.
 * @param {string} name
 * @param {string} text
 */
export const inFile = (name, text) => (name ? t("files.inFile", { name, text }) : text);

/** The session since the page was opened, as a transcript; the oldest lines are dropped. */
export class Log {
  /** @type {string[]} */
  #lines = [];
  #size = 0;

  /**
   * @param {string} direction
   * @param {string} line
   */
  note(direction, line) {
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
