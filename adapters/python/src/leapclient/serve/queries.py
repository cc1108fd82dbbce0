"""The queries (SPEC 4). Each function reads its arguments and returns the text after `response`, or several lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Dict, List, Optional, Union

from . import texts
from .partial import PartialMove, awaited, begin, enter, kind
from .wire import Illegal, Refused, Words, illegal_move

if TYPE_CHECKING:
    from .game import Game, Position
    from .session import Session

LONGEST_LIST = 10_000  # moves that a client gets without asking for more (SPEC 4.12)
Reply = Union[str, List[str]]


def protocol(session: Session, _words: Words) -> str:
    game = session.default_game
    names = "fen moves legal status perft games game history move undo id".split()
    names += "board next effects turn".split() * game.drawn
    names += ["rules"] * bool(game.guide) + ["draw"] * game.draw_offers
    names += ["eval"] * (game.evaluate(session.history.position) is not None)
    return " ".join(["leap 2.1", *names])


def p1turn(session: Session, _words: Words) -> str:
    return flag(session.history.position.side == 1)


def gameover(session: Session, _words: Words) -> str:
    return flag(session.history.is_over())


def result(session: Session, _words: Words) -> str:
    return session.history.ending().result


def fen(session: Session, _words: Words) -> str:
    return session.history.game.position_text(session.history.position)


def moves(session: Session, words: Words) -> str:
    most = LONGEST_LIST
    if words:
        words.choice("limit")
        most = words.number("a limit", 1, 100_000)
    legal = session.history.legal()
    return " ".join([str(len(legal)) if len(legal) <= most else f"{most}+", *legal[:most]])


def legal(session: Session, words: Words) -> str:
    history = session.history
    try:
        enter(history.game, history.position, history.is_over(), words.next("a move")).finish()
        return "true"
    except Illegal as illegal:
        return f"false {illegal.reason} at {illegal.square} : {illegal.text}"


def status(session: Session, _words: Words) -> str:
    history = session.history
    ending, position = history.ending(), history.position
    counts = "".join(f" {key} {value}" for key, value in history.game.counts(position).items())
    return (
        f"over {flag(ending.reason != 'none')} result {ending.result} reason {ending.reason} turn p{position.side}"
        f" ply {position.ply} quiet {position.quiet} repetitions {history.occurrences()}{counts}"
    )


def games(session: Session, _words: Words) -> str:
    return " ".join(session.games)


def game(session: Session, _words: Words) -> str:
    return " ".join([session.default_game.name, *(f"{name} {session.values[name]}" for name in session.rule_options)])


def board(session: Session, _words: Words) -> Reply:
    described = session.history.game
    if not described.drawn:
        raise Refused("not-in-this-game", "the game has no board of squares")
    owners = ("none", "p1", "p2")
    return [
        f"board files {described.files} ranks {described.ranks} kind {described.kind}",
        *(f"board line {one} {other}" for one, other in described.lines),
        *(f"board hole {square}" for square in described.holes),
        *(f"board piece {piece} name {name} owner {owners[owner]} value 1"
          for piece, (name, owner) in described.pieces.items()),
        "board colours p1 {} p2 {}".format(*described.colours),
        "boardok",
    ]


def history(session: Session, _words: Words) -> str:
    return " ".join([str(len(session.history.moves)), *session.history.moves])


def rules(session: Session, words: Words) -> Reply:
    """In the language of the guide, which is what any other language gives too (SPEC 4.36)."""
    if words:
        words.next("a language")
    words.done()
    described = session.default_game  # with default options (SPEC 4.37)
    if not described.guide:
        raise Refused("not-in-this-game", "the game has no rules for people")
    return [*(f"rules {guide_line(described, line)}" for line in described.guide.strip().splitlines()), "rulesok"]


def guide_line(described: Game, line: str) -> str:
    """A line of the guide. In an example with a move the machine writes the effects of the move."""
    head, _, caption = line.partition(" : ")
    if not head.startswith("example fen ") or " move " not in head:
        return line
    text, move = head[len("example fen ") :].split(" move ")
    position = texts.read_position(described, text)
    partial = enter(described, position, False, move)
    pairs = [*partial.effects(), *partial.end_effects(), after(described, position, partial)]
    return f"{head} effects {' '.join(pairs)} : {caption}"


def next_tokens(session: Session, words: Words) -> str:
    now = session.history
    text = words.next("a partial move") if words else ""
    words.done()
    if not text:
        return "" if now.is_over() else " ".join(now.game.partial_move(now.position).tokens())
    try:
        partial = enter(now.game, now.position, now.is_over(), text)
    except Illegal as illegal:
        raise illegal_move(illegal, text, 1) from None
    return " ".join(partial.tokens() + ["end"] * partial.may_end())


def effects(session: Session, words: Words) -> str:
    now, text = session.history, words.next("a move")
    words.done()
    now.move(text)
    partial = enter(now.game, now.position, False, text)
    return " ".join([*partial.effects(), *partial.end_effects(), after(now.game, now.position, partial)])


def turn(session: Session, words: Words) -> str:
    """SPEC 4.41."""
    text = words.next("a move") if words else ""
    words.done()
    now, refused = session.history, None
    if text:
        refused = refusal(now.game, now.position, now.is_over(), text)
    if now.is_over():
        pairs = ["entered -", *told(refused), "awaits none drops 0 next 0 effects 0 unfinished game-over at -"]
        return " ".join(pairs) + (f" : {refused.text}" if refused else "")
    entered, partial = begin(now.game, now.position, text)
    tokens, done = partial.tokens(), partial.effects()
    pairs = [f"entered {entered or '-'}", *told(refused)]
    pairs.append(f"awaits {awaited(partial, not entered)} drops {partial.drops()} next {len(tokens)}")
    pairs += [f"{kind(token, not entered)} {token}={awaited(partial.take(token), False)}" for token in tokens]
    pairs += [f"effects {len(' '.join(done).split()) // 2}", *done]
    try:
        pairs += [f"end {partial.finish()}", *partial.end_effects(), after(now.game, now.position, partial)]
    except Illegal as illegal:
        pairs.append(f"unfinished {illegal.reason} at {illegal.square}")
    return " ".join(pairs) + (f" : {refused.text}" if refused else "")


def refusal(described: Game, position: Position, over: bool, text: str) -> Optional[Illegal]:
    """Why no legal move begins with the text."""
    try:
        enter(described, position, over, text)
        return None
    except Illegal as illegal:
        return illegal


def told(refused: Optional[Illegal]) -> List[str]:
    return [f"refused {refused.reason} at {refused.square}"] if refused else []


def after(described: Game, position: Position, partial: PartialMove) -> str:
    """The fields of the position after a move (SPEC 4.28)."""
    child = described.play(position, partial.finish())
    return f"side {child.side} extra {child.extra} quiet {child.quiet} ply {child.ply}"


def flag(value: bool) -> str:
    return "true" if value else "false"


QUERIES: Dict[str, Callable[[Session, Words], Reply]] = {
    "protocol": protocol, "p1turn": p1turn, "gameover": gameover, "result": result, "fen": fen, "moves": moves,
    "legal": legal, "status": status, "games": games, "game": game, "board": board, "next": next_tokens,
    "effects": effects, "history": history, "rules": rules, "turn": turn,
}
