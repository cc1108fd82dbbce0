"""The client in a notebook, where an event loop runs in the main thread and Ctrl-C is a button."""

import json
import os
import pathlib
import time
from typing import Any, Dict, Iterator, List, Tuple

import pytest
from conftest import library

PYTHON = pathlib.Path(__file__).resolve().parents[1]
# How long a cell may take, in seconds.
CELL = 150


@pytest.fixture
def environment(leapd: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a kernel needs besides its packages: the engine and the client."""
    library("ipykernel", "ipykernel")
    monkeypatch.setenv("PATH", os.pathsep.join([os.path.dirname(leapd), os.environ["PATH"]]))
    monkeypatch.setenv("PYTHONPATH", str(PYTHON / "src"))


def test_the_notebook_of_the_examples_runs(environment: None, tmp_path: pathlib.Path) -> None:
    nbclient, nbformat = library("nbclient", "nbclient"), library("nbformat", "nbformat")
    library("numpy", "numpy")
    notebook = nbformat.read(PYTHON / "examples" / "notebook.ipynb", as_version=4)
    nbclient.NotebookClient(
        notebook, timeout=CELL, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = [output for output in outputs if "image/svg+xml" in output.get("data", {})]
    text = "".join(output.get("text", "") for output in outputs)
    assert len(pictures) == 3 and "Outcome(result=" in text and "better was" in text and "steps a second" in text
    assert (tmp_path / "game.ugr").read_text(encoding="utf-8").startswith('[Game "alquerque"]\n')


def test_the_notebook_is_kept_without_outputs() -> None:
    cells = json.loads((PYTHON / "examples" / "notebook.ipynb").read_text(encoding="utf-8"))["cells"]
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in cells)


class Kernel:
    """A kernel that cells are sent to."""

    def __init__(self) -> None:
        self.manager, self.client = library("jupyter_client.manager", "jupyter_client").start_new_kernel(
            startup_timeout=CELL)

    def begin(self, code: str) -> None:
        # Otherwise the kernel throws away what comes soon after a failed cell.
        self.cell = self.client.execute(code, stop_on_error=False)

    def until(self, text: str) -> None:
        """Waits until the cell has printed a text."""
        heard = ""
        while text not in heard:
            message = self.client.get_iopub_msg(timeout=CELL)
            heard += message["content"].get("text", "")

    def end(self) -> Dict[str, Any]:
        """The end of the cell."""
        while True:
            # Late answers to the questions at the start of the kernel come here too.
            message: Dict[str, Any] = self.client.get_shell_msg(timeout=CELL)
            if message["parent_header"]["msg_id"] == self.cell:
                content: Dict[str, Any] = message["content"]
                return content

    def run(self, code: str) -> Tuple[str, str]:
        """The end of a cell: its status, and the name of its error."""
        self.begin(code)
        end = self.end()
        return end["status"], end.get("ename", "")


@pytest.fixture
def kernel(environment: None) -> Iterator[Kernel]:
    kernel = Kernel()
    try:
        yield kernel
    finally:
        kernel.client.stop_channels()
        kernel.manager.shutdown_kernel(now=True)


def test_an_interrupted_cell_leaves_the_engine_usable(kernel: Kernel) -> None:
    assert kernel.run("from leapclient import Engine, Limit, popen_ugi\nengine = Engine.popen()") == ("ok", "")
    waits: List[str] = [
        "engine.analysis().wait()", "engine.play(Limit(depth=99))", "engine.command('perft 99', timeout=600)",
        "[info for info in engine.analysis()]"]
    for wait in waits:
        kernel.begin(f"print('begun', flush=True)\n{wait}")
        kernel.until("begun")
        time.sleep(0.5)
        kernel.manager.interrupt_kernel()
        assert kernel.end().get("ename") == "KeyboardInterrupt", wait
        assert kernel.run("assert engine.fen() and engine.play(Limit(depth=1)).move") == ("ok", ""), wait
    assert kernel.run("async with await popen_ugi() as other:\n    assert await other.fen()") == ("ok", "")
    assert kernel.run("engine.close()\nengine.fen()") == ("error", "EngineTerminated")
