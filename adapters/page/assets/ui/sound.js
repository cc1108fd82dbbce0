// Sounds, made by the browser: a click for a move, a double one for a capture, a chord at the end of a game.

import { looks } from "../board/looks.js";

/** @typedef {[frequency: number, after: number, length: number]} Tone in hertz, and in seconds */
/** @typedef {"move" | "capture" | "end"} Sound */

/**
 * The tones of each sound.
 * @type {Record<Sound, Tone[]>}
 */
const SOUNDS = {
  move: [[420, 0, 0.07]],
  capture: [
    [300, 0, 0.08],
    [210, 0.06, 0.12],
  ],
  end: [
    [392, 0, 0.25],
    [523, 0.12, 0.35],
  ],
};
/** Soft, since sounds are on unless a person turns them off. */
const LOUDNESS = 0.07;

/** @type {AudioContext | null} */
let output = null;

/**
 * Plays a sound, if the person wants sounds and the browser lets the page.
 * @param {Sound} kind
 */
export async function chime(kind) {
  // Browsers keep a page silent until a person has touched it. An earlier sound would be heard late.
  if (looks.sound !== "on" || navigator.userActivation?.hasBeenActive === false) return;
  try {
    output ??= new AudioContext();
    if (output.state === "suspended") await output.resume();
    for (const tone of SOUNDS[kind]) play(output, tone);
  } catch {
    // Without sound the game goes on.
  }
}

/**
 * @param {AudioContext} output
 * @param {Tone} tone
 */
function play(output, [frequency, after, length]) {
  const from = output.currentTime + after;
  const [tone, loudness] = [new OscillatorNode(output, { type: "triangle", frequency }), new GainNode(output, { gain: 0 })];
  loudness.gain.setValueAtTime(LOUDNESS, from);
  loudness.gain.exponentialRampToValueAtTime(0.001, from + length);
  tone.connect(loudness).connect(output.destination);
  tone.start(from);
  tone.stop(from + length);
}

/**
 * The sound of a move with these effects.
 * @param {Effect[]} effects
 * @param {boolean} isOver
 * @returns {Sound}
 */
export function soundOf(effects, isOver) {
  if (isOver) return "end";
  return effects.some(({ kind }) => kind === "captured" || kind === "changed") ? "capture" : "move";
}
