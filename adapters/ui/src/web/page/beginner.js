// What the weakest level sometimes does: it moves like someone who clicks on marked squares without looking.

/** More tokens than any move of a game needs. */
const LONGEST = 200;

/** Returns a function that draws numbers from 0 to below 1. The seed determines the numbers. */
export function dice(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}

/** A legal move, chosen square by square at random. Null if there is none, or if the squares lead nowhere. */
export async function stray(engine, random) {
  const path = [];
  while (path.length < LONGEST) {
    const tokens = (await engine.ask(`query next ${path.join("")}`.trim())).split(" ").filter(Boolean);
    const onward = tokens.filter((token) => token !== "end");
    // Visiting a square again would lead in circles.
    const fresh = onward.filter((token) => !path.includes(token));
    const choices = fresh.length ? fresh : onward;
    const mayEnd = onward.length < tokens.length;
    if (mayEnd && random() * (fresh.length + 1) < 1) return path.join("");
    if (choices.length === 0) return null;
    path.push(choices[Math.floor(random() * choices.length)]);
  }
  return null;
}
