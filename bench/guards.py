"""False refusals: the right repair of every case goes through the guards, as a model's repair and as a rule's.

    python bench/guards.py [source] [project]

TEXMEND_BENCH names the folder with cases/ if it is not ../shared. Nothing is compiled.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from pairs import pairs

from texmend.adapters.tree.lookup import TreeLookup
from texmend.guard.edits import fidelity, refusal
from texmend.model.repair import Patch, SourceRepair, rewrite_patch

ROOT = Path(__file__).resolve().parent.parent
NAMED = {
    "069-pgfplots-nearly-equal-values": "numbers: the data are shifted",
    "089-figure-file-missing": "figures: a box stands for a picture that is missing, which only a rule may do, counted apart",
    "099-figure-dropped-by-multicols": "floats: the figure's environment gives way to a plain one",
}
"""Repairs that DESIGN section 4 does not let through, and why."""


def main() -> int:
    """Every refusal is printed; 0 when less than 2 % of the others are refused to a model."""
    shared = Path(os.environ.pop("TEXMEND_BENCH", ROOT.parent / "shared"))
    looked = refused = ruled = 0
    for pair in pairs(shared, sys.argv[1:] or ["source", "project"]):
        with pair.opened() as (target, right):
            broken = target.document
            if right.digest == broken.digest:
                continue
            lookup = TreeLookup(target.workspace, project_files=tuple(target.files.paths()))
            changed = [p for p in broken.by_path if broken.text(p) != right.text(p)]
            patch = Patch(tuple(f for p in changed for f in rewrite_patch(broken, p, right.text(p) or "").files))
            repairs = [SourceRepair(by, "", patch) for by in ("model:right", "rule:right")]
            said = [refusal(broken, broken, right, repair, lookup) for repair in repairs]
            kept = fidelity(broken, right, [], lookup)
        looked += 1
        refused += said[0] is not None and pair.name not in NAMED
        ruled += said[1] is not None and pair.name not in NAMED
        if any(said) or kept.words_kept < 1:
            print(f"{pair.name}: model: {said[0] or 'passes'} | rule: {said[1] or 'passes'} | words kept {kept.words_kept:.3f}")
    print(f"guards: {looked} right repairs, refused to a model {refused}, to a rule {ruled} (without {len(NAMED)} that are named)")
    return 0 if looked and refused < 0.02 * looked else 1


if __name__ == "__main__":
    sys.exit(main())
