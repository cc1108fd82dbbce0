// A board as an SVG drawing, made from the answer to `query board`: squares, pieces, marks and arrows.

import { svg } from "../ui/dom.js";
import { drawArrow, drawMark } from "./marks.js";
import { drawPiece } from "./pieces.js";

/** The least size of the coordinates, and the width of a board that is not displayed yet, both in pixels. */
const READABLE_PX = 12;
const USUAL_WIDTH = 600;
/** The distance between two ranks of hexagons whose width is 1, and how far one stands out of a square of its width. */
const HEXAGON_STEP = Math.sqrt(3) / 2;
const HEXAGON_PEAK = 1 / Math.sqrt(3) - 0.5;
/** A hexagon around (0.5, 0.5). */
const HEXAGON = [0, 1, 2, 3, 4, 5].map((corner) => {
  const angle = ((2 * corner + 1) * Math.PI) / 6;
  return [0.5 + Math.cos(angle) / Math.sqrt(3), 0.5 + Math.sin(angle) / Math.sqrt(3)].map((number) => number.toFixed(3)).join(",");
});

/**
 * The squares with a mark, by the kind of the mark.
 * @typedef {Record<string, Set<string> | null | undefined>} Marks
 */

export class Drawing {
  /** @type {Board} */
  board; // once it is built
  /** @type {Map<string, { group: SVGGElement, marks: SVGGElement, piece: SVGGElement }>} */
  squares = new Map(); // by name
  isFlipped = false;
  /** @type {SVGSVGElement} */
  root; // once it is built
  /** @type {SVGGElement} */
  layer; // of the root: what moves over the board
  /** @type {SVGGElement} */
  #arrows; // of the root

  /** @param {HTMLElement} container the element that receives the drawing */
  constructor(container) {
    this.container = container;
    // The next frame is early enough: a fitted drawing may have another height.
    new ResizeObserver(() => requestAnimationFrame(() => this.#fit())).observe(container);
  }

  /**
   * Draws an empty board.
   * @param {Board} board
   */
  build(board) {
    this.board = board;
    this.squares.clear();
    const { files, ranks } = board;
    const [width, height] = this.#size();
    this.root = svg("svg");
    if (!board.isHexagons) {
      this.root.append(svg("rect", { class: "table", x: -0.02, y: -0.02, width: width + 0.04, height: height + 0.04, rx: 0.12 }));
    }
    this.#lines();
    for (let row = 0; row < ranks; row++) {
      const group = svg("g", {});
      for (let column = 0; column < files; column++) {
        if (!board.holes.has(this.name(column, row))) group.append(this.#square(column, row));
      }
      const [x, y] = this.#corner(0, row);
      this.root.append(group, svg("text", { class: "edge rank", x: x - 0.1, y: y + 0.5 }, this.name(0, row).slice(1)));
    }
    for (let column = 0; column < files; column++) {
      this.root.append(svg("text", { class: "edge file", x: column + 0.5, y: height + 0.08 }, this.name(column, 0)[0]));
    }
    this.#arrows = svg("g", { class: "arrows", "aria-hidden": "true" });
    this.layer = svg("g", { class: "moving", "aria-hidden": "true" });
    this.root.append(this.#arrows, this.layer);
    this.#fit();
    this.container.replaceChildren(this.root);
  }

  /** Makes the coordinates large enough to read, and makes room for them. */
  #fit() {
    if (!this.board) return;
    const [width, height] = this.#size();
    const squarePixels = (this.container.clientWidth || USUAL_WIDTH) / (width + 1);
    const size = Math.max(0.025 * width + 0.01, READABLE_PX / squarePixels);
    const [left, below] = [0.1 + 1.25 * size, 0.12 + size];
    this.root.setAttribute("font-size", size.toFixed(3));
    const view = [-left, -0.1, width + left + 0.1, height + below + 0.1];
    this.root.setAttribute("viewBox", view.map((number) => number.toFixed(3)).join(" "));
    // What stands beside the board begins and ends with it.
    const box = this.root.getBoundingClientRect();
    const scale = Math.min(box.width / view[2], box.height / view[3]);
    const above = (box.height - view[3] * scale) / 2 + 0.08 * scale;
    this.container.parentElement?.style.setProperty("--above", `${above.toFixed(1)}px`);
    const room = Math.max(0, box.height - above - (height + 0.04) * scale);
    this.container.parentElement?.style.setProperty("--below", `${room.toFixed(1)}px`);
  }

  /** Width and height of the board. */
  #size() {
    const { files, ranks, isHexagons } = this.board;
    return isHexagons ? [files + (ranks - 1) / 2, (ranks - 1) * HEXAGON_STEP + 1 + 2 * HEXAGON_PEAK] : [files, ranks];
  }

  /**
   * The upper left corner of the square in a column and row of the drawing. Ranks of hexagons are shifted (SPEC 9.32).
   * @param {number} column
   * @param {number} row
   */
  #corner(column, row) {
    const { ranks, isHexagons } = this.board;
    return isHexagons ? [column + (ranks - 1 - row) / 2, row * HEXAGON_STEP + HEXAGON_PEAK] : [column, row];
  }

  #lines() {
    if (!this.board.isPoints) return;
    for (const [a, b] of this.board.lines) {
      const [[x1, y1], [x2, y2]] = [this.centre(a), this.centre(b)];
      this.root.append(svg("line", { class: "wire", x1, y1, x2, y2 }));
    }
  }

  /**
   * The name of the square in a column and row of the drawing.
   * @param {number} column
   * @param {number} row
   */
  name(column, row) {
    const { files, ranks } = this.board;
    const [file, rank] = this.isFlipped ? [files - 1 - column, row + 1] : [column, ranks - row];
    return String.fromCharCode(97 + file) + rank;
  }

  /**
   * The centre of a square in the drawing.
   * @param {string} square
   * @returns {[number, number]}
   */
  centre(square) {
    const { files, ranks } = this.board;
    const [file, rank] = [square.charCodeAt(0) - 97, Number(square.slice(1))];
    const [x, y] = this.isFlipped ? this.#corner(files - 1 - file, rank - 1) : this.#corner(file, ranks - rank);
    return [x + 0.5, y + 0.5];
  }

  /**
   * What a piece stands on.
   * @param {boolean} isDark
   */
  #ground(isDark) {
    const { isPoints, isHexagons } = this.board;
    if (isPoints) return svg("circle", { class: "point", cx: 0.5, cy: 0.5, r: 0.09 });
    if (isHexagons) return svg("polygon", { class: "cell hexagon", points: HEXAGON.join(" ") });
    return svg("rect", { class: `cell${isDark ? " dark" : ""}`, width: 1, height: 1 });
  }

  /**
   * @param {number} column
   * @param {number} row
   */
  #square(column, row) {
    const isDark = (column + row) % 2 === 1;
    const ground = this.#ground(isDark);
    const rx = this.board.isHexagons ? 0.48 : 0.1;
    const glow = svg("rect", { class: "glow", x: 0.02, y: 0.02, width: 0.96, height: 0.96, rx });
    const [piece, marks] = [svg("g", { class: "place", transform: "translate(.5 .5)" }), svg("g", { class: "marks" })];
    const group = svg("g", { class: "square", transform: `translate(${this.#corner(column, row).join(" ")})` }, ground, glow, piece, marks);
    this.squares.set(this.name(column, row), { group, marks, piece });
    return group;
  }

  /**
   * Displays pieces by square, and marks. Each mark is a set of squares. `origins` can move. `steps`, `drops` and
   * `removals` can follow, and `ends` ends the turn. `path` was entered, and `victims` are captured. `last` is the
   * last move, and `wrong` was refused.
   * @param {Pieces} pieces
   * @param {Marks} marks
   */
  show(pieces, marks) {
    for (const [name, { group, marks: layer, piece }] of this.squares) {
      const text = pieces.get(name);
      if (piece.dataset.piece !== (text ?? "")) {
        piece.dataset.piece = text ?? "";
        piece.replaceChildren(...(text ? [drawPiece(text, this.board)] : []));
      }
      const kinds = Object.keys(marks).filter((kind) => marks[kind]?.has(name));
      group.setAttribute("class", ["square", ...kinds.map((kind) => `is-${kind}`)].join(" "));
      layer.replaceChildren(...kinds.map((kind) => drawMark(kind, Boolean(text))).filter(Boolean));
      this.shown(name, text, kinds);
    }
  }

  /**
   * Called for each square once it is displayed, with its piece and the kinds of its marks.
   * @param {string} _name
   * @param {string | undefined} _text
   * @param {string[]} _kinds
   */
  shown(_name, _text, _kinds) {}

  /**
   * Displays arrows: a list of `[kind, from, to]`.
   * @param {Arrow[]} arrows
   */
  point(arrows) {
    const taken = [...this.squares].filter(([, { piece }]) => piece.dataset.piece).map(([name]) => this.centre(name));
    this.#arrows.replaceChildren(...arrows.map(([kind, from, to]) => drawArrow(kind, this.centre(from), this.centre(to), taken)).filter(Boolean));
  }
}
