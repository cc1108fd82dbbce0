// Up to release 0.2 the playable page was here, and its service worker kept it in caches. The page is in play/ now,
// so these caches are deleted.

const SCOPE = new URL("./", location);

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(leave()));

async function leave() {
  for (const name of await caches.keys()) if (await isOurs(name)) await caches.delete(name);
  await registration.unregister();
  for (const client of await clients.matchAll({ type: "window" })) client.navigate(client.url);
}

/** Release 0.2 did not name its caches after their page. */
async function isOurs(name) {
  if (name.startsWith(`leap ${SCOPE.pathname} `)) return true;
  return /^leap-[0-9a-f]{16}$/.test(name) && (await caches.match(SCOPE, { cacheName: name })) !== undefined;
}
