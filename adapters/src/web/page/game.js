// A game held by the engine: its start, the moves made, and those taken back.

import { pairs } from "./dom.js";
import { explain, Lost } from "./engine.js";
import { t } from "./i18n.js";

export class Game {
  /** @param engine is asked for all rules */
  constructor(engine) {
    this.engine = engine;
    this.id = null;
    this.start = null; // a position text, or null for the start position of the game
    this.moves = [];
    this.ply = 0; // how many of the moves are made in the displayed position
    this.fen = "";
    this.status = {};
    this.board = null;
    this.rules = new Map(); // the rule options of the game with the engine's values
  }

  /**
   * Sets up a game with its rule options, completely or not at all; on failure the previous game and options stay. Returns which
   * options were set, and the names of those that are not rules of the game.
   */
  async open({ id, start = null, moves = [], ply = moves.length, options = [] }) {
    await this.engine.stop();
    const before = this.save();
    let had = [];
    try {
      const { taken, ignored } = await this.#choose(id, options);
      had = taken.map(([name]) => [name, this.rules.get(name)]);
      await this.#set(taken);
      await this.#put({ id, start, moves, ply });
      return { taken, ignored };
    } catch (error) {
      if (before.id !== null && !(error instanceof Lost)) await this.#goBack(id, had, before);
      throw error;
    }
  }

  /** Separates the options that are rules of a game from the others: the engine knows (SPEC 4.21). */
  async #choose(id, options) {
    const [taken, ignored] = [new Map(), new Set()];
    if (options.length) {
      [, this.rules] = await Promise.all([this.#start(id), this.#askRules()]);
      const names = new Map([...this.rules.keys()].map((name) => [name.toLowerCase(), name]));
      for (const [name, value] of options) {
        const known = names.get(name.toLowerCase());
        if (known) taken.set(known, value);
        else ignored.add(name);
      }
    }
    return { taken: [...taken], ignored: [...ignored] };
  }

  async #put({ id, start, moves, ply }) {
    // In one batch: the engine answers in order, and waiting for each answer would make the page open slowly.
    const [, rules, board] = await Promise.all([this.#start(id), this.#askRules(), this.engine.command("query board"), this.begin(start, moves)]);
    Object.assign(this, { id, rules, board: readBoard(board) });
    if (ply < this.moves.length) await this.goTo(ply);
  }

  /** Resets the options of a game that could not be set up. Without its moves, all of its options can be set. */
  async #goBack(id, had, before) {
    if (had.length) await Promise.all([this.#start(id), this.#set(had)]);
    await this.#put(before);
  }

  #start(id) {
    return this.engine.command(`setoption name Game value ${id}`);
  }

  #set(options) {
    return Promise.all(options.map(([name, value]) => this.engine.command(`setoption name ${name} value ${value}`)));
  }

  async #askRules() {
    const [, ...words] = (await this.engine.ask("query game")).split(" ");
    return new Map(Object.entries(pairs(words)));
  }

  /** Starts a game from its start position or a position text. If the text is refused, the current game stays. */
  async begin(fen = null, moves = []) {
    await this.engine.stop();
    const isNew = fen === null && moves.length === 0;
    const commands = [...(isNew ? ["uginewgame"] : []), positionCommand(fen, moves)];
    const changes = commands.map((command) => this.engine.command(command));
    const [history] = await Promise.all([this.engine.ask("query history"), this.look(), ...changes]);
    this.start = fen;
    this.moves = history.split(" ").slice(1);
    this.ply = this.moves.length;
  }

  /** Asks for the position and its status. */
  async look() {
    const [fen, status] = await Promise.all([this.engine.ask("query fen"), this.engine.ask("query status")]);
    this.fen = fen;
    this.status = pairs(status.split(" "));
  }

  get isOver() {
    return this.status.over === "true";
  }

  get isAtEnd() {
    return this.ply === this.moves.length;
  }

  /** Makes a move and discards the moves taken back. Returns its effects (SPEC 4.28). */
  async play(move) {
    const effects = readEffects(await this.engine.ask(`query effects ${move}`));
    await this.engine.command(`move ${move}`);
    const [history] = await Promise.all([this.engine.ask("query history"), this.look()]);
    const canonical = history.split(" ").at(-1);
    // Repeating the same move keeps the moves after it.
    if (this.moves[this.ply] !== canonical) this.moves = [...this.moves.slice(0, this.ply), canonical];
    this.ply += 1;
    return effects;
  }

  /** Goes to the position after this many moves. */
  async goTo(ply) {
    const target = Math.max(0, Math.min(ply, this.moves.length));
    await this.engine.stop();
    await this.engine.command(positionCommand(this.start, this.moves.slice(0, target)));
    this.ply = target;
    await this.look();
  }

  /** Why a move is illegal: the engine's reason and the square; null if it is legal. */
  async whyNot(move) {
    const verdict = await this.engine.ask(`query legal ${move}`);
    if (verdict === "true") return null;
    const [head, text] = verdict.split(" : ", 2);
    const [, reason, , square] = head.split(" ");
    return { reason, square: square === "-" ? null : square, text: explain(reason, square, text) };
  }

  /** Everything needed to set up the game again. */
  save() {
    return { id: this.id, start: this.start, moves: this.moves, ply: this.ply };
  }
}

function positionCommand(fen, moves) {
  // The rest would be parsed as moves.
  if (/(^|[ \t])moves([ \t]|$)/.test(fen ?? "")) throw new Error(t("fault.movesInPosition"));
  const start = fen === null ? "position startpos" : `position fen ${fen}`;
  return moves.length ? `${start} moves ${moves.join(" ")}` : start;
}

/** The number of files or ranks: files have letters. */
function size(text) {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 26) throw new Error(t("fault.boardSize", { found: text }));
  return count;
}

/** Indices of squares by name, pieces by text, and the lines of a board (SPEC 4.23). */
function readBoard(lines) {
  const board = { lines: [], pieces: new Map(), colours: { p1: "white", p2: "black" } };
  for (const [, kind, ...words] of lines.map((line) => line.split(" "))) {
    if (kind === "files") Object.assign(board, { files: size(words[0]), ranks: size(words[2]), isPoints: words[4] === "points" });
    else if (kind === "line") board.lines.push(words);
    else if (kind === "piece") board.pieces.set(words[0], pairs(words.slice(1)));
    else if (kind === "colours") board.colours = pairs(words);
  }
  board.squares = [];
  for (let rank = 1; rank <= board.ranks; rank++) {
    for (let file = 0; file < board.files; file++) board.squares.push(String.fromCharCode(97 + file) + rank);
  }
  return board;
}

/** The pieces of a position text by square (SPEC 9.8). */
export function readPosition(fen, board) {
  const pieces = new Map();
  fen
    .split(" ")[0]
    .split("/")
    .forEach((row, fromTop) => {
      let file = 0;
      for (const [, run, piece] of row.matchAll(/(\d+)|([A-Za-z]~?)/g)) {
        if (run) file += Number(run);
        else pieces.set(String.fromCharCode(97 + file++) + (board.ranks - fromTop), piece);
      }
    });
  return pieces;
}

/** The steps of a move: `{ kind: "from", square, to }`, `{ kind: "captured", square }`, `{ kind: "dropped", square, piece }` … */
export function readEffects(text) {
  const words = text.split(" ");
  const steps = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [kind, value] = [words[at], words[at + 1]];
    if (kind === "from") {
      steps.push({ kind, square: value, to: words[at + 3] });
      at += 2;
    } else if (kind === "captured" || kind === "removed") steps.push({ kind, square: value });
    else if (value.includes("=")) {
      const [square, piece] = value.split("=");
      steps.push({ kind: kind === "dropped" ? kind : "changed", square, piece });
    } else if (kind === "points") steps.push({ kind, points: Number(value) });
  }
  return steps;
}

/** Applies a step to pieces by square. */
export function apply(pieces, step) {
  switch (step.kind) {
    case "from": {
      const piece = pieces.get(step.square);
      pieces.delete(step.square);
      pieces.set(step.to, piece);
      break;
    }
    case "captured":
    case "removed":
      pieces.delete(step.square);
      break;
    case "changed":
    case "dropped":
      pieces.set(step.square, step.piece);
  }
}
