// Exercises on the board of the page. The person's game is set aside meanwhile, and comes back as it was.

import { Lost } from "../engine/engine.js";
import { readStatus } from "../game/messages.js";
import { open, showTexts } from "../game/setup.js";
import { chanceFor, chanceOf, scoreFor } from "../review/chances.js";
import { announce, byId, html } from "../ui/dom.js";
import { named, t } from "../ui/i18n.js";
import { colourWithin } from "../ui/panels.js";
import { limitTabs } from "../ui/tabs.js";
import { noteOpen } from "../ui/trail.js";
import { Exercise } from "./exercise.js";

/** @import { Described } from "../ui/app.js" */

/** The limits of the search for an answer to show. */
const ANSWER = "depth 12 nodes 300000 movetime 2000";

/**
 * Exercises that belong together.
 * @typedef {object} Course
 * @property {() => string} title the heading
 * @property {(at: number, of: number) => string} [progress] stands beside it; by default `1/6`
 * @property {() => number} [choose] the index of a task, for the first and for each next one; without it the tasks follow one another
 * @property {(isRight: boolean, task: Task) => void} [onResult] is called once for each task
 * @property {{ say: () => string, label: () => string, act: () => unknown }} [atEnd] what is said after the last task, and a button
 * that does something
 * @property {string[]} [themes] what the person may choose to practise
 * @property {string} [theme] the choice in force
 * @property {(theme: string) => unknown} [onTheme] another choice
 * @property {(id: string) => unknown} [onGame] a choice of another game; without it that game is started
 */
/** @typedef {Described & { isPaused: boolean, left: string | null, isFlipped: boolean }} SetAside the person's game meanwhile */

/**
 * Lets a person solve exercises, one after the other. Resolves when the first one is on the board.
 * @param {App} app the page
 * @param {Task[]} tasks at least one
 * @param {Course} course
 */
export async function practise(app, tasks, course) {
  const saved = setAside(app);
  await app.engine.stop();
  app.exercise?.close();
  app.exercise = new Practice(app, saved, tasks, course);
  try {
    await app.exercise.start();
  } catch (error) {
    if (!(error instanceof Lost)) await open(app, saved);
    throw error;
  }
}

/**
 * Why a move is wrong, with what the engine would answer if the game goes on.
 * @param {string} why
 * @param {string | null} reply
 */
export const withReply = (why, reply) => (reply ? `${why} ${t("puzzle.reply", { reply })}` : why);

/**
 * Stores the person's game and stops what the page does with it. Returns everything needed to go on with it.
 * @param {App} app
 * @returns {SetAside}
 */
export function setAside(app) {
  app.searches.overtake();
  if (app.exercise) return app.exercise.saved;
  app.remember();
  const { isPaused, left, view } = app;
  return { ...app.describe(), isPaused, left, isFlipped: view.isFlipped };
}

/**
 * Ends the exercises. The person's game comes back.
 * @param {App} app
 */
async function leave(app) {
  if (!app.exercise) return;
  const { saved } = app.exercise;
  await open(app, saved);
  app.say(t("exercise.back"));
}

export class Practice {
  #app;
  #tasks;
  #course;
  #at;
  /** @type {Exercise} */
  #exercise; // once the task is set up
  /** @type {(() => void) | null} */
  #closed = null; // to be called when it is closed
  /** @type {Side} */
  person = "p1"; // the side of the person, once the task is set up

  /**
   * @param {App} app
   * @param {SetAside} saved the person's game, by `setAside`
   * @param {Task[]} tasks
   * @param {Course} course
   */
  constructor(app, saved, tasks, course) {
    this.saved = saved;
    this.#app = app;
    this.#tasks = tasks;
    this.#course = course;
    this.#at = course.choose?.() ?? 0;
  }

  get #task() {
    return this.#tasks[this.#at];
  }

  /** Sets up the task. */
  async start() {
    const app = this.#app;
    byId("exercise").hidden = false;
    document.body.classList.add("practising");
    limitTabs(true);
    this.#closed ??= noteOpen(() => app.act(() => leave(app)));
    await this.#setUp();
    this.#exercise = new Exercise(this.#task, {
      board: new PageBoard(app, this.person),
      onChange: () => this.show(),
      onResult: (isRight) => this.#course.onResult?.(isRight, this.#task),
    });
    await app.settle();
    this.show();
  }

  async #setUp() {
    const app = this.#app;
    const { id, start = null, moves = [], options = [] } = this.#task;
    const isOther = id !== app.game.id;
    app.conduct.set({ control: "" });
    await app.game.open({ id, start, moves, options });
    await app.searches.fullStrength();
    this.person = app.game.status.turn;
    app.players = { p1: "engine", p2: "engine", [this.person]: "human" };
    app.view.isFlipped = this.person === "p2";
    app.view.build(app.game.board);
    app.clear();
    app.say("");
    if (isOther) showTexts(app);
  }

  /**
   * A move that the person has entered. After a wrong one, anything that is entered brings the position back.
   * @param {string} move
   */
  async play(move) {
    if (this.#exercise.state === "wrong") return this.again();
    try {
      await this.#exercise.play(move);
    } finally {
      await this.#app.settle();
    }
  }

  /** The same task again. */
  async again() {
    await this.#setUp();
    this.#exercise.restart();
    await this.#app.settle();
  }

  async next() {
    this.#at = this.#course.choose?.() ?? Math.min(this.#at + 1, this.#tasks.length - 1);
    await this.start();
  }

  async answer() {
    if (this.#exercise.state === "wrong") await this.again();
    const move = await this.#exercise.show();
    if (move) await this.#app.pointOut(move);
  }

  /** What is left to do after the last task. */
  atEnd = () => this.#course.atEnd?.act();

  /** @param {string} theme */
  choose = (theme) => this.#course.onTheme?.(theme);

  /**
   * The person has chosen another game. Returns whether the exercises go over to it.
   * @param {string} id
   */
  switchTo(id) {
    return this.#course.onGame?.(id);
  }

  /** Gives the page back to the person's settings. Whoever calls this sets up a game next. */
  close() {
    const { levels, control, times, players, isFlipped, left } = this.saved;
    const app = this.#app;
    Object.assign(app, { exercise: null, players: { ...players }, left });
    app.view.isFlipped = isFlipped;
    app.conduct.set({ levels, control, times });
    byId("exercise").hidden = true;
    document.body.classList.remove("practising");
    limitTabs(false);
    this.#closed?.();
  }

  // ---- the panel

  #verdict() {
    const { state, why, reply, shown } = this.#exercise;
    const atEnd = this.#isLast && this.#course.atEnd?.say();
    switch (state) {
      case "judging":
        return t("exercise.judging");
      case "wrong":
        return `✗ ${why || t("exercise.wrong")}`;
      case "shown":
        return t("exercise.shown", { move: shown });
      case "solved":
        return [`✓ ${t("exercise.solved")}`, atEnd].filter(Boolean).join(" ");
      default:
        return reply ? `✓ ${t("exercise.goOn", { move: reply })}` : "";
    }
  }

  /** The side of the person, within a sentence. */
  get #side() {
    return colourWithin(this.#app.game.board, this.person);
  }

  get #isLast() {
    return !this.#course.choose && this.#at === this.#tasks.length - 1;
  }

  /** Shows the task, its state and what may be done. */
  show() {
    const { theme, themes = [], title, progress = (at, of) => `${at}/${of}`, atEnd } = this.#course;
    const { state } = this.#exercise;
    /**
     * @param {Id} id
     * @param {string | null} value
     */
    const text = (id, value) => announce(byId(id), value ?? "");
    /**
     * @param {Ids["button" | "select"]} id
     * @param {boolean} isShown
     */
    const set = (id, isShown) => {
      byId(id).hidden = !isShown;
    };
    text("exercise-title", title());
    text("exercise-progress", progress(this.#at + 1, this.#tasks.length));
    text("exercise-goal", this.#task.goal(this.#side));
    text("exercise-verdict", this.#verdict());
    byId("exercise").dataset.state = state;
    set("exercise-again", state === "wrong" || state === "solved" || state === "shown");
    set("exercise-show", state === "open" || state === "wrong");
    set("exercise-next", !this.#isLast && state !== "wrong");
    byId("exercise-next").classList.toggle("primary", state === "solved");
    byId("exercise-again").classList.toggle("primary", state === "wrong");
    set("exercise-end", this.#isLast && state === "solved" && atEnd !== undefined);
    if (atEnd) text("exercise-end", atEnd.label());
    set("exercise-theme", themes.length > 1);
    /** @param {string} each */
    const option = (each) => html("option", { value: each, selected: each === theme }, named("theme", each));
    byId("exercise-theme").replaceChildren(...themes.map(option));
  }
}

/** The board of the page, for an exercise. */
class PageBoard {
  #app;

  /**
   * @param {App} app
   * @param {Side} person
   */
  constructor(app, person) {
    this.#app = app;
    this.person = person;
  }

  get isOver() {
    return this.#app.game.isOver;
  }

  /** @param {string} move */
  make(move) {
    return this.#app.play(move);
  }

  /**
   * What is known after a move. The engine has the position before the move again at the end.
   * @param {string} move
   * @param {string | null} limits
   * @returns {Promise<Seen>}
   */
  async look(move, limits = null) {
    const { engine, game } = this.#app;
    await engine.stop();
    await engine.command(`move ${move}`);
    try {
      const [history, answer] = await Promise.all([engine.ask("query history"), engine.ask("query status")]);
      const [text = move, status] = [history.split(" ").at(-1), readStatus(answer)];
      const isSearched = limits && status.over !== "true";
      return { move: text, status, ...(isSearched ? await this.#search(limits, status.turn) : { score: null, chance: null, reply: null }) };
    } finally {
      await game.restore();
    }
  }

  /** What the engine would play here. */
  async search() {
    const { reply } = await this.#search(ANSWER, this.person);
    return reply;
  }

  /**
   * @param {string} limits
   * @param {Side} turn
   * @returns {Promise<{ reply: string | null, score: Score | null, chance: number | null }>}
   */
  async #search(limits, turn) {
    const { best: reply, info } = await this.#app.engine.evaluate(limits);
    if (!info) return { reply, score: null, chance: null };
    return { reply, score: scoreFor(info.score, turn, this.person), chance: chanceFor(chanceOf(info, turn), this.person) };
  }
}

/**
 * Listens to the panel.
 * @param {App} app
 */
export function listenToPractice(app) {
  /**
   * @param {Ids["button"]} id
   * @param {() => unknown} action
   */
  const on = (id, action) => byId(id).addEventListener("click", () => app.act(action));
  on("exercise-next", () => app.exercise?.next());
  on("exercise-again", () => app.exercise?.again());
  on("exercise-show", () => app.exercise?.answer());
  on("exercise-end", () => app.exercise?.atEnd());
  on("exercise-leave", () => leave(app));
  const themes = byId("exercise-theme");
  themes.addEventListener("change", () => app.act(() => app.exercise?.choose(themes.value)));
}
