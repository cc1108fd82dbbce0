"""A match of an engine with itself, an analysis, and the replay of a transcript."""

import argparse
import re
from pathlib import Path
from typing import List

from leapclient import Engine, Limit, Refused


def match(one: Engine, two: Engine) -> str:
    """Plays one game. The first engine has p1 and is the referee."""
    while not (status := one.status()).over:
        two.position(moves=one.history())
        best = (one if status.turn == "p1" else two).play(Limit(nodes=200)).move
        assert best is not None
        one.move(best)
    return f"{status.result} ({status.reason}) in {status.ply} plies"


def analyse(engine: Engine) -> None:
    """Prints the three best moves. Then searches one move, and reads lines until the search is deep enough."""
    engine.configure({"MultiPV": 3})
    for info in engine.analyse(Limit(depth=5)):
        print(f"{info.multipv}. {info.score} {' '.join(info.pv)}")
    engine.configure({"MultiPV": 1})
    with engine.analysis(Limit(search_moves=("b2c3",))) as analysis:
        for info in analysis:
            if info.depth is not None and info.depth >= 4:
                break
    print("b2c3:", info.score)


def answer(engine: Engine, command: str) -> List[str]:
    """The reply to a command, or its error line."""
    try:
        return engine.command(command)
    except Refused as error:
        return [error.line]


def replay(engine: Engine, transcript: str) -> int:
    """Repeats the commands (`> `) of a transcript. Returns how many expected lines (`< `) do not come.

    `...` matches anything. `leap replay` does more: searches and perft, hostile input, lines in any order.
    """
    missing, heard = 0, []
    for entry in transcript.splitlines():
        if entry.startswith("game "):
            engine.configure({"Game": entry[len("game "):]})
        elif entry.startswith("> "):
            heard = answer(engine, entry[len("> "):])
        elif entry.startswith("< "):
            pattern = ".*".join(map(re.escape, entry[len("< "):].split("...")))
            if not any(re.fullmatch(pattern, line) for line in heard):
                print("expected", entry[len("< "):], "found", heard)
                missing += 1
    return missing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine", help="the program, such as target/release/leapd")
    parser.add_argument("transcript", type=Path, help="a file such as games/alquerque/transcripts/agreed-draw.ugt")
    args = parser.parse_args()
    with Engine.popen(args.engine) as one, Engine.popen(args.engine) as two:
        for engine in (one, two):
            engine.configure({"Game": "alquerque", "MaxPlies": 60})
        print("match:", match(one, two))
        one.position()
        analyse(one)
    with Engine.popen(args.engine) as engine:
        print("lines that did not come:", replay(engine, args.transcript.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
