// The types of the page's elements, by id.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");

test("every id has the tag that its type says", () => {
  const found = [...read("assets/index.html").matchAll(/<([a-z]\w*)\b[^>]*?\sid="([^"]+)"/g)].map(([, tag, id]) => `${tag} ${id}`);
  const [ids] = read("elements.d.ts").match(/(?<=interface Ids \{)[^}]*/);
  const told = [...ids.matchAll(/(\w+):([^;]*);/g)].flatMap(([, tag, list]) => [...list.matchAll(/"([^"]+)"/g)].map(([, id]) => `${tag} ${id}`));
  assert.deepEqual(told.sort(), found.sort());
});
