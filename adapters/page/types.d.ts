// Modules that are made when the page is served or exported, and what a page shows to its tests.

declare module "*/shapes.js" {
  export const shapes: string;
}

declare module "*/texts.js" {
  export const texts: Record<string, Record<string, string | Record<string, string>>>;
}

declare module "*/scales.js" {
  export const scales: Record<string, { weakest: number; strongest: number }>;
}

declare module "*/leapd/index.js" {
  export const Leapd: any;
}

declare module "*/leapd/games.js" {
  export const readGames: any;
  export class Unread extends Error {
    refusal: Record<string, unknown>;
  }
}

interface Window {
  leap: any;
}

/** The state of the page, which its modules are given. */
type App = import("./assets/ui/app.js").App;

/** What a person enters moves in: the page, or a board of a lesson. */
type Entry = Pick<App, "game" | "engine" | "turn" | "isHuman" | "wrong" | "say" | "play" | "draw"> & Partial<Pick<App, "exercise" | "party">>;

/** The players of a game, and who plays for each: a person here, an engine, or a person at another device. */
type Side = "p1" | "p2";
type Players = Record<Side, string>;

/** A board as an engine describes it (SPEC 4.23): see `board/notation.js`. */
type Board = ReturnType<typeof import("./assets/board/notation.js").readBoard>;

/** The state of a game by invitation, as the server tells it (docs/web-messages.md). */
interface MeetingState {
  say: "game";
  meeting: string;
  round: number;
  game: string;
  start: string | null;
  moves: string[];
  options: [string, string][];
  host: Side;
  guest: Side;
  come: { host: boolean; guest: boolean };
  here: { host: boolean; guest: boolean };
  watching: number;
  draws: boolean;
  offer: { by: "host" | "guest"; what: string } | null;
  declined: { by: "host" | "guest" }[];
  ending: { result: string; reason: string; rule: boolean } | null;
  clock: (Record<Side, number> & { base: number; increment: number; running: Side | null }) | null;
}

/** What a search tells of a position, from the view of a side: centipawns, or the moves to an announced end. */
interface Score {
  kind: string; // `cp` or `mate`
  value: number;
}

/** What an `info` line tells of a line of play (SPEC 5.21). */
interface Info {
  multipv: number;
  score: Score;
  pv: string[];
  depth?: number;
  seldepth?: number;
  nodes?: number;
  nps?: number;
  time?: number;
  hashfull?: number;
  wdl?: number[];
}

/** An option of an engine, as it is declared (SPEC 2.8). */
interface EngineOption {
  name: string;
  type: string;
  vars: string[];
  default?: string;
  min?: string;
  max?: string;
}
