"""What a run conserved, and how well."""
from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from typing import Any

from . import _core
from ._wording import in_python


class Record(Mapping[str, Any]):
    """Named values, as attributes and by ``[...]``."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = {key: Record(value) if isinstance(value, dict) else value for key, value in values.items()}

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_values"][name]
        except KeyError:
            raise AttributeError(f"no '{name}' here, but {', '.join(self.__dict__.get('_values', {}))}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(key for key in self._values if key.isidentifier())]

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{key}: {value!r}" for key, value in self._values.items()) + "}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> dict[str, Any]:
        """The ledger as plain dicts."""
        return {key: value.to_dict() if isinstance(value, Record) else value for key, value in self._values.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        return Record, (self.to_dict(),)


class Ledger(Record):
    """What a run conserved and how well: the members of ``torsor run --json``.

    ``energy.max_error`` is the largest \\|E(t) - E(0)\\| [J], ``energy.max_residual`` the largest
    \\|E(t) - E(0) - work + dissipated\\| [J], which must be zero whatever forces act.

    >>> import torsor as ts
    >>> ledger = ts.load("tendon_arm").simulate(duration=1).ledger
    >>> ledger.energy.max_residual < 1e-12
    True
    >>> print(ledger)                                            # doctest: +ELLIPSIS
    Three-link arm with tendons: formulation rotationless, integrator energy-momentum
    1 s in 100 steps of 0.01 s
    verdicts
      energy        exact to rounding: balance within ... of the scale
    ...

    ``verdicts`` has an entry for each of energy, constraints, momenta and motion. Its ``state`` is ``exact`` (to rounding),
    ``order`` (within the method's order), ``none`` (not promised, or nothing to check) or ``broken``; ``figure`` is the relative
    error, or None.

    >>> ledger.verdicts.energy.state, ledger.verdicts.momenta.figure
    ('exact', None)
    """

    def __init__(self, text: bytes) -> None:
        super().__init__(json.loads(text))
        self._text = text

    def __str__(self) -> str:
        return in_python(_core.ledger_text(self._text).decode("utf-8", "replace"))

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Ledger, (self._text,)
