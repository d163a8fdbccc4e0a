"""Re-verifying after an edit: what the judge needs beside a full engine pass: `python bench/reverify.py [--times N]`.

A heavy preamble and a body of a page. The judge's seconds count from the moment that the edited body is known (its engine has
read the preamble by then, or has it as a format); a full pass is the engine alone, in the same box. Only the ratio of the two
says something on another machine.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from texmend.adapters.builds.fontcache import FontCache
from texmend.adapters.builds.judge import EngineJudge
from texmend.adapters.builds.latex import LatexCompiler
from texmend.adapters.builds.workdirs import WorkCopy
from texmend.adapters.jail.sandbox import probe
from texmend.adapters.tree.textree import find_tree
from texmend.model.compile import CompileRequest
from texmend.model.document import Document, Engine, Root, RootSource, Source

AIM = 0.25
PREAMBLE = r"""\documentclass[11pt]{article}
%s
\usepackage{amsmath,amssymb,amsthm,mathtools,graphicx,booktabs,siunitx,tikz,pgfplots,listings,tcolorbox}
\pgfplotsset{compat=1.17}
\usepackage{hyperref}
\usepackage{cleveref}
"""
BODY = "\\section{Words %d}\nThe value is $a_%d = \\frac{1}{2}$. " + "Some words that fill a line or two of the page. " * 40
ENGINES = {
    Engine.PDFLATEX: "\\usepackage[T1]{fontenc}",
    Engine.XELATEX: "\\usepackage{fontspec}",
    Engine.LUALATEX: "\\usepackage{fontspec}",
}


def document(engine: Engine, n: int) -> Document:
    """The document after its n-th edit."""
    text = PREAMBLE % ENGINES[engine] + "\\begin{document}\n" + BODY % (n, n) + "\n\\end{document}\n"
    return Document(Root("main.tex", RootSource.EXPLICIT), engine, (Source("main.tex", text),))


def measured(engine: Engine, times: int) -> tuple[float, float, float]:
    """Median seconds of a full pass, of the judge's word on an edit, and of that on an edit that comes a pause later."""
    with tempfile.TemporaryDirectory() as tmp:
        work = WorkCopy(Path(tmp) / "session")
        (Path(tmp) / "ws").mkdir()
        (Path(tmp) / "ws" / "main.tex").write_text(document(engine, 0).root_text)
        work.stage(Path(tmp) / "ws")
        compiler = LatexCompiler(work, probe(), tree=find_tree(os.environ), fonts=FontCache(Path(tmp) / "fonts"))
        full, close, apart = [], [], []
        for n in range(times):
            result = compiler.compile(CompileRequest(document(engine, n), 120, 300))
            if not result.ok:
                sys.exit(f"reverify: NOT MEASURED: the document does not build: {result.excerpt}")
            full.append(median(p.seconds for p in result.passes if p.tool == engine.value))
            waits = [0.0, 0.0, max(2.0, 2 * full[-1]), max(2.0, 2 * full[-1])]
            verdicts = EngineJudge(compiler).judge(document(engine, n), (document(engine, 100 + k) for k in range(4)), 300)
            for k, wait in enumerate(waits):
                time.sleep(wait)
                said = next(verdicts)
                if not said.clean:
                    sys.exit("reverify: NOT MEASURED: the judge finds an error that the build did not find")
                if k:
                    (apart if wait else close).append(said.seconds)
            verdicts.close()
        return median(full), median(close), median(apart)


def main() -> int:
    """One line for each engine; 0 when every ratio of an edit after a pause is within the aim."""
    p = argparse.ArgumentParser()
    p.add_argument("--times", type=int, default=3)
    a = p.parse_args()
    print("| engine | full pass, s | edits at once: ratio | edits after a pause: ratio |\n|---|---|---|---|")
    worst = 0.0
    for engine in ENGINES:
        full, close, apart = measured(engine, a.times)
        worst = max(worst, apart / full)
        print(f"| {engine} | {full:.2f} | {close / full:.2f} | {apart / full:.2f} |", flush=True)
    print(f"load average: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors; aim: {AIM}")
    return 0 if worst <= AIM else 1


if __name__ == "__main__":
    sys.exit(main())
