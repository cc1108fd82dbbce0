// The list of games in the header. Where the games do not fit beside one another, a button opens it.

import { byId } from "./dom.js";

/** @param {boolean} isOpen */
const show = (isOpen) => byId("menu").setAttribute("aria-expanded", String(isOpen));

/** Listens to the button. Any other click, and Escape, closes the list. */
export function listenMenu() {
  const button = byId("menu");
  const isOpen = () => button.getAttribute("aria-expanded") === "true";
  document.addEventListener("click", ({ target }) => show(target instanceof Node && button.contains(target) && !isOpen()));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isOpen()) return;
    event.preventDefault();
    show(false);
    button.focus();
  });
}
