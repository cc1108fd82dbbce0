import os
import pathlib

import pytest


@pytest.fixture(scope="session")
def leapd() -> str:
    root = pathlib.Path(__file__).resolve().parents[3]
    built = [root / "target" / profile / "leapd" for profile in ("release", "debug")]
    for path in [os.environ.get("LEAPD", ""), *map(str, built)]:
        if path and os.path.isfile(path):
            return path
    missing = "no leapd: set LEAPD or build it"
    # As `leap_testing::skip` does for the tests in Rust.
    required = os.environ.get("LEAP_REQUIRE", "").split(",")
    if "all" in required or "leapd" in required:
        pytest.fail(missing)
    pytest.skip(missing)
