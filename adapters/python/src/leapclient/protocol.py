"""Reads the engine's lines. Pure: text in, values out; a malformed line raises `ProtocolError`."""

from dataclasses import replace
from typing import Any, Dict, List, Sequence, Tuple

from .errors import IllegalMove, ProtocolError, Refused
from .model import (
    Board, Clause, Effects, Example, Info, Legality, Moves, Option, Piece, PlayResult, RuleOption, Rules, Score, Status)


def pairs(words: Sequence[str]) -> Dict[str, str]:
    """Words taken two by two, as keys and values."""
    return dict(zip(words[::2], words[1::2]))


def number(text: str) -> int:
    """An integer."""
    try:
        return int(text)
    except ValueError:
        raise ProtocolError(f"expected a number, found {text!r}") from None


def error(line: str) -> Refused:
    """An error line (SPEC 6.1)."""
    head, _, text = line.partition(" : ")
    words = head.split()[1:] or ["internal"]
    kind = IllegalMove if words[0] == "illegal-move" else Refused
    return kind(line, words[0], pairs(words[1:]), text)


def option(line: str) -> Option:
    """An option line (SPEC 3.3); names may contain blanks."""
    values: Dict[str, str] = {}
    var: List[str] = []
    key = ""
    words: List[str] = []
    for word in [*line.split()[1:], "var"]:
        if word in ("name", "type", "default", "min", "max", "var"):
            if key == "var":
                var.append(" ".join(words))
            elif key:
                values[key] = " ".join(words)
            key, words = word, []
        else:
            words.append(word)
    default = values.get("default")
    low, high = (number(values[key]) if key in values else None for key in ("min", "max"))
    return Option(values.get("name", ""), values.get("type", ""), "" if default == "<empty>" else default, low, high,
                  tuple(var))


def info(line: str) -> Info:
    """An `info` line (SPEC 5.21); keys that are not known are skipped."""
    if line.startswith("info string"):
        return Info(string=line[len("info string "):])
    words = line.split()[1:]
    found: Dict[str, Any] = {}
    while words:
        key = words.pop(0)
        if key == "pv":
            found["pv"], words = tuple(words), []
        elif key == "score" and len(words) >= 2:
            kind, value, words = words[0], number(words[1]), words[2:]
            bound = words.pop(0) if words and words[0] in ("lowerbound", "upperbound") else None
            found["score"] = Score(value if kind == "cp" else None, value if kind == "mate" else None, bound)
        elif key == "wdl":
            found["wdl"], words = tuple(map(number, words[:3])), words[3:]
        elif key in ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull") and words:
            found[key] = number(words.pop(0))
        elif key == "time" and words:
            found["time"] = number(words.pop(0)) / 1000
        elif key == "currmove" and words:
            found["currmove"] = words.pop(0)
    return Info(**found)


def bestmove(line: str, last: Info) -> PlayResult:
    """A `bestmove` line (SPEC 5.11), with the last `info` before it."""
    words = line.split()
    more = pairs(words[2:])
    if len(words) < 2:
        raise ProtocolError("expected a move after bestmove, found the end of the line")
    return PlayResult(None if words[1] == "none" else words[1], more.get("ponder"), last)


def status(text: str) -> Status:
    """The answer to `query status` (SPEC 4.18)."""
    found = pairs(text.split())
    try:
        over, result, reason, turn = (found.pop(key) for key in ("over", "result", "reason", "turn"))
        ply, quiet, repetitions = (number(found.pop(key)) for key in ("ply", "quiet", "repetitions"))
    except KeyError as missing:
        raise ProtocolError(f"expected {missing} in the status, found {text!r}") from None
    return Status(over == "true", result, reason, turn, ply, quiet, repetitions, found)


def moves(text: str) -> Moves:
    """The answer to `query moves` (SPEC 4.14)."""
    count, *rest = text.split() or [""]
    return Moves(tuple(rest), not count.endswith("+"))


def legality(text: str) -> Legality:
    """The answer to `query legal` (SPEC 4.17)."""
    head, _, why = text.partition(" : ")
    words = head.split()
    if words[:1] == ["true"]:
        return Legality(True)
    if len(words) != 4:
        raise ProtocolError(f"expected 'true' or 'false <reason> at <square>', found {text!r}")
    return Legality(False, words[1], words[3], why)


def board(lines: Sequence[str]) -> Board:
    """The lines of `query board` (SPEC 4.23); those that are not known are skipped."""
    size: Dict[str, str] = {}
    colours: Dict[str, str] = {}
    edges: List[Tuple[str, str]] = []
    pieces: List[Piece] = []
    for words in (line.split()[1:] for line in lines):
        if words[:1] == ["files"]:
            size = pairs(words)
        elif words[:1] == ["line"] and len(words) >= 3:
            edges.append((words[1], words[2]))
        elif words[:1] == ["piece"] and len(words) >= 8:
            found = pairs(words[2:])
            pieces.append(Piece(words[1], found["name"], found["owner"], number(found["value"])))
        elif words[:1] == ["colours"]:
            colours = pairs(words[1:])
    if not {"files", "ranks", "kind"} <= size.keys():
        raise ProtocolError("expected the size of the board, found none")
    return Board(number(size["files"]), number(size["ranks"]), size["kind"], edges, pieces, colours)


def effects(text: str) -> Effects:
    """The answer to `query effects` (SPEC 4.28)."""
    words = text.split()
    steps = list(zip(words[::2], words[1::2]))
    after = dict(steps)
    try:
        fields = after["side"], after["extra"], number(after["quiet"]), number(after["ply"])
    except KeyError as missing:
        raise ProtocolError(f"expected {missing} in the effects, found {text!r}") from None
    return Effects(steps[: [key for key, _ in steps].index("side")], *fields)


def rules(lines: Sequence[str]) -> Rules:
    """The lines of `query rules` (SPEC 4.35); those that are not known are skipped."""
    language: List[str] = []
    title = ""
    clauses: List[Clause] = []
    prompts: Dict[str, str] = {}
    options: Dict[str, RuleOption] = {}
    words: Dict[str, str] = {}
    for _, key, rest in (line.split(" ", 2) for line in lines if line.count(" ") >= 2):
        head, *texts = rest.split(" : ")
        if key == "language":
            language = rest.split()
        elif key == "title":
            title = rest
        elif key == "clause" and texts:
            clauses.append(Clause(head, texts[0]))
        elif key == "example" and texts and clauses:
            last = clauses[-1]
            clauses[-1] = replace(last, examples=(*last.examples, example(head, texts[0])))
        elif key == "prompt" and texts:
            prompts[head] = texts[0]
        elif key == "option" and len(texts) == 2:
            options[head] = RuleOption(texts[0], texts[1], {})
        elif key == "value" and texts and (found := options.get(head.split()[0])):
            found.values[head.split()[-1]] = texts[0]
        elif key == "word" and texts:
            words[head] = texts[0]
    if language[1:2] != ["of"]:
        raise ProtocolError("expected the language of the rules, found none")
    return Rules(language[0], tuple(language[2:]), title, tuple(clauses), prompts, options, words)


def example(text: str, caption: str) -> Example:
    """`fen <position text> [move <move> effects <pairs>]`."""
    head, _, steps = text.partition(" effects ")
    fen, _, move = head.partition(" move ")
    words = steps.split()
    return Example(fen.removeprefix("fen "), caption, move or None, tuple(zip(words[::2], words[1::2])))
