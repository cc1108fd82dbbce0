// The locks of a browser for tests: those of other tabs are `shared`, those of this one `own`.

export const locks = { shared: new Set(), own: new Set() };

async function request(name, _options, task) {
  if (locks.shared.has(name) || locks.own.has(name)) throw new Error("TimeoutError");
  locks.own.add(name);
  await task({ name });
  locks.own.delete(name);
}

const query = async () => ({ held: [...locks.shared, ...locks.own].map((name) => ({ name })) });

Object.defineProperty(globalThis, "navigator", { value: { locks: { request, query } }, configurable: true });
