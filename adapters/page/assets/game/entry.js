// A person's turn on the board: choosing squares or dragging pieces until the move is complete.

import { squareOf } from "./turn.js";

/**
 * Makes a move that a person has entered. An exercise, or the server of a game by invitation, judges it first.
 * @param {Entry} app
 * @param {string} move
 */
const make = (app, move) => (app.exercise ?? app.party ?? app).play(move);

/**
 * Handles a chosen square.
 * @param {Entry} app
 * @param {string} square
 */
export async function choose(app, square) {
  const { game, turn } = app;
  if (game.isOver || !app.isHuman) return;
  await app.engine.stop();
  app.wrong.clear();
  const [token, origin] = [turn.tokenFor(square), turn.originFor(square)];
  if (token) {
    if (turn.next.get(token)) return make(app, turn.path + token);
    await turn.add(token);
    // An engine without turns tells only now that nothing can follow.
    if (turn.isComplete) return make(app, turn.path);
  } else if (turn.canEnd && square === turn.place) {
    // As in XBoard, the last click on the piece ends its turn.
    return make(app, turn.path);
  } else if (turn.taken.length === 1 && turn.taken[0] === square) {
    turn.reset();
  } else if (origin) {
    // The person means another move.
    turn.reset();
    await turn.add(origin);
  } else {
    await refuse(app, turn.path + square, square);
  }
  app.draw();
}

/**
 * Displays why a move is illegal, with the engine's reason.
 * @param {Entry} app
 * @param {string} move
 * @param {string} square
 */
async function refuse(app, move, square) {
  const why = await app.game.whyNot(move);
  if (!why) return;
  app.wrong = new Set([why.square ?? square]);
  app.say(why.text, true);
}

/**
 * Handles a piece that was dragged to another square.
 * @param {Entry} app
 * @param {string} from
 * @param {string} to
 */
export async function drag(app, from, to) {
  const { turn } = app;
  if (app.game.isOver || !app.isHuman) return;
  const last = turn.taken.at(-1);
  if (last === undefined || squareOf(last) !== from) {
    turn.reset();
    await choose(app, from);
  }
  if (!app.turn.isEmpty) await choose(app, to);
}

/**
 * Ends the turn here.
 * @param {Entry} app
 */
export async function endTurn(app) {
  if (app.turn.ended) await make(app, app.turn.ended);
}

/**
 * Takes the last step back.
 * @param {Entry} app
 */
export async function cancel(app) {
  app.turn.back();
  app.draw();
}
