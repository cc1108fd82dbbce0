// A game held by the engine: its start, and the tree of its moves.

import { readBoard, readEffects } from "../board/notation.js";
import { explain, Lost } from "../engine/engine.js";
import { Guide } from "../engine/guide.js";
import { pairs } from "../ui/dom.js";
import { capital, t } from "../ui/i18n.js";
import { positionCommand, readStatus, readTurn, readValues } from "./messages.js";
import { MAX_DEPTH, Tree } from "./tree.js";

/** @typedef {[name: string, value: string]} OptionPair */
/** @typedef {{ result: string, reason: string }} Verdict how a game has ended: `p1win`, `p2win` or `draw`, and why */
/** @typedef {{ tags: [name: string, value: string][], result: string }} Source the record that a game was opened from */
/**
 * A game to set up. `moves` is the main line. `plies` may tell more about the same moves, and `path` is a line to look at instead, up
 * to `ply`.
 * @typedef {object} SetUp
 * @property {string} id
 * @property {string | null} [start]
 * @property {string[]} [moves]
 * @property {Ply[] | null} [plies]
 * @property {string[] | null} [path]
 * @property {number} [ply]
 * @property {OptionPair[] | null} [options]
 * @property {Verdict | null} [verdict]
 * @property {Source | null} [source]
 * @property {boolean} [hasTakenBack]
 */

const NO_GUIDE = new Guide();
/** How many moves of a game that is set up are asked about. */
const MOST_MOVERS = 400;

export class Game {
  #status = readStatus("");
  /** @type {Map<string, string | undefined>} */
  #lent = new Map(); // a person's own values of the options that the game has brought its values of
  id = ""; // once a game is set up
  /** @type {string | null} */
  start = null; // a position text, or null for the start position of the game
  tree = new Tree();
  hasTakenBack = false; // moves were taken back, so that the next move goes on with the game
  fen = "";
  /** @type {TurnState | null} */
  begun = null; // a turn of the displayed position before anything is entered
  knowsTurns = false; // whether the engine knows `query turn`
  knowsValues = false; // whether the engine knows `query value`
  /** @type {ExactValues | null} */
  values = null; // what it knows exactly of the displayed position
  wantsParts = () => false; // whether the parts of the evaluation are displayed
  /** @type {Record<string, string>} */
  parts = {}; // what the displayed position is worth, by part, as far as that is wanted
  /** @type {Verdict | null} */
  verdict = null; // how the main line has ended other than by its rules
  /** @type {Source | null} */
  source = null;
  /** @type {Board} */
  board; // once a game is set up
  /** @type {Map<string, Guide>} */
  guides = new Map(); // what the engine tells people, by game
  /** @type {Map<string, string>} */
  rules = new Map(); // the rule options of the game with the engine's values

  /**
   * @param {Engine} engine is asked for all rules
   * @param {Map<string, string | undefined>} defaults the declared defaults of its options, by name
   */
  constructor(engine, defaults = new Map()) {
    this.engine = engine;
    this.defaults = defaults;
  }

  /**
   * Sets up a game, completely or not at all: on failure the previous game and its rules stay. A game with options is played by
   * them and the defaults of all other rules; another game has a person's own rules again. Returns the rules that the game has
   * changed and the names of options that are not rules of the game.
   * @param {SetUp} wanted
   */
  async open({ id, start = null, moves = [], options = null, verdict = null, source = null, hasTakenBack = false, ...way }) {
    await this.engine.stop();
    const [before, had, lentBefore] = [this.save(), new Map(), this.#lent];
    try {
      const { wanted, lent, ignored } = await this.#choose(id, options);
      for (const [name, { is }] of wanted) had.set(name, is);
      await this.#set([...wanted].map(([name, { value }]) => [name, value]));
      await this.#put({ id, start, moves, ...way });
      this.#lent = lent;
      Object.assign(this, { verdict, source, hasTakenBack });
      return { changed: [...this.rules].filter(([name]) => lent.has(name)), ignored };
    } catch (error) {
      this.#lent = lentBefore;
      if (!(error instanceof Lost)) await this.#goBack(id, [...had], before);
      throw error;
    }
  }

  /**
   * Which options to set for a game: its rules (the engine knows them, SPEC 4.21), and lent options.
   * @param {string} id
   * @param {OptionPair[] | null} options
   */
  async #choose(id, options) {
    if (options === null && this.#lent.size === 0) return { wanted: new Map(), lent: new Map(), ignored: [] };
    const [, rules] = await Promise.all([this.#start(id), this.#askRules()]);
    const given = new Map((options ?? []).map(([name, value]) => [name.toLowerCase(), value]));
    const [wanted, lent] = [new Map(), new Map()];
    // Options lent to rules of another game get their own values back too.
    for (const name of new Set([...rules.keys(), ...this.#lent.keys()])) {
      const is = rules.get(name) ?? this.rules.get(name);
      const own = this.#lent.get(name) ?? is;
      const brought = options && rules.has(name) ? (given.get(name.toLowerCase()) ?? this.defaults.get(name)) : undefined;
      const value = brought ?? own;
      if (value !== own) lent.set(name, own);
      if (value !== is) wanted.set(name, { value, is });
    }
    const known = new Set([...rules.keys()].map((name) => name.toLowerCase()));
    const ignored = new Set((options ?? []).map(([name]) => name).filter((name) => !known.has(name.toLowerCase())));
    return { wanted, lent, ignored: [...ignored] };
  }

  /** @param {SetUp & { start: string | null, moves: string[] }} game */
  async #put({ id, start, moves, plies = null, path = null, ply = (path ?? moves).length }) {
    this.values = null;
    // One batch: the engine answers in order, and waiting for each answer would open the page slowly.
    const [, rules, board] = await Promise.all([
      this.#start(id),
      this.#askRules(),
      this.engine.command("query board"),
      this.begin(start, moves, plies),
    ]);
    Object.assign(this, { id, rules, board: known(readBoard(board)) });
    this.board.word = this.guide.word;
    const { tree } = this;
    if (path) tree.go(tree.root.add(path.map((move) => ({ move }))).at(-1) ?? tree.root);
    if (path || ply < tree.ply) await this.goTo(ply);
  }

  /**
   * Goes back from a game that could not be set up. All of its options can be set while it has no moves.
   * @param {string} id
   * @param {OptionPair[]} had
   * @param {ReturnType<Game["save"]>} before
   */
  async #goBack(id, had, before) {
    if (had.length) await Promise.all([this.#start(id), this.#set(had)]);
    if (!before.id) return;
    await this.#put(before);
    const { verdict, source, hasTakenBack } = before;
    Object.assign(this, { verdict, source, hasTakenBack });
  }

  /** @param {string} id */
  #start(id) {
    return this.engine.command(`setoption name Game value ${id}`);
  }

  /** @param {OptionPair[]} options */
  #set(options) {
    return Promise.all(options.map(([name, value]) => this.engine.command(`setoption name ${name} value ${value}`)));
  }

  async #askRules() {
    const [, ...words] = (await this.engine.ask("query game")).split(" ");
    return new Map(Object.entries(pairs(words)));
  }

  /** Whether the game has brought rules of its own. The next game gets the person's rules back. */
  get hasOwnRules() {
    return this.#lent.size > 0;
  }

  /** The rules that are not at their defaults. */
  get options() {
    return [...this.rules].filter(([name, value]) => this.defaults.get(name) !== value);
  }

  /**
   * Handles a rule option that a person has set. Asks for the value, which stays for the next game.
   * @param {string} name
   */
  async change(name) {
    this.#lent.delete(name);
    this.values = null;
    [this.rules] = await Promise.all([this.#askRules(), this.look()]);
  }

  /** Names the start position by its text, since another game will start differently (SPEC 8.10). */
  async pinStart() {
    if (this.start !== null || this.moves.length === 0) return;
    const { node, root } = this.tree;
    await this.visit(root);
    this.start = this.fen;
    await this.visit(node);
  }

  /**
   * Starts a game from its start position or a position text. If the text is refused, the current game stays.
   * @param {string | null} fen
   * @param {string[]} moves
   * @param {Ply[] | null} plies what is told about the moves
   */
  async begin(fen = null, moves = [], plies = null) {
    await this.engine.stop();
    const isNew = fen === null && moves.length === 0;
    const commands = [...(isNew ? ["uginewgame"] : []), positionCommand(fen, moves)];
    const movers = this.#askMovers(fen, moves);
    const changes = Promise.all(commands.map((command) => this.engine.command(command)));
    const [made, status, sides] = await Promise.all([this.#askMoves(), this.#look(), movers, changes]);
    const isTold = plies?.length === moves.length && plies.every(({ move }, at) => move === moves[at]);
    const tree = new Tree(isTold ? plies : made.map((move) => ({ move })));
    for (const [at, node] of tree.main.entries()) node.mover = sides[at] ?? null;
    Object.assign(this, { start: fen, verdict: null, source: null, hasTakenBack: false, tree });
    this.#arrive(made, status);
  }

  /**
   * The side that makes each of the first moves from a start: sides need not alternate. The engine ends anywhere.
   * @param {string | null} fen
   * @param {string[]} moves
   */
  async #askMovers(fen, moves) {
    const { aside } = this.engine;
    const asked = moves.slice(0, MOST_MOVERS);
    if (asked.length === 0) return [];
    // A wrong move is told of when the game is set up.
    const placed = aside.command(positionCommand(fen, []));
    const told = asked.map((move) => Promise.all([aside.ask("query status"), aside.command(`move ${move}`).catch(() => null)]));
    const [, ...answers] = await Promise.allSettled([placed, ...told]);
    return answers.map((each) => (each.status === "fulfilled" && each.value ? readStatus(each.value[0]).turn : null));
  }

  /** The moves that have led to the position, in the engine's own texts. */
  async #askMoves() {
    return (await this.engine.ask("query history")).split(" ").slice(1);
  }

  /**
   * Notes that the engine is at the current move of the tree, and how it writes the moves to there.
   * @param {string[]} moves
   * @param {Status} status
   */
  #arrive(moves, status) {
    this.tree.node.path.forEach((node, at) => {
      node.move = moves[at] ?? node.move;
    });
    for (const next of this.tree.node.children) next.mover = status.turn;
    this.#status = status;
    const { over, result, reason } = status;
    this.tree.node.end = over === "true" ? { result, reason } : null;
  }

  /** Asks for the position, what may be entered, and the parts of the evaluation, all in one wait. Returns the status. */
  async #look() {
    const { engine } = this;
    const [fen, status, begun, values] = await Promise.all([
      engine.ask("query fen"),
      engine.ask("query status"),
      this.askTurn(),
      this.#askValues(),
      this.askParts(),
    ]);
    Object.assign(this, { fen, begun, values });
    return readStatus(status);
  }

  /** Asks for everything about the displayed position again. */
  async look() {
    this.#arrive([], await this.#look());
  }

  /** Asks for the parts of the evaluation if they are displayed. An engine that refuses tells none. */
  async askParts() {
    if (!this.wantsParts()) return;
    this.parts = pairs((await this.#askAside("eval")).split(" ").filter(Boolean));
  }

  /** Asks what the engine knows exactly of a new position, unless it knows nothing of the game. */
  async #askValues() {
    if (!this.knowsValues) return null;
    // The value of the position before, which may have been the end of a game, is not that of this one.
    if (this.values?.reach === 0) return { ...this.values, position: null, moves: new Map() };
    return readValues(await this.#askAside("query value"));
  }

  /**
   * The answer to a question that is no part of the session; empty if the engine refuses.
   * @param {string} question
   */
  #askAside(question) {
    return this.engine.aside.ask(question).catch((error) => {
      if (error instanceof Lost) throw error;
      return "";
    });
  }

  /**
   * The turn after this text was entered.
   * @returns {Promise<TurnState>}
   */
  async askTurn(path = "") {
    if (this.knowsTurns) return readTurn(await this.engine.ask(`query turn ${path}`.trim()));
    // Such an engine does not tell what an unfinished move does.
    const tokens = (await this.engine.ask(`query next ${path}`.trim())).split(" ").filter(Boolean);
    /** @type {TurnState["next"]} */
    const next = new Map(tokens.filter((token) => token !== "end").map((token) => [token, false]));
    return { next, canEnd: tokens.includes("end"), drops: 0, steps: [] };
  }

  /** The moves of the line that is displayed, up to its end. */
  get moves() {
    return this.tree.line.map(({ move }) => move);
  }

  /** How many of the moves are made in the displayed position. */
  get ply() {
    return this.tree.ply;
  }

  /** The answer to `query status`. If the game has ended other than by its rules, its last position has the verdict. */
  get status() {
    const { verdict } = this;
    const isDecided = verdict && this.isAtEnd && this.tree.isOnMain && this.#status.over !== "true";
    return isDecided ? { ...this.#status, over: "true", ...verdict } : this.#status;
  }

  /** What the engine tells people about the game in play. */
  get guide() {
    return this.guides.get(this.id) ?? NO_GUIDE;
  }

  /**
   * The name of a game.
   * @param {string} id
   */
  titleOf(id) {
    return this.guides.get(id)?.title ?? capital(id);
  }

  get isOver() {
    return this.status.over === "true";
  }

  /** How the main line has ended, whatever position is displayed: the reason, and whether it is a rule's reason. */
  get ending() {
    const { end } = this.tree.main.at(-1) ?? this.tree.root;
    return { result: "none", reason: "none", ...(end ?? this.verdict), isByRules: end !== null };
  }

  get isAtEnd() {
    return this.tree.node.children.length === 0;
  }

  /** Whether a move would go on with the game, instead of a look at what else might have been. */
  get isLive() {
    return this.ending.result === "none" && ((this.isAtEnd && this.tree.isOnMain) || this.hasTakenBack);
  }

  /**
   * Makes a move and returns its effects (SPEC 4.28). Another move than the next one of the line begins a variation. After moves
   * were taken back, the game goes on with the move, and the moves taken back become the variation.
   * @param {string} move
   */
  async play(move) {
    // One batch, since a person waits for the move.
    const [effects, , moves, status] = await Promise.all([this.effects(move), this.engine.command(`move ${move}`), this.#askMoves(), this.#look()]);
    const { tree, isLive } = this;
    const made = moves.at(-1) ?? move;
    const isNew = !tree.node.children.some((node) => node.move === made);
    const mover = this.#status.turn;
    const node = tree.play(made);
    if (!node) {
      await this.visit(tree.node);
      throw new Error(t("tree.tooDeep", { most: MAX_DEPTH }));
    }
    if (isLive && isNew) tree.promote(node);
    // The record tells of another game.
    if (isNew && tree.isOnMain) this.source = null;
    this.hasTakenBack &&= !this.isAtEnd;
    Object.assign(node, { effects, mover });
    this.#arrive(moves, status);
    return effects;
  }

  /**
   * What a move does, step by step (SPEC 4.28).
   * @param {string} move
   */
  async effects(move) {
    return readEffects(await this.engine.ask(`query effects ${move}`));
  }

  /**
   * Goes to the position after this many moves of the displayed line.
   * @param {number} ply
   */
  goTo(ply) {
    return this.visit(this.tree.at(ply));
  }

  /**
   * Goes to the position after a move of the tree. An engine that refuses the moves stays where it is.
   * @param {TreeNode} node
   */
  async visit(node) {
    await this.engine.stop();
    const moves = node.path.map(({ move }) => move);
    const gone = this.engine.command(positionCommand(this.start, moves));
    const [, made, status] = await Promise.all([gone, this.#askMoves(), this.#look()]);
    this.tree.go(node);
    this.#arrive(made, status);
  }

  /** Puts the engine back into the displayed position, after it was asked about another one. */
  restore() {
    return this.engine.command(positionCommand(this.start, this.moves.slice(0, this.ply)));
  }

  /**
   * Why a move is illegal: the engine's reason and the square; null if it is legal.
   * @param {string} move
   */
  async whyNot(move) {
    const verdict = await this.engine.ask(`query legal ${move}`);
    if (verdict === "true") return null;
    const [head, text] = verdict.split(" : ", 2);
    const [, reason, , square] = head.split(" ");
    return { reason, square: square === "-" ? null : square, text: explain(reason, square, text) };
  }

  /** Everything needed to set up the game again. The rules are there only if the game has brought its own. */
  save() {
    const { id, start, tree, ply, hasTakenBack, verdict, source } = this;
    const moves = tree.main.map(({ move }) => move);
    const plies = tree.isRich ? tree.plies : null;
    const isElsewhere = (tree.line.at(-1) ?? tree.root).variations.length > 0;
    const path = isElsewhere ? this.moves : null;
    return { id, start, moves, plies, path, ply, hasTakenBack, verdict, source, options: this.hasOwnRules ? this.options : null };
  }
}

/**
 * A board that has squares.
 * @param {Board} board
 */
function known(board) {
  if (!board.files || !board.ranks) throw new Error(t("fault.boardSize"));
  return board;
}
