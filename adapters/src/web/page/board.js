// The board as SVG, drawn from the answer to `query board`. It displays pieces and marks, and reports chosen squares.

import { html, svg } from "./dom.js";
import { named, t } from "./i18n.js";
import { describe, drawPiece } from "./pieces.js";

const MOVE_MS = 260;
const isStill = matchMedia("(prefers-reduced-motion: reduce)");

export class BoardView {
  #root;
  #squares = new Map(); // square → { group, marks, piece }
  #board = null;
  #focus = null;
  #drag = null;

  /** `onSquare(square)`: a square was chosen; `onDrag(from, to)`: something was dragged. */
  constructor(container, { onSquare, onDrag }) {
    this.onSquare = onSquare;
    this.onDrag = onDrag;
    this.isFlipped = false;
    this.container = container;
    container.addEventListener("keydown", (event) => this.#key(event));
    container.addEventListener("pointerdown", (event) => this.#pointerDown(event));
    container.addEventListener("pointermove", (event) => this.#pointerMove(event));
    container.addEventListener("pointerup", (event) => this.#pointerUp(event));
    container.addEventListener("pointercancel", () => this.#dropDrag());
  }

  /** Builds an empty board. */
  build(board) {
    this.#board = board;
    this.#squares.clear();
    const { files, ranks } = board;
    this.#root = svg("svg", { viewBox: `-0.45 -0.1 ${files + 0.55} ${ranks + 0.55}`, role: "grid", "aria-label": t("board.name") });
    // The board has about the same size on the screen, whatever its number of squares.
    this.#root.setAttribute("font-size", 0.025 * files + 0.01);
    this.#root.append(svg("rect", { class: "table", x: -0.02, y: -0.02, width: files + 0.04, height: ranks + 0.04, rx: 0.12 }));
    this.#lines();
    for (let row = 0; row < ranks; row++) {
      const group = svg("g", { role: "row" });
      for (let column = 0; column < files; column++) group.append(this.#square(column, row));
      this.#root.append(group, svg("text", { class: "edge", x: -0.24, y: row + 0.5 }, this.#name(0, row).slice(1)));
    }
    for (let column = 0; column < files; column++) {
      this.#root.append(svg("text", { class: "edge", x: column + 0.5, y: ranks + 0.22 }, this.#name(column, 0)[0]));
    }
    this.layer = svg("g", { class: "moving", "aria-hidden": "true" });
    this.#root.append(this.layer);
    this.#focus = this.#name(0, ranks - 1);
    this.container.replaceChildren(this.#root);
  }

  #lines() {
    if (!this.#board.isPoints) return;
    for (const [a, b] of this.#board.lines) {
      const [[x1, y1], [x2, y2]] = [this.centre(a), this.centre(b)];
      this.#root.append(svg("line", { class: "wire", x1, y1, x2, y2 }));
    }
  }

  /** The name of the square in a column and row of the drawing. */
  #name(column, row) {
    const { files, ranks } = this.#board;
    const [file, rank] = this.isFlipped ? [files - 1 - column, row + 1] : [column, ranks - row];
    return String.fromCharCode(97 + file) + rank;
  }

  /** The centre of a square in the drawing. */
  centre(square) {
    const { files, ranks } = this.#board;
    const [file, rank] = [square.charCodeAt(0) - 97, Number(square.slice(1))];
    return this.isFlipped ? [files - 0.5 - file, rank - 0.5] : [file + 0.5, ranks - rank + 0.5];
  }

  #square(column, row) {
    const name = this.#name(column, row);
    const isDark = (column + row) % 2 === 1;
    const ground = this.#board.isPoints
      ? svg("circle", { class: "point", cx: 0.5, cy: 0.5, r: 0.09 })
      : svg("rect", { class: `cell${isDark ? " dark" : ""}`, width: 1, height: 1 });
    const marks = svg("g", { class: "marks" });
    const piece = svg("g", { class: "place", transform: "translate(.5 .5)" });
    const group = svg(
      "g",
      { class: "square", role: "gridcell", tabindex: -1, "data-square": name, transform: `translate(${column} ${row})` },
      ground,
      svg("rect", { class: "glow", x: 0.02, y: 0.02, width: 0.96, height: 0.96, rx: 0.1 }),
      piece,
      marks,
      svg("rect", { class: "hit", width: 1, height: 1 }),
    );
    this.#squares.set(name, { group, marks, piece });
    return group;
  }

  /**
   * Displays pieces by square and marks: `origins` can move, `targets` can follow, `path` was entered, `victims` are captured,
   * `last` is the last move, `wrong` was refused.
   */
  show(pieces, marks) {
    for (const [name, { group, marks: layer, piece }] of this.#squares) {
      const text = pieces.get(name);
      if (piece.dataset.piece !== (text ?? "")) {
        piece.dataset.piece = text ?? "";
        piece.replaceChildren(...(text ? [drawPiece(text, this.#board)] : []));
      }
      const kinds = Object.keys(marks).filter((kind) => marks[kind]?.has(name));
      group.setAttribute("class", ["square", ...kinds.map((kind) => `is-${kind}`)].join(" "));
      layer.replaceChildren(...kinds.map((kind) => this.#mark(kind, Boolean(text))).filter(Boolean));
      group.setAttribute("aria-label", this.#label(name, text, kinds));
      group.setAttribute("tabindex", name === this.#focus ? 0 : -1);
    }
  }

  #mark(kind, isTaken) {
    if (kind === "targets") {
      return isTaken ? svg("circle", { class: "ring", cx: 0.5, cy: 0.5, r: 0.43 }) : svg("circle", { class: "dot", cx: 0.5, cy: 0.5, r: 0.15 });
    }
    if (kind === "victims") return svg("path", { class: "strike", d: "M.2.2L.8.8M.8.2L.2.8" });
    return null;
  }

  #label(name, text, kinds) {
    const words = kinds.map((kind) => named("board", kind)).filter(Boolean);
    return [name, text ? describe(text, this.#board) : t("board.empty"), ...words].join(", ");
  }

  /** Animates a piece before the next position is displayed. */
  async animate(steps, pieces) {
    if (isStill.matches || document.hidden) return;
    const shown = new Map(pieces);
    for (const step of steps.filter(({ kind }) => kind === "from")) {
      const text = shown.get(step.square);
      if (!text) continue;
      shown.delete(step.square);
      shown.set(step.to, text);
      this.#squares.get(step.square)?.piece.replaceChildren();
      const ghost = drawPiece(text, this.#board);
      this.layer.replaceChildren(ghost);
      const [[x, y], [toX, toY]] = [this.centre(step.square), this.centre(step.to)];
      const at = (px, py) => `translate(${px}px, ${py}px)`;
      await ghost.animate([{ transform: at(x, y) }, { transform: at(toX, toY) }], { duration: MOVE_MS, easing: "ease-in-out", fill: "forwards" })
        .finished;
      const place = this.#squares.get(step.to)?.piece;
      place?.replaceChildren(drawPiece(text, this.#board));
      if (place) place.dataset.piece = text;
      const left = this.#squares.get(step.square)?.piece;
      if (left) left.dataset.piece = "";
    }
    this.layer.replaceChildren();
  }

  // ---- keyboard: arrows move between squares, Enter and space choose

  #key(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const square = event.target.closest?.("[data-square]")?.dataset.square;
    if (!square || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.onSquare(square);
    } else if (event.key in steps) {
      event.preventDefault();
      const [x, y] = this.centre(square);
      const [dx, dy] = steps[event.key];
      const [column, row] = [x - 0.5 + dx, y - 0.5 + dy];
      if (column >= 0 && row >= 0 && column < this.#board.files && row < this.#board.ranks) this.focus(this.#name(column, row));
    }
  }

  focus(square) {
    this.#squares.get(this.#focus)?.group.setAttribute("tabindex", -1);
    this.#focus = square;
    const { group } = this.#squares.get(square);
    group.setAttribute("tabindex", 0);
    group.focus({ preventScroll: true });
  }

  // ---- pointer: a press chooses; a drag chooses twice

  #squareAt(event) {
    return document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-square]")?.dataset.square;
  }

  #pointerDown(event) {
    const square = this.#squareAt(event);
    if (!square || event.button !== 0) return;
    this.#drag = { square, x: event.clientX, y: event.clientY, ghost: null };
  }

  #pointerMove(event) {
    const drag = this.#drag;
    if (!drag) return;
    if (!drag.ghost) {
      const { piece } = this.#squares.get(drag.square);
      if (!piece.dataset.piece || Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 8) return;
      drag.ghost = drawPiece(piece.dataset.piece, this.#board);
      this.layer.replaceChildren(drag.ghost);
      piece.classList.add("lifted");
      this.container.setPointerCapture(event.pointerId);
    }
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.#root.getScreenCTM().inverse());
    drag.ghost.setAttribute("transform", `translate(${at.x} ${at.y})`);
  }

  #pointerUp(event) {
    const drag = this.#drag;
    if (!drag) return;
    this.#dropDrag();
    const to = this.#squareAt(event);
    if (drag.ghost && to && to !== drag.square) this.onDrag(drag.square, to);
    else if (to === drag.square) {
      this.focus(to);
      this.onSquare(to);
    }
  }

  #dropDrag() {
    if (!this.#drag) return;
    this.#squares.get(this.#drag.square)?.piece.classList.remove("lifted");
    this.layer.replaceChildren();
    this.#drag = null;
  }
}

/** A small picture of a piece in a line of text. */
export function pieceIcon(text, board) {
  const span = html("span", { class: "icon", "aria-hidden": "true" });
  span.append(svg("svg", { viewBox: "-.5 -.5 1 1" }, drawPiece(text, board)));
  return span;
}
