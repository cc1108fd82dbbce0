"""Games as text, `.ugr` (SPEC 19.13 to 19.16a): read, written, replayed and checked by an engine.

    from leapclient import Engine, records

    [record] = records.parse('[Game "sapos"]\\n\\n1. d2d4@c4 2. d7d5@e5 draw\\n')
    with Engine.popen() as engine:
        record.check(engine)
        for position in record.replay(engine):
            print(position)

A record has tags, moves and a result. A move has an evaluation, annotations, a text, and variations in its place.
"""

import re
from dataclasses import dataclass, field
from os import PathLike
from typing import Dict, Iterable, Iterator, List, Literal, Optional, Tuple, Union, cast

from .errors import EngineError, IllegalMove, Refused, visible
from .model import Info, Score
from .position import Position
from .sync import Engine

__all__ = ["Ending", "Ply", "Record", "RecordError", "parse", "read", "write"]

Ending = Literal["p1win", "p2win", "draw", "*"]
"""The result of a record. `*`: the game is unfinished, or does not count."""

# Earlier versions wrote `void` for `*`.
ENDINGS: Dict[str, Ending] = {"p1win": "p1win", "p2win": "p2win", "draw": "draw", "*": "*", "void": "*"}
# The newest format (SPEC 19.16), the most moves of a game, and the most variations within one another (19.16, 19.16a).
FORMAT, MOST_MOVES, MOST_DEPTH = 2, 100_000, 64
# The most columns of a line of moves.
WIDTH = 100
# What other readers take for a blank: `White_Space` of Unicode. `str.isspace` knows more.
BLANK = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
BLANKS = re.compile(f"[{BLANK}]*")
# A word of the moves, by the format.
WORDS = {1: re.compile(f"[^{BLANK}{{]+"), 2: re.compile(f"[^{BLANK}{{()]+")}
# A move that can be written, by the format.
MOVES = {1: re.compile(f"[^{BLANK}{{}}]*[^{BLANK}{{}}.]"), 2: re.compile(f"(?!\\$)[^{BLANK}{{}}()]*[^{BLANK}{{}}().]")}
# Whole numbers, with the least and the greatest.
SIGNED, UNSIGNED = re.compile(r"[+-]?0*[0-9]{1,20}"), re.compile(r"\+?0*[0-9]{1,20}")
NUMBERS = {"cp": (SIGNED, 1 << 31), "mate": (SIGNED, 1 << 31), "depth": (UNSIGNED, 1 << 32),
           "nodes": (UNSIGNED, 1 << 64), "us": (UNSIGNED, 1 << 64)}
# The most characters of a text that a message quotes.
QUOTED = 50


class RecordError(ValueError):
    """A text that is no record, or a game against the rules. `line` counts from 1; 0 stands for no line."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"line {line}: {text}" if line else text)
        self.line = line


@dataclass
class Ply:
    """A move with what is said about it.

    `score` is from the view of the side that moves, and has `cp` or `mate`. `time` is in seconds. `glyphs` are those of
    PGN: 1 a good move, 2 a mistake, 3 a brilliant move, 4 a blunder. `text` is for people: blanks in it count as one,
    and `}` is written as `)`. `variations` are lines in place of this move. `line` is the line of the file, or 0.
    """

    move: str
    score: Optional[Score] = None
    depth: Optional[int] = None
    nodes: Optional[int] = None
    time: Optional[float] = None
    glyphs: List[int] = field(default_factory=list)
    text: str = ""
    variations: "List[List[Ply]]" = field(default_factory=list)
    line: int = field(default=0, compare=False)

    def set_info(self, info: Info) -> None:
        """Takes over what a search of the position before the move has found. A bound is no score."""
        if info.score is not None and info.score.bound is None:
            self.score = info.score
        self.depth, self.nodes, self.time = info.depth, info.nodes, info.time

    @property
    def is_plain(self) -> bool:
        """Whether the first format can hold the move."""
        return not (self.glyphs or self.text or self.variations)


@dataclass
class Record:
    """A game. `tags` are pairs of a name and a value, in the order of the text; `Format` is not among them."""

    tags: List[Tuple[str, str]]
    plies: List[Ply] = field(default_factory=list)
    result: Ending = "*"
    line: int = field(default=0, compare=False)

    @classmethod
    def of(cls, position: Position, **tags: str) -> "Record":
        """The game that leads to a position, with these tags, such as `P1="leapd"`."""
        known = position.engine.options
        settings = position.settings
        named = [("Game", settings.pop("Game")), *tags.items()]
        start = position.root()
        if position.begins_at is not None:
            named.append(("Fen", start.fen()))
        named += [("Option", f"{name}={value}") for name, value in settings.items()
                  if name not in known or known[name].default != value]
        outcome = position.outcome()
        plies = [Ply(move) for move in position.move_stack]
        return cls(named, plies, "*" if outcome is None else ENDINGS[outcome.result])

    def tag(self, name: str) -> Optional[str]:
        """The value of the first tag with this name."""
        return next((value for tag, value in self.tags if tag == name), None)

    @property
    def options(self) -> Dict[str, str]:
        """The rule options that were set."""
        pairs = (value.partition("=") for tag, value in self.tags if tag == "Option")
        return {name: value for name, _, value in pairs}

    @property
    def format(self) -> int:
        """The oldest format that can hold the record (SPEC 19.16)."""
        return 1 if all(ply.is_plain for ply in self.plies) else FORMAT

    def __str__(self) -> str:
        """The record as text, with a blank line at its end. `ValueError` tells of what no record can hold."""
        tags = [*([("Format", str(self.format))] if self.format > 1 else []), *self.tags]
        lines = [*map(_tag_line, tags), ""]
        column = WIDTH
        for word in [*_words(self.plies, 1, self.format), self.result]:
            size = len(word.encode())
            if column + 1 + size > WIDTH:
                lines.append(word)
                column = size
            else:
                lines[-1] += " " + word
                column += 1 + size
        return "\n".join(lines) + "\n\n"

    # What an engine says.

    def position(self, engine: Engine) -> Position:
        """The position in which the game begins, with its rule options.

        Rule options that the record does not name have their defaults.
        """
        game = self.tag("Game")
        if game is None:
            raise RecordError(self.line, "expected a game with the tag Game, found one without")
        try:
            engine.configure({"Game": game})
            known = engine.options
            usual = {name: known[name].default for name in engine.game() if name in known and name != "Game"}
            defaults = {name: value for name, value in usual.items() if value is not None}
            return Position(engine, self.tag("Fen"), options={**defaults, **self.options})
        except Refused as error:
            raise RecordError(self.line, f"expected a game that the engine plays, found {error}") from error

    def replay(self, engine: Engine) -> List[Position]:
        """The positions of the game: the first one, and that after each move.

        `RecordError` names the line of the first move that is not legal.
        """
        positions = [self.position(engine)]
        for ply in self.plies:
            positions.append(_after(positions[-1], ply))
        return positions

    def check(self, engine: Engine) -> None:
        """Replays the game with all its variations. `RecordError` names the first fault.

        A fault is a move that is not legal, or a result that contradicts the rules. Any result may follow where the
        rules have not ended the game.
        """
        positions = self.replay(engine)
        _check_variations(positions[0], self.plies)
        outcome = positions[-1].outcome()
        if outcome is not None and self.result not in (outcome.result, "*"):
            line = self.plies[-1].line if self.plies else self.line
            raise RecordError(line, f"expected the result {outcome.result} ({outcome.reason}), found {self.result}")


def _after(position: Position, ply: Ply) -> Position:
    """The position after a move of a record."""
    after = position.copy()
    try:
        after.push(ply.move)
    except IllegalMove as error:
        place = "" if error.square == "-" else f" at {error.square}"
        why = f"{error.reason}{place}: {visible(error.text)}"
        raise RecordError(ply.line, f"expected a legal move, found {_shown(ply.move)}: {why}") from error
    except (EngineError, ValueError) as error:
        if isinstance(error, EngineError) and not isinstance(error, Refused):
            raise
        raise RecordError(ply.line, f"expected a legal move, found {_shown(ply.move)}: {error}") from error
    return after


def _check_variations(position: Position, plies: List[Ply]) -> None:
    """Replays a line of moves, and the variations of each."""
    for ply in plies:
        for variation in ply.variations:
            _check_variations(position, variation)
        position = _after(position, ply)


# Writing.


def _tag_line(tag: Tuple[str, str]) -> str:
    name, value = tag
    if not re.fullmatch("[A-Za-z0-9]+", name) or "\n" in value or "\r" in value:
        raise ValueError(f"expected letters and digits and one line for a tag, found {name!r} and {value!r}")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _words(plies: List[Ply], first: int, form: int) -> Iterator[str]:
    """The words of a line whose first move has this number. A line of text may end between two of them."""
    for number, ply in enumerate(plies, first):
        if not MOVES[form].fullmatch(ply.move) or ply.move in ENDINGS:
            raise ValueError(f"expected a move that a record can hold, found {ply.move!r}")
        begin, *rest = [*_comment(ply), ""]
        yield f"{number}. {ply.move}{''.join(f' ${_glyph(glyph)}' for glyph in ply.glyphs)}" + (begin and f" {begin}")
        yield from rest[:-1]
        for variation in ply.variations:
            words = list(_words(variation, number, form))
            if not words:
                raise ValueError(f"expected moves in a variation of {ply.move}, found none")
            words[0] = "(" + words[0]
            words[-1] += ")"
            yield from words


def _glyph(glyph: int) -> int:
    if not 0 <= glyph <= 255:
        raise ValueError(f"expected a number from 0 to 255 for an annotation, found {glyph}")
    return glyph


def _comment(ply: Ply) -> List[str]:
    """The comment of a move, in parts between which a line may end."""
    score = ply.score
    keys = {"mate": score and score.mate, "cp": score and score.cp, "depth": ply.depth, "nodes": ply.nodes,
            "us": None if ply.time is None else round(ply.time * 1e6)}
    if keys["mate"] is not None:
        keys["cp"] = None
    parts = [" ".join(f"{key} {value}" for key, value in keys.items() if value is not None)]
    parts = parts if parts[0] else []
    text = [word.replace("}", ")") for word in _split(ply.text)]
    parts += [":", *text] if text else []
    if parts:
        parts[0] = "{" + parts[0]
        parts[-1] += "}"
    return parts


def write(path: "Union[str, PathLike[str]]", records: Iterable[Record]) -> None:
    """Writes a file of records."""
    text = "".join(map(str, records))
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


# Reading.


def read(path: "Union[str, PathLike[str]]") -> List[Record]:
    """The records of a file."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        return parse(data.decode())
    except UnicodeDecodeError as error:
        line = 1 + data.count(b"\n", 0, error.start)
        raise RecordError(line, f"expected a text in UTF-8, found the byte 0x{data[error.start]:02X}") from None


def parse(text: str) -> List[Record]:
    """The records of a text, one after the other. `RecordError` names the line of the first fault."""
    reader = _Reader(text.removeprefix("\ufeff"))
    return list(iter(reader.record, None))


def _shown(text: str) -> str:
    rest = "..." if len(text) > QUOTED else ""
    return f"'{''.join(c if c.isprintable() else '?' for c in text[:QUOTED])}{rest}'"


def _split(text: str) -> List[str]:
    return re.findall(f"[^{BLANK}]+", text)


def _number(key: str, text: Optional[str]) -> int:
    """The number after a key of a comment."""
    if text is None:
        raise ValueError(f"{key}: expected a number, found none")
    shape, limit = NUMBERS[key]
    low = -limit if shape is SIGNED else 0
    if not shape.fullmatch(text) or not low <= int(text) < limit:
        raise ValueError(f"{key}: expected a number, found {_shown(text)}")
    return int(text)


class _Tree:
    """The moves of a game while they are read: the game itself, and the open variations, each within the one before."""

    def __init__(self, form: int) -> None:
        self.form = form
        # Each line with the number of its first move.
        self.lines: List[Tuple[int, List[Ply]]] = [(1, [])]
        self.count = 0

    def last(self, what: str) -> Ply:
        plies = self.lines[-1][1]
        if not plies:
            raise ValueError(f"expected a move before a {what}")
        return plies[-1]

    def begin(self) -> None:
        self.last("variation")
        if len(self.lines) > MOST_DEPTH:
            raise ValueError(f"expected at most {MOST_DEPTH} variations within one another, found more")
        first, plies = self.lines[-1]
        self.lines.append((first + len(plies) - 1, []))

    def end(self) -> None:
        if len(self.lines) == 1:
            raise ValueError("expected no ')' outside a variation")
        _, plies = self.lines.pop()
        if not plies:
            raise ValueError("expected moves in a variation, found none")
        self.last("variation").variations.append(plies)

    def word(self, word: str, line: int) -> None:
        """A number, an annotation or a move."""
        first, plies = self.lines[-1]
        if word.endswith("."):
            expected = first + len(plies)
            if not UNSIGNED.fullmatch(word[:-1]) or int(word[:-1]) != expected:
                raise ValueError(f"expected number {expected}, found {_shown(word)}")
        elif self.form > 1 and word.startswith("$"):
            if not UNSIGNED.fullmatch(word[1:]) or int(word[1:]) > 255:
                raise ValueError(f"expected $ and a number from 0 to 255, found {_shown(word)}")
            self.last("comment").glyphs.append(int(word[1:]))
        elif "}" in word:
            raise ValueError(f"expected a move, found {_shown(word)}")
        elif self.count == MOST_MOVES:
            raise ValueError(f"expected at most {MOST_MOVES} moves, found more")
        else:
            self.count += 1
            plies.append(Ply(word, line=line))

    def comment(self, comment: str) -> None:
        """Keys with numbers, and from format 2 on the text after a colon. Other words are skipped."""
        ply = self.last("comment")
        words = iter(_split(comment))
        for key in words:
            if key in NUMBERS:
                self.key(ply, key, _number(key, next(words, None)))
            elif key == ":" and self.form > 1:
                ply.text = " ".join([*([ply.text] if ply.text else []), *words])

    @staticmethod
    def key(ply: Ply, key: str, number: int) -> None:
        if key in ("cp", "mate"):
            ply.score = Score(cp=number) if key == "cp" else Score(mate=number)
        elif key == "us":
            ply.time = number / 1e6
        else:
            setattr(ply, key, number)


class _Reader:
    """The text that is still to be read, line by line."""

    def __init__(self, text: str) -> None:
        # `splitlines` ends lines at more characters.
        self.lines = text.removesuffix("\n").split("\n") if text else []
        # How many lines were begun, and how far the last of them was read.
        self.line = 0
        self.at = 0
        self.form = 1

    def record(self) -> Optional[Record]:
        """The next record, or None at the end."""
        while self.following is not None and not _split(self.following):
            self.next_line()
        if self.following is None:
            return None
        begin = self.line + 1
        self.form = 1
        tags: List[Tuple[str, str]] = []
        try:
            while (self.following or "").startswith("["):
                self.next_line()
                self.tag(tags)
            self.at = len(self.text)
            plies, result = self.moves()
        except RecordError:
            raise
        except ValueError as fault:
            raise RecordError(self.line, str(fault)) from None
        return Record(tags, plies, result, begin)

    @property
    def text(self) -> str:
        return self.lines[self.line - 1] if self.line else ""

    @property
    def following(self) -> Optional[str]:
        """The next line."""
        return self.lines[self.line] if self.line < len(self.lines) else None

    def next_line(self) -> None:
        self.line += 1
        self.at = 0

    def tag(self, tags: List[Tuple[str, str]]) -> None:
        """Takes the line as a tag."""
        line = re.split(f"[{BLANK}]+$", self.text)[0]
        name, quote, escaped = line[1:-2].partition(' "')
        if not quote or not line.endswith('"]'):
            raise ValueError(f'expected [Name "value"], found {_shown(self.text)}')
        if (len(escaped) - len(escaped.rstrip("\\"))) % 2:
            raise ValueError("expected a character after \\, found none")
        value = re.sub(r"\\(.)", r"\1", escaped, flags=re.DOTALL)
        if name != "Format":
            tags.append((name, value))
        elif UNSIGNED.fullmatch(value) and 1 <= int(value) <= FORMAT:
            self.form = int(value)
        else:
            raise ValueError(f"expected a record of format 1 to {FORMAT}, found {_shown(value)}")

    def moves(self) -> Tuple[List[Ply], Ending]:
        """The moves and the result."""
        tree = _Tree(self.form)
        for token in iter(self.token, ""):
            if token == "(":
                tree.begin()
            elif token == ")":
                tree.end()
            elif token == "{":
                tree.comment(self.comment())
            elif token in ENDINGS:
                if len(tree.lines) > 1:
                    raise ValueError(f"expected a ')' after the variation, found '{token}'")
                rest = self.text[self.at:]
                if _split(rest):
                    raise ValueError(f"expected nothing after the result, found {_shown(rest.strip())}")
                return tree.lines[0][1], ENDINGS[token]
            else:
                tree.word(token, self.line)
        found = "the end" if self.following is None else "another game"
        raise ValueError(f"expected a result (p1win, p2win, draw or *), found {found}")

    def token(self) -> str:
        """The next sign or word of the moves; empty at the tags of the next record, or at the end."""
        while True:
            self.at = cast("re.Match[str]", BLANKS.match(self.text, self.at)).end()
            if self.at < len(self.text):
                sign = self.text[self.at]
                is_sign = sign == "{" or (self.form > 1 and sign in "()")
                found = sign if is_sign else cast("re.Match[str]", WORDS[self.form].match(self.text, self.at))[0]
                self.at += len(found)
                return found
            if self.following is None or self.following.startswith("["):
                return ""
            self.next_line()

    def comment(self) -> str:
        """The rest of a comment, which may extend over lines."""
        begin, parts = self.line, []
        while (end := self.text.find("}", self.at)) < 0:
            parts += [self.text[self.at:], " "]
            if self.following is None:
                raise RecordError(begin, "expected a '}' after the comment, found the end")
            self.next_line()
        parts.append(self.text[self.at:end])
        self.at = end + 1
        return "".join(parts)
