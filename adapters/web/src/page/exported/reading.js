// Reading files in a page without a server (`leap web --export`): a worker of the page does it, with the reader of `leap web`.

import { t } from "./i18n.js";
import { readGames, Unread } from "./leapd/games.js";

/** See the other reading.js. */
export async function ask(file) {
  try {
    return { games: await readGames(new Uint8Array(await file.arrayBuffer())) };
  } catch (error) {
    if (error instanceof Unread) return error.refusal;
    throw new Error(t("files.noReader"));
  }
}
