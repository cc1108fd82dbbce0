// The texts as the server hands them out: those of each file by its tag.

import { readdirSync, readFileSync } from "node:fs";

const FOLDER = new URL("../assets/lang/", import.meta.url);

export const LANGUAGES = Object.fromEntries(
  readdirSync(FOLDER)
    .sort()
    .map((name) => [name.replace(/\.json$/, ""), JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"))]),
);
