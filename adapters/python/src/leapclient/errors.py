"""The errors of an engine."""

from typing import Dict


def visible(text: str) -> str:
    """A text of an engine with control characters escaped, which would act on a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


class EngineError(Exception):
    """Any failure of an engine."""


class EngineNotStarted(EngineError, OSError):
    """The program of the engine cannot be started."""


class EngineNotFound(EngineNotStarted, FileNotFoundError):
    """There is no such program."""


class EngineTerminated(EngineError):
    """The engine has exited, or has been closed."""


class EngineTimeout(EngineError):
    """The engine has not answered in time, and has been killed."""


class ProtocolError(EngineError):
    """The engine has written something that is not a valid reply. If this happens in a search, the engine is killed."""


class Refused(EngineError):
    """An error `line` (SPEC 6.1): its `code`, its pairs in `fields`, and its `text`."""

    def __init__(self, line: str, code: str, fields: Dict[str, str], text: str) -> None:
        super().__init__(visible(f"{code}: {text}"))
        self.line = line
        self.code = code
        self.fields = fields
        self.text = text


class IllegalMove(Refused):
    """`error illegal-move` (SPEC 6.6)."""

    @property
    def move(self) -> str:
        """The illegal move."""
        return self.fields.get("move", "")

    @property
    def reason(self) -> str:
        """Why the move is illegal: a code of SPEC 6.8."""
        return self.fields.get("reason", "")

    @property
    def square(self) -> str:
        """Where the move fails, or `-`."""
        return self.fields.get("at", "-")
