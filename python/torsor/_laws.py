"""Laws of one's own: potentials and forces as functions, with their derivatives."""
from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Union

import numpy as np

from .errors import ModelError

Potential = Callable[..., Any]  #: of what is measured; at a point of x, y, z
Force = Callable[[Any, Any, float], Any]  #: of what is measured, its rate and the time; at a point of arrays of three
Triple = tuple[float, float, float]
Square = tuple[Triple, Triple, Triple]


class Dual:
    """A number with its derivatives by x (first and second) and by the rate of x (first), for functions of such numbers.
    NumPy's functions take it; those of ``math`` do not.

    >>> import numpy as np
    >>> from torsor._laws import Dual
    >>> y = np.exp(2 * Dual(0.0, 1.0))
    >>> y.value, y.by_x, y.by_xx
    (1.0, 2.0, 4.0)
    """

    __slots__ = ("by_rate", "by_x", "by_xx", "value")

    def __init__(self, value: float, by_x: float = 0.0, by_rate: float = 0.0, by_xx: float = 0.0) -> None:
        self.value, self.by_x, self.by_rate, self.by_xx = value, by_x, by_rate, by_xx

    def _chain(self, f: float, slope: float, bend: float) -> Dual:
        """f(self), by f' and f''."""
        return Dual(f, slope * self.by_x, slope * self.by_rate, bend * self.by_x * self.by_x + slope * self.by_xx)

    def __add__(self, other: Operand) -> Dual:
        b = _dual(other)
        return Dual(self.value + b.value, self.by_x + b.by_x, self.by_rate + b.by_rate, self.by_xx + b.by_xx)

    def __mul__(self, other: Operand) -> Dual:
        a, b = self, _dual(other)
        return Dual(a.value * b.value, a.by_x * b.value + a.value * b.by_x, a.by_rate * b.value + a.value * b.by_rate,
                    a.by_xx * b.value + 2 * a.by_x * b.by_x + a.value * b.by_xx)

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Dual:
        return self._chain(-self.value, -1.0, 0.0)

    def __pos__(self) -> Dual:
        return self

    def __sub__(self, other: Operand) -> Dual:
        return self + (-_dual(other))

    def __rsub__(self, other: Operand) -> Dual:
        return -self + other

    def _inverse(self) -> Dual:
        inverse = 1.0 / self.value
        return self._chain(inverse, -inverse * inverse, 2 * inverse * inverse * inverse)

    def __truediv__(self, other: Operand) -> Dual:
        return self * _dual(other)._inverse()

    def __rtruediv__(self, other: Operand) -> Dual:
        return self._inverse() * other

    def __pow__(self, other: Operand) -> Dual:
        if isinstance(other, Dual):
            return (other * self.log()).exp()
        n = float(other)
        slope = 0.0 if n == 0 else n * self.value ** (n - 1)
        bend = 0.0 if n in (0, 1) else n * (n - 1) * self.value ** (n - 2)
        return self._chain(self.value**n, slope, bend)

    def __rpow__(self, other: Operand) -> Dual:
        return (self * math.log(_dual(other).value)).exp()

    def __abs__(self) -> Dual:
        return -self if self.value < 0 else self

    def __lt__(self, other: Operand) -> bool:
        return self.value < _dual(other).value

    def __le__(self, other: Operand) -> bool:
        return self.value <= _dual(other).value

    def __gt__(self, other: Operand) -> bool:
        return self.value > _dual(other).value

    def __ge__(self, other: Operand) -> bool:
        return self.value >= _dual(other).value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (Dual, int, float)) and self.value == _dual(other).value

    __hash__ = None  # type: ignore[assignment]

    # By these names NumPy finds them.

    def sin(self) -> Dual:
        s = math.sin(self.value)
        return self._chain(s, math.cos(self.value), -s)

    def cos(self) -> Dual:
        c = math.cos(self.value)
        return self._chain(c, -math.sin(self.value), -c)

    def tan(self) -> Dual:
        t = math.tan(self.value)
        return self._chain(t, 1 + t * t, 2 * t * (1 + t * t))

    def arcsin(self) -> Dual:
        w = 1 - self.value * self.value
        return self._chain(math.asin(self.value), w**-0.5, self.value * w**-1.5)

    def arccos(self) -> Dual:
        return math.pi / 2 - self.arcsin()

    def arctan(self) -> Dual:
        slope = 1 / (1 + self.value * self.value)
        return self._chain(math.atan(self.value), slope, -2 * self.value * slope * slope)

    def sinh(self) -> Dual:
        s = math.sinh(self.value)
        return self._chain(s, math.cosh(self.value), s)

    def cosh(self) -> Dual:
        c = math.cosh(self.value)
        return self._chain(c, math.sinh(self.value), c)

    def tanh(self) -> Dual:
        t = math.tanh(self.value)
        return self._chain(t, 1 - t * t, -2 * t * (1 - t * t))

    def exp(self) -> Dual:
        e = math.exp(self.value)
        return self._chain(e, e, e)

    def log(self) -> Dual:
        return self._chain(math.log(self.value), 1 / self.value, -1 / (self.value * self.value))

    def sqrt(self) -> Dual:
        return self**0.5


Operand = Union[Dual, float]


def _dual(number: Any) -> Dual:
    return number if isinstance(number, Dual) else Dual(float(number))


def _step(x: float) -> float:
    """Of a central difference: its error and its rounding are then alike, some 1e-10 of the scale."""
    return 6e-6 * max(1.0, abs(x))


class _NoDuals(Exception):
    """The function does not take dual numbers."""


def _by_duals(function: Callable[..., Any], *arguments: Any) -> Dual:
    try:
        return _dual(function(*arguments))
    except TypeError as error:
        raise _NoDuals(str(error)) from error


class PotentialCall:
    """U, dU/dx and d2U/dx2 as the library asks for them."""

    def __init__(self, name: str, potential: Potential, derivative: Potential | None, second: Potential | None) -> None:
        self.name, self.potential, self.derivative, self.second = name, potential, derivative, second
        self.by_difference = False

    def __call__(self, x: float) -> tuple[float, float, float]:
        if self.derivative is None:
            try:
                U = _by_duals(self.potential, Dual(x, 1.0))
            except _NoDuals as fault:
                self.potential(x)  # a fault of its own comes first
                raise TypeError(f"law '{self.name}': the potential takes no dual numbers ({fault}): use functions of NumPy, "
                                "not of math, or give its derivative") from fault
            return U.value, U.by_x, U.by_xx
        value = float(self.potential(x))
        if self.second is not None:
            return value, float(self.derivative(x)), float(self.second(x))
        if not self.by_difference:
            try:
                slope = _by_duals(self.derivative, Dual(x, 1.0))
                return value, slope.value, slope.by_x
            except _NoDuals:
                self.by_difference = True
        h = _step(x)
        bend = (float(self.derivative(x + h)) - float(self.derivative(x - h))) / (2 * h)
        return value, float(self.derivative(x)), bend


class ForceCall:
    """F and its derivatives by x and by the rate."""

    def __init__(self, force: Force, by_position: Force | None, by_rate: Force | None) -> None:
        self.force, self.by_position, self.by_rate = force, by_position, by_rate
        self.by_difference = False

    def __call__(self, x: float, rate: float, t: float) -> tuple[float, float, float]:
        if self.by_position is not None and self.by_rate is not None:
            return float(self.force(x, rate, t)), float(self.by_position(x, rate, t)), float(self.by_rate(x, rate, t))
        if not self.by_difference:
            try:
                F = _by_duals(self.force, Dual(x, 1.0), Dual(rate, 0.0, 1.0), t)
                return F.value, F.by_x, F.by_rate
            except _NoDuals:
                self.by_difference = True

        def slope(at: float, along: Callable[[float], Any]) -> float:
            h = _step(at)
            return (float(along(at + h)) - float(along(at - h))) / (2 * h)

        return (float(self.force(x, rate, t)), slope(x, lambda y: self.force(y, rate, t)),
                slope(rate, lambda v: self.force(x, v, t)))


_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
_PAIRS = ((0, 1), (0, 2), (1, 2))


def _triple(numbers: Any, what: str) -> Triple:
    x, y, z = _three(numbers, what)
    return float(x), float(y), float(z)


def _three(numbers: Any, what: str) -> tuple[Any, Any, Any]:
    listed = tuple(numbers)
    if len(listed) != 3:
        raise ValueError(f"{what} has {len(listed)} components, not 3")
    return listed


def _columns(columns: list[tuple[float, ...]]) -> Square:
    """As rows."""
    x, y, z = (_triple(row, "a row") for row in zip(*columns))
    return x, y, z


class PointPotentialCall:
    """U, its gradient and its matrix of second derivatives at a point, as the library asks for them."""

    def __init__(self, name: str, potential: Potential, gradient: Potential | None, second: Potential | None) -> None:
        self.name, self.potential, self.gradient, self.second = name, potential, gradient, second
        self.by_difference = False

    def _along(self, at: Triple, way: Triple) -> Dual:
        return _by_duals(self.potential, *(Dual(x, d) for x, d in zip(at, way)))

    def _by_duals(self, at: Triple) -> tuple[float, Triple, Square]:
        """Second derivatives along the axes, and along the diagonals between them."""
        own = [self._along(at, axis) for axis in _AXES]
        bend = [[0.0] * 3 for _ in range(3)]
        for i in range(3):
            bend[i][i] = own[i].by_xx
        for i, j in _PAIRS:
            x, y, z = (float(k in (i, j)) for k in range(3))
            bend[i][j] = bend[j][i] = 0.5 * (self._along(at, (x, y, z)).by_xx - own[i].by_xx - own[j].by_xx)
        rows = [_triple(row, "a row") for row in bend]
        return own[0].value, (own[0].by_x, own[1].by_x, own[2].by_x), (rows[0], rows[1], rows[2])

    def _slopes(self, at: Triple) -> Triple:
        assert self.gradient is not None
        return _triple(self.gradient(*at), f"the derivative of law '{self.name}'")

    def __call__(self, x: float, y: float, z: float) -> tuple[float, Triple, Square]:
        at = (x, y, z)
        if self.gradient is None:
            try:
                return self._by_duals(at)
            except _NoDuals as fault:
                self.potential(*at)  # a fault of its own comes first
                raise TypeError(f"law '{self.name}': the potential takes no dual numbers ({fault}): use functions of NumPy, "
                                "not of math, or give its derivative") from fault
        value, slopes = float(self.potential(*at)), self._slopes(at)
        if self.second is not None:
            a, b, c = (_triple(row, f"the second derivative of law '{self.name}'") for row in self.second(*at))
            return value, slopes, (a, b, c)
        if not self.by_difference:
            try:
                columns = []
                for axis in _AXES:
                    moved = self.gradient(*(Dual(x, d) for x, d in zip(at, axis)))
                    columns.append(tuple(_dual(component).by_x for component in _three(moved, "the derivative")))
                return value, slopes, _columns(columns)
            except TypeError:
                self.by_difference = True
        columns = []
        for axis in _AXES:
            h = _step(max(map(abs, at)))
            low, high = (self._slopes(tuple(x + s * h * d for x, d in zip(at, axis))) for s in (-1, 1))  # type: ignore[arg-type]
            columns.append(tuple((b - a) / (2 * h) for a, b in zip(low, high)))
        return value, slopes, _columns(columns)


class PointForceCall:
    """F and its derivatives by the position and the velocity of a point."""

    def __init__(self, name: str, force: Force, by_position: Force | None, by_rate: Force | None) -> None:
        self.name, self.force, self.by_position, self.by_rate = name, force, by_position, by_rate
        self.by_difference = False

    def _value(self, p: Any, v: Any, t: float) -> Triple:
        return _triple(self.force(np.array(p), np.array(v), t), f"the force of law '{self.name}'")

    def __call__(self, p: Triple, v: Triple, t: float) -> tuple[Triple, Square, Square]:
        value = self._value(p, v, t)
        if self.by_position is not None and self.by_rate is not None:
            at = np.array(p), np.array(v), t
            squares = [tuple(_triple(row, "a row") for row in by(*at)) for by in (self.by_position, self.by_rate)]
            return value, squares[0], squares[1]  # type: ignore[return-value]
        if not self.by_difference:
            try:
                by_p, by_v = [], []
                for axis in _AXES:
                    moved = self.force(np.array([Dual(x, d) for x, d in zip(p, axis)], dtype=object),
                                       np.array([Dual(x, 0.0, d) for x, d in zip(v, axis)], dtype=object), t)
                    components = [_dual(component) for component in _three(moved, "the force")]
                    by_p.append(tuple(component.by_x for component in components))
                    by_v.append(tuple(component.by_rate for component in components))
                return value, _columns(by_p), _columns(by_v)
            except (TypeError, ZeroDivisionError):  # no dual numbers, or none at rest, as of a root of v . v
                self.by_difference = True

        def slopes(at: Triple, along: Callable[[Any], Triple]) -> Square:
            h = _step(max(map(abs, at)))
            columns = []
            for axis in _AXES:
                low, high = (along([x + s * h * d for x, d in zip(at, axis)]) for s in (-1, 1))
                columns.append(tuple((b - a) / (2 * h) for a, b in zip(low, high)))
            return _columns(columns)

        return value, slopes(p, lambda q: self._value(q, v, t)), slopes(v, lambda w: self._value(p, w, t))


@dataclass(frozen=True)
class Law:
    """As ``Model.add_law`` was told."""

    name: str
    joint: str | None
    coordinate: int | None
    tendon: str | None
    point: str | None
    potential: Potential | None
    derivative: Potential | None
    second_derivative: Potential | None
    force: Force | None
    by_position: Force | None
    by_rate: Force | None
    dissipates: bool

    def check(self) -> None:
        """What can be said without the model; the rest is checked with it."""
        key = f"laws.{self.name}"
        named = [what for what in ("joint", "tendon", "point") if getattr(self, what) is not None]
        if len(named) != 1:
            raise ModelError(key, "either a joint, a tendon or a point", " and ".join(named) or "none")
        if self.coordinate is not None and self.joint is None:
            raise ModelError(f"{key}.coordinate", "a coordinate of a joint", f"one of a {named[0]}")
        for what, given in (("potential", self.potential), ("derivative", self.derivative), ("force", self.force),
                            ("second_derivative", self.second_derivative), ("by_position", self.by_position),
                            ("by_rate", self.by_rate)):
            if given is not None and not callable(given):
                raise ModelError(f"{key}.{what}", "a function", repr(given))
        if self.potential is None and (self.derivative or self.second_derivative):
            raise ModelError(f"{key}.potential", "the potential of the derivative", "none")
        if self.second_derivative and not self.derivative:
            raise ModelError(f"{key}.derivative", "the first derivative with the second", "none")
        if (self.by_position is None) != (self.by_rate is None) or (self.by_position and self.force is None):
            raise ModelError(f"{key}.force", "a force with derivatives by position and by rate, or without both", "one of them")

    def compiled(self) -> tuple[Any, ...]:
        """As the extension takes it."""
        potential: Any = None
        force: Any = None
        if self.potential is not None:
            kind = PotentialCall if self.point is None else PointPotentialCall
            potential = kind(self.name, self.potential, self.derivative, self.second_derivative)
        if self.force is not None and self.point is None:
            force = ForceCall(self.force, self.by_position, self.by_rate)
        elif self.force is not None:
            force = PointForceCall(self.name, self.force, self.by_position, self.by_rate)
        return (self.name, self.joint, self.coordinate or 0, self.tendon, potential, force, self.dissipates, self.point)
