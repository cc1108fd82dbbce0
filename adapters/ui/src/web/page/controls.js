// The actions of buttons, lists and keys.

import { byId } from "./dom.js";
import { cancel, endTurn } from "./entry.js";
import { readControl } from "./clock.js";
import { copyLink, copyText } from "./copied.js";
import { listenToDrops } from "./dropped.js";
import { save } from "./files.js";
import { setGreeted } from "./greeting.js";
import { t } from "./i18n.js";
import { listenLanguage } from "./language.js";
import { forgetRecent, listenToChooser } from "./library.js";
import { listenToLooks } from "./looks.js";
import { openFile } from "./opened.js";
import { writeRecord } from "./records.js";
import { begin, bringBack, openNew, openRecent, reconnect, rematch } from "./setup.js";
import { setKnown, showGuide } from "./teaching.js";
import { decline } from "./unfinished.js";

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
};

/** The names of the players in a record. */
function names({ players }) {
  const name = (side) => (players[side] === "human" ? "a person" : byId("engine-name").textContent);
  return { p1: name("p1"), p2: name("p2") };
}

const record = (app) => writeRecord(app.game, names(app), app.game.options);

/** The actions of buttons, by id. */
const actionsOf = (app) => ({
  "new-game": () => begin(app),
  again: () => begin(app),
  rematch: () => rematch(app),
  hint: () => app.hint(),
  "how-to-play": () => showGuide(app),
  learn: () => showGuide(app),
  known: () => setKnown(app),
  greeted: () => setGreeted(),
  "close-guide": () => byId("guide").close(),
  "end-turn": () => endTurn(app),
  cancel: () => cancel(app),
  undo: () => (app.turn.isEmpty ? app.undo() : cancel(app)),
  redo: () => app.goTo(app.game.ply + 1),
  first: () => app.goTo(0),
  last: () => app.goTo(Number.POSITIVE_INFINITY),
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
  flip: () => app.flip(),
  "set-fen": () => {
    const fen = byId("fen").value.trim();
    return fen === app.game.fen ? null : begin(app, fen);
  },
  "copy-link": () => copyLink(app),
  "copy-record": () => copyText(app, record(app), t("files.recordCopied")),
  "copy-position": () => copyText(app, app.game.fen, t("files.positionCopied")),
  "save-record": () => save(`${app.game.id}.ugr`, record(app)),
  "save-transcript": () => save(`${app.game.id}.ugt`, app.log.text()),
  load: () => byId("file").click(),
});

/** Listens to everything except the board. */
export function listen(app) {
  const actions = actionsOf(app);
  document.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    if (button.dataset.game) app.act(() => openNew(app, button.dataset.game));
    else if (button.dataset.recent) app.act(() => openRecent(app, button.dataset.recent));
    else if (button.id in actions) app.act(actions[button.id]);
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, textarea, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = KEYS[event.key];
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
      return app.resettle();
    });
    onChange(`${side}-level`, ({ value }) => {
      app.conduct.levels[side] = value;
      return app.resettle();
    });
  }
  onChange("analyse", () => app.resettle());
  onChange("follow", ({ checked }) => {
    app.ladder.isOn = checked;
    app.remember();
  });
  byId("details").addEventListener("toggle", ({ target }) => target.open && app.guarded(() => app.resettle()));
  listenToControl(app, onChange);
  listenToChooser();
  listenLanguage(app);
  listenToLooks(app);
  listenToDrops(app);
  byId("file").addEventListener("change", async ({ target }) => {
    if (target.files.length) await openFile(app, target.files[0]);
    target.value = "";
  });
}

/** The time control: one of the list, or one that is written. It holds immediately, with new clocks. */
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
