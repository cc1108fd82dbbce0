// Problems: positions whose right moves are known, as `query problems` and the files of `leapd problems` tell them (SPEC 4.48).
// The page's own positions also have `acn`: the nodes that a search needs until it stays with a right move.
// They have one kind more, the answer to a mistake, which is better than all other moves by some percent of the winning chance.

/**
 * A problem. `n` counts plies for the kinds `win` and `hold`, points for `margin`, percent for `answer`. Any of the `best` moves
 * solves it.
 * @typedef {{ id: string, start: string, best: string[], kind: string, n: number, rating: number }} Problem
 */

const LINE = /^(?<start>\S.*?) bm (?<best>[^;]+);(?<rest>.*)$/;
const PROOF = /^(?<kind>win|hold|margin|answer) (?:in|for|of|by) (?<n>-?\d+) (?:plies|cp|%)$/;
const CENTIPAWNS = 100;

/**
 * The operand of an operation: a text in quotes.
 * @param {string | undefined} operations
 * @param {string} opcode
 */
const operand = (operations, opcode) => operations?.match(new RegExp(` ${opcode} "([^"]+)";`))?.[1];

/** The rating of a problem that this few nodes solve, and what twice the nodes add to it: a level (docs/strength.md). */
const EASIEST = 600;
const EASY_NODES = 20;
const DOUBLING = 120;

/** The rating of a problem whose nodes are not known. */
const USUAL = 1500;

/** @param {number} nodes */
const ratingAfter = (nodes) => Math.round(EASIEST + DOUBLING * Math.log2(Math.max(1, nodes / EASY_NODES)));

/**
 * The problem of a line; null if it is none.
 * @param {string} line
 * @returns {Problem | null}
 */
export function readProblem(line) {
  const { start, best, rest } = line.match(LINE)?.groups ?? {};
  const { kind, n } = operand(rest, "c0")?.match(PROOF)?.groups ?? {};
  const id = operand(rest, "id");
  if (!kind || !id) return null;
  const nodes = rest.match(/ acn (\d+);/)?.[1];
  const rating = nodes ? ratingAfter(Number(nodes)) : USUAL;
  return { id, start, best: best.trim().split(/\s+/), kind, n: Number(n) / (kind === "margin" ? CENTIPAWNS : 1), rating };
}

/**
 * The problems of a file, with comments in it; null if it has anything else.
 * @param {string} text
 */
export function readProblems(text) {
  const lines = text.split(/\r?\n/).filter((line) => line && !line.startsWith("#"));
  const problems = lines.map(readProblem).filter(Boolean);
  return lines.length > 0 && problems.length === lines.length ? problems : null;
}

/**
 * The game of some problems: their names begin with it. Undefined if that is no known game.
 * @param {Problem[]} problems
 * @param {string[]} ids
 */
export const gameOf = ([{ id }], ids) => ids.find((each) => id.startsWith(`${each}.`));

/**
 * The themes of some problems: their kinds, and all of them first.
 * @param {Problem[]} problems
 */
export const themesOf = (problems) => ["all", ...new Set(problems.map(({ kind }) => kind))];

/**
 * The problems of a theme; all of them where none has it.
 * @param {Problem[]} problems
 * @param {string} theme
 */
export function ofTheme(problems, theme) {
  const chosen = problems.filter(({ kind }) => kind === theme);
  return chosen.length ? chosen : problems;
}

/**
 * The index of the problem that suits a rating best, of those that were not `seen`; -1 if all were.
 * @param {Problem[]} problems
 * @param {number} rating
 * @param {Set<string>} seen
 */
export function suiting(problems, rating, seen) {
  /** @param {Problem} problem */
  const distance = (problem) => (seen.has(problem.id) ? Number.POSITIVE_INFINITY : Math.abs(problem.rating - rating));
  const distances = problems.map(distance);
  const least = Math.min(...distances);
  return Number.isFinite(least) ? distances.indexOf(least) : -1;
}

/** A score beyond every evaluation: a win whose distance is not known yet (SPEC 5.20). */
const WON = 29_500;

/** @param {Score} score */
const isWon = ({ kind, value }) => (kind === "mate" ? value > 0 : value >= WON);
/** @param {Score} score */
const isLost = ({ kind, value }) => (kind === "mate" ? value < 0 : value <= -WON);

/**
 * By how many points a side is ahead, by a status (SPEC 4.18).
 * @param {Record<string, string>} status
 * @param {Side} person
 */
function lead({ points = "0-0" }, person) {
  const [p1, p2] = points.split("-").map(Number);
  return person === "p1" ? p1 - p2 : p2 - p1;
}

/**
 * Whether a move keeps what is proved, by what the engine sees after it. The score is from the person's view; it is null if the game
 * is over.
 * @param {Pick<Problem, "kind" | "n">} problem
 * @param {Pick<Seen, "status" | "score">} seen
 * @param {Side} person
 */
export function keeps({ kind, n }, { status, score }, person) {
  const isOver = status.over === "true";
  if (kind === "win") return isOver ? status.result === `${person}win` : score !== null && isWon(score);
  if (kind === "hold") return isOver ? ["draw", `${person}win`].includes(status.result) : score === null || !isLost(score);
  if (isOver) return lead(status, person) >= n;
  return score !== null && (score.kind === "mate" ? score.value > 0 : score.value >= n * CENTIPAWNS);
}
