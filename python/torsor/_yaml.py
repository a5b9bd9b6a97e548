"""Plain data as the text of a model file."""
from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}


def plain(value: Any) -> Any:
    """The same in dicts, lists, numbers and texts alone."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, str):
        return str(value)
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, Sequence):
        return [plain(item) for item in value]
    raise TypeError(f"a model is made of numbers, texts, lists and dicts, not of {type(value).__name__}")


def _text(value: str) -> str:
    if _PLAIN.match(value) and value.lower() not in _WORDS:
        return value
    return json.dumps(value, ensure_ascii=False)


def flow(value: Any) -> str:
    """On one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(key)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, float) and math.isfinite(value):
        return repr(int(value)) if value == int(value) and abs(value) < 1e15 and math.copysign(1, value) > 0 else repr(value)
    return _text(value) if isinstance(value, str) else str(value)


def document(spec: dict[str, Any]) -> str:
    """A line for each body, joint and so on."""
    lines = []
    for key, section in spec.items():
        if isinstance(section, dict) and section and key != "simulation":
            lines.append(f"{_text(key)}:")
            lines += [f"  {_text(name)}: {flow(item)}" for name, item in section.items()]
        else:
            lines.append(f"{_text(key)}: {flow(section)}")
    return "\n".join(lines) + "\n"
