"""The recorder file (.fls): which files an engine really opened."""

from __future__ import annotations

from dataclasses import dataclass

from texmend.model.document import LINE_END, decode


@dataclass(frozen=True, slots=True)
class Recorder:
    """What was opened, as the engine named it, each once, in order of first opening."""

    pwd: str = ""
    """The folder that relative names are relative to."""
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()


def parse_recorder(fls: bytes) -> Recorder:
    """The folder, inputs and outputs that a recorder file lists; "./" in front of a name is dropped. Never raises."""
    pwd = ""
    inputs: dict[str, None] = {}
    outputs: dict[str, None] = {}
    for line in LINE_END.split(decode(fls)):
        word, _, name = line.partition(" ")
        if word == "PWD":
            pwd = pwd or name
        elif name and word in ("INPUT", "OUTPUT"):
            (inputs if word == "INPUT" else outputs)[name.removeprefix("./")] = None
    return Recorder(pwd, tuple(inputs), tuple(outputs))
