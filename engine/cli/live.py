"""Progress for a terminal: a row a resource, drawn again as things move; when it ends, the rows stay as they are then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cli.console import Console
from engine.cli.ordering import owners_first
from engine.cli.progress import FINISHED, Progress, Row
from engine.plan.text import excerpt

if TYPE_CHECKING:
    from rich.console import Console as Terminal
    from rich.live import Live as Screen
    from rich.table import Table

_STYLES = {
    "ready": "green",
    "exited": "green",
    "deleted": "dim",
    "detached": "dim",
    "failed": "bold red",
    "unhealthy": "red",
    "waiting": "dim",
    "pending": "dim",
    "creating": "cyan",
    "updating": "cyan",
    "starting": "cyan",
    "deleting": "yellow",
    "stopping": "yellow",
}
ROOMY = 80
"""Columns from which on types are shown too."""

_SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


class Live(Progress):
    """Rows that are drawn again eight times a second, by a thread of rich's own; rich is loaded with the first news."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._terminal: Terminal | None = None
        self._screen: Screen | None = None

    def show(self, row: Row) -> None:
        """The thread draws it; here it is only started."""
        if self._screen is None:
            from rich.console import Console as Terminal
            from rich.live import Live as Screen

            err = self.console.err
            self._terminal = Terminal(file=err, no_color=not self.console.colour(err), highlight=False)
            self._screen = Screen(
                console=self._terminal,
                get_renderable=self._draw,
                refresh_per_second=8,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._screen.start()

    def note(self, text: str) -> None:
        """A line above the rows."""
        if self._terminal is None:
            super().note(text)
        else:
            self._terminal.print(text, markup=False)

    def close(self) -> None:
        """Draws the last state, and leaves it there."""
        if self._screen is not None:
            self._screen.stop()
            self.console.err.write("\n")

    def _draw(self) -> Table:
        from rich.table import Table
        from rich.text import Text

        assert self._terminal is not None
        rows = owners_first(self.rows.values(), lambda row: row.address, lambda row: row.owner)
        rows = chosen(rows, max(self._terminal.height - 2, 4))
        table = Table.grid(padding=(0, 2), expand=True)
        roomy = self._terminal.width >= ROOMY
        longest = max((len(row.state) + 2 * (row.state not in FINISHED) for row in rows), default=0)
        table.add_column(no_wrap=True, min_width=longest)
        table.add_column(no_wrap=True)
        if roomy:
            table.add_column(no_wrap=True)
        table.add_column(no_wrap=True, justify="right", min_width=6)
        table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
        now = self.now
        for row in rows:
            busy = "" if row.state in FINISHED else f"{_SPINNER[int(now * 8) % len(_SPINNER)]} "
            table.add_row(
                Text(f"{busy}{row.state}", style=_STYLES.get(row.state, "")),
                Text(f"{'  ' if row.owner else ''}{row.name}"),
                *((Text(row.type, style="dim"),) if roomy else ()),
                f"{row.seconds(now):.1f}s",
                Text(excerpt(row.reason)),
            )
        hidden = len(self.rows) - len(rows)
        if hidden > 0:
            done = sum(row.state in FINISHED for row in self.rows.values())
            table.add_row("", Text(f"{done} of {len(self.rows)} are done; {hidden} not shown", style="dim"))
        return table


def chosen(rows: list[Row], height: int) -> list[Row]:
    """The rows that fit: failed ones, then moving ones, then the last to finish; in their order."""
    if len(rows) <= height:
        return rows
    rank = {"failed": 0, "waiting": 2, "pending": 2}
    best = sorted(rows, key=lambda r: (rank.get(r.state, 3 if r.state in FINISHED else 1), -(r.ended or 0.0)))
    fitting = {r.address for r in best[: height - 1]}
    return [r for r in rows if r.address in fitting]
