// What the engine tells people about a game (`query rules`): its rules with examples, prompts, names of options, words.

import { Lost } from "./engine.js";

/** @typedef {{ fen: string, move: string | null, effects: string, caption: string }} Example */
/** @typedef {{ fen: string, moves: string[], goal: string }} LessonTask */
/** @typedef {{ heading: string, text: string, examples: Example[], tasks: LessonTask[] }} Clause */
/** @typedef {{ reason: string, key?: string, count?: string, text: string }} Ending for every case, if there is no key */

/** What is told about a game in a language. An engine without `query rules` tells nothing. */
export class Guide {
  /** @type {string | null} */
  title = null;
  /** @type {Clause[]} */
  clauses = [];
  /** @type {Record<string, string>} */
  #prompts = {};
  /** @type {Record<string, { label: string, text: string }>} */
  #options = {};
  /** @type {Record<string, string>} */
  #values = {};
  /** @type {Record<string, string>} */
  #words = {};
  /** @type {Ending[]} */
  #endings = [];
  /** @type {Ending[]} */
  #losses = []; // as the loser is told

  /** @param {string[]} lines the answer to `query rules` */
  constructor(lines = []) {
    for (const line of lines) this.#read(line);
  }

  /** @param {string} line */
  #read(line) {
    const [, kind, rest] = line.match(/^rules (\w+) (.*)$/) ?? [];
    const [head, ...texts] = (rest ?? "").split(" : ");
    const text = texts.join(" : ");
    if (kind === "title") this.title = rest;
    else if (kind === "clause") this.clauses.push({ heading: head, text, examples: [], tasks: [] });
    else if (kind === "example") this.#readExample(head, text);
    else if (kind === "task") this.#readTask(head, text);
    else if (kind === "prompt") this.#prompts[head] = text;
    else if (kind === "option") this.#options[head] = { label: texts[0], text: texts.slice(1).join(" : ") };
    else if (kind === "value") this.#values[head] = text;
    else if (kind === "word") this.#words[head] = text;
    else if (kind === "ending") this.#endings.push(readEnding(head, text));
    else if (kind === "loss") this.#losses.push(readEnding(head, text));
  }

  /**
   * `fen <position text> [move <move> effects <pairs>]`: an example of the previous clause.
   * @param {string} head
   * @param {string} caption
   */
  #readExample(head, caption) {
    const [, fen, move = null, effects = ""] = head.match(/^fen (.*?)(?: move (\S+) effects (.*))?$/) ?? [];
    if (fen) this.clauses.at(-1)?.examples.push({ fen, move, effects, caption });
  }

  /**
   * `<what> <n> fen <position text> moves <move>...`: a task for the previous clause (SPEC 4.40a).
   * @param {string} head
   * @param {string} goal
   */
  #readTask(head, goal) {
    const [, fen, moves] = head.match(/^\S+ \d+ fen (.*) moves (.+)$/) ?? [];
    if (fen) this.clauses.at(-1)?.tasks.push({ fen, moves: moves.split(" "), goal });
  }

  /** Whether there are tasks for a first lesson. */
  get hasLesson() {
    return this.clauses.some(({ tasks }) => tasks.length > 0);
  }

  /**
   * The prompt for a `first` square, a `step`, a `drop`, a `remove` or the `end`; undefined if there is none.
   * @param {string} kind
   */
  prompt = (kind) => own(this.#prompts, kind);
  /**
   * A rule option: `{ label, text }`, if it is told.
   * @param {string} name
   */
  option = (name) => own(this.#options, name);
  /**
   * A value of a rule option, for people.
   * @param {string} name
   * @param {string} value
   */
  value = (name, value) => own(this.#values, `${name} ${value}`) ?? value;
  /**
   * A word that stands in other answers, for people.
   * @param {string} word
   */
  word = (word) => own(this.#words, word) ?? word;

  /**
   * Why a game with this status is over: the text of its case, or else the word of the reason.
   * @param {Status} status
   */
  ending(status) {
    return this.#endings.find((ending) => applies(ending, status))?.text ?? this.word(status.reason);
  }

  /**
   * Why a game is lost, as its loser is told (SPEC 4.40b); undefined if there is no text of its own.
   * @param {Status} status
   */
  loss(status) {
    return this.#losses.find((loss) => applies(loss, status))?.text;
  }
}

/**
 * `<reason> <key> <n>`: a case of an ending (SPEC 4.40). A loss may be told of by its reason alone.
 * @param {string} head
 * @param {string} text
 */
function readEnding(head, text) {
  const [reason, key, count] = head.split(" ");
  return { reason, key, count, text };
}

/**
 * Whether a game with this status has ended for the reason, and its loser has that number left.
 * @param {Ending} ending
 * @param {Status} status
 */
function applies({ reason, key, count }, status) {
  const loser = ["p2win", "p1win"].indexOf(status.result) + 1;
  /** @param {string} name */
  const left = (name) => own(status, name)?.match(/^(-?\d+)-(-?\d+)$/)?.[loser];
  return Boolean(loser) && reason === status.reason && (key === undefined || left(key) === count);
}

/**
 * A foreign name may equal a property that every object has.
 * @template T
 * @param {Record<string, T>} object
 * @param {string} name
 * @returns {T | undefined}
 */
const own = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);

/**
 * Whether an engine tells its rules, by its answer to `query protocol`.
 * @param {string} protocol
 */
const tells = (protocol) => protocol.split(" ").includes("rules");

/**
 * An engine may refuse to tell.
 * @param {unknown} error
 * @returns {string[]}
 */
function nothing(error) {
  if (error instanceof Lost) throw error;
  return [];
}

/**
 * Asks about all games in a language; returns guides by id. The engine loses the current game: the caller sets it up again.
 * @param {Asker} engine
 * @param {string[]} ids
 * @param {string} language
 */
export async function askGuides(engine, ids, language) {
  if (!tells(await engine.ask("query protocol"))) return new Map();
  /** @param {string} id */
  const guideOf = async (id) => {
    const [, lines] = await Promise.all([
      engine.command(`setoption name Game value ${id}`),
      engine.command(`query rules ${language}`).catch(nothing),
    ]);
    return new Guide(lines);
  };
  const guides = await Promise.all(ids.map(guideOf));
  return new Map(ids.map((id, at) => [id, guides[at]]));
}
