"""The library `pyspiel`, which need not be installed."""

import contextlib
import importlib
from typing import Any

pyspiel: Any = None
with contextlib.suppress(ImportError):  # `main` says what is missing
    pyspiel = importlib.import_module("pyspiel")

State = Any
"""A state of OpenSpiel."""
