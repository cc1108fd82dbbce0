// The place beside the board where the page speaks to the player. It sticks to the edge of the window; where even that is
// scrolled away, what it says comes to the edge by itself.

import { byId } from "./dom.js";

/** What the place and the players' lines take at most, in pixels. */
const ROOM = 272;
const ANY = 1_000_000;

export function keepInSight() {
  // The end of what surrounds the place: a message that comes or goes does not move it across the line that decides.
  const options = { rootMargin: `${-ROOM}px 0px ${ANY}px 0px` };
  const observer = new IntersectionObserver(([{ isIntersecting }]) => byId("desk").classList.toggle("away", !isIntersecting), options);
  observer.observe(byId("play-end"));
}
