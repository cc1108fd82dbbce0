// The engine at home: a server of `leap web --listen` lends its engine to an exported page (docs/web-server.md).
// A link has the address of the server and a secret. The export names the servers that the page may reach (homes.js).

import { isOnlyHere } from "../files/copied.js";
import { byId } from "../ui/dom.js";
import { named, t } from "../ui/i18n.js";
import { isObject, load, remove, store } from "../ui/storage.js";
import { homes } from "./homes.js";
import { BUSY, CUT, Lines, Unopened } from "./session.js";

const KEY = "leap-home";
/**
 * The places of the secret: this tab alone, or this browser.
 * @type {("sessionStorage" | "localStorage")[]}
 */
const PLACES = ["sessionStorage", "localStorage"];
/** Where browsers forbid a connection there is no code of the server. */
const BLOCKED = 0;
/**
 * What keeps a page from an engine, by the code with which the server closes.
 * @type {Record<number, string>}
 */
const NAMES = { [BLOCKED]: "mixed", [BUSY]: "busy", 4002: "secret" };

/** @typedef {{ at: string, secret: string }} Home a server and its secret */

/**
 * Tells why the engine at home was not used last time. Null if it was used, or if there is none.
 * @type {(() => string) | null}
 */
let trouble = null;

/**
 * Whether a value is a server that this page may reach, with a secret.
 * @param {unknown} value
 * @returns {value is Home}
 */
const isHome = (value) => isObject(value) && homes.includes(String(value.at)) && /^[0-9a-f]{32}$/.test(String(value.secret));

/**
 * The server and the secret in the link that `leap web --engine-for` shows; null if the text is no such link.
 * @param {string} link
 */
export function homeIn(link) {
  const [, hash] = link.trim().match(/#(.*)$/) ?? [];
  const parts = new URLSearchParams(hash);
  const [secret, at] = [parts.get("engine"), parts.get("at")];
  return secret && at ? { at, secret } : null;
}

/** The engine at home that this page uses; null if there is none. */
export const home = () => PLACES.map((place) => load(KEY, place)).find(isHome) ?? null;

/** Forgets the engine at home. */
export function leaveHome() {
  for (const place of PLACES) remove(KEY, place);
}

/**
 * Takes over an engine at home for this tab, or for later visits too. Throws if the page may not reach it.
 * @param {Home | null} found
 * @param {boolean} isKept
 */
function take(found, isKept) {
  if (!found) throw new Error(t("home.noLink"));
  const { at } = found;
  if (!isHome(found)) throw new Error(t(homes.includes(at) ? "home.secret" : "home.elsewhere", { at }));
  leaveHome();
  store(KEY, found, isKept ? "localStorage" : "sessionStorage");
}

/**
 * Connects with the engine at home; resolves to null if there is none, or if it cannot be used now.
 * @param {ConnectOptions} options
 */
export async function connectHome(options) {
  const found = home();
  trouble = null;
  if (!found) return null;
  try {
    if (isBlocked(found)) throw new Unopened(BLOCKED);
    return await Lines.open({ ...options, address: found.at.replace(/^http/, "ws"), secret: found.secret });
  } catch (error) {
    if (options.signal.aborted) throw error;
    const why = await whyNot(found, error instanceof Unopened ? error : new Unopened(CUT));
    trouble = () => `${why()} ${t("home.instead")}`;
    return null;
  }
}

/**
 * Whether browsers forbid an encrypted page to reach this server.
 * @param {Home} home
 */
const isBlocked = ({ at }) => location.protocol === "https:" && at.startsWith("http:") && !isOnlyHere(new URL(at));

/**
 * Finds out what a person can do about a server that was not reached; returns what tells it.
 * @param {Home} home
 * @param {Unopened} error
 */
async function whyNot({ at }, { code, message }) {
  if (code !== CUT) return () => named("home", NAMES[code], { at }) ?? message;
  // A browser does not tell why. If the server answers at all, it has refused this page.
  const answers = await fetch(`${at}engine`, { method: "POST", mode: "no-cors" }).then(
    () => true,
    () => false,
  );
  const page = location.origin + location.pathname;
  return () => (answers ? t("home.refused", { at, page }) : t("home.unreachable", { at }));
}

/**
 * Shows whether the engine at home is used.
 * @param {App} app
 */
export function showHome(app) {
  const found = home();
  byId("home").hidden = homes.length === 0;
  byId("leave-home").hidden = !found;
  const why = trouble?.() ?? null;
  byId("home-state").textContent = why ?? (found ? t("home.used", found) : "");
  byId("home-state").classList.toggle("bad", why !== null);
  if (why) app.say(why, true);
}

/** Takes the engine of the page's address; returns whether it names one. The secret does not stay in the address. */
export function openHome() {
  const found = homeIn(location.hash);
  if (!found) return false;
  history.replaceState(null, "", location.pathname + location.search);
  take(found, false);
  return true;
}

/** Takes the engine of the link that the person has entered. */
export function takeHome() {
  take(homeIn(byId("home-link").value), byId("home-kept").checked);
  byId("home-link").value = "";
}
