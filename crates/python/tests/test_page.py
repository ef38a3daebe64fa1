"""The playground, shown with a game."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from gamesearch import GAMES, _native, hus


@pytest.mark.parametrize("name", list(GAMES))
def test_the_address_holds_the_game(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.html"
    page.write_text("<title>a page</title>")
    monkeypatch.setenv("GAMESEARCH_PAGE", str(page))
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    game = GAMES[name].random(2)
    address = game.show()
    assert opened == [address] and address.startswith(page.as_uri() + "#")
    fields = parse_qs(address.split("#")[1])
    assert fields["game"] == [name]
    assert GAMES[name](fields["start"][0], fields["moves"][0].split("-")) == game
    assert game.show(open=False) == address and len(opened) == 1


def test_without_a_page_there_are_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GAMESEARCH_PAGE", raising=False)
    if _native.page() is None:
        with pytest.raises(FileNotFoundError, match="run `cargo xtask page`"):
            hus.Game().show(open=False)
    else:
        address = hus.Game(turns="12").show(open=False)
        assert address.startswith("file://") and address.endswith("&moves=12")
    monkeypatch.setenv("GAMESEARCH_PAGE", "https://example.org/page.html")
    assert hus.Game().show(open=False).startswith("https://example.org/page.html#game=hus&start=2%2C2")
