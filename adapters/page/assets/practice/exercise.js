// An exercise: a position, what is to be found in it, and a judge of the moves. It knows no game and no page.

/**
 * What is known after a move, which is in canonical text. `score` and `chance` are from the person's view. Without a search, and if
 * the game is over, they are null. `reply` is the engine's answer.
 * @typedef {{ move: string, status: Status, score: Score | null, chance: number | null, reply: string | null }} Seen
 */
/** @typedef {{ isRight: boolean, why: string, reply: string | null }} Judgement a right move without a reply solves the exercise */
/**
 * A move to judge. `isFirst` tells whether it is the first move, and `person` is the side of the person. `limits` are those of a
 * search (`go`, SPEC 5.1).
 * @typedef {{ move: string, isFirst: boolean, person: Side, look: (limits?: string) => Promise<Seen> }} JudgedMove
 */
/**
 * What a person is asked.
 * @typedef {object} Task
 * @property {string} id the game
 * @property {string | null} [start] a position text, or null for the start of the game
 * @property {string[]} [moves] those made before
 * @property {OptionPair[]} [options] the rules; none are the default rules
 * @property {(side: string) => string} goal the sentence that says what to find; `side` names the person's side within it
 * @property {string[]} [accepted] the right moves, in canonical text
 * @property {(move: string) => string} [why] what to say of any other move
 * @property {(move: JudgedMove) => Promise<Judgement>} [judge] takes the place of both
 * @property {string} [answer] the move that "Show the answer" shows; by default the first accepted one, and later what the engine
 * finds
 * @property {number} [rating]
 */
/**
 * The board of an exercise. `search` finds a move.
 * @typedef {object} ExerciseBoard
 * @property {boolean} isOver
 * @property {Side} person
 * @property {(move: string, limits?: string) => Promise<Seen>} look
 * @property {(move: string) => Promise<unknown>} make
 * @property {() => Promise<string | null>} search
 */

/**
 * A judge that accepts the listed moves.
 * @param {Task} task
 * @returns {(move: JudgedMove) => Promise<Judgement>}
 */
const judgeOf = ({ accepted = [], why = () => "", judge }) =>
  judge ??
  (async ({ look }) => {
    const { move } = await look();
    return { isRight: accepted.includes(move), why: why(move), reply: null };
  });

export class Exercise {
  #judge;
  #board;
  #onChange;
  #onResult;
  #made = 0; // right moves
  #isCounted = false; // whether the result is known
  state = "open"; // or `judging`, `wrong`, `solved`, `shown`
  why = ""; // what is said of the last move
  /** @type {string | null} */
  reply = null; // the engine's answer to the last right move
  /** @type {string | null} */
  shown = null; // the move of the answer

  /**
   * @param {Task} task
   * @param {{ board: ExerciseBoard, onChange?: (exercise: Exercise) => void, onResult?: (isRight: boolean) => void }} options
   * `onChange` is called after each change of the state. `onResult` is called once: has the person solved it without a mistake
   * and without help?
   */
  constructor(task, { board, onChange = () => {}, onResult = () => {} }) {
    this.task = task;
    this.#judge = judgeOf(task);
    this.#board = board;
    this.#onChange = onChange;
    this.#onResult = onResult;
  }

  /** Whether the person may move. After a wrong move, `restart` comes first. */
  get isOpen() {
    return this.state === "open" || this.state === "shown";
  }

  /**
   * @param {string} state
   * @param {object} changes
   */
  #become(state, changes = {}) {
    Object.assign(this, { why: "", reply: null, shown: null }, changes, { state });
    this.#onChange(this);
  }

  /** @param {boolean} isRight */
  #count(isRight) {
    if (this.#isCounted) return;
    this.#isCounted = true;
    this.#onResult(isRight);
  }

  /**
   * Judges a move of the person. It is made and answered: the board shows what a wrong one does.
   * @param {string} move
   */
  async play(move) {
    if (!this.isOpen) return;
    const board = this.#board;
    const before = this.state;
    this.#become("judging");
    /** @type {JudgedMove} */
    const context = { move, isFirst: this.#made === 0, person: board.person, look: (limits) => board.look(move, limits) };
    const verdict = await this.#judge(context).catch((error) => {
      this.#become(before);
      throw error;
    });
    await board.make(move);
    if (verdict.reply && !board.isOver) await board.make(verdict.reply);
    if (!verdict.isRight) {
      this.#count(false);
      return this.#become("wrong", { why: verdict.why });
    }
    this.#made += 1;
    if (verdict.reply && !board.isOver) return this.#become("open", { reply: verdict.reply });
    this.#count(true);
    this.#become("solved");
  }

  /** Finds the answer, which counts as not solved. Resolves to the move. */
  async show() {
    const { accepted = [], answer = accepted[0] } = this.task;
    this.#count(false);
    const move = (this.#made === 0 && answer) || (await this.#board.search());
    this.#become("shown", { shown: move });
    return move;
  }

  /** The position was set up anew. The result stays. */
  restart() {
    this.#made = 0;
    this.#become("open");
  }
}
