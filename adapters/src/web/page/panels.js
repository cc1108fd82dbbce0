// The panels beside the board: the status, the list of moves, the engine's thinking.

import { byId, html, pairs } from "./dom.js";
import { pieceIcon } from "./board.js";
import { readInfo } from "./engine.js";
import { capital, language, named, t } from "./i18n.js";

/** Words of a status that are displayed elsewhere or not meant for people. */
const HIDDEN = new Set(["over", "result", "reason", "turn"]);

/** The name of a side: its colour. */
const colourOf = (board, side) => board.word(board.colours[side] ?? side);
export const sideName = (board, side) => capital(colourOf(board, side));

/** A piece of a side, as its symbol. */
function sidePiece(board, side) {
  for (const [text, { owner }] of board.pieces) if (owner === side && !text.endsWith("~")) return text;
  return null;
}

/** The two lines beside the board: who plays, what they have, whose turn it is. */
export function showSides(game, players, isThinking) {
  for (const side of ["p1", "p2"]) {
    const { board, status } = game;
    const index = side === "p1" ? 0 : 1;
    const facts = Object.entries(status)
      .filter(([, value]) => /^\d+-\d+$/.test(value))
      .map(([key, value]) => `${figure(board, key)} ${value.split("-")[index]}`);
    const piece = sidePiece(board, side);
    const isTurn = !game.isOver && status.turn === side;
    const box = byId(side);
    box.classList.toggle("turn", isTurn);
    box.replaceChildren(
      piece ? pieceIcon(piece, board) : html("span", { class: "icon blank" }),
      html("strong", {}, sideName(board, side)),
      html("span", { class: "who" }, t(players[side] === "human" ? "players.you" : isThinking && isTurn ? "players.thinking" : "players.it")),
      html("span", { class: "facts" }, facts.join(" · ")),
    );
  }
}

/** One sentence about the state of the game. */
export function standing(game) {
  const { status, board } = game;
  // Within a sentence the colour has no capital.
  const side = (id) => colourOf(board, id).toLocaleLowerCase(language());
  if (!game.isOver) return capital(t("standing.toMove", { side: side(status.turn) }));
  const told = board.word(status.reason);
  const why = told === status.reason ? (named("ending", status.reason) ?? told) : told;
  if (status.result === "draw") return t("standing.draw", { why });
  return capital(t("standing.wins", { side: side(status.result.slice(0, 2)), why }));
}

/** The name of a figure of the status. */
const figure = (board, key) => named("status", key) ?? board.word(key);

/** The other figures of the status. */
export function showFigures(game) {
  const figures = Object.entries(game.status).filter(([key, value]) => !HIDDEN.has(key) && !/^\d+-\d+$/.test(value));
  byId("figures").textContent = figures.map(([key, value]) => `${figure(game.board, key)} ${value}`).join(" · ");
}

/** The list of moves; the one that led here is current. */
export function showMoves(game, goTo) {
  const list = byId("moves");
  list.replaceChildren(
    ...game.moves.map((move, at) =>
      html(
        "li",
        {},
        html("button", { type: "button", class: "move", "aria-current": at + 1 === game.ply && "true", onclick: () => goTo(at + 1) }, move),
      ),
    ),
  );
  const current = list.children[game.ply - 1];
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  byId("undo").disabled = byId("first").disabled = game.ply === 0;
  byId("redo").disabled = byId("last").disabled = game.isAtEnd;
}

/** The winning chance of p1 for a score, by the logistic curve in which 250 centipawns multiply the odds by e. */
function share({ kind, value }) {
  if (kind === "mate") return value > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-value / 250));
}

function scoreText({ kind, value }) {
  if (kind === "mate") return `${value > 0 ? "" : "−"}#${Math.abs(value)}`;
  return `${value < 0 ? "−" : "+"}${Math.abs(value / 100).toFixed(2)}`;
}

/** The parts of an answer to `eval`, as a table from p1's view. */
export function showParts({ board, status }, answer) {
  const sign = status.turn === "p1" ? 1 : -1;
  byId("parts-of").textContent = t("evaluation.view", { side: sideName(board, "p1") });
  const row = ([part, value]) =>
    html(
      "tr",
      {},
      html("th", { scope: "row" }, part === "total" ? t("evaluation.total") : board.word(part)),
      html("td", {}, scoreText({ kind: "cp", value: sign * value })),
    );
  byId("parts-list").replaceChildren(...Object.entries(pairs(answer.split(" "))).map(row));
}

/** The engine's evaluation: a bar, the score, the expected line. Scores are from p1's view. */
export class Evaluation {
  clear() {
    this.#bar({ kind: "cp", value: 0 });
    byId("score").textContent = "";
    byId("line").textContent = "";
  }

  /** Handles an `info` line of a search by a side. */
  note(line, side) {
    const info = readInfo(line);
    if (!info || info.multipv > 1) return;
    const sign = side === "p1" ? 1 : -1;
    const score = { kind: info.score.kind, value: sign * info.score.value };
    this.#bar(score);
    byId("score").textContent = scoreText(score);
    byId("line").textContent = t("evaluation.depth", { depth: info.depth, line: info.pv.slice(0, 8).join(" ") });
  }

  /** The bar of a finished game. */
  end(result) {
    this.#fill({ p1win: 100, p2win: 0 }[result] ?? 50);
  }

  #bar(score) {
    this.#fill(Math.round(100 * share(score)));
  }

  /** Fills the bar with the share of p1 in percent. */
  #fill(percent) {
    byId("bar-p1").setAttribute("height", percent);
    byId("bar-p1").setAttribute("y", 100 - percent);
    byId("bar").setAttribute("aria-valuenow", percent);
  }
}
