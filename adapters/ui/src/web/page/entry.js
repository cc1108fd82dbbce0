// A person's turn on the board: choosing squares or dragging pieces until the move is complete.

import { squareOf, Turn } from "./turn.js";

/** A square was chosen. */
export async function choose(app, square) {
  const { game, turn } = app;
  if (game.isOver || !app.isHuman) return;
  await app.engine.stop();
  app.wrong.clear();
  const token = turn.tokenFor(square);
  if (token) {
    await turn.add(token);
    if (turn.isComplete) return app.play(turn.path);
  } else if (turn.canEnd && square === turn.place) {
    // As in XBoard: the last click on the piece ends its turn.
    return app.play(turn.path);
  } else if (turn.taken.length === 1 && turn.taken[0] === square) {
    turn.reset();
    await turn.refresh();
  } else if (turn.isEmpty) {
    await refuse(app, square, square);
  } else {
    await refuse(app, turn.path + square, square);
    await meanAnother(app, square);
  }
  app.draw();
}

/** Displays why a move is illegal, with the engine's reason. */
async function refuse(app, move, square) {
  const why = await app.game.whyNot(move);
  if (!why) return;
  app.wrong = new Set([why.square ?? square]);
  app.say(why.text, true);
}

/** Restarts the turn with this square, if a move can begin there. */
async function meanAnother(app, square) {
  const first = new Turn(app.game);
  await first.refresh();
  const token = first.tokenFor(square);
  if (!token) return;
  app.turn = first;
  await first.add(token);
  app.say("");
  app.wrong.clear();
}

/** A piece was dragged to another square. */
export async function drag(app, from, to) {
  const { turn } = app;
  if (app.game.isOver || !app.isHuman) return;
  const last = turn.taken.at(-1);
  if (last === undefined || squareOf(last) !== from) {
    turn.reset();
    await turn.refresh();
    await choose(app, from);
  }
  if (!app.turn.isEmpty) await choose(app, to);
}

/** Ends the turn here. */
export async function endTurn(app) {
  if (app.turn.canEnd) await app.play(app.turn.path);
}

/** Takes the last step back. */
export async function cancel(app) {
  await app.turn.back();
  app.draw();
}
