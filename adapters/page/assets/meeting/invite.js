// The dialog to invite somebody to a game, with links and their QR codes.

import { copyText } from "../files/copied.js";
import { CONTROLS, readControl } from "../game/clock.js";
import { byId, html } from "../ui/dom.js";
import { messageOf, t } from "../ui/i18n.js";
import { SIDES, sideName } from "../ui/panels.js";
import { isObject, load, store } from "../ui/storage.js";
import { showDialog } from "../ui/trail.js";
import { Party } from "./client.js";
import { door } from "./guests.js";
import { Meeting } from "./meeting.js";
import { hashOf, secrets } from "./secrets.js";

/** @import { Invitation, Invite, Link } from "./meeting.js" */

/** The links of the last invitation of this tab, with the host's own secret. */
const KEY = "leap-invited";
/** @type {"sessionStorage"} */
const TAB = "sessionStorage";

/** Whether the person at this page is a guest, who invites nobody. */
export const isGuest = () => door === "guests" && secrets().host === null;

/**
 * The message that asks for an invitation to the game on the board.
 * @param {Pick<Game, "id" | "options" | "start" | "fen">} game
 * @param {{ control: string, side: string, fromHere: boolean, search: boolean }} wish
 * @returns {Invite}
 */
export function wishOf({ id, options, start, fen }, { control, side, fromHere, search }) {
  const clock = readControl(control);
  return { do: "invite", game: id, options, start: fromHere ? fen : start, clock, side, search };
}

/**
 * Asks the server for an invitation, on a connection of its own.
 * @param {Invite} wish
 * @returns {Promise<Invitation>}
 */
async function invite(wish) {
  const { host } = secrets();
  /** @type {PromiseWithResolvers<void>} */
  const { promise: isOpen, resolve: opened, reject } = Promise.withResolvers();
  setTimeout(() => reject(new Error(t("lost.silent"))), 10_000);
  const meeting = new Meeting([{ do: "host", ...(host && { secret: host }) }], { onLink: (isConnected) => isConnected && opened() });
  try {
    await isOpen;
    const answer = await meeting.ask(wish);
    if (answer.say !== "invited") throw new Error(t("lost.silent"));
    return answer;
  } finally {
    meeting.close();
  }
}

/**
 * Opens the dialog: with the links of the game in play, or to make an invitation. A page that lets no guests in says what does.
 * @param {App} app
 */
export function openInvite(app) {
  const { game } = app;
  const made = app.party ? lastMade() : null;
  const isMade = made !== null;
  byId("invite-how").hidden = door !== "none";
  byId("invite-wish").hidden = isMade || door === "none";
  byId("invite-made").hidden = !isMade;
  if (made) showLinks(made);
  byId("invite-what").textContent = game.titleOf(game.id);
  const sides = [...SIDES.map((side) => [side, sideName(game.board, side)]), ["any", t("invite.anySide")]];
  byId("invite-side").replaceChildren(...sides.map(([value, text]) => html("option", { value }, text)));
  const controls = [["", t("clock.none")], ...CONTROLS.map((control) => [control, control])];
  const selected = CONTROLS.includes(app.conduct.control) ? app.conduct.control : "10+5";
  const options = controls.map(([value, text]) => html("option", { value, selected: value === selected }, text));
  byId("invite-control").replaceChildren(...options);
  byId("invite-here").checked = false;
  byId("invite-here").disabled = game.ply === 0 || game.isOver;
  showDialog(byId("invite"));
}

/**
 * The last invitation of this tab; null if the page is not in its game.
 * @returns {Invitation | null}
 */
function lastMade() {
  const made = load(KEY, TAB);
  return isInvitation(made) && made.own === secrets().join ? made : null;
}

/**
 * @param {unknown} value
 * @returns {value is Invitation}
 */
const isInvitation = (value) => isObject(value) && value.say === "invited" && isObject(value.guest) && isObject(value.spectators);

/** @param {Invitation} invitation */
function showLinks({ guest, spectators }) {
  showLink("guest", guest);
  showLink("spectators", spectators);
}

/**
 * @param {"guest" | "spectators"} id
 * @param {Link} link
 */
function showLink(id, { link, code }) {
  byId(`invite-${id}`).value = link;
  const picture = byId(`invite-${id}-code`);
  picture.hidden = !code;
  picture.src = `data:image/svg+xml,${encodeURIComponent(code)}`;
}

/**
 * Makes the invitation that the dialog describes, and enters the game.
 * @param {App} app
 */
export async function makeInvitation(app) {
  const chosen = byId("invite-side").value;
  const wish = wishOf(app.game, {
    control: byId("invite-control").value,
    side: chosen === "any" ? SIDES[Math.floor(2 * Math.random())] : chosen,
    fromHere: byId("invite-here").checked,
    search: byId("invite-search").checked,
  });
  byId("invite-refusal").textContent = "";
  /** @type {Invitation} */
  let made;
  try {
    made = await invite(wish);
  } catch (error) {
    byId("invite-refusal").textContent = messageOf(error);
    return;
  }
  store(KEY, made, TAB);
  showLinks(made);
  byId("invite-wish").hidden = true;
  byId("invite-made").hidden = false;
  history.replaceState(null, "", location.pathname + location.search + hashOf({ ...secrets(), join: made.own }));
  join(app);
}

/**
 * Enters the game that the address names, if it names one.
 * @param {App} app
 */
export function join(app) {
  const { join: secret } = secrets();
  app.party?.close();
  app.party = secret && door !== "none" ? new Party(app, secret) : null;
}

/**
 * Copies a link of the dialog.
 * @param {App} app
 * @param {"invite-guest" | "invite-spectators"} id
 */
export const copyInvitation = (app, id) => copyText(app, byId(id).value, t("files.linkCopied"));

/** Leaves the game by invitation, and goes back to the games of this page. */
export function leaveParty() {
  location.replace(location.pathname + location.search + hashOf({ ...secrets(), join: null }));
  location.reload();
}
