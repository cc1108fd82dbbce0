/** An engine in a worker of its own. It speaks UGI (SPEC.md), line by line; `stop` works during a search. */
export class Leapd {
  /**
   * Starts the engine.
   *
   * @param handlers.onLine Receives each line that the engine writes, without its ending.
   * @param handlers.onEnd Is called once when the session is over: after `quit`, or after `end` when all work is done.
   * If the engine has failed, it receives the error.
   */
  constructor(handlers: { onLine: (line: string) => void; onEnd?: (error: Error | null) => void });

  /** Sends a line, without its ending. */
  send(line: string): void;

  /** Sends input as it is: any number of bytes or characters, with the endings of the lines. */
  write(input: string | Uint8Array): void;

  /** Ends the input and then the session. A search in progress is completed if it has a limit, or else stopped. */
  end(): void;

  /** Ends the engine immediately. */
  terminate(): void;
}

/** A game of a file. Lines are those of the file, from 1. */
export interface StoredGame {
  /** The line on which the game begins. */
  line: number;
  /** The game's id; null for the engine's default. */
  id: string | null;
  /** The position text that the game begins with; null for the start position. */
  start: string | null;
  /** The moves. Only an engine knows whether they are legal. */
  moves: string[];
  /** How many of the moves lead to the last position: others were taken back. */
  ply: number;
  /** The line of the position text. */
  startLine: number | null;
  /** The line of each move. */
  moveLines: number[];
  /** Options with their values. Those of a session need not be rules. */
  options: [name: string, value: string][];
  /** The rest of a record; null for a game of a transcript. */
  record: {
    tags: [name: string, value: string][];
    plies: Ply[];
    result: "p1win" | "p2win" | "draw" | "*";
  } | null;
}

/** A move of a record, with what the record tells about it (SPEC 19.15, 19.16). */
export interface Ply {
  move: string;
  /** The evaluation of its player, from the player's side. `mate` counts moves (SPEC 19.8). */
  score?: { cp: number } | { mate: number };
  depth?: number;
  nodes?: number;
  /** The time for the move, in microseconds. */
  timeUs?: number;
  /** The numbers of annotations. */
  glyphs?: number[];
  text?: string;
  /** Lines that begin in place of this move. */
  variations?: Ply[][];
}

/**
 * Reads the games of a file, at least one: of records (SPEC 19.13), or of the session in a transcript (SPEC 16).
 * A worker reads the file, in at most 256 MiB of memory.
 *
 * @param file A text, or bytes in UTF-8; at most 4 MiB.
 * @returns The games. Rejects with `Unread` if the file has none, and with another error if the reader does not load.
 */
export function readGames(file: string | Uint8Array): Promise<StoredGame[]>;

/** Why a file has no games. The message names the line. */
export class Unread extends Error {
  /** The line of the fault, the message without it, the kind of the fault, and its values. */
  readonly refusal: { line: number | null; text: string; kind: string; [value: string]: unknown };
}
