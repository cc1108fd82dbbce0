// The actions of buttons, lists and keys.

import { byId } from "./dom.js";
import { cancel, endTurn } from "./entry.js";
import { save, writeRecord } from "./files.js";
import { listenLanguage } from "./language.js";
import { begin, load, open, reconnect, rules } from "./setup.js";

const KEYS = { Escape: "cancel", u: "undo", r: "redo", f: "flip", n: "new-game", e: "end-turn" };

/** The actions of buttons, by id. */
const actionsOf = (app) => ({
  "new-game": () => begin(app),
  "end-turn": () => endTurn(app),
  cancel: () => cancel(app),
  undo: () => (app.turn.isEmpty ? app.undo() : cancel(app)),
  redo: () => app.goTo(app.game.ply + 1),
  first: () => app.goTo(0),
  last: () => app.goTo(Number.POSITIVE_INFINITY),
  resume: () => app.resume(),
  reconnect: () => reconnect(app),
  flip: () => app.flip(),
  "set-fen": () => {
    const fen = byId("fen").value.trim();
    return fen === app.game.fen ? null : begin(app, fen);
  },
  "save-record": () => save(`${app.game.id}.ugr`, writeRecord(app.game, app.players, rules(app))),
  "save-transcript": () => save(`${app.game.id}.ugt`, app.log.text()),
  load: () => byId("file").click(),
});

/** Listens to everything except the board. */
export function listen(app) {
  const actions = actionsOf(app);
  document.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    if (button.dataset.game) app.guarded(() => open(app, { id: button.dataset.game }));
    else if (button.id in actions) app.guarded(actions[button.id]);
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = KEYS[event.key];
    if (!action || (action === "cancel" && app.turn?.isEmpty)) return;
    event.preventDefault();
    app.guarded(actions[action]);
  });
  const onChange = (id, task) => byId(id).addEventListener("change", ({ target }) => app.guarded(() => task(target)));
  for (const side of ["p1", "p2"]) {
    onChange(`${side}-player`, async ({ value }) => {
      await app.engine.stop();
      app.players[side] = value;
      await app.resume();
    });
  }
  for (const id of ["level", "analyse"]) onChange(id, () => app.resettle());
  listenLanguage(app);
  onChange("file", async (target) => {
    const [file] = target.files;
    target.value = "";
    if (file) await load(app, file);
  });
}
