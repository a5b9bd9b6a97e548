"""What is shown of a run that lasts."""
import io
import os
import pty
import subprocess
import sys

import pytest

import torsor as ts
from torsor import _progress


def test_bar_shows_share_and_time_left(monkeypatch):
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    bar = _progress.ProgressBar(duration=10)
    bar(1.0)
    assert screen.getvalue() == ""  # the run is young
    bar.begin -= 3
    bar(5.0)
    assert "[###############...............] 5 of 10 s" in screen.getvalue() and "s left" in screen.getvalue()
    bar.close()
    assert screen.getvalue().endswith("\r")


def test_only_those_who_look_see_a_bar(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert _progress.make_progress(None, 1) is None and _progress.make_progress(False, 1) is None
    assert isinstance(_progress.make_progress(True, 1), _progress.ProgressBar)
    assert _progress.make_progress(print, 1) is print


def test_terminal_shows_a_bar():
    ours, theirs = pty.openpty()
    code = "import torsor as ts; ts.load('tendon_arm').simulate(duration=8000, step=0.01, record_every=10000)"
    process = subprocess.Popen([sys.executable, "-c", code], stderr=theirs, env=dict(os.environ))
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
    assert process.wait() == 0
    assert b"of 8000 s" in shown or not shown  # quicker than half a second: nothing to show


def test_notebook_bar_is_updated(monkeypatch):
    display = pytest.importorskip("IPython.display")
    shown = []

    class Handle:
        def update(self, page, raw):
            shown.append(page["text/html"])

    def first(page, raw, display_id):
        shown.append(page["text/html"])
        return Handle()

    monkeypatch.setattr(display, "display", first)
    bar = _progress.NotebookBar(duration=2)
    bar.begin -= 3
    bar(1.0)
    bar(2.0)
    bar.close()
    assert "value='0.5000'" in shown[0] and "value='1.0000'" in shown[1] and shown[2] == ""


def test_bar_does_not_change_the_numbers():
    model = ts.load("tendon_arm")
    assert model.simulate(duration=1, progress=True) == model.simulate(duration=1, progress=False)
