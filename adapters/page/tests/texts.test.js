// The texts of the page: complete in every language, and nowhere but in the files of the languages.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { install, language, languages, named, speak, t } from "../assets/ui/i18n.js";
import { LANGUAGES } from "./languages.js";

const PAGE = new URL("../assets/", import.meta.url);
const read = (name) => readFileSync(new URL(name, PAGE), "utf8");
/** A service worker speaks to nobody, and reports are in English. */
const MODULES = readdirSync(PAGE, { recursive: true }).filter((name) => name.endsWith(".js") && !/(service|review.viewer)\.js$/.test(name));
/** The code of the modules, without comments. */
const CODE = Object.fromEntries(MODULES.map((name) => [name, read(name).replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "")]));
/** What writes the pages that teach the games, and those of solved positions. */
const WRITER = ["learn", "solved"].map((name) => read(`../../../packaging/site/src/${name}.rs`)).join("\n");
/** The parts of the page with words of their own: the name of the program, and what is said where no script runs. */
const WORDED = [/<title>.*<\/title>/, /<h1>.*<\/h1>/, /<noscript>.*<\/noscript>/, /<p id="unstarted">.*<\/p>/];
const HTML = WORDED.reduce((page, part) => page.replace(part, ""), read("index.html"));
const forms = (entry) => (typeof entry === "string" ? [entry] : Object.values(entry));
const placeholders = (entry) => forms(entry).map((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort());

test("every language has the same texts with the same values", () => {
  const { en, ...others } = LANGUAGES;
  assert.ok(Object.keys(others).length > 0);
  for (const [tag, texts] of Object.entries(others)) {
    assert.deepEqual(Object.keys(texts), Object.keys(en), tag);
    for (const key of Object.keys(en)) {
      assert.equal(typeof texts[key], typeof en[key], `${tag}: ${key}`);
      for (const names of placeholders(texts[key])) assert.deepEqual(names, placeholders(en[key])[0], `${tag}: ${key}`);
    }
  }
});

test("plural forms are those of the language", () => {
  for (const [tag, texts] of Object.entries(LANGUAGES)) {
    const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
    const needed = [...new Set([0, 1, 2, 3, 5, 11, 21].map((n) => new Intl.PluralRules(tag).select(n)))];
    for (const [key, entry] of Object.entries(texts)) {
      if (typeof entry === "string") continue;
      for (const form of needed) assert.ok(form in entry, `${tag}: ${key} has no form '${form}'`);
      for (const form of Object.keys(entry)) assert.ok(pluralCategories.includes(form), `${tag}: ${key} has a form '${form}'`);
    }
  }
});

test("every text that is asked for exists, and every text is asked for", () => {
  const literals = Object.values(CODE).flatMap((code) => [...code.matchAll(/"([a-z]\w*(?:\.[\w-]+)?)"/g)].map(([, text]) => text));
  const asked = [...HTML.matchAll(/data-t(?:-label|-title|-alt)?="([^"]*)"/g)].map(([, key]) => key);
  for (const code of Object.values(CODE)) asked.push(...[...code.matchAll(/\bt\("([^"]*)"/g)].map(([, key]) => key));
  asked.push(...[...WRITER.matchAll(/"(learn\.(?!css|js)\w+)"/g)].map(([, key]) => key));
  const keys = Object.keys(LANGUAGES.en);
  const groups = new Set(keys.map((key) => key.split(".")[0]));
  asked.push(...literals.filter((text) => text.includes(".") && groups.has(text.split(".")[0]) && !text.endsWith(".js")));
  for (const key of asked) assert.ok(keys.includes(key), key);
  const named = new Set(Object.values(CODE).flatMap((code) => [...code.matchAll(/\bnamed\("([^"]*)"/g)].map(([, group]) => group)));
  for (const key of keys) assert.ok(key === "language" || asked.includes(key) || named.has(key.split(".")[0]), `${key} is not used`);
});

test("no text stands in the page itself", () => {
  const nodes = HTML.replace(/<[^>]*>/g, "\n").split("\n");
  for (const text of nodes) assert.doesNotMatch(text, /[a-z]{2}/i, text);
  for (const [, attribute, text] of HTML.matchAll(/\s(aria-label|title|alt|placeholder)="([^"]*)"/g)) assert.equal(text, "", attribute);
});

test("no text stands in a module", () => {
  // Commands and options of the protocol, and what a drawing consists of.
  const isWords = (text) => /[a-z]{2,} [a-z]{2,}/i.test(text) && !/^(#|query|setoption|position|go|movetime|depth|option|id|draw|Clear) /.test(text);
  const isStyle = (text) => /^translate\(/.test(text);
  for (const [name, code] of Object.entries(CODE)) {
    const texts = [...code.replace(/class: ("[^"]*"|`[^`]*`)/g, "").matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(
      ([, plain, template]) => plain ?? template.replace(/\$\{[^}]*\}/g, "0"),
    );
    for (const text of texts) assert.ok(!isWords(text) || isStyle(text), `${name}: ${text}`);
  }
});

test("every reason of the protocol has a text", () => {
  const codes = readFileSync(new URL("../../conformance/data/reasons.txt", import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean);
  for (const code of codes) assert.ok(`illegal.${code}` in LANGUAGES.en, code);
});

test("a text has its values and its plural form, in the language that is spoken", () => {
  install(LANGUAGES);
  speak("en");
  assert.deepEqual(
    [0, 1, 2].map((n) => t("files.loaded", { n })),
    ["0 moves are loaded.", "1 move is loaded.", "2 moves are loaded."],
  );
  speak("es");
  assert.equal(t("files.loaded", { n: 1 }), "Se ha cargado 1 jugada.");
  assert.equal(named("ending", "no-moves"), "no queda ninguna jugada legal");
  assert.equal(named("ending", "constructor"), null);
  assert.equal(t("nothing.such"), "nothing.such");
  speak("en");
});

test("the language is that of an earlier visit, else the first of the browser's that is known", () => {
  const visit = (kept, wanted) => {
    globalThis.localStorage = { getItem: () => kept };
    Object.defineProperty(globalThis, "navigator", { value: { languages: wanted }, configurable: true });
    install(LANGUAGES);
    return language();
  };
  assert.equal(visit(null, ["de", "es-AR", "en"]), "es");
  assert.equal(visit(null, ["en-GB", "es"]), "en");
  assert.equal(visit(null, ["de"]), "en");
  assert.equal(visit("es", ["en"]), "es");
  assert.equal(visit("constructor", []), "en");
  assert.deepEqual(languages(), [
    ["en", "English"],
    ["es", "Español"],
  ]);
});
