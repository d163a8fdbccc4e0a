"""What must hold of the scanner and the guards on every text of the corpus: `python bench/properties.py [--limit N] [--seed N]`.

The scanner: its tokens joined are the text, encoded they are the bytes; offsets and lines agree; no view raises. The guards: a
document against itself loses nothing and is not refused; without one paragraph of its words it is refused.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Iterator
from itertools import accumulate, pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import faults

from texmend.guard.edits import fidelity, refusal
from texmend.model.document import Document, Engine, Root, RootSource, Source, decode, encode
from texmend.model.repair import SourceRepair, rewrite_patch
from texmend.tex.scan import Scan, T, scan

ROOT = Path(__file__).resolve().parent.parent
LEAST_WORDS = 8
"""Words of a paragraph whose loss must be noticed."""


def scanner_faults(data: bytes) -> Iterator[str]:
    """What does not hold of the scanner on these bytes."""
    text = decode(data)
    s = scan(text)
    if encode("".join(t.text for t in s.tokens)) != data:
        yield "the tokens are not the bytes"
    if [t.start for t in s.tokens] != [0, *accumulate(len(t.text) for t in s.tokens)][: len(s.tokens)]:
        yield "the offsets of the tokens do not add up"
    if any(s.text[s.offset_of_line(n) :][: len(s.line_text(n))] != s.line_text(n) for n in range(1, s.line_count + 1)):
        yield "a line is not where its offset says"
    places = [
        *((g.start, g.end) for g in s.groups),
        *((e.start, e.end) for e in s.environments),
        *((m.start, m.end) for m in s.math),
    ]
    places += [(c.start, c.full_end) for c in s.commands()] + [(d.start, d.end) for d in s.definitions]
    if any(not 0 <= a < b <= len(text) for a, b in places):
        yield "something lies outside the text"
    if any(s.line_at(a) > s.line_at(b) for a, b in places):
        yield "something ends before it begins"


def guard_faults(path: str, text: str, rng: random.Random) -> Iterator[str]:
    """What does not hold of the guards on this text."""
    document = Document(Root(path, RootSource.EXPLICIT), Engine.PDFLATEX, (Source(path, text),))
    same = fidelity(document, document.with_texts([(path, text)]), [])
    if (same.words_kept, same.numbers_kept, same.keys_kept, same.flags) != (1.0, True, True, ()):
        yield f"the document loses against itself: {same}"
    if held := _refusal(document, path, text):
        yield f"the document itself is refused: {held}"
    found = list(_paragraphs(scan(text)))
    for start, end in rng.sample(found, min(3, len(found))):
        if not _refusal(document, path, text[:start] + text[end:]):
            yield f"a paragraph may go: {text[start:end][:60]!r}"


def _refusal(document: Document, path: str, text: str) -> str:
    repair = SourceRepair("rule:property", "", rewrite_patch(document, path, text))
    after = repair.patch.apply(document)
    return str(refusal(document, document, after, repair, None) or "")


def _paragraphs(s: Scan) -> Iterator[tuple[int, int]]:
    """The paragraphs of the body that are words, with whole commands and groups in them, outside of all environments."""
    if s.body_start is None or s.body_end is None:
        return
    breaks = [t.start for t in s.tokens_in(s.body_start, s.body_end) if t.kind is T.PARAGRAPH]
    for start, end in pairwise(breaks):
        inside = s.tokens_in(start, end)
        words = [t for t in inside if t.kind is T.TEXT and len(t.text) > 2]
        odd = any(t.kind in (T.COMMENT, T.VERBATIM) or t.text in ("\\begin", "\\end") for t in inside)
        whole = sum((t.kind is T.OPEN) - (t.kind is T.CLOSE) for t in inside) == 0
        if whole and not odd and len(words) >= LEAST_WORDS and not [e for e in s.environments_at(start) if e.name != "document"]:
            yield start, end


def main() -> int:
    """Every fault is printed; 0 when there is none."""
    p = argparse.ArgumentParser()
    p.add_argument("--limit", type=int, default=0)
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    shared = Path(os.environ.get("TEXMEND_BENCH", ROOT.parent / "shared"))
    docs, rng = faults.documents(shared, "all"), random.Random(a.seed)
    tool = faults.mutate(shared)
    if a.limit:
        docs = rng.sample(docs, min(a.limit, len(docs)))
    read = bad = paragraphs = 0
    for doc in docs:
        place = tool.DOC_ROOT / doc["path"]
        if not place.is_file():
            continue
        data = place.read_bytes()
        read += 1
        paragraphs += min(3, len(list(_paragraphs(scan(decode(data))))))
        for fault in (*scanner_faults(data), *guard_faults(place.name, decode(data), rng)):
            bad += 1
            print(f"{doc['path']}: {fault}", flush=True)
    print(f"properties: {read} documents of {len(docs)}, {paragraphs} paragraphs taken away, {bad} faults")
    return 0 if read and not bad else 1


if __name__ == "__main__":
    sys.exit(main())
