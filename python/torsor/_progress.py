"""How far a run has got: a bar in a terminal, a bar in a notebook, nothing elsewhere."""
from __future__ import annotations

import sys
import time
from typing import Any, Callable

_QUIET = 0.5  # seconds in which a run needs no bar
_WIDTH = 30


def _notebook() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and hasattr(shell, "kernel")


class ProgressBar:
    """Called with the simulated time."""

    def __init__(self, duration: float) -> None:
        self.duration, self.begin = duration, time.monotonic()
        self.begun: float | None = None
        self.handle: Any = None
        self.shown = False

    def line(self, simulated: float) -> tuple[float, str]:
        if self.begun is None:
            self.begun = simulated
        share = min(1.0, max(0.0, simulated / self.duration)) if self.duration > 0 else 1.0
        spent = time.monotonic() - self.begin
        left = f", {spent * (1 - share) / share:.0f} s left" if share > 0 else ""
        return share, f"{simulated:.4g} of {self.duration:.4g} s{left}"

    def __call__(self, simulated: float) -> None:
        if time.monotonic() - self.begin >= _QUIET:
            self.show(*self.line(simulated))

    def show(self, share: float, text: str) -> None:
        filled = int(share * _WIDTH)
        sys.stderr.write(f"\r[{'#' * filled}{'.' * (_WIDTH - filled)}] {text}   ")
        sys.stderr.flush()
        self.shown = True

    def close(self) -> None:
        if self.shown:
            sys.stderr.write("\r" + " " * 78 + "\r")
            sys.stderr.flush()


class NotebookBar(ProgressBar):
    def show(self, share: float, text: str) -> None:
        import IPython.display

        display: Any = IPython.display
        page: dict[str, str] = {"text/plain": text, "text/html": f"<progress max='1' value='{share:.4f}'></progress> {text}"}
        if self.handle is None:
            self.handle = display.display(page, raw=True, display_id=True)
        else:
            self.handle.update(page, raw=True)

    def close(self) -> None:
        if self.handle is not None:
            self.handle.update({"text/plain": "", "text/html": ""}, raw=True)


def make_progress(wanted: bool | Callable[[float], Any] | None, duration: float) -> Callable[[float], Any] | None:
    """None: where somebody looks."""
    if callable(wanted):
        return wanted
    if wanted is False:
        return None
    if _notebook():
        return NotebookBar(duration)
    return ProgressBar(duration) if wanted or sys.stderr.isatty() else None
