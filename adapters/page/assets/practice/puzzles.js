// Puzzles: problems with proved answers, from the engine or from a file, by game and difficulty.

import { Lost } from "../engine/engine.js";
import { open } from "../game/setup.js";
import { capital, t } from "../ui/i18n.js";
import { load, store } from "../ui/storage.js";
import { practise, setAside } from "./practice.js";
import { gameOf, graded, GRADES, keeps, readProblem } from "./problems.js";

const KEY = "leap-puzzles";
/** The limits of the search that judges a move: few plies are left in a problem. */
const LIMITS = "depth 12 nodes 300000 movetime 3000";

/** The most problems of a file, and the most legal moves that are counted. */
const MOST_PROBLEMS = 500;
const MOST_MOVES = 1000;

// ---- what the browser keeps, by game

const isCount = (value) => Number.isSafeInteger(value) && value >= 0;

/** What is kept of a game: `{ now, best, grade, at }`: puzzles solved in a row, the most of them, and the place in a grade. */
function kept(id) {
  const stored = load(KEY)?.[id] ?? {};
  const [now, best] = [stored.now, stored.best].map((count) => (isCount(count) ? count : 0));
  const grade = GRADES.includes(stored.grade) ? stored.grade : GRADES[0];
  return { now, best: Math.max(now, best), grade, at: isCount(stored.at) ? stored.at : 0 };
}

const keep = (id, changes) => store(KEY, { ...(load(KEY) || {}), [id]: { ...kept(id), ...changes } });

/** The puzzles of a game that were solved in a row: now, and at most. */
export const streakOf = (id) => {
  const { now, best } = kept(id);
  return { now, best };
};

/** Counts a puzzle. A mistake or a shown answer ends the streak. */
export function count(id, isRight) {
  const { now, best } = kept(id);
  const length = isRight ? now + 1 : 0;
  keep(id, { now: length, best: Math.max(best, length) });
}

// ---- a problem as a task

function goalOf({ kind, n }, side) {
  if (kind === "win") return t("puzzle.win", { side, n: Math.ceil(n / 2) });
  if (kind === "hold") return t("puzzle.hold", { side, n: Math.ceil(n / 2) });
  if (n === 0) return t("puzzle.even", { side });
  return t(n > 0 ? "puzzle.ahead" : "puzzle.behind", { side, n: Math.abs(n) });
}

const WRONG = { win: "puzzle.noWin", hold: "puzzle.loses", margin: "puzzle.less" };

/** Why a move is wrong, with the engine's answer if the game goes on. */
const whyNot = ({ kind }, { move, reply }) => [t(WRONG[kind], { move }), reply && t("puzzle.reply", { reply })].filter(Boolean).join(" ");

/** The task of a problem. The proof names all right first moves; the engine judges the later ones. */
export const taskOf = (problem, id) => ({
  id,
  start: problem.start,
  accepted: problem.best,
  goal: (side) => capital(goalOf(problem, side)),
  judge: async ({ isFirst, person, look }) => {
    const seen = await look(LIMITS);
    const isRight = isFirst ? problem.best.includes(seen.move) : keeps(problem, seen, person);
    return { isRight, why: isRight ? "" : whyNot(problem, seen), reply: isRight ? seen.reply : null };
  },
});

// ---- the course

/** The engine's problems for its game. */
async function askProblems(engine) {
  const lines = await engine.command("query problems");
  return lines.map((line) => readProblem(line.replace(/^problems /, ""))).filter(Boolean);
}

/** The problems with their numbers of legal moves. An error tells what the engine refuses. */
async function weighed(engine, problems) {
  const weigh = async (problem) => {
    const asked = [engine.command(`position fen ${problem.start}`), engine.ask(`query moves limit ${MOST_MOVES}`)];
    const [, moves] = await Promise.all(asked);
    return { ...problem, choices: Number.parseInt(moves, 10) };
  };
  return Promise.all(problems.slice(0, MOST_PROBLEMS).map(weigh));
}

/**
 * Finds problems and starts with them. The person's game comes back if there are none.
 * @param {App} app
 */
async function prepare(app, id, find) {
  const saved = setAside(app);
  const { aside } = app.engine;
  const found = async () => {
    await app.engine.stop();
    await aside.command(`setoption name Game value ${id}`);
    const problems = await weighed(aside, await find(aside));
    if (problems.length === 0) throw new Error(t("puzzle.none", { game: app.game.titleOf(id) }));
    return problems;
  };
  const problems = await found().catch(async (error) => {
    if (!(error instanceof Lost)) await open(app, saved);
    throw error;
  });
  await begin(app, id, problems);
}

/**
 * Starts the puzzles of a game.
 * @param {App} app
 */
export const startPuzzles = (app, id = app.game.id) => prepare(app, id, askProblems);

/**
 * Starts the puzzles of a file.
 * @param {App} app
 */
export const openProblems = (app, problems) => prepare(app, gameOf(problems, app.ids) ?? app.game.id, () => problems);

/** @param {App} app */
function begin(app, id, problems, grade = kept(id).grade) {
  const chosen = graded(problems, grade);
  const tasks = chosen.map((problem) => taskOf(problem, id));
  return practise(app, tasks, {
    title: () => t("puzzle.title", { game: app.game.titleOf(id) }),
    progress: (at, of) => [`${at}/${of}`, t("puzzle.streak", streakOf(id))].join(" · "),
    at: grade === kept(id).grade ? kept(id).at % tasks.length : 0,
    isEndless: true,
    onTask: (at) => keep(id, { grade, at }),
    onResult: (isRight) => count(id, isRight),
    grade,
    onGrade: (other) => begin(app, id, problems, other),
    onGame: (other) => startPuzzles(app, other),
  });
}
