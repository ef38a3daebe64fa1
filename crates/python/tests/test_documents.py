"""The examples in docstrings run."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gamesearch
import pytest

MODULES = [
    "gamesearch",
    "gamesearch._native",
    "gamesearch.colosseum",
    "gamesearch.expendibots",
    "gamesearch.hus",
    "gamesearch.openspiel",
    "gamesearch.pettingzoo",
    "gamesearch.results",
    "gamesearch.ropasci360",
]


def documented(thing: Any, name: str, seen: set[int]) -> Iterator[tuple[str, Any]]:
    """A thing and what is in it, with names; what was written elsewhere is left out."""
    if id(thing) in seen:
        return
    seen.add(id(thing))
    yield name, thing
    if inspect.isclass(thing) or inspect.ismodule(thing):
        for key, value in vars(thing).items():
            ours = str(getattr(value, "__module__", None) or "gamesearch").startswith("gamesearch")
            inner = isinstance(value, staticmethod | property) or callable(value)
            if ours and not key.startswith("__") and (inner or inspect.isgetsetdescriptor(value)):
                yield from documented(value, f"{name}.{key}", seen)


THINGS = [pair for module in MODULES for pair in documented(importlib.import_module(module), module, set())]


def test_examples_run() -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
    examples = 0
    for name, thing in THINGS:
        text = inspect.getdoc(thing) or ""
        test = parser.get_doctest(text, dict(getattr(thing, "__globals__", {})), name, None, 0)
        examples += len(test.examples)
        assert runner.run(test).failed == 0, name
    assert examples > 60


@pytest.mark.parametrize(
    ("name", "thing"), [pair for pair in THINGS if not pair[0].split(".")[-1].startswith("_")]
)
def test_everything_public_has_words(name: str, thing: Any) -> None:
    assert (inspect.getdoc(thing) or "").strip(), name


ROOT = Path(__file__).parent.parent.parent.parent


@pytest.mark.parametrize("page", ["README.md", "crates/python/README.md", "docs/python.md"])
def test_the_examples_of_a_page_run(page: str) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    assert blocks
    # One after the other, as somebody who reads it would type them.
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block, names)


def test_all_is_all() -> None:
    for module in MODULES[2:]:
        assert sorted(importlib.import_module(module).__all__)
    assert sorted(gamesearch.__all__) == sorted(set(gamesearch.__all__))
