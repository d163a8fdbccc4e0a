r"""Names and single characters: the near miss that is defined, the escape that was forgotten, the argument that is absent."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.model.repair import Edit
from texmend.repair.edit import Candidate
from texmend.repair.suspects import Suspect
from texmend.rules.base import Scene
from texmend.rules.environment_name import alike
from texmend.rules.misspelt_command import likely_slip
from texmend.rules.preamble import everything_loaded
from texmend.rules.text import masked, uses
from texmend.tex.nearmiss import distance, near
from texmend.tex.renown import COMMANDS, WRITTEN
from texmend.tex.scan import Environment, T
from texmend.tex.tokens import Token

MOST_NAMES = 8
_ESCAPES = {T.ALIGN: (r"\&", 2.0), T.PARAMETER: (r"\#", 1.0)}


def commands(scene: Scene, s: Suspect) -> Iterator[Candidate]:
    """A command that nobody defines becomes one that it nearly names, or is parted from the word that is glued to it."""
    d = scene.diagnostic
    if d is None or d.kind is not Kind.UNDEFINED_COMMAND or not re.fullmatch(r"\\[A-Za-z@]{2,60}", d.subject):
        return
    defined = scene.lookup.defined_commands(everything_loaded(scene)) | _own(scene) | s.scan.command_names
    for right in near(d.subject[1:], {c[1:] for c in defined if "@" not in c})[:MOST_NAMES]:
        far, known = distance(d.subject[1:], right, 3), "\\" + right
        if not likely_slip(scene, d.subject, known):
            continue
        cost = 0.5 + far + (0.0 if s.scan.uses(known) else 0.3 if known in WRITTEN else 0.8 if known in COMMANDS else 1.5)
        yield from _everywhere(s, d.subject, known, "rename-command", f"{d.subject} is not defined; {known} is", cost)
    for k in range(len(d.subject) - 1, 3, -1):
        head, tail = d.subject[:k], d.subject[k:]
        if head in defined and (head in WRITTEN or s.scan.uses(head)):
            cost = 1.6 + 0.4 * (len(tail) < 2)
            yield from _everywhere(s, d.subject, f"{head} {tail}", "part-command", f"a blank is missing behind {head}", cost)
            return


def _own(scene: Scene) -> frozenset[str]:
    return frozenset(n for p in scene.tex_paths for n in scene.scan(p).defined_names if n.startswith("\\"))


def _everywhere(s: Suspect, old: str, new: str, name: str, why: str, cost: float) -> Iterator[Candidate]:
    edits = tuple(Edit(at, at + len(old), new) for at in uses(masked(s.scan.text), old))
    if edits:
        yield Candidate(s.path, edits, name, why, cost)


def environments(scene: Scene, s: Suspect) -> Iterator[Candidate]:
    r"""An environment that nobody defines becomes one that it nearly names, both halves or the one that has the slip."""
    d = scene.diagnostic
    if d is None:
        return
    defined = scene.lookup.defined_environments(everything_loaded(scene)) | {
        x.name for p in scene.tex_paths for x in scene.scan(p).definitions if not x.name.startswith("\\")
    }
    stray = {e.name for e in s.scan.stray_ends}
    for e in s.scan.environments:
        if not (s.start <= e.start < s.end) or e.name in defined or len(e.name) < 3:
            continue
        for right in near(e.name, defined | stray, 2)[:MOST_NAMES]:
            edits = tuple(_both(s, e, right))
            cost = 0.6 + distance(e.name, right, 3) - (0.5 if any(alike(right, x) for x in stray) else 0.0)
            why = f"the environment {e.name} is not defined; {right} is"
            yield Candidate(s.path, edits, "rename-environment", why, cost)


def _both(s: Suspect, e: Environment, right: str) -> Iterator[Edit]:
    for at in (e.start, e.end_start) if e.closed else (e.start,):
        k = s.scan.text.find(e.name, at, at + len(e.name) + 40)
        if k >= 0:
            yield Edit(k, k + len(e.name), right)


def escapes(_scene: Scene, s: Suspect) -> Iterator[Candidate]:
    """A character that has a meaning of its own is printed instead."""
    for t in s.scan.tokens_in(s.start, s.end):
        if t.kind is T.PARAMETER and s.scan.text[t.end : t.end + 1].isdigit() and t.start < (s.scan.body_start or 0):
            continue  # in the preamble it stands for an argument, though nobody gives it one
        if t.kind in _ESCAPES:
            printed, cost = _ESCAPES[t.kind]
            far = min(1.5, abs(t.start - s.at) / 200)
            yield Candidate(s.path, (Edit(t.start, t.end, printed),), "escape", f"{t.text} in text is printed", cost + far)
        elif (
            t.kind is T.COMMENT
            and t.text != "%"
            and (amount := re.search(r"\d[ \t]*$", s.scan.text[max(0, t.start - 8) : t.start]))
        ):
            cost = 1.0 if amount else 3.0
            yield Candidate(s.path, (Edit(t.start, t.start, "\\"),), "escape", "a per cent sign behind a number is printed", cost)


def arguments(scene: Scene, s: Suspect) -> Iterator[Candidate]:
    """The commands just before the place where TeX stopped get an argument: an empty one, or the word behind them."""
    d = scene.diagnostic
    before: list[Token] = [t for t in s.scan.tokens_in(s.start, s.at) if t.kind is T.COMMAND and t.text[1:2].isalpha()]
    for n, t in enumerate(reversed(before[-3:])):
        i = s.scan.index_at(t.start) + 1
        follows = s.scan.tokens[i] if i < len(s.scan.tokens) else None
        if follows is None or follows.kind in (T.OPEN, T.LBRACKET):
            continue
        named = 0.0 if d is not None and t.text in d.message else 1.0
        why = f"{t.text} has no argument"
        yield Candidate(s.path, (Edit(t.end, t.end, "{}"),), "empty-argument", why, 2.2 + named + 0.3 * n)
        if m := re.compile(r"[ \t]*(\w[\w.-]*)").match(s.scan.text, t.end):
            edits = (Edit(m.start(), m.start(1), "{"), Edit(m.end(), m.end(), "}"))
            yield Candidate(s.path, edits, "brace-argument", f"the argument of {t.text} has no braces", 2.0 + named + 0.3 * n)
