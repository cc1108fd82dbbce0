// Marks on squares. Each kind has its own shape, drawn twice: a broad edge below a core of the opposite brightness. One
// of the two stands out on any square and any piece.

import { svg } from "../ui/dom.js";

/** @typedef {[x: number, y: number]} Point */
/** @typedef {(attributes: { class: string }) => SVGElement} Shape */

/**
 * @param {number} r
 * @returns {Shape}
 */
const circle = (r) => (attributes) => svg("circle", { cx: 0.5, cy: 0.5, r, ...attributes });
/**
 * @param {string} d
 * @returns {Shape}
 */
const path = (d) => (attributes) => svg("path", { d, ...attributes });
const CORNERS = "M.06.26V.06H.26M.74.06H.94V.26M.94.74V.94H.74M.26.94H.06V.74";

/**
 * The shapes of the marks. `shapeOf` has those of `steps` and `drops`.
 * @type {Record<string, Shape>}
 */
const SHAPES = {
  origins: circle(0.435),
  removals: path("M.74.8H.86M.8.67A.13.13 0 1 1 .799.67Z"),
  hint: path("M.5.1L.9.5L.5.9L.1.5Z"),
  ends: path("M.18.52L.42.76L.84.26"),
  // In a corner, so that the captured piece stays visible.
  victims: path("M.74.06L.94.26M.94.06L.74.26"),
  // In the corner below.
  wins: path("M.06.93H.3L.18.73Z"),
  draws: path("M.07.78H.29M.07.9H.29"),
  loses: path("M.06.74H.3L.18.94Z"),
  wrong: path("M.06.06H.94V.94H.06Z"),
};
/** @type {Record<string, Shape>} */
const ONTO_EMPTY = { steps: circle(0.11), drops: path("M.5.24V.76M.24.5H.76") };
/** @type {Record<string, Shape>} */
const ONTO_PIECE = { steps: path(CORNERS), drops: path("M.5.04V.3M.37.17H.63") };

/**
 * @param {string} kind
 * @param {boolean} isTaken
 */
const shapeOf = (kind, isTaken) => (isTaken ? ONTO_PIECE : ONTO_EMPTY)[kind] ?? SHAPES[kind];

/** @param {Shape} shape */
const twice = (shape) => ["edge-line", "core-line"].map((part) => shape({ class: part }));

/**
 * The mark of a kind in a square of size 1 with its corner at the origin, or null if the kind has none.
 * @param {string} kind
 * @param {boolean} isTaken
 */
export function drawMark(kind, isTaken) {
  const shape = shapeOf(kind, isTaken);
  return shape ? svg("g", { class: `mark-${kind}` }, ...twice(shape)) : null;
}

/** How far a piece reaches from its centre. */
const PIECE = 0.4;

/**
 * An arrow between the centres of two squares; its class tells its meaning. `pieces` are centres of pieces: the
 * arrow has a gap where it would cover one. An arrow from a square to itself is a diamond.
 * @param {string} kind
 * @param {Point} from
 * @param {Point} to
 * @param {Point[]} pieces
 */
export function drawArrow(kind, [x, y], [toX, toY], pieces = []) {
  const length = Math.hypot(toX - x, toY - y);
  if (length === 0) return svg("g", { class: `arrow arrow-${kind}`, transform: `translate(${x - 0.5} ${y - 0.5})` }, ...twice(SHAPES.hint));
  const [dx, dy] = [(toX - x) / length, (toY - y) / length];
  /**
   * @param {number} along
   * @param {number} across
   */
  const at = (along, across) => `${(x + dx * along - dy * across).toFixed(3)} ${(y + dy * along + dx * across).toFixed(3)}`;
  const tip = length - 0.36;
  /** @param {Point} point */
  const isOnWay = ([px, py]) => Math.abs((px - x) * dy - (py - y) * dx) < PIECE;
  const passed = pieces.filter(isOnWay).map(([px, py]) => (px - x) * dx + (py - y) * dy);
  const gaps = passed.filter((along) => along > 0.5 && along < tip - 0.3).sort((a, b) => a - b);
  const isFromPiece = passed.some((along) => Math.abs(along) < 0.1);
  // Where a part of the shaft begins, and where it ends.
  const [begins, ends] = [
    [isFromPiece ? PIECE : 0.14, ...gaps.map((along) => along + PIECE)],
    [...gaps.map((along) => along - PIECE), tip],
  ];
  const shaft = begins.map((begin, part) => `M${at(begin, 0)}L${at(ends[part], 0)}`).join("");
  const d = `${shaft}M${at(tip - 0.22, -0.16)}L${at(tip, 0)}L${at(tip - 0.22, 0.16)}`;
  return svg("g", { class: `arrow arrow-${kind}` }, svg("path", { class: "edge-line", d }), svg("path", { class: "core-line", d }));
}
