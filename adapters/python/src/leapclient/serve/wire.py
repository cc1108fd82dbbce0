"""Lines, words, refusals and options of the protocol, SPEC chapters 2, 6 and 8."""

import re
import sys
from typing import Callable, Iterator, List, NamedTuple, Optional, Tuple

LONGEST_LINE = 1 << 20  # bytes (SPEC 2.6)
MOST = 1_000_000  # of quiet, ply and the limits (SPEC 9.15)
U32, U64, I64 = (1 << 32) - 1, (1 << 64) - 1, 1 << 63
# What no error line may hold: `Cc` and `Bidi_Control` of Unicode (SPEC 6.11).
CONTROLS = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]")


class Refused(Exception):
    """A command that is answered by an error: code and keys, and a text for people (SPEC 6.1)."""

    def __init__(self, head: str, text: str) -> None:
        line = f"error {head} : {text}"
        super().__init__(CONTROLS.sub(lambda found: f"\\u{{{ord(found.group()):x}}}", line))


class BadPosition(Exception):
    """A position text that is refused (SPEC 6.5)."""

    def __init__(self, field: str, column: int, text: str) -> None:
        super().__init__(f"{field}, column {column}: {text}")
        self.refused = Refused(f"bad-position field {field} column {column}", text)


class Illegal(Exception):
    """A move that is not legal. `reason` is a word of SPEC 6.8 or of the game. It names a `square`, or `-`.
    People read the `text`."""

    def __init__(self, reason: str, square: str = "-", text: str = "") -> None:
        self.reason, self.square, self.text = reason, square, text or reason.replace("-", " ")
        super().__init__(f"{reason} at {square}: {self.text}")


def illegal_move(illegal: Illegal, move: str, index: int) -> Refused:
    """The error for a move at this place in the list of moves (SPEC 6.6)."""
    return Refused(f"illegal-move index {index} move {move} reason {illegal.reason} at {illegal.square}", illegal.text)


class Words:
    """What is still to be read of a line, with the column of each word (SPEC 6.4)."""

    def __init__(self, line: str) -> None:
        self.words = [(found.start() + 1, found.group()) for found in re.finditer(r"[^ \t]+", line)]
        self.end = len(line) + 1

    def __bool__(self) -> bool:
        return bool(self.words)

    def column(self) -> int:
        return self.words[0][0] if self.words else self.end

    def next(self, what: str) -> str:
        if not self.words:
            raise Refused(f"missing-argument column {self.end}", f"expected {what}, found the end of the line")
        return self.words.pop(0)[1]

    def choice(self, *words: str) -> str:
        column, word = self.column(), self.next(" or ".join(words))
        if word not in words:
            raise Refused(f"bad-argument column {column}", f"expected {' or '.join(words)}, found {word[:40]!a}")
        return word

    def number(self, what: str, least: int, most: int) -> int:
        column, word = self.column(), self.next(what)
        return number(word, least, most, f" column {column}", what)

    def rest(self, before: Callable[[str], bool] = lambda _: False) -> List[str]:
        """All words up to the first of this kind."""
        words = []
        while self.words and not before(self.words[0][1]):
            words.append(self.words.pop(0)[1])
        return words

    def some(self, what: str, before: Callable[[str], bool] = lambda _: False) -> List[str]:
        """The same, at least one word."""
        if not self.words or before(self.words[0][1]):
            raise Refused(f"missing-argument column {self.column()}", f"expected {what}")
        return self.rest(before)

    def done(self) -> None:
        if self.words:
            raise Refused(f"bad-argument column {self.column()}", f"expected the end, found {self.words[0][1][:40]!a}")


def number(word: str, least: int, most: int, place: str, what: str) -> int:
    if not re.fullmatch("0|-?[1-9][0-9]*|-0", word):
        raise Refused(f"bad-argument{place}", f"expected {what}, a whole number, found {word[:40]!a}")
    if len(word) > 20 or not least <= int(word) <= most:
        raise Refused(f"out-of-range{place}", f"expected {what} from {least} to {most}, found {word[:40]}")
    return int(word)


class Option(NamedTuple):
    """An option as its `option` line tells it; a spin has two bounds, a combo its values. A string is any word."""

    type: str
    default: str
    bounds: Tuple[int, int] = (0, 0)
    values: Tuple[str, ...] = ()
    unknown_value: str = "bad-argument"

    def __str__(self) -> str:
        bounds = f" min {self.bounds[0]} max {self.bounds[1]}" if self.type == "spin" else ""
        return f"type {self.type} default {self.default}{bounds}" + "".join(f" var {value}" for value in self.values)

    def read(self, value: str) -> str:
        """The value that a client's text means, or `Refused`."""
        if self.type == "spin":
            return str(number(value, *self.bounds, "", "a value"))
        if self.type == "string":
            if not value or " " in value:
                raise Refused("bad-argument", f"expected a word, found {value[:40]!a}")
            return value
        values = self.values or ("true", "false")
        if value.lower() not in values:
            raise Refused(self.unknown_value, f"expected {' or '.join(values)}, found {value[:40]!a}")
        return value.lower()


def read_lines() -> Iterator[Optional[bytes]]:
    """The lines of the standard input without their ends; None for one that is too long and is not kept (SPEC 2.6)."""
    stream = sys.stdin.buffer
    while True:
        line = stream.readline(LONGEST_LINE + 2)
        if not line:
            return
        if line.endswith(b"\n"):
            line = line[:-2] if line.endswith(b"\r\n") else line[:-1]
            yield line if len(line) <= LONGEST_LINE else None
        elif len(line) <= LONGEST_LINE:
            yield line
        else:
            yield None
            while line and not line.endswith(b"\n"):
                line = stream.readline(1 << 16)
