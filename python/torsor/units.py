"""Units as factors to SI: ``30 * ts.deg``. Strings such as ``"30 deg"`` or ``"2 kN/m"`` work as well."""
from math import pi as _pi

deg = _pi / 180  #: rad
rev = 2 * _pi  #: rad
rpm = 2 * _pi / 60  #: rad/s
mm = 1e-3  #: m
cm = 1e-2  #: m
ms = 1e-3  #: s
g = 1e-3  #: kg
kN = 1e3  #: N
