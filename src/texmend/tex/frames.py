r"""Beamer frames that hold verbatim material, and whether they are marked for it."""

from __future__ import annotations

from texmend.tex.scan import Environment, Scan, T, scanned

_CODE = frozenset("\\" + n for n in "verb lstinline mintinline lstinputlisting_ Verb".split())
_ENVIRONMENTS = frozenset(
    "verbatim verbatim* lstlisting minted Verbatim semiverbatim_ alltt comment tcblisting BVerbatim LVerbatim spverbatim".split()
)


def holds_code(scan: Scan, frame: Environment) -> bool:
    """Whether verbatim material stands in the frame."""
    if any(frame.start < e.start < frame.end and e.name in _ENVIRONMENTS for e in scan.environments):
        return True
    tokens = scan.tokens_in(frame.begin_end, frame.end_start)
    return any(t.kind is T.COMMAND and t.text in _CODE for t in tokens) or any(
        t.kind is T.VERBATIM and scan.tokens[scan.index_at(t.start) - 1].text not in ("{",) for t in tokens
    )


def is_fragile(scan: Scan, frame: Environment) -> bool:
    """Whether the frame's options say that it holds such material."""
    options = [a.text for a in scan.environment_arguments(frame, "aoom") if a.kind == "o"]
    return any(o.strip().split("=")[0] in ("fragile", "containsverbatim") for text in options for o in text.split(","))


def reads_for_ever(text: str) -> bool:
    r"""Whether a listing stands in a frame that is not marked: TeX looks for the listing's end without an end of its own, and says
    nothing (beamer user guide, section 12.9).
    """
    if "lstlisting" not in text or r"\begin{frame}" not in text:
        return False
    scan = scanned(text)
    listings = [e for e in scan.environments if e.name == "lstlisting"]
    return any(
        f.name == "frame" and not is_fragile(scan, f) and any(f.start < e.start < f.end for e in listings)
        for f in scan.environments
    )
