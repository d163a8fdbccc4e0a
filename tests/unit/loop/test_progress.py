"""Which of two drafts got further."""

from __future__ import annotations

from dataclasses import replace

from tests.unit.loop.scripted import MarkCompiler, document
from texmend.loop.progress import better
from texmend.model.compile import CompileRequest
from texmend.model.diagnostic import Kind
from texmend.model.repair import Draft


def draft(text: str, original: str, kind: Kind = Kind.UNDEFINED_COMMAND) -> Draft:
    result = MarkCompiler().compile(CompileRequest(document(text), 10, 10))
    errors = tuple(replace(d, kind=kind) for d in result.diagnostics)
    return Draft(result.document, replace(result, diagnostics=errors), document(original))


def test_a_text_that_is_read_to_its_end_is_further_whatever_is_unknown_above() -> None:
    text = "one\nbad word \\bad\nlast \\badly\n"
    cut_short = draft("one\nbad word\nlast \\badly\n", text, Kind.FILE_ENDED)
    assert better(draft("one \\bad\nbad word\nlast\n", text), cut_short)
    assert not better(draft("one \\bad\nbad word\nlast\n", text, Kind.EXTRA_BRACE), cut_short)


def test_behind_a_character_that_was_wrong_the_next_fault_may_stand_at_the_same_place() -> None:
    text = "one\nbad word \\bad\n"
    wrong = draft(text, text, Kind.UNICODE_CHARACTER)
    assert better(draft("one\nbad words \\bad\n", text, Kind.UNCLOSED_ENVIRONMENT), wrong)
    assert not better(wrong, draft("one\nbad words \\bad\n", text, Kind.UNCLOSED_ENVIRONMENT))
