// Puzzles: positions to solve, by game and theme. A rating of the person's own chooses the next one.

import { Lost } from "../engine/engine.js";
import { open } from "../game/setup.js";
import { capital, t } from "../ui/i18n.js";
import { load, store } from "../ui/storage.js";
import { rated, UNKNOWN } from "./glicko.js";
import { practise, setAside, withReply } from "./practice.js";
import { gameOf, keeps, ofTheme, readProblem, readProblems, suiting, themesOf } from "./problems.js";

const KEY = "leap-puzzles";
/** The limits of the search that judges a move: few plies are left in a problem. */
const LIMITS = "depth 12 nodes 300000 movetime 3000";
/** How sure the rating of a problem is. It follows from a search, not from people. */
const DEVIATION = 100;
/** The most puzzles of a game that the browser remembers. */
const MOST_SEEN = 2000;

// ---- what the browser keeps, by game

const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
function isRating({ rating, deviation, volatility }) {
  const areNumbers = [rating, deviation, volatility].every(Number.isFinite);
  return areNumbers && deviation > 0 && volatility > 0;
}

/**
 * What is kept of a game:
 * - `now`, `best`: puzzles solved in a row, and the most of them
 * - `player`: the person's rating, as `rated` takes it; `change`: by how much the last puzzle has changed it
 * - `theme`, and `seen`: the names of the puzzles that were on the board
 */
function kept(id) {
  const stored = load(KEY)?.[id] ?? {};
  const [now, best] = [stored.now, stored.best].map((count) => (isCount(count) ? count : 0));
  const player = isRating(stored.player ?? {}) ? stored.player : UNKNOWN;
  const seen = Array.isArray(stored.seen) ? stored.seen : [];
  const [change, theme] = [Math.round(stored.change) || 0, String(stored.theme ?? "all")];
  return { now, best: Math.max(now, best), player, change, theme, seen };
}

const keep = (id, changes) => store(KEY, { ...(load(KEY) || {}), [id]: { ...kept(id), ...changes } });

/** How a person does in a game: the puzzles solved in a row, now and at most; the rating, and its last change. */
export function standingOf(id) {
  const { now, best, player, change } = kept(id);
  const signed = change > 0 ? `+${change}` : String(change).replace("-", "\u2212");
  return { now, best, rating: Math.round(player.rating), change: signed };
}

/** Counts a puzzle. A mistake or a shown answer ends the streak, and the rating falls. */
export function count(id, isRight, { rating }) {
  const { now, best, player } = kept(id);
  const length = isRight ? now + 1 : 0;
  const after = rated(player, [{ rating, deviation: DEVIATION, score: Number(isRight) }]);
  const change = Math.round(after.rating) - Math.round(player.rating);
  keep(id, { now: length, best: Math.max(best, length), player: after, change });
}

/** The index of the next puzzle, which counts as seen from now on. When all were seen, they begin again. */
export function chooseNext(id, problems) {
  const { player, seen } = kept(id);
  const names = new Set(seen);
  const found = suiting(problems, player.rating, names);
  if (found >= 0) {
    keep(id, { seen: [...seen, problems[found].id].slice(-MOST_SEEN) });
    return found;
  }
  const own = new Set(problems.map((problem) => problem.id));
  keep(id, { seen: seen.filter((name) => !own.has(name)) });
  return suiting(problems, player.rating, new Set());
}

// ---- a problem as a task

function goalOf({ kind, n }, side) {
  if (kind === "answer") return t("puzzle.answer", { side });
  if (kind === "win") return t("puzzle.win", { side, n: Math.ceil(n / 2) });
  if (kind === "hold") return t("puzzle.hold", { side, n: Math.ceil(n / 2) });
  if (n === 0) return t("puzzle.even", { side });
  return t(n > 0 ? "puzzle.ahead" : "puzzle.behind", { side, n: Math.abs(n) });
}

const WRONG = { win: "puzzle.noWin", hold: "puzzle.loses", margin: "puzzle.less", answer: "puzzle.lets" };

/** Why a move is wrong, with the engine's answer if the game goes on. */
const whyNot = ({ kind }, { move, reply }) => withReply(t(WRONG[kind], { move }), reply);

/** The task of a problem. It names all right first moves; the engine judges the later ones. An answer to a mistake is one move. */
export const taskOf = (problem, id) => ({
  id,
  start: problem.start,
  accepted: problem.best,
  rating: problem.rating,
  goal: (side) => capital(goalOf(problem, side)),
  judge: async ({ isFirst, person, look }) => {
    const seen = await look(LIMITS);
    const isRight = isFirst ? problem.best.includes(seen.move) : keeps(problem, seen, person);
    const isDone = isRight && problem.kind === "answer";
    return { isRight, why: isRight ? "" : whyNot(problem, seen), reply: isDone ? null : seen.reply };
  },
});

// ---- the course

/** The page's own positions of a game, or else those of the engine. */
async function askProblems(engine, id) {
  // The page is one script, which lies above the folders of its modules.
  const answer = await fetch(new URL(`practice/positions/${id}.txt`, import.meta.url)).catch(() => null);
  const own = answer?.ok ? readProblems(await answer.text()) : null;
  if (own) return own;
  const lines = await engine.command("query problems");
  return lines.map((line) => readProblem(line.replace(/^problems /, ""))).filter(Boolean);
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
    const problems = await find(aside, id);
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
export const openProblems = (app, problems) =>
  prepare(app, gameOf(problems, app.ids) ?? app.game.id, async (engine) => {
    await Promise.all(problems.map(({ start }) => engine.command(`position fen ${start}`)));
    return problems;
  });

/** @param {App} app */
function begin(app, id, problems, theme = kept(id).theme) {
  const chosen = ofTheme(problems, theme);
  return practise(
    app,
    chosen.map((problem) => taskOf(problem, id)),
    {
      title: () => t("puzzle.title", { game: app.game.titleOf(id) }),
      progress: () => t("puzzle.standing", standingOf(id)),
      choose: () => chooseNext(id, chosen),
      onResult: (isRight, task) => count(id, isRight, task),
      themes: themesOf(problems),
      theme,
      onTheme: (other) => {
        keep(id, { theme: other });
        return begin(app, id, problems, other);
      },
      onGame: (other) => startPuzzles(app, other),
    },
  );
}
