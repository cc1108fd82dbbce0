// The page's part in a game by invitation. The server has the game: the page sends what the person does, and shows each state
// that the server tells.

import { Clock } from "../game/clock.js";
import { open, reconnect } from "../game/setup.js";
import { announce, byId } from "../ui/dom.js";
import { named, t } from "../ui/i18n.js";
import { other, sideName } from "../ui/panels.js";
import { chime } from "../ui/sound.js";
import { openTab } from "../ui/tabs.js";
import { Meeting } from "./meeting.js";

/** @import { ClientMessage, Player, ServerMessage, Welcome } from "./meeting.js" */

/**
 * Who plays each side, as seen from a seat: this person, or somebody at another device.
 * @param {Welcome["seat"] | null} seat
 * @param {Record<Player, Side>} seats
 * @returns {Players}
 */
export function playersFrom(seat, { host, guest }) {
  const own = seat === "host" ? host : seat === "guest" ? guest : null;
  return { p1: own === "p1" ? "human" : "remote", p2: own === "p2" ? "human" : "remote" };
}

/**
 * The moves that a state adds to these moves; null if it does not go on with them.
 * @param {string[]} before
 * @param {string[]} now
 */
export const added = (before, now) => (before.every((move, at) => move === now[at]) ? now.slice(before.length) : null);

export class Party {
  #app;
  #secret;
  /** @type {Meeting | null} */
  #meeting = null;
  /** @type {MeetingState | null} */
  #shown = null; // the last state on the board
  #isConnected = false;
  /** @type {(() => void)[]} */
  #arrivals = []; // whoever waits for the next state
  #news = ""; // what to say when the game is shown
  /** @type {Welcome["seat"] | null} */
  seat = null; // once the server has told it
  /** @type {MeetingState} */
  state; // once the server has told it

  /**
   * Enters the game of a secret.
   * @param {App} app
   * @param {string} secret
   */
  constructor(app, secret) {
    this.#app = app;
    this.#secret = secret;
    this.resume();
  }

  /** Enters the game again, if the page has left it or another page has taken the seat. */
  resume() {
    document.body.classList.add("invited");
    openTab("moves");
    if (this.#meeting) return;
    this.#meeting = new Meeting([{ do: "enter", secret: this.#secret }], {
      onMessage: (message) => this.#hear(message),
      onLink: (isConnected) => {
        this.#isConnected = isConnected;
        this.#arrive();
        this.#showState();
      },
      onEnd: (code) => {
        this.#meeting = null;
        this.#app.lose(named("lost", String(code)) ?? t("lost.connection"));
      },
    });
  }

  /** @param {ServerMessage} message */
  #hear(message) {
    if (message.say === "welcome") {
      this.seat = message.seat;
      if (message.took) this.#news = t("party.tookOver");
    } else if (message.say === "game") {
      const { state } = this;
      this.state = message;
      this.#tell(state);
      this.#arrive();
      // States that come meanwhile are shown together.
      this.#app.guarded(() => (this.state === message && this.#shown !== message ? this.show() : null));
    }
  }

  #arrive() {
    for (const resolve of this.#arrivals.splice(0)) resolve();
  }

  /**
   * Says what has changed since a state.
   * @param {MeetingState | undefined} before
   */
  #tell(before) {
    const { seat, state } = this;
    const other = seat === "host" ? "guest" : "host";
    const hasCome = before && seat !== "spectator" && !before.here[other] && state.here[other];
    if (hasCome) byId("invite").close();
    const declined = state.declined.filter(({ by }) => by === seat).length;
    const wasDeclined = declined > (before?.declined.filter(({ by }) => by === seat).length ?? declined);
    if (wasDeclined) this.#app.say(t("party.declined"));
  }

  /**
   * The side of this person; null for a spectator.
   * @returns {Side | null}
   */
  get side() {
    const { seat, state } = this;
    return seat === "host" || seat === "guest" ? (state?.[seat] ?? null) : null;
  }

  /** The side whose clock runs. */
  get running() {
    return this.state?.clock?.running ?? null;
  }

  /**
   * Who plays a side, for people.
   * @param {Side} side
   */
  nameOf(side) {
    if (side === this.side) return t("players.you");
    const person = this.state.host === side ? "host" : "guest";
    const isHere = this.state.here[person];
    const name = this.side ? t("party.other") : named("party", person);
    return isHere ? name : t("party.away", { name });
  }

  /** Shows the newest state on the board. */
  async show() {
    const { state } = this;
    const app = this.#app;
    if (!state || !app.engine || !this.#meeting) return;
    // The engine that answers about the rules has gone, perhaps together with the network.
    if (!app.engine.isOpen) return reconnect(app);
    const shown = this.#shown;
    const isSame = shown?.meeting === state.meeting && shown.round === state.round && app.game.id === state.game;
    const more = isSame
      ? added(
          app.game.tree.main.map(({ move }) => move),
          state.moves,
        )
      : null;
    const wasOver = Boolean(shown?.ending);
    this.#shown = state;
    if (more === null) await this.#open();
    else await this.#goOn(more);
    const { ending } = state;
    app.game.verdict = ending && !ending.rule ? { result: ending.result, reason: ending.reason } : null;
    if (ending && !wasOver) chime("end");
    this.#setClock();
    await app.settle();
    this.#showState();
    this.#showOffer();
    if (this.#news) app.say(this.#news);
    this.#news = "";
  }

  /** Sets up the whole game. */
  async #open() {
    const { game: id, start, moves, options } = this.state;
    const players = playersFrom(this.seat, this.state);
    const isFlipped = this.side === "p2";
    await open(this.#app, { id, start, moves, options, players, control: "", isCounting: false, isFlipped });
  }

  /**
   * Plays further moves. Who looks at an earlier position is brought back.
   * @param {string[]} moves
   */
  async #goOn(moves) {
    const app = this.#app;
    const { tree } = app.game;
    if (moves.length && !(app.game.isAtEnd && tree.isOnMain)) await app.visit(tree.main.at(-1) ?? tree.root);
    for (const move of moves) await app.play(move);
  }

  #setClock() {
    const { clock } = this.state;
    if (!clock) {
      this.#app.conduct.clock = null;
      return;
    }
    const { base, increment, p1, p2 } = clock;
    this.#app.conduct.clock = new Clock({ base, increment }, { p1, p2 });
  }

  #showState() {
    const { seat, side, state } = this;
    if (!state) return;
    const board = this.#app.game?.board;
    const parts = [
      seat && (side ? t("party.youPlay", { side: board ? sideName(board, side) : side }) : t("party.youWatch")),
      !this.#isConnected && t("party.reconnecting"),
      !(state.come.host && state.come.guest) && t("party.waiting"),
      state.offer?.by === seat && t("party.asked"),
      state.watching > 0 && t("party.watching", { n: state.watching }),
    ];
    byId("party").hidden = false;
    announce(byId("party-state"), parts.filter(Boolean).join(" "));
    byId("party-links").hidden = seat !== "host";
  }

  #showOffer() {
    const { seat, state } = this;
    const { offer } = state;
    const { question } = this.#app;
    if (!this.side || !offer || offer.by === seat) return question.take();
    const { what } = offer;
    question.ask({
      text: named("asks", what, { side: sideName(this.#app.game.board, other(this.side)) }) ?? what,
      yes: t("party.agree"),
      no: t("party.decline"),
      onYes: () => this.#ask({ do: "agree", what }),
      onNo: () => this.#ask({ do: "decline", what }),
    });
  }

  // ---- what the person does

  /**
   * Sends a move. The board shows it when the server has taken it.
   * @param {string} move
   */
  async play(move) {
    const app = this.#app;
    if (!app.game.isAtEnd || !app.game.tree.isOnMain) throw new Error(t("party.notHere"));
    try {
      /** @type {Promise<void>} */
      const arrived = new Promise((resolve) => this.#arrivals.push(resolve));
      await this.#ask({ do: "move", move, ply: this.state.moves.length });
      await arrived;
      await this.show();
    } catch (error) {
      app.turn.reset();
      app.draw();
      throw error;
    }
  }

  /**
   * Asks the other person for a draw, a takeback or a rematch.
   * @param {string} what
   */
  ask(what) {
    return this.#ask({ do: "ask", what });
  }

  resign() {
    return this.#ask({ do: "resign", sure: true });
  }

  /** @param {ClientMessage} message */
  #ask(message) {
    if (!this.#meeting) throw new Error(t("lost.connection"));
    return this.#meeting.ask(message);
  }

  /** Leaves the game. The seat stays the person's. */
  close() {
    this.#meeting?.close();
    this.#meeting = null;
    document.body.classList.remove("invited");
    byId("party").hidden = true;
  }
}
