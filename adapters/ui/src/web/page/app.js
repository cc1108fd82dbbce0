// The state of the page: the current game, whose turn it is, and what is displayed.

import { byId } from "./dom.js";
import { Engine, Lost } from "./engine.js";
import { Log } from "./files.js";
import { Conduct } from "./conduct.js";
import { Game, readPosition } from "./game.js";
import { askGuides } from "./guide.js";
import { language, t } from "./i18n.js";
import { take } from "./held.js";
import { keep } from "./kept.js";
import { Ladder } from "./ladder.js";
import { showRecent } from "./library.js";
import { showNews } from "./news.js";
import { newKey, remember } from "./recent.js";
import { Evaluation, showFigures, showMoves, showParts, showSides, standing } from "./panels.js";
import { awaited } from "./prompt.js";
import { Question } from "./question.js";
import { levelOf, readOption, seedOf, strengthOf } from "./settings.js";
import { chime, soundOf } from "./sound.js";
import { Turn, touched } from "./turn.js";
import { showOffer } from "./unfinished.js";

const FULL_STRENGTH = 100;

/** The arrows of the steps of a move. */
const arrows = (kind, effects) => effects.filter((step) => step.kind === "from").map(({ square, to }) => [kind, square, to]);

export class App {
  #work = Promise.resolve();
  #run = 0; // counts the started actions, so that late results can be recognized
  #evaluation = new Evaluation(this);
  #stay = new AbortController(); // lets go of the engine
  log = new Log();
  engine = null;
  game = null;
  turn = null;
  ids = [];
  options = [];
  values = {}; // options that were changed, by name
  players = { p1: "human", p2: "engine" };
  key = newKey(); // of the game among the recent ones
  left = null; // the key of the game before the last start of another
  offered = null; // the key of the unfinished game that a new tab offers
  own = null; // players and time control that a game from a file has set aside
  isPaused = false; // engines and clocks wait, also while earlier positions are displayed
  isUnseen = false; // nobody has seen the page for some time
  isThinking = false; // an engine searches for its move
  wrong = new Set(); // squares that were refused
  question = new Question();
  ladder = new Ladder();
  latest = null; // the last move, and those of the same side just before it: { side, moves, isAgain } if the side is to move again
  #last = []; // the effects of the last move
  #hint = []; // those of the move that the engine would make

  /** @param view the board; its events are `guarded` */
  constructor(view) {
    this.view = view;
    this.conduct = new Conduct(this);
  }

  // ---- serializing actions

  /** Runs an action after the earlier ones. The page displays errors. */
  guarded(task) {
    this.#work = this.#work.then(task).catch((error) => this.#explain(error));
    return this.#work;
  }

  /** Runs an action of a person, as `guarded`. It clears the last message and passes an open question to the task. */
  act(task) {
    return this.guarded(() => {
      this.say("");
      return task(this.question.take());
    });
  }

  #explain(error) {
    if (error instanceof Lost) return this.#lost(error.message);
    this.say(error.message, true);
    if (!("code" in error)) console.error(error);
  }

  /** Answers what the person has done. The answer stays until the person does something else. */
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
    this.#stay = new AbortController();
    const { signal } = this.#stay;
    const onLine = (direction, line) => this.log.note(direction, line);
    const engine = await Engine.connect({ onLost: (reason) => this.#lost(reason), onLine, signal });
    this.engine = engine;
    const [greeting, ids] = await Promise.all([engine.command("ugi", "ugiok"), engine.ask("query games")]);
    byId("engine-name").textContent = greeting.find((line) => line.startsWith("id name "))?.slice(8) ?? t("engine.anonymous");
    this.options = greeting.map(readOption).filter(Boolean);
    this.ids = ids.split(" ");
    this.game = new Game(engine, new Map(this.options.map(({ name, default: usual }) => [name, usual])));
    await this.conduct.learn();
    this.game.knowsTurns = this.conduct.knows("turn");
    this.game.wantsParts = () => byId("details").open && !byId("parts").hidden;
    this.turn = new Turn(this.game);
    await this.learn();
  }

  /** Asks for the guides of all games in the language of the page. The game must be set up again afterwards. */
  async learn() {
    this.game.guides = await askGuides(this.engine.aside, this.ids, language());
  }

  /** Lets go of the engine, since the page is left. Returns everything that the page needs to come back. */
  leave() {
    const state = this.game?.board ? this.remember() : null;
    this.overtake();
    this.conduct.hold();
    this.#stay.abort();
    return state;
  }

  #lost(reason) {
    if (this.#stay.signal.aborted) return;
    this.overtake();
    this.conduct.hold();
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
    this.isThinking = false;
  }

  /** Clears everything that belongs to the previous position: marks, news, a question. */
  clear() {
    this.question.take();
    this.latest = null;
    this.#last = [];
    this.#hint = [];
    this.#evaluation.clear();
  }

  /** Updates the display and lets the engine act. */
  async settle() {
    const { game, turn } = this;
    turn.begin(!game.isOver && this.isHuman);
    this.wrong.clear();
    if (game.wantsParts()) showParts(game, this.players);
    this.conduct.goOn();
    this.ladder.follow(this);
    this.#think();
    this.draw();
    this.remember();
  }

  /** Like `settle`, after a setting that changes what the engine does. */
  async resettle() {
    await this.engine.stop();
    this.#evaluation.clear();
    await this.game.askParts();
    await this.settle();
  }

  /** Everything needed to set up the game again, with its players. */
  describe() {
    const { conduct, game, key, ladder, players } = this;
    return { ...game.save(), key, players: { ...players }, isCounting: ladder.isCounting, ...conduct.save() };
  }

  /** Stores the game and the settings. The game is also stored among the recent ones. Returns what is stored for this tab. */
  remember() {
    const { game, ladder, own, values, view } = this;
    const state = this.describe();
    const whole = {
      ...state,
      own,
      values,
      isPaused: this.isPaused,
      isAnalysing: byId("analyse").checked,
      isFollowing: ladder.isOn,
      isFlipped: view.isFlipped,
    };
    keep(whole);
    if (game.moves.length) remember({ ...state, options: game.options, source: null, ending: game.ending.result });
    take(this.key);
    showRecent(this);
    showOffer(this);
    return whole;
  }

  draw() {
    const { game, turn } = this;
    const pieces = turn.preview?.pieces ?? readPosition(game.fen, game.board);
    const isBegun = !turn.isEmpty;
    this.view.show(pieces, {
      last: isBegun ? null : touched(this.#last),
      hint: touched(this.#hint.filter(({ kind }) => kind === "dropped" || kind === "removed")),
      ...turn.marks,
      wrong: this.wrong,
    });
    this.view.point([...(isBegun ? [] : arrows("last", this.#last)), ...arrows("hint", this.#hint)]);
    byId("play").classList.toggle("flipped", this.view.isFlipped);
    byId("end-turn").hidden = !(isBegun && turn.canEnd);
    byId("cancel").hidden = !isBegun;
    byId("entered").textContent = turn.path;
    byId("prompt").textContent = game.isOver || !this.isHuman ? "" : awaited(turn, game.guide);
    byId("standing").textContent = standing(game, this.players);
    byId("result").hidden = !game.isOver;
    byId("over").textContent = game.isOver ? standing(game, this.players) : "";
    if (game.isOver) this.question.take();
    showNews(this);
    this.conduct.show();
    byId("hint").hidden = game.isOver || !this.isHuman;
    if (game.isOver) this.#evaluation.end(game.status.result);
    byId("fen").value = game.fen;
    showSides(game, this.players, this.isThinking);
    showFigures(game);
    showMoves(game, (ply) => this.guarded(() => this.goTo(ply)));
  }

  /** On its turn the engine moves; on a person's turn it analyses, if enabled. */
  #think() {
    const { engine, game } = this;
    this.overtake();
    if (game.isOver || this.isResting) return;
    const side = game.status.turn;
    const note = (line) => this.#evaluation.note(line, side);
    const explain = (error) => this.#explain(error);
    if (this.isHuman || this.isPaused) {
      if (byId("analyse").checked) engine.go("infinite", note).catch(explain);
      return;
    }
    const run = this.#run;
    this.isThinking = true;
    this.#search(note, { limits: this.conduct.clock?.limits })
      .then((move) => {
        if (run === this.#run && move && move !== "none") this.guarded(() => (run === this.#run ? this.play(move) : null));
      })
      .catch(explain);
  }

  /** Lets the engine search as its level says. `limits` and `strength` take the place of the level's own. */
  async #search(note, { limits = null, strength = null } = {}) {
    const level = levelOf(this.conduct.levels[this.game.status.turn]);
    const run = this.#run;
    await this.#setOption("Strength", (option) => strengthOf(strength ?? level.strength, option));
    await this.#setOption("Seed", (option) => seedOf(this.key, option));
    // An overtaken action must not begin to search.
    if (run !== this.#run) return null;
    return this.engine.go(limits ?? level.go, note);
  }

  /** Sets an option, if the engine has it. `value` computes the value from the option. */
  async #setOption(name, value) {
    const option = this.options.find((each) => each.name === name);
    if (option) await this.engine.command(`setoption name ${name} value ${value(option)}`);
  }

  /** Shows the move that the engine would make at full strength. The person may go on meanwhile. */
  async hint() {
    const { engine, game } = this;
    if (game.isOver || !this.isHuman) return;
    this.overtake();
    const run = this.#run;
    const side = game.status.turn;
    this.say(t("hint.searching"));
    await engine.stop();
    this.#search((line) => this.#evaluation.note(line, side), { strength: FULL_STRENGTH })
      .then((move) => {
        if (run === this.#run && move && move !== "none") this.guarded(() => (run === this.#run ? this.#showHint(move) : null));
      })
      .catch((error) => this.#explain(error));
  }

  async #showHint(move) {
    this.#hint = await this.game.effects(move);
    this.say(t("hint.move", { move }));
    this.draw();
  }

  // ---- a page that nobody sees

  /** Whether nobody waits for the engine: an analysis or a game between engines, out of sight. */
  get isResting() {
    const isWatched = this.isPaused || this.isHuman ? byId("analyse").checked : !Object.values(this.players).includes("human");
    return this.isUnseen && isWatched;
  }

  /** Sets whether nobody sees the page. Work that is only for the eye then rests, and goes on later. */
  async setUnseen(isUnseen) {
    const isReady = this.game?.board && this.engine.isOpen;
    const wasResting = isReady && this.isResting;
    this.isUnseen = isUnseen;
    if (!isReady || this.isResting === wasResting) return;
    this.overtake();
    await this.engine.stop();
    this.conduct.goOn();
    this.#think();
    this.draw();
  }

  // ---- navigation

  async play(move) {
    const { engine, game, view } = this;
    this.overtake();
    await engine.stop();
    const wasHuman = this.isHuman;
    // Analysis and everything a person does are at full strength.
    const strength = wasHuman && this.#setOption("Strength", () => FULL_STRENGTH);
    const before = readPosition(game.fen, game.board);
    const mover = game.status.turn;
    const { moves, ending } = game;
    if (!game.isAtEnd) this.ladder.spoil();
    const [effects] = await Promise.all([game.play(move), strength]);
    this.conduct.moved(mover, wasHuman);
    // A finished game stays among the recent ones as it was.
    if (game.moves !== moves && ending.result !== "none") this.key = newKey();
    if (!wasHuman) await view.animate(effects, before);
    const earlier = this.latest?.side === mover ? this.latest.moves : [];
    this.latest = { side: mover, moves: [...earlier, move], isAgain: game.status.turn === mover };
    chime(soundOf(effects, game.isOver));
    this.#last = effects;
    this.#hint = [];
    await this.settle();
    if (wasHuman) await this.conduct.deliverOffer();
  }

  async goTo(ply) {
    this.overtake();
    await this.game.goTo(ply);
    this.isPaused = !this.game.isAtEnd || this.game.isOver;
    this.clear();
    await this.settle();
  }

  /** Goes back to the last position in which a person is to move. Without a person, goes back one ply. */
  async undo() {
    if (this.conduct.withdraw()) return this.settle();
    let ply = this.game.ply - 1;
    await this.goTo(ply);
    while (ply > 0 && Object.values(this.players).includes("human") && !this.isHuman) await this.goTo(--ply);
    // A person plays from here on, so engines need not wait.
    if (!this.isHuman) return;
    this.isPaused = false;
    this.conduct.show();
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
