// The script of a page of `leap report` or `leap analyse`: it shows the games in the page's data.

import { installPieces } from "../board/pieces.js";
import { byId } from "../ui/dom.js";
import { Viewer } from "./viewer.js";

const data = JSON.parse(byId("data").textContent);
const container = byId("viewer");
installPieces(data.pieces);
const viewer = new Viewer(container, data);

/** Shows the game that the address names, or else the first one. */
function follow() {
  if (!viewer.follow(location.hash)) return;
  container.scrollIntoView({ block: "nearest" });
  container.focus({ preventScroll: true });
}

addEventListener("hashchange", follow);
follow();
