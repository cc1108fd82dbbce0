// Keeps the files of the page in the browser, so that it opens without a network. VERSION, a hash of them all, and FILES, which are
// in a folder of this name, are written above by `leap web --export`.
//
// A page is of one version until it is reloaded: its files have the version in their paths, and each version has a cache. A new
// version waits until no page of an earlier one is open, or until a page asks for it.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (globalThis));
const SCOPE = new URL("./", location.href);
/** How the names of this page's caches begin. Other pages of the same host have caches too. */
const OURS = `leap ${SCOPE.pathname} `;
const CACHE = OURS + VERSION;
/** The module of the engine that this browser does not run (leapd/engine.js). */
const UNUSED = "Suspending" in WebAssembly ? "leapd-asyncify.wasm" : "leapd.wasm";

worker.addEventListener("install", (event) => event.waitUntil(keep()));
worker.addEventListener("activate", (event) => event.waitUntil(Promise.all([forget(), worker.clients.claim()])));
worker.addEventListener("message", ({ data }) => data === "takeOver" && worker.skipWaiting());
worker.addEventListener("fetch", (event) => {
  event.respondWith(answer(event.request));
  if (event.request.mode === "navigate") event.waitUntil(forget());
});

/**
 * Past the browser's own cache, which may hold files of another version.
 * @param {string} file
 */
const fresh = (file) => new Request(file, { cache: "reload" });

async function keep() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.filter((file) => !file.endsWith(`/${UNUSED}`)).map(fresh));
  const page = await fetch(fresh("./"));
  // Other caches on the way may deliver an earlier page together with this worker.
  const text = await page.clone().text();
  if (!text.includes(VERSION)) throw new Error(`expected the page of version ${VERSION}, found another one`);
  await Promise.all([cache.put("index.html", page.clone()), cache.put("./", page)]);
}

/** Forgets earlier versions, unless a page is open or a later version is about to take over. */
async function forget() {
  const names = await caches.keys();
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const { installing, waiting } = worker.registration;
  if (installing || waiting || pages.some(({ url }) => url.startsWith(SCOPE.href))) return;
  for (const name of names) {
    if (name !== CACHE && (name.startsWith(OURS) || (await isOurFirst(name)))) await caches.delete(name);
  }
}

/**
 * Release 0.2 did not name its caches after their page.
 * @param {string} name
 */
async function isOurFirst(name) {
  return /^leap-[0-9a-f]{16}$/.test(name) && (await caches.match(SCOPE.href, { cacheName: name })) !== undefined;
}

/**
 * Answers with the page of this version, and with a file of the version in its path.
 * @param {Request} request
 */
async function answer(request) {
  const names = (await caches.keys()).filter((name) => name.startsWith(OURS));
  for (const cacheName of [CACHE, ...names]) {
    const kept = await caches.match(request, { cacheName, ignoreSearch: true });
    if (kept) return kept;
  }
  return fetch(request);
}
