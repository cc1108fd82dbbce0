// The page: what happens when something is clicked, and whose turn it is to do what.

import { BoardView } from "./board.js";
import { byId } from "./dom.js";
import { Engine, Lost } from "./engine.js";
import { Log, readGame, save, writeRecord } from "./files.js";
import { Game, readPosition } from "./game.js";
import { Evaluation, showFigures, showMoves, showSides, sideName, standing } from "./panels.js";
import { LEVELS, gameTitle, isRule, readOption, showChoices, showOptions } from "./settings.js";
import { Turn } from "./turn.js";

const KEPT = "leap-game";

const state = {
  engine: null, game: null, turn: null, ids: [], options: [],
  values: {}, // options that were changed, by name
  players: { p1: "human", p2: "engine" },
  isPaused: false, // engines wait while earlier positions are looked at
  last: new Set(), // squares of the last move
  wrong: new Set(),
  run: 0, // counts what was begun, so that what comes too late is noticed
};
const log = new Log();
const evaluation = new Evaluation();
const view = new BoardView(byId("board"), { onSquare: (square) => guarded(() => choose(square)), onDrag: (from, to) => guarded(() => drag(from, to)) });

// ---- one thing at a time

let work = Promise.resolve();

/** Does something when what was begun before is done; what goes wrong is said in the page. */
function guarded(task) {
  work = work.then(task).catch(explain);
  return work;
}

function explain(error) {
  if (error instanceof Lost) return lost(error.message);
  say(error.message, true);
  if (!("code" in error)) console.error(error);
}

function say(text, isBad = false) {
  const line = byId("message");
  line.textContent = text;
  line.classList.toggle("bad", isBad);
}

// ---- the connection

async function connect() {
  byId("lost").hidden = true;
  say("Starting the engine …");
  const engine = await Engine.connect({ onLost: lost, onLine: (direction, line) => log.note(direction, line) });
  state.engine = engine;
  const [greeting, ids] = await Promise.all([engine.command("ugi", "ugiok"), engine.ask("query games")]);
  byId("engine-name").textContent = greeting.find((line) => line.startsWith("id name "))?.slice(8) ?? "engine";
  state.options = greeting.map(readOption).filter(Boolean);
  state.ids = ids.split(" ");
  state.game = new Game(engine);
  state.turn = new Turn(state.game);
}

function lost(reason) {
  state.run += 1;
  byId("lost").hidden = false;
  byId("lost-why").textContent = `No engine: ${reason}.`;
  byId("reconnect").focus();
}

async function reconnect() {
  const kept = remembered();
  await connect();
  await open(kept ?? { id: state.ids[0] });
}

// ---- what is kept over a reload

function remember() {
  const { game, players, values } = state;
  const level = byId("level").value;
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ ...game.save(), players, values, level, isFlipped: view.isFlipped }));
  } catch {
    // Without storage a reload begins anew.
  }
}

function remembered() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT));
  } catch {
    return null;
  }
}

// ---- putting up games

/** Puts up a game: a new one, or one that was kept. */
async function open({ id, start = null, moves = [], ply, values, players, level, isFlipped }) {
  state.run += 1;
  const known = state.ids.includes(id) ? id : state.ids[0];
  Object.assign(state.values, values);
  if (players) state.players = { ...players };
  if (level) byId("level").value = level;
  const options = Object.fromEntries(Object.entries(state.values).filter(([name]) => state.options.some((option) => option.name === name)));
  await state.game.open(known, options);
  if (isFlipped !== undefined) view.isFlipped = isFlipped;
  view.build(state.game.board);
  if (start !== null || moves.length) await state.game.begin(start, moves);
  if (ply !== undefined && ply < moves.length) await state.game.goTo(ply);
  state.isPaused = !state.game.isAtEnd;
  state.last.clear();
  document.title = `${gameTitle(known)} – leap`;
  showChoices(state.ids, known);
  showPlayers();
  showOptions(state.options, known, state.ids, state.values, (option, value) => guarded(() => change(option, value)));
  evaluation.clear();
  say("");
  await settle();
}

async function change(option, value) {
  await state.engine.stop();
  await state.engine.command(`setoption name ${option.name} value ${value}`);
  state.values[option.name] = value;
  await state.game.look();
  if (option.name === "FrogletSeed" || state.game.ply === 0) await begin();
  else await settle();
}

async function begin() {
  state.run += 1;
  state.isPaused = false;
  state.last.clear();
  await state.game.begin();
  evaluation.clear();
  say("");
  await settle();
}

// ---- after each change

/** Shows how things are and lets the engine do what it has to. */
async function settle() {
  const { game, turn } = state;
  turn.reset();
  state.wrong.clear();
  if (!game.isOver && isHuman()) await turn.refresh();
  draw();
  remember();
  think();
}

const isHuman = () => state.players[state.game.status.turn] === "human";

function draw() {
  const { game, turn } = state;
  const pieces = turn.preview?.pieces ?? readPosition(game.fen, game.board);
  const squares = (tokens) => new Set([...tokens].map((token) => token.replace(/^[x@]/, "")));
  const isBegun = !turn.isEmpty;
  view.show(pieces, {
    last: isBegun ? null : state.last,
    origins: isBegun ? null : squares(turn.next),
    targets: isBegun ? squares(turn.next) : null,
    path: squares(turn.taken),
    victims: new Set((turn.preview?.steps ?? []).filter(({ kind }) => kind === "captured").map(({ square }) => square)),
    wrong: state.wrong,
  });
  byId("end-turn").hidden = !(isBegun && turn.canEnd);
  byId("cancel").hidden = !isBegun;
  byId("entered").textContent = turn.path;
  byId("standing").textContent = standing(game);
  byId("over").hidden = !game.isOver;
  byId("over").textContent = game.isOver ? standing(game) : "";
  byId("resume").hidden = !state.isPaused || game.isOver || isHuman();
  byId("fen").value = game.fen;
  showSides(game, state.players, state.engine.isSearching);
  showFigures(game);
  showMoves(game, (ply) => guarded(() => goTo(ply)));
}

/** The engine's turn: it moves. A person's: it looks on, if it may. */
function think() {
  const { engine, game } = state;
  state.run += 1;
  const run = state.run;
  const level = LEVELS[byId("level").value][1];
  const side = game.status.turn;
  if (game.isOver) return;
  if (isHuman() || state.isPaused) {
    if (!byId("analyse").checked) return;
    engine.go("infinite", (line) => evaluation.note(line, side)).catch(explain);
    return;
  }
  const search = async () => {
    if (state.options.some(({ name }) => name === "Strength")) await engine.command(`setoption name Strength value ${level.strength}`);
    return engine.go(level.go, (line) => evaluation.note(line, side));
  };
  search().then((move) => {
    if (run === state.run && move && move !== "none") guarded(() => (run === state.run ? play(move) : null));
  }).catch(explain);
  showSides(game, state.players, true);
}

async function play(move) {
  const { engine, game } = state;
  state.run += 1;
  await engine.stop();
  if (isHuman()) {
    // Analysis is at full strength; so is nothing of what a person does.
    await engine.command("setoption name Strength value 100").catch(() => {});
  }
  const before = readPosition(game.fen, game.board);
  const wasHuman = isHuman();
  const mover = game.status.turn;
  const effects = await game.play(move);
  if (!wasHuman) await view.animate(effects, before);
  state.last = new Set(effects.flatMap(({ square, to }) => [square, to]).filter(Boolean));
  say(`${sideName(game.board, mover)}: ${move}`);
  await settle();
}

// ---- entering a move

async function choose(square) {
  const { game, turn } = state;
  if (game.isOver || !isHuman()) return;
  await state.engine.stop();
  state.wrong.clear();
  const token = turn.tokenFor(square);
  if (token) {
    await turn.add(token);
    if (turn.isComplete) return play(turn.path);
    say("");
  } else if (!turn.isEmpty && turn.taken.length === 1 && turn.taken[0] === square) {
    turn.reset();
    await turn.refresh();
  } else if (turn.isEmpty) {
    await refuse(square, square);
  } else {
    await refuse(turn.path + square, square);
    const first = new Turn(game);
    await first.refresh();
    // Another piece is meant.
    if (first.tokenFor(square)) {
      state.turn = first;
      await first.add(first.tokenFor(square));
      say("");
      state.wrong.clear();
    }
  }
  draw();
}

/** Says why a move is not legal, in the engine's words. */
async function refuse(move, square) {
  const why = await state.game.whyNot(move);
  if (!why) return;
  state.wrong = new Set([why.square ?? square]);
  say(why.text, true);
}

async function drag(from, to) {
  const { turn } = state;
  if (state.game.isOver || !isHuman()) return;
  const isOnward = turn.taken.at(-1)?.replace(/^[x@]/, "") === from;
  if (!isOnward) {
    turn.reset();
    await turn.refresh();
    await choose(from);
  }
  if (!state.turn.isEmpty) await choose(to);
}

async function endTurn() {
  if (state.turn.canEnd) await play(state.turn.path);
}

async function cancel() {
  await state.turn.back();
  draw();
}

// ---- going about in the game

async function goTo(ply) {
  state.run += 1;
  await state.game.goTo(ply);
  state.isPaused = !state.game.isAtEnd || state.game.isOver;
  state.last.clear();
  evaluation.clear();
  await settle();
}

/** Back to the last position in which a person has to move; if no one is a person, one ply. */
async function undo() {
  if (!state.turn.isEmpty) return cancel();
  const { game } = state;
  let ply = game.ply - 1;
  await goTo(ply);
  while (ply > 0 && Object.values(state.players).includes("human") && !isHuman()) await goTo(--ply);
  // From here on a person plays: engines need not wait.
  if (isHuman()) state.isPaused = false;
}

async function resume() {
  state.isPaused = false;
  await settle();
}

// ---- the controls

function showPlayers() {
  for (const side of ["p1", "p2"]) byId(`${side}-player`).value = state.players[side];
  for (const side of ["p1", "p2"]) byId(`${side}-label`).textContent = sideName(state.game.board, side);
}

const actions = {
  "new-game": begin, "end-turn": endTurn, cancel, undo, reconnect,
  redo: () => goTo(state.game.ply + 1), first: () => goTo(0), last: () => goTo(Infinity), resume,
  flip: async () => {
    view.isFlipped = !view.isFlipped;
    view.build(state.game.board);
    draw();
    remember();
  },
  "set-fen": async () => {
    const fen = byId("fen").value.trim();
    if (fen === state.game.fen) return;
    await state.game.begin(fen);
    state.isPaused = false;
    state.last.clear();
    say("The position is set up.");
    await settle();
  },
  "save-record": async () => save(`${state.game.id}.ugr`, writeRecord(state.game, state.players, rules())),
  "save-transcript": async () => save(`${state.game.id}.ugt`, log.text()),
  load: async () => byId("file").click(),
};

/** The options of the rules that were changed. */
function rules() {
  const all = Object.entries(state.values);
  return Object.fromEntries(all.filter(([name]) => isRule({ name }, state.game.id)));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.game) guarded(() => open({ id: button.dataset.game }));
  else if (button.id in actions) guarded(actions[button.id]);
});

for (const side of ["p1", "p2"]) {
  byId(`${side}-player`).addEventListener("change", ({ target }) => guarded(async () => {
    await state.engine.stop();
    state.players[side] = target.value;
    state.isPaused = false;
    await settle();
  }));
}
for (const id of ["level", "analyse"]) {
  byId(id).addEventListener("change", () => guarded(async () => {
    await state.engine.stop();
    evaluation.clear();
    await settle();
  }));
}
byId("file").addEventListener("change", ({ target }) => guarded(async () => {
  const text = await target.files[0]?.text();
  target.value = "";
  if (!text) return;
  const found = readGame(text);
  await open({ ...found, values: found.options, players: { p1: "human", p2: "human" } });
  say(`${found.moves.length} moves are loaded.`);
}));
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = { Escape: "cancel", u: "undo", r: "redo", f: "flip", n: "new-game", e: "end-turn" };
  const action = keys[event.key];
  if (!action || (action === "cancel" && state.turn?.isEmpty)) return;
  event.preventDefault();
  guarded(actions[action]);
});

guarded(reconnect);

/** For those who drive the page: what it is doing, and whether it has settled. */
export const inspect = () => ({ fen: state.game?.fen, isOver: state.game?.isOver, turn: state.game?.status.turn, isSearching: state.engine?.isSearching, work });
window.leap = { inspect };
