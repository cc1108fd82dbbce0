// Setting up games: a new one, a stored one, one from a file; and the options of the rules and the engine.

import { Lost, Refused } from "../engine/engine.js";
import { showHome } from "../engine/home.js";
import { readAddress, readPlace } from "../files/address.js";
import { placed, quote } from "../files/files.js";
import { showRecent } from "../files/library.js";
import { newKey, recall, setAside } from "../files/recent.js";
import { verdictOf } from "../files/records.js";
import { paintSides } from "../review/graph.js";
import { welcome } from "../practice/teaching.js";
import { byId } from "../ui/dom.js";
import { t } from "../ui/i18n.js";
import { SIDES, sideName } from "../ui/panels.js";
import { label, showChoices, showOptions } from "../ui/settings.js";
import { setStarted } from "../ui/welcome.js";
import { takeKept } from "./kept.js";
import { look, take } from "./locks.js";
import { offerUnfinished, unfinishedGame } from "./unfinished.js";

/** @import { KeptState } from "./kept.js" */

/**
 * The first of several foreign texts for a message.
 * @param {string[]} texts
 */
const listed = (texts) => [...texts.slice(0, 3).map(quote), ...(texts.length > 3 ? [t("files.more", { n: texts.length - 3 })] : [])].join(", ");
/** @param {OptionPair} option */
const optionText = (option) => option.join(" ");
/** @type {Players} */
const PEOPLE = { p1: "human", p2: "human" };

/**
 * A game to set up with its players. The id is null for the default of the engine. Several `ids` may be meant.
 * @typedef {Omit<Partial<KeptGame>, "id"> & { id?: string | null, ids?: string[] }} WantedGame
 */

/**
 * Starts an engine and continues from the stored state. If nothing can be stored, continues from `state`.
 * @param {App} app
 * @param {ReturnType<App["remember"]>} state
 * @returns {Promise<void>}
 */
export async function reconnect(app, state = null) {
  await app.connect();
  if (app.party) {
    app.party.resume();
    return app.party.show();
  }
  await look();
  /** @type {KeptState} */
  const kept = takeKept() ?? { ...state, values: Object.entries(state?.values ?? {}), left: [] };
  const isNewTab = kept.id === undefined && kept.left.length === 0;
  const unfinished = isNewTab ? unfinishedGame(app.ids) : null;
  // The engine waits until the person has answered the offer.
  await restore(app, unfinished && kept.players?.p1 === "engine" ? { ...kept, isPaused: true } : kept);
  offerUnfinished(app, unfinished);
  showHome(app);
}

/**
 * Restores the stored state. Parts that are invalid, or that the engine refuses, are dropped.
 * @param {App} app
 * @param {KeptState} kept
 */
async function restore(app, { values, left, own = null, isAnalysing = false, isFollowing = false, ...kept }) {
  app.values = {};
  byId("analyse").checked = isAnalysing;
  byId("follow").checked = app.ladder.isOn = isFollowing;
  const taken = await Promise.all(values.map(([name, value]) => isTaken(app, name, value)));
  left.push(...values.filter((_, at) => !taken[at]).map(optionText));
  // The game that engines are lost with is not begun again by its address.
  if (left.includes("everything")) history.replaceState(null, "", location.pathname + location.search);
  const named = readPlace(location.hash)?.id;
  const id = app.ids.find((each) => each === kept.id) ?? app.ids.find((each) => each === named) ?? app.ids[0];
  const whole = { ...kept, id: kept.id ?? id };
  try {
    await open(app, whole);
  } catch (error) {
    if (error instanceof Lost) throw error;
    left.push("game");
    const { players, levels, control, isFlipped } = kept;
    await open(app, { id, players, levels, control, isFlipped });
  }
  app.own = own;
  app.remember();
  if (left.length) app.say(t("files.leftOutOfKept", { parts: listed(left) }), true);
}

/**
 * Sets an option of a new engine; returns whether the engine knows and accepts it.
 * @param {App} app
 * @param {string} name
 * @param {string} value
 */
async function isTaken(app, name, value) {
  if (!app.options.some((option) => option.name === name)) return false;
  return (await set(app, name, value)) === null;
}

/**
 * Sets an option; returns why the engine refuses it, or null.
 * @param {App} app
 * @param {string} name
 * @param {string} value
 */
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

/**
 * Sets up a game, completely or not at all: new, stored, or from a file. Players, their levels and the time control
 * stay if the game does not tell them. The game may belong to one of several kinds, `ids`: the first that takes it.
 * Returns the rules that it has brought, and its options that are not rules.
 * @param {App} app
 * @param {WantedGame} wanted
 */
export async function open(app, wanted) {
  const { conduct, game, view } = app;
  // A new process has its default game (SPEC 1.6).
  app.exercise?.close();
  const { id = "-" } = wanted;
  const ids = wanted.ids ?? [id ?? app.ids[0]];
  const unknown = ids.find((each) => !app.ids.includes(each));
  if (unknown !== undefined) throw new Error(t("files.noSuchGame", { found: quote(unknown) }));
  app.searches.overtake();
  conduct.hold();
  const brought = await openFirst(game, wanted, ids).catch(async (error) => {
    // The current game continues.
    if (game.id !== null && !(error instanceof Lost)) await app.settle();
    throw error;
  });
  if (wanted.players) app.players = { ...wanted.players };
  if (wanted.isFlipped !== undefined) view.isFlipped = wanted.isFlipped;
  view.build(game.board);
  paintSides(document.documentElement, game.board);
  app.reviewer.set(wanted.review ?? null);
  conduct.set(wanted);
  await conduct.meet();
  await enter(app, wanted);
  return brought;
}

/**
 * Sets up a game as the first possible kind that takes it. On failure the kind that took the most moves gives the error.
 * @param {Game} game
 * @param {WantedGame} wanted
 * @param {string[]} ids
 */
async function openFirst(game, wanted, ids) {
  /** @type {(Refused & { id: string }) | null} */
  let refusal = null;
  for (const id of ids) {
    try {
      return await game.open({ ...wanted, id });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (!refusal || (error.index ?? 0) > (refusal.index ?? 0)) refusal = Object.assign(error, { id });
    }
  }
  throw refusal;
}

/**
 * Goes over to the game that was set up; the previous game can be brought back. A game that another tab has
 * continues as a copy.
 * @param {App} app
 * @param {Pick<KeptGame, "key" | "isPaused" | "isCounting">} game
 */
async function enter(app, { key = newKey(), isPaused = false, isCounting }) {
  const left = recall(app.key);
  const own = (await take(key)) ? key : newKey();
  if (left && own !== app.key) {
    app.left = app.key;
    setAside(app.key);
  }
  if (own !== app.key) app.offered = null;
  Object.assign(app, { key: own, isPaused: isPaused || !app.game.isAtEnd });
  app.ladder.begin(app.game, isCounting);
  showTexts(app);
  app.clear();
  app.say("");
  await app.settle();
}

/**
 * Returns the players and the time control that a game from a file has set aside, for the next game.
 * @param {App} app
 */
function takeBack(app) {
  const { own } = app;
  app.own = null;
  return own ?? {};
}

/**
 * Sets up a game that was read. An error tells its place in the file or text of this name.
 * @param {App} app
 * @param {FoundGame & WantedGame} found
 * @param {string} name
 */
async function openNamed(app, found, name) {
  try {
    return await open(app, found);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Lost) throw error;
    const { id = app.game.id } = /** @type {{ id?: string }} */ (error);
    const isGuess = found.ids && id !== app.game.id;
    throw placed(error, found, isGuess ? t("files.asGame", { name, game: app.game.titleOf(id) }) : name);
  }
}

/**
 * Sets up a game from a file, for people to look at. Messages call the file by `name`.
 * @param {App} app
 * @param {FoundGame} found
 * @param {string} name
 */
export async function openStored(app, found, name) {
  const { record } = found;
  app.exercise?.close();
  const own = app.own ?? { players: { ...app.players }, control: app.conduct.control };
  const { changed, ignored } = await openNamed(
    app,
    {
      ...found,
      players: PEOPLE,
      control: "",
      verdict: record && verdictOf(record),
      plies: record?.plies,
      source: record && { tags: record.tags, result: record.result },
    },
    name,
  );
  app.own = own;
  app.remember();
  const { guide } = app.game;
  /** @param {[string, string]} option */
  const rule = ([name, value]) => `${label({ name }, guide)}: ${guide.value(name, value)}`;
  const rules = changed.length ? [t("files.itsRules", { rules: changed.map(rule).join(", ") })] : [];
  const rest = ignored.length ? [t("files.leftOut", { options: listed(ignored) })] : [];
  app.say([t("files.loaded", { n: found.moves.length }), ...rules, ...rest].join(" "), ignored.length > 0);
}

/**
 * Opens the game of the page's address, if there is one. A game at its start is a new one, for the current players.
 * The page then keeps the game, so the address becomes a short one.
 * @param {App} app
 */
export async function openAddress(app) {
  if (!app.game?.board || app.party) return;
  const place = readPlace(location.hash);
  if (place) return goTo(app, place);
  const found = readAddress(location.hash);
  if (!found) return;
  history.replaceState(null, "", location.pathname + location.search);
  const isNew = found.start === null && found.moves.length === 0 && found.options.length === 0;
  if (isNew && app.ids.includes(found.id)) await openNew(app, found.id);
  else await openStored(app, found, t("files.theLink"));
}

/**
 * Goes to a ply of the game on the board, or starts another game.
 * @param {App} app
 * @param {{ id: string, ply: number }} place
 */
async function goTo(app, { id, ply }) {
  if (app.exercise || !app.ids.includes(id)) return;
  if (id !== app.game.id) await openNew(app, id);
  else if (ply !== app.game.ply && ply <= app.game.moves.length) await app.goTo(ply);
}

/**
 * Sets up a position that was read, for the current players.
 * @param {App} app
 * @param {FoundGame} found
 * @param {string} name
 */
export async function setUp(app, found, name) {
  await openNamed(app, { ...found, ...takeBack(app) }, name);
  app.say(t("files.isSetUp"));
}

/**
 * Sets up one of the recent games again, by its own rules and with its players.
 * @param {App} app
 * @param {string} key
 */
export async function openRecent(app, key) {
  const found = recall(key);
  if (!found) return;
  await open(app, { ...found, isPaused: Boolean(found.control) });
  app.own = null;
  app.say(t(app.key === key ? "recent.opened" : "recent.copied"));
}

/**
 * Goes back or forward to a game and a ply of it, in the history of the browser.
 * @param {App} app
 * @param {{ key: string, ply: number }} place
 */
export async function goBackTo(app, { key, ply }) {
  if (!app.game?.board || app.party || app.exercise) return;
  const found = key === app.key ? null : recall(key);
  if (found) await open(app, { ...found, isPaused: Boolean(found.control) });
  if (app.key === key && ply !== app.game.ply) await app.goTo(ply);
}

/**
 * Goes back to the game before the last start of another game.
 * @param {App} app
 */
export const bringBack = (app) => (app.left ? openRecent(app, app.left) : null);

/**
 * Starts a new game, of this or another kind, by a person's own rules.
 * @param {App} app
 * @param {string} id
 */
export const openNew = async (app, id) => open(app, { id, ...takeBack(app) });

/**
 * Restarts the game, or starts from a position text.
 * @param {App} app
 * @param {string | null} fen
 */
export async function begin(app, fen = null) {
  const { conduct, game } = app;
  const hadMoves = game.moves.length > 0;
  if (game.hasOwnRules || app.own) await open(app, { id: game.id, start: fen, ...takeBack(app) });
  else {
    await game.begin(fen);
    app.reviewer.set(null);
    conduct.set();
    await enter(app, {});
  }
  if (fen !== null) app.say(t("files.isSetUp"));
  else if (hadMoves) app.say(t("recent.kept"));
}

/**
 * The same game again, with sides exchanged.
 * @param {App} app
 */
export async function rematch(app) {
  const { conduct, game } = app;
  const players = { p1: app.players.p2, p2: app.players.p1 };
  const levels = { p1: conduct.levels.p2, p2: conduct.levels.p1 };
  const isFlipped = players.p1 === players.p2 ? app.view.isFlipped : players.p2 === "human";
  const { own } = app;
  await open(app, { id: game.id, start: game.start, options: game.hasOwnRules ? game.options : null, players, levels, isFlipped });
  app.own = own;
}

/**
 * Writes what depends on the game and on the language.
 * @param {App} app
 */
export function showTexts(app) {
  const { game, ids } = app;
  document.title = `${game.titleOf(game.id)} – leap`;
  byId("menu").textContent = game.titleOf(game.id);
  showChoices(ids, game);
  welcome(app);
  setStarted();
  showPlayers(app);
  app.conduct.showChoices();
  showSettings(app);
  showRecent(app);
}

/** @param {App} app */
function showPlayers({ game, players }) {
  for (const side of SIDES) {
    byId(`${side}-player`).value = players[side];
    byId(`${side}-label`).textContent = sideName(game.board, side);
  }
}

/** @param {App} app */
function showSettings(app) {
  showOptions(app.options, app.game, app.ids, app.values, (option, value) => app.guarded(() => change(app, option, value)));
}

/**
 * @param {App} app
 * @param {EngineOption} option
 * @param {string} value
 */
async function change(app, { name, type }, value) {
  const { game } = app;
  app.searches.overtake();
  await app.engine.stop();
  // A string option affects the start position of the next game (SPEC 8.10).
  const isForNext = type === "string" && game.rules.has(name) && game.moves.length > 0;
  if (isForNext) await game.pinStart();
  const refusal = await set(app, name, value);
  await game.change(name);
  showSettings(app);
  if (!refusal && game.moves.length === 0) await begin(app);
  else await app.settle();
  if (refusal) throw refusal;
  if (isForNext) app.say(t("options.nextGame"));
}
