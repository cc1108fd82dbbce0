// What the engine tells people about a game (`query rules`): its rules with examples, prompts, names of options, words.

import { Lost } from "./engine.js";

/** What is told about a game in a language. An engine without `query rules` tells nothing. */
export class Guide {
  title = null;
  clauses = []; // { heading, text, examples: [{ fen, move, effects, caption }], tasks: [{ fen, moves, goal }] }
  #prompts = {};
  #options = {};
  #values = {};
  #words = {};
  #endings = [];
  #losses = []; // like the endings, for the loser; those that are for every case have no key

  /** @param lines the answer to `query rules` */
  constructor(lines = []) {
    for (const line of lines) this.#read(line);
  }

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

  /** `fen <position text> [move <move> effects <pairs>]`: an example of the previous clause. */
  #readExample(head, caption) {
    const [, fen, move = null, effects = ""] = head.match(/^fen (.*?)(?: move (\S+) effects (.*))?$/) ?? [];
    if (fen) this.clauses.at(-1)?.examples.push({ fen, move, effects, caption });
  }

  /** `<what> <n> fen <position text> moves <move>...`: a task for the previous clause (SPEC 4.40a). */
  #readTask(head, goal) {
    const [, fen, moves] = head.match(/^\S+ \d+ fen (.*) moves (.+)$/) ?? [];
    if (fen) this.clauses.at(-1)?.tasks.push({ fen, moves: moves.split(" "), goal });
  }

  /** Whether there are tasks for a first lesson. */
  get hasLesson() {
    return this.clauses.some(({ tasks }) => tasks.length > 0);
  }

  /** The prompt for a `first` square, a `step`, a `drop`, a `remove` or the `end`; undefined if there is none. */
  prompt = (kind) => own(this.#prompts, kind);
  /** A rule option: `{ label, text }`, if it is told. */
  option = (name) => own(this.#options, name);
  /** A value of a rule option, for people. */
  value = (name, value) => own(this.#values, `${name} ${value}`) ?? value;
  /** A word that stands in other answers, for people. */
  word = (word) => own(this.#words, word) ?? word;

  /** Why a game with this status is over: the text of its case, or else the word of the reason. */
  ending(status) {
    return this.#endings.find((ending) => applies(ending, status))?.text ?? this.word(status.reason);
  }

  /** Why a game is lost, as its loser is told (SPEC 4.40b); undefined if there is no text of its own. */
  loss(status) {
    return this.#losses.find((loss) => applies(loss, status))?.text;
  }
}

/** `<reason> <key> <n>`: a case of an ending (SPEC 4.40). A loss may be told of by its reason alone. */
function readEnding(head, text) {
  const [reason, key, count] = head.split(" ");
  return { reason, key, count, text };
}

/** Whether a game with this status has ended for the reason, and its loser has that number left. */
function applies({ reason, key, count }, status) {
  const loser = { p1win: 2, p2win: 1 }[status.result];
  const left = (name) => own(status, name)?.match(/^(-?\d+)-(-?\d+)$/)?.[loser];
  return Boolean(loser) && reason === status.reason && (key === undefined || left(key) === count);
}

/** A foreign name may equal a property that every object has. */
const own = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);

/** Whether an engine tells its rules, by its answer to `query protocol`. */
const tells = (protocol) => protocol.split(" ").includes("rules");

/** An engine may refuse to tell. */
function nothing(error) {
  if (error instanceof Lost) throw error;
  return [];
}

/** Asks about all games in a language; returns guides by id. The engine loses the current game: the caller sets it up again. */
export async function askGuides(engine, ids, language) {
  if (!tells(await engine.ask("query protocol"))) return new Map();
  const answers = ids.map(async (id) => {
    const [, lines] = await Promise.all([
      engine.command(`setoption name Game value ${id}`),
      engine.command(`query rules ${language}`).catch(nothing),
    ]);
    return [id, new Guide(lines)];
  });
  return new Map(await Promise.all(answers));
}
