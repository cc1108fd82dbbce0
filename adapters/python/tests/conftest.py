import faulthandler
import importlib
import os
import pathlib
import sys
from typing import Any, Iterator, NoReturn

import pytest


ROOT = pathlib.Path(__file__).resolve().parents[3]
# Where adapters/python/native/build leaves the module.
sys.path.append(str(ROOT / "target" / "native"))

# How long a test may take, in seconds. Then all threads are shown, and the run ends: no test hangs for ever.
LIMIT = 180
_stderr = 2


def pytest_configure() -> None:
    # Here nothing is captured yet: what is shown must not get lost with the run.
    global _stderr
    _stderr = os.dup(2)


@pytest.fixture(autouse=True)
def limit() -> Iterator[None]:
    faulthandler.dump_traceback_later(LIMIT, exit=True, file=_stderr)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture(scope="session")
def leapd() -> str:
    return program("leapd")


@pytest.fixture(scope="session")
def leap_tables() -> str:
    return program("leap-tables")


def program(name: str) -> str:
    variable = name.upper().replace("-", "_")
    built = [ROOT / "target" / profile / name for profile in ("release", "debug")]
    for path in [os.environ.get(variable, ""), *map(str, built)]:
        if path and os.path.isfile(path):
            return path
    return lacks(name, f"set {variable} or build it")


def library(name: str, package: str) -> Any:
    """A module, which not everyone has."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return lacks(name, f"python3 -m pip install {package}")


def lacks(name: str, hint: str) -> NoReturn:
    """Skips a test. As `leap_testing::skip` does for the tests in Rust."""
    missing = f"no {name}: {hint}"
    required = os.environ.get("LEAP_REQUIRE", "").split(",")
    if "all" in required or name in required:
        pytest.fail(missing)
    pytest.skip(missing)
