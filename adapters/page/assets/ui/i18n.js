// The texts of the page. Each language is a file `lang/<tag>.json`: a text for each key, or an object of plural forms that is
// chosen by the value `n`. `{name}` stands for a value. The server hands out all of them as the module `texts.js`.

import { loadText, storeText } from "./storage.js";

/** The language of a person whose languages are all unknown. */
const FALLBACK = "en";
const KEY = "leap-language";

/** @typedef {Record<string, Record<string, string | Record<string, string>>>} Catalogues the texts of each language, by its tag */
/** @typedef {Record<string, string | number | null | undefined>} Values */

/** @type {Catalogues} */
let catalogues = {};
let current = FALLBACK;
let plurals = new Intl.PluralRules(FALLBACK);

/**
 * Makes languages known, by tag, and chooses one: the language of this tag, or else the person's.
 * @param {Catalogues} texts
 * @param {string | null} tag
 */
export function install(texts, tag = null) {
  catalogues = texts;
  choose([tag ?? loadText(KEY), ...(globalThis.navigator?.languages ?? [])].filter(Boolean));
}

/** The known languages: pairs of a tag and the name of the language in itself. */
export const languages = () => Object.entries(catalogues).map(([tag, texts]) => [tag, String(texts.language)]);

/** The tag of the language in use. */
export const language = () => current;

/**
 * Chooses the first known language of a list; `en` will do for `en-GB`.
 * @param {string[]} wanted
 */
function choose(wanted) {
  const tags = wanted.flatMap((tag) => [tag, tag.split("-")[0]]);
  current = tags.find((tag) => Object.hasOwn(catalogues, tag)) ?? FALLBACK;
  plurals = new Intl.PluralRules(current);
}

/**
 * Changes the language for this and later visits.
 * @param {string} tag
 */
export function speak(tag) {
  choose([tag]);
  storeText(KEY, current);
}

/**
 * The text of a key, with its values.
 * @param {string} key
 * @param {Values} values
 */
export function t(key, values = {}) {
  const entry = catalogues[current]?.[key] ?? key;
  const text = typeof entry === "string" ? entry : (entry[plurals.select(Number(values.n))] ?? entry.other);
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * The text for a word of the protocol, from a group of keys, with its values; null for an unknown word.
 * @param {string} group
 * @param {string} word
 * @param {Values} [values]
 */
export const named = (group, word, values) => (Object.hasOwn(catalogues[current] ?? {}, `${group}.${word}`) ? t(`${group}.${word}`, values) : null);

/** What was thrown, for people. */
export const messageOf = (/** @type {unknown} */ error) => (error instanceof Error ? error.message : String(error));

/**
 * A word with a capital at its beginning.
 * @param {string} word
 */
export const capital = (word) => word.slice(0, 1).toLocaleUpperCase(current) + word.slice(1);

/** The attributes of elements that have the keys of their other attributes. */
const ATTRIBUTES = [
  ["data-t-label", "aria-label"],
  ["data-t-title", "title"],
  ["data-t-alt", "alt"],
  ["data-t-placeholder", "placeholder"],
];

/**
 * Writes the texts of a document. `data-t` has the key of an element's text. `data-t-label`, `-title`, `-alt` and
 * `-placeholder` have those of its attributes.
 * @param {Document} page
 */
export function translate(page) {
  page.documentElement.lang = current;
  for (const element of page.querySelectorAll("[data-t]")) element.textContent = t(element.getAttribute("data-t") ?? "");
  for (const [name, attribute] of ATTRIBUTES) {
    for (const element of page.querySelectorAll(`[${name}]`)) element.setAttribute(attribute, t(element.getAttribute(name) ?? ""));
  }
}
