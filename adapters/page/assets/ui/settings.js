// Settings: the game, the players, the engine's level, the rule options. All of it comes from the engine.

import { byId, html } from "./dom.js";
import { named, t } from "./i18n.js";

/**
 * An option of an engine, as it is declared (SPEC 2.8).
 * @typedef {{ name: string, type: string, vars: string[], default?: string, min?: string, max?: string }} EngineOption
 */
/**
 * A level. `what` says what it overlooks, and `overlooks` how many of ten moves. `go` has the limits of its searches.
 * @typedef {{ id: string, name: () => string, what?: () => string, overlooks?: number, strength: number, go: string }} Level
 */

/** Options that are set elsewhere in the page, or not at all. */
const OWN = new Set(["Game", "EvalFile", "Strength", "Seed", "Ponder", "MultiPV", "UCI_ShowWDL", "UCI_Variant", "Clear Hash"]);

const MOVE = "movetime 1500";

/**
 * The levels of the engine, as they are listed. The browser keeps the `id`, so it never changes its meaning.
 * docs/measured/README.md measures the levels.
 * @type {Level[]}
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

/**
 * The level with this id; undefined if there is none.
 * @param {string} id
 */
export const levelOf = (id) => LEVELS.find((level) => level.id === id);

/**
 * The value of the engine's option `Strength`. Another engine may know fewer levels for beginners.
 * @param {number} strength
 * @param {EngineOption} option
 */
export const strengthOf = (strength, { min }) => Math.max(strength, Number(min));

/**
 * The value of the engine's option `Seed` for the game with this key. Two games need not be alike.
 * @param {string} key
 * @param {EngineOption} option
 */
export const seedOf = (key, { max }) => Number.parseInt(key.split("-").at(-1) ?? "", 36) % (Number(max) + 1) || 0;

/**
 * An `option` line (SPEC 2.8); null for another line. A default with spaces is cut.
 * @param {string} line
 */
export function readOption(line) {
  const [, name, rest] = line.match(/^option name (.+?) type (.+)$/) ?? [];
  if (!name) return null;
  const words = rest.split(" ");
  /** @type {EngineOption} */
  const option = { name, type: words[0], vars: [] };
  for (let at = 1; at < words.length; at += 2) {
    const [key, value = ""] = words.slice(at);
    if (key === "var") option.vars.push(value);
    else if (key === "default" || key === "min" || key === "max") option[key] = value;
  }
  return option;
}

/**
 * Whether an option is a rule of a game, by its name (SPEC 8.2).
 * @param {EngineOption} option
 * @param {string[]} ids
 */
const belongsToOther = (option, ids) => ids.some((id) => option.name.toLowerCase().startsWith(id.toLowerCase()));

/**
 * The name of an option for people.
 * @param {{ name: string }} option
 * @param {Guide} guide
 */
export const label = ({ name }, guide) => guide.option(name)?.label ?? named("option", name) ?? name.replace(/([a-z])([A-Z])/g, "$1 $2");
/**
 * @param {EngineOption} option
 * @param {Guide} guide
 */
const explanation = ({ name }, guide) => html("small", { class: "quiet" }, guide.option(name)?.text);

/**
 * Fills the form with the rule options of a game and the engine's options. `values` holds the changed ones.
 * @param {EngineOption[]} options
 * @param {Game} game
 * @param {string[]} ids
 * @param {Record<string, string>} values
 * @param {(option: EngineOption, value: string) => void} onChange
 */
export function showOptions(options, game, ids, values, onChange) {
  /** @param {EngineOption} option */
  const current = ({ name, default: usual }) => game.rules.get(name) ?? values[name] ?? usual;
  /** @param {EngineOption[]} list */
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
  /** @param {EngineOption} option */
  const isRule = ({ name }) => game.rules.has(name);
  /** @param {EngineOption} option */
  const isEngines = (option) => !isRule(option) && !OWN.has(option.name) && !belongsToOther(option, ids) && option.type !== "button";
  byId("rules").replaceChildren(...fields(options.filter(isRule)));
  byId("engine-options").replaceChildren(...fields(options.filter(isEngines)));
}

/**
 * @param {EngineOption} option
 * @param {string | undefined} value
 * @param {Guide} guide
 * @param {(option: EngineOption, value: string) => void} onChange
 */
function control(option, value, guide, onChange) {
  /** @param {Event} event */
  const change = ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === "checkbox") onChange(option, String(target.checked));
    else if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) onChange(option, target.value);
  };
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

/**
 * Fills the list of games.
 * @param {string[]} ids
 * @param {Game} game
 */
export function showChoices(ids, game) {
  byId("games").replaceChildren(
    ...ids.map((each) =>
      html("button", { type: "button", class: "game", "data-game": each, "aria-pressed": String(each === game.id) }, game.titleOf(each)),
    ),
  );
}
