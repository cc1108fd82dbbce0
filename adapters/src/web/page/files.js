// Games as files: records (SPEC 19) and transcripts of what was said to the engine (SPEC 16).

/** Lets the browser save a text. */
export function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const quoted = (text) => `"${String(text).replace(/[\\"]/g, "\\$&")}"`;
/** The record of a game. */
export function writeRecord(game, players, options) {
  const { result } = game.status;
  const tags = [["Game", game.id], ["Date", new Date().toISOString()], ["P1", players.p1], ["P2", players.p2]];
  tags.push(["Result", result === "none" ? "*" : result]);
  if (game.isOver) tags.push(["Reason", `rules ${game.status.reason}`]);
  if (game.start) tags.push(["Fen", game.start]);
  tags.push(...Object.entries(options).map(([name, value]) => ["Option", `${name}=${value}`]));
  const moves = game.moves.map((move, at) => `${at + 1}. ${move}`);
  const head = tags.map(([name, value]) => `[${name} ${quoted(value)}]\n`).join("");
  return `${head}\n${[...moves, result === "none" ? "*" : result].join(" ")}\n\n`;
}

/** The first game of a text of records: `{ id, start, moves, options }`. */
export function readRecord(text) {
  const found = { id: null, start: null, moves: [], options: {} };
  const [head, body = ""] = text.trimStart().split(/\r?\n\s*\r?\n/, 2);
  for (const [, name, escaped] of head.matchAll(/^\[(\S+) "((?:[^"\\]|\\.)*)"\]\s*$/gm)) {
    const value = escaped.replace(/\\(.)/g, "$1");
    if (name === "Game") found.id = value;
    if (name === "Fen") found.start = value;
    if (name === "Option") [, found.options[value.split("=")[0]]] = value.match(/=(.*)$/) ?? [];
  }
  if (!found.id) throw new Error("expected a game record, which begins with [Game \"…\"]; found none");
  found.moves = body.replace(/\{[^}]*\}/g, " ").split(/\s+/).filter((word) => /^x?[a-z]\d/.test(word));
  return found;
}

/** The last game that a transcript puts up: its `position` and `move` lines followed, nothing else understood. */
export function readTranscript(text) {
  if (!text.startsWith("ugt ")) throw new Error("expected a transcript, which begins with 'ugt'; found something else");
  const found = { id: null, start: null, moves: [], options: {} };
  for (const line of text.split(/\r?\n/)) {
    const words = line.replace(/^> /, "").split(/\s+/);
    const option = line.match(/^(?:> setoption|option) name (.+?) value (.+)$/i);
    if (words[0] === "game" && line[0] !== ">") found.id = words[1];
    else if (option && option[1].toLowerCase() === "game") Object.assign(found, { id: option[2], start: null, moves: [] });
    else if (option) found.options[option[1]] = option[2];
    else if (!line.startsWith("> ")) continue;
    else if (words[0] === "position") {
      const at = words.indexOf("moves");
      const fen = words.slice(2, at < 0 ? undefined : at).join(" ");
      Object.assign(found, { start: words[1] === "fen" ? fen : null, moves: at < 0 ? [] : words.slice(at + 1) });
    } else if (words[0] === "move") found.moves.push(...words.slice(1));
    else if (words[0] === "undo") found.moves.splice(-Number(words[1] ?? 1));
  }
  found.id ??= "alquerque";
  return found;
}

/** Either of the two, by how it begins. */
export const readGame = (text) => (text.startsWith("ugt ") ? readTranscript(text) : readRecord(text));

/** Everything that was said since the page was opened, as a transcript; the oldest lines give way. */
export class Log {
  #lines = [];

  note(direction, line) {
    // Where dots stand for themselves, the transcript has to say so (SPEC 16.10).
    const sign = direction === "<" && line.includes("...") ? (line.startsWith("info ") ? "<*" : "<=") : direction;
    this.#lines.push(`${sign} ${line}`.trimEnd());
    if (this.#lines.length > 50_000) this.#lines.splice(0, 10_000, "# earlier lines are left out");
  }

  text() {
    return `ugt 1\n\n${this.#lines.join("\n")}\n`;
  }
}
