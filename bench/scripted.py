"""A scripted model with the right answers: what of the cases it repairs under the guards, and what its context costs.

    python bench/scripted.py [source] [project] [--only TEXT] [--strategy rewrite|edits] [--all]

Rules and search are off, so that every case comes to the model; --all leaves them on. The model answers with the text of the
case's fixed folder for what it is shown: the part written again, or search/replace blocks. TEXMEND_BENCH names the folder with
cases/ if it is not ../shared. Every build is real. Two kinds of cases are counted apart: those whose right repair DESIGN section 4
refuses to a model (bench/guards.py), and those whose text is right and only its bytes are not, which a model never sees.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import sys
import tempfile
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path

from guards import NAMED
from pairs import Pair, pairs

from texmend.adapters.builds.workdirs import WorkCopy
from texmend.app import bench, parts
from texmend.loop.machine import mend
from texmend.model import events
from texmend.model.document import Document
from texmend.model.outcome import Outcome
from texmend.ports import ModelAnswer, ModelRequest
from texmend.repair.by_model import ByModel
from texmend.repair.parts import shown_lines
from texmend.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
LIMITS = Settings(rounds=2, wall_budget=60.0, pass_timeout=20.0)
_PLACE = re.compile(
    r"^(?:The file (?P<whole>.+), whole|Lines (?P<first>\d+) to (?P<last>\d+) of the file (?P<path>.+?)"
    r"(?P<bare> \(comments.*\))?(?:, which.*)?):\n<<<(?P<mark>\S+)\n(?P<text>.*?)\n(?P=mark)>>>$",
    re.MULTILINE | re.DOTALL,
)


@dataclass
class RightAnswer:
    """Reads the question and answers with what the mended document has in place of what is shown."""

    broken: Document
    right: Document
    name: str = "right"
    answers: list[str] = field(default_factory=list)

    def ask(self, request: ModelRequest) -> ModelAnswer:
        """Search/replace blocks where they are asked for, or where the change is in another place; else the text again."""
        places = list(_PLACE.finditer(request.prompt))
        main = places[-1]
        path = main["whole"] or main["path"]
        again = self._again(path, int(main["first"] or 1), int(main["last"] or 10**6))
        asked_again = "Do not write the file again" not in request.prompt
        others = [p for p in self.broken.by_path if p != path and self.broken.text(p) != self.right.text(p)]
        if asked_again and not others and again is not None:
            text = f"```latex\n{again}\n```"
        else:
            text = "\n".join(
                b for p in self.broken.by_path for b in self._blocks(p, [m for m in places if (m["whole"] or m["path"]) == p])
            )
        self.answers.append(text)
        return ModelAnswer(text, 0, 0, "stop", 0.0)

    def _again(self, path: str, first: int, last: int) -> str | None:
        """The mended lines in place of lines `first` to `last`; None if something changes outside them."""
        old, new = (shown_lines(d.text(path) or "") for d in (self.broken, self.right))
        changes = [op for op in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if op[0] != "equal"]
        if any(i1 < first - 1 or i2 > last for _, i1, i2, _, _ in changes):
            return None
        behind = len(old) - min(last, len(old))
        return "\n".join(new[first - 1 : len(new) - behind])

    def _blocks(self, path: str, shown: list[re.Match[str]]) -> list[str]:
        """A block for each run of lines that differ, with as many lines round it as make it one place."""
        old, new = (shown_lines((d.text(path) or "").rstrip()) for d in (self.broken, self.right))
        codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        moved = {i1 + k: j1 + k for tag, i1, i2, j1, _ in codes for k in range(i2 - i1 + 1) if tag == "equal"}
        moved |= {0: 0, len(old): len(new)}
        spans: list[tuple[int, int]] = []
        for tag, i1, i2, _, _ in codes:
            if tag == "equal":
                continue
            low, high = i1, i2
            while (low, high) != (0, len(old)) and not (_alone("\n".join(old[low:high]), shown) and {low, high} <= moved.keys()):
                low, high = max(low - 1, 0), min(high + 1, len(old))
            if not _alone("\n".join(old[low:high]), shown):
                continue  # it is not shown: behind the end of the document
            if spans and spans[-1][1] >= low:
                low = spans.pop()[0]
            spans.append((low, high))
        sides = (("\n".join(old[a:b]), "\n".join(new[moved[a] : moved[b]])) for a, b in spans)
        return [f"{path}\n<<<<<<< SEARCH\n{search}\n=======\n{text}\n>>>>>>> REPLACE" for search, text in sides]


def _alone(search: str, shown: list[re.Match[str]]) -> bool:
    """Whether lines stand in one place of what is shown."""
    return bool(search.strip()) and sum(f"\n{m['text']}\n".count(f"\n{search}\n") for m in shown) == 1


def main() -> int:
    """A line for each case that is not repaired, and the table; 0 when every one is that the guards let through."""
    p = argparse.ArgumentParser()
    p.add_argument("suites", nargs="*", default=["source", "project"])
    p.add_argument("--only", default="")
    p.add_argument("--strategy", default="auto")
    p.add_argument("--all", action="store_true")
    a = p.parse_args()
    shared = Path(os.environ.pop("TEXMEND_BENCH", ROOT.parent / "shared"))
    costs: list[int] = []
    repaired = asked = apart = 0
    cases = [c for c in pairs(shared, a.suites) if c.repair == "source" and a.only in c.name]
    for case in cases:
        outcome, prompts = run(case, a.strategy, a.all)
        costs += prompts
        repaired += outcome.reason.exit_code == 0
        asked += bool(prompts)
        held = [t.refusal for t in outcome.attempts if t.by_model and t.refusal]
        why = "refused by design" if case.name in NAMED else "only the bytes differ" if alike(case) else ""
        apart += bool(why) and outcome.reason.exit_code != 0
        if outcome.reason.exit_code or a.only:
            print(f"{case.name}: {outcome.reason} {outcome.detail} asked {len(prompts)} {held} {why}", flush=True)
    median = statistics.median(costs) if costs else 0
    others = len(cases) - repaired - apart
    print(
        f"scripted: {len(cases)} cases, repaired {repaired}, apart {apart}, others {others}; asked in {asked}; "
        f"context in tokens: median {median:.0f}, most {max(costs, default=0)}"
    )
    return 0 if cases and repaired + apart == len(cases) else 1


def alike(case: Pair) -> bool:
    """Whether the broken text says what the mended one says, in other bytes."""
    with case.opened() as (target, right):
        sides = [(target.document.text(p) or "", right.text(p) or "") for p in target.document.by_path]
        return all("\0" in a or shown_lines(a) == shown_lines(b) for a, b in sides)


def run(case: Pair, strategy: str, rules: bool) -> tuple[Outcome, list[int]]:
    """How the case ended, and the estimated tokens of each question."""
    asked: list[int] = []

    def listen(event: events.Event) -> None:
        if isinstance(event, events.ModelAsked):
            asked.append(event.prompt_tokens)

    with case.opened() as (target, right), tempfile.TemporaryDirectory() as work:
        found = bench.lookup(target)
        compiler = parts.compiler(target, WorkCopy(Path(work).resolve()), LIMITS, listen)
        tools = bench.bench(compiler, found, LIMITS, listen)
        model = ByModel(RightAnswer(target.document, right), listen, strategy=strategy)
        tools = replace(tools, model=model, repairers=tools.repairers if rules else ())
        return mend(target.document, tools, bench.budget(LIMITS)), asked


if __name__ == "__main__":
    sys.exit(main())
