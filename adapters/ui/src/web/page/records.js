// Game records, written (SPEC 19.13). They are read with the parser of the programs that play and referee (reading.js).

/** The longest line of moves, as in the other programs. */
const WIDTH = 100;

const escaped = (text) => `"${String(text).replace(/[\\"]/g, "\\$&")}"`;

/** The text of a record: pairs of tags, moves, and the word at the end. */
function write({ tags, moves, result }) {
  const head = tags.map(([name, value]) => `[${name} ${escaped(value)}]\n`).join("");
  const parts = moves.map((move, at) => `${at + 1}. ${move}`);
  return `${head}\n${wrapped([...parts, result])}\n\n`;
}

function wrapped(parts) {
  const lines = [""];
  for (const part of parts) {
    const line = lines.at(-1);
    if (line && line.length + 1 + part.length > WIDTH) lines.push(part);
    else lines[lines.length - 1] = line ? `${line} ${part}` : part;
  }
  return lines.join("\n");
}

/** The word for a result in records. */
export const resultWord = ({ result }) => (result === "none" ? "*" : result);

/**
 * The record of a game. A game that was opened from a record, and has not changed, keeps the text of that record.
 * `players` are the names of both sides, and `rules` the options that are not at their defaults.
 */
export function writeRecord(game, players, rules, now = new Date()) {
  const result = resultWord(game.ending);
  const { source, moves } = game;
  if (source && source.result === result && source.moves.join(" ") === moves.join(" ")) return source.text;
  const tags = [
    ["Game", game.id],
    ["Date", now.toISOString()],
    ["P1", players.p1],
    ["P2", players.p2],
    ["Result", result],
  ];
  if (result !== "*") tags.push(["Reason", game.ending.isByRules ? `rules ${game.ending.reason}` : game.ending.reason]);
  if (game.start) tags.push(["Fen", game.start]);
  tags.push(...rules.map((option) => ["Option", option.join("=")]));
  return write({ tags, moves, result });
}

/** How a record says that its game ended: `{ result, reason }`, or null if it is unfinished. */
export function verdictOf({ tags, result }) {
  if (result === "*") return null;
  const reason = tags.find(([name]) => name === "Reason")?.[1] || "recorded";
  // The reason of the rules follows the word `rules`.
  return { result, reason: reason.split(" ").at(-1) };
}

/** The names of the players in a record, as far as it has them. */
export function namesOf({ tags }) {
  const name = (side) => tags.find(([tag]) => tag === side)?.[1] ?? "?";
  return { p1: name("P1"), p2: name("P2") };
}
