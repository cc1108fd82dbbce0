import asyncio
import importlib.metadata
import os
import pathlib
import re
import subprocess
import sys
import time
from typing import List, Union

import pytest

from leapclient import (
    Engine, EngineError, EngineNotFound, EngineNotStarted, EngineTerminated, EngineTimeout, Exact, IllegalMove, Limit,
    Refused, popen_ugi)

PYTHON = pathlib.Path(__file__).resolve().parents[1]


def test_every_query_is_answered(leapd: str) -> None:
    with Engine.popen(leapd) as engine:
        assert engine.options["Hash"].min == 1
        assert engine.protocol()[:2] == ["leap", "2.1"]
        assert engine.p1_turn() and not engine.game_over() and engine.result() == "none"
        assert engine.moves().moves == ("b2c3", "c2c3", "d2c3", "d3c3")
        assert not engine.moves(3).complete
        assert engine.status().game["men"] == "12-12"
        assert "sapos" in engine.games() and engine.game()["Game"] == "alquerque"
        assert engine.board().files == 5 and engine.next("b2") == ["c3"]
        assert engine.effects("b2c3").steps == [("from", "b2"), ("to", "c3")]
        begun, done = engine.turn("b2"), engine.turn("b2c3")
        assert [(token.token, token.completes) for token in begun.next] == [("c3", True)]
        assert begun.unfinished == "incomplete"
        assert (done.move, done.steps, done.ending[:1]) == ("b2c3", (("from", "b2"), ("to", "c3")), (("side", "2"),))
        assert engine.legal("b2c3") and engine.legal("c3c4").reason == "empty-square"
        assert "total" in engine.eval() and engine.draw_offer() in (True, False)
        engine.move("b2c3")
        assert engine.history() == ["b2c3"] and engine.fen().split()[1] == "2"


def test_values_come_from_the_tables_of_the_engine(leapd: str, leap_tables: str, tmp_path: pathlib.Path) -> None:
    make = [leap_tables, "make", "alquerque", "--men", "4", "--dir", str(tmp_path)]
    subprocess.run(make, check=True, capture_output=True)
    with Engine.popen(leapd) as engine:
        assert engine.value().position.worth == "unknown"
        engine.configure({"TablePath": tmp_path})
        engine.position("5/5/1M3/1mm2/1M3 1 - 0 0")
        values = engine.value()
        assert (values.position, values.complete) == (Exact("win", 7), True) and values.reach >= 4
        assert tuple(values.moves) == engine.moves().moves
        assert (values.moves["b1c1"], values.moves["b3a3"]) == (Exact("win", 7), Exact("draw", None))
        assert engine.analyse(Limit(depth=4))[0].tbhits
        engine.configure({"TableProbeLimit": 0})
        assert not engine.value().moves


def test_the_engine_explains_each_of_its_games(leapd: str) -> None:
    with Engine.popen(leapd) as engine:
        for game in engine.games():
            engine.configure({"Game": game})
            rules, spanish = engine.rules(), engine.rules("es")
            assert (rules.language, spanish.language) == ("en", "es") and "es" in rules.languages
            assert rules.prompts["end"] and rules.title and len(rules.clauses) == len(spanish.clauses) > 3
            assert set(engine.game()) - {"Game"} == set(rules.options)
            for problem in engine.problems():
                engine.position(problem.fen)
                assert problem.best and all(engine.legal(move) for move in problem.best) and not engine.game_over()
            for example in (example for clause in rules.clauses for example in clause.examples):
                engine.position(example.fen)
                if example.move is not None:
                    effects = engine.effects(example.move)
                    assert [*example.steps][: len(effects.steps)] == effects.steps


def test_without_a_command_the_installed_engine_is_started(leapd: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.path.dirname(leapd))
    with Engine.popen() as engine:
        assert engine.id["name"].startswith("leapd ")


def test_without_any_engine_the_error_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_package(_: str) -> None:
        raise importlib.metadata.PackageNotFoundError

    monkeypatch.setattr(importlib.metadata, "files", no_package)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(FileNotFoundError, match="expected leapd"):
        Engine.popen()


def test_a_refusal_leaves_the_engine_in_step(leapd: str) -> None:
    with Engine.popen(leapd) as engine:
        with pytest.raises(IllegalMove) as caught:
            engine.move("b2b3")
        assert caught.value.reason == "landing-occupied"
        with pytest.raises(Refused) as refused:
            engine.configure({"Hash": 0})
        assert refused.value.code == "out-of-range"
        assert engine.history() == []


def test_an_analysis_is_stopped(leapd: str) -> None:
    async def run() -> None:
        async with await popen_ugi(leapd) as engine:
            async with await engine.analysis() as analysis:
                async for info in analysis:
                    if info.score is not None:
                        break
                assert (await analysis.stop()).move is not None
            assert (await engine.play(Limit(depth=2))).move is not None

    asyncio.run(run())


def test_a_question_during_an_analysis_is_refused_at_once(leapd: str) -> None:
    with Engine.popen(leapd) as engine:
        with engine.analysis():
            with pytest.raises(EngineError, match="a search runs"):
                engine.fen()
        assert engine.fen()


def test_a_silent_engine_is_killed_in_time() -> None:
    begin = time.monotonic()
    with pytest.raises(EngineTimeout):
        Engine.popen([sys.executable, "-c", "import time; time.sleep(60)"], timeout=0.5)
    assert time.monotonic() - begin < 10


def test_an_engine_silent_in_its_search_is_killed_in_time() -> None:
    mute = "for line in iter(input, 'x'):\n  print({'ugi': 'ugiok', 'isready': 'readyok'}.get(line, ''), flush=True)"
    with Engine.popen([sys.executable, "-c", mute]) as engine:
        with pytest.raises(EngineTimeout):
            engine.play(Limit(depth=3), timeout=0.5)


def test_an_engine_that_ends_is_told_of() -> None:
    with pytest.raises(EngineTerminated):
        Engine.popen([sys.executable, "-c", ""])


def test_a_search_can_be_narrowed_to_some_moves(leapd: str) -> None:
    with Engine.popen(leapd) as engine:
        assert engine.play(Limit(depth=2, search_moves=("d3c3",))).move == "d3c3"
        with pytest.raises(ValueError, match="expected a limit"):
            engine.play(Limit(search_moves=("d3c3",)))


def test_closing_kills_what_the_engine_has_started(tmp_path: pathlib.Path) -> None:
    note = tmp_path / "child"
    parent = (
        "import subprocess, sys\n"
        f"child = subprocess.Popen(['sleep', '600']); open({str(note)!r}, 'w').write(str(child.pid))\n"
        "for line in iter(input, 'x'):\n"
        "  print({'ugi': 'ugiok', 'isready': 'readyok'}.get(line, ''), flush=True)")
    with Engine.popen([sys.executable, "-c", parent]):
        child = int(note.read_text())
        os.kill(child, 0)
    state = pathlib.Path(f"/proc/{child}/stat")
    for _ in range(500):
        # The child is gone, or dead and not yet waited for.
        if not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] == "Z":
            return
        time.sleep(0.01)
    pytest.fail("the child of the engine lives on")


@pytest.mark.parametrize("words, reason", [
    ("nosuch", "No such file"), ("nosuch --game sapos", "No such file"), (["nosuch", "x"], "No such file"),
    ("/", "Permission denied"), (__file__, "Permission denied"), ("no\0such", "null byte"), ("", "empty command"),
    ([], "empty command")])
def test_a_program_that_cannot_be_started_is_an_engine_error(words: Union[str, List[str]], reason: str) -> None:
    with pytest.raises(EngineNotStarted, match=reason) as caught:
        Engine.popen(words)
    assert isinstance(caught.value, EngineError) and isinstance(caught.value, OSError)
    assert isinstance(caught.value, EngineNotFound) == ("No such" in reason)
    assert isinstance(caught.value, FileNotFoundError) == ("No such" in reason)


def test_moves_are_a_collection(leapd: str) -> None:
    with Engine.popen(leapd) as engine:
        moves = engine.moves()
        assert list(iter(moves)) == list(moves.moves) == ["b2c3", "c2c3", "d2c3", "d3c3"]
        assert "b2c3" in moves and "a1a2" not in moves and len(moves) == 4 and moves[0] == "b2c3"
        engine.position("5/5/5/1m3/M4 1 - 0 0", engine.moves() and ["a1c3"])
        assert not engine.moves()


def test_an_empty_text_is_written_as_the_protocol_says(leapd: str) -> None:
    with Engine.popen(leapd) as engine:
        for empty in ("", " "):
            engine.configure({"EvalFile": empty, "TablePath": empty})


def test_the_tour_runs(leapd: str) -> None:
    transcript = PYTHON.parents[1] / "games" / "alquerque" / "transcripts" / "agreed-draw.ugt"
    done = subprocess.run([sys.executable, str(PYTHON / "examples" / "tour.py"), leapd, str(transcript)], timeout=120,
                          capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(PYTHON / "src")})
    assert done.returncode == 0, done.stderr
    assert "lines that did not come: 0" in done.stdout and "match: " in done.stdout
    assert re.search(r"^b2c3: [+-]\d\.\d\d$", done.stdout, re.M), done.stdout
