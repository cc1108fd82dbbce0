// Settings: the game, the players, the engine's level, the rule options. All of it comes from the engine.

import { byId, html } from "./dom.js";
import { named, t } from "./i18n.js";

/** Options that are set elsewhere in the page, or not at all. */
const OWN = new Set(["Game", "EvalFile", "Strength", "Seed", "Ponder", "MultiPV", "UCI_ShowWDL", "UCI_Variant", "Clear Hash"]);

const MOVE = "movetime 1500";

/**
 * The levels of the engine, as they are listed. The browser keeps the `id`, so it never changes its meaning. `what` says what
 * a level overlooks, and `overlooks` how many of ten moves. docs/measured/README.md measures the levels.
 */
export const LEVELS = [
  { id: "0", name: () => t("level.first"), what: () => t("level.firstWhat"), overlooks: 10, strength: -20, go: MOVE },
  { id: "9", name: () => t("level.beginner"), what: () => t("level.beginnerWhat"), overlooks: 9, strength: -10, go: MOVE },
  { id: "10", name: () => t("level.learner"), what: () => t("level.learnerWhat"), overlooks: 8, strength: 0, go: MOVE },
  { id: "1", name: () => t("level.casual"), what: () => t("level.casualWhat"), overlooks: 6, strength: 25, go: MOVE },
  { id: "2", name: () => t("level.club"), what: () => t("level.clubWhat"), overlooks: 4, strength: 50, go: MOVE },
  { id: "3", name: () => t("level.strong"), what: () => t("level.strongWhat"), overlooks: 2, strength: 75, go: MOVE },
  { id: "4", name: () => t("level.full"), strength: 100, go: MOVE },
  { id: "5", name: () => t("level.seconds", { n: 5 }), strength: 100, go: "movetime 5000" },
  { id: "6", name: () => t("level.depth", { n: 1 }), strength: 100, go: "depth 1" },
  { id: "7", name: () => t("level.depth", { n: 6 }), strength: 100, go: "depth 6" },
  { id: "8", name: () => t("level.depth", { n: 12 }), strength: 100, go: "depth 12" },
];

/** The levels that results lead through (`game/level.js`), the weakest first. */
export const RUNGS = LEVELS.filter(({ go }) => go === MOVE);

/** The level with this id; undefined if there is none. */
export const levelOf = (id) => LEVELS.find((level) => level.id === id);

/** The value of the engine's option `Strength`. Another engine may know fewer levels for beginners. */
export const strengthOf = (strength, { min }) => Math.max(strength, Number(min));

/** The value of the engine's option `Seed` for the game with this key. Two games need not be alike. */
export const seedOf = (key, { max }) => Number.parseInt(key.split("-").at(-1), 36) % (Number(max) + 1) || 0;

/** An `option` line: `{ name, type, default, min, max, vars }` (SPEC 2.8). */
export function readOption(line) {
  const [, name, rest] = line.match(/^option name (.+?) type (.+)$/) ?? [];
  if (!name) return null;
  const words = rest.split(" ");
  /** @type {EngineOption} */
  const option = { name, type: words[0], vars: [] };
  for (let at = 1; at < words.length; at += 2) {
    if (words[at] === "var") option.vars.push(words[at + 1]);
    else option[words[at]] = words[at + 1] ?? "";
  }
  return option;
}

/** Whether an option is a rule of a game, by its name (SPEC 8.2). */
const belongsToOther = (option, ids) => ids.some((id) => option.name.toLowerCase().startsWith(id.toLowerCase()));

/** The name of an option, with its meaning if the engine tells it. */
const label = ({ name }, guide) => guide.option(name)?.label ?? named("option", name) ?? name.replace(/([a-z])([A-Z])/g, "$1 $2");
const explanation = ({ name }, guide) => html("small", { class: "quiet" }, guide.option(name)?.text);

/** Fills the form with the rule options of a game and the engine's options. `values` holds the changed ones. */
export function showOptions(options, game, ids, values, onChange) {
  const current = ({ name, default: usual }) => game.rules.get(name) ?? values[name] ?? usual;
  const fields = (list) =>
    list.map((option) =>
      html(
        "label",
        {},
        html("span", {}, label(option, game.guide)),
        control(option, current(option), game.guide, onChange),
        explanation(option, game.guide),
      ),
    );
  const isRule = ({ name }) => game.rules.has(name);
  const isEngines = (option) => !isRule(option) && !OWN.has(option.name) && !belongsToOther(option, ids) && option.type !== "button";
  byId("rules").replaceChildren(...fields(options.filter(isRule)));
  byId("engine-options").replaceChildren(...fields(options.filter(isEngines)));
}

function control(option, value, guide, onChange) {
  const change = (event) => onChange(option, event.target.type === "checkbox" ? String(event.target.checked) : event.target.value);
  const common = { name: option.name, onchange: change };
  switch (option.type) {
    case "check":
      return html("input", { ...common, type: "checkbox", checked: value === "true" });
    case "spin":
      return html("input", { ...common, type: "number", min: option.min, max: option.max, value });
    case "combo":
      return html(
        "select",
        common,
        ...option.vars.map((name) => html("option", { value: name, selected: name === value }, guide.value(option.name, name))),
      );
    default:
      return html("input", { ...common, type: "text", value });
  }
}

/** Fills the list of games. */
export function showChoices(ids, game) {
  byId("games").replaceChildren(
    ...ids.map((each) =>
      html("button", { type: "button", class: "game", "data-game": each, "aria-pressed": String(each === game.id) }, game.titleOf(each)),
    ),
  );
}
