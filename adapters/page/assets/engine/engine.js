// The engine at the other end of a connection, which carries lines of the protocol (SPEC.md).
//
// Commands are sent immediately and answered in order. An `isready` after each command tells when all of its replies
// have arrived (SPEC 17.10). A search runs in parallel and owns `info` and `bestmove`.

import { messageOf, named, t } from "../ui/i18n.js";
import { connect } from "./connection.js";

/**
 * Why a move is illegal, in the language of the page. For an unknown reason, the engine's own text.
 * @param {string} reason
 * @param {string | null} square
 * @param {string} text
 */
export function explain(reason, square, text) {
  const why = named("illegal", reason);
  if (!why) return text;
  return square && square !== "-" ? t("refused.at", { square, why }) : why;
}

/** A parsed `error` line. */
export class Refused extends Error {
  /**
   * Why a move is illegal, and where; undefined in other refusals.
   * @type {string | undefined}
   */
  reason;
  /** @type {string | undefined} */
  square;

  /** @param {string} line */
  constructor(line) {
    const [head, text] = line.split(" : ", 2);
    super(text ?? head);
    this.code = head.split(" ")[1];
    this.index = Number(head.match(/ index (\d+) /)?.[1]) || null;
    const [, reason, square] = head.match(/ reason (\S+) at (\S+)$/) ?? [];
    if (!reason) return;
    Object.assign(this, { reason, square, message: explain(reason, square, this.message) });
  }
}

/** The connection is lost. */
export class Lost extends Error {}

/** The longest wait for a reply without thinking, in milliseconds, and the most lines of a reply. */
const PATIENCE = 10_000;
const MOST_LINES = 10_000;
/** The longest line, in bytes (SPEC 2.6). */
const LONGEST = 1 << 20;

/**
 * Why a text must not be sent as a line, or null if it may.
 * @param {string} line
 */
function fault(line) {
  if (new TextEncoder().encode(line).length > LONGEST) return t("fault.longLine");
  if (/[\0-\x08\n-\x1f\x7f-\x9f]|[^\S \t]/.test(line)) return t("fault.characters");
  return null;
}

/** @param {string[]} lines */
const responseIn = (lines) => (lines.find((line) => line.startsWith("response")) ?? "response").slice("response".length).trim();

/**
 * What a search tells of a position, from the view of a side: centipawns (`cp`), or the moves to an announced end (`mate`).
 * @typedef {{ kind: string, value: number }} Score
 */
/**
 * What an `info` line tells of a line of play (SPEC 5.21).
 * @typedef {object} Info
 * @property {number} multipv
 * @property {Score} score
 * @property {string[]} pv
 * @property {number} [depth]
 * @property {number} [seldepth]
 * @property {number} [nodes]
 * @property {number} [nps]
 * @property {number} [time]
 * @property {number} [hashfull]
 * @property {number[]} [wdl]
 */
/**
 * A command without an answer, and the lines of its answer that have arrived.
 * @typedef {object} Waiting
 * @property {string[]} lines
 * @property {string} until the word that ends the answer
 * @property {boolean} isNoted
 * @property {(lines: string[]) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {number} [timer]
 */
/** @typedef {{ command: (line: string) => Promise<string[]>, ask: (question: string) => Promise<string> }} Asker */

export class Engine {
  /** @type {import("./session.js").Connection} */
  #connection; // once it is opened
  /** @type {Waiting[]} */
  #waiting = [];
  /**
   * @type {{
   *   onInfo: (line: string) => void, resolve: (move: string | null) => void, promise: Promise<string | null>,
   * } | null}
   */
  #search = null;
  /** Whether `score mate` counts plies. Engines of `leap 1.x` count moves (SPEC 5.20, 18.6). */
  countsPlies = true;
  /** @type {((direction: string, line: string) => void) | undefined} */
  #log;

  /**
   * - `onLine(direction, line)` receives every line.
   * - `onLost(reason)` is called once.
   * - `onCut(isCut)` tells that the connection is cut, or back again. A search goes on meanwhile, and nothing is lost.
   * - The signal ends the connection.
   * @param {{
   *   onLost: (reason: string) => void, onLine?: (direction: string, line: string) => void, onCut?: (isCut: boolean) => void,
   *   signal: AbortSignal,
   * }} options
   */
  static async connect({ onLost, onLine, onCut = () => {}, signal }) {
    const engine = new Engine();
    engine.#log = onLine;
    /** @param {boolean} isCut */
    const rest = (isCut) => {
      for (const waiting of engine.#waiting) isCut ? clearTimeout(waiting.timer) : engine.#watch(waiting);
      onCut(isCut);
    };
    /** @param {string} reason */
    const onClose = (reason) => {
      engine.#fail(new Lost(reason));
      onLost(reason);
    };
    try {
      engine.#connection = await connect({ onLine: (line) => engine.#receive(line), onClose, onCut: rest, signal });
    } catch (error) {
      throw new Lost(messageOf(error));
    }
    return engine;
  }

  get isOpen() {
    return this.#connection.isOpen;
  }

  get isSearching() {
    return this.#search !== null;
  }

  /** Lets go of the engine. */
  close() {
    this.#connection.close();
  }

  /**
   * Asks questions that are no part of the session. A transcript has neither the command nor its answer.
   * @type {Asker}
   */
  aside = {
    command: (line) => this.command(line, "readyok", false),
    ask: async (question) => responseIn(await this.aside.command(question)),
  };

  /**
   * @param {string} line
   * @param {boolean} isNoted
   */
  #send(line, isNoted = true) {
    if (isNoted) this.#log?.(">", line);
    this.#connection.send(line);
  }

  /** @param {Error} error */
  #fail(error) {
    for (const { timer, reject } of this.#waiting.splice(0)) {
      clearTimeout(timer);
      reject(error);
    }
    this.#search?.resolve(null);
    this.#search = null;
  }

  /** @param {string} line */
  #receive(line) {
    const word = line.split(" ", 1)[0];
    const isOfSearch = word === "bestmove" || word === "info";
    if (isOfSearch || (this.#waiting[0]?.isNoted ?? true)) this.#log?.("<", line);
    const [, major] = line.match(/^response leap (\d+)/) ?? [];
    if (major) this.countsPlies = major !== "1";
    if (word === "bestmove") {
      const search = this.#search;
      this.#search = null;
      search?.resolve(line.split(" ")[1]);
    } else if (word === "info") {
      this.#search?.onInfo(line);
    } else if (this.#waiting.length) {
      const [waiting] = this.#waiting;
      if (word === waiting.until) {
        clearTimeout(waiting.timer);
        this.#waiting.shift();
        waiting.resolve(waiting.lines);
      } else if (waiting.lines.push(line) > MOST_LINES) {
        this.#giveUp(t("lost.endless"));
      }
    }
  }

  /**
   * Gives up if the answer to a command takes too long.
   * @param {Waiting} waiting
   */
  #watch(waiting) {
    waiting.timer = setTimeout(() => this.#giveUp(t("lost.silent")), PATIENCE);
  }

  /** @param {string} reason */
  #giveUp(reason) {
    this.#fail(new Lost(reason));
    this.#connection.close();
  }

  /**
   * Sends a command; resolves to the lines of its answer, or rejects with its error.
   * @param {string} line
   * @param {string} until
   * @param {boolean} isNoted
   * @returns {Promise<string[]>}
   */
  command(line, until = "readyok", isNoted = true) {
    return new Promise((resolve, reject) => {
      if (!this.isOpen) return reject(new Lost(t("lost.connection")));
      const wrong = fault(line);
      if (wrong) return reject(new Error(wrong));
      /** @param {string[]} lines */
      const done = (lines) => {
        const error = lines.find((reply) => reply.startsWith("error "));
        if (error) reject(new Refused(error));
        else resolve(lines);
      };
      /** @type {Waiting} */
      const waiting = { lines: [], until, isNoted, resolve: done, reject };
      this.#watch(waiting);
      this.#waiting.push(waiting);
      this.#send(line, isNoted);
      if (until === "readyok") this.#send("isready", isNoted);
    });
  }

  /**
   * What follows `response` in the answer to a question.
   * @param {string} question
   */
  async ask(question) {
    return responseIn(await this.command(question));
  }

  /**
   * Starts a search. Resolves to its move or `none`; to null if the connection is lost.
   * @param {string} limits
   * @param {(line: string) => void} onInfo
   */
  async go(limits, onInfo = () => {}) {
    // There is no wait after this one, so the next caller finds this search and can stop it.
    if (this.isSearching) await this.stop();
    /** @type {PromiseWithResolvers<string | null>} */
    const { promise, resolve } = Promise.withResolvers();
    this.#search = { onInfo, resolve, promise };
    try {
      await this.command(`go ${limits}`);
    } catch (error) {
      this.#search = null;
      throw error;
    }
    return promise;
  }

  /**
   * Searches within limits. Resolves to the move, as `go`, and to the last `info` about it; null if there was none.
   * @param {string} limits
   */
  async evaluate(limits) {
    // A plain null would be taken for all that it can be.
    let info = /** @type {Info | null} */ (null);
    const best = await this.go(limits, (line) => {
      const read = readInfo(line, this.countsPlies);
      if (read?.multipv === 1) info = read;
    });
    return { best, info };
  }

  /** Makes a search answer now. */
  hurry() {
    if (this.#search && this.isOpen) this.#send("stop");
  }

  /** Stops a search, if there is one, and waits for its move. The caller of that search ignores the move. */
  async stop() {
    const search = this.#search;
    if (!search) return;
    if (this.isOpen) this.#send("stop");
    await search.promise;
  }
}

/** @type {("depth" | "seldepth" | "multipv" | "nodes" | "nps" | "time" | "hashfull")[]} */
const NUMBERS = ["depth", "seldepth", "multipv", "nodes", "nps", "time", "hashfull"];

/**
 * A score of an engine, with the distance to the end in moves. A move is two plies.
 * @param {string} kind
 * @param {number} value
 * @param {boolean} countsPlies
 */
function readScore(kind, value, countsPlies) {
  const plies = Math.abs(value);
  return { kind, value: kind === "mate" && countsPlies ? Math.sign(value) * Math.ceil(plies / 2) : value };
}

/**
 * Parses an `info` line: depth, score, wdl, nodes, pv and so on. Null if the line has no pv. The engine may count the
 * distance to the end in plies.
 * @param {string} line
 * @param {boolean} countsPlies
 * @returns {Info | null}
 */
export function readInfo(line, countsPlies = true) {
  const words = line.split(" ");
  /** @type {Partial<Info> & { multipv: number }} */
  const info = { multipv: 1 };
  for (let at = 1; at < words.length && !info.pv; at++) {
    const number = NUMBERS.find((name) => name === words[at]);
    if (words[at] === "string") return null;
    if (words[at] === "score") info.score = readScore(words[++at], Number(words[++at]), countsPlies);
    else if (words[at] === "wdl") info.wdl = words.slice(at + 1, at + 4).map(Number);
    else if (words[at] === "pv") info.pv = words.slice(at + 1);
    else if (number) info[number] = Number(words[++at]);
  }
  const { score, pv } = info;
  return score && pv ? { ...info, score, pv } : null;
}
