// The state of the page: the current game, whose turn it is, and what is displayed.

import { arrowsOf, readPosition, squaresOf, touched } from "../board/notation.js";
import { Analysis } from "../engine/analysis.js";
import { Engine, Lost } from "../engine/engine.js";
import { askGuides } from "../engine/guide.js";
import { showExplorer } from "../files/explorer.js";
import { Log } from "../files/files.js";
import { showRecent } from "../files/library.js";
import { newKey, remember } from "../files/recent.js";
import { awaited } from "../game/awaited.js";
import { Conduct } from "../game/conduct.js";
import { exactMarks, showExact } from "../game/exact.js";
import { Game } from "../game/game.js";
import { keep } from "../game/kept.js";
import { Ladder } from "../game/level.js";
import { take } from "../game/locks.js";
import { showMoves } from "../game/moves.js";
import { Turn } from "../game/turn.js";
import { showOffer } from "../game/unfinished.js";
import { Reviewer } from "../review/card.js";
import { Question } from "./dialog.js";
import { announce, byId } from "./dom.js";
import { language, messageOf, t } from "./i18n.js";
import { showNews } from "./news.js";
import { showFigures, showParts, showSides, standing, viewOf } from "./panels.js";
import { LEVELS, levelOf, readOption, seedOf, strengthOf } from "./settings.js";
import { chime, soundOf } from "./sound.js";
import { openTab, shownTab } from "./tabs.js";
import { noteGame } from "./trail.js";
import { setStarted } from "./welcome.js";

const FULL_STRENGTH = 100;
// With this word in the place of a move an engine resigns (SPEC 5.11a).
const RESIGN = "resign";

/**
 * The arrows of the steps of a move.
 * @param {string} kind
 * @param {Effect[]} effects
 * @returns {Arrow[]}
 */
const arrows = (kind, effects) => effects.filter((step) => step.kind === "from").map(({ square, to }) => [kind, square, to]);

/** @import { Answers } from "./dialog.js" */
/** @import { SavedReview } from "../review/review.js" */
/**
 * A game with its players and its review, as `Game.open`, `Conduct.set` and `Reviewer.set` take it.
 * @typedef {ReturnType<Game["save"]> & ReturnType<Conduct["save"]> & GamePlace} Described
 */
/** @typedef {{ key: string, players: Players, isCounting: boolean, review: SavedReview | null }} GamePlace */
/**
 * What is stored for a tab.
 * @typedef {Described & Pick<KeptGame, "own" | "isPaused" | "isAnalysing" | "isFollowing" | "isFlipped"> & OptionValues} Remembered
 */
/** @typedef {{ values?: Record<string, string> }} OptionValues options that were changed, by name */

export class App {
  /** @type {Promise<unknown>} */
  #work = Promise.resolve();
  #run = 0; // counts the started actions, so that late results can be recognized
  #stay = new AbortController(); // lets go of the engine
  log = new Log();
  analysis = new Analysis(this);
  /** @type {{ games: FoundGame[], name: string } | null} */
  browsed = null; // the games of a file that are browsed together, and its name
  /** @type {Engine} */
  engine; // once it is connected
  /** @type {Game} */
  game; // once an engine is connected
  /** @type {Turn} */
  turn; // of this game
  /** @type {string[]} */
  ids = [];
  /** @type {EngineOption[]} */
  options = [];
  /** @type {Record<string, string>} */
  values = {}; // options that were changed, by name
  /** @type {Players} */
  players = { p1: "human", p2: "engine" };
  /** @type {string} */
  key = newKey(); // of the game among the recent ones
  /** @type {string | null} */
  left = null; // the key of the game before the last start of another
  /** @type {string | null} */
  offered = null; // the key of the unfinished game that a new tab offers
  /** @type {{ players: Players, control: string } | null} */
  own = null; // players and time control that a game from a file has set aside
  isPaused = false; // engines and clocks wait, also while earlier positions are displayed
  isUnseen = false; // nobody has seen the page for some time
  isThinking = false; // an engine searches for its move
  /** @type {import("../practice/practice.js").Practice | null} */
  exercise = null; // what is solved on the board (practice/practice.js); the person's game is set aside
  /** @type {Set<string>} */
  wrong = new Set(); // squares that were refused
  question = new Question();
  reviewer = new Reviewer(this);
  ladder = new Ladder();
  /** @type {import("../meeting/client.js").Party | null} */
  party = null; // the game by invitation (meeting/client.js) that the page takes part in
  /** @type {{ side: Side, moves: string[], isAgain: boolean } | null} */
  latest = null; // the last move, and those of the same side just before it: { side, moves, isAgain } if the side is to move again
  /** @type {Effect[]} */
  #last = []; // the effects of the last move
  /** @type {Effect[]} */
  #hint = []; // those of the move that the engine would make

  /** @param {import("../board/board.js").BoardView} view the board; its events are `guarded` */
  constructor(view) {
    this.view = view;
    this.conduct = new Conduct(this);
  }

  // ---- serializing actions

  /**
   * Runs an action after the earlier ones. The page displays errors.
   * @param {() => unknown} task
   */
  guarded(task) {
    this.#work = this.#work.then(task).catch((error) => this.#explain(error));
    return this.#work;
  }

  /**
   * Runs an action of a person, as `guarded`. It clears the last message and passes an open question to the task.
   * @param {(question: Answers | null) => unknown} task
   */
  act(task) {
    return this.guarded(() => {
      this.say("");
      return task(this.question.take());
    });
  }

  /** @param {unknown} error */
  #explain(error) {
    if (error instanceof Lost) return this.#lost(error.message);
    this.say(messageOf(error), true);
    if (!(error instanceof Error && "code" in error)) console.error(error);
  }

  /**
   * Answers what the person has done. The answer stays until the person does something else.
   * @param {string} text
   * @param {boolean} isBad
   */
  say(text, isBad = false) {
    const line = byId("message");
    announce(line, text);
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
    /**
     * @param {string} direction
     * @param {string} line
     */
    const onLine = (direction, line) => this.log.note(direction, line);
    /** @param {boolean} isCut */
    const onCut = (isCut) => this.#cut(isCut);
    const engine = await Engine.connect({ onLost: (reason) => this.#lost(reason), onLine, onCut, signal });
    this.engine = engine;
    const [greeting, ids] = await Promise.all([engine.command("ugi", "ugiok"), engine.ask("query games")]);
    byId("engine-name").textContent = greeting.find((line) => line.startsWith("id name "))?.slice(8) ?? t("engine.anonymous");
    this.options = greeting.map(readOption).filter(Boolean);
    this.analysis.offer(this);
    this.ids = ids.split(" ");
    this.game = new Game(engine, new Map(this.options.map(({ name, default: usual }) => [name, usual])));
    await Promise.all([this.conduct.learn(), this.#setOption("UCI_ShowWDL", () => true), this.learn()]);
    this.game.knowsTurns = this.conduct.knows("turn");
    this.game.knowsValues = this.conduct.knows("value");
    this.game.wantsParts = () => byId("details").open && !byId("parts").hidden;
    this.turn = new Turn(this.game);
  }

  /** Asks for the guides of all games in the language of the page. The game must be set up again afterwards. */
  async learn() {
    this.game.guides = await askGuides(this.engine.aside, this.ids, language());
  }

  /** Lets go of the engine, since the page is left. Returns everything that the page needs to come back. */
  leave() {
    this.reviewer.halt();
    this.party?.close();
    const state = this.game?.board ? this.remember() : null;
    this.overtake();
    this.conduct.hold();
    this.#stay.abort();
    return state;
  }

  /**
   * The connection is cut, or back again. The engine goes on meanwhile, and so can the person.
   * @param {boolean} isCut
   */
  #cut(isCut) {
    if (isCut) this.say(t("lost.again"));
    else if (byId("message").textContent === t("lost.again")) this.say("");
  }

  /** @param {string} reason */
  #lost(reason) {
    if (this.#stay.signal.aborted) return;
    this.lose(t("engine.none", { why: reason }));
  }

  /**
   * The page cannot go on until the person connects again.
   * @param {string} why
   */
  lose(why) {
    this.overtake();
    this.conduct.hold();
    setStarted();
    byId("lost").hidden = false;
    byId("lost-why").textContent = why;
    byId("reconnect").focus();
  }

  // ---- after each change

  /** Whether a person moves both sides, since the engine analyses. */
  get isFree() {
    return this.analysis.isOn && !this.exercise && !this.party;
  }

  get isHuman() {
    return this.isFree || this.players[this.game.status.turn] === "human";
  }

  /** The squares and arrows of the last move. Where its effects are not known, its text tells them. */
  get #made() {
    const { move } = this.game.tree.node;
    if (this.#last.length || !move) return { squares: touched(this.#last), arrows: arrows("last", this.#last) };
    return { squares: new Set(squaresOf(move)), arrows: arrowsOf("last", move) };
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
    this.analysis.clear();
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
    this.analysis.clear();
    await this.game.askParts();
    await this.settle();
  }

  /**
   * Everything needed to set up the game again, with its players.
   * @returns {Described}
   */
  describe() {
    if (this.exercise) return this.exercise.saved;
    const { conduct, game, key, ladder, players, reviewer } = this;
    const { isCounting } = ladder;
    return { ...game.save(), key, players: { ...players }, isCounting, ...conduct.save(), review: reviewer.save() };
  }

  /**
   * Stores the game and the settings. The game is also stored among the recent ones. Returns what is stored for this tab.
   * @returns {Remembered | null}
   */
  remember() {
    if (this.exercise) return this.exercise.saved;
    // The server keeps this game.
    if (this.party) return null;
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
    if (game.moves.length) remember({ ...state, options: game.options, ending: game.ending.result });
    take(this.key);
    noteGame({ id: game.id, key: this.key, ply: game.ply });
    showRecent(this);
    showOffer(this);
    return whole;
  }

  draw() {
    const { game, turn } = this;
    const pieces = turn.preview?.pieces ?? readPosition(game.fen, game.board);
    const isBegun = !turn.isEmpty;
    this.view.show(pieces, {
      last: isBegun ? null : this.#made.squares,
      hint: touched(this.#hint.filter(({ kind }) => kind === "dropped" || kind === "removed")),
      ...turn.marks,
      ...exactMarks(this),
      wrong: this.wrong,
    });
    this.point();
    byId("play").classList.toggle("flipped", this.view.isFlipped);
    byId("end-turn").hidden = !turn.ended;
    byId("end-turn").textContent = t(turn.canPass ? "turn.pass" : "turn.end");
    byId("cancel").hidden = !isBegun;
    byId("entered").textContent = turn.path;
    // In the order in which a screen reader announces them.
    showNews(this);
    announce(byId("standing"), standing(game, this.players));
    announce(byId("prompt"), game.isOver || !this.isHuman ? "" : awaited(turn, game.guide));
    byId("result").hidden = !game.isOver;
    byId("over").textContent = game.isOver ? standing(game, this.players) : "";
    if (game.isOver) this.question.take();
    this.conduct.show();
    byId("hint").hidden = game.isOver || !this.isHuman;
    showExact(this);
    this.analysis.show();
    if (game.isOver) this.analysis.end(game.status.result);
    byId("fen").value = game.fen;
    showSides(game, this.players, this.isThinking, this.party);
    showFigures(game);
    this.reviewer.show();
    showMoves(game, viewOf(this.players), (node) => this.act(() => this.visit(node)));
    showExplorer(this);
  }

  /** Shows arrows: of what may be played, or else of the last move and a better one. While a move is entered, only the hint's. */
  point() {
    const { isEmpty } = this.turn;
    const next = [...(isEmpty ? this.analysis.arrows : []), ...arrows("hint", this.#hint)];
    const made = isEmpty ? [...this.#made.arrows, ...arrows("better", this.reviewer.made.better)] : [];
    this.view.point(next.length ? next : made);
  }

  /** On its turn the engine moves; on a person's turn it analyses, if enabled. */
  #think() {
    const { game } = this;
    this.overtake();
    if (game.isOver || this.isResting || this.exercise || this.party) return;
    const side = game.status.turn;
    /** @param {string} line */
    const note = (line) => this.analysis.note(line, side);
    /** @param {unknown} error */
    const explain = (error) => this.#explain(error);
    if (this.isHuman || this.isPaused) {
      const analysis = { limits: "infinite", strength: FULL_STRENGTH, lines: this.analysis.count };
      if (this.analysis.isOn) this.#search(note, analysis).catch(explain);
      return;
    }
    const run = this.#run;
    this.isThinking = true;
    this.#search(note, { limits: game.isLive ? this.conduct.clock?.limits : null })
      .then((move) => {
        if (run !== this.#run || !move || move === "none") return;
        this.guarded(() => {
          if (run !== this.#run) return null;
          return move === RESIGN ? this.conduct.resigned() : this.play(move);
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
    const level = levelOf(this.conduct.levels[this.game.status.turn]) ?? LEVELS[0];
    const run = this.#run;
    // One batch: between two waits, another action might begin a search.
    await Promise.all([
      this.#setOption("MultiPV", () => lines),
      this.#setOption("Strength", (option) => strengthOf(strength ?? level.strength, option)),
      this.#setOption("Seed", (option) => seedOf(this.key, option)),
    ]);
    // An overtaken action must not begin to search.
    if (run !== this.#run) return null;
    return this.engine.go(limits ?? level.go, note);
  }

  /**
   * Sets an option, if the engine has it. `value` computes the value from the option.
   * @param {string} name
   * @param {(option: EngineOption) => unknown} value
   */
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
    this.#search((line) => this.analysis.note(line, side), { strength: FULL_STRENGTH })
      .then((move) => {
        if (run === this.#run && move && move !== "none") this.guarded(() => (run === this.#run ? this.#showHint(move) : null));
      })
      .catch((error) => this.#explain(error));
  }

  /**
   * Runs a task of the engine away from the game, such as a question about another position, and goes on as before. The task
   * also gets a function that searches at full strength.
   * @template T
   * @param {(engine: Engine, search: (limits: string) => Promise<string | null>) => Promise<T>} task
   */
  async apart(task) {
    const { engine, game } = this;
    this.overtake();
    await engine.stop();
    try {
      return await task(engine, (limits) => this.#search(() => {}, { limits, strength: FULL_STRENGTH }));
    } finally {
      await game.restore();
      this.#think();
    }
  }

  /** @param {string} move */
  async #showHint(move) {
    if (move === RESIGN) return this.say(t("hint.resign"));
    this.say(t("hint.move", { move }));
    await this.pointOut(move);
  }

  /**
   * Shows a move on the board, as a hint.
   * @param {string} move
   */
  async pointOut(move) {
    this.#hint = await this.game.effects(move);
    this.draw();
  }

  /** From now on the engine searches at full strength. */
  fullStrength() {
    return this.#setOption("Strength", () => FULL_STRENGTH);
  }

  // ---- a page that nobody sees

  /** Whether nobody waits for the engine: an analysis or a game between engines, out of sight. */
  get isResting() {
    const isWatched = this.isPaused || this.isHuman ? byId("analyse").checked : !Object.values(this.players).includes("human");
    return this.isUnseen && isWatched;
  }

  /**
   * Sets whether nobody sees the page. Work that is only for the eye then rests, and goes on later.
   * @param {boolean} isUnseen
   */
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

  /** @param {string} move */
  async play(move) {
    const { engine, game, view } = this;
    this.overtake();
    await engine.stop();
    const wasHuman = this.isHuman;
    // Analysis and everything a person does are at full strength.
    const strength = wasHuman && this.fullStrength();
    const before = readPosition(game.fen, game.board);
    const mover = game.status.turn;
    const { isLive } = game;
    if (!game.isAtEnd) this.ladder.spoil();
    const [effects] = await Promise.all([game.play(move), strength]);
    this.conduct.moved(isLive ? mover : null, wasHuman);
    if (!wasHuman) await view.animate(effects, before);
    const earlier = this.latest && this.latest.side === mover ? this.latest.moves : [];
    this.latest = { side: mover, moves: [...earlier, move], isAgain: game.status.turn === mover };
    chime(soundOf(effects, game.isOver));
    this.#last = effects;
    this.#hint = [];
    // The game has begun: its moves take the place of what sets it up.
    if (isLive && wasHuman && shownTab() === "play") openTab("moves");
    await this.settle();
    if (wasHuman) await this.conduct.deliverOffer();
  }

  /**
   * Plays the moves of a line one after the other. An engine waits if the line has moved for it.
   * @param {string[]} moves
   */
  async playLine(moves) {
    for (const move of moves) await this.play(move);
    if (moves.length > 1 && !this.isHuman) await this.conduct.pause();
  }

  /**
   * Looks at the position after this many moves of the displayed line.
   * @param {number} ply
   */
  goTo(ply) {
    return this.visit(this.game.tree.at(ply));
  }

  /**
   * Looks at the position after a move of the tree.
   * @param {TreeNode} node
   */
  async visit(node) {
    this.overtake();
    await this.game.visit(node);
    this.game.hasTakenBack = false;
    this.isPaused = !this.game.isAtEnd || this.game.isOver;
    this.clear();
    this.#last = node.effects ?? this.reviewer.made.played;
    await this.settle();
  }

  /** Takes back to the last position in which a person is to move. Without a person, takes back one ply. */
  async undo() {
    if (this.party) return this.party.ask("takeback");
    if (this.conduct.withdraw()) return this.settle();
    const { game } = this;
    const { isLive } = game;
    const hasPerson = Object.values(this.players).includes("human");
    await this.goTo(game.ply - 1);
    while (game.ply > 0 && hasPerson && !this.isHuman) await this.goTo(game.ply - 1);
    game.hasTakenBack = isLive;
    // A person plays from here on, so engines need not wait.
    if (this.isHuman) this.isPaused = false;
    this.conduct.show();
    this.remember();
  }

  /** Makes the line to the displayed position the main line. The game then ends as this line does. */
  async promote() {
    const { game } = this;
    game.tree.promote(game.tree.node);
    Object.assign(game, { verdict: null, source: null });
    const { node } = game.tree;
    // Its end tells how the game ends.
    await game.goTo(Number.POSITIVE_INFINITY);
    await this.visit(node);
  }

  /** Deletes the variation that the displayed position is in, from its first move on. */
  async deleteVariation() {
    const { tree } = this.game;
    const [first] = tree.node.variations.slice(-1);
    if (!first?.parent) return;
    tree.remove(first);
    await this.visit(first.parent);
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
