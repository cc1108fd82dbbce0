// Which door of the server the page came through. The server replaces this file: "own" at this machine, "guests" at the address
// for guests.

/** @type {"none" | "own" | "guests"} */
export const door = "none";
