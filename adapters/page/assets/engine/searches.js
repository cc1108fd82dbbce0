// The searches of the engine at the board: its own moves, an analysis, hints, and tasks away from the game.

import { byId } from "../ui/dom.js";
import { t } from "../ui/i18n.js";
import { LEVELS, levelOf, seedOf, strengthOf } from "../ui/settings.js";

const FULL_STRENGTH = 100;
// With this word in the place of a move an engine resigns (SPEC 5.11a).
const RESIGN = "resign";

export class Searches {
  #app;
  #run = 0; // counts the started actions, so that late results can be recognized
  isThinking = false; // an engine searches for its move
  #isUnseen = false; // nobody has seen the page for some time

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  /** Results of earlier actions are ignored from now on. */
  overtake() {
    this.#run += 1;
    this.isThinking = false;
  }

  /** On its turn the engine moves; on a person's turn it analyses, if enabled. */
  begin() {
    const app = this.#app;
    const { analysis, conduct, game } = app;
    this.overtake();
    if (game.isOver || this.isResting || app.exercise || app.party) return;
    const side = game.status.turn;
    /** @param {string} line */
    const note = (line) => analysis.note(line, side);
    /** @param {unknown} error */
    const explain = (error) => app.explain(error);
    if (app.isHuman || app.isPaused) {
      const unlimited = { limits: "infinite", strength: FULL_STRENGTH, lines: analysis.count };
      if (analysis.isOn) this.#search(note, unlimited).catch(explain);
      return;
    }
    const run = this.#run;
    this.isThinking = true;
    this.#search(note, { limits: game.isLive ? conduct.clock?.limits : null })
      .then((move) => {
        if (run !== this.#run || !move || move === "none") return;
        app.guarded(() => {
          if (run !== this.#run) return null;
          return move === RESIGN ? conduct.resigned() : app.play(move);
        });
      })
      .catch(explain);
  }

  /**
   * Lets the engine search as its level says. `limits` and `strength` take the place of the level's own.
   * @param {(line: string) => void} note
   * @param {{ limits?: string | null, strength?: number | null, lines?: number }} wanted
   */
  async #search(note, { limits = null, strength = null, lines = 1 } = {}) {
    const { conduct, engine, game, key } = this.#app;
    const level = levelOf(conduct.levels[game.status.turn]) ?? LEVELS[0];
    const run = this.#run;
    // One batch: between two waits, another action might begin a search.
    await Promise.all([
      this.setOption("MultiPV", () => lines),
      this.setOption("Strength", (option) => strengthOf(strength ?? level.strength, option)),
      this.setOption("Seed", (option) => seedOf(key, option)),
    ]);
    // An overtaken action must not begin to search.
    if (run !== this.#run) return null;
    return engine.go(limits ?? level.go, note);
  }

  /**
   * Sets an option, if the engine has it. `value` computes the value from the option.
   * @param {string} name
   * @param {(option: EngineOption) => unknown} value
   */
  async setOption(name, value) {
    const { engine, options } = this.#app;
    const option = options.find((each) => each.name === name);
    if (option) await engine.command(`setoption name ${name} value ${value(option)}`);
  }

  /** From now on the engine searches at full strength. */
  fullStrength() {
    return this.setOption("Strength", () => FULL_STRENGTH);
  }

  /** Shows the move that the engine would make at full strength. The person may go on meanwhile. */
  async hint() {
    const app = this.#app;
    const { analysis, engine, game } = app;
    if (game.isOver || !app.isHuman) return;
    this.overtake();
    const run = this.#run;
    const side = game.status.turn;
    app.say(t("hint.searching"));
    await engine.stop();
    this.#search((line) => analysis.note(line, side), { strength: FULL_STRENGTH })
      .then((move) => {
        if (run === this.#run && move && move !== "none") app.guarded(() => (run === this.#run ? this.#showHint(move) : null));
      })
      .catch((error) => app.explain(error));
  }

  /** @param {string} move */
  async #showHint(move) {
    if (move === RESIGN) return this.#app.say(t("hint.resign"));
    this.#app.say(t("hint.move", { move }));
    await this.#app.pointOut(move);
  }

  /**
   * Runs a task of the engine away from the game, such as a question about another position, and goes on as before. The task
   * also gets a function that searches at full strength.
   * @template T
   * @param {(engine: Engine, search: (limits: string) => Promise<string | null>) => Promise<T>} task
   */
  async apart(task) {
    const { engine, game } = this.#app;
    this.overtake();
    await engine.stop();
    try {
      return await task(engine, (limits) => this.#search(() => {}, { limits, strength: FULL_STRENGTH }));
    } finally {
      await game.restore();
      this.begin();
    }
  }

  // ---- a page that nobody sees

  /** Whether nobody waits for the engine: an analysis or a game between engines, out of sight. */
  get isResting() {
    const { isHuman, isPaused, players } = this.#app;
    const isWatched = isPaused || isHuman ? byId("analyse").checked : !Object.values(players).includes("human");
    return this.#isUnseen && isWatched;
  }

  /**
   * Sets whether nobody sees the page. Work that is only for the eye then rests, and goes on later.
   * @param {boolean} isUnseen
   */
  async setUnseen(isUnseen) {
    const { conduct, engine, game } = this.#app;
    const isReady = game?.board && engine.isOpen;
    const wasResting = isReady && this.isResting;
    this.#isUnseen = isUnseen;
    if (!isReady || this.isResting === wasResting) return;
    this.overtake();
    await engine.stop();
    conduct.goOn();
    this.begin();
    this.#app.draw();
  }
}
