// The page, assembled from its parts.

import { App } from "./app.js";
import { BoardView } from "./board.js";
import { listen } from "./controls.js";
import { byId } from "./dom.js";
import { choose, drag } from "./entry.js";
import { install, translate } from "./i18n.js";
import { reconnect } from "./setup.js";
import texts from "./texts.js";

install(texts);
translate(document);

const view = new BoardView(byId("board"), {
  onSquare: (square) => app.guarded(() => choose(app, square)),
  onDrag: (from, to) => app.guarded(() => drag(app, from, to)),
});
const app = new App(view);
listen(app);
app.guarded(() => reconnect(app));

/** For tests. */
window.leap = { inspect: () => app.inspect() };
