// The boards of the pages that teach the games. Each shows a position of the engine's rules and steps through the move of its
// example; a person may make any other move instead. Boards of solved positions show what each move leads to.

import { BoardView } from "../board/board.js";
import { recallLooks } from "../board/looks.js";
import { readEffects, readPosition, touched } from "../board/notation.js";
import { installPieces } from "../board/pieces.js";
import { shapes } from "../board/shapes.js";
import { Engine } from "../engine/engine.js";
import { askGuides } from "../engine/guide.js";
import { addressOf } from "../files/address.js";
import { awaited } from "../game/awaited.js";
import { choose, drag, endTurn } from "../game/entry.js";
import { exactText, moveOfRow, valueMarks, valueRows } from "../game/exact.js";
import { Game } from "../game/game.js";
import { Turn } from "../game/turn.js";
import { legend, states } from "../practice/teaching.js";
import { html } from "../ui/dom.js";
import { install, t } from "../ui/i18n.js";
import { standing } from "../ui/panels.js";
import { texts } from "../ui/texts.js";

/** A person makes the moves of both sides. */
/** @type {Players} */
const PLAYERS = { p1: "human", p2: "human" };

/** The engine of all boards of a page. It holds the game of one board at a time. */
class Desk {
  /** @type {Promise<unknown>} */
  #work = Promise.resolve();
  /** @type {Lesson | null} */
  #holder = null;

  /**
   * Does something on a board, once everything before is done and the engine holds the board's game.
   * @param {Lesson} lesson
   * @param {() => unknown} action
   */
  act(lesson, action) {
    const run = async () => {
      if (this.#holder !== lesson) await lesson.hold();
      this.#holder = lesson;
      lesson.say("");
      await action();
    };
    this.#work = this.#work.then(run).catch((error) => lesson.say(error.message, true));
    return this.#work;
  }
}

/** A board of the page. It is what `entry.js` needs to enter moves. */
class Lesson {
  isHuman = true;
  /** @type {Set<string>} */
  wrong = new Set();
  /** @type {Effect[]} */
  #last = [];
  #said = { text: "", isBad: false };

  /**
   * @param {HTMLElement} figure
   * @param {Desk} desk
   * @param {Game} game
   */
  constructor(figure, desk, game) {
    const { fen = null, move = "", effects = "" } = figure.dataset;
    this.figure = figure;
    this.game = game;
    this.engine = game.engine;
    this.turn = new Turn(game);
    this.start = fen;
    this.move = move;
    this.effects = readEffects(effects);
    /** @type {string[]} */
    this.tokens = move.match(/[x@]?[a-z]\d+/g) ?? [];
    /** @param {() => unknown} action */
    const act = (action) => () => desk.act(this, action);
    const place = html("div", { class: "learn-place" });
    this.view = new BoardView(place, {
      onSquare: (square) => act(() => choose(this, square))(),
      onDrag: (from, to) => act(() => drag(this, from, to))(),
    });
    /**
     * @param {string} key
     * @param {() => unknown} action
     */
    const button = (key, action) => html("button", { type: "button", class: key.replace(".", "-"), onclick: act(action) }, t(key));
    this.buttons = {
      again: button("learn.again", () => this.again()),
      back: button("learn.back", () => this.back()),
      forward: button("learn.forward", () => this.forward()),
      end: button("turn.end", () => endTurn(this)),
    };
    this.message = html("p", { class: "learn-message", role: "status" });
    this.link = html("a", { class: "learn-open" }, t("learn.open"));
    const row = html("div", { class: "learn-buttons" }, ...Object.values(this.buttons), this.link);
    this.values = html("tbody", {
      onclick: (event) => {
        const played = moveOfRow(event);
        if (played) act(() => this.play(played))();
      },
    });
    const head = ["explorer.move", "exact.value", "exact.plies"].map((key) => html("th", { scope: "col" }, t(key)));
    this.table = html("table", { class: "learn-values" }, html("thead", {}, html("tr", {}, ...head)), this.values);
    figure.prepend(place);
    figure.querySelector("figcaption")?.after(this.message, row, this.table);
    // The pages around the board have keys of their own.
    figure.addEventListener("keydown", (event) => event.stopPropagation());
  }

  /**
   * Sets the game up for the first time, by these rules.
   * @param {string} id
   * @param {OptionPair[] | null} options
   */
  async open(id, options) {
    await this.game.open({ id, start: this.start, options });
    this.view.build(this.game.board);
    this.begin();
  }

  /** Gives the engine the game of this board, which another one may have had since. */
  hold() {
    return this.game.goTo(this.game.ply);
  }

  /** @param {Effect[]} last */
  begin(last = []) {
    this.#last = last;
    this.turn.begin(!this.game.isOver);
    this.draw();
  }

  /** @param {string} move */
  async play(move) {
    this.begin(await this.game.play(move));
  }

  /** The token of the example that comes next, if only its tokens have been entered. */
  get #following() {
    const { game, tokens, turn } = this;
    const isExample = game.ply === 0 && turn.taken.every((token, at) => token === tokens[at]);
    return isExample ? tokens[turn.taken.length] : undefined;
  }

  async forward() {
    const { game, turn } = this;
    const token = this.#following;
    if (token === undefined) {
      await game.goTo(game.ply + 1);
      this.begin();
    } else if (turn.taken.length + 1 === this.tokens.length) {
      await this.play(this.move);
    } else {
      await turn.add(token);
      this.draw();
    }
  }

  async back() {
    const { game, turn } = this;
    if (turn.isEmpty) {
      await game.goTo(game.ply - 1);
      this.begin();
    } else {
      turn.back();
      this.draw();
    }
  }

  async again() {
    await this.game.goTo(0);
    this.begin();
  }

  /**
   * @param {string} text
   * @param {boolean} isBad
   */
  say(text, isBad = false) {
    this.#said = { text, isBad };
    if (isBad) this.#showMessage();
    else this.wrong.clear();
  }

  #showMessage() {
    const { game, message, turn } = this;
    const { text, isBad } = this.#said;
    const prompt = game.isOver ? "" : awaited(turn, game.guide);
    const exact = game.isOver ? null : game.values?.position;
    const told = exact ? exactText(exact, game.status.turn, game.board) : game.board && standing(game, PLAYERS);
    message.textContent = text || [told, prompt].filter(Boolean).join(". ");
    message.classList.toggle("bad", isBad);
  }

  draw() {
    const { buttons, figure, game, turn, view, wrong } = this;
    const isStart = game.ply === 0 && turn.isEmpty;
    const shown = isStart ? this.effects : this.#last;
    const pieces = turn.preview?.pieces ?? readPosition(game.fen, game.board);
    const values = game.isOver ? null : game.values;
    view.show(pieces, { last: turn.isEmpty ? touched(shown) : null, ...turn.marks, ...valueMarks(turn, values), wrong });
    view.point(isStart ? states(game.fen, shown, game.board)[0].arrows : []);
    const rows = valueRows(values);
    this.values.replaceChildren(...rows);
    this.table.hidden = rows.length === 0;
    this.#showMessage();
    const isAtStart = game.moves.length === 0 && turn.isEmpty;
    buttons.again.disabled = isAtStart;
    buttons.back.disabled = isStart;
    buttons.forward.disabled = this.#following === undefined && game.isAtEnd;
    buttons.end.hidden = turn.isEmpty || !turn.canEnd;
    figure.dataset.ply = String(game.ply);
    this.link.href = addressOf(game, figure.closest(".learn")?.getAttribute("data-play") ?? undefined);
  }
}

/**
 * Brings the boards of a page to life.
 * @param {HTMLElement} page
 */
async function teach(page) {
  const { game: id = "", option, values } = page.dataset;
  const [name, ...value] = option?.split("=") ?? [];
  install(texts, page.lang);
  installPieces(shapes);
  document.documentElement.dataset.board = recallLooks().board;
  /** @type {NodeListOf<HTMLElement>} */
  const figures = page.querySelectorAll("figure.learn-board");
  /** @param {string} reason */
  const onLost = (reason) => page.prepend(html("p", { class: "learn-lost", role: "alert" }, reason));
  const engine = await Engine.connect({ onLost, signal: new AbortController().signal });
  const guides = await askGuides(engine, [id], page.lang);
  const desk = new Desk();
  for (const figure of figures) {
    const game = Object.assign(new Game(engine), { guides, knowsTurns: true, knowsValues: values !== undefined });
    const lesson = new Lesson(figure, desk, game);
    await lesson.open(id, option ? [[name, value.join("=")]] : null);
    if (figure === figures[0]) page.querySelector(".learn-pieces")?.append(legend(game.board));
  }
  page.dataset.isReady = "";
}

/** @type {NodeListOf<HTMLElement>} */
const pages = document.querySelectorAll(".learn");
for (const page of pages) teach(page);
