// The place beside the board where the page speaks to the player. It sticks to the edge of the window. If even the
// place is scrolled away, its messages stick to the edge themselves.

import { byId } from "./dom.js";

/** The most height that the place and the players' lines take, in pixels. */
const ROOM = 272;
const ANY = 1_000_000;

export function keepInSight() {
  // The end of the surrounding element decides. A message that comes or goes must not change the decision.
  const options = { rootMargin: `${-ROOM}px 0px ${ANY}px 0px` };
  const observer = new IntersectionObserver(([{ isIntersecting }]) => byId("desk").classList.toggle("away", !isIntersecting), options);
  observer.observe(byId("play-end"));
}
