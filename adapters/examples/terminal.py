#!/usr/bin/env python3
"""Plays, shows and referees any game of a leap engine on a terminal, without knowing a rule.

    python3 adapters/examples/terminal.py --game eximo --p1 human --p2 engine target/release/leapd

Everything shown comes from the engine (SPEC 17.4). The program asks for a game or a player that is not given.
"""

import argparse
import contextlib
import re
import subprocess
import sys
import textwrap


class Refused(Exception):
    """The text of an error line."""


class Engine:
    """An engine process, held in step by an `isready` after every command (SPEC 17.10)."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    def command(self, line, last="readyok"):
        """The reply without `info` lines, up to the line that begins with `last`. An error line is raised."""
        with contextlib.suppress(OSError):  # reading shows whether the engine has ended
            self.process.stdin.write(line + ("\nisready\n" if last == "readyok" else "\n"))
            self.process.stdin.flush()
        reply, first = [], ""
        while first != last and not (first == "error" and last == "bestmove"):
            reply.append(self.process.stdout.readline().rstrip() or sys.exit("the engine has ended"))
            first = reply[-1].split()[0]
        if errors := [line.partition(" : ")[2] for line in reply if line.startswith("error ")]:
            raise Refused(errors[0])
        return [line for line in reply if not line.startswith("info ")]

    def ask(self, question):
        """What follows `response` in the answer to a query."""
        return self.command("query " + question)[0][len("response") :].strip()

    def move(self, side, move):
        """Makes a move and prints its effects. Those from `side` on (SPEC 4.28) are shown with the next position."""
        print(f"{side} plays {move}:", self.ask("effects " + move).partition("side ")[0])
        self.command("move " + move)


def pairs(words):
    return dict(zip(words[::2], words[1::2]))


class Board:
    """The board as `query board` describes it."""

    def __init__(self, engine):
        lines = [line.split()[1:] for line in engine.command("query board") if line.startswith("board ")]
        size = next(pairs(words) for words in lines if words[0] == "files")
        self.files, self.ranks = int(size["files"]), int(size["ranks"])
        self.lines = [(self.place(words[1]), self.place(words[2])) for words in lines if words[0] == "line"]
        pieces = [(words[1], pairs(words[2:])) for words in lines if words[0] == "piece"]
        print(", ".join(f"{letter} {piece['name']} ({piece['owner']})" for letter, piece in pieces))

    def place(self, square):
        return ord(square[0]) - ord("a"), self.ranks - int(square[1:])  # column and row, from the top left

    def draw(self, fen):
        """Draws a position text (SPEC 9.8). A mark between two points shows their line; X marks two that cross."""
        gap = 2 if self.lines else 1
        print()
        canvas = [[" "] * 4 * self.files for _ in range(gap * (self.ranks - 1) + 1)]
        for y, row in enumerate(fen.split()[0].split("/")):
            cells = re.sub(r"\d+", lambda run: "." * int(run.group()), row)
            for x, piece in enumerate(re.findall(r"[.A-Za-z]~?", cells)):
                canvas[gap * y][4 * x : 4 * x + len(piece)] = piece
        for (x, y), (to_x, to_y) in self.lines:
            mark = "-" if y == to_y else "|" if x == to_x else "/" if (x < to_x) != (y < to_y) else "\\"
            row, column = canvas[y + to_y], 2 * (x + to_x)
            row[column] = mark if row[column] == " " else "X"
        for y, row in enumerate(canvas):
            print(f"{'' if y % gap else self.ranks - y // gap:3}  {''.join(row)}".rstrip())
        print("    ", "   ".join(chr(ord("a") + x) for x in range(self.files)))


def explain(engine, board, language):
    """The rules in the engine's words, with its positions (SPEC 4.35)."""
    for _, kind, text in (line.split(" ", 2) for line in engine.command("query rules " + language)[:-2]):
        head, _, text = text.partition(" : ")
        if kind == "clause":
            print("\n" + textwrap.fill(f"{head}: {text}"))
        elif kind == "example":
            board.draw(head.removeprefix("fen "))
            print(textwrap.fill(": ".join([*head.partition(" move ")[2].split()[:1], text])))


def play(engine, players, limits):
    """Plays a whole game. The position is shown whenever it has changed."""
    board, shown = Board(engine), None
    while True:
        fen, status = engine.ask("fen"), pairs(engine.ask("status").split())
        if fen != shown:
            board.draw(fen)
            print(", ".join(f"{key} {value}" for key, value in status.items() if value != "none"))
        if status["over"] == "true":
            return print(f"result: {status['result']} ({status['reason']})")
        shown, side = fen, status["turn"]
        if players[side] == "human":
            human_turn(engine, board, players, side)
        else:
            engine.move(side, engine.command("go " + limits, last="bestmove")[-1].split()[1])


def human_turn(engine, board, players, side):
    """Reads a line of a human and does what it says. EOFError ends the game."""
    text = "".join(input(f"{side}> ").split())
    try:
        if text == "quit":
            raise EOFError
        if text in ("", "help", "moves"):
            print(engine.ask("moves limit 100"))
            print("type a move, or its beginning to see what may follow, or: moves, undo, rules, quit")
        elif text.startswith("rules"):
            explain(engine, board, text[len("rules"):])
        elif text == "undo":
            engine.command("undo")
            while players[pairs(engine.ask("status").split())["turn"]] != "human" and engine.ask("history") != "0":
                engine.command("undo")
        elif (verdict := engine.ask("legal " + text)) == "true":
            engine.move(side, text)
        else:
            print("not legal:", verdict.partition(" : ")[2])
            with contextlib.suppress(Refused):  # if no move begins like this
                print("may follow:", engine.ask("next " + text))
    except Refused as refused:
        print("refused:", refused)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", help="its id")
    for side in ("p1", "p2"):
        parser.add_argument("--" + side, choices=["human", "engine"])
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the engine")
    parser.add_argument("--go", default="movetime 500", help="how the engine is to search (%(default)s)")
    parser.add_argument("engine", nargs="+", help="the command line of the engine, after -- if it has options")
    args = parser.parse_args()
    engine = Engine(args.engine)
    try:
        game = args.game or input(f"game ({engine.ask('games')}): ").strip()
        for option in [*args.option, "Game=" + game]:
            engine.command("setoption name " + option.replace("=", " value ", 1))
        sides = {side: getattr(args, side) or input(f"{side} (human or engine): ").strip() for side in ("p1", "p2")}
        play(engine, sides, args.go)
    except Refused as refused:
        sys.exit(str(refused))
    except (EOFError, KeyboardInterrupt):
        print("not finished")


if __name__ == "__main__":
    main()
