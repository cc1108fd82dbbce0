// Games in the address of the page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, readAddress, readPlace } from "../assets/files/address.js";
import { hashAt } from "../assets/ui/trail.js";

globalThis.location = { origin: "https://example.org", pathname: "/leap/" };

const GAME = { id: "sapos", start: "8/8 1 - 0 0", moves: ["d2d4@c4", "d6f6", "a1b1"], ply: 2, options: [["SaposRevisit", "a=b c"]] };

test("an address brings back its game at the position that was displayed", () => {
  const { hash } = new URL(addressOf(GAME));
  const { record, ...found } = readAddress(hash);
  assert.deepEqual(found, { ...GAME, moves: GAME.moves.slice(0, 2) });
  assert.equal(record, null);
});

test("a game without moves from its own start is its name alone", () => {
  const address = addressOf({ id: "eximo", start: null, moves: [], ply: 0, options: [] });
  assert.equal(address, "https://example.org/leap/#game=eximo");
  assert.deepEqual(readAddress("#game=eximo").moves, []);
});

test("an address without a game is none", () => {
  for (const hash of ["", "#", "#board", "#fen=8/8", "#moves=a1a2"]) assert.equal(readAddress(hash), null, hash);
});

test("a short address names a game, and maybe a ply", () => {
  assert.deepEqual(readPlace("#eximo"), { id: "eximo", ply: 0 });
  assert.deepEqual(readPlace("#eximo/12"), { id: "eximo", ply: 12 });
  for (const other of ["", "#", "#game=eximo", "#join=0", "#eximo/x", "#eximo/123456"]) assert.equal(readPlace(other), null, other);
  assert.equal(hashAt("eximo", 0), "#eximo");
  assert.deepEqual(readPlace(hashAt("eximo", 3)), { id: "eximo", ply: 3 });
});
