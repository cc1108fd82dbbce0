// The engine at home: its link, where its secret is kept, and what is said if it cannot be used.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { connectHome, home, homeIn, leaveHome, openHome, showHome, takeHome } from "../assets/engine/home.js";
import { homes } from "../assets/engine/homes.js";
import { install, speak, t } from "../assets/ui/i18n.js";
import { LANGUAGES } from "./languages.js";
import { Socket, sockets } from "./sockets.js";
import { storage } from "./storage.js";

const SECRET = "0123456789abcdef0123456789abcdef";
const PLAIN = "http://192.0.2.1:8472/";
const ENCRYPTED = "https://home.example/leap/";
const linkTo = (at, secret = SECRET) => `https://me.example/leap/#engine=${secret}&at=${at}`;

let fields;
let answers; // whether the server answers a question that is no WebSocket

beforeEach(() => {
  install(LANGUAGES);
  speak("en");
  homes.splice(0, 9, PLAIN, ENCRYPTED);
  fields = {};
  sockets.length = 0;
  answers = true;
  const field = () => ({ value: "", checked: false, hidden: false, textContent: "", classList: { toggle: () => {} } });
  const document = { getElementById: (id) => (fields[id] ??= field()) };
  const page = { protocol: "http:", origin: "http://me.example", pathname: "/leap/", search: "", hash: "" };
  const history = { replaceState: (_, __, address) => Object.assign(location, { hash: "", address }) };
  Object.assign(globalThis, { document, history, location: page, WebSocket: Socket });
  Object.assign(globalThis, { sessionStorage: storage(), localStorage: storage() });
  globalThis.fetch = async () => {
    if (!answers) throw new TypeError("network");
    return {};
  };
});

/** Enters a link in the form. */
function enter(link, isKept = false) {
  document.getElementById("home-link").value = link;
  document.getElementById("home-kept").checked = isKept;
  takeHome();
}

/** What is said when the server ends the connection like this. */
async function saidAt(code) {
  const connecting = connectHome({ signal: new AbortController().signal });
  sockets.at(-1)?.onclose({ code });
  assert.equal(await connecting, null);
  showHome({ say: () => {} });
  return fields["home-state"].textContent;
}

test("a link has an address and a secret", () => {
  assert.deepEqual(homeIn(` ${linkTo(PLAIN)}\n`), { at: PLAIN, secret: SECRET });
  const wrong = ["", "https://me.example/", `https://me.example/#engine=${SECRET}`, `#host=${SECRET}`];
  for (const link of wrong) assert.equal(homeIn(link), null);
});

test("a tab keeps the link unless the person wants the browser to keep it, and both forget it", () => {
  for (const isKept of [false, true]) {
    enter(linkTo(PLAIN), isKept);
    assert.deepEqual(home(), { at: PLAIN, secret: SECRET });
    assert.equal(fields["home-link"].value, "");
    assert.deepEqual([sessionStorage.length, localStorage.length], isKept ? [0, 1] : [1, 0]);
  }
  leaveHome();
  assert.deepEqual([home(), sessionStorage.length, localStorage.length], [null, 0, 0]);
});

test("a page uses the servers that its export names, and no others", async () => {
  for (const [link, key] of [
    [linkTo("https://evil.example/"), "home.elsewhere"],
    [linkTo(PLAIN, "0"), "home.secret"],
    ["http://192.0.2.1:8472/#host=0", "home.noLink"],
  ]) {
    assert.throws(() => enter(link), { message: t(key, { at: homeIn(link)?.at }) });
    assert.equal(home(), null);
  }
  // What another program has stored is used no more than what a person enters.
  for (const kept of ["null", "7", `{"at":"https://evil.example/","secret":"${SECRET}"}`, `{"at":"${PLAIN}"}`]) {
    localStorage.setItem("leap-home", kept);
    assert.equal(await connectHome({}), null);
  }
  assert.equal(sockets.length, 0);
});

test("a link opens the page with the engine, and its secret does not stay in the address", () => {
  location.hash = "#game=eximo";
  assert.equal(openHome(), false);
  location.hash = new URL(linkTo(ENCRYPTED)).hash;
  assert.equal(openHome(), true);
  assert.deepEqual([home().at, location.address], [ENCRYPTED, "/leap/"]);
  location.hash = "#engine=0&at=https://evil.example/";
  assert.throws(openHome, { message: t("home.elsewhere", { at: "https://evil.example/" }) });
  assert.deepEqual([home().at, location.hash], [ENCRYPTED, ""]);
});

test("an engine that is reached is used", async () => {
  enter(linkTo(ENCRYPTED));
  const connecting = connectHome({ signal: new AbortController().signal });
  const [socket] = sockets;
  const sent = [];
  socket.send = (line) => sent.push(line);
  socket.onopen();
  socket.onmessage({ data: "session 0 120" });
  assert.ok(await connecting);
  assert.deepEqual([socket.address, sent], ["wss://home.example/leap/engine", [`secret ${SECRET}`, "keep"]]);
  showHome({ say: () => {} });
  assert.equal(fields["home-state"].textContent, t("home.used", { at: ENCRYPTED }));
});

test("an engine that is not reached is told with what to do, and the page goes on with its own", async () => {
  enter(linkTo(PLAIN));
  for (const [code, key, doesAnswer] of [
    [4002, "home.secret", true],
    [1013, "home.busy", true],
    [1006, "home.refused", true],
    [1006, "home.unreachable", false],
  ]) {
    answers = doesAnswer;
    assert.equal(await saidAt(code), `${t(key, { at: PLAIN, page: "http://me.example/leap/" })} ${t("home.instead")}`);
    assert.deepEqual(home(), { at: PLAIN, secret: SECRET });
    speak("es");
    showHome({ say: () => {} });
    assert.match(fields["home-state"].textContent, / su propio motor\.$/);
    speak("en");
  }
});

test("a browser that would refuse is not asked", async () => {
  location.protocol = "https:";
  enter(linkTo(PLAIN));
  assert.equal(await saidAt(1006), `${t("home.mixed")} ${t("home.instead")}`);
  assert.equal(sockets.length, 0);
  // Browsers make an exception for the own machine.
  homes.push("http://127.0.0.1:8472/");
  enter(linkTo("http://127.0.0.1:8472/"));
  answers = false;
  assert.match(await saidAt(1006), /does not answer/);
  assert.equal(sockets.length, 1);
});

test("a page that leaves while it connects uses no engine", async () => {
  enter(linkTo(PLAIN));
  const leaving = new AbortController();
  const connecting = connectHome({ signal: leaving.signal });
  leaving.abort();
  await assert.rejects(connecting);
});
