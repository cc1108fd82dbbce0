// The texts of the page. Each language is a file `lang/<tag>.json`: a text for each key, or an object of plural forms that is
// chosen by the value `n`. `{name}` stands for a value. The server hands out all of them as the module `texts.js`.

import { loadText, storeText } from "./storage.js";

/** The language of a person whose languages are all unknown. */
const FALLBACK = "en";
const KEY = "leap-language";

let catalogues = {};
let current = FALLBACK;
let plurals = new Intl.PluralRules(FALLBACK);

/** Makes languages known, by tag, and chooses one: the language of this tag, or else the person's. */
export function install(texts, tag = null) {
  catalogues = texts;
  choose([tag ?? loadText(KEY), ...(globalThis.navigator?.languages ?? [])].filter(Boolean));
}

/** The known languages: pairs of a tag and the name of the language in itself. */
export const languages = () => Object.entries(catalogues).map(([tag, texts]) => [tag, texts.language]);

/** The tag of the language in use. */
export const language = () => current;

/** Chooses the first known language of a list; `en` will do for `en-GB`. */
function choose(wanted) {
  const tags = wanted.flatMap((tag) => [tag, tag.split("-")[0]]);
  current = tags.find((tag) => Object.hasOwn(catalogues, tag)) ?? FALLBACK;
  plurals = new Intl.PluralRules(current);
}

/** Changes the language for this and later visits. */
export function speak(tag) {
  choose([tag]);
  storeText(KEY, current);
}

/** The text of a key, with its values. */
export function t(key, values = {}) {
  const entry = catalogues[current]?.[key] ?? key;
  const text = typeof entry === "string" ? entry : (entry[plurals.select(values.n)] ?? entry.other);
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** The text for a word of the protocol, from a group of keys, with its values; null for an unknown word. */
export const named = (group, word, values) => (Object.hasOwn(catalogues[current] ?? {}, `${group}.${word}`) ? t(`${group}.${word}`, values) : null);

/** What was thrown, for people. */
export const messageOf = (/** @type {unknown} */ error) => (error instanceof Error ? error.message : String(error));

/** A word with a capital at its beginning. */
export const capital = (word) => word.slice(0, 1).toLocaleUpperCase(current) + word.slice(1);

/**
 * Writes the texts of a document. `data-t` has the key of an element's text. `data-t-label`, `-title`, `-alt` and
 * `-placeholder` have those of its attributes.
 */
export function translate(page) {
  page.documentElement.lang = current;
  for (const element of page.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of page.querySelectorAll("[data-t-label]")) element.setAttribute("aria-label", t(element.dataset.tLabel));
  for (const element of page.querySelectorAll("[data-t-title]")) element.title = t(element.dataset.tTitle);
  for (const element of page.querySelectorAll("[data-t-alt]")) element.alt = t(element.dataset.tAlt);
  for (const element of page.querySelectorAll("[data-t-placeholder]")) element.placeholder = t(element.dataset.tPlaceholder);
}
