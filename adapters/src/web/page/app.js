// The state of the page: the current game, whose turn it is, and what is displayed.

import { byId } from "./dom.js";
import { Engine, Lost } from "./engine.js";
import { Log } from "./files.js";
import { Game, readPosition } from "./game.js";
import { t } from "./i18n.js";
import { keep } from "./kept.js";
import { Evaluation, showFigures, showMoves, showSides, sideName, standing } from "./panels.js";
import { LEVELS, readOption } from "./settings.js";
import { squareOf, Turn } from "./turn.js";

export class App {
  #work = Promise.resolve();
  #run = 0; // counts the started actions, so that late results can be recognized
  #evaluation = new Evaluation();
  log = new Log();
  engine = null;
  game = null;
  turn = null;
  ids = [];
  options = [];
  values = {}; // options that were changed, by name
  players = { p1: "human", p2: "engine" };
  isPaused = false; // engines wait while earlier positions are displayed
  wrong = new Set(); // squares that were refused
  #last = new Set(); // squares of the last move

  /** @param view the board; its events are `guarded` */
  constructor(view) {
    this.view = view;
  }

  // ---- serializing actions

  /** Runs an action after the ones before it; errors are displayed in the page. */
  guarded(task) {
    this.#work = this.#work.then(task).catch((error) => this.#explain(error));
    return this.#work;
  }

  #explain(error) {
    if (error instanceof Lost) return this.#lost(error.message);
    this.say(error.message, true);
    if (!("code" in error)) console.error(error);
  }

  say(text, isBad = false) {
    const line = byId("message");
    line.textContent = text;
    line.classList.toggle("bad", isBad);
  }

  /** For tests: the current action, and whether the page is idle. */
  inspect() {
    const { engine, game } = this;
    return { fen: game?.fen, isOver: game?.isOver, turn: game?.status.turn, isSearching: engine?.isSearching, work: this.#work };
  }

  // ---- the connection

  async connect() {
    byId("lost").hidden = true;
    this.say(t("engine.starting"));
    const engine = await Engine.connect({ onLost: (reason) => this.#lost(reason), onLine: (direction, line) => this.log.note(direction, line) });
    this.engine = engine;
    const [greeting, ids] = await Promise.all([engine.command("ugi", "ugiok"), engine.ask("query games")]);
    byId("engine-name").textContent = greeting.find((line) => line.startsWith("id name "))?.slice(8) ?? t("engine.anonymous");
    this.options = greeting.map(readOption).filter(Boolean);
    this.ids = ids.split(" ");
    this.game = new Game(engine);
    this.turn = new Turn(this.game);
  }

  #lost(reason) {
    this.overtake();
    byId("lost").hidden = false;
    byId("lost-why").textContent = t("engine.none", { why: reason });
    byId("reconnect").focus();
  }

  // ---- after each change

  get isHuman() {
    return this.players[this.game.status.turn] === "human";
  }

  /** Results of earlier actions are ignored from now on. */
  overtake() {
    this.#run += 1;
  }

  /** Clears the messages and marks of the previous position. */
  clear() {
    this.#last.clear();
    this.#evaluation.clear();
  }

  /** Updates the display and lets the engine act. */
  async settle() {
    const { game, turn } = this;
    turn.reset();
    this.wrong.clear();
    if (!game.isOver && this.isHuman) await turn.refresh();
    this.draw();
    this.remember();
    this.#think();
  }

  /** Like `settle`, after a setting that changes what the engine does. */
  async resettle() {
    await this.engine.stop();
    this.#evaluation.clear();
    await this.settle();
  }

  remember() {
    const { game, players, values, view } = this;
    keep({ ...game.save(), players, values, level: byId("level").value, isFlipped: view.isFlipped });
  }

  draw() {
    const { game, turn } = this;
    const pieces = turn.preview?.pieces ?? readPosition(game.fen, game.board);
    const squares = (tokens) => new Set([...tokens].map(squareOf));
    const isBegun = !turn.isEmpty;
    this.view.show(pieces, {
      last: isBegun ? null : this.#last,
      origins: isBegun ? null : squares(turn.next),
      targets: isBegun ? squares(turn.next) : null,
      path: squares(turn.taken),
      victims: new Set((turn.preview?.steps ?? []).filter(({ kind }) => kind === "captured").map(({ square }) => square)),
      wrong: this.wrong,
    });
    byId("end-turn").hidden = !(isBegun && turn.canEnd);
    byId("cancel").hidden = !isBegun;
    byId("entered").textContent = turn.path;
    byId("standing").textContent = standing(game);
    byId("over").hidden = !game.isOver;
    byId("over").textContent = game.isOver ? standing(game) : "";
    byId("resume").hidden = !this.isPaused || game.isOver || this.isHuman;
    byId("fen").value = game.fen;
    showSides(game, this.players, this.engine.isSearching);
    showFigures(game);
    showMoves(game, (ply) => this.guarded(() => this.goTo(ply)));
  }

  /** On its turn the engine moves; on a person's turn it analyses, if enabled. */
  #think() {
    const { engine, game } = this;
    this.overtake();
    if (game.isOver) return;
    const side = game.status.turn;
    const note = (line) => this.#evaluation.note(line, side);
    const explain = (error) => this.#explain(error);
    if (this.isHuman || this.isPaused) {
      if (byId("analyse").checked) engine.go("infinite", note).catch(explain);
      return;
    }
    const run = this.#run;
    this.#search(note)
      .then((move) => {
        if (run === this.#run && move && move !== "none") this.guarded(() => (run === this.#run ? this.play(move) : null));
      })
      .catch(explain);
    showSides(game, this.players, true);
  }

  async #search(note) {
    const level = LEVELS[byId("level").value][1];
    if (this.options.some(({ name }) => name === "Strength")) await this.engine.command(`setoption name Strength value ${level.strength}`);
    return this.engine.go(level.go, note);
  }

  // ---- navigation

  async play(move) {
    const { engine, game, view } = this;
    this.overtake();
    await engine.stop();
    const wasHuman = this.isHuman;
    // Analysis is at full strength, and so is everything a person does.
    if (wasHuman) await engine.command("setoption name Strength value 100").catch(() => {});
    const before = readPosition(game.fen, game.board);
    const mover = game.status.turn;
    const effects = await game.play(move);
    if (!wasHuman) await view.animate(effects, before);
    this.#last = new Set(effects.flatMap(({ square, to }) => [square, to]).filter(Boolean));
    // A message stays until the person does something.
    if (wasHuman || !byId("message").classList.contains("bad")) this.say(t("turn.played", { side: sideName(game.board, mover), move }));
    await this.settle();
  }

  async goTo(ply) {
    this.overtake();
    await this.game.goTo(ply);
    this.isPaused = !this.game.isAtEnd || this.game.isOver;
    this.clear();
    await this.settle();
  }

  /** Goes back to the last position in which a person is to move; if nobody is, by one ply. */
  async undo() {
    let ply = this.game.ply - 1;
    await this.goTo(ply);
    while (ply > 0 && Object.values(this.players).includes("human") && !this.isHuman) await this.goTo(--ply);
    // From here on a person plays, so engines need not wait.
    if (this.isHuman) this.isPaused = false;
  }

  async resume() {
    this.isPaused = false;
    await this.settle();
  }

  flip() {
    this.view.isFlipped = !this.view.isFlipped;
    this.view.build(this.game.board);
    this.draw();
    this.remember();
  }
}
