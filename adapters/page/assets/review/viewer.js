// The viewer of a page that shows games which were played: the board, the graph, the moves and the mistakes of one game. It knows
// no rules: a game comes with its positions, as text. `leap report` and `leap analyse` write the data.

import { Drawing } from "../board/drawing.js";
import { arrowsOf, guessBoard, readBoard, readPosition, squaresOf } from "../board/notation.js";
import { html, svg } from "../ui/dom.js";
import { chanceOf, percentFor, scoreText } from "./chances.js";
import { drawGraph, plyAt } from "./graph.js";

/** @typedef {{ move: string, side?: Side, label?: string, before: number, after: number, loss: number, time_us?: number }} ViewedMove */
/** @typedef {{ fen?: string, turn: Side, chance?: number, score?: Record<string, number>, depth?: number, line?: string[] }} ViewedPosition */
/** @typedef {{ name: string, accuracy?: number, inaccuracies?: number, mistakes?: number, blunders?: number }} ViewedPlayer */
/**
 * @typedef {{ number: number, result: string, reason?: string, moves: ViewedMove[], positions: ViewedPosition[] }
 *   & Record<Side, ViewedPlayer>} ViewedGame
 */
/**
 * The lines that describe each board (SPEC 4.23), and pairs of a board and a game.
 * @typedef {{ boards: string[][], games: [board: number, game: ViewedGame][] }} ViewerData
 */

/** @type {Side[]} */
const SIDES = ["p1", "p2"];
/** How many of the worst moves are listed. */
const MOST = 5;
const NOTHING = "–";

/**
 * The chance of p1 in a position: that of the data, or what the score of the search there says; null if neither is known.
 * @param {ViewedPosition} position
 */
export function chanceIn({ chance, score, turn }) {
  return chance ?? (score ? chanceOf({ score: scoreIn(score) }, turn) : null);
}

/** @param {Record<string, number>} score */
const scoreIn = (score) => {
  const [[kind, value]] = Object.entries(score);
  return { kind, value };
};

// Not every font has a minus sign.
/** @param {ViewedPosition} position */
const scoreWords = ({ score, depth }) => {
  const worth = score ? scoreText(scoreIn(score)).replace("\u2212", NOTHING) : NOTHING;
  return depth ? `${worth}, depth ${depth}` : worth;
};

/** @param {number} chance */
const percent = (chance) => `${percentFor(chance, "p1")} %`;

/**
 * A labelled move in words: `12. a1b2 by p1: mistake, 61 % to 48 %`.
 * @param {ViewedGame} game
 * @param {number} ply
 */
export function judged(game, ply) {
  const { move, side, label, before, after } = game.moves[ply - 1];
  return `${ply}. ${move} by ${side}: ${label}, ${percent(before)} to ${percent(after)}`;
}

/**
 * What was better than a labelled move: the engine's move with its evaluation, and the line that follows; null if not known.
 * @param {ViewedGame} game
 * @param {number} ply
 */
export function better(game, ply) {
  const position = game.positions[ply - 1];
  return position.line?.length ? { move: position.line[0], worth: scoreWords(position), line: position.line.join(" ") } : null;
}

/**
 * The plies of the labelled moves that lose most, the worst first.
 * @param {ViewedGame} game
 */
export function worst({ moves }) {
  const labelled = [...moves.entries()].filter(([, { label }]) => label);
  return labelled
    .sort(([, one], [, other]) => other.loss - one.loss)
    .slice(0, MOST)
    .map(([at]) => at + 1);
}

/**
 * The position after a number of moves, in words.
 * @param {ViewedGame} game
 * @param {number} ply
 */
export function described(game, ply) {
  const parts = [`ply ${ply} of ${game.moves.length}`];
  const { [ply]: position, [ply - 1]: before } = game.positions;
  const { move, side, time_us: us } = game.moves[ply - 1] ?? {};
  if (move) parts.push(side ? `${game[side].name}: ${move}` : `opening: ${move}`);
  if (us !== undefined) {
    // The time is that of a player, who has searched the position before.
    parts.push(`${(us / 1000).toFixed(1)} ms`);
    if (before.score) parts.push(scoreWords(before));
  }
  const chance = chanceIn(position);
  if (chance !== null) parts.push(`chance of p1 ${percent(chance)}`);
  const extra = position.fen?.split(" ")[2] ?? "-";
  if (!position.fen) parts.push("this position is not known");
  // A long one, such as all moves from the start, is for programs.
  else if (extra !== "-" && extra.length <= 20) parts.push(`extra ${extra}`);
  return parts.join(" · ");
}

// ---- the viewer

/**
 * The buttons that go through a game: a drawing, since not every font has such arrows; a name; the ply to go to.
 *
 * @type {[string, string, (ply: number) => number][]}
 */
const STEPS = [
  ["M-6 -6V6M6 -6L-3 0L6 6Z", "start", () => 0],
  ["M4 -6L-5 0L4 6Z", "move back", (ply) => ply - 1],
  ["M-4 -6L5 0L-4 6Z", "move on", (ply) => ply + 1],
  ["M6 -6V6M-6 -6L3 0L-6 6Z", "end", () => Number.POSITIVE_INFINITY],
];
/** @type {Record<string, number>} */
const KEYS = { Home: 0, ArrowLeft: 1, ArrowRight: 2, End: 3 };

export class Viewer {
  #boards;
  #games;
  #game = 0; // the index of the displayed game
  #ply = 0;
  #heading = html("p");
  #note = html("p", { class: "quiet", "aria-live": "polite" });
  #graph = svg("svg", { class: "graph", preserveAspectRatio: "none", role: "img", "aria-label": "Winning chances of p1, ply by ply" });
  #judged = html("div", { class: "judged" });
  #moves = html("ol", { class: "moves", tabindex: 0, "aria-label": "Moves" });
  #place = html("div", { class: "board", role: "img" });
  #drawing = new Drawing(this.#place);

  /**
   * Shows the games of the data in an element: the lines that describe each board (SPEC 4.23), and pairs of a board and a game.
   * @param {HTMLElement} container
   * @param {ViewerData} data
   */
  constructor(container, { boards, games }) {
    this.container = container;
    this.#boards = boards.map((lines) => readBoard(lines.map((line) => `board ${line}`)));
    this.#games = games;
    /** @param {(typeof STEPS)[number]} step */
    const step = ([d, label, to]) => {
      const icon = svg("svg", { class: "icon", viewBox: "-8 -8 16 16", "aria-hidden": "true" }, svg("path", { d }));
      return html("button", { type: "button", title: label, "aria-label": label, onclick: () => this.#go(to(this.#ply)) }, icon);
    };
    this.#graph.addEventListener("click", (event) => this.#go(plyAt(event, this.#shown.moves.length)));
    const side = html("div", { class: "side" }, this.#heading, this.#note, this.#graph, this.#judged, this.#moves);
    container.replaceChildren(html("div", {}, this.#place, html("nav", {}, ...STEPS.map(step))), side);
    // Keys belong to the viewer only while it is in view: they also scroll the page.
    container.tabIndex = 0;
    container.addEventListener("keydown", (event) => this.#key(event));
  }

  get #shown() {
    return this.#games[this.#game][1];
  }

  /** The board of the displayed game. Where no engine has described it, it is guessed from the positions. */
  get #board() {
    const board = this.#boards[this.#games[this.#game][0]];
    const texts = this.#shown.positions.map(({ fen }) => fen).filter(Boolean);
    return board.files && board.ranks ? board : guessBoard(texts);
  }

  /**
   * Opens the game that the address names (`#game-7`), or the first one. Returns whether the address names one.
   * @param {string} hash
   */
  follow(hash) {
    const index = this.#games.findIndex(([, { number }]) => hash === `#game-${number}`);
    if (this.#games.length) this.#open(Math.max(index, 0));
    return index >= 0;
  }

  /** @param {number} index */
  #open(index) {
    this.#game = index;
    const game = this.#shown;
    const { number, p1, p2, result, reason } = game;
    this.#heading.replaceChildren(html("strong", {}, `Game ${number}: ${p1.name} – ${p2.name}`), ` ${result}${reason ? ` (${reason})` : ""}`);
    this.#judged.replaceChildren(...(p1.accuracy === undefined ? [] : [sides(game), this.#worst(game)]));
    this.#moves.replaceChildren(...game.moves.map(({ move, label }, at) => html("li", {}, this.#button(at + 1, `${at + 1}. ${move}`, label))));
    this.#graph.toggleAttribute(
      "hidden",
      game.positions.every((position) => chanceIn(position) === null),
    );
    this.#drawing.build(this.#board);
    this.container.hidden = false;
    this.#go(0);
  }

  /**
   * @param {number} ply
   * @param {string} text
   * @param {string} [label]
   */
  #button(ply, text, label) {
    return html("button", { type: "button", class: label, onclick: () => this.#go(ply) }, text);
  }

  /**
   * The worst moves, each with what was better.
   * @param {ViewedGame} game
   */
  #worst(game) {
    /** @param {number} ply */
    const item = (ply) => {
      const instead = better(game, ply);
      const told = instead && [
        html("p", {}, "Better: ", html("strong", {}, instead.move), ` (${instead.worth})`),
        html("p", { class: "quiet" }, instead.line),
      ];
      return html("li", {}, this.#button(ply, judged(game, ply), game.moves[ply - 1].label), ...(told ?? []));
    };
    const plies = worst(game);
    return plies.length ? html("ol", { class: "worst" }, ...plies.map(item)) : html("p", {}, "No move lost as much as 5 %.");
  }

  /** @param {number} ply */
  #go(ply) {
    const game = this.#shown;
    this.#ply = Math.max(0, Math.min(ply, game.moves.length));
    const { fen } = game.positions[this.#ply];
    const { move, label } = game.moves[this.#ply - 1] ?? {};
    const pieces = fen ? readPosition(fen, this.#drawing.board) : new Map();
    const instead = label ? better(game, this.#ply)?.move : null;
    this.#drawing.show(pieces, { last: new Set(squaresOf(move ?? "")) });
    this.#drawing.point(instead ? [...arrowsOf("last", move), ...arrowsOf("better", instead)] : []);
    this.#place.setAttribute("aria-label", fen ? `the position ${fen}` : "a position that is not known");
    drawGraph(this.#graph, game.positions.map(chanceIn), this.#ply);
    this.#note.textContent = described(game, this.#ply);
    this.#moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
    /** @type {HTMLElement | null} */
    const current = this.#moves.querySelector(`:nth-child(${this.#ply}) > button`);
    current?.setAttribute("aria-current", "true");
    if (current) this.#moves.scrollTop = current.offsetTop - this.#moves.offsetTop - this.#moves.clientHeight / 2;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const by = event.key === "PageUp" ? -1 : event.key === "PageDown" ? 1 : Number.NaN;
    const [, other] = this.#games[this.#game + by] ?? [];
    if (event.key in KEYS) this.#go(STEPS[KEYS[event.key]][2](this.#ply));
    else if (other) location.hash = `game-${other.number}`;
    else return;
    event.preventDefault();
  }
}

/**
 * The accuracy of both sides, and how many moves have each label.
 * @param {ViewedGame} game
 */
function sides(game) {
  const head = ["side", "accuracy", "inaccuracies", "mistakes", "blunders"].map((text) => html("th", { scope: "col" }, text));
  /** @param {ViewedPlayer} player */
  const row = ({ name, accuracy, ...counts }) => {
    const cells = [accuracy?.toFixed(1) ?? NOTHING, counts.inaccuracies, counts.mistakes, counts.blunders];
    return html("tr", {}, html("th", { scope: "row" }, name), ...cells.map((text) => html("td", {}, String(text))));
  };
  return html("table", {}, html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...SIDES.map((side) => row(game[side]))));
}
