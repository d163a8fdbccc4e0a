"""Only what a reader opens is a PDF."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pypdfium2
import pytest

from texmend.adapters.builds.pdf import inspect, page_text


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    document = pypdfium2.PdfDocument.new()
    for _ in range(3):
        document.new_page(100, 100)
    document.save(tmp_path / "x.pdf")
    return tmp_path / "x.pdf"


def test_pages_size_and_checksum(pdf):
    found = inspect(pdf)
    assert found is not None
    assert (found.pages, found.size, found.path) == (3, pdf.stat().st_size, str(pdf))
    assert found.sha256 == hashlib.sha256(pdf.read_bytes()).hexdigest()
    assert page_text(pdf).count("\f") == 3


@pytest.mark.parametrize("data", [b"%PDF-1.5\n%\xe4\xf0\xed\xf8\n", b"", b"x" * 5000, b"%PDF-1.5\n" + b"0" * 5000])
def test_what_no_reader_opens(tmp_path, data):
    (tmp_path / "x.pdf").write_bytes(data)
    assert inspect(tmp_path / "x.pdf") is None
    assert page_text(tmp_path / "x.pdf") == ""


def test_a_cut_file_a_link_and_nothing(pdf, tmp_path):
    (tmp_path / "cut.pdf").write_bytes(pdf.read_bytes()[:250])
    (tmp_path / "link.pdf").symlink_to(pdf)
    assert inspect(tmp_path / "cut.pdf") is None
    assert inspect(tmp_path / "link.pdf") is None
    assert inspect(tmp_path / "nowhere.pdf") is None
