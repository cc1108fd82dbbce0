// The sentence that says what a turn awaits.

import { capital, language, named, t } from "../ui/i18n.js";

/**
 * The kinds of what may follow, as in `rules prompt`.
 * @param {Turn} turn
 */
function awaitedKinds(turn) {
  // The choice of a piece is no step yet.
  const words = [
    ["step", turn.isEmpty ? "first" : "step"],
    ["drop", "drop"],
    ["removal", "remove"],
  ];
  const kinds = words.filter(([kind]) => turn.squares(kind).size > 0);
  return [...kinds.map(([, word]) => word), ...(turn.canPass ? ["pass"] : []), ...(turn.canEnd ? ["end"] : [])];
}

/**
 * What a turn awaits, in the words of the game's guide: "Hop on, or place a frog on a marked square". May be empty.
 * @param {Turn} turn
 * @param {Guide} guide
 */
export function awaited(turn, guide) {
  const kinds = awaitedKinds(turn);
  const parts = kinds.map((kind) => guide.prompt(kind) ?? named("prompt", kind) ?? kind);
  const sentence = capital(new Intl.ListFormat(language(), { type: "disjunction" }).format(parts));
  if (kinds.join() !== "drop" || turn.dropsInAll < 2) return sentence;
  return t("turn.counted", { sentence, at: turn.drops + 1, of: turn.dropsInAll });
}
