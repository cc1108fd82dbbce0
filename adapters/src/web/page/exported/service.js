// Keeps the files of the page in the browser, so that it opens without a network. FILES and VERSION, a hash of them all, are
// written above by `leap web --export`.

const CACHE = `leap-${VERSION}`;
/** The module of the engine that this browser does not run (leapd/engine.js). */
const UNUSED = "Suspending" in WebAssembly ? "leapd/leapd-asyncify.wasm" : "leapd/leapd.wasm";

addEventListener("install", (event) => {
  // Past the browser's own cache: it may hold files of another version.
  const requests = ["./", ...FILES].filter((file) => file !== UNUSED).map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
  skipWaiting();
});

/** Other pages of the same host have caches too. */
const isOld = (name) => name.startsWith("leap-") && name !== CACHE;

addEventListener("activate", (event) => {
  const forget = async () => Promise.all((await caches.keys()).filter(isOld).map((name) => caches.delete(name)));
  event.waitUntil(forget().then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const answer = async () => (await (await caches.open(CACHE)).match(event.request, { ignoreSearch: true })) ?? fetch(event.request);
  event.respondWith(answer());
});
