"""Reads the engine's lines: text in, values out. A malformed line raises `ProtocolError`."""

import functools
import re
from dataclasses import replace
from typing import Any, Dict, List, Literal, Optional, Sequence, Tuple, TypeVar

from .errors import IllegalMove, ProtocolError, Refused
from .model import (
    Board, Clause, Effects, Exact, Example, Info, Legality, Moves, NextToken, Option, Piece, PlayResult, Problem,
    Result, RuleOption, Rules, Score, Side, Status, TokenKind, Turn, Values, Worth)

RESULTS: Tuple[Result, ...] = ("p1win", "p2win", "draw", "none")
WORTHS: Tuple[Worth, ...] = ("win", "draw", "loss", "unknown")
SIDES: Tuple[Side, ...] = ("p1", "p2")
OWNERS: Tuple[Literal["p1", "p2", "none"], ...] = ("p1", "p2", "none")
BOOLS = ("true", "false")
# What may follow in a turn (SPEC 4.44).
KINDS: Tuple[TokenKind, ...] = ("first", "step", "drop", "remove", "pass", "end")
# A whole number (SPEC A.1) with at most as many digits as 64 bits need. Longer ones take quadratic time.
INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,19})")
# A square of the largest board (SPEC 9.33).
SQUARE = re.compile(r"[a-z](?:1[0-9]|2[0-6]|[1-9])")  # of at most 26 files and ranks (SPEC 9.33)
# The operations of a problem (SPEC 4.48), and what ends with a semicolon outside quotes.
TASK = {"bm", "c0", "id"}
PART = re.compile(r'(?:"[^"]*"|[^;"])+')
# The types of an option (SPEC 3.3).
OPTION_TYPES = ("check", "spin", "combo", "button", "string")
# The most characters of a line that a message quotes.
QUOTED = 200

W = TypeVar("W", bound=str)


def unlike(expected: str, found: str) -> ProtocolError:
    """The error for a text that is not what was expected."""
    rest = "..." if len(found) > QUOTED else ""
    return ProtocolError(f"expected {expected}, found {found[:QUOTED]!r}{rest}")


def split(text: str) -> List[str]:
    """The words of a text, which any number of blanks and tabs separate (SPEC 2.4)."""
    return [word for word in text.replace("\t", " ").split(" ") if word]


def first_word(text: str) -> str:
    """The first word, or an empty text if there is none."""
    return text.replace("\t", " ").lstrip(" ").partition(" ")[0]


def plain(text: str) -> str:
    """The text with one blank between two words."""
    # Most texts are like this already.
    return text.strip(" ") if "  " not in text and "\t" not in text else " ".join(split(text))


def pairs(words: Sequence[str]) -> Dict[str, str]:
    """Words taken two by two, as keys and values."""
    return dict(zip(words[::2], words[1::2]))


def integer(text: str) -> int:
    """A whole number of 64 bits, with or without a sign."""
    value = int(text) if INTEGER.fullmatch(text) else None
    if value is None or not -(1 << 63) <= value < 1 << 64:
        raise unlike("a whole number", text)
    return value


def number(text: str) -> int:
    """A count: a whole number of 64 bits that is not negative."""
    value = integer(text)
    if text.startswith("-"):
        raise unlike("a count", text)
    return value


def one_of(words: Sequence[W], text: str) -> W:
    """A text that has to be one of these."""
    for word in words:
        if word == text:
            return word
    raise unlike(" or ".join(words), text)


def flag(text: str) -> bool:
    """`true` or `false`."""
    return one_of(BOOLS, text) == "true"


def response(lines: Sequence[str], command: str) -> str:
    """What follows `response` in a reply."""
    return responses(lines, [command])[0]


def responses(lines: Sequence[str], commands: Sequence[str]) -> List[str]:
    """What follows `response` in the replies to commands with one such line each."""
    found = [plain(line).partition(" ")[2] for line in lines if first_word(line) == "response"]
    if len(found) < len(commands):
        raise unlike(f"a response to '{commands[len(found)]}'", " ".join(lines[:1]))
    return found


def turn_of(lines: Sequence[str]) -> Optional[Side]:
    """Who is to move, from the reply to `query p1turn`; None if the engine does not tell."""
    answers = [plain(line).partition(" ")[2] for line in lines if first_word(line) == "response"]
    return {"true": SIDES[0], "false": SIDES[1]}.get("".join(answers[-1:]))


def checked(lines: List[str]) -> List[str]:
    """The lines of a reply. An error line is raised."""
    for line in lines:
        if first_word(line) == "error":
            raise error(line)
    return lines


def error(line: str) -> Refused:
    """An error line (SPEC 6.1)."""
    head, _, text = plain(line).partition(" : ")
    found = head.split(" ")[1:] or ["internal"]
    kind = IllegalMove if found[0] == "illegal-move" else Refused
    return kind(line, found[0], pairs(found[1:]), text)


def option(line: str) -> Option:
    """An option line (SPEC 3.3). The name reaches to `type`, and the default of a string to the end of the line."""
    flat = line.replace("\t", " ").strip(" ").removeprefix("option").lstrip(" ")
    name, kind, rest = option_name(flat.removeprefix("name")) if flat.startswith("name ") else ("", "", "")
    if not name or not kind:
        raise unlike("the name and the type of an option", line)
    found: Dict[str, str] = {}
    values: Tuple[str, ...] = ()
    if kind in ("check", "spin"):
        found = keyed(split(rest), ("default", "min", "max"))
    elif kind == "combo":
        head, *texts = (" " + plain(rest)).split(" var ")
        values = tuple(texts)
        found = keyed(split(head), ("default",))
    elif kind != "button" and first_word(rest) == "default":
        found = {"default": rest.removeprefix("default").lstrip(" ")}
    default = found.get("default")
    low, high = (integer(found[key]) if key in found else None for key in ("min", "max"))
    return Option(name, kind, "" if default == "<empty>" else default, low, high, values)


def option_value(value: object) -> str:
    """The text of a value: of True, False, a number or a text."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def option_name(text: str) -> Tuple[str, str, str]:
    """The name of an option, its type, and what follows. The texts are empty where there is no name or no type.

    A name may contain the word `type`. The name ends where a known type follows, or else at the first `type`.
    """
    end = -1
    at = text.find(" type ")
    while at >= 0:
        is_known = first_word(text[at + len(" type "):at + QUOTED]) in OPTION_TYPES
        if text[:at].strip(" ") and (is_known or end < 0):
            end = at
        at = -1 if is_known and end >= 0 else text.find(" type ", at + 1)
    if end < 0:
        return "", "", ""
    kind, _, rest = text[end + len(" type "):].lstrip(" ").partition(" ")
    return plain(text[:end]), kind, rest.lstrip(" ")


def keyed(found: Sequence[str], keys: Sequence[str]) -> Dict[str, str]:
    """The words after each key, up to the next."""
    texts: Dict[str, List[str]] = {}
    words: List[str] = []
    for word in found:
        if word in keys:
            words = texts[word] = []
        else:
            words.append(word)
    return {key: " ".join(words) for key, words in texts.items()}


def info(line: str, counts_plies: bool = False, turn: Optional[Side] = None) -> Info:
    """An `info` line (SPEC 5.21) of an engine whose `mate` counts plies or moves. Unknown keys are skipped."""
    words = split(line)[:0:-1]
    if words[-1:] == ["string"]:
        return Info(string=line.replace("\t", " ").partition(" string")[2].removeprefix(" "), turn=turn)
    found: Dict[str, Any] = {"turn": turn}
    try:
        while words:
            key = words.pop()
            if key == "pv":
                found["pv"], words = tuple(words[::-1]), []
            elif key == "score":
                found["score"] = score(one_of(("cp", "mate"), words.pop()), words.pop(), counts_plies)
            elif key in ("lowerbound", "upperbound") and "score" in found:
                found["score"] = replace(found["score"], bound=key)
            elif key == "wdl":
                found["wdl"] = (number(words.pop()), number(words.pop()), number(words.pop()))
            elif key in ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits"):
                found[key] = number(words.pop())
            elif key == "time":
                found["time"] = number(words.pop()) / 1000
            elif key == "currmove":
                found["currmove"] = words.pop()
    except IndexError:
        raise unlike(f"a value after {key}", line) from None
    return Info(**found)


def score(kind: str, value: str, counts_plies: bool) -> Score:
    """What follows `score`."""
    number = integer(value)
    if kind == "cp":
        return Score(cp=number)
    if not counts_plies:
        return Score(mate=number)
    moves = (abs(number) + 1) // 2
    return Score(mate=moves if number > 0 else -moves, mate_plies=number)


def better(old: Optional[Info], new: Info) -> Info:
    """The `info` to keep: a bound does not replace a score."""
    is_bound = new.score is not None and new.score.bound is not None
    return old if old is not None and old.score is not None and old.score.bound is None and is_bound else new


def bestmove(line: str, last: Info) -> PlayResult:
    """A `bestmove` line (SPEC 5.11), with the `info` before it. Unknown words are skipped (SPEC 17.6)."""
    words = split(line)
    if len(words) < 2:
        raise ProtocolError("expected a move after bestmove, found the end of the line")
    ponder = words[words.index("ponder", 2) + 1:][:1] if "ponder" in words[2:] else []
    return PlayResult(None if words[1] == "none" else words[1], ponder[0] if ponder else None, last)


def game(text: str) -> Dict[str, str]:
    """The answer to `query game` (SPEC 4.21)."""
    name, *rest = split(text) or [""]
    if not name:
        raise unlike("the id of a game", text)
    return {"Game": name, **pairs(rest)}


def draw(lines: Sequence[str]) -> bool:
    """The answer to `draw offer`."""
    answers = [plain(line) for line in lines if first_word(line) == "draw"]
    return one_of(("draw accept", "draw decline"), " ".join(answers[:1])) == "draw accept"


def evaluation(text: str) -> Dict[str, int]:
    """The answer to `eval` (SPEC 4.33)."""
    return {key: integer(value) for key, value in pairs(split(text)).items()}


def status(text: str) -> Status:
    """The answer to `query status` (SPEC 4.18)."""
    found = pairs(split(text))
    try:
        over, result, reason, turn = (found.pop(key) for key in ("over", "result", "reason", "turn"))
        ply, quiet, repetitions = (number(found.pop(key)) for key in ("ply", "quiet", "repetitions"))
    except KeyError as missing:
        raise unlike(f"{missing} in the status", text) from None
    return Status(flag(over), one_of(RESULTS, result), reason, one_of(SIDES, turn), ply, quiet, repetitions, found)


def moves(text: str) -> Moves:
    """The answer to `query moves` or `query history`: a count and as many moves (SPEC 4.14, 4.29)."""
    count, *rest = split(text) or [""]
    if number(count.removesuffix("+")) != len(rest):
        raise unlike(f"{count} moves", text)
    return Moves(tuple(rest), not count.endswith("+"))


def legality(text: str) -> Legality:
    """The answer to `query legal` (SPEC 4.17)."""
    head, _, why = plain(text).partition(" : ")
    words = head.split(" ")
    if words[:1] == ["true"]:
        return Legality(True)
    if len(words) != 4 or words[0] != "false":
        raise unlike("'true' or 'false <reason> at <square>'", text)
    return Legality(False, words[1], words[3], why)


def board(lines: Sequence[str]) -> Board:
    """The lines of `query board` (SPEC 4.23). Unknown lines are skipped."""
    size: Dict[str, str] = {}
    colours: Dict[str, str] = {}
    edges: List[Tuple[str, str]] = []
    holes: List[str] = []
    pieces: List[Piece] = []
    for words in (split(line)[1:] for line in lines):
        if words[:1] == ["files"]:
            size = pairs(words)
        elif words[:1] == ["line"] and len(words) >= 3:
            edges.append((square(words[1]), square(words[2])))
        elif words[:1] == ["hole"] and len(words) >= 2:
            holes.append(square(words[1]))
        elif words[:1] == ["piece"] and len(words) >= 2:
            pieces.append(piece(words[1], pairs(words[2:])))
        elif words[:1] == ["colours"]:
            colours = pairs(words[1:])
    if not {"files", "ranks", "kind"} <= size.keys():
        raise ProtocolError("expected the size of the board, found none")
    return Board(size_of(size["files"]), size_of(size["ranks"]), size["kind"], edges, pieces, colours, tuple(holes))


def size_of(text: str) -> int:
    """The number of files or ranks of a board (SPEC 9.33)."""
    value = number(text)
    if not 1 <= value <= 26:
        raise unlike("a board of 1 to 26 files and ranks", text)
    return value


def square(text: str) -> str:
    """A square."""
    if not SQUARE.fullmatch(text):
        raise unlike("a square", text)
    return text


def piece(text: str, found: Dict[str, str]) -> Piece:
    """A kind of piece, with the pairs of its line."""
    try:
        return Piece(text, found["name"], one_of(OWNERS, found["owner"]), integer(found["value"]))
    except KeyError as missing:
        raise unlike(f"{missing} of the piece {text[:QUOTED]!r}", " ".join(found)) from None


def effects(text: str) -> Effects:
    """The answer to `query effects` (SPEC 4.28)."""
    words = split(text)
    steps = list(zip(words[::2], words[1::2]))
    after = dict(steps)
    try:
        fields = after["side"], after["extra"], number(after["quiet"]), number(after["ply"])
    except KeyError as missing:
        raise unlike(f"{missing} in the effects", text) from None
    return Effects(steps[: [key for key, _ in steps].index("side")], *fields)


def kinds(text: str) -> Tuple[TokenKind, ...]:
    """The kinds of tokens that may follow, separated by commas. `none` means no kind (SPEC 4.44)."""
    return () if text == "none" else tuple(one_of(KINDS, word) for word in text.split(","))


def turn(text: str) -> Turn:
    """The answer to `query turn` (SPEC 4.42)."""
    head, _, why = plain(text).partition(" : ")
    words = head.split(" ")
    at = 0

    def has(key: str) -> bool:
        return words[at:at + 1] == [key] and len(words) > at + 1

    def take(key: str) -> str:
        nonlocal at
        if not has(key):
            raise unlike(f"{key} in the turn", text)
        at += 2
        return words[at - 1]

    def counted(key: str) -> List[Tuple[str, str]]:
        nonlocal at
        count = number(take(key))
        if count > (len(words) - at) // 2:
            raise unlike(f"{count} pairs after {key}", text)
        first, at = at, at + 2 * count
        return list(zip(words[first:at:2], words[first + 1:at:2]))

    entered = take("entered")
    refused = Legality(False, take("refused"), take("at"), why) if has("refused") else None
    awaits, drops = kinds(take("awaits")), number(take("drops"))
    following = tuple([next_token(kind, value) for kind, value in counted("next")])
    steps = tuple(counted("effects"))
    move = take("end") if has("end") else None
    unfinished = take("unfinished") if move is None else None
    ending = tuple(zip(words[at::2], words[at + 1::2])) if move is not None else ()
    return Turn("" if entered == "-" else entered, refused, awaits, drops, following, steps, move, ending, unfinished)


@functools.lru_cache(maxsize=4096)
def next_token(kind: str, value: str) -> NextToken:
    """A pair `<kind> <token>=<kinds>`."""
    token, _, then = value.partition("=")
    return NextToken(one_of(KINDS, kind), token, kinds(then))


def rules(lines: Sequence[str]) -> Rules:
    """The lines of `query rules` (SPEC 4.35). Unknown lines are skipped."""
    language: List[str] = []
    title = ""
    clauses: List[Clause] = []
    prompts: Dict[str, str] = {}
    options: Dict[str, RuleOption] = {}
    words: Dict[str, str] = {}
    for _, key, rest in (line.split(" ", 2) for line in map(plain, lines) if line.count(" ") >= 2):
        head, *texts = rest.split(" : ")
        if key == "language":
            language = split(rest)
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
        elif key == "value" and texts and (found := options.get(head.partition(" ")[0])):
            found.values[head.partition(" ")[2]] = texts[0]
        elif key == "word" and texts:
            words[head] = texts[0]
    if language[1:2] != ["of"]:
        raise ProtocolError("expected the language of the rules, found none")
    return Rules(language[0], tuple(language[2:]), title, tuple(clauses), prompts, options, words)


def problems(lines: Sequence[str]) -> List[Problem]:
    """The lines of `query problems` (SPEC 4.47)."""
    texts = [line.partition(" ")[2] for line in map(plain, lines) if line.startswith("problems ")]
    return [problem(text) for text in texts]


def problem(text: str) -> Problem:
    """A position text and operations as in EPD: `<name> <operands>;`. Unknown operations follow known ones."""
    first, *others = [part for part in PART.findall(text) if part.strip()] or [""]
    words = split(first)
    at = next((at for at, word in enumerate(words) if word in TASK), len(words))
    operations = dict(part.strip().partition(" ")[::2] for part in [" ".join(words[at:]), *others])
    if at == 0 or not operations.keys() >= TASK:
        raise unlike("a position with bm, c0 and id", text)
    texts = {name: value.strip().strip('"') for name, value in operations.items()}
    return Problem(" ".join(words[:at]), tuple(split(texts["bm"])), texts["c0"], texts["id"], texts)


def values(text: str) -> Values:
    """The answer to `query value` (SPEC 4.51): `<value> <plies> reach <n> moves <count>`, then the moves."""
    head, _, rest = plain(text).partition(" moves ")
    worth, plies, key, reach, *more = [*split(head), "", "", "", ""]
    count, *words = split(rest) or [""]
    known = {move: exact(*value) for move, *value in zip(words[::3], words[1::3], words[2::3])}
    if key != "reach" or any(more) or 3 * number(count.removesuffix("+")) != len(words):
        raise unlike("a value, reach, and as many moves with values", text)
    return Values(exact(worth, plies), number(reach), known, not count.endswith("+"))


def exact(worth: str, plies: str) -> Exact:
    """A value and its plies, or `-`."""
    return Exact(one_of(WORTHS, worth), None if plies == "-" else number(plies))


def example(text: str, caption: str) -> Example:
    """`fen <position text> [move <move> effects <pairs>]`."""
    head, _, steps = text.partition(" effects ")
    fen, _, move = head.partition(" move ")
    words = split(steps)
    return Example(fen.removeprefix("fen "), caption, move or None, tuple(zip(words[::2], words[1::2])))
