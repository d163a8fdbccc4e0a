r"""Text that is still in the sources and no longer on the pages: hidden by a repair, not removed.

The pages of a broken run are a witness, but a poor one: arguments of undefined macros stand on them and rightly vanish.
So a word counts only if the original's content has it, the repaired content still has it as often, the pages that showed
it show it no more, and several such words stand in a row. A name in an argument of a macro that nothing defined
(`\use{my-date}`) does not count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from texmend.guard.pagetext import compare, page_atoms
from texmend.model.document import Document
from texmend.tex.scan import T, scanned
from texmend.tex.words import atoms, content, every_word, wordy_macros

MOST = 5
"""Words that may go unseen: running heads, marks and hyphenation differ from build to build."""
PHRASE = 4
"""Hidden words in a row that make a text: single ones, scattered over the sources, are names and options."""
SHOWN = 8
_PICTURES = frozenset("tikzpicture axis circuitikz tikzcd forest pspicture".split())


def swallowed(
    original: Document, final: Document, pages_before: str, pages_after: str, unknown: frozenset[str] = frozenset()
) -> str:
    """What is hidden, in words; "" when nothing is, or when there is no witness. `unknown`: what the broken run did not know."""
    if not pages_before.strip() or final is original:
        return ""
    missing = Counter(compare(pages_before, pages_after).words)
    if missing.total() <= MOST:
        return ""
    kept = (_words(original) & _words(final)) - _names_given_to(unknown, original) - _of_preamble(original)
    # What the pages still show as often as the sources have it went from a package's own text: a notice, a heading, a mark.
    unseen = kept - page_atoms(pages_after)
    # Packages that set code put its letters apart, each in a box: the page shows such a word only without the blanks.
    squeezed = "".join(pages_after.split())
    code = _code_words(final)
    drawn = _drawing_words(original)  # a path that TeX gave up on has its own code on the pages
    hidden = [w for w in _hidden(missing, unseen, kept) if not (w in code and w in squeezed) and w not in drawn]
    if sum(min(missing[w], unseen[w]) for w in hidden) <= MOST or _longest_run(original, frozenset(hidden)) < PHRASE:
        return ""
    return f"text of the sources is no longer on the pages: {' '.join(hidden[:SHOWN])}{' …' if len(hidden) > SHOWN else ''}"


def _hidden(missing: Counter[str], unseen: Counter[str], kept: Counter[str]) -> list[str]:
    """Words that the sources kept and the pages lost, each once."""
    return list(dict.fromkeys(w for w in missing if unseen[w] and missing[w] <= kept[w]))


def _code_words(document: Document) -> frozenset[str]:
    """Words of the code that the sources set verbatim."""
    scans = [scanned(s.text) for s in document.sources if s.path.endswith((".tex", ".ltx")) and document.is_part(s.path)]
    return frozenset(w for x in scans for t in x.tokens if t.kind is T.VERBATIM for w in re.findall(r"\w+", t.text))


def _drawing_words(document: Document) -> frozenset[str]:
    """Words of the orders of drawings, names of nodes and places, not of what is in braces and printed."""
    found: set[str] = set()
    for source in document.sources:
        if source.path.endswith((".tex", ".ltx")) and document.is_part(source.path):
            scan = scanned(source.text)
            for e in scan.environments:
                depth = 0
                for t in scan.tokens_in(e.begin_end, e.end_start) if e.name in _PICTURES else ():
                    depth += (t.kind is T.OPEN) - (t.kind is T.CLOSE)
                    if depth == 0 and t.kind is T.TEXT:
                        found.update(re.findall(r"\w+", t.text.lower()))
    return frozenset(found)


def _longest_run(document: Document, words: frozenset[str]) -> int:
    """How many of these words stand next to each other at most, in the document as it was."""
    longest = 0
    for source in document.sources:
        if source.path.endswith((".tex", ".ltx")):
            hits = (atom in words for group, atom in atoms(source.text) if group in ("word", "han"))
            longest = max([longest, *(len(list(run)) for hit, run in groupby(hits) if hit)])
    return longest


def _words(document: Document) -> Counter[str]:
    return sum(_contents(document), Counter())


def _contents(document: Document) -> Iterator[Counter[str]]:
    own = [s for s in document.sources if document.is_part(s.path)]
    macros = frozenset().union(*(wordy_macros(s.text) for s in own if s.path.endswith((".tex", ".sty", ".cls"))))
    for source in own:
        if source.path.endswith((".tex", ".ltx")):
            yield Counter(content(source.text, "tex", macros).words)


def _of_preamble(document: Document) -> Counter[str]:
    """The words before the body but for title and author: where no command is known there, a broken run prints settings as text."""
    scan = scanned(document.root_text)
    start, body = scan.class_start, scan.body_start
    if start is None or body is None:
        return Counter()
    text = scan.text
    printed = sorted((a.start, a.end) for c in scan.commands(*_TITLE) if c.full_end <= body for a in c.args)
    rest, at = "", start
    for a, b in printed:
        rest, at = rest + text[at:a] + " ", max(at, b)
    return every_word(rest + text[at:body])


_TITLE = tuple("\\" + n for n in "title subtitle author date institute affil thanks publishers subject address email".split())


def _names_given_to(commands: frozenset[str], document: Document) -> Counter[str]:
    """The words of arguments without a blank: names, keys and dates, which a command that is not known prints as text."""
    return sum(
        (
            every_word(argument.text)
            for source in document.sources
            if commands and document.is_part(source.path) and source.path.endswith((".tex", ".ltx"))
            for command in scanned(source.text).commands(*commands)
            for argument in command.args
            if not re.search(r"\s", argument.text.strip())
        ),
        Counter(),
    )
