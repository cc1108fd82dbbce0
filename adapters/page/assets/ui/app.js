// The state of the page: the current game, whose turn it is, and what is displayed.

import { arrowsOf, readPosition, squaresOf, touched } from "../board/notation.js";
import { Analysis } from "../engine/analysis.js";
import { Engine, Lost } from "../engine/engine.js";
import { askGuides } from "../engine/guide.js";
import { Searches } from "../engine/searches.js";
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
import { readOption } from "./settings.js";
import { chime, soundOf } from "./sound.js";
import { openTab, shownTab } from "./tabs.js";
import { noteGame } from "./trail.js";
import { setStarted } from "./welcome.js";

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
  /** @type {import("../practice/practice.js").Practice | null} */
  exercise = null; // what is solved on the board (practice/practice.js); the person's game is set aside
  /** @type {Set<string>} */
  wrong = new Set(); // squares that were refused
  question = new Question();
  reviewer = new Reviewer(this);
  ladder = new Ladder();
  searches = new Searches(this);
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
    this.#work = this.#work.then(task).catch((error) => this.explain(error));
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

  /**
   * Tells a person of an error.
   * @param {unknown} error
   */
  explain(error) {
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
    await Promise.all([this.conduct.learn(), this.searches.setOption("UCI_ShowWDL", () => true), this.learn()]);
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
    this.searches.overtake();
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
    this.searches.overtake();
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
    this.searches.begin();
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
    showSides(game, this.players, this.searches.isThinking, this.party);
    showFigures(game);
    this.reviewer.show();
    showMoves(game, viewOf(this.players), (node) => this.act(() => this.visit(node)));
    showExplorer(this);
  }

  /**
   * Shows the arrows of an analysis and a hint. If there are none, it shows those of the last move and a better one. While a
   * move is entered, only a hint is shown.
   */
  point() {
    const { isEmpty } = this.turn;
    const next = [...(isEmpty ? this.analysis.arrows : []), ...arrows("hint", this.#hint)];
    const made = isEmpty ? [...this.#made.arrows, ...arrows("better", this.reviewer.made.better)] : [];
    this.view.point(next.length ? next : made);
  }

  /**
   * Shows a move on the board, as a hint.
   * @param {string} move
   */
  async pointOut(move) {
    this.#hint = await this.game.effects(move);
    this.draw();
  }

  // ---- navigation

  /** @param {string} move */
  async play(move) {
    const { engine, game, view } = this;
    this.searches.overtake();
    await engine.stop();
    const wasHuman = this.isHuman;
    // Analysis and everything a person does are at full strength.
    const strength = wasHuman && this.searches.fullStrength();
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
    this.searches.overtake();
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
