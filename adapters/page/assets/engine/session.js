// Lines over a WebSocket that is cut now and then. The server keeps the session for a while, and the page comes back to it with
// a token (docs/web-messages.md). Both sides count the lines, so none is lost and none comes twice.

import { named, t } from "../ui/i18n.js";

/** The first and the longest pause before the page connects again, in milliseconds. */
const FIRST_MS = 300;
const LONGEST_MS = 5000;
/** How long one attempt to connect may take, in milliseconds. */
const ATTEMPT_MS = 10_000;
/** How many lines are kept to be sent again. Never so many are on their way. */
const MOST_UNREAD = 200;
/** The close codes of a browser whose connection was cut, and of a server whose engines are all in use. */
export const CUT = 1006;
export const BUSY = 1013;

/** The address of the WebSockets of the page's own server. */
export const ownServer = () => `ws${location.protocol === "https:" ? "s" : ""}://${location.host}/`;

/** The pauses between attempts to connect: each is twice the one before. */
export class Pauses {
  #next = FIRST_MS;

  next() {
    const pause = this.#next;
    this.#next = Math.min(2 * pause, LONGEST_MS);
    return pause;
  }

  begin() {
    this.#next = FIRST_MS;
  }
}

/** A connection that was refused: `code` is the server's, or that of a cut. */
export class Unopened extends Error {
  /** @param {number} code */
  constructor(code) {
    super(named("lost", String(code)) ?? t("lost.connection"));
    this.code = code;
  }
}

/**
 * Who hears of a connection: `onLine` of every line, `onCut` that it is cut, or back again, and `onClose` once of its end.
 * @typedef {object} Ears
 * @property {(line: string) => void} onLine
 * @property {(isCut: boolean) => void} [onCut]
 * @property {(reason: string) => void} onClose
 */
/** @typedef {Ears & { signal: AbortSignal }} ConnectOptions the signal ends the connection immediately */
/** @typedef {{ readonly isOpen: boolean, send: (line: string) => void, close: () => void }} Connection */

export class Lines {
  #address = "";
  /** @type {Ears} */
  #on;
  /** @type {WebSocket} */
  #socket;
  /** @type {string | null} */
  #token = null; // null if the server does not keep this session
  #keepMs = 0;
  #got = 0; // lines of the server since the token
  #sent = 0; // lines of the page since the token
  /** @type {string[]} */
  #unread = []; // the newest of those
  #pauses = new Pauses();
  /** @type {number | null} */
  #cutAt = null; // since when the connection is cut
  /** @type {number | undefined} */
  #retry;
  #hasEnded = false;

  /**
   * Opens a session at an address such as `ws://host/`; `secret` is for servers that ask for one. Resolves when the server has
   * let the page in, or rejects with `Unopened`. `onLine(line)` receives every line. `onCut(isCut)` tells that the connection
   * is cut, or back again. `onClose(reason)` is called once. The signal ends the connection immediately.
   * @param {ConnectOptions & { address: string, secret?: string | null }} options
   * @returns {Promise<Lines>}
   */
  static open({ address, secret = null, signal, ...on }) {
    const lines = new Lines();
    lines.#address = address;
    lines.#on = on;
    signal.addEventListener("abort", () => lines.close(), { once: true });
    return new Promise((resolve, reject) => lines.#begin(secret, signal, () => resolve(lines), reject));
  }

  /** Whether lines can be sent. While the connection is cut, they wait. */
  get isOpen() {
    return !this.#hasEnded && (this.#cutAt !== null || this.#socket.readyState === WebSocket.OPEN);
  }

  /** @param {string} line */
  send(line) {
    if (this.#token) {
      this.#sent += 1;
      this.#unread.push(line);
      if (this.#unread.length > MOST_UNREAD) this.#unread.shift();
    }
    if (this.#cutAt === null) this.#socket.send(line);
  }

  /** Leaves the session for good. */
  close() {
    this.#socket.close();
    this.#end(t("lost.connection"));
  }

  /** @param {string} reason */
  #end(reason) {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#retry);
    this.#on.onClose(reason);
  }

  /**
   * Connects, with a limit. `onFirst` receives the first line, and `onClose` a code.
   * @param {string} path
   * @param {string[]} opening
   * @param {(line: string) => void} onFirst
   * @param {(code: number) => void} onClose
   */
  #connect(path, opening, onFirst, onClose) {
    const socket = new WebSocket(this.#address + path);
    this.#socket = socket;
    const late = setTimeout(() => {
      socket.close();
      fail(CUT);
    }, ATTEMPT_MS);
    /** @param {number} code */
    const fail = (code) => {
      clearTimeout(late);
      socket.onopen = socket.onmessage = socket.onclose = null;
      onClose(code);
    };
    socket.onopen = () => {
      for (const line of opening) socket.send(line);
    };
    socket.onmessage = ({ data }) => {
      clearTimeout(late);
      socket.onmessage = (message) => this.#receive(message.data);
      onFirst(data);
    };
    socket.onclose = ({ code }) => fail(code);
  }

  /**
   * @param {string | null} secret
   * @param {AbortSignal} signal
   * @param {() => void} resolve
   * @param {(error: Error) => void} reject
   */
  #begin(secret, signal, resolve, reject) {
    // Who leaves while the page connects hears of no end.
    const { onClose } = this.#on;
    const leave = () => reject(new Unopened(CUT));
    if (signal.aborted) return leave();
    this.#on.onClose = leave;
    const opening = secret === null ? ["keep"] : [`secret ${secret}`, "keep"];
    let isOpen = false;
    /** @param {string} line */
    const onFirst = (line) => {
      // Another answer is a refusal of the word: the session ends with its connection.
      const [, token, seconds] = line.match(/^session (\S+) (\d+)$/) ?? [];
      this.#token = token ?? null;
      this.#keepMs = 1000 * Number(seconds ?? 0);
      this.#on.onClose = onClose;
      isOpen = true;
      resolve();
    };
    this.#connect("engine", opening, onFirst, (code) => {
      if (isOpen) return this.#closed(code);
      this.#hasEnded = true;
      reject(new Unopened(code));
    });
  }

  /** @param {string} line */
  #receive(line) {
    if (this.#hasEnded) return;
    this.#got += 1;
    this.#on.onLine(line);
  }

  /** @param {number} code */
  #closed(code) {
    if (this.#hasEnded) return;
    if (code !== CUT || !this.#token) return this.#end(named("lost", String(code)) ?? t("lost.connection"));
    if (this.#cutAt === null) {
      this.#cutAt = Date.now();
      this.#pauses.begin();
      this.#on.onCut?.(true);
    }
    if (Date.now() - this.#cutAt > this.#keepMs) return this.#end(t("lost.connection"));
    this.#retry = setTimeout(() => this.#comeBack(), this.#pauses.next());
  }

  #comeBack() {
    const opening = [`resume ${this.#token} ${this.#got}`];
    /** @param {string} line */
    const onFirst = (line) => {
      const [, before, heard] = line.match(/^resumed (\d+) (\d+)$/)?.map(Number) ?? [];
      const unread = this.#sent - heard;
      // More has got lost than the page can send again.
      if (!(unread >= 0 && unread <= this.#unread.length)) return this.close();
      this.#got = before;
      this.#cutAt = null;
      for (const again of this.#unread.slice(this.#unread.length - unread)) this.#socket.send(again);
      this.#on.onCut?.(false);
    };
    this.#connect("session", opening, onFirst, (code) => this.#closed(code));
  }
}
