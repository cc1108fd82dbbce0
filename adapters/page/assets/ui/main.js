// The page, assembled from its parts.

import { BoardView } from "../board/board.js";
import { installPieces } from "../board/pieces.js";
import { shapes } from "../board/shapes.js";
import { keepPage } from "../engine/connection.js";
import { openHome } from "../engine/home.js";
import { listenToPresence } from "../engine/presence.js";
import { choose, drag } from "../game/entry.js";
import { goBackTo, openAddress, reconnect } from "../game/setup.js";
import { isGuest, join } from "../meeting/invite.js";
import { secrets } from "../meeting/secrets.js";
import { scales } from "../review/scales.js";
import { installScales } from "../review/yardstick.js";
import { App } from "./app.js";
import { listen } from "./controls.js";
import { byId } from "./dom.js";
import { install, translate } from "./i18n.js";
import { listenMenu } from "./menu.js";
import { listenTabs } from "./tabs.js";
import { texts } from "./texts.js";
import { listenTrail } from "./trail.js";

install(texts);
installScales(scales);
installPieces(shapes);
translate(document);

const view = new BoardView(byId("board"), {
  onSquare: (square) => app.act(() => choose(app, square)),
  onDrag: (from, to) => app.act(() => drag(app, from, to)),
});
const app = new App(view);
listen(app);
listenTabs();
listenMenu();
listenTrail((at) => app.act(() => goBackTo(app, at)));
byId("open-invite").hidden = isGuest();
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
