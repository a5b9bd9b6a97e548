"""Models from files, texts and the gallery."""
from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

from . import _core
from ._model import Model
from ._yaml import plain


def load_text(text: str, *, recorded: bool = False) -> Model:
    """A model from the text of a file; of a recorded one the overrides stand in comments at its end, before names of laws."""
    overrides: list[tuple[str, str]] = []
    while recorded and (found := re.search(r"^# (?:law .*|--set (.+?)=(.*))\n?\Z", text, re.MULTILINE)):
        if found[1]:
            overrides.insert(0, (found[1], found[2]))
        text = text[:found.start()]
    return Model._of_text(text, "", overrides)


def load(source: str | os.PathLike[str] | Mapping[str, Any], *, floating_base: bool = False, limits: bool = False,
         meshes: bool = True, package_path: Iterable[str | os.PathLike[str]] = (), strict: bool = False,
         allow: Iterable[str] = (), keyframe: str = "", files_outside: bool = False) -> Model:
    """Reads a model: a file (YAML, URDF, MJCF), a name of the gallery (``ts.gallery()``), a dict, or the text of such a file.

    For URDF and MJCF files: ``meshes=False`` leaves out meshes that are only drawn, ``package_path`` lists folders in which
    ``package://NAME`` is looked for, ``strict`` raises ``ModelError`` where something is approximated or left out, and ``allow``
    names what may be left out although it changes the motion. For URDF: ``floating_base`` lets the root link float, ``limits``
    turns position limits into stops. For MJCF: ``keyframe`` names the one to start from, ``files_outside`` allows files outside
    the folder of the model. ``check()["import"]`` lists what was converted, approximated and left out.

    >>> import torsor as ts
    >>> ts.load("tendon_arm")
    <Model 'Three-link arm with tendons': 2D, 3 bodies, 3 joints, 3 rates>
    >>> ts.load('''
    ... torsor: 1
    ... bodies: {ball: {mass: 1 kg, shape: {sphere: {radius: 5 cm}}}}
    ... ''').joints
    ['ball']
    >>> ts.load('''<robot name="rod"><link name="base"/>
    ...   <link name="rod"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    ...   <joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/></joint></robot>''').joints
    ['hinge']
    """
    is_xml = isinstance(source, str) and source.lstrip("\ufeff \t\r\n").startswith("<")
    if isinstance(source, Mapping):
        model = Model._of_text("", "")
        model._spec = plain({"torsor": 1, **source})
    elif isinstance(source, os.PathLike) or "\n" not in source or is_xml:
        file, given = ("", os.fspath(source)) if is_xml else (_core.find_model(os.fspath(source)), None)
        text, imported, built = _core.load(file, given, floating_base, limits, meshes,
                                           [os.fspath(folder) for folder in package_path], strict, list(allow), keyframe,
                                           files_outside)
        place = os.path.abspath(file) if file else ""
        model = Model._of_text(text, f"{place} (to_yaml)" if imported else place)  # lines of the text are no lines of the file
        model._built, model._imported, model._files = built, imported, built.files
    else:
        model = load_text(source)
    model._compiled
    return model


def gallery() -> dict[str, str]:
    """The models that come with Torsor, by name, each with one sentence about it.

    >>> import torsor as ts
    >>> "four_bar" in ts.gallery()
    True
    """
    return {name: summary for name, _, summary in _core.gallery()}
