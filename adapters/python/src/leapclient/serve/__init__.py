"""Write the rules of a game, and get an engine for it: all of the leap protocol, undo, and a player.

    from leapclient.serve import Game, serve, squares

    class Nim(Game):
        name, title = "nim", "Nim"
        ...

    if __name__ == "__main__":
        serve(Nim())

`Game` says what an author writes. docs/python.md has a whole game.
"""

from typing import NoReturn

from .game import Ending, Game, Position
from .partial import PartialMove
from .search import Line, Search
from .session import Session
from .texts import squares
from .wire import Illegal, Option

__all__ = ["Ending", "Game", "Illegal", "Line", "Option", "PartialMove", "Position", "Search", "serve", "squares"]


def serve(*games: Game) -> NoReturn:
    """Speaks the protocol on the standard input and output until the client says `quit`. Of several games the first is
    in play at the start. Their rule options of the same name are one option, with the first game's default.
    `ValueError` tells of a game whose description contradicts SPEC 9."""
    Session(*games).run()
