#!/usr/bin/env python3
"""Writes the reference of `leapclient` and `leapclient.serve` into docs/python.md, from their docstrings.

    python3 adapters/python/apidoc.py
"""

import ast
import inspect
import pathlib
import sys
import textwrap
from typing import Iterator, List, Tuple, Union

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "src"))

import leapclient  # noqa: E402
import leapclient.serve  # noqa: E402

PAGE = HERE.parents[1] / "docs" / "python.md"
BEGIN, END = "<!-- reference, written by adapters/python/apidoc.py -->\n", "<!-- /reference -->\n"
# The names listed first. The others, usually types of answers, follow in alphabetical order.
FIRST = ["Engine", "SyncAnalysis", "popen_ugi", "UgiEngine", "Analysis", "Limit", "PlayResult", "Info", "Score"]
# Classes whose methods are described with those of the class without asyncio.
TWINS = {"UgiEngine": leapclient.Engine, "Analysis": leapclient.SyncAnalysis}

Function = Union[ast.FunctionDef, ast.AsyncFunctionDef]


def source(thing: object) -> ast.stmt:
    """The definition of a class or function."""
    return ast.parse(inspect.getsource(thing)).body[0]  # type: ignore[arg-type]


def members(cls: type) -> Iterator[Tuple[Function, object]]:
    """The public methods and properties that a class defines, as source and as objects."""
    for node in source(cls).body:  # type: ignore[attr-defined]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.name.startswith("_"):
            yield node, inspect.getattr_static(cls, node.name)


def signature(node: Function) -> str:
    """The call of a function, and the type of its result."""
    decorators = {ast.unparse(word) for word in node.decorator_list}
    arguments = node.args
    if arguments.args and arguments.args[0].arg in ("self", "cls"):
        arguments.args.pop(0)
    text = node.name if decorators & {"property", "cached_property"} else f"{node.name}({ast.unparse(arguments)})"
    result = ast.unparse(node.returns).strip("'") if node.returns else "None"
    start = "await " if isinstance(node, ast.AsyncFunctionDef) else ""
    return start + text + ("" if result == "None" else f" -> {result}")


def summary(thing: object) -> str:
    """A docstring as one paragraph."""
    return " ".join((inspect.getdoc(thing) or "").split())


def fields(cls: type) -> str:
    """The fields of a class with their types."""
    node = source(cls)
    return ", ".join(f"`{ast.unparse(field)}`" for field in node.body  # type: ignore[attr-defined]
                     if isinstance(field, ast.AnnAssign))


def wrapped(text: str, indent: str = "") -> List[str]:
    """The lines of a paragraph. Those after the first are indented."""
    return textwrap.wrap(text, 110, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def entry(name: str, thing: object) -> Iterator[str]:
    """The lines about a public name."""
    if inspect.isfunction(thing):
        node = source(thing)
        assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        yield from (f"### {name}", "", *wrapped(f"`{signature(node)}`"), "", *wrapped(summary(thing)), "")
        return
    assert isinstance(thing, type)
    yield from (f"### {name}", "", *wrapped(summary(thing)), "")
    if fields(thing):
        yield from (*wrapped(f"Fields: {fields(thing)}"), "")
    known = set(map(summary, vars(TWINS[name]).values())) if name in TWINS else set()
    methods = [f"- `{signature(node)}`: {summary(member)}" for node, member in members(thing)
               if summary(member) not in known]
    if methods:
        yield from (*(line for method in methods for line in wrapped(method, "  ")), "")


def reference() -> str:
    """The whole reference, as Markdown."""
    lines: List[str] = []
    for module, names in ((leapclient, FIRST + sorted(set(leapclient.__all__) - set(FIRST))),
                          (leapclient.serve, leapclient.serve.__all__)):
        lines += [] if module is leapclient else [f"## Reference of `{module.__name__}`", ""]
        lines += [line for name in names for line in entry(name, getattr(module, name))]
    return "\n".join(lines)


def page(text: str) -> str:
    """The text of the page with its reference written anew."""
    before, rest = text.split(BEGIN)
    return before + BEGIN + "\n" + reference() + "\n" + END + rest.split(END)[1]


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
