// The conduct of a game besides its moves: pauses, clocks, levels, resignation, draws by agreement.

import { Refused } from "../engine/engine.js";
import { byId, html } from "../ui/dom.js";
import { t } from "../ui/i18n.js";
import { isOnlyPerson, other, SIDES, sideName } from "../ui/panels.js";
import { levelOf, LEVELS } from "../ui/settings.js";
import { chime } from "../ui/sound.js";
import { Clock, CONTROLS, readControl, timeText } from "./clock.js";

/** How often the clocks are displayed, in milliseconds. */
const TICK_MS = 100;
const USUAL_LEVEL = LEVELS[0].id;

export class Conduct {
  #app;
  /** @type {number | undefined} */
  #ticking;
  /** @type {Set<string>} */
  #extensions = new Set();
  /** @type {Map<string, boolean>} */
  #drawn = new Map(); // whether a game knows draws by agreement, by id
  /** @type {Clock | null} */
  clock = null;
  control = ""; // the time control in force: `5+3`, or empty without clocks
  /** @type {Record<Side, string>} */
  levels = { p1: USUAL_LEVEL, p2: USUAL_LEVEL };
  isOffering = false; // a draw is offered together with the next move

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  // ---- what an engine knows

  /** Asks a new engine what it knows. */
  async learn() {
    const [, , ...extensions] = (await this.#app.engine.ask("query protocol")).split(" ");
    this.#extensions = new Set(extensions);
    this.#drawn.clear();
    byId("parts").hidden = !this.#extensions.has("eval");
    byId("practice").hidden = !this.#extensions.has("problems");
  }

  /**
   * Whether the engine has an extension of the protocol.
   * @param {string} extension
   */
  knows(extension) {
    return this.#extensions.has(extension);
  }

  /** Finds out whether the game knows draws by agreement. Only an offer tells, and it does not change the game (SPEC 4.31). */
  async meet() {
    const { game } = this.#app;
    if (this.#drawn.has(game.id)) return;
    this.#drawn.set(game.id, this.#extensions.has("draw") && (await this.#isAnswered()));
  }

  async #isAnswered() {
    try {
      await this.#app.engine.aside.command("draw offer");
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return !/^(not-in-this-game|unknown-)/.test(error.code);
    }
  }

  // ---- state

  save() {
    const { clock, control, levels } = this;
    return { levels: { ...levels }, control, times: clock?.times ?? null };
  }

  /**
   * Takes over the settings of a played game. Clocks start anew if no times are left of them.
   * @param {Pick<KeptGame, "levels" | "control" | "times">} settings
   */
  set({ levels = this.levels, control = this.control, times = null } = {}) {
    const known = SIDES.every((side) => levelOf(levels[side]));
    if (known) this.levels = { ...levels };
    this.hold();
    const read = readControl(control);
    this.control = read ? control : "";
    this.clock = read && new Clock(read, times ?? undefined);
    this.isOffering = false;
  }

  // ---- clocks

  /**
   * A side has moved. It is null if the move is not part of the game. A person's move ends a pause, and the offer to bring the
   * previous game back.
   * @param {Side | null} side
   * @param {boolean} isPerson
   */
  moved(side, isPerson) {
    // The server has the clocks of a game by invitation.
    if (side && !this.#app.party) this.clock?.press(side);
    if (isPerson) Object.assign(this.#app, { isPaused: false, left: null });
  }

  /** Lets the clock of the side to move run, from the first move on. */
  goOn() {
    const { party } = this.#app;
    const side = this.clock && (party ? party.running : this.#sideOnClock);
    const isRunning = Boolean(side);
    this.clock?.run(isRunning ? side : null);
    clearInterval(this.#ticking);
    this.#ticking = isRunning ? setInterval(() => this.#tick(), TICK_MS) : undefined;
  }

  /** The side whose clock runs in a game of this page; null if none does. */
  get #sideOnClock() {
    const { game, isFree, isHuman, isPaused, searches } = this.#app;
    const isWaiting = isFree || isPaused || (searches.isResting && !isHuman);
    return game.isLive && !isWaiting && game.ply > 0 ? game.status.turn : null;
  }

  /** Stops the clocks. */
  hold() {
    this.clock?.run(null);
    clearInterval(this.#ticking);
  }

  #tick() {
    this.#showClocks();
    const flag = this.clock?.flag;
    if (!flag || this.#app.party) return;
    this.hold();
    this.#app.guarded(() => this.#conclude(other(flag), "time"));
  }

  // ---- actions

  async pause() {
    const app = this.#app;
    if (app.game.isOver) return;
    app.searches.overtake();
    await app.engine.stop();
    app.isPaused = true;
    await app.settle();
  }

  /** Asks the engine to move now. */
  moveNow() {
    if (this.#app.searches.isThinking) this.#app.engine.hurry();
  }

  /** The person at the board resigns, after a question. Of two people, the one to move resigns. */
  resign() {
    const { game, party, question } = this.#app;
    const side = this.#resigning;
    if (!side || game.isOver) return;
    question.ask({
      text: this.#isBetweenPeople ? t("resign.askedOf", { side: sideName(game.board, side) }) : t("resign.asked"),
      yes: t("conduct.resign"),
      no: t("resign.no"),
      onYes: () => (party ? party.resign() : this.#conclude(other(side), "resignation")),
    });
  }

  get #isBetweenPeople() {
    return SIDES.every((side) => this.#app.players[side] === "human");
  }

  get #resigning() {
    const { game, players } = this.#app;
    return this.#isBetweenPeople ? game.status.turn : SIDES.find((side) => players[side] === "human");
  }

  /** Offers a draw. A second person is asked now. An engine is asked when it is to move, so the offer goes with a move. */
  async offerDraw() {
    const app = this.#app;
    if (app.game.isOver) return;
    if (app.party) return app.party.ask("draw");
    if (this.#isBetweenPeople) return this.#askOther();
    this.isOffering = !this.isOffering;
    if (!app.isHuman) return this.deliverOffer();
    if (!this.isOffering) app.say(t("draw.takenBack"));
    app.draw();
  }

  /** The side to move offers a draw to the person on the other side of the board. */
  #askOther() {
    const { game, question } = this.#app;
    const [side, asked] = [game.status.turn, other(game.status.turn)].map((each) => sideName(game.board, each));
    question.ask({
      text: t("draw.asked", { side, asked }),
      yes: t("draw.accept"),
      no: t("draw.decline"),
      onYes: () => this.#conclude(null, "agreement"),
      onNo: () => this.#app.say(t("draw.declinedBy", { asked })),
    });
  }

  /** Asks the engine that is to move about an offer, if one was made. */
  async deliverOffer() {
    const app = this.#app;
    if (!this.isOffering || app.game.isOver || app.isHuman) return;
    this.isOffering = false;
    app.searches.overtake();
    await app.engine.stop();
    const answer = await app.engine.command("draw offer");
    if (answer.includes("draw accept")) return this.#conclude(null, "agreement");
    app.say(t("draw.declined"));
    await app.settle();
  }

  /**
   * Ends the game other than by its rules. Without a winner it is a draw.
   * @param {Side | null} winner
   * @param {string} reason
   */
  async #conclude(winner, reason) {
    const app = this.#app;
    app.searches.overtake();
    await app.engine.stop();
    if (app.game.isOver) return;
    await app.game.visit(app.game.tree.main.at(-1) ?? app.game.tree.root);
    app.game.verdict = { result: winner ? `${winner}win` : "draw", reason };
    app.isPaused = false;
    app.say("");
    chime("end");
    await app.settle();
  }

  /** The engine resigns the game of the side to move (SPEC 5.11a). */
  resigned() {
    return this.#conclude(other(this.#app.game.status.turn), "resignation");
  }

  /** Takes back a resignation or an agreed draw, if the end of the game is shown. Returns whether there was one. */
  withdraw() {
    const { game } = this.#app;
    if (!game.isAtEnd || !/^(resignation|agreement)$/.test(game.verdict?.reason ?? "")) return false;
    game.verdict = null;
    return true;
  }

  // ---- display

  /** Fills the lists of levels and time controls. */
  showChoices() {
    for (const side of SIDES) {
      const level = this.levels[side];
      const choices = LEVELS.map(({ id, name }) => html("option", { value: id, selected: id === level }, name()));
      byId(`${side}-level`).replaceChildren(...choices);
    }
    const isCustom = this.control !== "" && !CONTROLS.includes(this.control);
    const offered = [["", t("clock.none")], ...CONTROLS.map((control) => [control, control]), ["custom", t("clock.custom")]];
    const chosen = isCustom ? "custom" : this.control;
    byId("control").replaceChildren(...offered.map(([value, text]) => html("option", { value, selected: value === chosen }, text)));
    byId("own-control").value = isCustom ? this.control : "";
    byId("own-control").hidden = !isCustom;
  }

  /** Shows the clocks, and the buttons that are of use now. */
  show() {
    const { game, isFree, isPaused, party, players, searches } = this.#app;
    const isOn = !game.isOver && !party && !isFree;
    /**
     * @param {Exclude<Id, Ids["svg" | "rect"]>} id
     * @param {boolean | undefined} isShown
     */
    const show = (id, isShown) => {
      byId(id).hidden = !isShown;
    };
    const hasPerson = SIDES.some((side) => players[side] === "human");
    show("pause", isOn && !isPaused && game.isAtEnd);
    show("resume", isOn && isPaused);
    show("move-now", isOn && searches.isThinking);
    show("resign", game.isLive && hasPerson && game.ply > 0);
    for (const side of SIDES) show(`${side}-level`, players[side] === "engine");
    show("offer-draw", game.isLive && hasPerson && (party ? party.state?.draws : this.#drawn.get(game.id)));
    byId("offer-draw").setAttribute("aria-pressed", String(this.isOffering));
    byId("resume").textContent = t(game.isAtEnd ? "players.goOn" : "players.resume");
    this.#showLevel();
    this.#showClocks();
  }

  /** Shows what the engine overlooks that a person plays against. */
  #showLevel() {
    const { players } = this.#app;
    const side = SIDES.find((each) => isOnlyPerson(players, other(each)));
    const level = side && levelOf(this.levels[side]);
    byId("level").hidden = !level?.what;
    // Results against people change no level.
    byId("follow").closest("label")?.toggleAttribute("hidden", !side);
    byId("level-what").textContent = level?.what?.() ?? "";
    // Of ten moves, those that it looks at are filled.
    const looks = Array.from({ length: 10 }, (_, at) => html("i", { class: at < 10 - (level?.overlooks ?? 0) ? "" : "overlooked" }));
    byId("level-picture").replaceChildren(...looks);
  }

  #showClocks() {
    const { board } = this.#app.game;
    for (const side of SIDES) {
      const field = byId(`${side}-clock`);
      field.hidden = !this.clock;
      if (!this.clock) continue;
      const left = this.clock.left(side);
      field.textContent = timeText(left);
      field.setAttribute("aria-label", t("clock.of", { side: sideName(board, side) }));
      field.classList.toggle("running", this.clock.running === side);
      field.classList.toggle("short", left < 10_000);
    }
  }
}
