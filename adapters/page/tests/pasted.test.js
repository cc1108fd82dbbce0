// What is pasted or dropped, and what can be sent.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isOnlyHere } from "../assets/files/copied.js";
import { readText } from "../assets/files/pasted.js";

const told = (text) => {
  const found = readText(text);
  return found && [found.id, found.start, found.moves.join(" ")];
};

test("position texts are recognized, with the words that programs write around them", () => {
  const fen = "5/1m1m1/5/1m1m1/M3m 1 - 0 10";
  for (const text of [fen, `  ${fen}\n`, fen.replaceAll(" ", "  "), `fen ${fen}`, `position fen ${fen}`]) {
    assert.deepEqual(told(text), [undefined, fen, ""], text);
  }
  assert.deepEqual(told(`position fen ${fen} moves a1c3 b4d2`), [undefined, fen, "a1c3 b4d2"]);
  assert.deepEqual(told("position startpos moves b2c3"), [undefined, null, "b2c3"]);
});

test("moves are recognized, with numbers, comments and a result or without", () => {
  const moves = "b2c3 d2d4@c4@e1 xd4 a12b11";
  const numbered = "1. b2c3 {cp 3 depth 2} 2. d2d4@c4@e1\n3. xd4 4.a12b11 p1win\n";
  for (const text of [moves, numbered, `${moves} *`]) assert.deepEqual(told(text), [undefined, null, moves], text);
});

test("a link is the game of its address, whatever the host", () => {
  assert.deepEqual(told("https://example.org/leap/#game=eximo&moves=c3c4+c6c5"), ["eximo", null, "c3c4 c6c5"]);
  assert.equal(told("https://example.org/#game=eximo and more"), null);
});

test("anything else is not known", () => {
  const chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  const others = [
    "",
    "*",
    "1.",
    "hello",
    "1. e4 e5 2. Nf3",
    chess,
    "b2c3 hello",
    '[Game "eximo"]\n\n1. c3c4 *',
    "ugt 1",
    "position fen",
    "x".repeat(2 << 20),
  ];
  for (const text of others) assert.equal(told(text), null, text.slice(0, 50));
});

test("an address of this machine opens on no other", () => {
  const at = (address) => isOnlyHere(new URL(address));
  for (const address of [
    "http://localhost:8471/",
    "http://127.0.0.1/",
    "http://127.1.2.3/",
    "http://[::1]:80/",
    "file:///home/index.html",
    "http://leap.localhost/",
  ]) {
    assert.ok(at(address), address);
  }
  for (const address of ["https://example.org/", "https://localhost.example.org/", "http://192.168.1.7/", "http://mylocalhost/"]) {
    assert.ok(!at(address), address);
  }
});
