// A game by invitation at the server: its messages (docs/web-messages.md), and a connection that comes back by itself.

import { ownServer, Pauses } from "../engine/session.js";
import { named, t } from "../ui/i18n.js";

/** The server closes with these codes when there is nothing to come back to. */
const FINAL = new Set([4001, 4002]);

/** What was asked is refused. */
export class NotDone extends Error {
  constructor({ kind, text, reason, at }) {
    super((kind === "illegal" ? named("illegal", reason) : named("refusal", kind)) ?? text);
    this.code = kind;
    this.square = at ?? null;
  }
}

export class Meeting {
  /** @type {WebSocket} */
  #socket;
  #opening = []; // the messages that each new connection begins with
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
   */
  constructor(opening, { onMessage = (_message) => {}, onLink = (_isConnected) => {}, onEnd = (_code) => {} }) {
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

  #receive(data) {
    const message = JSON.parse(data);
    const waiting = this.#waiting.get(message.re);
    if (!waiting) return this.#on.onMessage(message);
    this.#waiting.delete(message.re);
    if (message.say === "refused") waiting.reject(new NotDone(message));
    else waiting.resolve(message);
  }

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

  /** Asks the server for something; resolves to its answer, or rejects with its refusal. */
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
