// Problems: positions whose right moves are proved, as `query problems` and the files of `leapd problems` tell them (SPEC 4.48).

const LINE = /^(?<start>\S.*?) bm (?<best>[^;]+);(?<rest>.*)$/;
const PROOF = /^(?<kind>win|hold|margin) (?:in|for|of) (?<n>-?\d+) (?:plies|cp)$/;
const CENTIPAWNS = 100;

/** The operand of an operation: a text in quotes. */
const operand = (operations, opcode) => operations?.match(new RegExp(` ${opcode} "([^"]+)";`))?.[1];

/**
 * The problem of a line: `{ id, start, best, kind, n }`; null if it is none. `n` counts plies for the kinds `win` and `hold`, and
 * points for `margin`.
 */
export function readProblem(line) {
  const { start, best, rest } = line.match(LINE)?.groups ?? {};
  const { kind, n } = operand(rest, "c0")?.match(PROOF)?.groups ?? {};
  const id = operand(rest, "id");
  if (!kind || !id) return null;
  return { id, start, best: best.trim().split(/\s+/), kind, n: Number(n) / (kind === "margin" ? CENTIPAWNS : 1) };
}

/** The problems of a file, with comments in it; null if it has anything else. */
export function readProblems(text) {
  const lines = text.split(/\r?\n/).filter((line) => line && !line.startsWith("#"));
  const problems = lines.map(readProblem);
  return problems.length > 0 && problems.every(Boolean) ? problems : null;
}

/** The game of some problems: their names begin with it. Undefined if that is no known game. */
export const gameOf = ([{ id }], ids) => ids.find((each) => id.startsWith(`${each}.`));

/** The three grades, from the easiest on. */
export const GRADES = ["easy", "medium", "hard"];

/** The problems of a grade: a third of them, by their legal moves (`choices`). A few problems are all of one grade. */
export function graded(problems, grade) {
  if (problems.length < GRADES.length) return problems;
  const sorted = [...problems].sort((one, other) => one.choices - other.choices);
  const at = (third) => Math.round((sorted.length * third) / GRADES.length);
  const third = GRADES.indexOf(grade);
  return sorted.slice(at(third), at(third + 1));
}

/** A score beyond every evaluation: a win whose distance is not known yet (SPEC 5.20). */
const WON = 29_500;

const isWon = ({ kind, value }) => (kind === "mate" ? value > 0 : value >= WON);
const isLost = ({ kind, value }) => (kind === "mate" ? value < 0 : value <= -WON);

/** By how many points a side is ahead, by a status (SPEC 4.18). */
function lead({ points = "0-0" }, person) {
  const [p1, p2] = points.split("-").map(Number);
  return person === "p1" ? p1 - p2 : p2 - p1;
}

/**
 * Whether a move keeps what is proved, by what the engine sees after it. The score is from the person's view; it is null if the game
 * is over.
 */
export function keeps({ kind, n }, { status, score }, person) {
  const isOver = status.over === "true";
  if (kind === "win") return isOver ? status.result === `${person}win` : score !== null && isWon(score);
  if (kind === "hold") return isOver ? ["draw", `${person}win`].includes(status.result) : score === null || !isLost(score);
  if (isOver) return lead(status, person) >= n;
  return score !== null && (score.kind === "mate" ? score.value > 0 : score.value >= n * CENTIPAWNS);
}
