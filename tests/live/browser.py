"""A browser for the dashboard, and a run to look at."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP, PHONE = (1280, 800), (360, 740)


@contextmanager
def chromium() -> Iterator[Any]:
    """The browser; skips where it, or what drives it, is not there."""
    driver = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is not installed")
    found = os.environ.get("ULNA_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("chromium is not installed: apt-get install chromium, or name one in ULNA_CHROMIUM")
    with driver.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


class Looking:
    """A page of the dashboard: `go` to a place in it; what went wrong in it is in `problems`."""

    def __init__(
        self, browser: Any, entrance: str, size: tuple[int, int] = DESKTOP, scheme: str = "light", live: str = "Live"
    ) -> None:
        self.context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.problems: list[str] = []
        self.hosts: set[str | None] = set()
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda e: self.problems.append(str(e)))
        self.page.on("request", lambda r: self.hosts.add(urlsplit(r.url).hostname))
        self.page.goto(entrance)
        self.page.get_by_text(live, exact=True).wait_for()

    def _said(self, message: Any) -> None:
        """Keeps what went wrong; that a server ended is none of the page's faults."""
        if message.type in ("error", "warning") and "net::ERR_" not in message.text:
            self.problems.append(message.text)

    def until(self, holds: str, seconds: float = 120) -> None:
        """Wait for an expression of the page to hold; the page's own policy forbids the driver to wait there."""
        end = time.monotonic() + seconds
        while not self.page.evaluate(holds):
            assert time.monotonic() < end, holds
            time.sleep(0.05)

    def go(self, place: str) -> Any:
        self.page.evaluate("place => { location.hash = place }", f"#/{place}")
        return self.page

    def see(self, text: str) -> None:
        """Wait for a text to be there."""
        self.page.locator("main").get_by_text(text).first.wait_for()

    def row(self, name: str) -> Any:
        """The line of the table of resources."""
        return self.page.locator(f"tr[data-address='app/{name}']")

    def state(self, name: str, word: str) -> None:
        """Wait for a resource to be in a state."""
        self.row(name).locator(".state", has_text=word).wait_for()

    def width(self) -> int:
        return int(self.page.evaluate("document.documentElement.scrollWidth"))

    def shoot(self, name: str, folder: Path) -> None:
        """A picture, into the folder that ULNA_SCREENSHOTS names, or one that goes with the test."""
        kept = Path(os.environ.get("ULNA_SCREENSHOTS") or folder)
        kept.mkdir(parents=True, exist_ok=True)
        self.page.wait_for_timeout(200)
        self.page.screenshot(path=str(kept / f"{name}.png"))

    def close(self) -> None:
        self.context.close()
