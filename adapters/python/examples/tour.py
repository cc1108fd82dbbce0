"""A match, an analysis and the replay of a transcript: python3 examples/tour.py path/to/leapd"""

import sys

from leapclient import Engine, IllegalMove, Limit


def match(one: Engine, two: Engine) -> str:
    """One game; the first engine has p1 and is the referee."""
    while not (status := one.status()).over:
        two.position(moves=one.history())
        best = (one if status.turn == "p1" else two).play(Limit(nodes=200)).move
        assert best is not None
        one.move(best)
    return f"{status.result} ({status.reason}) in {status.ply} plies"


def replay(engine: Engine, transcript: str) -> None:
    """Sends the lines marked `> ` that are moves, and says where a move fails."""
    engine.position()
    for line in transcript.splitlines():
        if line.startswith("> move "):
            try:
                engine.move(*line.split()[2:])
            except IllegalMove as error:
                print(f"refused {error.move}: {error.reason} at {error.square}")
    print("replayed:", engine.fen())


def main() -> None:
    with Engine.popen(sys.argv[1]) as one, Engine.popen(sys.argv[1]) as two:
        for engine in (one, two):
            engine.configure({"Game": "alquerque", "MaxPlies": 60})
        print("match:", match(one, two))
        one.position()
        with one.analysis() as analysis:
            for info in analysis:
                if info.depth is not None and info.depth >= 4:
                    break
        print("analysis:", one.analyse(Limit(depth=4))[0].pv)
        replay(one, "> move b2c3\n> move b2b3\n")


if __name__ == "__main__":
    main()
