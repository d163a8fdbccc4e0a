"""What public tools do with a document that does not build, as a program: `python repairers.py naive|tinytex ROOT ENGINE`.

naive    the rules that public agents hard-code: escape the character, load the package of a well-known command, close the document
tinytex  package logic as in R's tinytex: what a log names as missing is looked for, and the document is compiled again; it never
         edits a source, and where nothing can be installed it can only say so

Ends with 0 when its own last compile did.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROUNDS = 6
PACKAGES = {
    "includegraphics": "graphicx", "toprule": "booktabs", "midrule": "booktabs", "bottomrule": "booktabs", "multirow": "multirow",
    "url": "url", "href": "hyperref", "textcolor": "xcolor", "color": "xcolor", "definecolor": "xcolor", "mathbb": "amssymb",
    "text": "amsmath", "eqref": "amsmath", "align": "amsmath", "align*": "amsmath", "gather": "amsmath", "pmatrix": "amsmath",
    "lstlisting": "listings", "tikzpicture": "tikz", "subfigure": "subcaption", "SI": "siunitx", "si": "siunitx", "citep": "natbib",
    "citet": "natbib", "cref": "cleveref", "longtable": "longtable", "tabularx": "tabularx", "proof": "amsthm",
    "enquote": "csquotes",
}  # fmt: skip
_LINE = re.compile(r"^l\.(\d+)", re.M)


def compiled(root: Path, engine: str) -> tuple[bool, str]:
    """Whether the engine was content, and its log."""
    try:
        done = subprocess.run(
            [engine, "-interaction=nonstopmode", "-no-shell-escape", root.name],
            cwd=root.parent, stdin=subprocess.DEVNULL, capture_output=True, timeout=40, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return False, ""
    log = root.with_suffix(".log")
    return done.returncode == 0, log.read_text(errors="replace") if log.exists() else ""


def naive(root: Path, engine: str) -> int:
    """Edits the source after each failing compile, as long as a rule has something to offer."""
    for _ in range(ROUNDS):
        ok, log = compiled(root, engine)
        if ok:
            return 0
        text = root.read_text(errors="surrogateescape")
        new = _edited(text, log)
        if new == text:
            return 1
        root.write_text(new, errors="surrogateescape")
    return 1


def _edited(text: str, log: str) -> str:
    error = next((line for line in log.splitlines() if line.startswith("!")), "")
    line = int(m[1]) if (m := _LINE.search(log)) else 0
    named = re.search(r"Environment (\S+) undefined", error) or re.search(r"^l\.\d+.*\\([A-Za-z]+)\s*$", log, re.M)
    if ("Undefined control sequence" in error or "undefined" in error) and named and named[1] in PACKAGES:
        loaded = f"\\usepackage{{{PACKAGES[named[1]]}}}\n"
        return text if loaded in text else text.replace("\\begin{document}", loaded + "\\begin{document}", 1)
    if "no legal \\end found" in log and "\\end{document}" not in text:
        return text + "\n\\end{document}\n"
    lines = text.split("\n")
    if 0 < line <= len(lines) and any(s in error for s in ("Missing $ inserted", "alignment tab", "parameter character")):
        lines[line - 1] = re.sub(r"(?<!\\)([_&#%])", r"\\\1", lines[line - 1])
    return "\n".join(lines)


def tinytex(root: Path, engine: str) -> int:
    """Compiles; what is missing is looked for once; compiles again if it was found."""
    for _ in range(2):
        ok, log = compiled(root, engine)
        if ok:
            return 0
        missing = re.findall(r"File [`']([^']+\.(?:sty|cls|def|fd|ldf))' not found", log)
        found = [f for f in missing if subprocess.run(["kpsewhich", f], capture_output=True, check=False).returncode == 0]
        if not found:
            return 1
    return 1


if __name__ == "__main__":
    sys.exit({"naive": naive, "tinytex": tinytex}[sys.argv[1]](Path(sys.argv[2]).absolute(), sys.argv[3]))
