// The place beside the board where the page speaks to the player. It sticks to the edge of the window; where even that is
// scrolled away, what it says comes to the edge by itself.

import { byId } from "./dom.js";

export function keepInSight() {
  // The upper end of the place, which does not move when the messages below it come and go.
  const observer = new IntersectionObserver(([{ isIntersecting }]) => byId("desk").classList.toggle("away", !isIntersecting));
  observer.observe(byId("desk-top"));
}
