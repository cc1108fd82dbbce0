import importlib.util
import inspect
import os
import pathlib
import re
import subprocess
import sys

import leapclient
import leapclient.serve

PYTHON = pathlib.Path(__file__).resolve().parents[1]
spec = importlib.util.spec_from_file_location("apidoc", PYTHON / "apidoc.py")
assert spec is not None and spec.loader is not None
apidoc = importlib.util.module_from_spec(spec)
spec.loader.exec_module(apidoc)
MODULES = (leapclient, leapclient.serve)


def test_everything_public_has_a_docstring() -> None:
    for module in MODULES:
        for name in module.__all__:
            thing = getattr(module, name)
            # A dataclass without one gets its signature for a docstring.
            assert thing.__doc__ and not thing.__doc__.startswith(name + "("), name
            if inspect.isclass(thing):
                for node, member in apidoc.members(thing):
                    assert apidoc.summary(member), f"{name}.{node.name}"


def test_what_a_method_returns_is_public() -> None:
    plain = {"Dict", "FrozenSet", "List", "NoReturn", "None", "Optional", "Tuple", "Union"}
    for module in MODULES:
        for name in module.__all__:
            thing = getattr(module, name)
            nodes = [node for node, _ in apidoc.members(thing)] if inspect.isclass(thing) else [apidoc.source(thing)]
            for node in nodes:
                for word in re.findall(r"[A-Z]\w+", apidoc.signature(node).partition(" -> ")[2]):
                    assert word in module.__all__ or word in plain, (name, word)


def test_the_page_has_the_game_of_the_example() -> None:
    code = (PYTHON / "examples" / "connect_four.py").read_text(encoding="utf-8")
    assert code[code.index("from typing") :] in apidoc.PAGE.read_text(encoding="utf-8")


def test_the_methods_for_asyncio_are_those_without_it() -> None:
    def names(cls: type) -> set:
        return {node.name for node, _ in apidoc.members(cls)}

    assert names(leapclient.UgiEngine) - {"handshake"} == names(leapclient.Engine) - {"popen", "id", "options"}
    assert names(leapclient.Analysis) == names(leapclient.SyncAnalysis)


def test_the_reference_is_that_of_the_docstrings() -> None:
    text = apidoc.PAGE.read_text(encoding="utf-8")
    assert text == apidoc.page(text), "run python3 adapters/python/apidoc.py"


def test_the_tour_says_how_it_is_used() -> None:
    def tour(*args: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([sys.executable, str(PYTHON / "examples" / "tour.py"), *args], capture_output=True,
                              text=True, env={**os.environ, "PYTHONPATH": str(PYTHON / "src")})

    help_text = tour("--help")
    assert help_text.returncode == 0 and "engine" in help_text.stdout and "transcript" in help_text.stdout
    alone = tour()
    assert alone.returncode == 2 and "usage: tour.py" in alone.stderr and "Traceback" not in alone.stderr
