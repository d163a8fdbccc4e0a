r"""Characters that the engine's fonts or LaTeX do not know: the field's usual command for each, in mathematics or in text
as the place asks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from texmend.model.diagnostic import Diagnostic, Kind
from texmend.model.repair import Edit
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import add_package, loaded
from texmend.rules.unicode_table import IPA, LISTING, MATH, PIFONT, TEXT, WASYSYM
from texmend.tex.scan import Mode, Scan, T

_KINDS = frozenset((Kind.UNICODE_CHARACTER, Kind.LOST_CHARACTER, Kind.INVALID_UTF8))
_KNOWN = frozenset("–—‘’“”…•†‡§¶©®™°±×÷µ¹²³¼½¾¿¡«»‹›„‚€£¥¢¬·ªº ")
"""What LaTeX with its default UTF-8 declares by itself in every text font encoding, T1 and TS1 at hand."""
_TEXT_ONLY = frozenset("°µ¹²³±×÷·")
"""Of these the ones that LaTeX declares for text alone: in a formula they are lost."""
_IDEOGRAPH = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CJK_MARKS = re.compile("[\u3000-\u3017\uff01-\uff5e]")
"""Full-width punctuation: in a text of ideographs the author's own, whatever a formula that ran on made of it."""
_TIE = "\u0361"
_AMS = frozenset(MATH[c] for c in "ℝℂℕℤℚ⩽⩾≲≳∅∴∵□■▲∄ℏ⊊⊋☐☒⇄⊲≜ℙ𝔼𝔽𝕂ℍ" if c in MATH)
_COMBINING = {
    "\u0301": "'",
    "\u0300": "`",
    "\u0302": "^",
    "\u0308": '"',
    "\u0303": "~",
    "\u0327": "c",
    "\u030c": "v",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u030a": "r",
    "\u0328": "k",
    "\u030b": "H",
    "\u0323": "d",
    "\u0331": "b",
}


def _propose(scene: Scene) -> Iterator[Fix]:
    edits: list[tuple[str, Edit]] = []
    packages: set[str] = set()
    for path in (*scene.tex_paths, *(s.path for s in scene.document.sources if s.path.endswith(".bib"))):
        text = scene.document.text(path) or ""
        if text.isascii():
            continue
        for edit, needs in _in_text(scene, path):
            edits.append((path, edit))
            packages.update(needs)
    if not edits:
        return
    for package in sorted(packages - loaded(scene)):
        edits += add_package(scene, package, ("safe",) if package == "tipa" else ())
    yield Fix(tuple(edits), "characters that the engine does not know are written as LaTeX commands")


def _wanted(scene: Scene) -> frozenset[str]:
    """The characters that the build complained about."""
    named: set[str] = set()
    for d in scene.diagnostics:
        if d.kind in _KINDS:
            named.update(c for c in d.subject if ord(c) > 127)
            named.update(chr(int(h, 16)) for h in re.findall(r"U\+([0-9A-Fa-f]{4,6})", d.message) if int(h, 16) < 0x110000)
            named.update(_beyond_bytes(scene, d))
    return frozenset(named)


def _beyond_bytes(scene: Scene, d: Diagnostic) -> Iterator[str]:
    """The characters of the error's line that no encoding of single bytes has, where the document declares one."""
    if d.file is None or d.line is None or "inputencoding" not in d.message:
        return
    lines = (scene.document.text(d.file) or "").split("\n")
    if d.line <= len(lines):
        yield from (c for c in lines[d.line - 1] if ord(c) > 0xFF and not 0xD800 <= ord(c) < 0xE000)


def _in_text(scene: Scene, path: str) -> Iterator[tuple[Edit, tuple[str, ...]]]:
    scan = scene.scan(path)
    wanted = _wanted(scene)
    bib = path.endswith(".bib")
    families = {_family(c) for c in wanted}
    lost = any(d.kind is Kind.LOST_CHARACTER for d in scene.diagnostics)
    for t in scan.tokens:
        if t.kind is T.COMMENT or t.text.isascii():
            continue
        if t.kind is T.VERBATIM:
            if any(d.kind in _KINDS for d in scene.diagnostics) and scene.document.engine.value == "pdflatex":
                yield from _in_listing(t.start, t.text, scene)
            continue
        for m in re.finditer(r"[^\x00-\x7f]+", t.text):
            at = t.start + m.start()
            if _GREEK_WORD.search(m.group()):
                continue  # words of a language, not symbols
            in_math = bool(_TEXT_ONLY & set(m.group())) and lost and scan.mode_at(at) is Mode.MATH
            if in_math or any(c in wanted or _family(c) in families for c in m.group() if c not in _KNOWN):
                yield from _run(scan, at, m.group(), bib, wanted)


_GREEK_WORD = re.compile(r"[α-ωά-ώἀ-ῼ]*[άέήίόύώϊϋΐΰἀ-ῼ][α-ωά-ώἀ-ῼ]*|[α-ω]{4,}")


def _family(c: str) -> str:
    name = unicodedata.name(c, "")
    for word in ("GREEK", "MATHEMATICAL", "SUPERSCRIPT", "SUBSCRIPT", "ARROW", "CHECK MARK", "CYRILLIC", "CJK"):
        if word in name:
            return word
    return "SIGN" if unicodedata.category(c) in ("Sm", "So") else c


def _in_listing(start: int, text: str, scene: Scene) -> Iterator[tuple[Edit, tuple[str, ...]]]:
    """Listings read bytes under pdfTeX: typographic signs become the plain ones that code has."""
    if "lstlisting" not in "".join(scene.document.text(p) or "" for p in scene.tex_paths):
        return
    for i, c in enumerate(text):
        if c in LISTING:
            yield Edit(start + i, start + i + 1, LISTING[c]), ()


def _run(scan: Scan, at: int, run: str, bib: bool, wanted: frozenset[str]) -> Iterator[tuple[Edit, tuple[str, ...]]]:
    text = scan.text
    i = 0
    while i < len(run):
        c = run[i]
        place = at + i
        if _CJK_MARKS.match(c) and _IDEOGRAPH.search(text, max(0, place - 40), place + 40):
            i += 1
            continue
        if text[place + 1 : place + 2] == _TIE and place + 2 < len(text) and text[place + 2].isalpha():
            yield _tied(text, place), ("tipa",)
            i += 3
            continue
        if (
            c == _TIE
            and place
            and text[place - 1].isascii()
            and text[place - 1].isalpha()
            and text[place + 1 : place + 2].isalpha()
        ):
            yield _tied(text, place - 1), ("tipa",)
            i += 2
            continue
        math = not bib and scan.mode_at(place) is Mode.MATH
        combined = _combined(text, place, c)
        if c == "°" and math:
            yield Edit(place, place + 1, r"^\circ" + (" " if text[place + 1 : place + 2].isalpha() else "")), ()
            i += 1
            continue
        if combined is not None:
            yield combined, ()
        elif c in MATH and (c in wanted or c not in _KNOWN or (math and c in _TEXT_ONLY)):
            stop = i + 1
            raised = MATH[c].startswith("^")
            while stop < len(run) and run[stop] in MATH and (run[stop] not in _KNOWN or (raised and MATH[run[stop]][:1] == "^")):
                stop += 1
            command = _one_script("".join(_joined([MATH[x] for x in run[i:stop]])))
            package = ("amssymb",) if any(MATH[x] in _AMS for x in run[i:stop]) else ()
            if math:
                yield Edit(place, at + stop, _spaced(command, text[at + stop : at + stop + 1])), package
            else:
                end = at + stop
                yield from _as_math(scan, place, end, command, package)
            i = stop
            continue
        elif c in PIFONT:
            yield Edit(place, place + 1, PIFONT[c]), ("pifont",)
        elif c in IPA:
            yield Edit(place, place + 1, IPA[c]), ("tipa",)
        elif c in WASYSYM:
            yield Edit(place, place + 1, WASYSYM[c]), ("wasysym",)
        elif c in TEXT and c in wanted:
            value = TEXT[c]
            yield Edit(place, place + 1, f"\\text{{{value}}}" if math and value.startswith("\\text") else value), ()
        elif c in wanted and (plain := _decomposed(c) or _named(c)):
            yield Edit(place, place + 1, plain), ()
        i += 1


def _as_math(scan: Scan, start: int, end: int, command: str, package: tuple[str, ...]) -> Iterator[tuple[Edit, tuple[str, ...]]]:
    """A symbol in running text with its dollars; what hangs on it (an index, a letter of its formula) goes in with it."""
    tail = re.compile(r"(?:[_^](?:\{[^{}]*\}|\w))+|(?=[A-Za-z]\b)[A-Za-z](?![A-Za-z])").match(scan.text, end)
    hung = tail.group() if tail else ""
    if hung and hung[0].isalpha() and not re.search(r"\\(?:Delta|delta|partial|nabla)$", command):
        hung = ""
    yield Edit(start, end + len(hung), f"${_spaced(command, hung[:1])}{hung}$"), package


_SCRIPTS = re.compile(r"([_^])\{([^{}]*)\}\1\{([^{}]*)\}")


def _one_script(command: str) -> str:
    """Neighbouring raised or lowered characters as one script: `^{-}^{1}` is a fault of its own."""
    while (joined := _SCRIPTS.sub(r"\1{\2\3}", command)) != command:
        command = joined
    return command


def _joined(parts: list[str]) -> Iterator[str]:
    for n, part in enumerate(parts):
        follow = parts[n + 1] if n + 1 < len(parts) else ""
        yield _spaced(part, follow[:1])


def _spaced(command: str, follow: str) -> str:
    return command + " " if re.search(r"\\[A-Za-z]+$", command) and follow.isalpha() else command


def _combined(text: str, at: int, c: str) -> Edit | None:
    """A combining accent behind its letter: the one character where Unicode has it, else LaTeX's accent."""
    if c not in _COMBINING or at == 0:
        return None
    base = text[at - 1]
    joined = unicodedata.normalize("NFC", base + c)
    if len(joined) == 1:
        return Edit(at - 1, at + 1, joined)
    mark = _COMBINING[c]
    return Edit(at - 1, at + 1, f"\\{mark}{{{base}}}")


def _tied(text: str, at: int) -> Edit:
    """Two letters under one bow, as phonetics writes an affricate."""
    return Edit(at, at + 3, "\\texttoptiebar{" + IPA.get(text[at], text[at]) + IPA.get(text[at + 2], text[at + 2]) + "}")


def _decomposed(c: str) -> str | None:
    """A letter with accents that LaTeX can build, or a compatible plain form (ligatures, full width, mathematical letters)."""
    parts = unicodedata.normalize("NFD", c)
    if len(parts) == 2 and parts[0].isascii() and parts[1] in _COMBINING:
        return f"\\{_COMBINING[parts[1]]}{{{parts[0]}}}"
    plain = unicodedata.normalize("NFKC", c)
    return plain if plain != c and plain.isascii() and not re.search(r"[\\{}$&#%_^~]", plain) else None


def _named(c: str) -> str | None:
    """A pictograph that no font here has, as its Unicode name in brackets: nothing that the author wrote is lost."""
    name = unicodedata.name(c, "")
    if unicodedata.category(c) != "So" or not name:
        return None
    return "[" + name.lower().removesuffix(" sign").removesuffix(" symbol") + "]"


def _doc(head: str, body: str) -> str:
    return "\\documentclass{article}\n" + head + "\\begin{document}\n" + body + "\n\\end{document}\n"


RULE = Rule(
    name="unicode-character",
    allowed=frozenset(("additions",)),
    summary="A character that the engine does not know is written as the command that the field uses for it.",
    kinds=_KINDS,
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case(
            "in a document of single bytes",
            "\\documentclass{article}\n\\usepackage[latin1]{inputenc}\n\\begin{document}\nAll x ∈ A.\n\\end{document}\n",
            "\\documentclass{article}\n\\usepackage[latin1]{inputenc}\n\\begin{document}\nAll x $\\in$ A.\n\\end{document}\n",
            kind=Kind.INVALID_UTF8,
            message="Package inputenc Error: Keyboard character used is undefined in inputencoding `latin1'.",
            line=4,
        ),
        Case(
            "Greek",
            _doc("", "$α^2$ and α, \u0394t."),
            _doc("", "$\\alpha^2$ and $\\alpha$, $\\Delta t$."),
            kind=Kind.UNICODE_CHARACTER,
            subject="α",
        ),
        Case(
            "a check mark",
            _doc("", "Yes: ✅"),
            _doc("\\usepackage{pifont}\n", "Yes: \\ding{51}"),
            kind=Kind.UNICODE_CHARACTER,
            subject="✅",
        ),
        Case("a relation", _doc("", "x ≤ y"), _doc("", "x $\\leq$ y"), kind=Kind.UNICODE_CHARACTER, subject="≤"),
        Case("several raised", _doc("", "4 cm⁻¹"), _doc("", "4 cm$^{-1}$"), kind=Kind.UNICODE_CHARACTER, subject="⁻"),
        Case("a degree in a formula", _doc("", "$30°$"), _doc("", "$30^\\circ$"), kind=Kind.LOST_CHARACTER),
        Case(
            "phonetic letters",
            _doc("", "[ɪ]"),
            _doc("\\usepackage[safe]{tipa}\n", "[\\textsci{}]"),
            kind=Kind.UNICODE_CHARACTER,
            subject="ɪ",
        ),
        Case(
            "two letters tied",
            _doc("", "[t\u0361\u0283a]"),
            _doc("\\usepackage[safe]{tipa}\n", "[\\texttoptiebar{t\\textesh{}}a]"),
            kind=Kind.UNICODE_CHARACTER,
            subject="\u0361",
        ),
        Case("stops of a Chinese text", _doc("", "\u5b66\u4e60\u3002"), None, kind=Kind.LOST_CHARACTER, subject="\u3002"),
        Case("letters that LaTeX knows", _doc("", "Café"), None, kind=Kind.UNICODE_CHARACTER, subject="α"),
    ),
)
