// The dialog to invite somebody to a game, with links and their QR codes.

import { copyText } from "../files/copied.js";
import { CONTROLS, readControl } from "../game/clock.js";
import { byId, html } from "../ui/dom.js";
import { messageOf, t } from "../ui/i18n.js";
import { sideName } from "../ui/panels.js";
import { load, store } from "../ui/storage.js";
import { showDialog } from "../ui/trail.js";
import { Party } from "./client.js";
import { door } from "./guests.js";
import { Meeting } from "./meeting.js";
import { hashOf, secrets } from "./secrets.js";

/** The links of the last invitation of this tab, with the host's own secret. */
const KEY = "leap-invited";
const TAB = "sessionStorage";

/** Whether the person at this page is a guest, who invites nobody. */
export const isGuest = () => door === "guests" && secrets().host === null;

/** The message that asks for an invitation to the game on the board. */
export function wishOf({ id, options, start, fen }, { control, side, fromHere, search }) {
  const clock = readControl(control);
  return { do: "invite", game: id, options, start: fromHere ? fen : start, clock, side, search };
}

/** Asks the server for an invitation, on a connection of its own. */
async function invite(wish) {
  const { host } = secrets();
  let opened;
  const isOpen = new Promise((resolve, reject) => {
    opened = resolve;
    setTimeout(() => reject(new Error(t("lost.silent"))), 10_000);
  });
  const meeting = new Meeting([{ do: "host", ...(host && { secret: host }) }], { onLink: (isConnected) => isConnected && opened() });
  try {
    await isOpen;
    return await meeting.ask(wish);
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
  const made = load(KEY, TAB);
  const isMade = Boolean(app.party) && made && made.own === secrets().join;
  byId("invite-how").hidden = door !== "none";
  byId("invite-wish").hidden = isMade || door === "none";
  byId("invite-made").hidden = !isMade;
  if (isMade) showLinks(made);
  byId("invite-what").textContent = game.titleOf(game.id);
  const sides = [...["p1", "p2"].map((side) => [side, sideName(game.board, side)]), ["any", t("invite.anySide")]];
  byId("invite-side").replaceChildren(...sides.map(([value, text]) => html("option", { value }, text)));
  const controls = [["", t("clock.none")], ...CONTROLS.map((control) => [control, control])];
  const selected = CONTROLS.includes(app.conduct.control) ? app.conduct.control : "10+5";
  const options = controls.map(([value, text]) => html("option", { value, selected: value === selected }, text));
  byId("invite-control").replaceChildren(...options);
  byId("invite-here").checked = false;
  byId("invite-here").disabled = game.ply === 0 || game.isOver;
  showDialog(byId("invite"));
}

function showLinks({ guest, spectators }) {
  for (const [id, { link, code }] of [
    ["guest", guest],
    ["spectators", spectators],
  ]) {
    byId(`invite-${id}`).value = link;
    const picture = byId(`invite-${id}-code`);
    picture.hidden = !code;
    picture.src = `data:image/svg+xml,${encodeURIComponent(code)}`;
  }
}

/**
 * Makes the invitation that the dialog describes, and enters the game.
 * @param {App} app
 */
export async function makeInvitation(app) {
  const chosen = byId("invite-side").value;
  const wish = wishOf(app.game, {
    control: byId("invite-control").value,
    side: chosen === "any" ? ["p1", "p2"][Math.floor(2 * Math.random())] : chosen,
    fromHere: byId("invite-here").checked,
    search: byId("invite-search").checked,
  });
  byId("invite-refusal").textContent = "";
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
 */
export const copyInvitation = (app, id) => copyText(app, byId(id).value, t("files.linkCopied"));

/** Leaves the game by invitation, and goes back to the games of this page. */
export function leaveParty() {
  location.replace(location.pathname + location.search + hashOf({ ...secrets(), join: null }));
  location.reload();
}
