"""The engine: reads commands, keeps the game and answers; a search runs on a thread of its own (SPEC 3, 6, 7)."""

from __future__ import annotations

import os
import sys
import traceback
from itertools import takewhile
from threading import RLock, Thread
from typing import Callable, Dict, List, NoReturn, Optional, Sequence

from .game import Ending, Game, Position, check_description
from .go import Task, count, read_go, think
from .partial import enter
from .queries import QUERIES
from .wire import LONGEST_LINE, U32, BadPosition, Illegal, Option, Refused, Words, illegal_move, read_lines

SEARCH_AFTER_QUIT = 0.05  # seconds that a search may take to answer after `quit` (SPEC 3.23)


class History:
    """A start position and the moves made from it."""

    def __init__(self, game: Game, start: Position) -> None:
        self.game = game
        self.positions: List[Position] = [start]
        self.moves: List[str] = []

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    def occurrences(self) -> int:
        """How often the current position has occurred."""
        return sum(position.key == self.position.key for position in self.positions)

    def ending(self) -> Ending:
        """How the game stands."""
        return self.game.ending(self.position, self.occurrences())

    def is_over(self) -> bool:
        """Whether the game is over, for whatever reason."""
        return self.ending().reason != "none"

    def legal(self) -> List[str]:
        """The legal moves in listing order (SPEC 10.6)."""
        return [] if self.is_over() else self.game.moves(self.position)

    def move(self, text: str, index: int = 1) -> str:
        """The legal move that a text means; the index is its place in the list that it is from (SPEC 6.6)."""
        try:
            return enter(self.game, self.position, self.is_over(), text).finish()
        except Illegal as illegal:
            raise illegal_move(illegal, text, index) from None

    def replayed(self, start: History, moves: Sequence[str]) -> History:
        """The history of another start with these moves. What it has in common with this one is not played again."""
        text = self.game.position_text
        common = 0
        if start.game is self.game and text(start.position) == text(self.positions[0]):
            same = takewhile(lambda pair: pair[0] == pair[1], zip(self.moves, moves))
            common = sum(1 for _ in same)
            start.moves, start.positions = self.moves[:common], self.positions[: common + 1]
        return start.played(moves[common:], common)

    def played(self, moves: Sequence[str], before: int = 0) -> History:
        """The history with these moves added. In an error they are numbered from `before + 1`."""
        history = History(self.game, self.positions[0])
        history.positions, history.moves = self.positions[:], self.moves[:]
        for index, text in enumerate(moves, before + 1):
            move = history.move(text, index)
            history.moves.append(move)
            history.positions.append(self.game.play(history.position, move))
        return history


class Session:
    """The state of the engine, with a method for each command."""

    def __init__(self, *games: Game) -> None:
        rules: Dict[str, Option] = {}
        for game in games:
            check_description(game)
            rules = {**rules, **game.rule_options(), **rules}
        self.games = {game.name: game for game in games}
        choice = Option("combo", games[0].name, values=tuple(self.games), unknown_value="no-such-game")
        self.options = {
            "Game": choice,
            "MultiPV": Option("spin", "1", (1, 256)),
            "Ponder": Option("check", "false"),
            "MoveOverhead": Option("spin", "10", (0, 5000)),
            "Strength": Option("spin", "100", (-20, 100)),
            **rules,
            "UCI_Variant": choice,
        }
        self.default_game = games[0]
        self.values = {name: option.default for name, option in self.options.items()}
        self.lock = RLock()  # of the output, and of `task`, which is None while the engine is idle
        self.task: Optional[Task] = None
        self.thread = Thread()
        self.dialect = "ugi"
        self.new_game()

    def new_game(self) -> None:
        game = self.ruled_by(self.values)
        self.history = History(game, game.start_position())

    @property
    def rule_options(self) -> Sequence[str]:
        """The names of the rule options of the game in play."""
        return tuple(self.default_game.rule_options())

    def ruled_by(self, values: Dict[str, str]) -> Game:
        """The game with these values of its rule options."""
        return self.default_game.with_settings({name: values[name] for name in self.rule_options})

    def write(self, *lines: str) -> None:
        try:
            with self.lock:
                sys.stdout.buffer.write("".join(line + "\n" for line in lines).encode())
                sys.stdout.buffer.flush()
        except OSError:  # The client has closed the output (SPEC 7.7).
            os._exit(0)

    def run(self) -> NoReturn:
        """Answers all lines of the standard input, and ends the process."""
        for line in read_lines():
            try:
                self.carry_out(line)
            except Refused as refused:
                self.write(str(refused))
            except Exception:  # a fault of the author's methods
                traceback.print_exc()
                self.write("error internal : the game has failed")
        with self.lock:
            if self.task and not (self.task.bounded and self.task.begin.is_set()):
                self.task.end()
        if self.thread.ident:
            self.thread.join()
        os._exit(0)

    def carry_out(self, line: Optional[bytes]) -> None:
        if line is None:
            raise Refused("too-long", f"expected at most {LONGEST_LINE} bytes")
        try:
            words = Words(line.decode())
        except UnicodeDecodeError as error:
            raise Refused("not-utf8", f"expected UTF-8, found another byte after {error.start} bytes") from None
        if not words:
            return
        column, command = words.column(), words.next("a command")
        if command not in COMMANDS:
            raise Refused(f"unknown-command column {column}", f"expected a command, found {command[:40]!a}")
        with self.lock:
            if self.task and command in BUSY:
                raise Refused("busy", "a search is running")
        COMMANDS[command](self, words)

    def start(self, task: Task, work: Callable[[Task], str]) -> None:
        """Runs the work on its thread; with its last line the engine is idle again."""

        def run() -> None:
            try:
                last = work(task)
            except Exception:
                traceback.print_exc()
                last = "error internal : the search has failed"
            with self.lock:
                self.task = None
                self.write(last)

        self.task, self.thread = task, Thread(target=run, daemon=True)
        self.thread.start()

    # Commands (chapter 3)

    def ugi(self, words: Words) -> None:
        self.greet(words, "ugi", ("UCI_Variant",))

    def uci(self, words: Words) -> None:
        self.greet(words, "uci", ())

    def greet(self, words: Words, dialect: str, hidden: Sequence[str]) -> None:
        words.done()
        self.dialect = dialect
        options = [f"option name {name} {option}" for name, option in self.options.items() if name not in hidden]
        title = self.default_game.title or self.default_game.name
        self.write(f"id name {title} by leapclient.serve", "id author the authors of the game and of leapd", *options,
                   f"{dialect}ok")

    def isready(self, words: Words) -> None:
        words.done()
        self.write("readyok")

    def setoption(self, words: Words) -> None:
        words.choice("name")
        column, name = words.column(), " ".join(words.some("the name of an option", lambda word: word == "value"))
        known = next((option for option in self.options if option.lower() == name.lower()), None)
        if known is None:
            raise Refused(f"no-such-option column {column}", f"expected an option, found {name[:40]!a}")
        words.choice("value")
        values = {**self.values, known: self.options[known].read(" ".join(words.some("a value")))}
        if known in self.rule_options:
            game = self.ruled_by(values)
            self.history = History(game, game.adopted(self.history.positions[0])).played(self.history.moves)
        self.values = values
        if known in ("Game", "UCI_Variant"):
            self.default_game = self.games[values[known]]
            self.values = {**values, "Game": values[known], "UCI_Variant": values[known]}
            self.new_game()

    def uginewgame(self, words: Words) -> None:
        words.done()
        self.new_game()

    def position(self, words: Words) -> None:
        game = self.history.game
        try:
            if words.choice("startpos", "fen") == "startpos":
                start = game.start_position()
            else:
                start = game.read_position(" ".join(words.some("a position text", lambda word: word == "moves")))
        except BadPosition as error:
            raise error.refused from None
        if words:
            words.choice("moves")
        self.history = self.history.replayed(History(game, start), words.rest())

    def debug(self, words: Words) -> None:
        words.choice("on", "off")
        words.done()

    def quit(self, words: Words) -> None:
        words.done()
        with self.lock:
            if self.task:
                self.task.end()
        if self.thread.ident:
            self.thread.join(SEARCH_AFTER_QUIT)
        os._exit(0)

    def move(self, words: Words) -> None:
        self.history = self.history.played(words.some("a move"))

    def undo(self, words: Words) -> None:
        back = words.number("a number of moves", 1, U32) if words else 1
        words.done()
        if back > len(self.history.moves):
            raise Refused("nothing-to-undo", f"expected at most {len(self.history.moves)}, found {back}")
        del self.history.moves[-back:], self.history.positions[-back:]

    def query(self, words: Words) -> None:
        column, what = words.column(), words.next("what is asked for")
        if what not in QUERIES:
            raise Refused(f"bad-argument column {column}", f"expected a query, found {what[:40]!a}")
        reply = QUERIES[what](self, words)
        words.done()
        self.write(*([f"response {reply}".rstrip()] if isinstance(reply, str) else reply))

    def draw(self, words: Words) -> None:
        words.choice("offer")
        words.done()
        if not self.default_game.draw_offers:
            raise Refused("not-in-this-game", "the game has no draw by agreement")
        score = self.history.game.evaluate(self.history.position) or 0
        self.write("draw accept" if score <= 0 else "draw decline")

    def eval(self, words: Words) -> None:
        words.done()
        score = self.history.game.evaluate(self.history.position)
        if score is None:
            raise Refused("not-in-this-game", "the game has no evaluation")
        self.write(f"response evaluation {score} total {score}")

    # Searching (chapter 5)

    def go(self, words: Words) -> None:
        order = read_go(words, self.dialect, self.history.position.side)
        given = [self.history.move(text, index) for index, text in enumerate(order.search_moves, 1)]
        moves = given or self.history.legal()
        # Options and game stay as they are while the search runs: what would change them is refused.
        self.start(Task(order.ponder, not order.infinite),
                   lambda task: think(self, task, order, list(dict.fromkeys(moves))))

    def perft(self, words: Words) -> None:
        depth = words.number("a depth", 0, U32)
        words.done()
        self.start(Task(ponder=False, bounded=True), lambda task: count(self, task, depth))

    def stop(self, words: Words) -> None:
        words.done()
        with self.lock:
            if self.task:
                self.task.end()

    def ponderhit(self, words: Words) -> None:
        words.done()
        with self.lock:
            if self.task:
                self.task.begin.set()


NAMED = "ugi uci isready setoption uginewgame position go stop ponderhit quit query perft debug move undo draw eval"
COMMANDS: Dict[str, Callable[[Session, Words], None]] = {name: getattr(Session, name) for name in NAMED.split()}
COMMANDS["ucinewgame"], COMMANDS["moves"] = Session.uginewgame, Session.move
BUSY = COMMANDS.keys() - {"isready", "query", "stop", "ponderhit", "quit", "debug"}  # refused in a search (SPEC 7.3)
