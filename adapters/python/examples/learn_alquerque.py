#!/usr/bin/env python3
"""A table learns Alquerque with few men from its own games, and is compared with the exact values of the engine.

Q-learning with replay: the table has a value for each action (a token of a move) in each position, for the player to
move. The eight symmetries of the board share an entry.
Usage: learn_alquerque.py [LEAPD] [--men 3] [--minutes 10] [--out curve]
The curve is written as curve.csv and curve.svg.
"""

import argparse
import itertools
import random
import time
from typing import Dict, Iterator, List, Tuple

import numpy as np

from leapclient import Engine
from leapclient.environments.games import Games

SIZE = 25
END = SIZE
# A shorter game than usual, so that a count ends it while the last capture is still near.
QUIET_LIMIT = 20
# How many of the last actions are kept, how many are learned from at each step, and how far a value then moves.
KEPT, REPLAYED, RATE = 1 << 18, 4096, 0.05
# The columns of the curve. The last three are compared with the exact values.
HEADINGS = "steps,seconds,entries,error of the value,wrong values,wrong moves"


def symmetries() -> np.ndarray:
    """The eight ways to turn and mirror the board: for each, the square that comes to each square."""
    board = np.arange(SIZE).reshape(5, 5)
    turned = [np.rot90(board, turns) for turns in range(4)]
    return np.array([view.reshape(-1) for one in turned for view in (one, one[:, ::-1])])


VIEWS = symmetries()
# For each symmetry, where an action comes to. The end of a move stays.
ACTIONS = np.hstack([np.argsort(VIEWS, axis=1), np.full((8, 1), END)])


class Table:
    """The values of the actions, from -1 for a loss to 1 for a win."""

    def __init__(self) -> None:
        self.rows: Dict[bytes, int] = {}
        self.values = np.zeros((1 << 10, SIZE + 1), np.float32)
        self.legal = np.zeros((1 << 10, SIZE + 1), np.bool_)
        # What was played: row, action, reward, the row after it, and a sign.
        # The sign is 0 at the end of a game, and -1 if the other player is to move then.
        self.played = np.zeros((KEPT, 5), np.float32)
        self.count = 0

    def find(self, planes: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
        """The row of each position and the symmetry under which it is kept, by own men, other men and route."""
        cells = (planes[:, 0] + 2 * planes[:, 1] + 4 * planes[:, 2] + 8 * planes[:, 3]).astype(np.uint8)
        views = cells.reshape(-1, SIZE)[:, VIEWS]
        texts = [[view.tobytes() for view in game] for game in views]
        kept = [min(range(8), key=game.__getitem__) for game in texts]
        rows = [self.rows.setdefault(game[view], len(self.rows)) for game, view in zip(texts, kept)]
        while len(self.rows) > len(self.values):
            self.values = np.vstack([self.values, np.zeros_like(self.values)])
            self.legal = np.vstack([self.legal, np.zeros_like(self.legal)])
        return np.array(rows), np.array(kept)

    def see(self, games: Games) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The rows of the games, where each of their actions is in its row, and the values of the legal actions."""
        names = [games.planes.index(name) for name in ("own man", "other man", "route", "here")]
        rows, kept = self.find(games.observe()[:, names])
        places = ACTIONS[kept]
        self.legal[rows[:, None], places] = games.masks
        values = np.take_along_axis(self.values[rows], places, axis=1)
        return rows, places, np.where(games.masks, values, -np.inf)

    def remember(self, played: np.ndarray) -> None:
        """Keeps what was played, in place of the oldest."""
        self.played[(self.count + np.arange(len(played))) % KEPT] = played
        self.count += len(played)

    def replay(self, source: np.random.Generator) -> None:
        """Moves the values of some actions towards what came after them."""
        chosen = self.played[source.integers(0, min(self.count, KEPT), REPLAYED)]
        row, action, after = chosen[:, (0, 1, 3)].astype(np.intp).T
        best = self.values[after].max(axis=1, where=self.legal[after], initial=-1)
        target = np.where(chosen[:, 4] == 0, chosen[:, 2], chosen[:, 4] * best)
        self.values[row, action] += RATE * (target - self.values[row, action])


def positions(men: int) -> Iterator[str]:
    """The position texts with at most so many men, in which the first player is to move. Both have a man."""
    for own, other in itertools.product(range(1, men), repeat=2):
        if own + other <= men:
            for mine in itertools.combinations(range(SIZE), own):
                free = [square for square in range(SIZE) if square not in mine]
                for theirs in itertools.combinations(free, other):
                    yield text(mine, theirs)


def text(mine: Tuple[int, ...], theirs: Tuple[int, ...]) -> str:
    """The position text, in which empty squares are counted."""
    cells = ["M" if square in mine else "m" if square in theirs else "1" for square in range(SIZE)]
    ranks = ["".join(cells[5 * rank:5 * rank + 5]) for rank in reversed(range(5))]
    joined = "/".join("".join(str(len(list(run))) if cell == "1" else "".join(run)
                              for cell, run in itertools.groupby(rank)) for rank in ranks)
    return f"{joined} 1 - 0 0"


def learn(table: Table, games: Games, starts: List[str], source: np.random.Generator, steps: int) -> None:
    """Plays a while, and learns from it and from what was played before."""
    games.reset([starts[source.integers(len(starts))] for _ in range(games.count)])
    rows, places, values = table.see(games)
    for _ in range(steps):
        # A third of the actions are random.
        noise = source.random(values.shape)
        greedy = (values + 1e-6 * noise).argmax(axis=1)
        chance = np.where(games.masks, noise, -np.inf).argmax(axis=1)
        actions = np.where(source.random(games.count) < 1 / 3, chance, greedy)
        was_over, players = games.over, games.players
        rewards, over = games.step(actions.tolist())
        next_rows, next_places, next_values = table.see(games)
        sign = np.where(over, 0, np.where(games.players == players, 1, -1))
        every = np.arange(games.count)
        action = places[every, actions]
        table.remember(np.stack([rows, action, rewards[every, players], next_rows, sign], axis=1)[~was_over])
        table.replay(source)
        rows, places, values = next_rows, next_places, next_values


def exact_values(engine: Engine, starts: List[str]) -> List[Tuple[int, Dict[str, int]]]:
    """The value of each position and of its moves: 1, 0 or -1."""
    worth = {"win": 1, "draw": 0, "loss": -1}
    engine.configure({"Game": "alquerque"})
    found = []
    for start in starts:
        engine.position(start)
        value = engine.value()
        found.append((worth[value.position.worth], {move: worth[exact.worth] for move, exact in value.moves.items()}))
    return found


def compare(table: Table, games: Games, starts: List[str],
            exact: List[Tuple[int, Dict[str, int]]]) -> Tuple[float, ...]:
    """The mean error of the value, and the shares of positions whose value and whose best move are wrong."""
    errors, values, moves = [], 0, 0
    for first in range(0, len(starts) - games.count + 1, games.count):
        games.reset(starts[first:first + games.count])
        _, _, seen = table.see(games)
        known = exact[first:first + games.count]
        found = np.clip(seen.max(axis=1), -1, 1)
        errors += [abs(value - worth) for value, (worth, _) in zip(found, known)]
        values += sum(round(float(value)) != worth for value, (worth, _) in zip(found, known))
        # Each game goes on until its first move is made.
        done: List[str] = [""] * games.count
        while not all(done):
            games.step(seen.argmax(axis=1).tolist())
            for index in range(games.count):
                done[index] = done[index] or "".join(games.moves(index)[:1])
            _, _, seen = table.see(games)
        moves += sum(known[index][1].get(done[index], -2) < known[index][0] for index in range(games.count))
    return float(np.mean(errors)), values / len(errors), moves / len(errors)


def picture(rows: List[Tuple[float, ...]]) -> str:
    """The curve as SVG."""
    width, height, left, top = 640, 240, 44, 16
    last = max(rows[-1][0], 1)
    parts = []
    for tick in range(6):
        y = top + height * (5 - tick) / 5
        parts.append(f'<path d="M{left} {y:.0f}h{width}" stroke="#ccc"/>'
                     f'<text x="4" y="{y + 4:.0f}">{tick / 5:.1f}</text>')
    lines = zip(HEADINGS.split(",")[3:], ("#9c2413", "#1f5fa8", "#2f8f4e"), zip(*(row[3:] for row in rows)))
    for number, (name, colour, values) in enumerate(lines):
        points = " ".join(f"{left + width * row[0] / last:.1f},{top + height * (1 - value):.1f}"
                          for row, value in zip(rows, values))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
                     f'<text x="{left + width - 170}" y="{top + 20 + 18 * number}" fill="{colour}">{name}</text>')
    parts.append(f'<text x="{left}" y="{top + height + 18}">0</text>'
                 f'<text x="{left + width}" y="{top + height + 18}" text-anchor="end">{last:,.0f} steps</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 16} {top + height + 28}" '
            f'font-family="sans-serif" font-size="13"><rect width="100%" height="100%" fill="#fff"/>'
            f'{"".join(parts)}</svg>\n')


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("leapd", nargs="?")
    parser.add_argument("--men", type=int, default=3)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--out", default="learn_alquerque")
    options = parser.parse_args()
    starts = list(positions(options.men))
    with Engine.popen(options.leapd) as engine:
        # As many as the games that are compared in one go.
        sample = random.Random(1).sample(starts, min(len(starts), 1920) // 64 * 64)
        exact = exact_values(engine, sample)
    table, source = Table(), np.random.default_rng(1)
    settings = {"AlquerqueQuietLimit": QUIET_LIMIT}
    rows: List[Tuple[float, ...]] = []
    with Games("alquerque", 64, options=settings, command=options.leapd) as games, \
            open(f"{options.out}.csv", "w") as out:
        begun, steps = time.monotonic(), 0
        print(HEADINGS, file=out)
        while True:
            rows.append((steps, time.monotonic() - begun, len(table.rows), *compare(table, games, sample, exact)))
            line = "{},{:.0f},{},{:.4f},{:.4f},{:.4f}".format(*rows[-1])
            print(line, file=out, flush=True)
            print(line, flush=True)
            if rows[-1][1] > 60 * options.minutes:
                break
            for _ in range(10):
                learn(table, games, starts, source, 60)
                steps += 60 * games.count
    with open(f"{options.out}.svg", "w") as out:
        out.write(picture(rows))


if __name__ == "__main__":
    main()
