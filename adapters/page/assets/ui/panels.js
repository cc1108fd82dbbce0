// The panels beside the board: the sides, the status, the parts of the evaluation.

import { pieceIcon } from "../board/pieces.js";
import { NAMELESS, namesOf } from "../files/records.js";
import { scoreText } from "../review/chances.js";
import { byId, html } from "./dom.js";
import { capital, language, named, t } from "./i18n.js";

/** @type {Side[]} */
export const SIDES = ["p1", "p2"];
/** Words of a status that are displayed elsewhere, and counters of moves and positions for people who ask. */
const HIDDEN = new Set(["over", "result", "reason", "turn"]);
const COUNTERS = new Set(["ply", "quiet", "repetitions"]);
/** A figure that has no value. */
const NOTHING = "<empty>";

/**
 * The other side.
 * @param {Side} side
 * @returns {Side}
 */
export const other = (side) => (side === "p1" ? "p2" : "p1");

/**
 * Whether the sides have pieces of their own, whose colours name them.
 * @param {Board} board
 */
const hasColours = (board) => [...board.pieces.values()].some(({ owner }) => owner !== "none");

/**
 * @param {Board} board
 * @param {Side} side
 */
const colourOf = (board, side) => board.word(board.colours[side] ?? side);
/**
 * The name of a side within a sentence: its colour, or its number where no piece belongs to a side.
 * @param {Board} board
 * @param {Side} side
 */
export const colourWithin = (board, side) =>
  hasColours(board) ? colourOf(board, side).toLocaleLowerCase(language()) : (named("sideWithin", side) ?? side);
/**
 * The name of a side alone.
 * @param {Board} board
 * @param {Side} side
 */
export const sideName = (board, side) => (hasColours(board) ? capital(colourOf(board, side)) : (named("sideAlone", side) ?? side));

/**
 * Whether this side is played by a person and the other one is not.
 * @param {Players} players
 * @param {Side} side
 */
export const isOnlyPerson = (players, side) => players[side] === "human" && Object.values(players).filter((who) => who === "human").length === 1;

/**
 * Whether a person plays against an engine.
 * @param {Players} players
 */
export const hasPersonAndEngine = (players) => Object.values(players).includes("human") && Object.values(players).includes("engine");

/**
 * The side from whose view scores are given: the only person's, else p1's.
 * @param {Players} players
 */
export const viewOf = (players) => (isOnlyPerson(players, "p2") ? "p2" : "p1");

/**
 * Names in words whose view the scores take.
 * @param {Pick<Game, "board">} game
 * @param {Players} players
 */
export function viewer({ board }, players) {
  const side = viewOf(players);
  return isOnlyPerson(players, side) ? t("evaluation.forYou") : t("evaluation.forSide", { side: colourWithin(board, side) });
}

/**
 * A piece of a side, as its symbol.
 * @param {Board} board
 * @param {Side} side
 */
function sidePiece(board, side) {
  for (const [text, { owner }] of board.pieces) if (owner === side && !text.endsWith("~")) return text;
  return null;
}

/**
 * The player of a side: by name, if known, in a game of others, else the only person; null if it is the engine. Colours alone
 * tell two people at one board apart.
 * @param {Game} game
 * @param {Players} players
 * @param {Side} side
 * @param {App["party"]} party
 */
export function playerOf({ source }, players, side, party) {
  if (party?.state) return party.nameOf(side);
  const name = source && namesOf(source)[side];
  if (source) return name === NAMELESS ? "" : name;
  if (players[side] !== "human") return null;
  return isOnlyPerson(players, side) ? t("players.you") : "";
}

/**
 * The two lines beside the board: who plays, what each side has, whose turn it is.
 * @param {App["game"]} game
 * @param {Players} players
 * @param {boolean} isThinking
 * @param {App["party"]} party
 */
export function showSides(game, players, isThinking, party = null) {
  for (const side of SIDES) {
    const { board, status } = game;
    const index = side === "p1" ? 0 : 1;
    const facts = Object.entries(status)
      .filter(([, value]) => /^\d+-\d+$/.test(value))
      .map(([key, value]) => `${figure(board, key)} ${value.split("-")[index]}`);
    const piece = sidePiece(board, side);
    const isTurn = !game.isOver && status.turn === side;
    const it = isThinking && isTurn ? t("players.thinking") : t("players.it");
    const box = byId(side);
    box.classList.toggle("turn", isTurn);
    box.replaceChildren(
      piece ? pieceIcon(piece, board) : html("span", { class: "icon blank" }),
      html("strong", {}, sideName(board, side)),
      html("span", { class: "who" }, playerOf(game, players, side, party) ?? it),
      html("span", { class: "facts" }, facts.join(" · ")),
    );
  }
}

/**
 * Why the game is over, for its winner and for spectators.
 * @param {Guide} guide
 * @param {Status} status
 */
function whyOver(guide, status) {
  const told = guide.ending(status);
  return told === status.reason ? (named("ending", status.reason) ?? told) : told;
}

/**
 * One sentence about the state of the game.
 * @param {Game} game
 * @param {Players} players
 */
export function standing(game, players) {
  const { board, guide, status } = game;
  if (!game.isOver) return capital(t("standing.toMove", { side: colourWithin(board, status.turn) }));
  const why = whyOver(guide, status);
  if (status.result === "draw") return t("standing.draw", { why });
  const winner = status.result === "p1win" ? "p1" : "p2";
  if (isOnlyPerson(players, winner)) return t("standing.youWin", { why });
  if (isOnlyPerson(players, other(winner))) {
    if (status.reason !== "resignation") return t("standing.youLose", { why: guide.loss(status) ?? named("loss", status.reason) ?? why });
    return players[winner] === "remote" ? t("standing.resigned") : t("standing.youResigned");
  }
  return capital(t("standing.wins", { side: colourWithin(board, winner), why }));
}

/**
 * The name of a figure of the status.
 * @param {Board} board
 * @param {string} key
 */
const figure = (board, key) => named("status", key) ?? board.word(key);

/**
 * The other figures of the status: those of the game, and for people who ask those of every game.
 * @param {Game} game
 */
export function showFigures({ board, status }) {
  const figures = Object.entries(status).filter(([key, value]) => !HIDDEN.has(key) && value !== NOTHING && !/^\d+-\d+$/.test(value));
  /** @param {(key: string) => boolean} isShown */
  const text = (isShown) =>
    figures
      .filter(([key]) => isShown(key))
      .map(([key, value]) => `${figure(board, key)} ${value}`)
      .join(" · ");
  byId("figures").textContent = text((key) => !COUNTERS.has(key));
  byId("counters").textContent = text((key) => COUNTERS.has(key));
}

/**
 * The parts of the evaluation, as a table.
 * @param {Game} game
 * @param {Players} players
 */
export function showParts(game, players) {
  const { board, parts, status } = game;
  const sign = status.turn === viewOf(players) ? 1 : -1;
  /** @param {[string, string]} part */
  const row = ([part, value]) =>
    html(
      "tr",
      {},
      html("th", { scope: "row" }, part === "total" ? t("evaluation.total") : board.word(part)),
      html("td", {}, scoreText({ kind: "cp", value: sign * Number(value) })),
    );
  byId("parts-list").replaceChildren(...Object.entries(parts).map(row));
}
