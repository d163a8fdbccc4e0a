"""The benchmark's rows as Markdown: shares with 95 % intervals, class by class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import sqrt
from statistics import median
from typing import Any

Row = dict[str, Any]
Z = 1.959964
"""Of the normal distribution, for 95 %."""


def wilson(k: int, n: int) -> tuple[float, float]:
    """The 95 % interval of a share of k in n (Wilson's score interval, Brown, Cai and DasGupta 2001)."""
    if n == 0:
        return 0.0, 1.0
    p, z2 = k / n, Z * Z
    middle, half = p + z2 / (2 * n), Z * sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return max(0.0, (middle - half) / (1 + z2 / n)), min(1.0, (middle + half) / (1 + z2 / n))


def share(rows: list[Row], key: str | Callable[[Row], bool]) -> str:
    """ "7/10 70 (40-89)": how many, per cent, and the interval."""
    k = sum(bool(r[key] if isinstance(key, str) else key(r)) for r in rows)
    low, high = wilson(k, len(rows))
    return f"{k}/{len(rows)} {100 * k / max(len(rows), 1):.0f} ({100 * low:.0f}-{100 * high:.0f})"


def is_false(row: Row) -> bool:
    """Said to be repaired, and does not build or has lost content; boxes for missing figures are counted apart."""
    return row["claimed"] and (not row["builds"] or bool(row["lost"])) and not row["placeholders"]


def is_unfaithful(row: Row) -> bool:
    """Said to be repaired, builds, and is not what the author meant."""
    return row["claimed"] and row["builds"] and not row["faithful"] and not row["placeholders"]


def repairs(rows: Iterable[Row]) -> Iterator[str]:
    """One table for each set: each repairer over all, then texmend class by class."""
    rows = list(rows)
    for name in dict.fromkeys(r["set"] for r in rows):
        of_set = [r for r in rows if r["set"] == name]
        yield f"\n### {name}\n"
        yield from _head("repairer")
        for repairer in dict.fromkeys(r["repairer"] for r in of_set):
            yield _line(repairer, [r for r in of_set if r["repairer"] == repairer])
        yield f"\n{name}, texmend by class:\n"
        yield from _head("class")
        own = [r for r in of_set if r["repairer"] == "texmend"]
        for cls in sorted({r["cls"] for r in own}):
            yield _line(cls, [r for r in own if r["cls"] == cls])


def _head(first: str) -> Iterator[str]:
    columns = (first, "repaired", "faithful", "exact", "false success", "claimed, builds, unfaithful", "placeholders")
    medians = ("full builds, median", "seconds, median", "times `check`, median")
    yield f"| {' | '.join((*columns, *medians))} |"
    yield "|---" * 10 + "|"


def _line(name: str, rows: list[Row]) -> str:
    repaired = [r for r in rows if r["builds"]]
    builds = [r["compiles"] for r in repaired if r["compiles"]]
    ratios = [r["seconds"] / r["check_seconds"] for r in repaired if r["check_seconds"]]
    shares = [share(rows, key) for key in ("builds", "faithful", "exact", is_false, is_unfaithful)]
    cells = (
        name,
        *shares,
        sum(r["placeholders"] for r in rows),
        median(builds) if builds else "-",
        f"{median(r['seconds'] for r in repaired):.1f}" if repaired else "-",
        f"{median(ratios):.1f}" if ratios else "-",
    )
    return "| " + " | ".join(map(str, cells)) + " |"


def harm(rows: list[Row]) -> Iterator[str]:
    """Clean documents: which were changed, and which were not verified although a plain build finds no fault."""
    yield "\n### Harm on clean documents\n"
    yield f"changed: {share(rows, 'changed')}"
    fair = [r for r in rows if r["builds"]]
    yield f"\nverified, of those that the independent build calls clean: {share(fair, 'claimed')}\n"
    yield from (f"- changed: {r['case']}" for r in rows if r["changed"])
    yield from (f"- not verified: {r['case']}: {r['reason']}: {r['detail']}" for r in rows if not r["claimed"])


def detectors(rows: list[Row], absent: Iterable[str]) -> Iterator[str]:
    """How often each detector says something of the broken document that it does not say of the right one."""
    yield "\n### Detectors\n"
    yield "| detector | broken documents of which it says what it does not say of the right repair | right repairs without a word |"
    yield "|---|---|---|"
    for name in dict.fromkeys(r["detector"] for r in rows):
        own = [r for r in rows if r["detector"] == name]
        yield f"| {name} | {share(own, 'told')} | {share(own, 'quiet')} |"
    yield from (f"\nabsent: {reason}" for reason in absent)
