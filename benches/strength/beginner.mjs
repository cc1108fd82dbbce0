#!/usr/bin/env node
// Measures the page's weakest level (docs/levels.md): it plays sparring players as the page lets it play.
//   benches/strength/beginner LEAPD [GAME|all] [GAMES] [BLIND]
// GAMES against each player, colours alternating [100]. BLIND is the share of moves that the level makes without
// looking at the board [that of the page].
// Each line is a game and a player: wins, draws and losses of the level, and the score of the player in percent.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { dice, stray } from "../../adapters/ui/src/web/page/beginner.js";
import { LEVELS } from "../../adapters/ui/src/web/page/settings.js";

const [leapd, game = "all", count = "100", share] = process.argv.slice(2);
if (!leapd) {
  console.error("beginner: expected the engine's program, found nothing");
  process.exit(2);
}
const [, level] = LEVELS[0];
const blind = share === undefined ? level.blind : Number(share);

/** An engine whose commands are answered in order. */
class Process {
  #waiting = [];
  #lines = [];

  constructor(...options) {
    this.child = spawn(leapd, options, { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: this.child.stdout }).on("line", (line) => this.#read(line));
  }

  #read(line) {
    this.#lines.push(line);
    if (!line.startsWith(this.#waiting[0]?.until)) return;
    const lines = this.#lines.splice(0);
    this.#waiting.shift().resolve(lines);
  }

  command(line, until = "readyok") {
    return new Promise((resolve) => {
      this.#waiting.push({ until, resolve });
      this.child.stdin.write(until === "readyok" ? `${line}\nisready\n` : `${line}\n`);
    });
  }

  async ask(question) {
    return (await this.command(question)).find((line) => line.startsWith("response")).slice("response ".length);
  }

  async go(limits) {
    return (await this.command(`go ${limits}`, "bestmove")).at(-1).split(" ")[1];
  }
}

/** One game; returns 1, 0.5 or 0 for the level. */
async function play(beginner, player, seed, isFirst) {
  for (const engine of [beginner, player]) {
    await engine.command(`setoption name Seed value ${seed}`);
    await engine.command("uginewgame");
  }
  for (let ply = 0; ; ply++) {
    const result = await beginner.ask("query result");
    if (result === "draw") return 0.5;
    if (result !== "none") return Number((result === "p1win") === isFirst);
    const isOwn = ((await beginner.ask("query p1turn")) === "true") === isFirst;
    const random = dice(seed * 1009 + ply);
    const strays = isOwn && random() < blind;
    const move = (strays && (await stray(beginner, random))) || (await (isOwn ? beginner : player).go(isOwn ? level.go : "movetime 1000"));
    await Promise.all([beginner, player].map((engine) => engine.command(`move ${move}`)));
  }
}

async function measure(id, name) {
  const [beginner, player] = [new Process(), new Process("--player", name)];
  await Promise.all([beginner, player].map((engine) => engine.command(`setoption name Game value ${id}`)));
  await beginner.command(`setoption name Strength value ${level.strength}`);
  const scores = [];
  for (let at = 0; at < Number(count); at++) scores.push(await play(beginner, player, at + 1, at % 2 === 0));
  for (const engine of [beginner, player]) engine.child.kill();
  const [won, drawn, lost] = [1, 0.5, 0].map((score) => scores.filter((each) => each === score).length);
  console.log(`${id} against ${name}: ${won}-${drawn}-${lost}, ${name} scores ${Math.round((100 * (lost + drawn / 2)) / scores.length)} %`);
}

const games = game === "all" ? ["alquerque", "eximo", "froglet", "sapos", "tactica"] : [game];
for (const id of games) for (const name of ["random", "greedy"]) await measure(id, name);
