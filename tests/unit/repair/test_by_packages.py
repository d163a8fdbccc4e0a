"""What a batch of packages consists of: exact names, each once, nothing of the author's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest

from tests.unit.loop.scripted import document
from tests.unit.repair.scenes import situation
from tests.unit.rules.lookup_stub import SmallTree
from texmend.model.diagnostic import Diagnostic, Kind, Severity
from texmend.model.errors import PackagesUnavailable
from texmend.model.outcome import StopReason
from texmend.model.repair import Attempt, PackageRepair, Situation
from texmend.repair.by_packages import ROUNDS, ByPackages
from texmend.repair.wanted import by_log, by_source

BARE = SmallTree(
    names=dict.fromkeys((".sty", ".cls", ".bst", ".bbx", ".code.tex", ".ldf", ".cbx", ".tfm", ".pfb", ".otf", ".ttf"), frozenset())
)


@dataclass
class Source:
    """A repository of fixed answers; every installation is refused, proposing makes none."""

    holds: Mapping[str, tuple[str, ...]]
    loads: tuple[str, ...] = ()
    asked: list[tuple[str, ...]] = field(default_factory=list)

    def search(self, names: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        self.asked.append(tuple(names))
        return {n: self.holds.get(n, ()) for n in names}

    def companions(self, packages: Sequence[str]) -> Sequence[str]:
        return tuple(p for p in ("hyphen-zz",) if "babel-zz" in packages)

    def requires(self, packages: Sequence[str]) -> Sequence[str]:
        return self.loads if packages else ()

    def install(self, packages: Sequence[str], files: Sequence[str]) -> None:
        raise AssertionError("proposing installs nothing")


def error(kind: Kind, subject: str, message: str = "message") -> Diagnostic:
    return Diagnostic(kind, Severity.ERROR, "pdflatex", message, "main.tex", 2, None, subject)


def text(*packages: str, cls: str = "article", more: str = "") -> str:
    loads = "".join(f"\\usepackage{{{p}}}\n" for p in packages)
    return f"\\documentclass{{{cls}}}\n{loads}{more}\\begin{{document}}\nx\n\\end{{document}}\n"


def missing(name: str) -> Diagnostic:
    return error(Kind.MISSING_PACKAGE, name, f"LaTeX Error: File `{name}' not found.")


def after(rounds: Sequence[tuple[str, ...]], start: Situation) -> Situation:
    done = tuple(Attempt(PackageRepair("packages:tlmgr", "", p, ()), start.draft.result, True) for p in rounds)
    return replace(start, attempts=done)


def test_one_batch_for_the_log_and_the_sources() -> None:
    source = Source({"zzone.sty": ("one",), "zztwo.sty": ("bundle",), "zzthree.sty": ("bundle",), "zzmine.sty": ("a", "b")})
    repair = ByPackages(BARE, source).propose(situation(text("zzone", "zztwo", "zzthree", "zzmine"), missing("zzone.sty")))
    assert isinstance(repair, PackageRepair)
    assert repair.packages == ("one", "bundle")
    assert repair.files == ("zzone.sty", "zztwo.sty", "zzthree.sty")
    assert len(source.asked) == 1


def test_a_file_of_the_project_is_not_looked_for() -> None:
    source = Source({"zzone.sty": ("one",), "local.sty": ("foreign",)})
    tree = SmallTree(files=("sub/local.sty",), names=BARE.names)
    repair = ByPackages(tree, source).propose(situation(text("zzone", "local"), missing("zzone.sty")))
    assert isinstance(repair, PackageRepair) and repair.packages == ("one",)
    assert "local.sty" not in source.asked[0]


def test_the_authors_own_input_is_nobodys_package() -> None:
    source = Source({"introduction.tex": ("somebody",)})
    first = error(Kind.MISSING_FILE, "introduction.tex", "LaTeX Error: File `introduction.tex' not found.")
    assert ByPackages(BARE, source).propose(situation(text(), first)) is None
    assert source.asked == []


def test_what_came_is_read_for_what_it_loads() -> None:
    source = Source(
        {"zztwo.sty": ("two",), "zzthree.sty": ("three",), "zzfour.sty": ()}, loads=("zzthree.sty", "zzfour.sty", "../x.sty")
    )
    repair = ByPackages(BARE, source).propose(after([("one",)], situation(text(), missing("zztwo.sty"))))
    assert isinstance(repair, PackageRepair) and repair.packages == ("two", "three")


def test_a_language_comes_with_its_patterns() -> None:
    start = situation(text(), error(Kind.MISSING_LANGUAGE, "zz.ldf"))
    repair = ByPackages(BARE, Source({"zz.ldf": ("babel-zz",)})).propose(start)
    assert isinstance(repair, PackageRepair) and repair.packages == ("babel-zz", "hyphen-zz")


def test_several_packages_are_named() -> None:
    source = Source({"zzone.sty": ("one", "other")})
    with pytest.raises(PackagesUnavailable, match=r"zzone\.sty is in several packages: one, other") as refused:
        ByPackages(BARE, source).propose(situation(text("zzone"), missing("zzone.sty")))
    assert refused.value.reason is StopReason.AMBIGUOUS_PACKAGE


def test_never_the_same_package_twice() -> None:
    source = Source({"zzone.sty": ("one",)})
    start = after([("one",)], situation(text("zzone"), missing("zzone.sty")))
    assert ByPackages(BARE, source).propose(start) is StopReason.PACKAGE_NOT_FOUND


def test_no_more_than_four_rounds() -> None:
    source = Source({"zzone.sty": ("one",)})
    start = situation(text("zzone"), missing("zzone.sty"))
    assert ByPackages(BARE, source).propose(after([("a",), ("b",), ("c",), ("d",)], start)) is StopReason.RECOVERY_CAP
    assert ROUNDS == 4


@pytest.mark.parametrize("name", ["../../x.sty", "a/../b.sty", "x.exe", "x.sty;rm", "-x.sty"])
def test_a_name_that_no_package_has_is_never_looked_up(name: str) -> None:
    source = Source({})
    ByPackages(BARE, source).propose(situation(text(), missing(name)))
    assert all(not n.startswith("-") and "/" not in n and ";" not in n for asked in source.asked for n in asked)


def test_a_font_of_the_system_is_left_to_others() -> None:
    font = error(Kind.MISSING_FONT, "Some Font", 'Package fontspec Error: The font "Some Font" cannot be found.')
    assert ByPackages(BARE, Source({})).propose(situation(text(), font)) is None


@pytest.mark.parametrize(
    ("found", "names"),
    [
        (missing("lang.def"), ("lang.def",)),
        (error(Kind.MISSING_CLASS, "zz"), ("zz.cls",)),
        (error(Kind.MISSING_STYLE, "IEEEtran"), ("IEEEtran.bst",)),
        (error(Kind.MISSING_STYLE, "apa.bbx"), ("apa.bbx",)),
        (error(Kind.MISSING_LIBRARY, "tikzlibraryhobby.code.tex"), ("tikzlibraryhobby.code.tex",)),
        (error(Kind.MISSING_LANGUAGE, "ngerman.ldf"), ("ngerman.ldf",)),
        (error(Kind.MISSING_FONT, "wasy10", "Font U/wasy/m/n/10=wasy10 at 10.0pt not loadable: Metric (TFM) file not found."), ("wasy10.tfm",)),
        (error(Kind.MISSING_FONT, "ecrm1000 at 600", "pdfTeX error: pdflatex (file ecrm1000): Font ecrm1000 at 600 not found"), ("sfrm1000.pfb",)),
        (error(Kind.MISSING_FONT, "wasy10 at 600", "pdfTeX error: pdflatex (file wasy10): Font wasy10 at 600 not found"), ("wasy10.pfb",)),
        (error(Kind.MISSING_FONT, "FandolSong-Regular.otf", "fontspec"), ("FandolSong-Regular.otf",)),
    ],
)  # fmt: skip
def test_names_of_the_log(found: Diagnostic, names: tuple[str, ...]) -> None:
    assert by_log(found) == names


def test_a_font_by_its_name_may_be_several_files() -> None:
    names = by_log(
        error(Kind.MISSING_FONT, "TeX Gyre Termes", 'Package fontspec Error: The font "TeX Gyre Termes" cannot be found.')
    )
    assert "TeXGyreTermes-Regular.otf" in names and "texgyretermes-regular.otf" in names


def test_names_of_the_sources() -> None:
    body = (
        "\\usepackage[style=apa]{biblatex}\n\\usetikzlibrary{hobby, calc}\n\\usetheme{Metro}\\usecolortheme{owl}\n"
        "\\setmainlanguage{german}\n\\bibliographystyle{abc}\n% \\usepackage{comment-only}\n"
    )
    found = list(by_source(document(text("tikz", more=body, cls="zzclass"))))
    assert found == [
        ("zzclass.cls",), ("tikz.sty",), ("biblatex.sty",), ("apa.bbx",), ("apa.cbx",),
        ("tikzlibraryhobby.code.tex", "pgflibraryhobby.code.tex"), ("tikzlibrarycalc.code.tex", "pgflibrarycalc.code.tex"),
        ("beamerthemeMetro.sty",), ("beamercolorthemeowl.sty",), ("gloss-german.ldf",), ("abc.bst",),
    ]  # fmt: skip
