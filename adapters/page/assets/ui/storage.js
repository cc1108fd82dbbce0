// The storage of the browser. If storage is missing or full, nothing is stored and the page still works.
//
// The stored data may be anything: an older page or another program at this address may have written it.

/** @typedef {"localStorage" | "sessionStorage"} Place */

/**
 * The text stored under a key; undefined if there is none.
 * @param {string} key
 * @param {Place} storage
 */
export function loadText(key, storage = "localStorage") {
  try {
    return globalThis[storage].getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stores a text; returns whether it is stored.
 * @param {string} key
 * @param {string} text
 * @param {Place} storage
 */
export function storeText(key, text, storage = "localStorage") {
  try {
    globalThis[storage].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes what is stored under a key.
 * @param {string} key
 * @param {Place} storage
 */
export function remove(key, storage = "localStorage") {
  try {
    globalThis[storage].removeItem(key);
  } catch {
    // Without storage there is nothing to remove.
  }
}

/**
 * The keys in the storage with this beginning.
 * @param {string} beginning
 */
export function keysWith(beginning) {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? "");
    return keys.filter((key) => key.startsWith(beginning));
  } catch {
    return [];
  }
}

/**
 * The value stored under a key: undefined if there is none, false if it cannot be read.
 * @param {string} key
 * @param {Place} [storage]
 * @returns {unknown}
 */
export function load(key, storage) {
  const text = loadText(key, storage);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) ?? false;
  } catch {
    return false;
  }
}

/**
 * Whether a value is an object with parts.
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {unknown} value */
export const isPositive = (value) => typeof value === "number" && value > 0;

/**
 * The object stored under a key; empty if there is none.
 * @param {string} key
 */
export function loadObject(key) {
  const stored = load(key);
  return isObject(stored) ? stored : {};
}

/**
 * Stores a value; returns whether it is stored.
 * @param {string} key
 * @param {unknown} value
 * @param {Place} [storage]
 */
export const store = (key, value, storage) => storeText(key, JSON.stringify(value), storage);
