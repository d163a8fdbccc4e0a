"""Sessions do not disturb each other: eight at once on one document, eight drafts at once, equal to the serial result."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pypdfium2
import pytest

import texmend
from tests.real.command import Said
from tests.real.command import texmend as run

pytestmark = pytest.mark.tex

BROKEN = r"""\documentclass{article}
\begin{document}
The load was \emhp{doubled}, 50 & 60.
\begin{itemize}
\item one
\end{itemise}
\end{document}
"""


def fix(folder: Path, data: Path) -> Said:
    return run(folder, "fix", "--no-model", "main.tex", data=data)


def text_of(pdf: Path) -> str:
    with pypdfium2.PdfDocument(pdf) as document:
        return "".join(page.get_textpage().get_text_bounded() for page in document)


def test_eight_at_once_on_one_document_equal_the_serial_result(tmp_path: Path) -> None:
    serial, together = tmp_path / "serial", tmp_path / "together"
    for folder in (serial, together):
        folder.mkdir()
        (folder / "main.tex").write_text(BROKEN)
    assert fix(serial, tmp_path / "data").code == 0
    with ThreadPoolExecutor(8) as pool:
        all_said = list(pool.map(lambda _: fix(together, tmp_path / "data"), range(8)))
    assert [s.report["stop_reason"] for s in all_said] == ["verified"] * 8
    assert (together / "main.tex").read_bytes() == (serial / "main.tex").read_bytes()
    assert text_of(together / "main.pdf") == text_of(serial / "main.pdf")
    assert len({s.report["session"] for s in all_said}) == 8


def test_eight_drafts_at_once_equal_the_serial_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXMEND_DATA", str(tmp_path / "data"))
    drafts = [
        texmend.Draft(
            BROKEN.replace("doubled", f"doubled {n} times") + "```\nI hope this helps!\n",
            assets={"notes.txt": f"draft {n}"},
        )
        for n in range(8)
    ]
    serial = texmend.mend(drafts[0])  # they differ in a number alone
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(texmend.mend, drafts))
    assert [r.stop_reason for r in (serial, *together)] == ["verified"] * 9
    as_serial = lambda text: [text.replace("doubled 0 times", f"doubled {n} times") for n in range(8)]  # noqa: E731
    assert len(serial.changes) > 0
    for n, change in enumerate(serial.changes):
        assert [r.changes[n].diff for r in together] == as_serial(change.diff)
    assert {len(r.changes) for r in together} == {len(serial.changes)}
    texts = [text_of(Path(r.pdf_path or "")) for r in together]
    assert texts == as_serial(text_of(Path(serial.pdf_path or "")))
    assert len(set(texts)) == 8
