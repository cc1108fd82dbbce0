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
import { byId } from "./dom.js";
import { t } from "./i18n.js";
import { listenLanguage } from "./language.js";
import { isOnlyPerson } from "./panels.js";
import { openTab } from "./tabs.js";
import { setGreeted } from "./welcome.js";

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
 */
function actionOf(app, key) {
  const allowed = (app.exercise && KEYS_OF_EXERCISE) || (app.party && KEYS_OF_PARTY);
  return allowed && !allowed.has(key) ? null : KEYS[key];
}

/** The names of the players in a record. */
function names({ players }) {
  const name = (side) => (players[side] === "engine" ? byId("engine-name").textContent : "a person");
  return { p1: name("p1"), p2: name("p2") };
}

/**
 * Goes to a ply, unless it is displayed or does not exist. Nothing waits or starts anew then.
 * @param {App} app
 */
const stepTo = (app, ply) => (ply === app.game.ply || ply < 0 || ply > app.game.moves.length ? null : app.goTo(ply));

/**
 * The only person sits at the lower edge. A person who turns the board afterwards keeps it so.
 * @param {App} app
 */
function turnTo(app) {
  for (const side of ["p1", "p2"]) if (isOnlyPerson(app.players, side) && app.view.isFlipped !== (side === "p2")) app.flip();
}

/** @param {App} app */
const record = (app) => writeRecord(app.game, names(app), app.game.options);

/**
 * The actions of buttons, by id.
 * @param {App} app
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
  hint: () => app.hint(),
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
  continue: () => openRecent(app, app.offered),
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
 */
const chooseGame = (app, id) => app.exercise?.switchTo(id) ?? openNew(app, id);

/**
 * Listens to everything except the board.
 * @param {App} app
 */
export function listen(app) {
  const editor = new Editor(app);
  const actions = { ...actionsOf(app), edit: () => editor.open() };
  document.addEventListener("click", (/** @type {any} */ { target }) => {
    const button = target.closest("button");
    if (!button) return;
    if (button.dataset.game) app.act(() => chooseGame(app, button.dataset.game));
    else if (button.dataset.recent) app.act(() => openRecent(app, button.dataset.recent));
    else if (button.id in actions) app.act(actions[button.id]);
  });
  document.addEventListener("keydown", (/** @type {any} */ event) => {
    const isElsewhere = event.defaultPrevented || event.target.closest("input, select, textarea, dialog");
    if (isElsewhere || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = actionOf(app, event.key);
    if (!action || (action === "cancel" && app.turn?.isEmpty && !app.question.isOpen)) return;
    event.preventDefault();
    app.act(actions[action]);
  });
  const onChange = (id, task) => byId(id).addEventListener("change", ({ target }) => app.act(() => task(target)));
  for (const side of ["p1", "p2"]) {
    onChange(`${side}-player`, ({ value }) => {
      app.players[side] = value;
      if (app.game.moves.length) app.ladder.spoil();
      // A person's own choice also holds for the next game.
      Object.assign(app, { own: null, isPaused: false });
      turnTo(app);
      return app.resettle();
    });
    onChange(`${side}-level`, ({ value }) => {
      app.conduct.levels[side] = value;
      return app.resettle();
    });
  }
  onChange("analyse", () => {
    if (app.game.moves.length) app.ladder.spoil();
    return app.resettle();
  });
  onChange("show-bar", ({ checked }) => app.analysis.wantBar(checked));
  onChange("line-count", ({ value }) => {
    app.analysis.choose(Number(value));
    return app.resettle();
  });
  listenToExact(app);
  listenToExplorer(app);
  onChange("follow", ({ checked }) => {
    app.ladder.isOn = checked;
    app.remember();
  });
  byId("details").addEventListener("toggle", ({ target }) => app.guarded(() => (target.open ? app.resettle() : app.draw())));
  onChange("note", ({ value }) => {
    app.game.tree.node.text = value.trim();
    app.remember();
  });
  listenToGraph(app);
  listenToControl(app, onChange);
  listenToChooser();
  listenLanguage(app);
  listenToLooks(app);
  listenToDrops(app);
  listenToPractice(app);
  byId("file").addEventListener("change", async ({ target }) => {
    if (target.files.length) await openFile(app, target.files[0]);
    target.value = "";
  });
}

/**
 * The time control: one of the list, or one that is written. It holds immediately, with new clocks.
 * @param {App} app
 */
function listenToControl(app, onChange) {
  const take = async (text) => {
    app.conduct.set({ control: text });
    app.conduct.showChoices();
    await app.resettle();
  };
  onChange("control", ({ value }) => {
    const isCustom = value === "custom";
    byId("own-control").hidden = !isCustom;
    if (isCustom) byId("own-control").focus();
    return isCustom ? null : take(value);
  });
  onChange("own-control", ({ value }) => {
    if (!readControl(value)) throw new Error(t("clock.wrong", { found: value }));
    return take(value.trim());
  });
}
