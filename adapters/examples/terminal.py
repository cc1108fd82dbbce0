#!/usr/bin/env python3
"""Plays, shows and referees any game of a leap engine on a terminal, without knowing a rule.

    python3 adapters/examples/terminal.py --game eximo --p1 human --p2 engine -- target/release/leapd

Everything shown is asked of the engine (SPEC 17). Moves are typed whole (`c3c4`) or begun (`c3`) to see what may follow.
"""

import argparse
import subprocess
import sys


class Refused(Exception):
    """The engine's error line, or its reason why a move is not legal."""


class Engine:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def receive(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit("the engine has ended")
        if line.startswith("error "):
            raise Refused(line.partition(" : ")[2].strip())
        return line.strip()

    def ask(self, question):
        """The rest of the one line that answers a query."""
        self.send("query " + question)
        line = self.receive()
        while not line.startswith("response"):
            line = self.receive()
        return line[len("response"):].strip()

    def do(self, command):
        """Sends a command that is silent when it works; an error surfaces before `readyok` does."""
        self.send(command)
        self.send("isready")
        refused = None
        while True:
            try:
                if self.receive() == "readyok":
                    break
            except Refused as error:
                refused = error
        if refused:
            raise refused

    def lines_until(self, command, last):
        self.send(command)
        lines = []
        while not lines or not lines[-1].startswith(last):
            lines.append(self.receive())
        return lines


def pairs(text):
    words = text.split()
    return dict(zip(words[0::2], words[1::2]))


class Board:
    """What `query board` says, enough to draw a position text."""

    def __init__(self, engine):
        self.names = {}
        for line in engine.lines_until("query board", "boardok"):
            words = line.split()
            if words[1:2] == ["files"]:
                size = pairs(line[len("board "):])
                self.files, self.ranks = int(size["files"]), int(size["ranks"])
            elif words[1:2] == ["piece"]:
                self.names[words[2]] = pairs(" ".join(words[3:]))["name"]

    def draw(self, fen):
        rows = fen.split()[0].split("/")
        for i, row in enumerate(rows):
            print(f"{self.ranks - i:3} ", " ".join(f"{cell:2}" for cell in self.cells(row)))
        print("     " + " ".join(f"{chr(ord('a') + file):2}" for file in range(self.files)))

    def cells(self, row):
        cells = []
        while row:
            digits = len(row) - len(row.lstrip("0123456789"))
            if digits:
                cells += ["."] * int(row[:digits])
                row = row[digits:]
            else:
                length = 2 if row[1:2] == "~" else 1
                cells.append(row[:length])
                row = row[length:]
        return cells


def human_move(engine, side):
    while True:
        text = input(f"{side}> ").strip()
        if text in ("", "help"):
            print("begin with:", engine.ask("next"))
            continue
        try:
            verdict = engine.ask("legal " + text)
            if verdict == "true":
                return text
            if " incomplete " in f" {verdict} " or "missing" in verdict or "must-continue" in verdict:
                print("may follow:", engine.ask("next " + text))
            else:
                print(verdict.partition(" : ")[2])
        except Refused as error:
            print(error)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="alquerque")
    parser.add_argument("--p1", choices=["human", "engine"], default="human")
    parser.add_argument("--p2", choices=["human", "engine"], default="engine")
    parser.add_argument("--movetime", type=int, default=500, help="milliseconds for an engine's move")
    parser.add_argument("engine", nargs="+", help="the engine's command line")
    args = parser.parse_args()
    engine = Engine(args.engine)
    try:
        engine.do("setoption name Game value " + args.game)
    except Refused as error:
        sys.exit(f"{error}")
    board = Board(engine)
    print("pieces:", ", ".join(f"{letter} {name}" for letter, name in board.names.items()))
    while True:
        board.draw(engine.ask("fen"))
        status = pairs(engine.ask("status"))
        print(" ".join(f"{key} {value}" for key, value in status.items() if value != "none"))
        if status["over"] == "true":
            break
        side = status["turn"]
        if getattr(args, side) == "human":
            move = human_move(engine, side)
        else:
            move = engine.lines_until(f"go movetime {args.movetime}", "bestmove")[-1].split()[1]
            print(f"{side} plays {move}: {engine.ask('effects ' + move)}")
        engine.do("move " + move)
    engine.send("quit")


if __name__ == "__main__":
    main()
