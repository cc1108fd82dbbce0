import asyncio
import inspect
import os
import pathlib
import re
import subprocess
import sys
import typing
from typing import Dict, List

import pytest

import leapclient
import leapclient.records
import leapclient.serve

PYTHON = pathlib.Path(__file__).resolve().parents[1]
PAGE = PYTHON.parents[1] / "docs" / "python.md"
ENVIRONMENTS = PAGE.with_name("environments.md")
MODULES = (leapclient, leapclient.records, leapclient.serve)


def members(cls: type) -> Dict[str, object]:
    """The public methods and properties that a class defines."""
    kinds = (property, classmethod, staticmethod)
    return {name: member for name, member in vars(cls).items()
            if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, kinds))}


def test_everything_public_has_a_docstring() -> None:
    for module in MODULES:
        for name in module.__all__:
            thing = getattr(module, name)
            if typing.get_origin(thing) is not None:
                continue  # an alias of types
            # A dataclass without one gets its signature for a docstring.
            assert thing.__doc__ and not thing.__doc__.startswith(name + "("), name
            for part, member in members(thing).items() if inspect.isclass(thing) else ():
                assert inspect.getdoc(member), f"{name}.{part}"


def test_what_a_method_returns_is_public() -> None:
    plain = {"Dict", "FrozenSet", "Iterator", "List", "Literal", "NoReturn", "None", "Optional", "Sequence", "Tuple",
             "Union", *leapclient.__all__}
    for module in MODULES:
        for name in module.__all__:
            thing = getattr(module, name)
            functions = members(thing).values() if inspect.isclass(thing) else filter(inspect.isfunction, [thing])
            for function in functions:
                function = getattr(function, "fget", None) or getattr(function, "__func__", function)
                result = function.__annotations__.get("return")
                for word in re.findall(r"\b[A-Z]\w+", re.sub(r"\w+\.", "", inspect.formatannotation(result))):
                    assert word in module.__all__ or word in plain, (name, function, word)


def test_the_page_has_the_game_of_the_example() -> None:
    code = (PYTHON / "examples" / "connect_four.py").read_text(encoding="utf-8")
    assert code[code.index("from typing") :] in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("page, coroutines", [(PAGE, ["answer_in_time", "two_opinions"]), (ENVIRONMENTS, [])])
def test_the_blocks_of_a_page_run(
        page: pathlib.Path, coroutines: List[str], leapd: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.path.dirname(leapd))
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    names: Dict[str, object] = {"__name__": "page"}
    for block in blocks:
        try:
            exec(compile(block, str(page), "exec"), names)
        except ImportError as missing:
            # The libraries of the extras, which not everyone has.
            assert (missing.name or "").partition(".")[0] not in ("", "leapclient"), missing
    for name in coroutines:
        asyncio.run(names[name]())  # type: ignore[operator]


def test_the_methods_for_asyncio_are_those_without_it() -> None:
    sync, own = members(leapclient.Engine), {"popen", "id", "options"}
    assert members(leapclient.UgiEngine).keys() - {"handshake"} == sync.keys() - own
    assert members(leapclient.Analysis).keys() == members(leapclient.SyncAnalysis).keys()


def test_the_tour_says_how_it_is_used() -> None:
    def tour(*args: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([sys.executable, str(PYTHON / "examples" / "tour.py"), *args], capture_output=True,
                              text=True, env={**os.environ, "PYTHONPATH": str(PYTHON / "src")})

    help_text = tour("--help")
    assert help_text.returncode == 0 and "engine" in help_text.stdout and "transcript" in help_text.stdout
    alone = tour()
    assert alone.returncode == 2 and "usage: tour.py" in alone.stderr and "Traceback" not in alone.stderr
