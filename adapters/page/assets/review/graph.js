// The graph of winning chances.

import { svg } from "../ui/dom.js";

/**
 * Gives the bars and graphs within an element the colours of the players.
 * @param {Element} element
 * @param {Board} board
 */
export const paintSides = (element, { colours }) => element.classList.toggle("first-is-black", colours.p1 === "black");

/**
 * Draws the chances of p1 by plies, null where it is not known, into an SVG element. `here` is the displayed ply.
 * @param {SVGElement} graph
 * @param {(number | null)[]} chances
 * @param {number | null} here
 */
export function drawGraph(graph, chances, here = null) {
  const width = Math.max(1, chances.length - 1);
  const known = [...chances.entries()].flatMap(([ply, chance]) => (chance === null ? [] : [{ ply, y: 100 - 100 * chance }]));
  const points = known.map(({ ply, y }) => `${ply} ${y}`);
  const area = points.length ? `M${known[0].ply} 100 L${points.join(" L")} L${known[known.length - 1].ply} 100 Z` : "";
  graph.setAttribute("viewBox", `0 0 ${width} 100`);
  graph.replaceChildren(
    svg("rect", { class: "bar-p2", width, height: 100 }),
    svg("path", { class: "bar-p1", d: area }),
    svg("line", { class: "bar-even", x2: width, y1: 50, y2: 50 }),
    ...(here === null ? [] : [svg("line", { class: "graph-here", x1: here, x2: here, y2: 100 })]),
  );
}

/**
 * The ply at which a person clicks.
 * @param {MouseEvent} event
 * @param {number} plies
 */
export function plyAt({ currentTarget, clientX }, plies) {
  if (!(currentTarget instanceof Element)) return 0;
  const { left, width } = currentTarget.getBoundingClientRect();
  return Math.round(((clientX - left) / width) * plies);
}
