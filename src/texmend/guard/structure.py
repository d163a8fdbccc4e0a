"""Protected structure: class, document, title block, sections, floats, bibliography, contents stay, in order and nesting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from texmend.guard.scope import Guard, Refusal
from texmend.tex.names import names
from texmend.tex.nearmiss import distance
from texmend.tex.structure import Mark, Structure

_CLASSES = names("""article report book letter slides beamer memoir scrartcl scrreprt scrbook scrlttr2 amsart amsbook
    amsproc IEEEtran llncs elsarticle revtex4 revtex4-1 revtex4-2 acmart standalone minimal ctexart
    ctexrep ctexbook ctexbeamer ujarticle ujreport ujbook utarticle jarticle jreport jbook jsarticle
    jsbook ltjarticle ltjsarticle tarticle bxjsarticle moderncv exam tufte-book tufte-handout svjour3
    svmono svmult aastex mnras subfiles extarticle extreport extbook proc a0poster tikzposter
    beamerposter""")
"""Classes that exist: nobody who writes one of them means another."""


def refuse_structure(before: Structure, after: Structure, exists: Callable[[str], bool] | None = None) -> Refusal | None:
    """What protected marks are gone, moved or nested otherwise."""
    return (
        refuse_class(before, after, exists)
        or _borders(before, after)
        or _lost(before, after)
        or _moved(before, after)
        or _nesting(before, after)
    )


def refuse_class(before: Structure, after: Structure, exists: Callable[[str], bool] | None) -> Refusal | None:
    """The class stays; one that does not exist may become the one that it nearly names."""
    old, new = before.document_class, after.document_class
    if old is None or old == new:
        return None
    if new is None:
        return Refusal(Guard.CLASS, f"the class {old} would be gone")
    unknown = not exists(f"{old}.cls") if exists else old not in _CLASSES
    if unknown and (exists is None or exists(f"{new}.cls")) and distance(old.lower(), new.lower(), 2) <= 2:
        return None
    return Refusal(Guard.CLASS, f"the class {old} would become {new}")


def _borders(before: Structure, after: Structure) -> Refusal | None:
    if before.begins and not after.begins:
        return Refusal(Guard.STRUCTURE, r"\begin{document} would be gone")
    if before.ends and not after.ends:
        return Refusal(Guard.STRUCTURE, r"\end{document} would be gone")
    return None


def _lost(before: Structure, after: Structure) -> Refusal | None:
    """An environment without its end may have been a misspelt end: only every second of those must stay."""
    have = Counter((m.kind, m.name) for m in after.marks if m.closed)
    need = Counter((m.kind, m.name) for m in before.marks if m.closed)
    for (kind, name), n in Counter((m.kind, m.name) for m in before.marks if not m.closed).items():
        need[kind, name] += n // 2
    for (_, name), n in need.items():
        if have[_, name] < n:
            return Refusal(Guard.STRUCTURE, f"{n - have[_, name]} of {n} {name} would be gone")
    return None


def _moved(before: Structure, after: Structure) -> Refusal | None:
    """Marks of the body that both have stand in the same order."""
    a, b = _ids(before), _ids(after)
    left, rest = Counter(a) & Counter(b), iter(b)
    for mark in a:
        if left[mark] > 0:
            left[mark] -= 1
            if mark not in rest:
                return Refusal(Guard.STRUCTURE, f"{' '.join(mark).strip()} would stand elsewhere")
    return None


def _ids(s: Structure) -> list[tuple[str, str]]:
    return [(m.name, m.key) for m in s.marks if m.in_body and m.closed]


def _nesting(before: Structure, after: Structure) -> Refusal | None:
    """What stood in a whole environment stands in it still."""
    was, now = _inside(before.marks), _inside(after.marks)
    for name, envelopes in was.items():
        here = now.get(name, Counter())
        for envelope, n in envelopes.items():
            if here[envelope] < n and sum(k for e, k in here.items() if set(envelope) <= set(e)) < n:
                return Refusal(Guard.STRUCTURE, f"{name} would not stand in {envelope[-1]} any more")
    return None


def _inside(marks: tuple[Mark, ...]) -> dict[str, Counter[tuple[str, ...]]]:
    found: dict[str, Counter[tuple[str, ...]]] = {}
    for m in marks:
        if m.inside and m.closed:
            found.setdefault(m.name, Counter())[m.inside] += 1
    return found


def refuse_doubled(before: Structure, after: Structure, gained: Counter[str]) -> Refusal | None:
    """No heading whose words are new appears a second time."""
    new = {word.lower() for word in gained}
    was = Counter((m.name, m.key) for m in before.marks if m.kind == "section" and m.key)
    now = Counter((m.name, m.key) for m in after.marks if m.kind == "section" and m.key)
    for (name, key), n in now.items():
        if n > max(was[name, key], 1) and new.issuperset(key.split()):
            return Refusal(Guard.DUPLICATES, f"{name}{{{key}}} would be there {n} times")
    return None
