// The board editor: a person puts pieces on a board of its own. The engine names the pieces and judges the position text.

import { Lost } from "../engine/engine.js";
import { begin } from "../game/setup.js";
import { around, byId, html } from "../ui/dom.js";
import { messageOf, t } from "../ui/i18n.js";
import { SIDES, sideName } from "../ui/panels.js";
import { BoardView } from "./board.js";
import { describe } from "./names.js";
import { readPosition } from "./notation.js";
import { pieceIcon } from "./pieces.js";
import { showDialog } from "../ui/trail.js";

/**
 * The first field of a position text (SPEC 9.8).
 * @param {Pieces} pieces
 * @param {Pick<Board, "files" | "ranks">} board
 */
export function boardText(pieces, { files, ranks }) {
  const rows = Array.from({ length: ranks }, (_, fromTop) =>
    Array.from({ length: files }, (_, file) => pieces.get(String.fromCharCode(97 + file) + (ranks - fromTop)) ?? " ").join(""),
  );
  return rows.map((row) => row.replace(/ +/g, (run) => String(run.length))).join("/");
}

export class Editor {
  #app;
  #view;
  /** @type {string | null} */
  #piece = null; // what a click on a square puts there; null takes away

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    this.#view = new BoardView(byId("editor-board"), {
      onSquare: (square) => this.#change((pieces) => this.#put(pieces, square)),
      onDrag: (from, to) => this.#change((pieces) => pieces.set(to, pieces.get(from) ?? " ").delete(from)),
    });
    byId("editor-text").addEventListener("input", () => this.#show());
    byId("editor-side").addEventListener("change", () => this.#write(1, byId("editor-side").value));
    byId("palette").addEventListener("click", (event) => this.#choose(around(event, "button")));
    byId("editor-clear").addEventListener("click", () => this.#change((pieces) => pieces.clear()));
    byId("editor-start").addEventListener("click", () => app.guarded(() => this.#reset()));
    byId("editor-play").addEventListener("click", () => app.act(() => this.#finish(false)));
    byId("editor-analyse").addEventListener("click", () => app.act(() => this.#finish(true)));
    byId("editor-close").addEventListener("click", () => byId("editor").close());
  }

  get #text() {
    return byId("editor-text").value.trim();
  }

  set #text(text) {
    byId("editor-text").value = text;
    this.#show();
  }

  /** Opens the editor with the position on the board. */
  open() {
    const { game, view } = this.#app;
    const { board } = game;
    this.#view.isFlipped = view.isFlipped;
    this.#view.build(board);
    /** @param {string} text */
    const tool = (text) =>
      html(
        "button",
        { type: "button", "data-piece": text, "aria-label": describe(text, board), title: describe(text, board) },
        pieceIcon(text, board),
      );
    byId("palette").replaceChildren(...[...board.pieces.keys()].map(tool), html("button", { type: "button", "data-piece": "" }, t("editor.eraser")));
    byId("editor-side").replaceChildren(...SIDES.map((side, at) => html("option", { value: at + 1 }, sideName(board, side))));
    this.#choose(byId("palette").firstElementChild);
    this.#text = game.fen;
    showDialog(byId("editor"));
  }

  /** @param {Element | null} button */
  #choose(button) {
    if (!button) return;
    this.#piece = button.getAttribute("data-piece") || null;
    for (const each of byId("palette").children) each.setAttribute("aria-pressed", String(each === button));
  }

  /**
   * Puts the chosen piece on a square. The same piece again takes it away.
   * @param {Pieces} pieces
   * @param {string} square
   */
  #put(pieces, square) {
    if (this.#piece === null || pieces.get(square) === this.#piece) pieces.delete(square);
    else pieces.set(square, this.#piece);
  }

  /** @param {(pieces: Pieces) => void} edit */
  #change(edit) {
    const { board } = this.#app.game;
    const pieces = readPosition(this.#text, board);
    edit(pieces);
    this.#write(0, boardText(pieces, board));
  }

  /**
   * Replaces one field of the text. The others stay as they are.
   * @param {number} field
   * @param {string} value
   */
  #write(field, value) {
    const fields = this.#text.split(/\s+/);
    fields[field] = value;
    this.#text = fields.join(" ");
  }

  #show() {
    byId("editor-refusal").textContent = "";
    this.#view.show(readPosition(this.#text, this.#app.game.board), {});
    byId("editor-side").value = this.#text.split(/\s+/)[1] ?? "";
  }

  /** Puts the start position of the game on the board, which the engine tells. */
  async #reset() {
    this.#text = await this.#app.searches.apart(async (engine) => {
      await engine.command("position startpos");
      return engine.ask("query fen");
    });
  }

  /**
   * Plays on from the position, or analyses it. What the engine refuses stays in the editor, with its reason.
   * @param {boolean} isForAnalysis
   */
  async #finish(isForAnalysis) {
    const app = this.#app;
    try {
      await begin(app, this.#text);
    } catch (error) {
      if (error instanceof Lost) throw error;
      byId("editor-refusal").textContent = t("files.atPosition", { text: messageOf(error) });
      return app.settle();
    }
    byId("editor").close();
    if (!isForAnalysis) return;
    byId("analyse").checked = true;
    app.isPaused = true;
    await app.resettle();
  }
}
