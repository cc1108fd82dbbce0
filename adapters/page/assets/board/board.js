// The board of the game: a drawing that reports chosen squares.

import { around, svg } from "../ui/dom.js";
import { named, t } from "../ui/i18n.js";
import { Drawing } from "./drawing.js";
import { describe } from "./names.js";
import { drawPiece } from "./pieces.js";

const MOVE_MS = 260;
/** How far the arrow keys go, in columns and rows. */
const STEPS = new Map([
  ["ArrowLeft", [-1, 0]],
  ["ArrowRight", [1, 0]],
  ["ArrowUp", [0, -1]],
  ["ArrowDown", [0, 1]],
]);
const isStill = matchMedia("(prefers-reduced-motion: reduce)");

export class BoardView extends Drawing {
  #focus = "";
  /** @type {{ square: string, x: number, y: number, ghost: Element | null } | null} */
  #drag = null;
  #isByPointer = false; // the focus came by a click, so arrow keys are not for the board

  /**
   * `onSquare(square)`: a square was chosen; `onDrag(from, to)`: something was dragged.
   * @param {HTMLElement} container
   * @param {{ onSquare: (square: string) => void, onDrag: (from: string, to: string) => void }} on
   */
  constructor(container, { onSquare, onDrag }) {
    super(container);
    this.onSquare = onSquare;
    this.onDrag = onDrag;
    container.addEventListener("keydown", (event) => this.#key(event));
    container.addEventListener("focusin", () => {
      this.#isByPointer = this.#drag !== null;
    });
    container.addEventListener("pointerdown", (event) => this.#pointerDown(event));
    container.addEventListener("pointermove", (event) => this.#pointerMove(event));
    container.addEventListener("pointerup", (event) => this.#pointerUp(event));
    container.addEventListener("pointercancel", () => this.#dropDrag());
  }

  /** @param {Board} board */
  build(board) {
    super.build(board);
    this.root.setAttribute("role", "grid");
    this.root.setAttribute("aria-label", t("board.name"));
    for (const [name, { group }] of this.squares) {
      group.parentElement?.setAttribute("role", "row");
      group.setAttribute("role", "gridcell");
      group.dataset.square = name;
      group.append(svg("rect", { class: "hit", width: 1, height: 1 }));
    }
    this.#focus = this.name(0, board.ranks - 1);
  }

  /**
   * @param {string} name
   * @param {string | undefined} text
   * @param {string[]} kinds
   */
  shown(name, text, kinds) {
    const group = this.squares.get(name)?.group;
    const words = kinds.map((kind) => named("board", kind)).filter(Boolean);
    group?.setAttribute("aria-label", [name, text ? describe(text, this.board) : t("board.empty"), ...words].join(", "));
    group?.setAttribute("tabindex", name === this.#focus ? "0" : "-1");
  }

  /**
   * Animates a piece before the next position is displayed.
   * @param {Effect[]} steps
   * @param {Pieces} pieces
   */
  async animate(steps, pieces) {
    if (isStill.matches || document.hidden) return;
    const shown = new Map(pieces);
    for (const step of steps.filter((each) => each.kind === "from")) {
      const text = shown.get(step.square);
      if (!text) continue;
      shown.delete(step.square);
      shown.set(step.to, text);
      this.squares.get(step.square)?.piece.replaceChildren();
      const ghost = drawPiece(text, this.board);
      this.layer.replaceChildren(ghost);
      const [[x, y], [toX, toY]] = [this.centre(step.square), this.centre(step.to)];
      /**
       * @param {number} px
       * @param {number} py
       */
      const at = (px, py) => `translate(${px}px, ${py}px)`;
      await ghost.animate([{ transform: at(x, y) }, { transform: at(toX, toY) }], { duration: MOVE_MS, easing: "ease-in-out", fill: "forwards" })
        .finished;
      const place = this.squares.get(step.to)?.piece;
      place?.replaceChildren(drawPiece(text, this.board));
      if (place) place.dataset.piece = text;
      const left = this.squares.get(step.square)?.piece;
      if (left) left.dataset.piece = "";
    }
    this.layer.replaceChildren();
  }

  // ---- keyboard: arrows move between squares, Enter and space choose. After a click, arrows are left to the page.

  /** @param {KeyboardEvent} event */
  #key(event) {
    const square = around(event, "[data-square]")?.dataset.square;
    if (!square || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#isByPointer = false;
      this.onSquare(square);
    } else if (STEPS.has(event.key) && !this.#isByPointer) {
      event.preventDefault();
      const [x, y] = this.centre(square);
      const [dx, dy] = STEPS.get(event.key) ?? [0, 0];
      const [column, row] = [x - 0.5 + dx, y - 0.5 + dy];
      if (column >= 0 && row >= 0 && column < this.board.files && row < this.board.ranks) this.focus(this.name(column, row));
    }
  }

  /** @param {string} square */
  focus(square) {
    this.squares.get(this.#focus)?.group.setAttribute("tabindex", "-1");
    this.#focus = square;
    const group = this.squares.get(square)?.group;
    group?.setAttribute("tabindex", "0");
    group?.focus({ preventScroll: true });
  }

  // ---- pointer: a press chooses; a drag chooses twice

  /** @param {PointerEvent} event */
  #squareAt(event) {
    const square = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-square]");
    return square?.getAttribute("data-square");
  }

  /** @param {PointerEvent} event */
  #pointerDown(event) {
    const square = this.#squareAt(event);
    if (!square || event.button !== 0) return;
    this.#isByPointer = true;
    this.#drag = { square, x: event.clientX, y: event.clientY, ghost: null };
  }

  /** @param {PointerEvent} event */
  #pointerMove(event) {
    const drag = this.#drag;
    if (!drag) return;
    if (drag.ghost === null) {
      const piece = this.squares.get(drag.square)?.piece;
      if (!piece?.dataset.piece || Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 8) return;
      drag.ghost = drawPiece(piece.dataset.piece, this.board);
      this.layer.replaceChildren(drag.ghost);
      piece.classList.add("lifted");
      this.container.setPointerCapture(event.pointerId);
    }
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.root.getScreenCTM()?.inverse());
    drag.ghost?.setAttribute("transform", `translate(${at.x} ${at.y})`);
  }

  /** @param {PointerEvent} event */
  #pointerUp(event) {
    const drag = this.#drag;
    if (!drag) return;
    this.#dropDrag();
    const to = this.#squareAt(event);
    if (drag.ghost && to && to !== drag.square) this.onDrag(drag.square, to);
    else if (to === drag.square) {
      this.focus(to);
      this.#isByPointer = true;
      this.onSquare(to);
    }
  }

  #dropDrag() {
    if (!this.#drag) return;
    this.squares.get(this.#drag.square)?.piece.classList.remove("lifted");
    this.layer.replaceChildren();
    this.#drag = null;
  }
}
