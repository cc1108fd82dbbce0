// Opening whatever a person gives to the page: a file, or a text that is pasted or dropped.

import { openStored, setUp } from "../game/setup.js";
import { readProblems } from "../practice/problems.js";
import { openProblems } from "../practice/puzzles.js";
import { t } from "../ui/i18n.js";
import { browse } from "./explorer.js";
import { inFile, isSmall, quote, readGames } from "./files.js";
import { chooseGame } from "./library.js";
import { readText } from "./pasted.js";

/**
 * Opens a file. Meanwhile the game on the board goes on.
 * @param {App} app
 * @param {File} file
 */
export const openFile = (app, file) => tryToOpen(app, file, file.name ? quote(file.name) : t("files.theFile"));

/**
 * Opens a text.
 * @param {App} app
 * @param {string} text
 */
export const openText = (app, text) => tryToOpen(app, new Blob([text]), t("files.thePasted"));

/**
 * @param {App} app
 * @param {Blob} blob
 * @param {string} name
 */
async function tryToOpen(app, blob, name) {
  try {
    await open(app, blob, name);
  } catch (error) {
    await app.guarded(() => {
      throw error;
    });
  }
}

/**
 * Opens a text that the page can read itself. Otherwise opens the only game in a file, or the chosen one.
 * @param {App} app
 * @param {Blob} blob
 * @param {string} name
 */
async function open(app, blob, name) {
  const text = isSmall(blob) ? await blob.text() : "";
  const problems = readProblems(text);
  if (problems) return app.guarded(() => openProblems(app, problems));
  const told = readText(text);
  if (told) return app.guarded(() => openTold(app, told, name));
  const games = await readGames(blob).catch((error) => {
    throw new Error(inFile(name, error.message));
  });
  if (games.length === 1) await app.guarded(() => openStored(app, games[0], name));
  else await choose(app, games, name);
}

/**
 * Opens one of several games, or all of them to browse.
 * @param {App} app
 * @param {FoundGame[]} games
 * @param {string} name
 */
async function choose(app, games, name) {
  const { found, isForAll } = await chooseGame(app, games);
  if (found) await app.guarded(() => (isForAll ? browse(app, games, found, name) : openStored(app, found, name)));
}

/**
 * Lets a person choose another of the browsed games. The page waits for no answer.
 * @param {App} app
 */
export function chooseBrowsed(app) {
  if (app.browsed) choose(app, app.browsed.games, app.browsed.name);
}

/**
 * The told moves or position belong to the game on the board if they fit it, otherwise to another game.
 * @param {App} app
 * @param {FoundGame} told
 * @param {string} name
 */
function openTold(app, told, name) {
  const { game, ids } = app;
  if (told.id !== undefined) return openStored(app, told, name);
  const found = { ...told, ids: [game.id, ...ids.filter((id) => id !== game.id)] };
  return found.moves.length > 0 || found.start === null ? openStored(app, found, name) : setUp(app, found, name);
}
