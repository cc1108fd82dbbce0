// The page: what happens when something is clicked, and whose turn it is to do what.

import { BoardView } from "./board.js";
import { byId } from "./dom.js";
import { Engine, Lost } from "./engine.js";
import { Log, quote, readFile, save, writeRecord } from "./files.js";
import { Game, readPosition } from "./game.js";
import { keep, takeKept } from "./kept.js";
import { Evaluation, showFigures, showMoves, showSides, sideName, standing } from "./panels.js";
import { LEVELS, gameTitle, readOption, showChoices, showOptions } from "./settings.js";
import { Turn } from "./turn.js";

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
  await connect();
  await restore(takeKept() ?? { id: state.ids[0], values: [], left: [] });
}

function remember() {
  const { game, players, values } = state;
  keep({ ...game.save(), players, values, level: byId("level").value, isFlipped: view.isFlipped });
}

/** Puts up what was kept; what makes no sense, or what the engine does not take, is left out. */
async function restore({ values, left, ...kept }) {
  state.values = {};
  const taken = await Promise.all(values.map(([name, value]) => isTaken(name, value)));
  left.push(...values.filter((_, at) => !taken[at]).map((option) => option.join(" ")));
  try {
    await open(kept);
  } catch (error) {
    if (error instanceof Lost) throw error;
    left.push("game");
    const id = state.ids.includes(kept.id) ? kept.id : state.ids[0];
    await open({ ...kept, id, start: null, moves: [], ply: 0 });
  }
  if (left.length) say(`Left out of what was kept: ${listed(left)}.`, true);
}

/** Sets an option of an engine that has just started; whether the engine knows and takes it. */
async function isTaken(name, value) {
  if (!state.options.some((option) => option.name === name)) return false;
  try {
    await state.engine.command(`setoption name ${name} value ${value}`);
  } catch (error) {
    if (error instanceof Lost) throw error;
    return false;
  }
  state.values[name] = value;
  return true;
}

/** Some texts of somebody else in a message: the first of them. */
const listed = (texts) => [...texts.slice(0, 3).map(quote), ...(texts.length > 3 ? [`${texts.length - 3} more`] : [])].join(", ");

// ---- putting up games

/** Puts up a game, all of it or nothing: a new one, one that was kept, or one of a file. The names of options that are no rules. */
async function open(wanted) {
  if (!state.ids.includes(wanted.id)) throw new Error(`expected a game of this engine, found ${quote(wanted.id ?? "none")}`);
  state.run += 1;
  const { taken, ignored } = await state.game.open(wanted).catch(async (error) => {
    // The game in play goes on.
    if (state.game.id !== null && !(error instanceof Lost)) await settle();
    throw error;
  });
  Object.assign(state.values, Object.fromEntries(taken));
  if (wanted.players) state.players = wanted.players;
  if (wanted.isFlipped !== undefined) view.isFlipped = wanted.isFlipped;
  view.build(state.game.board);
  state.isPaused = !state.game.isAtEnd;
  state.last.clear();
  document.title = `${gameTitle(wanted.id)} – leap`;
  showChoices(state.ids, wanted.id);
  if (wanted.level in LEVELS) byId("level").value = wanted.level;
  showPlayers();
  showSettings();
  evaluation.clear();
  say("");
  await settle();
  return ignored;
}

async function load(file) {
  const found = await readFile(file);
  const ignored = await open({ ...found, players: { p1: "human", p2: "human" } });
  const rest = ignored.length ? ` Left out, as it is no rule of the game: ${listed(ignored)}.` : "";
  say(`${found.moves.length} moves are loaded.${rest}`, ignored.length > 0);
}

function showSettings() {
  showOptions(state.options, state.game, state.ids, state.values, (option, value) => guarded(() => change(option, value)));
}

async function change(option, value) {
  state.run += 1;
  await state.engine.stop();
  const refusal = await state.engine.command(`setoption name ${option.name} value ${value}`).then(() => null, (error) => error);
  if (refusal instanceof Lost) throw refusal;
  if (!refusal) state.values[option.name] = value;
  showSettings();
  await state.game.look();
  if (!refusal && (option.name === "FrogletSeed" || state.game.ply === 0)) await begin();
  else await settle();
  if (refusal) throw refusal;
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
  // What a person is to know stays until the person does something.
  if (wasHuman || !byId("message").classList.contains("bad")) say(`${sideName(game.board, mover)}: ${move}`);
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
  return Object.fromEntries(Object.entries(state.values).filter(([name]) => state.game.rules.has(name)));
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
  const [file] = target.files;
  target.value = "";
  if (file) await load(file);
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
