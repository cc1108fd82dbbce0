"""Hive: a destination has one text, whatever neighbour is named (adapters/bridge/src/uhp/hive.rs)."""

from __future__ import annotations

from typing import Dict, List, Mapping, Tuple

from .library import State

SIDES = {"{}-": (1, 0), "{}/": (1, -1), "{}\\": (0, 1), "-{}": (-1, 0), "/{}": (-1, 1), "\\{}": (0, -1)}


def stacks(state: State) -> Dict[Tuple[int, int], List[str]]:
    """The pieces in each cell, from the lowest on."""
    found: Dict[Tuple[int, int], List[str]] = {}
    for text in str(state).split(";")[3:]:
        piece, cell = hive_move(found, text)
        if piece:
            before = next((cell for cell, stack in found.items() if piece in stack), None)
            if before is not None:
                found[before].remove(piece)
                if not found[before]:
                    del found[before]
            found.setdefault(cell, []).append(piece)
    return found


def hive_move(found: Mapping[Tuple[int, int], List[str]], text: str) -> Tuple[str, Tuple[int, int]]:
    """The piece of a MoveString and its destination; no piece if it is a pass."""
    piece, _, place = text.partition(" ")
    if piece == "pass" or not place:
        return ("" if piece == "pass" else piece), (0, 0)
    name = place.strip("-/\\")
    column, row = next(cell for cell, stack in found.items() if name in stack)
    right, down = (0, 0) if place == name else SIDES[place.replace(name, "{}")]
    return piece, (column + right, row + down)


def hive_text(found: Mapping[Tuple[int, int], List[str]], text: str) -> str:
    """The one text of a MoveString: it names the top of what it covers, or else the neighbour that comes first."""
    piece, (column, row) = hive_move(found, text)
    if not piece:
        return "pass"

    def top(column: int, row: int) -> str:
        stack = found.get((column, row), [])
        return next((other for other in reversed(stack) if other != piece), "")

    names = [(top(column - right, row - down), side) for side, (right, down) in SIDES.items()]
    named = min(((name, side.format(name)) for name, side in names if name), default=("", ""))[1]
    place = top(column, row) or named
    return f"{piece}_{place}" if place else piece


def hive_texts(state: State) -> Dict[str, Tuple[int, ...]]:
    """OpenSpiel lists a destination once for each neighbour. Men of a kind are put down in the order of their numbers,
    as the engines of UHP do."""
    found = stacks(state)
    texts: Dict[str, Tuple[int, ...]] = {}
    placed = {piece for stack in found.values() for piece in stack}
    for action in state.legal_actions():
        move = state.action_to_string(action)
        piece = move.partition(" ")[0]
        number = piece[2:]
        is_later = number.isdigit() and number != "1"  # which a pass is not
        if piece in placed or not is_later or f"{piece[:2]}{int(number) - 1}" in placed:
            texts[hive_text(found, move)] = (action,)
    return texts
