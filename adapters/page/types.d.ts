// Modules that are made when the page is served or exported, and what a page shows to its tests.

declare module "*/shapes.js" {
  const drawing: string;
  export default drawing;
}

declare module "*/texts.js" {
  const languages: Record<string, Record<string, string | Record<string, string>>>;
  export default languages;
}

declare module "*/scales.js" {
  const scales: Record<string, { weakest: number; strongest: number }>;
  export default scales;
}

declare module "*/leapd/index.js" {
  export const Leapd: any;
}

declare module "*/leapd/games.js" {
  export const readGames: any;
  export const Unread: any;
}

interface Window {
  leap: any;
}

/** The state of the page, which its modules are given. */
type App = import("./assets/ui/app.js").App;

/** What a person enters moves in: the page, or a board of a lesson. */
type Entry = Pick<App, "game" | "engine" | "turn" | "isHuman" | "wrong" | "say" | "play" | "draw"> & Partial<Pick<App, "exercise" | "party">>;
