"""What the library says for its command line, in the words of Python."""
from __future__ import annotations

import re

_OPTION = re.compile(r"(?<![\w-])--(?P<name>[a-z][a-z-]*)(?P<value> [A-Z]\b| [0-9][0-9.e-]*| (?:off|start)\b|(?<=--allow) [a-z-]+)?")
_FLAGS = {"floating_base", "limits", "strict", "files_outside", "verify", "force"}


def _argument(option: re.Match[str]) -> str:
    name, value = option["name"].replace("-", "_"), (option["value"] or "").strip()
    if name == "allow" and value:
        return f"allow=[{value!r}]"
    if value:
        return f"{name}={repr(value) if value.islower() and value.isalpha() else value}"
    is_key = option.start() == 0
    return f"{name}=True" if name in _FLAGS and not is_key else name


def in_python(text: str) -> str:
    """What the library says for the command line, as Python has it: ``--step H`` becomes ``step=H``, ``--set PATH`` the path."""
    return _OPTION.sub(_argument, text.replace("`torsor list models`", "`ts.gallery()`").replace("--set ", ""))
