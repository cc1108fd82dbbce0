// A game by invitation at the server: its messages (docs/web-messages.md), and a connection that comes back by itself.

import { ownServer, Pauses } from "../engine/session.js";
import { named, t } from "../ui/i18n.js";

/** The server closes with these codes when there is nothing to come back to. */
const FINAL = new Set([4001, 4002]);

/** @typedef {"host" | "guest"} Player */
/**
 * The state of a game by invitation, as the server tells it (docs/web-messages.md).
 * @typedef {object} MeetingState
 * @property {"game"} say
 * @property {string} meeting
 * @property {number} round
 * @property {string} game
 * @property {string | null} start
 * @property {string[]} moves
 * @property {OptionPair[]} options
 * @property {Side} host
 * @property {Side} guest
 * @property {Record<Player, boolean>} come
 * @property {Record<Player, boolean>} here
 * @property {number} watching
 * @property {boolean} draws
 * @property {{ by: Player, what: string } | null} offer
 * @property {{ by: Player }[]} declined
 * @property {(Verdict & { rule: boolean }) | null} ending
 * @property {(Record<Side, number> & { base: number, increment: number, running: Side | null }) | null} clock
 */
/** @typedef {{ say: "refused", kind: string, text: string, reason?: string, at?: string }} Refusal */
/** @typedef {{ link: string, code: string }} Link with its QR code, a picture in SVG */
/** @typedef {{ say: "invited", own: string, guest: Link, spectators: Link }} Invitation the secret of the own seat, and two links */
/** @typedef {{ say: "welcome", seat: Player | "spectator", took: boolean }} Welcome */
/** @typedef {MeetingState | Refusal | Invitation | Welcome | { say: "done" } | { say: "hosting", plain: boolean }} ServerMessage */
/** @typedef {{ do: "invite", game: string, options: OptionPair[], start: string | null, clock: Control | null, side: string, search: boolean }} Invite */
/**
 * @typedef {Invite | { do: "enter", secret: string } | { do: "host", secret?: string } | { do: "move", move: string, ply: number }
 *   | { do: "ask" | "agree" | "decline", what: string } | { do: "resign", sure: true }} ClientMessage
 */
/** @typedef {import("../game/clock.js").Control} Control */

/** What was asked is refused. */
export class NotDone extends Error {
  /** @param {Refusal} refusal */
  constructor({ kind, text, reason, at }) {
    super((kind === "illegal" ? named("illegal", reason ?? "") : named("refusal", kind)) ?? text);
    this.code = kind;
    this.square = at ?? null;
  }
}

export class Meeting {
  /** @type {WebSocket} */
  #socket;
  #opening; // the messages that each new connection begins with
  /** @type {Map<number | undefined, { resolve: (answer: ServerMessage) => void, reject: (error: Error) => void }>} */
  #waiting = new Map(); // questions without an answer, by number
  #numbers = 0;
  #pauses = new Pauses();
  /** @type {number | undefined} */
  #retry;
  #hasEnded = false;
  #on;

  /**
   * Connects, and begins each connection with these messages. `onMessage` receives every message but answers to `ask`.
   * `onLink(isConnected)` tells about the connection. `onEnd(code)` is called once if there is nothing to come back to.
   * @param {ClientMessage[]} opening
   * @param {{ onMessage?: (message: ServerMessage) => void, onLink: (isConnected: boolean) => void, onEnd?: (code: number) => void }} on
   */
  constructor(opening, { onMessage = () => {}, onLink, onEnd = () => {} }) {
    this.#opening = opening;
    this.#on = { onMessage, onLink, onEnd };
    this.#connect();
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  #connect() {
    const socket = new WebSocket(`${ownServer()}meeting`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#pauses.begin();
      for (const message of this.#opening) socket.send(JSON.stringify(message));
      this.#on.onLink(true);
    };
    socket.onmessage = ({ data }) => this.#receive(data);
    socket.onclose = ({ code }) => {
      if (socket === this.#socket) this.#closed(code);
    };
  }

  /** @param {string} data */
  #receive(data) {
    /** @type {ServerMessage & { re?: number }} */
    const message = JSON.parse(data);
    const waiting = this.#waiting.get(message.re);
    if (!waiting) return this.#on.onMessage(message);
    this.#waiting.delete(message.re);
    if (message.say === "refused") waiting.reject(new NotDone(message));
    else waiting.resolve(message);
  }

  /** @param {number} code */
  #closed(code) {
    for (const { reject } of this.#waiting.values()) reject(new Error(t("lost.connection")));
    this.#waiting.clear();
    if (this.#hasEnded) return;
    if (FINAL.has(code)) {
      this.#hasEnded = true;
      return this.#on.onEnd(code);
    }
    this.#on.onLink(false);
    this.#retry = setTimeout(() => this.#connect(), this.#pauses.next());
  }

  /**
   * Asks the server for something; resolves to its answer, or rejects with its refusal.
   * @param {ClientMessage} message
   * @returns {Promise<ServerMessage>}
   */
  ask(message) {
    return new Promise((resolve, reject) => {
      if (!this.isOpen) return reject(new Error(t("lost.connection")));
      const re = ++this.#numbers;
      this.#waiting.set(re, { resolve, reject });
      this.#socket.send(JSON.stringify({ ...message, re }));
    });
  }

  /** Ends the connection for good. */
  close() {
    this.#hasEnded = true;
    clearTimeout(this.#retry);
    this.#socket?.close();
  }
}
