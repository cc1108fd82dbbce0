"""Whatever a caller cancels, interrupts, drops or closes: the next call gets its own answer, or says why it cannot."""

import asyncio
import gc
import inspect
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import weakref
from typing import Any, Awaitable, Callable, Dict, List

import pytest

from leapclient import Engine, EngineError, EngineTerminated, EngineTimeout, Limit, Refused, UgiEngine, popen_ugi, sync

TESTS = pathlib.Path(__file__).resolve().parent
INFO = "info depth 1 score cp 3 pv a1a2"
# Answers by the question, and a search that goes on until it is stopped.
ENDLESS = {"go": [INFO], "stop": ["bestmove a1a2"], "query fen": ["response here"], "query p1turn": ["response true"],
           "position": [], "perft": ["info perft a1a2 1"]}
FOREVER = Limit(depth=99)


def command(rules: Dict[str, List[str]]) -> List[str]:
    return [sys.executable, str(TESTS / "hostile_engine.py"), json.dumps(rules)]


async def cancelled(work: Awaitable[Any], turns: int, times: int = 1) -> None:
    """Begins a task, lets it have some turns of the event loop, and cancels it."""
    task = asyncio.ensure_future(work)
    for _ in range(turns):
        await asyncio.sleep(0)
    for _ in range(times):
        task.cancel()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await task


WORKS: List[Callable[[UgiEngine], Awaitable[Any]]] = [
    lambda engine: engine.play(FOREVER), lambda engine: engine.analyse(FOREVER), lambda engine: engine.analysis(),
    lambda engine: engine.fen(), lambda engine: engine.configure({"Hash": 2}), lambda engine: engine.command("perft 3"),
    # More than a pipe holds.
    lambda engine: engine.position(moves=["a1a2"] * 160_000)]


@pytest.mark.parametrize("work", WORKS)
@pytest.mark.parametrize("times", [1, 2, 3])
def test_no_cancellation_is_lost_and_the_next_question_has_its_own_answer(
        work: Callable[[UgiEngine], Awaitable[Any]], times: int) -> None:
    async def run() -> None:
        stop = ["perft 3 nodes 1", "bestmove a1a2"]
        async with await popen_ugi(command({**ENDLESS, "perft": [], "stop": stop})) as engine:
            for turns in range(4):
                await cancelled(work(engine), turns, times)
                assert (await engine.p1_turn(), await engine.fen()) == (True, "here")
            # Later: the engine has begun to answer, and the caller waits.
            for wait in (0.02, 0.05):
                task = asyncio.ensure_future(work(engine))
                await asyncio.sleep(wait)
                for _ in range(times):
                    task.cancel()
                    await asyncio.sleep(0)
                await asyncio.wait([task])
                del task
                assert (await engine.p1_turn(), await engine.fen()) == (True, "here")

    asyncio.run(run())


def test_a_cancelled_question_leaves_the_engine_usable() -> None:
    async def run() -> None:
        late = {"query fen": ["!sleep 0.3", "response late"], "query": ["response true"]}
        async with await popen_ugi(command(late)) as engine:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(engine.fen(), 0.01)
            assert await engine.p1_turn()
            assert await engine.fen() == "late"

    asyncio.run(run())


def test_an_engine_that_never_answers_a_cancelled_question_is_killed_in_time() -> None:
    async def run() -> None:
        async with await popen_ugi(command({"query fen": ["!hang"]})) as engine:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(engine.fen(), 0.01)
            engine.timeout = 0.3
            with pytest.raises(EngineTimeout):
                await engine.result()
            with pytest.raises(EngineTerminated):
                await engine.result()

    asyncio.run(run())


def test_the_handle_of_a_cancelled_search_has_its_result() -> None:
    async def run() -> None:
        async with await popen_ugi(command(ENDLESS)) as engine:
            analysis = await engine.analysis()
            assert (await analysis.__anext__()).score is not None
            with pytest.raises(EngineError, match="a search runs"):
                await engine.fen()
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(analysis.wait(), 0.01)
            assert await engine.fen() == "here"
            assert (await analysis.wait()).move == (await analysis.stop()).move == "a1a2"

    asyncio.run(run())


def test_a_search_that_nobody_has_is_stopped_by_the_next_call() -> None:
    with Engine.popen(command(ENDLESS)) as engine:
        for info in engine.analysis():
            assert info.depth == 1
            break
        assert engine.fen() == "here"


def test_a_stop_has_a_deadline_though_another_task_reads() -> None:
    async def run() -> None:
        async with await popen_ugi(command({"go": [INFO], "stop": []})) as engine:
            analysis = await engine.analysis()
            reader = asyncio.ensure_future(analysis.wait())
            await asyncio.sleep(0.05)
            engine.timeout = 0.3
            results = await asyncio.gather(analysis.stop(), reader, return_exceptions=True)
            assert any(isinstance(result, EngineTimeout) for result in results), results

    asyncio.run(run())


no_ctrl_c = pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send Ctrl-C to another")


@no_ctrl_c
@pytest.mark.parametrize("use", [
    lambda engine: engine.play(FOREVER), lambda engine: engine.analyse(FOREVER), lambda engine: list(engine.analysis()),
    lambda engine: engine.analysis(FOREVER).wait(), lambda engine: engine.command("perft 3")])
def test_after_ctrl_c_the_next_call_works(use: Callable[[Engine], Any]) -> None:
    # Ctrl-C ends a call: the caller waits in one by then.
    rules = {**ENDLESS, "go": [INFO, "!sleep 0.5", "!interrupt"], "perft": ["!interrupt"],
             "stop": ["perft 3 nodes 1", "bestmove a1a2"]}
    with Engine.popen(command(rules)) as engine:
        for _ in range(3):
            with pytest.raises(KeyboardInterrupt):
                use(engine)
            assert engine.fen() == "here"


@no_ctrl_c
def test_the_main_thread_frees_no_task_for_its_callback_would_lose_ctrl_c() -> None:
    freed: List[int] = []

    def make(loop: asyncio.AbstractEventLoop, work: Any, **more: Any) -> "asyncio.Task[Any]":
        task = asyncio.Task(work, loop=loop, **more)
        weakref.finalize(task, lambda: freed.append(threading.get_ident()))
        return task

    with Engine.popen(command({"go depth 9": ["!interrupt"], **ENDLESS})) as engine:
        engine._background._loop.set_task_factory(make)
        for _ in range(100):
            engine.fen()
            with engine.analysis() as analysis:
                next(analysis)
        with pytest.raises(KeyboardInterrupt):
            engine.play(Limit(depth=9))
        assert engine.fen() == "here"
    assert len(freed) > 300 and set(freed) == {engine._background._thread.ident}


@no_ctrl_c
def test_ctrl_c_within_a_call_is_noted_even_where_python_loses_exceptions() -> None:
    class Dropped:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    with Engine.popen(command(ENDLESS)) as engine:
        wait = sync._Call.is_over

        def is_over(call: Any, seconds: float) -> bool:
            Dropped()
            return wait(call, seconds)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sync._Call, "is_over", is_over)
            with pytest.raises(KeyboardInterrupt):
                engine.play(FOREVER)
        assert engine.fen() == "here"
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@no_ctrl_c
def test_another_handler_of_ctrl_c_stays_in_force() -> None:
    calls: List[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: calls.append(number))
    try:
        with Engine.popen(command({**ENDLESS, "query fen": ["!interrupt", "response here"]})) as engine:
            assert engine.fen() == "here"
    finally:
        signal.signal(signal.SIGINT, before)
    assert calls == [signal.SIGINT]


def test_the_client_without_asyncio_works_where_a_loop_runs(leapd: str) -> None:
    async def run() -> str:
        with Engine.popen(leapd) as engine:
            with engine.analysis() as analysis:
                next(analysis)
            assert engine.play(Limit(depth=1)).move
            return engine.fen()

    assert asyncio.run(run()).startswith("mmmmm/")


def test_threads_share_an_engine() -> None:
    with Engine.popen(command(ENDLESS)) as engine:
        answers: List[object] = []
        threads = [threading.Thread(target=lambda: answers.extend((engine.fen(), engine.p1_turn()) for _ in range(20)))
                   for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers == [("here", True)] * 80


def test_after_close_every_call_says_that_the_engine_is_closed() -> None:
    arguments = {"analysis": (), "analyse": (FOREVER,), "play": (FOREVER,), "configure": ({"Hash": 1},),
                 "move": ("a1a2",), "command": ("isready",), "query": ("fen",), "legal": ("a1a2",),
                 "effects": ("a1a2",)}
    engine = Engine.popen(command(ENDLESS))
    analysis = engine.analysis()
    engine.close()
    for name, method in inspect.getmembers(engine, inspect.ismethod):
        if not name.startswith("_") and name not in ("popen", "close"):
            with pytest.raises(EngineTerminated):
                method(*arguments.get(name, ()))
    for end in (analysis.stop, analysis.wait, lambda: next(analysis)):
        with pytest.raises(EngineError):
            end()
    assert engine.id["name"] == "hostile" and "Hash" in engine.options
    engine.close()


def test_closing_ends_the_calls_of_other_threads() -> None:
    engine = Engine.popen(command({"query fen": ["!hang"]}))
    failures: List[BaseException] = []

    def ask() -> None:
        try:
            engine.fen()
        except EngineError as failure:
            failures.append(failure)

    thread = threading.Thread(target=ask)
    thread.start()
    while engine._engine._conversation._open is None:
        pass
    engine.close()
    thread.join()
    assert [type(failure) for failure in failures] == [EngineTerminated]


ENDS = {
    "an engine": "engine = Engine.popen(sys.argv[1:])",
    "after a search": "engine = Engine.popen(sys.argv[1:]); engine.play(Limit(depth=1))",
    "within a search": "engine = Engine.popen(sys.argv[1:]); analysis = engine.analysis(); next(analysis)",
    "in a cycle": "engine = Engine.popen(sys.argv[1:]); engine.itself = engine; engine.fen(); del engine",
    "two engines": "engines = [Engine.popen(sys.argv[1:]) for _ in range(2)]",
    "by exit": "engine = Engine.popen(sys.argv[1:]); sys.exit(0)",
    "for asyncio": "async def run():\n  global engine\n  engine = await popen_ugi(sys.argv[1:])\n  await engine.fen()\n"
                   "asyncio.run(run())",
    "for asyncio, within a search":
        "async def run():\n  engine = await popen_ugi(sys.argv[1:])\n  analysis = await engine.analysis()\n"
        "  await analysis.__anext__()\nasyncio.run(run())",
    "beside a loop":
        "async def run():\n  global engine\n  engine = Engine.popen(sys.argv[1:])\n  engine.fen()\nasyncio.run(run())",
}


@pytest.mark.parametrize("name", ENDS)
def test_a_program_that_closes_nothing_ends_in_silence_and_leaves_no_engine(name: str, leapd: str) -> None:
    script = ("import asyncio, sys\nfrom leapclient import Engine, Limit, popen_ugi\n"
              f"{ENDS[name]}\n")
    done = subprocess.run([sys.executable, "-c", script, leapd], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "PYTHONPATH": str(TESTS.parent / "src")})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_an_engine_that_nobody_has_is_ended() -> None:
    async def run() -> int:
        engine = await popen_ugi(command(ENDLESS))
        wire = engine._wire
        del engine
        gc.collect()
        await asyncio.wait_for(wire._closed.wait(), 20)
        return wire._process.get_returncode() or 0

    assert asyncio.run(run()) != 0
    engine = Engine.popen(command(ENDLESS))
    thread = engine._background._thread
    del engine
    gc.collect()
    thread.join(20)
    assert not thread.is_alive()


def test_a_second_bestmove_is_discarded_and_reported(caplog: pytest.LogCaptureFixture) -> None:
    rules = {"go depth 1": ["bestmove a1a2", "bestmove b1b2"], "go depth 2": ["bestmove c1c2"],
             "query fen": ["response x"]}
    with Engine.popen(command(rules)) as engine:
        moves = [engine.play(Limit(depth=depth)).move for depth in (1, 2, 1)]
        assert engine.fen() == "x"
        assert [*moves, engine.play(Limit(depth=2)).move] == ["a1a2", "c1c2", "a1a2", "c1c2"]
    assert [record.getMessage() for record in caplog.records] == [
        "discarded 1 bestmove without a search: bestmove b1b2"] * 2


def test_a_bestmove_that_answers_a_late_stop_is_not_that_of_the_next_search() -> None:
    # The engine answers `stop` though its search has ended.
    rules = {"go depth 1": [INFO, "bestmove a1a2"], "go depth 2": ["bestmove c1c2"], "stop": ["bestmove b1b2"]}
    with Engine.popen(command(rules)) as engine:
        with engine.analysis(Limit(depth=1)) as analysis:
            next(analysis)
            assert analysis.stop().move == "a1a2"
        assert engine.play(Limit(depth=2)).move == "c1c2"


def test_perft_returns_at_its_end(leapd: str) -> None:
    with Engine.popen(leapd) as engine:
        lines = engine.command("perft 5")
        assert len(lines) == 5 and lines[-1].startswith("perft 5 nodes 1526 time ")
        assert engine.command("perft 0")[0].startswith("perft 0 nodes 1 ")
        for wrong in ("perft", "perft x", "perft 1 2"):
            with pytest.raises(Refused):
                engine.command(wrong)
        with pytest.raises(EngineTimeout):
            engine.command("perft 300", timeout=0.3)
    # Other engines count before they answer `isready`, and have other last lines.
    for line in ("nodes 8", "Total: 8"):
        with Engine.popen(command({"perft": ["a1a2: 8", line]})) as engine:
            assert engine.command("perft 2") == ["a1a2: 8", line]


def test_a_command_that_would_shift_the_answers_is_refused_or_read_to_its_end() -> None:
    with Engine.popen(command(ENDLESS)) as engine:
        assert engine.command("isready") == []
        for line in ("go", "go depth 1", "\tgo depth 1"):
            with pytest.raises(ValueError, match="other than 'go'"):
                engine.command(line)
        assert engine.fen() == "here"
