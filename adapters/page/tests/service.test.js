// The service worker of an exported page, with a fake browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createContext, runInContext } from "node:vm";

const SCRIPT = readFileSync(new URL("../assets/exported/service.js", import.meta.url), "utf8");
const HOST = "https://host.example";

/** The caches of a host, as a page in a folder of it has them: names with answers by address. */
class Caches {
  constructor(names, absolute) {
    this.names = names;
    this.absolute = absolute;
  }

  async open(name) {
    if (!this.names.has(name)) this.names.set(name, new Map());
    const files = this.names.get(name);
    const put = async (file, answer) => files.set(this.absolute(file), answer);
    return { put, addAll: (requests) => Promise.all(requests.map(({ url }) => put(url, new Response(url)))) };
  }

  keys = async () => [...this.names.keys()];
  delete = async (name) => this.names.delete(name);
  match = async (request, { cacheName }) =>
    this.names
      .get(cacheName)
      ?.get(request.url ?? String(request))
      ?.clone();
}

/** A service worker of a folder; `served` is the page that the server has, `pages` are addresses of open ones. */
function worker({ folder, version, caches, served = version, pages = [], registration = {} }) {
  const listeners = {};
  const absolute = (file) => new URL(file, HOST + folder).href;
  const context = {
    URL,
    WebAssembly,
    location: { href: absolute("service.js") },
    caches: new Caches(caches, absolute),
    clients: { matchAll: async () => pages.map((url) => ({ url })), claim: async () => {} },
    registration: { installing: null, waiting: null, ...registration },
    Request: class {
      constructor(file) {
        this.url = absolute(file);
      }
    },
    fetch: async ({ url }) => new Response(`${url} of version ${served}`),
    addEventListener: (name, listener) => {
      listeners[name] = listener;
    },
    skipWaiting: () => {
      context.hasSkipped = true;
    },
  };
  const head = `const VERSION = "${version}"; const FILES = ["${version}/app.js", "${version}/leapd/leapd.wasm"];\n`;
  runInContext(head + SCRIPT, createContext(context));
  const waits = [];
  const event = { waitUntil: (promise) => waits.push(promise), respondWith: (promise) => waits.push(promise) };
  const happen = async (name, more = {}) => {
    listeners[name]({ ...event, ...more });
    return Promise.all(waits.splice(0));
  };
  const answer = async (file, mode = "cors") => (await happen("fetch", { request: { url: absolute(file), mode } }))[0].text();
  return { context, happen, answer };
}

async function install(options) {
  const service = worker(options);
  await service.happen("install");
  return service;
}

test("an update forgets the version before of its own folder alone", async () => {
  const caches = new Map();
  for (const [folder, version] of [
    ["/a/", "1111111111111111"],
    ["/b/", "1111111111111111"],
    ["/a/c/", "1111111111111111"],
    ["/", "1111111111111111"],
  ])
    await install({ folder, version, caches });
  caches.set("another program", new Map());
  const next = await install({ folder: "/a/", version: "2222222222222222", caches });
  await next.happen("activate");
  assert.deepEqual(
    [...caches.keys()],
    ["leap /b/ 1111111111111111", "leap /a/c/ 1111111111111111", "leap / 1111111111111111", "another program", "leap /a/ 2222222222222222"],
  );
});

test("what release 0.2 has kept of this page goes, and what it has kept of others stays", async () => {
  const caches = new Map();
  caches.set("leap-0123456789abcdef", new Map([[`${HOST}/a/`, new Response("page")]]));
  caches.set("leap-fedcba9876543210", new Map([[`${HOST}/b/`, new Response("page")]]));
  const next = await install({ folder: "/a/", version: "2222222222222222", caches });
  await next.happen("activate");
  assert.deepEqual([...caches.keys()], ["leap-fedcba9876543210", "leap /a/ 2222222222222222"]);
});

test("pages of the version before keep their files until they are closed", async () => {
  const caches = new Map();
  const pages = [`${HOST}/a/`];
  await install({ folder: "/a/", version: "1111111111111111", caches });
  const next = await install({ folder: "/a/", version: "2222222222222222", caches, pages });
  await next.happen("activate");
  assert.equal(await next.answer("1111111111111111/app.js"), `${HOST}/a/1111111111111111/app.js`);
  assert.equal(await next.answer("2222222222222222/app.js"), `${HOST}/a/2222222222222222/app.js`);
  await next.answer("./", "navigate");
  assert.equal(caches.size, 2);
  pages.length = 0;
  await next.answer("./", "navigate");
  assert.deepEqual([...caches.keys()], ["leap /a/ 2222222222222222"]);
});

test("a version that is about to be replaced forgets nothing", async () => {
  const caches = new Map();
  await install({ folder: "/a/", version: "1111111111111111", caches });
  const next = await install({ folder: "/a/", version: "2222222222222222", caches, registration: { installing: {} } });
  await next.happen("activate");
  assert.equal(caches.size, 2);
});

test("a new version waits until a page asks for it", async () => {
  const next = await install({ folder: "/a/", version: "2222222222222222", caches: new Map() });
  assert.equal(next.context.hasSkipped, undefined);
  await next.happen("message", { data: "takeOver" });
  assert.equal(next.context.hasSkipped, true);
});

test("a version whose page is another one is not installed", async () => {
  const options = { folder: "/a/", version: "2222222222222222", served: "1111111111111111", caches: new Map() };
  await assert.rejects(install(options), /expected the page of version 2222222222222222/);
});

test("what is not kept comes from the network", async () => {
  const service = await install({ folder: "/a/", version: "1111111111111111", caches: new Map() });
  assert.equal(await service.answer("other.html"), `${HOST}/a/other.html of version 1111111111111111`);
});
