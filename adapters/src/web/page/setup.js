// Setting up games: a new one, a stored one, one from a file; and the options of the rules and the engine.

import { byId } from "./dom.js";
import { Lost } from "./engine.js";
import { quote, readFile } from "./files.js";
import { t } from "./i18n.js";
import { takeKept } from "./kept.js";
import { sideName } from "./panels.js";
import { gameTitle, LEVELS, showChoices, showOptions } from "./settings.js";

/** The first of several foreign texts for a message. */
const listed = (texts) => [...texts.slice(0, 3).map(quote), ...(texts.length > 3 ? [t("files.more", { n: texts.length - 3 })] : [])].join(", ");

/** Starts an engine and continues from the stored state. */
export async function reconnect(app) {
  await app.connect();
  await restore(app, takeKept() ?? { id: app.ids[0], values: [], left: [] });
}

/** Restores the stored state; parts that are invalid or refused by the engine are dropped. */
async function restore(app, { values, left, ...kept }) {
  app.values = {};
  const taken = await Promise.all(values.map(([name, value]) => isTaken(app, name, value)));
  left.push(...values.filter((_, at) => !taken[at]).map((option) => option.join(" ")));
  try {
    await open(app, kept);
  } catch (error) {
    if (error instanceof Lost) throw error;
    left.push("game");
    const id = app.ids.includes(kept.id) ? kept.id : app.ids[0];
    await open(app, { ...kept, id, start: null, moves: [], ply: 0 });
  }
  if (left.length) app.say(t("files.leftOutOfKept", { parts: listed(left) }), true);
}

/** Sets an option of a new engine; returns whether the engine knows and accepts it. */
async function isTaken(app, name, value) {
  if (!app.options.some((option) => option.name === name)) return false;
  return (await set(app, name, value)) === null;
}

/** Sets an option; returns why the engine refuses it, or null. */
async function set(app, name, value) {
  try {
    await app.engine.command(`setoption name ${name} value ${value}`);
  } catch (error) {
    if (error instanceof Lost) throw error;
    return error;
  }
  app.values[name] = value;
  return null;
}

/** Sets up a game, completely or not at all: new, stored, or from a file. Returns the options that are not rules. */
export async function open(app, wanted) {
  const { game, ids, view } = app;
  // A new process has its default game (SPEC 1.6).
  const id = wanted.id === null ? ids[0] : wanted.id;
  if (!ids.includes(id)) throw new Error(t("files.noSuchGame", { found: quote(id ?? "-") }));
  app.overtake();
  const { taken, ignored } = await game.open({ ...wanted, id }).catch(async (error) => {
    // The current game continues.
    if (game.id !== null && !(error instanceof Lost)) await app.settle();
    throw error;
  });
  Object.assign(app.values, Object.fromEntries(taken));
  if (wanted.players) app.players = wanted.players;
  if (wanted.isFlipped !== undefined) view.isFlipped = wanted.isFlipped;
  view.build(game.board);
  app.isPaused = !game.isAtEnd;
  showTexts(app);
  if (wanted.level in LEVELS) byId("level").value = wanted.level;
  app.clear();
  app.say("");
  await app.settle();
  return ignored;
}

/** Sets up the game of a file. */
export async function load(app, file) {
  const found = await readFile(file);
  const ignored = await open(app, { ...found, players: { p1: "human", p2: "human" } });
  const rest = ignored.length ? [t("files.leftOut", { options: listed(ignored) })] : [];
  app.say([t("files.loaded", { n: found.moves.length }), ...rest].join(" "), ignored.length > 0);
}

/** Restarts the game, or starts from a position text. */
export async function begin(app, fen = null) {
  await app.game.begin(fen);
  app.isPaused = false;
  app.clear();
  app.say(fen === null ? "" : t("files.isSetUp"));
  await app.settle();
}

/** The changed rule options. */
export function rules({ game, values }) {
  return Object.fromEntries(Object.entries(values).filter(([name]) => game.rules.has(name)));
}

/** Writes what depends on the game and on the language. */
export function showTexts(app) {
  const { game, ids } = app;
  document.title = `${gameTitle(game.id)} – leap`;
  showChoices(ids, game.id);
  showPlayers(app);
  showSettings(app);
}

function showPlayers({ game, players }) {
  for (const side of ["p1", "p2"]) {
    byId(`${side}-player`).value = players[side];
    byId(`${side}-label`).textContent = sideName(game.board, side);
  }
}

function showSettings(app) {
  showOptions(app.options, app.game, app.ids, app.values, (option, value) => app.guarded(() => change(app, option, value)));
}

async function change(app, { name, type }, value) {
  app.overtake();
  await app.engine.stop();
  const refusal = await set(app, name, value);
  showSettings(app);
  await app.game.look();
  // A string option affects the start position: it takes effect at the next start (SPEC 8.10).
  if (!refusal && (type === "string" || app.game.ply === 0)) await begin(app);
  else await app.settle();
  if (refusal) throw refusal;
}
