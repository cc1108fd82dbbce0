// The script of a page of `leap report` or `leap analyse`: it shows the games in the page's data.

import { installPieces } from "../board/pieces.js";
import { Viewer } from "./viewer.js";

/** @import { ViewerData } from "./viewer.js" */

/** @type {ViewerData & { pieces: string }} */
const data = JSON.parse(document.getElementById("data")?.textContent ?? "");
const container = document.getElementById("viewer") ?? document.body;
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
