import os
import pathlib

import pytest


@pytest.fixture(scope="session")
def leapd() -> str:
    return program("leapd")


@pytest.fixture(scope="session")
def leap_tables() -> str:
    return program("leap-tables")


def program(name: str) -> str:
    root = pathlib.Path(__file__).resolve().parents[3]
    variable = name.upper().replace("-", "_")
    built = [root / "target" / profile / name for profile in ("release", "debug")]
    for path in [os.environ.get(variable, ""), *map(str, built)]:
        if path and os.path.isfile(path):
            return path
    missing = f"no {name}: set {variable} or build it"
    # As `leap_testing::skip` does for the tests in Rust.
    required = os.environ.get("LEAP_REQUIRE", "").split(",")
    if "all" in required or name in required:
        pytest.fail(missing)
    pytest.skip(missing)
