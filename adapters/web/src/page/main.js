// The page, assembled from its parts.

import { App } from "./app.js";
import { BoardView } from "./board.js";
import { keepPage } from "./connection.js";
import { listen } from "./controls.js";
import { keepInSight } from "./desk.js";
import { byId } from "./dom.js";
import { choose, drag } from "./entry.js";
import { openHome } from "./home.js";
import { install, translate } from "./i18n.js";
import { join, mayInvite } from "./invite.js";
import { installPieces } from "./pieces.js";
import { secrets } from "./joined.js";
import { listenToPresence } from "./presence.js";
import { openAddress, reconnect } from "./setup.js";
import shapes from "./shapes.js";
import texts from "./texts.js";

install(texts);
installPieces(shapes);
translate(document);

const view = new BoardView(byId("board"), {
  onSquare: (square) => app.act(() => choose(app, square)),
  onDrag: (from, to) => app.act(() => drag(app, from, to)),
});
const app = new App(view);
listen(app);
keepInSight();
byId("open-invite").hidden = !mayInvite();
join(app);

/** Goes over to the engine at home that the address names, if it names one. */
const openEngine = () => openHome() && reconnect(app, app.leave());

app.guarded(() => reconnect(app));
app.guarded(() => openAddress(app));
app.guarded(openEngine);
addEventListener("hashchange", () => app.guarded(() => openAddress(app)));
addEventListener("hashchange", () => app.guarded(openEngine));
addEventListener("hashchange", () => {
  // Another link was opened in this tab.
  if (secrets().join) location.reload();
});
listenToPresence(app);
keepPage();
byId("unstarted").remove();

/** For tests. */
window.leap = { inspect: () => app.inspect() };
