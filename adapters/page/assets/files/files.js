// Files: games that are read and saved, and the session as a transcript (SPEC 16).

import { named, t } from "../ui/i18n.js";
import { ask } from "./reading.js";

/** The longest file that is read, in MiB. */
const MAX_MIB = 4;

/** A foreign text for a message, truncated if it is long. */
export const quote = (text) => `'${cut(text, 40)}'`;

/** The longest displayed text of a message, and of a value that was found. */
const MAX_TEXT = 150;
const MAX_FOUND = 50;

const cut = (text, longest) => (text.length > longest ? `${text.slice(0, longest)}…` : text);

/** Whether a file may be read at all. */
export const isSmall = (file) => file.size <= MAX_MIB << 20;

/** Lets the browser save a text, or something of another type. */
export function save(name, content, type = "text/plain;charset=utf-8") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * The games of a file, at least one: `{ line, id, start, startLine, moves, moveLines, ply, options, record }`. Lines
 * are those of the file. Options are pairs of names and values. The record is null or has `{ tags, plies, result }`.
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

/** Adds the move, line and file to an error that the engine has found in a game from a file. */
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

/** A message about a file with this name. Without a name the message stays as it is. */
export const inFile = (name, text) => (name ? t("files.inFile", { name, text }) : text);

/** The session since the page was opened, as a transcript; the oldest lines are dropped. */
export class Log {
  #lines = [];
  #size = 0;

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
