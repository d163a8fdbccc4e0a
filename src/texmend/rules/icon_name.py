r"""An icon of Font Awesome under a name that the package has no command for: `\faIcon` with the icon's own name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, class_name, loaded
from texmend.rules.text import masked, uses

_ICON = re.compile(r"\\fa([A-Z][A-Za-z]*)")
_NEW = {
    "map-marker-alt": "map-marker-alt",
    "linked-in": "linkedin",
    "linkedin-square": "linkedin",
    "git-hub": "github",
    "github-alt": "github-alt",
    "github-square": "github",
    "mobile-phone": "mobile-alt",
    "mail": "envelope",
    "email": "envelope",
    "website": "globe",
    "location": "map-marker-alt",
    "home-alt": "home",
    "you-tube": "youtube",
    "google-scholar": "graduation-cap",
    "scholar": "graduation-cap",
    "stack-overflow": "stack-overflow",
    "x-twitter": "twitter",
    "birthday": "birthday-cake",
}
"""Names that people write -> names of Font Awesome 5."""


def _propose(scene: Scene) -> Iterator[Fix]:
    d = scene.diagnostic
    if d is None or (m := _ICON.fullmatch(d.subject)) is None:
        return
    needs = [] if "fontawesome5" in loaded(scene) or class_name(scene) == "moderncv" else add_package(scene, "fontawesome5")
    if needs and loaded(scene) & {"fontawesome", "fontawesome6"}:
        return
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", m.group(1)).lower()
    regular = "[regular]" if m.group(1).endswith("O") and name.endswith("-o") else ""
    name = name.removesuffix("-o") if regular else name
    name = _NEW.get(name, name)
    edits = [
        (p, Edit(at, at + len(d.subject), f"\\faIcon{regular}{{{name}}}"))
        for p in scene.tex_paths
        for at in uses(masked(scene.document.text(p) or ""), d.subject)
    ]
    if edits:
        yield Fix((*edits, *needs), f"{d.subject} is the icon {name} of Font Awesome 5")


_DOC = "\\documentclass{article}\n%s\\begin{document}\n%s\n\\end{document}\n"
_LOAD = "\\usepackage{fontawesome5}\n"
RULE = Rule(
    name="icon-name",
    summary="An icon of Font Awesome that has no command of its own is written \\faIcon with its name.",
    kinds=frozenset((Kind.UNDEFINED_COMMAND,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "a variant",
            _DOC % (_LOAD, "\\faMapMarkerAlt\\ Here"),
            _DOC % (_LOAD, "\\faIcon{map-marker-alt}\\ Here"),
            kind=Kind.UNDEFINED_COMMAND,
            subject="\\faMapMarkerAlt",
        ),
        Case(
            "of version 4",
            _DOC % (_LOAD, "\\faEnvelopeO\\ Here"),
            _DOC % (_LOAD, "\\faIcon[regular]{envelope}\\ Here"),
            kind=Kind.UNDEFINED_COMMAND,
            subject="\\faEnvelopeO",
        ),
        Case("no icon", _DOC % (_LOAD, "\\fallow"), None, kind=Kind.UNDEFINED_COMMAND, subject="\\fallow"),
    ),
)
