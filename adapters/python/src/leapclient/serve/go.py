"""`go` and `perft`: their parameters, the search on its thread, and what it reports (SPEC 5, 10.16)."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING, Dict, List, Optional, Sequence

from .search import DEEPEST, WIN, Ended, Line, Search, score_text
from .wire import I64, U32, U64, Refused, Words

if TYPE_CHECKING:
    from .game import Game, Position
    from .session import Session

DEEPEST_PERFT = 500  # a greater depth ends only if no game is that long, and then the count is the same
MOVES_LEFT = 30  # moves that a clock has to last for if the client does not say
LEAST_STRENGTH, FULL_STRENGTH = -20, 100  # random moves only, and none
CLOCKS = {"p1time": "p1time", "p2time": "p2time", "p1inc": "p1inc", "p2inc": "p2inc",
          "wtime": "p1time", "btime": "p2time", "winc": "p1inc", "binc": "p2inc"}  # SPEC 2.13
COUNTS = {"movetime": U64, "nodes": U64, "depth": U32, "mate": U32, "movestogo": U32}
FLAGS = ("infinite", "ponder")
GO_WORDS = {*CLOCKS, *COUNTS, *FLAGS, "searchmoves", "id"}
LIMITS = {"p1time", "p2time", "movetime", "depth", "nodes", "mate"}  # without any, a search is infinite (SPEC 5.6)


class Task:
    """A `go` or `perft` that runs. `stop` ends it; `begin` lets it begin, immediately except for `go ponder`."""

    def __init__(self, ponder: bool, bounded: bool) -> None:
        self.stop, self.begin, self.bounded = Event(), Event(), bounded
        if not ponder:
            self.begin.set()

    def end(self) -> None:
        """Makes the task end soon."""
        self.stop.set()
        self.begin.set()


@dataclass
class Order:
    """The parameters of a `go`. Numbers have their names in the dialect `ugi`."""

    numbers: Dict[str, int] = field(default_factory=dict)
    flags: List[str] = field(default_factory=list)
    search_moves: List[str] = field(default_factory=list)
    mark: Optional[str] = None

    @property
    def ponder(self) -> bool:
        """Whether the search waits for `ponderhit`."""
        return "ponder" in self.flags

    @property
    def infinite(self) -> bool:
        """Whether only `stop` ends the search."""
        return "infinite" in self.flags or not LIMITS & self.numbers.keys()

    def seconds(self, side: int, overhead: int) -> Optional[float]:
        """The time for a search, if there is a limit to it."""
        times = [float(self.numbers["movetime"])] if "movetime" in self.numbers else []
        if f"p{side}time" in self.numbers:
            left = max(0, self.numbers[f"p{side}time"])
            share = left / (self.numbers.get("movestogo") or MOVES_LEFT)
            share += max(0, self.numbers.get(f"p{side}inc", 0)) / 2
            times.append(max(0.0, min(share, left - overhead)))
        return min(times) / 1000 if times else None


def read_go(words: Words, dialect: str, side: int) -> Order:
    """The parameters of a `go` for this side to move."""
    order, seen, skipped = Order(), set(), None
    while words:
        column, word = words.column(), words.next("a parameter")
        name = CLOCKS.get(word, word)
        if word not in GO_WORDS and dialect == "uci":
            skipped = skipped or (column, word)
            continue  # SPEC 2.15
        if word not in GO_WORDS or name in seen:
            raise Refused(f"bad-argument column {column}", f"expected a parameter not yet given, found {word[:40]!a}")
        seen.add(name)
        if word in CLOCKS:
            order.numbers[name] = words.number(word, -I64, I64 - 1)
        elif word in COUNTS:
            order.numbers[name] = words.number(word, 0, COUNTS[word])
        elif word == "searchmoves":
            order.search_moves = words.some("a move", GO_WORDS.__contains__)
        elif word == "id":
            order.mark = words.next("a word")
        else:
            order.flags.append(word)
    if skipped and not (LIMITS | {"infinite"}) & seen:
        raise Refused(f"bad-argument column {skipped[0]}", f"expected a limit of 'go', found {skipped[1][:40]!a}")
    if order.mark and len(order.mark) > 64:
        raise Refused("bad-argument", "expected an id of 64 characters at most")
    clock = f"p{side}time"
    if {"p1time", "p2time"} & seen and clock not in seen:
        raise Refused("missing-argument", f"expected {clock}, the clock of the side to move")
    if {"p1inc", "p2inc", "movestogo"} & seen and not (LIMITS | {"infinite"}) & seen:
        raise Refused("missing-argument", f"expected {clock}, found only parts of a clock")
    return order


def think(session: Session, task: Task, order: Order, moves: List[str]) -> str:
    """Searches these root moves; the `bestmove` line."""
    task.begin.wait()
    history, numbers = session.history, order.numbers
    seconds = order.seconds(history.position.side, int(session.values["MoveOverhead"]))
    nodes, depth = numbers.get("nodes"), numbers.get("depth", DEEPEST)
    if "mate" in numbers:
        depth = min(depth, 2 * max(1, numbers["mate"]))
    if not task.bounded:
        seconds, nodes, depth = None, None, DEEPEST
    search = history.game.search(history.positions, task.stop, nodes and max(1, nodes), seconds)
    best, best_depth = Line(0, moves[:1]), 0
    if moves and plays_at_random(int(session.values["Strength"])):
        best, moves = Line(0, [random.choice(moves)]), []
    for plies, lines in search.iterate(moves, max(1, depth)) if moves else ():
        best, best_depth = lines[0], plies
        report(session, search, plies, lines, order.mark)
        if task.bounded and best.score >= WIN - 2 * numbers.get("mate", 0):
            break
    report(session, search, best_depth, [best] if best.moves else [], order.mark, is_last=True)
    if not task.bounded:
        task.stop.wait()
    ponder = f" ponder {best.moves[1]}" if session.values["Ponder"] == "true" and len(best.moves) > 1 else ""
    mark = f" id {order.mark}" if order.mark else ""
    return f"bestmove {best.moves[0] if best.moves else 'none'}{ponder}{mark}"


def plays_at_random(strength: int) -> bool:
    """Whether this move is left to chance: at full strength never, at the least strength always."""
    return random.random() * (FULL_STRENGTH - LEAST_STRENGTH) < FULL_STRENGTH - strength


def report(session: Session, search: Search, plies: int, lines: Sequence[Line], mark: Optional[str],
           is_last: bool = False) -> None:
    """The `info` lines of a finished depth (SPEC 5.21). The last one of a search needs no line of play (SPEC 5.27)."""
    begin = f"info id {mark}" if mark else "info"
    work = f"nodes {search.nodes} nps {search.speed()} time {search.millis()}"
    for rank, line in enumerate(lines[: int(session.values["MultiPV"])] if plies else [], 1):
        score = score_text(line.score, session.dialect == "uci")
        session.write(f"{begin} depth {plies} multipv {rank} score {score} {work} pv {' '.join(line.moves)}")
    if is_last and not (lines and plies):
        session.write(f"{begin} {work}")


def count(session: Session, task: Task, depth: int) -> str:
    """Perft (SPEC 10.16): the last line; the lines of the moves are written as they are found."""
    game, position, total, begun, end = session.history.game, session.history.position, 0, time.monotonic(), ""
    try:
        for move in game.moves(position) if depth else []:
            below = perft(game, game.play(position, move), min(depth, DEEPEST_PERFT) - 1, task.stop)
            total += below
            session.write(f"info perft {move} {below}")
    except Ended:
        end = " stopped true"
    millis = int((time.monotonic() - begun) * 1000)
    total = total if depth else 1
    return f"perft {depth} nodes {total} time {millis} nps {total * 1000 // max(1, millis)}{end}"


def perft(game: Game, position: Position, depth: int, stop: Event) -> int:
    """The number of sequences of this many moves."""
    if depth == 0:
        return 1
    if stop.is_set():
        raise Ended
    moves = game.moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(game, game.play(position, move), depth - 1, stop) for move in moves)
