// Modules that are made when the page is served or exported, what a page shows to its tests, and types that many modules share.
// A type belongs to the module that it is imported from here.

declare module "*/shapes.js" {
  export const shapes: string;
}

declare module "*/texts.js" {
  export const texts: Catalogues;
}

declare module "*/scales.js" {
  export const scales: import("./assets/review/yardstick.js").Scales;
}

declare module "*/leapd/index.js" {
  export const Leapd: typeof import("../wasm/package/index.js").Leapd;
}

declare module "*/leapd/games.js" {
  export const readGames: typeof import("../wasm/package/index.js").readGames;
  export const Unread: typeof import("../wasm/package/index.js").Unread;
}

interface Window {
  leap: unknown;
}

interface Array<T> {
  /** Without this overload the result would still have what is left out. */
  filter<Kept extends T>(predicate: BooleanConstructor): Exclude<Kept, null | undefined | false | "" | 0>[];
}

/** The state of the page, which its modules are given. */
type App = import("./assets/ui/app.js").App;

/** What a person enters moves in: the page, or a board of a lesson. */
type Entry = Pick<App, "game" | "engine" | "turn" | "isHuman" | "wrong" | "say" | "play" | "draw"> & Partial<Pick<App, "exercise" | "party">>;

/** The players of a game, and who plays for each. */
type Side = "p1" | "p2";
type Players = Record<Side, "human" | "engine" | "remote">;

// ---- boards and moves

type Board = import("./assets/board/notation.js").Board;
type Piece = import("./assets/board/notation.js").Piece;
type Pieces = import("./assets/board/notation.js").Pieces;
type Effect = import("./assets/board/notation.js").Effect;
type Arrow = import("./assets/board/notation.js").Arrow;
type Marks = import("./assets/board/drawing.js").Marks;
type Drawing = import("./assets/board/drawing.js").Drawing;
type BoardView = import("./assets/board/board.js").BoardView;
type TurnState = import("./assets/game/messages.js").TurnState;
type Turn = import("./assets/game/turn.js").Turn;

// ---- games

type Game = import("./assets/game/game.js").Game;
type Status = import("./assets/game/messages.js").Status;
type Verdict = import("./assets/game/game.js").Verdict;
type Source = import("./assets/game/game.js").Source;
type OptionPair = import("./assets/game/game.js").OptionPair;
type ExactValue = import("./assets/game/messages.js").ExactValue;
type ExactValues = import("./assets/game/messages.js").ExactValues;
type Tree = import("./assets/game/tree.js").Tree;
type TreeNode = import("./assets/game/tree.js").TreeNode;
type Ply = import("../wasm/package/index.js").Ply;
type KeptGame = import("./assets/game/kept.js").KeptGame;
type RecentGame = import("./assets/files/recent.js").RecentGame;
type FoundGame = import("./assets/files/files.js").FoundGame;
type SetAside = import("./assets/practice/practice.js").SetAside;

// ---- engines

type Engine = import("./assets/engine/engine.js").Engine;
type Asker = import("./assets/engine/engine.js").Asker;
type Info = import("./assets/engine/engine.js").Info;
type Score = import("./assets/engine/engine.js").Score;
type ConnectOptions = import("./assets/engine/session.js").ConnectOptions;
type Guide = import("./assets/engine/guide.js").Guide;
type EngineOption = import("./assets/ui/settings.js").EngineOption;

// ---- reviews and exercises

type Review = import("./assets/review/review.js").Review;
type Choice = import("./assets/review/judgement.js").Choice;
type Task = import("./assets/practice/exercise.js").Task;
type Seen = import("./assets/practice/exercise.js").Seen;
type Problem = import("./assets/practice/problems.js").Problem;

// ---- games by invitation

type MeetingState = import("./assets/meeting/meeting.js").MeetingState;

// ---- texts

type Catalogues = import("./assets/ui/i18n.js").Catalogues;
