"""Small edits near a suspect place: the alphabet of the search. Pure; what they are worth `ranking` and the compiler say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from texmend.model.diagnostic import Kind
from texmend.repair import edits_math, edits_names, edits_structure, edits_tables
from texmend.repair.edit import Candidate
from texmend.repair.suspects import Suspect
from texmend.rules.base import Scene

MOST = 1_500
"""Candidates that are looked at for one draft, before they are ranked."""

Family = Callable[[Scene, Suspect], Iterator[Candidate]]


@dataclass(frozen=True, slots=True)
class Weighted:
    """A family of edits, and what speaks against it for kinds of errors that others cause."""

    edits: Family
    kinds: frozenset[Kind]
    elsewhere: float


_BRACES = frozenset(
    (Kind.EXTRA_BRACE, Kind.UNCLOSED_GROUP, Kind.RUNAWAY_ARGUMENT, Kind.PARAGRAPH_IN_ARGUMENT, Kind.FILE_ENDED, Kind.MACRO_USE)
)
_PAIRS = frozenset((Kind.ENVIRONMENT_MISMATCH, Kind.UNCLOSED_ENVIRONMENT, Kind.ITEM_OUTSIDE_LIST, Kind.NO_END_DOCUMENT))
_MATH = frozenset((Kind.MATH_EXPECTED, Kind.MATH_UNCLOSED, Kind.MODE))
_CELLS = frozenset((Kind.EXTRA_ALIGNMENT, Kind.MISPLACED_ALIGNMENT, Kind.COLUMN_SPECIFICATION))
_NAMES = frozenset((Kind.UNDEFINED_COMMAND, Kind.UNDEFINED_ENVIRONMENT))
_ARGUMENTS = frozenset((Kind.NUMBER_EXPECTED, Kind.UNIT_EXPECTED, Kind.MACRO_USE, Kind.DOUBLE_SCRIPT))

FAMILIES = (
    Weighted(edits_names.commands, frozenset((Kind.UNDEFINED_COMMAND,)), 3.0),
    Weighted(edits_names.environments, frozenset((Kind.UNDEFINED_ENVIRONMENT, *_PAIRS)), 3.0),
    Weighted(edits_structure.groups, _BRACES, 0.5),
    Weighted(edits_structure.pairs, _PAIRS, 0.5),
    Weighted(edits_math.dollars, _MATH, 0.5),
    Weighted(edits_math.delimiters, frozenset((Kind.MATH_DELIMITER, *_MATH)), 0.5),
    Weighted(edits_math.scripts, frozenset((Kind.DOUBLE_SCRIPT,)), 2.0),
    Weighted(edits_tables.columns, _CELLS, 1.0),
    Weighted(edits_tables.rows, _CELLS | frozenset((Kind.TEX_ERROR, Kind.LATEX_ERROR)), 1.0),
    Weighted(edits_names.escapes, _CELLS | _MATH | frozenset((Kind.PARAMETER_NUMBER,)), 1.0),
    Weighted(edits_names.arguments, _ARGUMENTS, 2.0),
)


def candidates(scene: Scene, places: Iterable[Suspect]) -> tuple[Candidate, ...]:
    """The edits of all families at all places, each once, in no particular order; the cost rises with what speaks against them."""
    kind = scene.diagnostic.kind if scene.diagnostic else None
    found: dict[tuple[str, tuple[object, ...]], Candidate] = {}
    for n, suspect in enumerate(places):
        for family in FAMILIES:
            extra = (0.0 if kind in family.kinds else family.elsewhere) + 0.2 * n
            for c in family.edits(scene, suspect):
                dearer = c.dearer(extra)
                key = (dearer.path, dearer.edits)
                if key not in found or found[key].cost > dearer.cost:
                    found[key] = dearer
                if len(found) >= MOST:
                    return tuple(found.values())
    return tuple(found.values())
