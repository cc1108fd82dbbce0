"""Rules broken on purpose, one to a class: what `leap check` must find. The name of a break is its class's name in lower
case with hyphens; the text of a class says what it does."""

from __future__ import annotations

import re
from dataclasses import replace

from leapclient.serve import Ending, Position
from rules import EMPTY, MEN, Rules, Walk, hopped_over


class DiagonalsEverywhere(Rules):
    """Odd points have diagonals too."""

    def has_diagonals(self, file: int, rank: int) -> bool:
        return True


class NoDiagonals(Rules):
    """No point has diagonals."""

    def has_diagonals(self, file: int, rank: int) -> bool:
        return False


class CentreToTheLeft(Rules):
    """At the start each player's two men on the middle row are on the left."""

    start = "mmmmm/mmmmm/MM1mm/MMMMM/MMMMM"


class P2Begins(Rules):
    """Player 2 makes the first move."""

    start = Rules.start + " 2"


class ThirteenMen(Rules):
    """A player may have 13 men in a position text."""

    most_men = 13


class ForwardOnly(Rules):
    """Men step forward and sideways only."""

    def steps(self, walk: Walk) -> list[Walk]:
        ahead = 1 if walk.man == MEN[1] else -1
        return [to for to in super().steps(walk) if (to.route[-1] // 5 - walk.route[-1] // 5) * ahead >= 0]


class CapturedManStays(Rules):
    """A capture leaves the man on the board."""

    def play(self, position: Position, move: str) -> Position:
        after = super().play(position, move)
        return replace(after, board={**after.board, **{name: position.board[name] for name in hopped_over(move)}})


class CapturedMenLeaveLate(Rules):
    """Captured men leave at the end of the move only, and may be hopped over again."""

    def hop(self, walk: Walk, over: int, to: int) -> Walk:
        return super().hop(walk, over, to)._replace(board=walk.board)


class OriginStaysOccupied(Rules):
    """A man may not come back to its origin."""

    def hops(self, walk: Walk) -> list[Walk]:
        return [to for to in super().hops(walk) if to.route[-1] != walk.route[0]]


class OwnMenHopped(Rules):
    """Men may hop over their own, which are captured like enemies."""

    def can_be_hopped(self, man: str, by: str) -> bool:
        return man != EMPTY


class OneHopOnly(Rules):
    """A move has one hop at most."""

    def onward(self, walk: Walk) -> list[Walk]:
        return [] if walk.captured else super().onward(walk)


class MustGoOn(Rules):
    """A man that has hopped must go on while it can, though captures are optional."""

    def may_stop(self, walk: Walk, onward: list[Walk]) -> bool:
        return len(walk.route) > 1 and not onward


class StepAfterHops(Rules):
    """A man may step after its hops."""

    def onward(self, walk: Walk) -> list[Walk]:
        return super().onward(walk) + (self.steps(walk) if walk.captured else [])


class MandatoryIgnored(Rules):
    """Captures are always optional."""

    def configure(self) -> None:
        super().configure()
        self.mandatory = False


class MandatoryAtFirstOnly(Rules):
    """With mandatory captures a man need not go on hopping."""

    def may_stop(self, walk: Walk, onward: list[Walk]) -> bool:
        return len(walk.route) > 1


class MandatoryChainsOnly(Rules):
    """With mandatory captures a step may be made instead; only a chain must go on."""

    def must_capture(self, walks: list[Walk]) -> bool:
        return False


class MandatoryMost(Rules):
    """With mandatory captures as many men as possible must be captured."""

    def generate(self, position: Position) -> list[Walk]:
        moves = super().generate(position)
        most = max((len(move.captured) for move in moves), default=0)
        return [move for move in moves if len(move.captured) == most] if self.mandatory else moves


class ListingByLetter(Rules):
    """Moves are listed by their letters, not by the index of their squares."""

    def listed(self, moves: list[str]) -> list[str]:
        return sorted(moves)


class RoutesTwice(Rules):
    """Each route of a move is listed."""

    def generate(self, position: Position) -> list[Walk]:
        moves, walks = [], self.starts(position)
        while walks:
            walk = walks.pop()
            onward = self.onward(walk)
            moves += [walk] if self.may_stop(walk, onward) else []
            walks += onward
        return moves


class CanonicalIsGreatest(Rules):
    """Of the routes of a move the greatest sequence is the canonical one."""

    def hops(self, walk: Walk) -> list[Walk]:
        return super().hops(walk)[::-1]


class QuietNotReset(Rules):
    """A capture does not set quiet to 0."""

    def play(self, position: Position, move: str) -> Position:
        return replace(super().play(position, move), quiet=position.quiet + 1)


class StuckDraws(Rules):
    """A side without a move draws."""

    def stuck(self, position: Position) -> str:
        return "draw"


class StuckCounts(Rules):
    """A side without a move does not lose: the count decides."""

    def stuck(self, position: Position) -> str:
        return self.count(position)


class CountReversed(Rules):
    """The count is won by the side that has fewer men."""

    def count(self, position: Position) -> str:
        return super().count(replace(position, board={name: man.swapcase() for name, man in position.board.items()}))


class CountDraws(Rules):
    """What the count should decide is a draw."""

    def count(self, position: Position) -> str:
        return "draw"


class QuietLimitLate(Rules):
    """The quiet limit ends the game one ply late."""

    def limit(self, position: Position) -> str | None:
        return super().limit(replace(position, quiet=max(0, position.quiet - 1)))


class QuietLimitEarly(Rules):
    """The quiet limit ends the game one ply early."""

    def limit(self, position: Position) -> str | None:
        return super().limit(replace(position, quiet=position.quiet + 1))


class MaxPliesLate(Rules):
    """MaxPlies ends the game one ply late."""

    def limit(self, position: Position) -> str | None:
        return super().limit(replace(position, ply=max(0, position.ply - 1)))


class MaxPliesFirst(Rules):
    """MaxPlies is looked for before the quiet limit."""

    def limit(self, position: Position) -> str | None:
        return "max-plies" if 0 < int(self.settings["MaxPlies"]) <= position.ply else super().limit(position)


class LimitsFirst(Rules):
    """The limits are looked for before a side without a move."""

    def ending(self, position: Position, occurrences: int) -> Ending:
        reason = self.limit(position)
        return Ending(self.count(position), reason) if reason else super().ending(position, occurrences)


class RepetitionIgnored(Rules):
    """Repetition ends no game."""

    repetitions = 0


class RepetitionOfTwo(Rules):
    """The second occurrence of a position ends the game."""

    repetitions = 2


BREAKS = {re.sub("(?<=.)(?=[A-Z])", "-", rules.__name__).lower(): rules for rules in Rules.__subclasses__()}
