"""A game in play: its moves, its pictures, its scores."""

import json
import pathlib
import sys
import threading
import xml.etree.ElementTree as ElementTree
from typing import Dict, Iterator, List

import pytest

from leapclient import (
    Board, Engine, EngineError, IllegalMove, Info, Limit, Outcome, Piece, Position, ProtocolError, Refused, Score,
    diagram, protocol)

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def engine(leapd: str) -> Iterator[Engine]:
    with Engine.popen(leapd) as engine:
        yield engine


def test_moves_are_made_and_taken_back(engine: Engine) -> None:
    position = Position(engine, game="sapos")
    start = position.fen()
    assert (position.turn, position.move_stack, position.outcome()) == ("p1", [], None)
    position.push("d2d4@c4")
    position.push("D7D5@E5")
    assert position.move_stack == ["d2d4@c4", "d7d5@e5"] and position.peek() == "d7d5@e5"
    engine.position(moves=position.move_stack)
    assert engine.fen() == position.fen() and engine.status() == position.status()
    assert position.pop() == "d7d5@e5" and position.turn == "p2"
    assert position.root().fen() == start and position.fen() != start
    assert position.pop() == "d2d4@c4" and position.fen() == start
    for nothing in (position.pop, position.peek):
        with pytest.raises(IndexError):
            nothing()


def test_legal_moves_are_a_sequence_in_which_any_writing_is_found(engine: Engine) -> None:
    position = Position(engine, game="sapos")
    moves = position.legal_moves
    assert list(moves) == list(engine.moves()) and len(moves) == 30 and moves[0] == "d2f2d2@d1" and moves.complete
    assert moves[:2] == tuple(moves)[:2] and moves.index(moves[5]) == 5 and moves
    assert "d2d4@c4" in moves and "D2D4@C4" in moves
    for wrong in ("d2d5", "", "d2d4 @c4", "d2d4@c4\n", 3, None):
        assert wrong not in moves
    position.push("d2d4@c4")
    assert "d2d4@c4" in moves and "d2d4@c4" not in position.legal_moves


def test_an_illegal_move_says_why_and_changes_nothing(engine: Engine) -> None:
    position = Position(engine)
    with pytest.raises(IllegalMove) as caught:
        position.push("b2b3")
    assert (caught.value.reason, caught.value.square) == ("landing-occupied", "b3")
    assert not position.legal("b2b3") and position.legal("b2c3")
    for wrong in ("", "b2c3 b3b2", "b2c3\nquit"):
        with pytest.raises(ValueError, match="one move"):
            position.push(wrong)
    assert position.move_stack == []
    with pytest.raises(Refused):
        Position(engine, "5/5/5 1 - 0 0")
    with pytest.raises(IllegalMove):
        Position(engine, moves=["b2b3"])


def test_a_copy_goes_its_own_way(engine: Engine) -> None:
    position = Position(engine)
    other = position.copy()
    other.push("b2c3")
    assert position.move_stack == [] and other.move_stack == ["b2c3"] and position != other
    position.push("b2c3")
    assert position == other and position != "b2c3" and Position(engine, position.fen()) == position
    with pytest.raises(TypeError):
        hash(position)


def test_a_game_ends_with_its_outcome(engine: Engine) -> None:
    position = Position(engine, "5/5/5/1m3/M4 1 - 0 0", game="alquerque")
    assert position.outcome() is None and not position.is_game_over()
    position.push("a1c3")
    assert position.is_game_over() and not position.legal_moves and list(position.legal_moves) == []
    assert position.outcome() == Outcome("p1win", "no-moves") and position.outcome().winner == "p1"  # type: ignore[union-attr]
    drawn = Position(engine, options={"MaxPlies": 1})
    drawn.push("b2c3")
    assert drawn.outcome() == Outcome("draw", "max-plies") and Outcome("draw", "max-plies").winner is None


def test_repetition_is_known_from_the_moves(engine: Engine) -> None:
    position = Position(engine, "5/5/M4/5/4m 1 - 0 0", game="alquerque")
    for move in ["a3a2", "e1e2", "a2a3", "e2e1"] * 2:
        position.push(move)
    assert position.status().repetitions == 3 and position.outcome() is not None
    assert Position(engine, position.fen()).outcome() is None


def test_positions_of_different_games_share_an_engine(engine: Engine) -> None:
    eximo = Position(engine, game="eximo")
    short = Position(engine, game="eximo", options={"MaxPlies": 2})
    sapos = Position(engine, game="sapos")
    assert [position.settings["MaxPlies"] for position in (eximo, short, sapos)] == ["400", "2", "2"]
    for position in (eximo, sapos, short) * 2:
        position.push(position.legal_moves[0])
    # `MaxPlies` is an option of all games. It was in force when the second and the third position were made.
    assert [position.is_game_over() for position in (eximo, sapos, short)] == [False, True, True]
    engine.configure({"Game": "froglet"})
    assert len(eximo.copy().legal_moves) > 0 and eximo.legal(eximo.legal_moves[0])
    assert engine.play(Limit(depth=1), position=eximo).move in eximo.legal_moves
    sapos.pop()
    assert engine.analyse(Limit(depth=1), position=sapos)[0].pv[0] in sapos.legal_moves
    with engine.analysis(position=eximo) as analysis:
        assert next(analysis).turn == eximo.turn


def test_threads_share_an_engine_with_their_positions(engine: Engine) -> None:
    failures: List[BaseException] = []

    def play(game: str) -> None:
        try:
            position = Position(engine, game=game)
            for _ in range(15):
                position.push(position.legal_moves[0])
                assert position.settings["Game"] == game
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=play, args=("eximo",)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_an_engine_whose_game_cannot_be_set_is_told_of() -> None:
    hostile = {"query game": ["response other"], "query board": ["board files 3 ranks 3 kind cells", "boardok"],
               "query": ["response 0"]}
    with Engine.popen(command(hostile)) as engine:
        with pytest.raises((EngineError, ProtocolError)):
            Position(engine)
        with pytest.raises(EngineError, match="keeps changing"):
            engine._answers({"Game": "mine"}, [], ["fen"])


def test_a_position_is_asked_about_once(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(engine, game="eximo")
    asked: List[object] = []
    answers = Engine._answers

    def count(self: Engine, *arguments: object) -> object:
        asked.append(arguments)
        return answers(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Engine, "_answers", count)
    for move in list(position.legal_moves)[:3]:
        position.push(move)
        for _ in range(2):
            assert position.fen() and position.status() and len(position.legal_moves) and position.outcome() is None
        position.pop()
    assert len(asked) == 3


def test_pieces_stand_where_the_text_says(engine: Engine) -> None:
    position = Position(engine, "5/5/5/1m3/M4 1 - 0 0", game="alquerque")
    man, enemy = position.piece_at("a1"), position.piece_at("b2")
    assert (man and man.owner, enemy and enemy.owner, position.piece_at("c3")) == ("p1", "p2", None)
    assert sorted(position.piece_map()) == ["a1", "b2"]


def test_a_board_is_printed_in_letters(engine: Engine) -> None:
    position = Position(engine, "5/5/5/1m3/M4 1 - 0 0", game="alquerque")
    assert str(position) == " 5 . . . . .\n 4 . . . . .\n 3 . . . . .\n 2 . m . . .\n 1 M . . . .\n   a b c d e"
    assert repr(position) == "<Position of alquerque: 5/5/5/1m3/M4 1 - 0 0>"
    for game in engine.games():
        rows = str(Position(engine, game=game)).splitlines()
        board = engine.board()
        assert len(rows) == board.ranks + 1 and rows[-1].split() == [chr(97 + file) for file in range(board.files)]


# A board of hexagons without two of its corners (SPEC 9.32).
HEXAGONS = Board(3, 3, "hexagons", [], [Piece("M", "stone", "p1", 1), Piece("m", "stone", "p2", 1)],
                 {"p1": "white", "p2": "black"}, ("a1", "c3"))


def test_hexagons_are_shifted_and_holes_are_not_drawn() -> None:
    assert diagram.text("1M1/m2/3 1 - 0 0", HEXAGONS) == " 3   . M\n 2  m . .\n 1   . .\n   a b c"
    picture = ElementTree.fromstring(diagram.svg("1M1/m2/3 1 - 0 0", HEXAGONS, ["b3"], [("b3", "a2", "red")]))
    assert len(picture.findall(f".//{SVG}polygon")) == 7
    assert len(picture.findall(f".//{SVG}circle[@class='body']")) == 2
    centres = [diagram.Geometry(HEXAGONS, flipped).centre("b2") for flipped in (False, True)]
    assert centres[0] == centres[1], "the middle stays where it is"


def test_a_picture_has_the_pieces_the_last_move_and_arrows(engine: Engine) -> None:
    for game in engine.games():
        position = Position(engine, game=game)
        position.push(position.legal_moves[0])
        picture = ElementTree.fromstring(position._repr_svg_())
        bodies = picture.findall(f".//{SVG}circle[@class='body']") + picture.findall(f".//{SVG}rect[@class='body']")
        assert len(bodies) == len(position.piece_map())
        assert picture.findall(f".//{SVG}rect[@class='last']"), "the last move glows"
        arrowed = ElementTree.fromstring(position.svg([("a1", "b2"), ("a1", "a3", '"red')], flipped=True, size=200))
        assert len(arrowed.findall(f"{SVG}path")) == len(picture.findall(f"{SVG}path")) + 4
        assert arrowed.get("width") == "200" and arrowed.find(f"{SVG}path[@stroke='\"red']") is not None
    lines = ElementTree.fromstring(Position(engine, game="alquerque").svg()).findall(f"{SVG}line")
    assert len(lines) == len(engine.board().lines) > 40


def test_the_pieces_are_those_of_the_page() -> None:
    page = ROOT / "adapters" / "page" / "assets" / "board" / "pieces.svg"
    own = pathlib.Path(diagram.__file__).with_name("pieces.svg")
    assert own.read_bytes() == page.read_bytes(), f"cp {page} {own}"


def test_games_of_strangers_are_drawn_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(EXAMPLES.parent / "src"))
    with Engine.popen([sys.executable, str(EXAMPLES / "othello.py")]) as engine:
        position = Position(engine)
        position.push(position.legal_moves[0])
        assert str(position).count("M") + str(position).count("m") == 5 and position.svg().count('class="last"') == 2


@pytest.mark.parametrize("line", [
    "board files 1000000 ranks 3 kind cells", "board files 3 ranks 0 kind cells", "board line a1 z99",
    "board hole <svg>", "board piece M name man owner p3 value 1"])
def test_a_board_that_no_engine_may_have_is_a_protocol_error(line: str) -> None:
    with pytest.raises(ProtocolError):
        protocol.board(["board files 3 ranks 3 kind cells", line])


def test_scores_are_sorted_from_the_soonest_loss_to_the_soonest_win() -> None:
    scores = [Score(mate=-1, mate_plies=-2), Score(mate=-3, mate_plies=-6), Score(cp=-900), Score(cp=-1), Score(cp=0),
              Score(cp=30), Score(mate=4), Score(mate=2, mate_plies=4), Score(mate=2, mate_plies=3), Score(mate=1)]
    assert sorted(scores, key=lambda score: score) == scores and max(scores[::-1]) == scores[-1]
    for worse, better in zip(scores, scores[1:]):
        assert worse < better and worse <= better and better > worse and better >= worse and not better <= worse
        assert -better < -worse
    assert Score(cp=3) <= Score(cp=3, bound="lowerbound") and Score(cp=3) != Score(cp=3, bound="lowerbound")


def test_a_score_is_seen_from_either_side() -> None:
    score = Score(mate=2, bound="lowerbound", mate_plies=3)
    negated = -score
    assert negated == Score(mate=-2, bound="upperbound", mate_plies=-3) and -negated == score
    info = Info(score=Score(cp=31), wdl=(500, 300, 200), turn="p2")
    assert info.pov("p2") == info and info.pov("p1") == Info(score=Score(cp=-31), wdl=(200, 300, 500), turn="p1")
    assert info.chance() == 0.65 and info.pov("p1").chance() == pytest.approx(0.35)
    assert Info(turn="p1").chance() is None and Info(turn="p1").pov("p2").score is None
    with pytest.raises(ValueError, match="p1turn"):
        Info(score=score).pov("p1")
    with pytest.raises(ValueError, match="expected a side, p1 or p2, found 'p3'"):
        info.pov("p3")  # type: ignore[arg-type]
    assert [str(score) for score in (Score(cp=35), Score(cp=-7), Score(mate=-3))] == ["+0.35", "-0.07", "#-3"]


def test_chances_are_those_of_the_other_tools() -> None:
    cases = json.loads((ROOT / "adapters" / "analyse" / "tests" / "judgements.json").read_text(encoding="utf-8"))
    for case in cases["chances"]:
        wdl = None if case["wdl"] is None else tuple(case["wdl"])
        assert Info(score=Score(**case["score"]), wdl=wdl).chance() == pytest.approx(case["chance"]), case["what"]


def test_a_search_knows_whose_score_it_tells(engine: Engine) -> None:
    position = Position(engine, game="sapos")
    assert engine.analyse(Limit(depth=2), position=position)[0].turn == "p1"
    position.push("d2d4@c4")
    best = engine.play(Limit(depth=2), position=position).info
    assert best.turn == "p2" and best.score is not None and best.pov("p1").score == -best.score
    for answer, turn in (("response false", "p2"), ("error unknown-command : what", None), ("response maybe", None)):
        rules = {"query p1turn": [answer], "go": ["info score cp 3", "bestmove a1a2"]}
        with Engine.popen(command(rules)) as other:
            assert other.play(Limit(depth=1)).info.turn == turn


def command(rules: Dict[str, List[str]]) -> List[str]:
    return [sys.executable, str(pathlib.Path(__file__).with_name("hostile_engine.py")), json.dumps(rules)]
