// The actions of buttons, lists and keys.

import { Editor } from "../board/editor.js";
import { listenToLooks } from "../board/looks.js";
import { copyPicture } from "../board/picture.js";
import { leaveHome, takeHome } from "../engine/home.js";
import { showThreat } from "../engine/threats.js";
import { copyLink, copyText } from "../files/copied.js";
import { listenToDrops } from "../files/dropped.js";
import { endBrowsing, listenToExplorer } from "../files/explorer.js";
import { save } from "../files/files.js";
import { forgetRecent, listenToChooser } from "../files/library.js";
import { chooseBrowsed, openFile } from "../files/opened.js";
import { writeRecord } from "../files/records.js";
import { readControl } from "../game/clock.js";
import { cancel, endTurn } from "../game/entry.js";
import { listenToExact } from "../game/exact.js";
import { begin, bringBack, openNew, openRecent, reconnect, rematch } from "../game/setup.js";
import { decline } from "../game/unfinished.js";
import { copyInvitation, leaveParty, makeInvitation, openInvite } from "../meeting/invite.js";
import { startLesson } from "../practice/lesson.js";
import { listenToPractice } from "../practice/practice.js";
import { startPuzzles } from "../practice/puzzles.js";
import { setKnown, showGuide } from "../practice/teaching.js";
import { listenToGraph } from "../review/card.js";
import { around, byId } from "./dom.js";
import { t } from "./i18n.js";
import { listenLanguage } from "./language.js";
import { isOnlyPerson, SIDES } from "./panels.js";
import { openTab } from "./tabs.js";
import { setGreeted } from "./welcome.js";

/** @import { Answers } from "./dialog.js" */

/** @type {Record<string, string>} */
const KEYS = {
  Escape: "cancel",
  u: "undo",
  r: "redo",
  f: "flip",
  n: "new-game",
  e: "end-turn",
  h: "hint",
  "?": "how-to-play",
  b: "bring-back",
  p: "pause",
  a: "analyse-key",
  t: "threat",
  ArrowLeft: "step-back",
  ArrowRight: "step-forward",
  Home: "first",
  End: "last",
};

/** The keys that do something during an exercise. */
const KEYS_OF_EXERCISE = new Set(["Escape", "e", "f"]);

/** The keys that do something in a game by invitation. */
const KEYS_OF_PARTY = new Set([...KEYS_OF_EXERCISE, "u", "?", "ArrowLeft", "ArrowRight", "Home", "End"]);

/**
 * What a key does now.
 * @param {App} app
 * @param {string} key
 */
function actionOf(app, key) {
  const allowed = (app.exercise && KEYS_OF_EXERCISE) || (app.party && KEYS_OF_PARTY);
  return allowed && !allowed.has(key) ? null : KEYS[key];
}

/**
 * The names of the players in a record.
 * @param {App} app
 */
function names({ players }) {
  /** @param {Side} side */
  const name = (side) => (players[side] === "engine" ? byId("engine-name").textContent : "a person");
  return { p1: name("p1"), p2: name("p2") };
}

/**
 * Goes to a ply, unless it is displayed or does not exist. Nothing waits or starts anew then.
 * @param {App} app
 * @param {number} ply
 */
const stepTo = (app, ply) => (ply === app.game.ply || ply < 0 || ply > app.game.moves.length ? null : app.goTo(ply));

/**
 * The only person sits at the lower edge. A person who turns the board afterwards keeps it so.
 * @param {App} app
 */
function turnTo(app) {
  for (const side of SIDES) if (isOnlyPerson(app.players, side) && app.view.isFlipped !== (side === "p2")) app.flip();
}

/** @param {App} app */
const record = (app) => writeRecord(app.game, names(app), app.game.options);

/**
 * The actions of buttons, by id.
 * @param {App} app
 * @returns {Record<string, (question: Answers | null) => unknown>}
 */
const actionsOf = (app) => ({
  "new-game": () => begin(app),
  again: () => begin(app),
  rematch: () => (app.party ? app.party.ask("rematch") : rematch(app)),
  "open-invite": () => openInvite(app),
  "party-links": () => openInvite(app),
  "make-invitation": () => makeInvitation(app),
  "close-invite": () => byId("invite").close(),
  "copy-guest": () => copyInvitation(app, "invite-guest"),
  "copy-spectators": () => copyInvitation(app, "invite-spectators"),
  "leave-party": () => leaveParty(),
  hint: () => app.searches.hint(),
  "how-to-play": () => showGuide(app),
  learn: () => showGuide(app),
  "greeting-learn": () => showGuide(app),
  lesson: () => startLesson(app),
  "first-lesson": () => startLesson(app),
  "greeting-lesson": () => startLesson(app),
  "course-lesson": () => startLesson(app),
  practice: () => startPuzzles(app),
  known: () => setKnown(app),
  greeted: () => setGreeted(),
  "close-guide": () => byId("guide").close(),
  "end-turn": () => endTurn(app),
  cancel: () => cancel(app),
  undo: () => (app.turn.isEmpty ? app.undo() : cancel(app)),
  redo: () => app.goTo(app.game.ply + 1),
  first: () => stepTo(app, 0),
  last: () => stepTo(app, app.game.moves.length),
  "step-back": () => stepTo(app, app.game.ply - 1),
  "step-forward": () => stepTo(app, app.game.ply + 1),
  threat: () => showThreat(app),
  "analyse-key": () => byId("analyse").click(),
  "end-browsing": () => endBrowsing(app),
  "choose-browsed": () => chooseBrowsed(app),
  resume: () => app.resume(),
  pause: () => (app.isPaused ? app.resume() : app.conduct.pause()),
  "move-now": () => app.conduct.moveNow(),
  resign: () => app.conduct.resign(),
  accept: (question) => question?.onYes(),
  decline: (question) => question?.onNo(),
  "offer-draw": () => app.conduct.offerDraw(),
  "bring-back": () => bringBack(app),
  continue: () => app.offered && openRecent(app, app.offered),
  "begin-another": () => decline(app),
  "forget-recent": () => forgetRecent(app),
  reconnect: () => reconnect(app),
  "use-home": () => {
    takeHome();
    return reconnect(app, app.leave());
  },
  "leave-home": () => {
    leaveHome();
    return reconnect(app, app.leave());
  },
  flip: () => app.flip(),
  review: () => app.reviewer.begin(),
  "review-over": () => {
    openTab("review");
    app.reviewer.begin();
  },
  "stop-review": () => app.reviewer.halt(),
  retry: () => app.reviewer.retry(),
  promote: () => app.promote(),
  "delete-variation": () => app.deleteVariation(),
  "set-fen": () => {
    const fen = byId("fen").value.trim();
    return fen === app.game.fen ? null : begin(app, fen);
  },
  "copy-link": () => copyLink(app),
  "copy-record": () => copyText(app, record(app), t("files.recordCopied")),
  "copy-picture": () => copyPicture(app),
  "copy-position": () => copyText(app, app.game.fen, t("files.positionCopied")),
  "save-record": () => save(`${app.game.id}.ugr`, record(app)),
  "save-transcript": () => save(`${app.game.id}.ugt`, app.log.text()),
  load: () => byId("file").click(),
});

/**
 * Starts a new game, or goes on with the exercises of another game.
 * @param {App} app
 * @param {string} id
 */
const chooseGame = (app, id) => app.exercise?.switchTo(id) ?? openNew(app, id);

/**
 * Runs a task when a person has changed a field.
 * @template {Id} I
 * @param {App} app
 * @param {I} id
 * @param {(field: ElementOf<I>) => unknown} task
 */
const onChange = (app, id, task) => byId(id).addEventListener("change", () => app.act(() => task(byId(id))));

/**
 * Listens to everything except the board.
 * @param {App} app
 */
export function listen(app) {
  const editor = new Editor(app);
  const actions = actionsOf(app);
  actions.edit = () => editor.open();
  document.addEventListener("click", (event) => {
    const button = around(event, "button");
    if (!button) return;
    const { game, recent } = button.dataset;
    if (game) app.act(() => chooseGame(app, game));
    else if (recent) app.act(() => openRecent(app, recent));
    else if (button.id in actions) app.act(actions[button.id]);
  });
  document.addEventListener("keydown", (event) => {
    const isElsewhere = event.defaultPrevented || around(event, "input, select, textarea, dialog");
    if (isElsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = actionOf(app, event.key);
    if (!action || (action === "cancel" && app.turn?.isEmpty && !app.question.isOpen)) return;
    event.preventDefault();
    app.act(actions[action]);
  });
  for (const side of SIDES) {
    onChange(app, `${side}-player`, ({ value }) => {
      app.players[side] = value === "engine" ? value : "human";
      if (app.game.moves.length) app.ladder.spoil();
      // A person's own choice also holds for the next game.
      Object.assign(app, { own: null, isPaused: false });
      turnTo(app);
      return app.resettle();
    });
    onChange(app, `${side}-level`, ({ value }) => {
      app.conduct.levels[side] = value;
      return app.resettle();
    });
  }
  onChange(app, "analyse", () => {
    if (app.game.moves.length) app.ladder.spoil();
    return app.resettle();
  });
  onChange(app, "show-bar", ({ checked }) => app.analysis.wantBar(checked));
  onChange(app, "line-count", ({ value }) => {
    app.analysis.choose(Number(value));
    return app.resettle();
  });
  listenToExact(app);
  listenToExplorer(app);
  onChange(app, "follow", ({ checked }) => {
    app.ladder.isOn = checked;
    app.remember();
  });
  byId("details").addEventListener("toggle", () => app.guarded(() => (byId("details").open ? app.resettle() : app.draw())));
  onChange(app, "note", ({ value }) => {
    app.game.tree.node.text = value.trim();
    app.remember();
  });
  listenToGraph(app);
  listenToControl(app);
  listenToChooser();
  listenLanguage(app);
  listenToLooks(app);
  listenToDrops(app);
  listenToPractice(app);
  const file = byId("file");
  file.addEventListener("change", async () => {
    if (file.files?.length) await openFile(app, file.files[0]);
    file.value = "";
  });
}

/**
 * The time control: one of the list, or one that is written. It holds immediately, with new clocks.
 * @param {App} app
 */
function listenToControl(app) {
  /** @param {string} text */
  const take = async (text) => {
    app.conduct.set({ control: text });
    app.conduct.showChoices();
    await app.resettle();
  };
  onChange(app, "control", ({ value }) => {
    const isCustom = value === "custom";
    byId("own-control").hidden = !isCustom;
    if (isCustom) byId("own-control").focus();
    return isCustom ? null : take(value);
  });
  onChange(app, "own-control", ({ value }) => {
    if (!readControl(value)) throw new Error(t("clock.wrong", { found: value }));
    return take(value.trim());
  });
}
