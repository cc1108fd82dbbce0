// Opening whatever a person gives to the page: a file, or a text that is pasted or dropped.

import { HAS_SERVER } from "./connection.js";
import { inFile, isSmall, quote, readGames } from "./files.js";
import { t } from "./i18n.js";
import { chooseGame } from "./library.js";
import { readText } from "./pasted.js";
import { openStored, setUp } from "./setup.js";

/** Opens a file. Meanwhile the game on the board goes on. */
export const openFile = (app, file) => guarded(app, file, file.name ? quote(file.name) : t("files.theFile"));

/** Opens a text. */
export const openText = (app, text) => guarded(app, new Blob([text]), t("files.thePasted"));

async function guarded(app, blob, name) {
  try {
    await openBlob(app, blob, name);
  } catch (error) {
    await app.guarded(() => {
      throw error;
    });
  }
}

async function openBlob(app, blob, name) {
  const told = isSmall(blob) ? readText(await blob.text()) : null;
  if (told) return app.guarded(() => openTold(app, told, name));
  const games = await read(blob).catch((error) => {
    throw new Error(inFile(name, error.message));
  });
  const found = games.length === 1 ? games[0] : await chooseGame(app, games);
  if (found) await app.guarded(() => openStored(app, found, name));
}

async function read(blob) {
  if (!HAS_SERVER) throw new Error(t("files.needsServer"));
  return readGames(blob);
}

/** What a text tells belongs to the game on the board if it can, else to another. */
async function openTold(app, told, name) {
  const { game, ids } = app;
  if (told.id !== undefined) return openStored(app, told, name);
  const order = [game.id, ...ids.filter((id) => id !== game.id)];
  if (told.moves.length === 0 && told.start !== null) return setUp(app, told.start, order);
  return openStored(app, { ...told, ids: order }, name);
}
