"""The playground: where the page is, and how a game is shown in it."""

from __future__ import annotations

import os
import tempfile
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from ._native import page

if TYPE_CHECKING:
    from ._types import Game

_NO_PAGE = (
    "this build of gamesearch holds no playground: run `cargo xtask page` and install it again, or set GAMESEARCH_PAGE "
    "to the file or the address of one"
)


def show(game: Game, open: bool) -> str:
    """The address of the playground with a game in it, which is opened if asked for."""
    address = f"{_page_address()}#{link(game)}"
    if open:
        webbrowser.open(address)
    return address


def link(game: Game) -> str:
    """What stands behind the `#` of the page's address."""
    start = quote(game.start.text, safe="")
    moves = "-".join(quote(turn, safe="") for turn in game.turns)
    return f"game={game.NAME}&start={start}" + (f"&moves={moves}" if moves else "")


def _page_address() -> str:
    named = os.environ.get("GAMESEARCH_PAGE")
    if named:
        return named if "://" in named else Path(named).resolve(strict=True).as_uri()
    text = page()
    if text is None:
        raise FileNotFoundError(_NO_PAGE)
    # A browser wants a file: one for each user, written anew if it is not the page of this build.
    folder = Path(tempfile.gettempdir()) / f"gamesearch-{os.getuid() if hasattr(os, 'getuid') else 'page'}"
    folder.mkdir(mode=0o700, exist_ok=True)
    file = folder / "gamesearch.html"
    if not file.is_file() or file.read_text("utf-8") != text:
        beside = folder / f"new-{os.getpid()}.html"
        beside.write_text(text, "utf-8")
        beside.replace(file)
    return file.as_uri()
