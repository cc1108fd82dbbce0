// Puzzles: positions to solve, by game and theme. A rating of the person's own chooses the next one.

import { Lost } from "../engine/engine.js";
import { open } from "../game/setup.js";
import { capital, t } from "../ui/i18n.js";
import { isObject, isPositive, loadObject, store } from "../ui/storage.js";
import { rated, UNKNOWN } from "./glicko.js";
import { practise, setAside, withReply } from "./practice.js";
import { gameOf, keeps, ofTheme, readProblem, readProblems, suiting, themesOf } from "./problems.js";

/** @import { Rating } from "./glicko.js" */

const KEY = "leap-puzzles";
/** The limits of the search that judges a move: few plies are left in a problem. */
const LIMITS = "depth 12 nodes 300000 movetime 3000";
/** How sure the rating of a problem is. It follows from a search, not from people. */
const DEVIATION = 100;
/** The most puzzles of a game that the browser remembers. */
const MOST_SEEN = 2000;

// ---- what the browser keeps, by game

/** @param {unknown} value */
const countIn = (value) => (Number.isSafeInteger(value) ? Math.max(0, Number(value)) : 0);
/**
 * @param {unknown} value
 * @returns {value is Rating}
 */
const isRating = (value) => isObject(value) && Number.isFinite(value.rating) && isPositive(value.deviation) && isPositive(value.volatility);

/**
 * What is kept of a game:
 * - `now`, `best`: puzzles solved in a row, and the most of them
 * - `player`: the person's rating, as `rated` takes it; `change`: by how much the last puzzle has changed it
 * - `theme`, and `seen`: the names of the puzzles that were on the board
 * @param {string} id
 */
function kept(id) {
  const found = loadObject(KEY)[id];
  const stored = isObject(found) ? found : {};
  const [now, best] = [countIn(stored.now), countIn(stored.best)];
  const player = isRating(stored.player) ? stored.player : UNKNOWN;
  /** @type {string[]} */
  const seen = Array.isArray(stored.seen) ? stored.seen.map(String) : [];
  const [change, theme] = [Math.round(Number(stored.change)) || 0, String(stored.theme ?? "all")];
  return { now, best: Math.max(now, best), player, change, theme, seen };
}

/**
 * @param {string} id
 * @param {object} changes
 */
const keep = (id, changes) => store(KEY, { ...loadObject(KEY), [id]: { ...kept(id), ...changes } });

/**
 * How a person does in a game: the puzzles solved in a row, now and at most; the rating, and its last change.
 * @param {string} id
 */
export function standingOf(id) {
  const { now, best, player, change } = kept(id);
  const signed = change > 0 ? `+${change}` : String(change).replace("-", "\u2212");
  return { now, best, rating: Math.round(player.rating), change: signed };
}

/**
 * Counts a puzzle. A mistake or a shown answer ends the streak, and the rating falls.
 * @param {string} id
 * @param {boolean} isRight
 * @param {{ rating: number }} problem
 */
export function count(id, isRight, { rating }) {
  const { now, best, player } = kept(id);
  const length = isRight ? now + 1 : 0;
  const after = rated(player, [{ rating, deviation: DEVIATION, score: Number(isRight) }]);
  const change = Math.round(after.rating) - Math.round(player.rating);
  keep(id, { now: length, best: Math.max(best, length), player: after, change });
}

/**
 * The index of the next puzzle, which counts as seen from now on. When all were seen, they begin again.
 * @param {string} id
 * @param {Problem[]} problems
 */
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

/**
 * @param {Problem} problem
 * @param {string} side
 */
function goalOf({ kind, n }, side) {
  if (kind === "answer") return t("puzzle.answer", { side });
  if (kind === "win") return t("puzzle.win", { side, n: Math.ceil(n / 2) });
  if (kind === "hold") return t("puzzle.hold", { side, n: Math.ceil(n / 2) });
  if (n === 0) return t("puzzle.even", { side });
  return t(n > 0 ? "puzzle.ahead" : "puzzle.behind", { side, n: Math.abs(n) });
}

/** @type {Record<string, string>} */
const WRONG = { win: "puzzle.noWin", hold: "puzzle.loses", margin: "puzzle.less", answer: "puzzle.lets" };

/**
 * Why a move is wrong, with the engine's answer if the game goes on.
 * @param {Problem} problem
 * @param {Seen} seen
 */
const whyNot = ({ kind }, { move, reply }) => withReply(t(WRONG[kind], { move }), reply);

/**
 * The task of a problem. It names all right first moves; the engine judges the later ones. An answer to a mistake is one move.
 * @param {Problem} problem
 * @param {string} id
 * @returns {Task}
 */
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

/**
 * The page's own positions of a game, or else those of the engine.
 * @param {Asker} engine
 * @param {string} id
 */
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
 * @param {string} id
 * @param {(engine: Asker, id: string) => Promise<Problem[]>} find
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
 * @param {Problem[]} problems
 */
export const openProblems = (app, problems) =>
  prepare(app, gameOf(problems, app.ids) ?? app.game.id, async (engine) => {
    await Promise.all(problems.map(({ start }) => engine.command(`position fen ${start}`)));
    return problems;
  });

/**
 * @param {App} app
 * @param {string} id
 * @param {Problem[]} problems
 * @param {string} theme
 * @returns {Promise<void>}
 */
function begin(app, id, problems, theme = kept(id).theme) {
  const chosen = ofTheme(problems, theme);
  return practise(
    app,
    chosen.map((problem) => taskOf(problem, id)),
    {
      title: () => t("puzzle.title", { game: app.game.titleOf(id) }),
      progress: () => t("puzzle.standing", standingOf(id)),
      choose: () => chooseNext(id, chosen),
      onResult: (isRight, { rating = UNKNOWN.rating }) => count(id, isRight, { rating }),
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
