r"""Lists nested deeper than LaTeX's four levels: enumitem allows more."""

from __future__ import annotations

from collections.abc import Iterator

from texmend.model.diagnostic import Kind
from texmend.rules.base import Case, Fix, Rule, Scene
from texmend.rules.preamble import class_name, loaded, put_in_preamble

_LISTS = ("itemize", "enumerate")


def _propose(scene: Scene) -> Iterator[Fix]:
    if class_name(scene) == "beamer" or any("\\setlistdepth" in (scene.document.text(p) or "") for p in scene.tex_paths):
        return
    deepest, kinds = 0, dict.fromkeys(_LISTS, 0)
    for path in scene.tex_paths:
        scan = scene.scan(path)
        for e in scan.environments:
            around = [x.name for x in scan.environments_at(e.start)]
            deepest = max(deepest, sum(n in (*_LISTS, "description", "quote", "quotation", "list") for n in around))
            for name in _LISTS:
                kinds[name] = max(kinds[name], around.count(name))
    lines = [f"\\setlistdepth{{{max(deepest + 1, 9)}}}"]
    for name, depth in kinds.items():
        if depth > 4:
            lines += [f"\\renewlist{{{name}}}{{{name}}}{{{depth + 1}}}", *_labels(name, depth + 1)]
    if deepest > 4:
        if "enumitem" not in loaded(scene):
            lines.insert(0, "\\usepackage{enumitem}")
        yield Fix(
            tuple(put_in_preamble(scene, "\n".join(lines))),
            "lists are nested deeper than LaTeX allows: enumitem allows more",
        )


def _labels(name: str, depth: int) -> Iterator[str]:
    if name == "itemize":
        first = ("\\textbullet", "\\textendash", "\\textasteriskcentered", "\\textperiodcentered")
        for n in range(1, depth + 1):
            yield f"\\setlist[itemize,{n}]{{label={first[min(n, 4) - 1]}}}"
    else:
        first = ("\\arabic*.", "(\\alph*)", "\\roman*.", "\\Alph*.")
        for n in range(1, depth + 1):
            yield f"\\setlist[enumerate,{n}]{{label={first[(n - 1) % 4]}}}"


def _nested(n: int) -> str:
    return (
        "\\documentclass{article}\n%s\\begin{document}\n"
        + "\\begin{itemize}\\item a\n" * n
        + "\\end{itemize}" * n
        + "\n\\end{document}\n"
    )


_LINES = "\n".join(["\\setlistdepth{9}", "\\renewlist{itemize}{itemize}{6}", *_labels("itemize", 6)])
RULE = Rule(
    name="deep-list",
    summary="Lists nested deeper than four levels get more levels from enumitem, the first four looking as before.",
    kinds=frozenset((Kind.NESTING_TOO_DEEP,)),
    propose=lambda scene: list(_propose(scene)),
    cases=(
        Case("five levels", _nested(5) % "", _nested(5) % f"\\usepackage{{enumitem}}\n{_LINES}\n", kind=Kind.NESTING_TOO_DEEP),
        Case("four levels", _nested(4) % "", None, kind=Kind.NESTING_TOO_DEEP),
    ),
)
