import pytest

from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.tex.advice import LANGUAGES, advice, explain


@pytest.mark.parametrize("lang", sorted(LANGUAGES))
def test_every_kind_has_its_own_advice(lang):
    texts = LANGUAGES[lang]
    assert set(texts) == set(Kind)
    assert len(set(texts.values())) == len(Kind)


@pytest.mark.parametrize("lang", sorted(LANGUAGES))
@pytest.mark.parametrize("kind", Kind)
def test_explanations_are_whole_sentences(kind, lang):
    text = explain(kind, lang)
    assert text.endswith("。" if lang == "zh" else ".")
    assert "{it" not in text
    assert "{{" not in text
    assert "  " not in text


def diagnostic(kind, subject=""):
    return Diagnostic(kind, Severity.ERROR, "pdflatex", "message", subject=subject)


def test_advice_names_the_subject():
    assert advice(diagnostic(Kind.UNDEFINED_COMMAND, r"\toprule"), "en").startswith(r"Nothing defines \toprule.")
    assert advice(diagnostic(Kind.UNDEFINED_COMMAND, r"\toprule"), "zh").startswith(r"命令 \toprule 没有定义")


def test_without_a_subject_a_noun_stands_for_it():
    assert advice(diagnostic(Kind.ALREADY_DEFINED), "en").startswith("This name is defined already.")


def test_a_hostile_subject_is_not_a_template():
    assert "{it:x}" in advice(diagnostic(Kind.UNDEFINED_COMMAND, "{it:x}"), "en")
    assert "y" * 500 not in advice(diagnostic(Kind.UNDEFINED_COMMAND, "y" * 500), "en")


def test_an_unknown_language_is_english():
    assert advice(diagnostic(Kind.NO_PAGES), "xx") == advice(diagnostic(Kind.NO_PAGES), "en")


def test_braces_are_written_as_latex_wants_them():
    assert r"\end{document}" in explain(Kind.NO_END_DOCUMENT, "en")
    assert "a^{b^c} or {a^b}^c" in explain(Kind.DOUBLE_SCRIPT, "en")
