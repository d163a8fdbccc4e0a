"""All guards on one edit, and what of the author's content a whole session kept.

Guards compare two states of the sources; they never ask for a perfect document. Only files that differ are looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import reduce

from texmend.guard import commands, content, direct, keys
from texmend.guard.concealed import refuse_concealed
from texmend.guard.duplicates import refuse_duplicates
from texmend.guard.losses import Losses, losses, total
from texmend.guard.scope import NEVER, Guard, Refusal, refuse_paths
from texmend.guard.structure import refuse_doubled, refuse_structure
from texmend.model.document import Document
from texmend.model.outcome import Fidelity
from texmend.model.repair import Repair, SourceRepair
from texmend.ports import Lookup
from texmend.tex.charset import characters, has_lone_bytes, languages_of, page_of
from texmend.tex.scripts import subscripts_first
from texmend.tex.structure import structure
from texmend.tex.words import Content, every_word, wordy_macros
from texmend.tex.words import content as content_of

_PLAIN = frozenset(("bib", "csv", "dat", "tsv", "txt", "md", "lua"))
"""Endings of sources that are not LaTeX text."""


def refusal(
    original: Document,
    before: Document,
    after: Document,
    repair: SourceRepair,
    lookup: Lookup | None = None,
    read: Iterable[str] = (),
) -> Refusal | None:
    """Why the repair may not be compiled; None: every guard lets it pass, or the rule says that it trips it on purpose.

    `read` names the files that the last build opened: with those that the root names they are the document.
    """
    by_model = repair.by.startswith("model:")
    strange = [f.path for f in repair.patch.files if not before.is_part(f.path, read)]
    if strange:
        return Refusal(Guard.SCOPE, f"{strange[0]} is no file that {before.root.path} reads", strange[0])
    for found in _refusals(before, after, repair, by_model, lookup):
        if found.guard in NEVER or by_model or found.guard not in repair.allowed:
            return found
    return None


def _refusals(before: Document, after: Document, repair: SourceRepair, by_model: bool, lookup: Lookup | None) -> Iterator[Refusal]:
    changed = sorted(f.path for f in repair.patch.files if before.text(f.path) != after.text(f.path))
    raw = before, after  # what the patch's offsets count in
    before, after = _in_characters(before, changed), _in_characters(after, changed)
    if found := refuse_paths(frozenset(before.by_path), frozenset(changed), by_model):
        yield found
    old = _contents(before, changed)
    new = _contents(after, changed, before)
    whole_old, whole_new = total(old.values()), total(new.values())
    yield from filter(None, _of_commands(before, after, changed, whole_old, whole_new, by_model))
    for path in changed:
        if _suffix(path) not in _PLAIN and before.text(path) is not None:
            sides = structure(before.text(path) or ""), structure(after.text(path) or "")
            if found := refuse_structure(*sides, _in_reach(before, lookup)):
                yield Refusal(found.guard, found.why, path)
    defined = _defined(before) | _defined(after) if old != new else frozenset()
    exists = _exists(before, lookup)
    yield from keys.refuse_keys(keys.lost_keys(whole_old, whole_new, defined, exists, repair.placeholders, by_model))
    every = sum((every_word(before.text(p) or "") for p in changed), Counter())
    lost = losses(whole_old, whole_new, every, keys.credible(whole_old, whole_new, defined))
    yield from content.refuse_losses(lost, by_model)
    if lost.gained:
        yield from _doubles(*raw, repair, lost)
    if by_model:
        yield from keys.refuse_new_keys(whole_old, whole_new)
        additions = content.refuse_additions(lost)
        orders = (_reordered(before, after, p, lost) for p in changed if p in old and p in new)
        signs = (content.refuse_per_cent(before.text(p) or "", after.text(p) or "") for p in changed if p in old and p in new)
        yield from filter(None, (additions, content.refuse_scripts(whole_old, whole_new), *signs, *orders))


def _reordered(before: Document, after: Document, path: str, lost: Losses) -> Refusal | None:
    """Numbers in another order; a subscript and a superscript of one sign may change places."""

    def order(ordered: Callable[[str], str]) -> Refusal | None:
        sides = (d.with_texts([(path, ordered(d.text(path) or ""))]) for d in (before, after))
        old, new = (_contents(d, [path], before)[path] for d in sides)
        return content.refuse_reordering(old, new, lost)

    return order(str) and order(subscripts_first)


def direct_refusal(
    before: Document, after: Document, repair: SourceRepair, lookup: Lookup | None = None, *, deletions: bool = False
) -> tuple[Refusal | None, tuple[str, ...]]:
    """Why an edit that names the lines it replaces may not be saved, and what else it takes away (`guard.direct`).

    Args:
        repair: its edits replace whole lines: what stands in them is what was named.
        deletions: whoever started the session lets it take away what it names.
    """
    changed = sorted(f.path for f in repair.patch.files if before.text(f.path) != after.text(f.path))
    raw = before, after
    before, after = _in_characters(before, changed), _in_characters(after, changed)
    if found := refuse_paths(frozenset(before.by_path), frozenset(changed), by_model=False):
        return found, ()
    old, new = _contents(before, changed), _contents(after, changed, before)
    whole_old, whole_new = total(old.values()), total(new.values())
    if found := next(filter(None, _of_commands(before, after, changed, whole_old, whole_new, True)), None):
        return found, ()
    named = direct.Named.of(before, (f for f in repair.patch.files if f.path in changed))
    for path in changed:
        if _suffix(path) not in _PLAIN and before.text(path) is not None:
            was = structure(before.text(path) or "")
            was = named.without_marks(path, was) if deletions else was
            if found := refuse_structure(was, structure(after.text(path) or ""), _in_reach(before, lookup)):
                return Refusal(found.guard, found.why, path), ()
    defined = _defined(before) | _defined(after) if old != new else frozenset()
    gone = tuple(keys.lost_keys(whole_old, whole_new, defined, _exists(before, lookup)))
    every = sum((every_word(before.text(p) or "") for p in changed), Counter())
    lost = losses(whole_old, whole_new, every, keys.credible(whole_old, whole_new, defined))
    if found := next(direct.refuse_direct(named, lost, gone, deletions), None):
        return found, ()
    if lost.gained and (found := next(_doubles(*raw, repair, lost), None)):
        return found, ()
    return None, tuple(_flags(lost, gone))


def _in_characters(document: Document, paths: Iterable[str]) -> Document:
    """The document with the texts of other encodings read in theirs: guards compare characters, not bytes."""
    odd = [p for p in paths if (text := document.text(p)) is not None and has_lone_bytes(text)]
    if not odd:
        return document
    languages = frozenset().union(*(languages_of(s.text) for s in document.sources if _suffix(s.path) in ("tex", "sty", "cls")))
    return document.with_texts((p, characters(t, page_of(t, languages))) for p in odd if (t := document.text(p)) is not None)


def _doubles(before: Document, after: Document, repair: SourceRepair, lost: Losses) -> Iterator[Refusal]:
    """Headings and lines that stand twice, if words of theirs are new."""
    for patch in repair.patch.files:
        texts = before.text(patch.path) or "", after.text(patch.path) or ""
        heading = None if _suffix(patch.path) in _PLAIN else refuse_doubled(structure(texts[0]), structure(texts[1]), lost.gained)
        yield from filter(None, (heading, refuse_duplicates(*texts, patch, lost.gained)))


def _in_reach(document: Document, lookup: Lookup | None) -> Callable[[str], bool] | None:
    """Whether TeX would find a file of this name; None without a look-up."""
    if lookup is None:
        return None
    return lambda name: lookup.in_tree(name) is not None or name in document.by_path


def _of_commands(
    before: Document, after: Document, changed: list[str], old: Content, new: Content, by_model: bool
) -> Iterator[Refusal | None]:
    uses = [_use(document, changed) for document in (before, after)]
    yield commands.refuse_unsafe(uses[0], uses[1], by_model)
    yield commands.refuse_outside(old, new, uses[1].packages - uses[0].packages)
    yield commands.refuse_hidden(uses[0], uses[1], by_model)
    if by_model:
        yield commands.refuse_unseen(uses[0], uses[1], _use(before, [p for p in _parts(before) if p not in changed]))
        yield commands.refuse_colour(old, new)
        yield refuse_concealed(*("\n".join(d.text(p) or "" for p in changed if _suffix(p) not in _PLAIN) for d in (before, after)))


def _use(document: Document, paths: Iterable[str]) -> commands.Use:
    parts = [commands.use(document.text(p) or "") for p in paths if _suffix(p) not in _PLAIN]
    return reduce(
        lambda a, b: commands.Use(
            a.commands + b.commands,
            a.environments + b.environments,
            a.packages | b.packages,
            a.wordy | b.wordy,
            a.hiding | b.hiding,
            a.carets + b.carets,
        ),
        parts,
        commands.Use(),
    )


def _suffix(path: str) -> str:
    return path.rpartition(".")[2].lower()


def _contents(document: Document, paths: Iterable[str], defining: Document | None = None) -> dict[str, Content]:
    """The content of each file; the macros that stand for words are those of `defining`, so that both sides count alike."""
    source = defining or document
    own = (s for s in source.sources if source.is_part(s.path) and _suffix(s.path) not in _PLAIN)
    macros = frozenset().union(*(wordy_macros(s.text) for s in own))
    return {p: content_of(text, _suffix(p), macros) for p in paths if (text := document.text(p)) is not None}


def _defined(document: Document) -> frozenset[tuple[str, str]]:
    """Labels and bibliography entries of the whole document."""
    return frozenset(key for c in _contents(document, _parts(document)).values() for key in c.keys if key[0] in "lb")


def _parts(document: Document, more: Iterable[str] = ()) -> dict[str, None]:
    """The files of the document; the workspace's other papers, which may be many and long, are not looked at."""
    return dict.fromkeys((*(p for p in document.by_path if document.is_part(p)), *more))


def _exists(document: Document, lookup: Lookup | None) -> Callable[[str], bool]:
    names = {*document.by_path, *(lookup.project_files() if lookup else ())}
    stems = names | {n.rpartition(".")[0] for n in names}
    return lambda name: name.removeprefix("./") in stems


def fidelity(original: Document, final: Document, repairs: Iterable[Repair], lookup: Lookup | None = None) -> Fidelity:
    """What of the author's content is kept, original against final document; boxes for missing figures come first."""
    boxes = tuple(dict.fromkeys(name for r in repairs if isinstance(r, SourceRepair) for name in r.placeholders))
    paths = [p for p in original.by_path if original.text(p) != final.text(p)]
    original, final = _in_characters(original, paths), _in_characters(final, paths)
    whole = _parts(original, paths)
    everything = total(_contents(original, whole).values())
    new = total(_contents(final, whole, original).values())
    defined, exists = _defined(original) | _defined(final), _exists(original, lookup)
    lost = losses(everything, new, keys=keys.credible(everything, new, defined))
    gone = list(keys.lost_keys(everything, new, defined, exists, boxes))
    flags = (*(f"placeholder:{name}" for name in boxes), *_flags(lost, gone))
    return Fidelity(round(lost.share_kept, 6), not lost.numbers, not gone, flags)


def _flags(lost: Losses, gone: Iterable[tuple[str, str]]) -> Iterator[str]:
    yield from (f"lost:{word}" for word in sorted(lost.words)[:20])
    yield from (f"lost:{number}" for number in sorted(lost.numbers)[:20])
    yield from (f"lost:{sign}" for sign in sorted(lost.symbols)[:20])
    yield from (f"lost:{key}" for _, key in gone)
    yield from (f"turned into a name:{word}" for word in lost.forgiven[:20])
