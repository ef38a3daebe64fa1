"""What the tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def native() -> Path:
    """The program that plays the same games without Python; `test.sh` builds it and says where it is."""
    path = Path(os.environ.get("GAMESEARCH_NATIVE", ""))
    if not path.is_file():
        pytest.fail("GAMESEARCH_NATIVE names no program: run the tests with crates/python/test.sh")
    return path
