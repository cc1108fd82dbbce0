"""Hostile engines: every call ends in time with an answer or an `EngineError`, in bounded memory."""

import asyncio
import json
import pathlib
import random
import subprocess
import sys
import time
from typing import Any, Callable, Dict, List, Sequence, Type

import pytest

from leapclient import (
    Engine, EngineError, EngineTerminated, EngineTimeout, Limit, ProtocolError, Refused, popen_ugi, protocol)
from leapclient.model import Info

resource = pytest.importorskip("resource", reason="the memory of a process cannot be asked for")

# Far more than the deadlines below, and far less than a flood could take.
LONG = 30.0
GROWTH_MIB = 100
# Timeouts in seconds: for engines that answer, on a busy machine, and for engines that do not.
PATIENCE, LITTLE = 20.0, 0.5

Rules = Dict[str, List[str]]


def command(rules: Rules) -> List[str]:
    return [sys.executable, str(pathlib.Path(__file__).with_name("hostile_engine.py")), json.dumps(rules)]


def peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def ended(pid: int) -> bool:
    """Whether no process has this id, or the process is dead and not yet waited for."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout
    return not state or state.startswith("Z")


def fails(rules: Rules, use: Callable[[Engine], Any], timeout: float = LITTLE) -> EngineError:
    """The error by which an engine is given up. Checks that this takes bounded time and memory, and ends the engine."""
    before, begin, pid = peak_mib(), time.monotonic(), 0
    with pytest.raises(EngineError) as caught:
        with Engine.popen(command(rules), timeout=timeout if {"ugi", "isready"} & rules.keys() else PATIENCE) as engine:
            engine._engine.timeout = timeout
            pid = engine._engine._wire._process.get_pid()
            use(engine)
    assert time.monotonic() - begin < LONG
    assert peak_mib() - before < GROWTH_MIB
    assert pid == 0 or ended(pid)
    return caught.value


def play_by_depth(engine: Engine) -> None:
    engine.play(Limit(depth=3), timeout=LITTLE)


def play_by_time(engine: Engine) -> None:
    engine.play(Limit(time=0.1))


def analyse(engine: Engine) -> None:
    engine.analyse(Limit(depth=3), timeout=LITTLE)


def stop(engine: Engine) -> None:
    with engine.analysis() as analysis:
        next(analysis)
        analysis.stop()


def read_all(engine: Engine) -> None:
    for _ in engine.analysis(Limit(time=0.1)):
        pass


INFO = "info depth 1 multipv 1 score cp 3 pv a1a2"


@pytest.mark.parametrize("rules, use", [
    ({"ugi": ["!flood 1 y"]}, Engine.fen),
    ({"ugi": ["!flood 1 id name %i"]}, Engine.fen),
    ({"ugi": ["!flood 1 option name %i type button"]}, Engine.fen),
    ({"query fen": ["!flood 1 y"]}, Engine.fen),
    ({"query fen": ["!flood 1 "]}, Engine.fen),
    ({"query fen": ["!flood 1 error internal : %i"]}, Engine.fen),
    ({"query fen": ["!flood 5000 response "]}, Engine.fen),
    ({"query board": ["!flood 1 board line %i b"]}, Engine.board),
    ({"go": ["!flood 1 " + INFO]}, play_by_depth),
    ({"go": ["!flood 1 " + INFO]}, play_by_time),
    ({"go": ["!flood 1 " + INFO]}, read_all),
    ({"go": ["!flood 1 " + INFO]}, stop),
    ({"go": ["!flood 1 y"]}, play_by_time),
    ({"go": ["!flood 1 info depth 1 multipv %i score cp 3 pv a1a2"]}, analyse),
    ({"go": ["!flood 1000  a1a2"]}, analyse),
    ({"go": [INFO], "stop": ["!flood 1 " + INFO]}, stop),
])
def test_a_flood_moves_no_deadline_and_fills_no_memory(rules: Rules, use: Callable[[Engine], Any]) -> None:
    assert isinstance(fails(rules, use), (EngineTimeout, ProtocolError))


@pytest.mark.parametrize("text, use", [("x", Engine.fen), ("response ", Engine.fen), ("info depth 1 ", play_by_time)])
def test_a_line_without_an_end_is_given_up(text: str, use: Callable[[Engine], Any]) -> None:
    endless = {"query fen": ["!part 4000000 " + text], "go": ["!part 4000000 " + text]}
    error = fails(endless, use, PATIENCE)
    assert isinstance(error, ProtocolError) and "expected lines of at most" in str(error)


def test_a_line_of_the_greatest_length_is_read() -> None:
    length = (1 << 20) - len("response ")
    with Engine.popen(command({"query fen": ["!part 1 response ", f"!part {length} x", "!part 1 \r\n"]})) as engine:
        assert engine.fen() == "x" * length


@pytest.mark.parametrize("stage, use", [
    ("ugi", Engine.fen), ("isready", Engine.fen), ("query fen", Engine.fen), ("query board", Engine.board),
    ("go", play_by_time), ("go", analyse), ("stop", stop), ("uginewgame", Engine.new_game)])
@pytest.mark.parametrize("action, kind, timeout", [
    ("!exit", EngineTerminated, PATIENCE), ("!hang", EngineTimeout, LITTLE)])
def test_an_engine_that_dies_or_hangs_at_any_stage_is_told_of(
        stage: str, use: Callable[[Engine], Any], action: str, kind: Type[EngineError], timeout: float) -> None:
    for actions in ([action], ["!part 1 respon", action]):
        rules = {stage: actions, **({"go": [INFO]} if stage == "stop" else {})}
        assert isinstance(fails(rules, use, timeout), kind)


@pytest.mark.parametrize("stage, text, use", [
    ("go", b"bestmove a\xff\x1b[2J", play_by_time), ("go", b"info string \xc3\x28", play_by_time),
    ("query fen", b"response \xf5", Engine.fen), ("ugi", b"id author \xe9", Engine.fen)])
def test_bytes_that_are_no_utf8_are_shown_escaped(stage: str, text: bytes, use: Callable[[Engine], Any]) -> None:
    error = fails({stage: ["!hex " + text.hex() + "0a"]}, use, PATIENCE)
    assert isinstance(error, ProtocolError) and str(error) == f"expected UTF-8, found {text!r}"


@pytest.mark.parametrize("text", [
    "depth 99999999999999999999", "depth -3", "depth 1.5", "depth +1", "depth 01", "depth \u0663", "depth 1_000",
    "nps 1e999", "nps inf", "nodes NaN", "nodes -1", "time 1e5", "time " + "9" * 1_000_000, "hashfull x",
    "score cp 1e5", "score cp NaN", "score cp 18446744073709551616", "score mate --1", "score 5", "score cp", "score",
    "score pawns 3", "wdl 1 2", "wdl 1 2 x", "multipv", "depth", "currmove"])
def test_a_number_that_is_none_is_a_protocol_error_and_ends_the_search(text: str) -> None:
    with pytest.raises(ProtocolError, match="^expected "):
        protocol.info("info " + text)


def test_a_search_with_a_malformed_line_is_given_up() -> None:
    for line in ["info nps 1e999", "bestmove"]:
        assert isinstance(fails({"go": [line, "bestmove a1a2"]}, play_by_time, PATIENCE), ProtocolError)


def test_numbers_may_be_as_large_as_64_bits_allow() -> None:
    most = (1 << 64) - 1
    info = protocol.info(
        f"info depth {most} nodes {most} nps 0 time {most} score cp -{1 << 63} upperbound nonsense 1e999")
    assert (info.depth, info.nodes, info.nps) == (most, most, 0)
    assert info.score is not None and (info.score.cp, info.score.bound) == (-(1 << 63), "upperbound")


def test_messages_have_no_control_characters() -> None:
    evil = "\x1b[2J\x07\u202e"
    for rules in [{"query fen": [f"error internal k{evil} v : {evil}"]}, {"query fen": [evil]}]:
        assert str(fails(rules, Engine.fen, PATIENCE)).isprintable()
    error = fails({"query fen": [f"error internal : {evil}"]}, Engine.fen, PATIENCE)
    assert isinstance(error, Refused) and error.text == evil


QUESTIONS: Sequence[Callable[[Engine], Any]] = [
    Engine.p1_turn, Engine.game_over, Engine.result, Engine.moves, Engine.status, Engine.game, Engine.board,
    Engine.history, Engine.rules, Engine.draw_offer, Engine.eval, lambda engine: engine.legal("a1a2"),
    lambda engine: engine.effects("a1a2"), lambda engine: engine.turn("a1")]


def test_answers_that_are_none_are_protocol_errors_and_leave_the_engine_in_step() -> None:
    for answer in ["", "response", "response ~", "response -1 a1a2", "response 3 a1a2", "board", "board piece A",
                   "board files -1 ranks x kind", "rules value  : x", "draw", "error"]:
        wrong = {"query": [answer], "draw": [answer], "eval": ["response total 1e9"]}
        refused = 0
        with Engine.popen(command({"query fen": ["response sound"], **wrong})) as engine:
            for ask in QUESTIONS:
                try:
                    ask(engine)
                except (ProtocolError, Refused):
                    refused += 1
                assert engine.fen() == "sound"
        # Any word may be the id of a game.
        assert refused >= len(QUESTIONS) - 1, answer


WORDS = ("info depth score cp mate pv wdl 1 -1 0 99999999999999999999 1e999 string bestmove none ponder id response "
         "true false over result none reason turn p1 ply quiet repetitions files ranks kind piece name owner value "
         "side extra entered refused awaits drops next unfinished a1=end "
         "at : language of title clause example fen move effects prompt option default min max var type spin \t \x00 "
         "\x85 \u2028 \ud7ff a1a2 3+ +").split(" ")


def test_whatever_is_parsed_gives_a_value_or_a_protocol_error() -> None:
    chance = random.Random(1)
    parsers: Sequence[Callable[[str], Any]] = [
        protocol.error, protocol.option, protocol.info, protocol.status, protocol.moves, protocol.legality,
        protocol.effects, protocol.turn, protocol.game, protocol.evaluation,
        lambda line: protocol.bestmove(line, Info()),
        lambda line: protocol.board(["board " + part for part in line.split(" : ")]),
        lambda line: protocol.rules(["rules language en of en", "rules option 1 : a : b", "rules " + line]),
        lambda line: protocol.draw([line]), lambda line: protocol.response([line], "x"),
        lambda line: protocol.example(line, "")]
    values = 0
    for _ in range(20_000):
        line = " ".join(chance.choice(WORDS) for _ in range(chance.randrange(12)))
        for parse in parsers:
            try:
                parse(line)
                values += 1
            except EngineError as error:
                assert str(error).isprintable() and len(str(error)) < 1000
    assert values > 20_000


def test_closing_does_not_wait_for_others_that_hold_the_pipes() -> None:
    begin = time.monotonic()
    with Engine.popen(command({"query fen": ["!child", "!exit"]}), timeout=PATIENCE) as engine:
        engine._engine.timeout = LITTLE
        with pytest.raises(EngineTimeout):
            engine.fen()
    assert time.monotonic() - begin < LONG


def test_others_have_their_turn_while_an_engine_floods() -> None:
    async def run() -> None:
        engine = await popen_ugi(command({"query fen": ["!flood 1 y"]}), timeout=LONG)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(engine.fen(), 0.5)
        # The flood goes on in place of the next answer.
        engine.timeout = LITTLE
        with pytest.raises((EngineTimeout, ProtocolError)):
            await engine.fen()
        with pytest.raises(EngineTerminated):
            await engine.fen()

    begin = time.monotonic()
    asyncio.run(run())
    assert time.monotonic() - begin < LONG
