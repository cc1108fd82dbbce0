// What a person copies to send: a link, the record, the position text.

import { t } from "../ui/i18n.js";
import { addressOf } from "./address.js";

/**
 * Whether the address of this page works on this machine alone.
 * @param {{ protocol: string, hostname: string }} address
 */
export const isOnlyHere = ({ protocol, hostname }) =>
  protocol === "file:" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname) || /^(.+\.)?localhost$/.test(hostname);

/**
 * Copies a text; returns whether the browser allowed it.
 * @param {string} text
 */
async function copy(text) {
  // On an insecure host the browser has no clipboard.
  if (!navigator.clipboard) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

/**
 * Copies the address of the game at this position. If the browser does not allow it, the message shows the address.
 * @param {App} app
 */
export async function copyLink(app) {
  const { id, start, moves, ply, options } = app.game;
  const address = addressOf({ id, start, moves, ply, options });
  const said = (await copy(address)) ? t("files.linkCopied") : address;
  const instead = { game: t("files.copyRecord"), position: t("files.copyPosition") };
  app.say(isOnlyHere(location) ? `${said} ${t("files.linkIsLocal", instead)}` : said);
}

/**
 * Copies a record or a position text.
 * @param {App} app
 * @param {string} text
 * @param {string} done
 */
export async function copyText(app, text, done) {
  if (!(await copy(text))) throw new Error(t("files.notCopied"));
  app.say(done);
}
