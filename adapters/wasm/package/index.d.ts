/** An engine in a worker of its own. It speaks UGI (SPEC.md): lines go in, lines come out, and `stop` works during a search. */
export class Leapd {
  /**
   * Starts the engine.
   *
   * @param handlers.onLine Receives each line that the engine writes, without its ending.
   * @param handlers.onEnd Is called once when the session is over: after `quit`, after `end` when all work is done, or with the
   * error by which the engine has failed.
   */
  constructor(handlers: { onLine: (line: string) => void; onEnd?: (error: Error | null) => void });

  /** Sends a line, without its ending. */
  send(line: string): void;

  /** Sends input as it is: any number of bytes or characters, with the endings of the lines. */
  write(input: string | Uint8Array): void;

  /** Ends the input: the search in progress is answered if it has a limit, and stopped otherwise; then the session is over. */
  end(): void;

  /** Ends the engine at once. */
  terminate(): void;
}
