// A storage of the browser for tests: what is stored under `room` characters an entry, or nothing at all.

/** A storage with the given room for each entry, which may change. */
export function storage(limits = { room: Number.POSITIVE_INFINITY }) {
  const kept = new Map();
  const setItem = (key, value) => {
    const others = [...kept].filter(([name]) => name !== key).reduce((sum, [, text]) => sum + text.length, 0);
    if (others + value.length > limits.room) throw new Error("QuotaExceededError");
    kept.set(key, value);
  };
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem,
    removeItem: (key) => kept.delete(key),
    key: (at) => [...kept.keys()][at] ?? null,
    get length() {
      return kept.size;
    },
  };
}
