// An exercise: a position, what is to be found in it, and a judge of the moves. It knows no game and no page.

/**
 * What a person is asked:
 * - `id`: the game; `start`: a position text, or null for the start of the game; `moves`: those made before, none by default.
 * - `options`: the rules as pairs of names and values; none by default, which are the default rules.
 * - `goal(side)`: returns the sentence that says what to find. `side` names the person's side, as within a sentence.
 * - `accepted`: the right moves, in canonical text. `why(move)` returns what to say of any other move.
 * - `judge({ move, isFirst, person, look })` takes the place of both. It resolves to `{ isRight, why, reply }`.
 *   - `reply` is the engine's answer to the move. An exercise is solved by a right move without an answer.
 *   - `isFirst` tells whether it is the first move. `person` is the side of the person.
 *   - `look(limits)` resolves to what is known after the move: `{ move, status, score, chance, reply }`. Its `move` is the
 *     canonical text. `limits` are those of a search (`go`, SPEC 5.1). Then `score` and `chance` are from the person's view.
 *     Without a search, and if the game is over, they are null.
 * - `answer`: the move that "Show the answer" shows; by default the first accepted one, and later what the engine finds.
 *
 * @typedef {any} Task
 */

/** A judge that accepts the listed moves. */
const judgeOf = ({ accepted = [], why = (_move) => "", judge }) =>
  judge ??
  (async ({ look }) => {
    const { move } = await look();
    return { isRight: accepted.includes(move), why: why(move), reply: null };
  });

export class Exercise {
  task;
  judge;
  #board;
  #onChange;
  #onResult;
  #made = 0; // right moves
  #isCounted = false; // whether the result is known
  state = "open"; // or `judging`, `wrong`, `solved`, `shown`
  why = ""; // what is said of the last move
  reply = null; // the engine's answer to the last right move
  shown = null; // the move of the answer

  /**
   * @param {Task} task
   * @param board has `look(move, limits)` (see the judge), `make(move)`, `search()` for a move, `isOver` and `person`.
   * @param onChange is called after each change of the state.
   * @param onResult is called once: has the person solved it without a mistake and without help?
   */
  constructor(task, { board, onChange = (_exercise) => {}, onResult = (_isRight) => {} }) {
    Object.assign(this, { task, judge: judgeOf(task) });
    this.#board = board;
    this.#onChange = onChange;
    this.#onResult = onResult;
  }

  /** Whether the person may move. After a wrong move, `restart` comes first. */
  get isOpen() {
    return this.state === "open" || this.state === "shown";
  }

  #become(state, changes = {}) {
    Object.assign(this, { why: "", reply: null, shown: null }, changes, { state });
    this.#onChange(this);
  }

  #count(isRight) {
    if (this.#isCounted) return;
    this.#isCounted = true;
    this.#onResult(isRight);
  }

  /** Judges a move of the person. It is made and answered: the board shows what a wrong one does. */
  async play(move) {
    if (!this.isOpen) return;
    const board = this.#board;
    const before = this.state;
    this.#become("judging");
    const context = { move, isFirst: this.#made === 0, person: board.person, look: (limits) => board.look(move, limits) };
    const verdict = await this.judge(context).catch((error) => {
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
