"""Records as text: what Rust's reader reads, this one reads; and what an engine says about their games."""

import json
import pathlib
from typing import Any, Dict, Iterator, List

import pytest

from leapclient import Engine, Info, Limit, Position, Score
from leapclient.records import Ply, Record, RecordError, parse, read, write

RECORDS = pathlib.Path(__file__).resolve().parents[2] / "records" / "tests"
CASES: List[Dict[str, Any]] = json.loads((RECORDS / "cases.json").read_text(encoding="utf-8"))
ANNOTATED = """[Format "2"]
[Game "alquerque"]
[P1 "a \\"name\\""]

1. b2c3 {cp -9 depth 4 nodes 1443 us 1195 : the usual move} 2. b3b2 $2 {mate -2} (2. d4b2 $1 3. a1c3
(3. c2c3) 4. a3a1) 3. b1b3 *

"""
TWO_MEN = '[Game "alquerque"]\n[Fen "5/5/5/1m3/M4 1 - 0 0"]\n'


@pytest.fixture
def engine(leapd: str) -> Iterator[Engine]:
    with Engine.popen(leapd) as engine:
        yield engine


def plain(ply: Ply) -> Dict[str, Any]:
    """A move as the cases write it."""
    score = ply.score
    parts = {
        "score": score and ({"cp": score.cp} if score.mate is None else {"mate": score.mate}), "depth": ply.depth,
        "nodes": ply.nodes, "timeUs": None if ply.time is None else round(ply.time * 1e6), "glyphs": ply.glyphs or None,
        "text": ply.text or None, "variations": [list(map(plain, line)) for line in ply.variations] or None}
    return {"move": ply.move, **{key: value for key, value in parts.items() if value is not None}}


@pytest.mark.parametrize("case", CASES, ids=lambda case: repr(case["text"])[:40])
def test_a_text_is_read_as_by_the_other_tools(case: Dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises(RecordError) as caught:
            parse(case["text"])
        assert str(caught.value) == case["error"] and str(caught.value).startswith(f"line {caught.value.line}: ")
        return
    found = parse(case["text"])
    assert [{"tags": list(map(list, record.tags)), "plies": list(map(plain, record.plies)), "result": record.result}
            for record in found] == case["records"]
    if "printed" in case:
        printed = "".join(map(str, found))
        assert printed == case["printed"] and parse(printed) == found


def test_whatever_the_tools_refuse_is_refused() -> None:
    kinds = {"after-result", "early-comment", "early-variation", "empty-variation", "escape", "format", "glyph", "move",
             "no-result", "no-result-between", "no-value", "no-variation", "not-utf8", "number", "open-comment",
             "open-variation", "tag", "too-deep", "value"}
    for kind in sorted(kinds):
        with pytest.raises(RecordError):
            read(RECORDS / "refused" / kind)


def test_a_record_has_all_that_is_said_about_a_game(tmp_path: pathlib.Path) -> None:
    [record] = parse(ANNOTATED)
    assert (record.tag("P1"), record.tag("P2"), record.result, record.format) == ('a "name"', None, "*", 2)
    first, second, third = record.plies
    assert (first.score, first.depth, first.nodes, first.time) == (Score(cp=-9), 4, 1443, 0.001195)
    assert (first.text, second.glyphs, second.score) == ("the usual move", [2], Score(mate=-2))
    assert [ply.move for ply in second.variations[0]] == ["d4b2", "a1c3", "a3a1"]
    assert second.variations[0][1].variations[0][0].move == "c2c3" and third.line == 6
    path = tmp_path / "games.ugr"
    write(path, [record, record])
    assert read(path) == [record, record] and path.read_bytes() == ANNOTATED.encode() * 2


def test_what_no_record_can_hold_is_not_written() -> None:
    for record in (
            Record([("a b", "c")]), Record([("a", "b\nc")]), Record([], [Ply("")]), Record([], [Ply("a b")]),
            Record([], [Ply("draw")]), Record([], [Ply("a{")]), Record([], [Ply("1.")]),
            Record([], [Ply("a(", glyphs=[1])]), Record([], [Ply("$1", text="x")]),
            Record([], [Ply("a", glyphs=[256])]), Record([], [Ply("a", variations=[[]])])):
        with pytest.raises(ValueError, match="^expected "):
            str(record)
    assert parse(str(Record([], [Ply("a(1)"), Ply("[b")])))[0].plies == [Ply("a(1)"), Ply("[b")]


def test_reading_is_not_slow_and_its_errors_are_short() -> None:
    braces = "{" * 80_000
    for text in (
            f"1. a1a2 {braces}\n", "a1a2 " + "{ " * 80_000 + "\n", "a1a2 " + "{\n" * 80_000 + "\n",
            "[" + "[" * 80_000 + "\n", "[" + ' "' * 80_000 + "\n", f"draw {braces}\n", f"a1a2 {{cp {braces}}} draw\n",
            "a1a2 " * 100_001, '[Format "2"]\n\n' + "a (" * 80_000, '[Format "2"]\n\na ' + "(b) " * 100_000,
            '[Format "2"]\n\na ' + ")" * 80_000, "9" * 80_000 + ". a *"):
        with pytest.raises(RecordError) as caught:
            parse(text)
        assert len(str(caught.value)) < 500 and "\n" not in str(caught.value)


def test_a_record_is_replayed_by_the_engine(engine: Engine) -> None:
    [record] = parse(ANNOTATED)
    record.check(engine)
    positions = record.replay(engine)
    assert [position.move_stack for position in positions] == [
        [], ["b2c3"], ["b2c3", "b3b2"], ["b2c3", "b3b2", "b1b3"]]
    engine.position(moves=positions[-1].move_stack)
    assert engine.fen() == positions[-1].fen()


@pytest.mark.parametrize("text, fault", [
    ('[Game "alquerque"]\n\n1. b2c3\n2. b3b3 *\n', "line 4: expected a legal move, found 'b3b3': "),
    ('[Format "2"]\n[Game "alquerque"]\n\n1. b2c3 (1. c2c3\n2. a1a1) *\n',
     "line 5: expected a legal move, found 'a1a1': "),
    (f"{TWO_MEN}\n1. a1c3 p2win\n", "line 4: expected the result p1win (no-moves), found"),
    (f"{TWO_MEN}\n1. a1c3 2. a1a2 *\n", "line 4: expected a legal move"),
    ('[Game "alquerque"]\n[Fen "5/5"]\n\n*\n', "line 1: expected a game that the engine plays, found bad-position"),
    ('[Game "chess"]\n\n*\n', "line 1: expected a game that the engine plays, found no-such-game"),
    ('\n[Game "eximo"]\n[Option "Speed=9"]\n\n*\n',
     "line 2: expected a game that the engine plays, found no-such-option"),
    ('[P1 "a"]\n\n*\n', "line 1: expected a game with the tag Game"),
])
def test_a_game_against_the_rules_is_named_with_its_line(engine: Engine, text: str, fault: str) -> None:
    [record] = parse(text)
    with pytest.raises(RecordError) as caught:
        record.check(engine)
    assert str(caught.value).startswith(fault)


def test_a_game_in_play_becomes_a_record_and_comes_back(engine: Engine) -> None:
    position = Position(engine, game="sapos", options={"MaxPlies": 2})
    record = Record.of(position)
    while not position.is_game_over():
        info = engine.play(Limit(depth=2), position=position).info
        position.push(info.pv[0])
        record = Record.of(position, P1="leapd", P2="leapd")
        record.plies[-1].set_info(info)
    assert record.tags == [("Game", "sapos"), ("P1", "leapd"), ("P2", "leapd"), ("Option", "MaxPlies=2")]
    assert record.result == "draw" and record.plies[-1].score == info.score
    engine.configure({"Game": "eximo", "MaxPlies": 400})
    [again] = parse(str(record))
    again.check(engine)
    assert again.replay(engine)[-1] == position and again.options == {"MaxPlies": "2"}
    # The options that a record does not name have their defaults.
    [other] = parse('[Game "sapos"]\n\n*\n')
    assert other.position(engine).settings["MaxPlies"] == "400"
    composed = Position(engine, "5/5/5/1m3/M4 1 - 0 0", game="alquerque")
    assert Record.of(composed).tag("Fen") == "5/5/5/1m3/M4 1 - 0 0" and Record.of(composed).result == "*"


def test_a_bound_is_no_evaluation() -> None:
    ply = Ply("a1a2", score=Score(cp=1))
    ply.set_info(Info(depth=3, score=Score(cp=9, bound="lowerbound")))
    assert (ply.score, ply.depth) == (Score(cp=1), 3)
