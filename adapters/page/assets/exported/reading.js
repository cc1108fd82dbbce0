// Reading files in a page without a server (`leap web --export`): a worker of the page does it, with the reader of `leap web`.

import { readGames, Unread } from "../leapd/games.js";
import { t } from "../ui/i18n.js";

/**
 * See the other reading.js.
 * @param {Blob} file
 */
export async function ask(file) {
  try {
    return { games: await readGames(new Uint8Array(await file.arrayBuffer())) };
  } catch (error) {
    if (error instanceof Unread) return error.refusal;
    throw new Error(t("files.noReader"));
  }
}
