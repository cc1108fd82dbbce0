#!/usr/bin/env python3
"""A small engine for one game, Alquerque, written from SPEC.md alone: the standard is enough to write another engine.

    leap check python3 tests/stub/alquerque.py

With `--break NAME` it plays by a rule broken on purpose, which `leap check` must find; `--list` prints the names.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
from threading import Event, RLock, Thread
from typing import Callable, NoReturn, Optional

sys.dont_write_bytecode = True  # before our own modules: many stubs may be started at once

from broken import BREAKS  # noqa: E402
from rules import MEN, MOST, NAMES, BadPosition, Ending, Illegal, Position, Rules, Walk  # noqa: E402
from search import DEEPEST, WIN, Ended, Line, Search, balance, score_text  # noqa: E402
from wire import LONGEST_LINE, Option, Refused, Words, flag, read_lines  # noqa: E402

EXTENSIONS = "fen moves legal status perft games game board next effects history move undo draw eval id rules turn"
U32, U64, I64 = (1 << 32) - 1, (1 << 64) - 1, 1 << 63
DEEPEST_PERFT = 500  # a greater depth ends only if no game is that long, and then the count is the same
SEARCH_AFTER_QUIT = 0.05  # seconds that a search may take to answer after `quit` (SPEC 3.23)
MOVES_LEFT = 30  # moves that a clock has to last for if the client does not say
CLOCKS = {"p1time": "p1time", "p2time": "p2time", "p1inc": "p1inc", "p2inc": "p2inc"}
CLOCKS.update(wtime="p1time", btime="p2time", winc="p1inc", binc="p2inc")  # SPEC 2.13
COUNTS = {"movetime": U64, "nodes": U64, "depth": U32, "mate": U32, "movestogo": U32}
GO_WORDS = {*CLOCKS, *COUNTS, "infinite", "ponder", "searchmoves", "id"}
LIMITS = {"p1time", "p2time", "movetime", "depth", "nodes", "mate"}  # without any, a search is infinite (SPEC 5.6)
RULE_OPTIONS = ("MaxPlies", "AlquerqueCapture", "AlquerqueQuietLimit")
GAMES = ("alquerque",)
OPTIONS = {
    "Game": Option("combo", "alquerque", values=GAMES, unknown_value="no-such-game"),
    "MultiPV": Option("spin", "1", (1, 256)),
    "Ponder": Option("check", "false"),
    "MoveOverhead": Option("spin", "10", (0, 5000)),
    "MaxPlies": Option("spin", "400", (0, MOST)),
    "AlquerqueCapture": Option("combo", "optional", values=("optional", "mandatory")),
    "AlquerqueQuietLimit": Option("spin", "100", (0, MOST)),
    "UCI_Variant": Option("combo", "alquerque", values=GAMES, unknown_value="no-such-game"),
}

GUIDE = """
language en of en
title Alquerque
clause Aim : Capture all enemy men, or leave the other player without a move.
clause Moves : A man goes along a line to an empty point next to it.
example fen mmmmm/mmmmm/mm1MM/MMMMM/MMMMM 1 - 0 0 move d2c3 : A man goes to the centre.
clause Captures : A man hops over an enemy man to the empty point beyond and captures it. It may hop on, and need not capture.
example fen m4/2mm1/5/1m3/M4 1 - 0 20 move a1c3c5e3 : Three hops capture three men.
clause Ending : A player without a legal move loses. At a limit, and when a position occurs for the third time, more men win.
prompt first : choose a man
prompt step : go to a marked point
prompt drop : put a piece on a marked point
prompt remove : take a marked piece off
prompt end : end the turn
option MaxPlies : Longest game : The men are counted after this many moves; 0 sets no limit.
option AlquerqueCapture : Captures : Whether a capture must be made where there is one.
value AlquerqueCapture optional : optional
value AlquerqueCapture mandatory : mandatory
option AlquerqueQuietLimit : Moves without a capture : The men are counted after this many; 0 sets no limit.
word man : man
word men : men
word white : White
word black : Black
word no-moves : no legal move
word quiet-limit : too many moves without a capture
word max-plies : the longest game
word repetition : the third occurrence of the position
"""


class Game:
    """A start position and the moves made from it, by these rules."""

    def __init__(self, rules: Rules, start: Position) -> None:
        self.rules, self.positions, self.moves = rules, [start], []

    @property
    def position(self) -> Position:
        return self.positions[-1]

    def occurrences(self) -> int:
        return sum(position.same == self.position.same for position in self.positions)

    def ending(self) -> Ending:
        return self.rules.ending(self.position, self.occurrences())

    def legal(self) -> list[Walk]:
        """SPEC 10.6."""
        return [] if self.ending().reason != "none" else self.rules.generate(self.position)

    def move(self, text: str, index: int = 1) -> Walk:
        """The legal move that a text means; the index is its place in the list that it is from (SPEC 6.6)."""
        try:
            return self.rules.read_move(self.position, text, self.ending().reason != "none")
        except Illegal as illegal:
            raise refused_move(illegal, text, index) from None

    def played(self, texts: list[str]) -> Game:
        """The game with these moves added."""
        game = Game(self.rules, self.positions[0])
        game.positions, game.moves = self.positions[:], self.moves[:]
        for index, text in enumerate(texts, 1):
            move = game.move(text, index)
            game.moves.append(move)
            game.positions.append(game.rules.play(game.position, move))
        return game


def refused_move(illegal: Illegal, text: str, index: int) -> Refused:
    reason, square = illegal.args
    return Refused(f"illegal-move index {index} move {text} reason {reason} at {square}", reason.replace("-", " "))


class Task:
    """A `go` or `perft` that runs. `stop` ends it; `begin` lets it begin, immediately except for `go ponder`."""

    def __init__(self, ponder: bool, bounded: bool) -> None:
        self.stop, self.begin, self.bounded = Event(), Event(), bounded
        if not ponder:
            self.begin.set()

    def end(self) -> None:
        self.stop.set()
        self.begin.set()


class Session:
    """Reads lines and answers them; a search runs on a thread of its own (SPEC 7)."""

    def __init__(self, rules: type[Rules]) -> None:
        self.rules_type = rules
        self.values = {name: option.default for name, option in OPTIONS.items()}
        self.lock = RLock()  # of the output, and of `task`, which is None while the engine is idle
        self.task: Optional[Task] = None
        self.thread = Thread()
        self.dialect = "ugi"
        self.new_game()

    def new_game(self) -> None:
        rules = self.rules(self.values)
        self.game = Game(rules, rules.read_position(rules.start))

    def rules(self, values: dict[str, str]) -> Rules:
        limits = int(values["AlquerqueQuietLimit"]), int(values["MaxPlies"])
        return self.rules_type(values["AlquerqueCapture"] == "mandatory", *limits)

    def write(self, *lines: str) -> None:
        try:
            with self.lock:
                sys.stdout.buffer.write("".join(line + "\n" for line in lines).encode())
                sys.stdout.buffer.flush()
        except OSError:  # The client has closed the output (SPEC 7.7).
            os._exit(0)

    def run(self) -> NoReturn:
        for line in read_lines():
            try:
                self.carry_out(line)
            except Refused as refused:
                self.write(str(refused))
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

    # The commands of chapter 3

    def ugi(self, words: Words) -> None:
        self.greet(words, "ugi", ("UCI_Variant",))

    def uci(self, words: Words) -> None:
        self.greet(words, "uci", ())

    def greet(self, words: Words, dialect: str, hidden: tuple[str, ...]) -> None:
        words.done()
        self.dialect = dialect
        options = [f"option name {name} {option}" for name, option in OPTIONS.items() if name not in hidden]
        self.write("id name alquerque stub", "id author the leapd authors", *options, f"{dialect}ok")

    def isready(self, words: Words) -> None:
        words.done()
        self.write("readyok")

    def setoption(self, words: Words) -> None:
        words.choice("name")
        column, name = words.column(), " ".join(words.some("the name of an option", lambda word: word == "value"))
        known = next((option for option in OPTIONS if option.lower() == name.lower()), None)
        if known is None:
            raise Refused(f"no-such-option column {column}", f"expected an option, found {name[:40]!a}")
        words.choice("value")
        values = {**self.values, known: OPTIONS[known].read(" ".join(words.some("a value")))}
        if known in RULE_OPTIONS:
            rules = self.rules(values)
            self.game = Game(rules, self.game.positions[0]).played([str(move) for move in self.game.moves])
        self.values = values
        if OPTIONS[known].values == GAMES:
            self.new_game()

    def uginewgame(self, words: Words) -> None:
        words.done()
        self.new_game()

    def position(self, words: Words) -> None:
        rules = self.game.rules
        text = rules.start
        if words.choice("startpos", "fen") == "fen":
            text = " ".join(words.some("a position text", lambda word: word == "moves"))
        try:
            start = rules.read_position(text)
        except BadPosition as error:
            field, column, why = error.args
            raise Refused(f"bad-position field {field} column {column}", why) from None
        if words:
            words.choice("moves")
        self.game = Game(rules, start).played(words.rest())

    def perft(self, words: Words) -> None:
        depth = words.number("a depth", 0, U32)
        words.done()
        self.start(Task(ponder=False, bounded=True), lambda task: self.count(task, depth))

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
        self.game = self.game.played(words.some("a move"))

    def undo(self, words: Words) -> None:
        back = words.number("a number of moves", 1, U32) if words else 1
        words.done()
        if back > len(self.game.moves):
            raise Refused("nothing-to-undo", f"expected at most {len(self.game.moves)}, found {back}")
        del self.game.moves[-back:], self.game.positions[-back:]

    # Queries and other extensions, chapter 4

    def query(self, words: Words) -> None:
        column, what = words.column(), words.next("what is asked for")
        if what not in QUERIES:
            raise Refused(f"bad-argument column {column}", f"expected a query, found {what[:40]!a}")
        reply = QUERIES[what](self, words)
        words.done()
        self.write(*([f"response {reply}".rstrip()] if isinstance(reply, str) else reply))

    def query_protocol(self, _words: Words) -> str:
        return f"leap 2.1 {EXTENSIONS}"

    def query_p1turn(self, _words: Words) -> str:
        return flag(self.game.position.side == 1)

    def query_gameover(self, _words: Words) -> str:
        return flag(self.game.ending().reason != "none")

    def query_result(self, _words: Words) -> str:
        return self.game.ending().result

    def query_fen(self, _words: Words) -> str:
        return str(self.game.position)

    def query_moves(self, words: Words) -> str:
        most = 10_000
        if words:
            words.choice("limit")
            most = words.number("a limit", 1, 100_000)
        moves = [str(move) for move in self.game.legal()]
        return " ".join([str(len(moves)) if len(moves) <= most else f"{most}+", *moves[:most]])

    def query_legal(self, words: Words) -> str:
        text = words.next("a move")
        try:
            self.game.rules.read_move(self.game.position, text, self.game.ending().reason != "none")
            return "true"
        except Illegal as illegal:
            reason, square = illegal.args
            return f"false {reason} at {square} : {reason.replace('-', ' ')}"

    def query_status(self, _words: Words) -> str:
        ending, position = self.game.ending(), self.game.position
        return (
            f"over {flag(ending.reason != 'none')} result {ending.result} reason {ending.reason} turn p{position.side}"
            f" ply {position.ply} quiet {position.quiet} repetitions {self.game.occurrences()}"
            f" men {position.board.count(MEN[1])}-{position.board.count(MEN[2])}"
        )

    def query_games(self, _words: Words) -> str:
        return " ".join(GAMES)

    def query_game(self, _words: Words) -> str:
        return " ".join(["alquerque", *(f"{name} {self.values[name]}" for name in RULE_OPTIONS)])

    def query_board(self, _words: Words) -> list[str]:
        steps = enumerate(self.game.rules.step_table)
        lines = [f"board line {NAMES[a]} {NAMES[b]}" for a, others in steps for b in others if a < b]
        men = [f"board piece {man} name man owner p{side} value 1" for side, man in MEN.items()]
        size, colours = "board files 5 ranks 5 kind points", "board colours p1 white p2 black"
        return [size, *lines, *men, colours, "boardok"]

    def query_rules(self, words: Words) -> list[str]:
        """In English, which is what any other language gives too (SPEC 4.36)."""
        if words:
            words.next("a language")
        words.done()
        rules = Rules(False, 100, 400)  # those of the default options (SPEC 4.37)
        lines = []
        for line in GUIDE.strip().splitlines():
            if line.startswith("example "):
                position, caption = line.removeprefix("example fen ").split(" : ")
                text, move = position.split(" move ")
                effects = self.effects(rules, rules.read_position(text), move)
                line = f"example fen {position} effects {effects} : {caption}"
            lines.append(f"rules {line}")
        return [*lines, "rulesok"]

    def query_history(self, _words: Words) -> str:
        return " ".join([str(len(self.game.moves)), *map(str, self.game.moves)])

    def query_next(self, words: Words) -> str:
        text = words.next("a partial move") if words else ""
        words.done()
        rules, position, over = self.game.rules, self.game.position, self.game.ending().reason != "none"
        if not text:
            walks = [] if over else rules.starts(position)
            return " ".join(NAMES[walk.route[0]] for walk in walks if rules.onward(walk))
        try:
            walk, drops = rules.read_walk(position, text, over)
            if drops:
                raise Illegal("drop-not-allowed", drops[0])
        except Illegal as illegal:
            raise refused_move(illegal, text, 1) from None
        onward = rules.onward(walk)
        tokens = [NAMES[square] for square in sorted(way.route[-1] for way in onward)]
        return " ".join(tokens + ["end"] * rules.may_stop(walk, onward))

    def query_effects(self, words: Words) -> str:
        text = words.next("a move")
        words.done()
        self.game.move(text)
        return self.effects(self.game.rules, self.game.position, text)

    def effects(self, rules: Rules, position: Position, text: str) -> str:
        """What a legal move does (SPEC 4.28)."""
        move, _ = rules.read_walk(position, text, over=False)
        return " ".join([*self.steps(move), self.fields(rules, position, move)])

    def steps(self, walk: Walk) -> list[str]:
        """What a walk does to the board."""
        pairs = []
        for here, to in zip(walk.route, walk.route[1:]):
            pairs.append(f"from {NAMES[here]} to {NAMES[to]}")
            pairs += [f"captured {NAMES[(here + to) // 2]}"] if walk.captured else []
        return pairs

    def fields(self, rules: Rules, position: Position, move: Walk) -> str:
        """The fields of the position after a move."""
        _, side, quiet, ply = rules.play(position, move)
        return f"side {side} extra - quiet {quiet} ply {ply}"

    def query_turn(self, words: Words) -> str:
        """SPEC 4.41. Only a man on a line of hops can be entered, so that a text is right up to the first wrong square."""
        text = words.next("a move") if words else ""
        words.done()
        rules, position, over = self.game.rules, self.game.position, self.game.ending().reason != "none"
        walk, refused = None, None
        if text:
            walk, refused = rules.entered(position, text, over)
        onward = rules.onward(walk) if walk else [] if over else [man for man in rules.starts(position) if rules.onward(man)]
        ends = walk is not None and rules.may_stop(walk, onward)
        kind = "step" if walk else "first"
        pairs = [f"entered {walk or '-'}"]
        pairs += ["refused {} at {}".format(*refused.args)] if refused else []
        pairs.append(f"awaits {kinds(kind, onward, ends)} drops 0 next {len(onward)}")
        for way in sorted(onward, key=lambda way: way.route[-1]):
            further = rules.onward(way)
            then = kinds("step", further, rules.may_stop(way, further))
            pairs.append(f"{kind} {NAMES[way.route[-1]]}={then}")
        steps = self.steps(walk) if walk else []
        pairs += [f"effects {len(' '.join(steps).split()) // 2}", *steps]
        if ends:
            move = next(move for move in rules.generate(position) if move.identity == walk.identity)
            pairs.append(f"end {move} {self.fields(rules, position, walk)}")
        elif over:
            pairs.append("unfinished game-over at -")
        elif walk and walk.captured:
            pairs.append(f"unfinished must-continue at {NAMES[walk.route[-1]]}")
        else:
            pairs.append("unfinished incomplete at -")
        return " ".join(pairs) + (f" : {refused.args[0].replace('-', ' ')}" if refused else "")

    def draw(self, words: Words) -> None:
        words.choice("offer")
        words.done()
        self.write("draw accept" if balance(self.game.position) <= 0 else "draw decline")

    def eval(self, words: Words) -> None:
        words.done()
        score = balance(self.game.position)
        self.write(f"response men {score} total {score}")

    # Searching, chapter 5

    def go(self, words: Words) -> None:
        given = self.read_go(words)
        clock = f"p{self.game.position.side}time"
        if {"p1time", "p2time"} & given.keys() and clock not in given:
            raise Refused("missing-argument", f"expected {clock}, the clock of the side to move")
        if {"p1inc", "p2inc", "movestogo"} & given.keys() and not (LIMITS | {"infinite"}) & given.keys():
            raise Refused("missing-argument", f"expected {clock}, found only parts of a clock")
        texts = given.get("searchmoves", [])
        moves = [self.game.move(text, index) for index, text in enumerate(texts, 1)] or self.game.legal()
        infinite = "infinite" in given or not LIMITS & given.keys()
        # Options and game stay as they are while the search runs: what would change them is refused.
        self.start(Task("ponder" in given, not infinite), lambda task: self.think(task, given, list(dict.fromkeys(moves))))

    def read_go(self, words: Words) -> dict:
        """The parameters by their names in the dialect `ugi`."""
        given: dict = {}
        skipped = None
        while words:
            column, word = words.column(), words.next("a parameter")
            name = CLOCKS.get(word, word)
            if word not in GO_WORDS and self.dialect == "uci":
                skipped = skipped or (column, word)
                continue  # SPEC 2.15
            if word not in GO_WORDS or name in given:
                raise Refused(f"bad-argument column {column}", f"expected a parameter not yet given, found {word[:40]!a}")
            if word in CLOCKS:
                given[name] = words.number(word, -I64, I64 - 1)
            elif word in COUNTS:
                given[name] = words.number(word, 0, COUNTS[word])
            elif word == "searchmoves":
                given[name] = words.some("a move", GO_WORDS.__contains__)
            else:
                given[name] = words.next("a word") if word == "id" else True
        if skipped and not LIMITS & given.keys() and "infinite" not in given:
            raise Refused(f"bad-argument column {skipped[0]}", f"expected a limit of 'go', found {skipped[1][:40]!a}")
        if len(given.get("id", "")) > 64:
            raise Refused("bad-argument", "expected an id of 64 characters at most")
        return given

    def seconds(self, given: dict) -> Optional[float]:
        """The time for a search, if there is a limit to it."""
        times = [given["movetime"]] if "movetime" in given else []
        side = f"p{self.game.position.side}"
        if side + "time" in given:
            left = max(0, given[side + "time"])
            share = left / (given.get("movestogo") or MOVES_LEFT) + max(0, given.get(side + "inc", 0)) / 2
            times.append(max(0, min(share, left - int(self.values["MoveOverhead"]))))
        return min(times) / 1000 if times else None

    def think(self, task: Task, given: dict, moves: list[Walk]) -> str:
        """Searches these root moves; the `bestmove` line."""
        task.begin.wait()
        seconds, nodes, depth = self.seconds(given), given.get("nodes"), given.get("depth", DEEPEST)
        if "mate" in given:
            depth = min(depth, 2 * max(1, given["mate"]))
        if not task.bounded:
            seconds, nodes, depth = None, None, DEEPEST
        search = Search(self.game.rules, self.game.positions, task.stop, nodes and max(1, nodes), seconds)
        best, best_depth = Line(0, moves[:1]), 0
        for plies, lines in search.iterate(moves, max(1, depth)) if moves else ():
            best, best_depth = lines[0], plies
            self.report(search, plies, lines, given.get("id"))
            if task.bounded and best.score >= WIN - 2 * given.get("mate", 0):
                break
        self.report(search, best_depth, [best] if best.moves else [], given.get("id"), is_last=True)
        if not task.bounded:
            task.stop.wait()
        ponder = f" ponder {best.moves[1]}" if self.values["Ponder"] == "true" and len(best.moves) > 1 else ""
        mark = f" id {given['id']}" if "id" in given else ""
        return f"bestmove {best.moves[0] if best.moves else 'none'}{ponder}{mark}"

    def report(self, search: Search, plies: int, lines: list[Line], mark: Optional[str], is_last: bool = False) -> None:
        """The `info` lines of a finished depth (SPEC 5.21). The last one of a search needs no line of play (SPEC 5.27)."""
        begin = f"info id {mark}" if mark else "info"
        head = f"{begin} depth {plies}"
        work = f"nodes {search.nodes} nps {search.speed()} time {search.millis()}"
        for rank, line in enumerate(lines[: int(self.values["MultiPV"])] if plies else [], 1):
            pv = " ".join(map(str, line.moves))
            self.write(f"{head} multipv {rank} score {score_text(line.score, self.dialect == 'uci')} {work} pv {pv}")
        if is_last and not (lines and plies):
            self.write(f"{begin} {work}")

    def count(self, task: Task, depth: int) -> str:
        """Perft (SPEC 10.16): the last line; the lines of the moves are written as they are found."""
        rules, position, total, begun, end = self.game.rules, self.game.position, 0, time.monotonic(), ""
        try:
            for move in rules.legal(position) if depth else []:
                below = perft(rules, rules.play(position, move), min(depth, DEEPEST_PERFT) - 1, task.stop)
                total += below
                self.write(f"info perft {move} {below}")
        except Ended:
            end = " stopped true"
        millis = int((time.monotonic() - begun) * 1000)
        total = total if depth else 1
        return f"perft {depth} nodes {total} time {millis} nps {total * 1000 // max(1, millis)}{end}"

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
COMMANDS = {name: getattr(Session, name) for name in NAMED.split()}
COMMANDS["ucinewgame"], COMMANDS["moves"] = Session.uginewgame, Session.move
BUSY = COMMANDS.keys() - {"isready", "query", "stop", "ponderhit", "quit", "debug"}  # refused during a search (SPEC 7.3)
QUERIES = {name[len("query_") :]: method for name, method in vars(Session).items() if name.startswith("query_")}


def kinds(kind: str, onward: list[Walk], ends: bool) -> str:
    """What is awaited (SPEC 4.44), where this kind of square may come next."""
    return ",".join([kind] * bool(onward) + ["end"] * ends) or "none"


def perft(rules: Rules, position: Position, depth: int, stop: Event) -> int:
    if depth == 0:
        return 1
    if stop.is_set():
        raise Ended
    moves, total = rules.legal(position), 0
    if depth == 1:
        return len(moves)
    for move in moves:
        total += perft(rules, rules.play(position, move), depth - 1, stop)
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--break", dest="broken", choices=BREAKS, metavar="NAME", help="play by a broken rule")
    parser.add_argument("--list", action="store_true", help="print the names of the broken rules and what they do")
    arguments = parser.parse_args()
    if arguments.list:
        for name, rules in BREAKS.items():
            print(f"{name}: {rules.__doc__}")
    else:
        Session(BREAKS.get(arguments.broken, Rules)).run()


if __name__ == "__main__":
    main()
