import stat
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from texmend.adapters import zipfile_in
from texmend.adapters.zipfile_in import unpack
from texmend.adapters.zipfile_out import write_zip
from texmend.model.errors import TexmendError, UnsafeDocument, UsageError
from texmend.model.outcome import StopReason


@pytest.fixture
def packed(tmp_path):
    def make(*entries, compression=zipfile.ZIP_STORED):
        path = tmp_path / "in.zip"
        with zipfile.ZipFile(path, "w", compression) as archive:
            for name, data in entries:
                archive.writestr(name, data)
        return str(path)

    return make


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "ws"
    path.mkdir()
    return path


def test_what_was_written_comes_back(tmp_path, folder):
    path = tmp_path / "out.zip"
    entries = [("b/ü.tex", b"caf\xe9\r\n"), ("a.tex", b"")]
    write_zip(path, entries)
    assert unpack(str(path), folder) == ("a.tex", "b/ü.tex")
    assert (folder / "b/ü.tex").read_bytes() == b"caf\xe9\r\n"


def test_the_bytes_depend_on_the_entries_alone(tmp_path):
    entries = [("b", b"2"), ("a", b"1" * 1000)]
    write_zip(tmp_path / "one.zip", entries)
    write_zip(tmp_path / "two.zip", entries[::-1])
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_a_failed_write_keeps_the_earlier_zip(tmp_path):
    path = tmp_path / "out.zip"
    write_zip(path, [("a", b"1")])
    before = path.read_bytes()

    def failing():
        yield "a", b"2"
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError):
        write_zip(path, failing())
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["out.zip"]


@pytest.mark.parametrize(
    "name", ["../a.tex", "/a.tex", "b/../../a.tex", "..\\a.tex", "C:\\a.tex", "C:a.tex", "..", "\\\\host\\a.tex"]
)
def test_names_that_lead_out_are_refused(packed, folder, name):
    with pytest.raises(UnsafeDocument, match="leads out"):
        unpack(packed(("m.tex", b"x"), (name, b"x")), folder)
    assert [p.name for p in folder.parent.iterdir() if p.name not in ("ws", "in.zip")] == []


def test_links_are_refused(packed, folder):
    info = zipfile.ZipInfo("link.tex")
    info.create_system = 3
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with pytest.raises(UnsafeDocument, match="link"):
        unpack(packed((info, b"/etc/passwd")), folder)
    assert list(folder.iterdir()) == []


def test_hidden_names_and_wrappings_of_other_systems_are_left_out(packed, folder):
    archive = packed(("p\\m.tex", b"x"), (".git/config", b"x"), ("__MACOSX/p/._m.tex", b"x"), (".latexmkrc", b"x"), ("d/", b""))
    assert unpack(archive, folder) == (".latexmkrc", "p/m.tex")


def test_a_name_twice_is_refused(packed, folder):
    with pytest.warns(UserWarning):
        archive = packed(("m.tex", b"1"), ("m.tex", b"2"))
    with pytest.raises(UnsafeDocument, match="twice"):
        unpack(archive, folder)


def test_a_file_that_is_also_a_folder(packed, folder):
    with pytest.raises(UsageError):
        unpack(packed(("m", b"1"), ("m/n.tex", b"2")), folder)


def test_bounds(packed, folder, monkeypatch):
    bomb = packed(("m.tex", b"\0" * (8 << 20)), compression=zipfile.ZIP_DEFLATED)
    with pytest.raises(UnsafeDocument, match="more than is allowed"):
        unpack(bomb, folder)
    monkeypatch.setattr(zipfile_in, "MAX_TOTAL", 10)
    with pytest.raises(UnsafeDocument, match="more than is allowed"):
        unpack(packed(("n.tex", b"123456"), ("o.tex", b"123456")), folder)
    monkeypatch.setattr(zipfile_in, "MAX_ENTRIES", 1)
    with pytest.raises(UnsafeDocument, match="entries"):
        unpack(packed(("p.tex", b""), ("q.tex", b"")), folder)
    monkeypatch.setattr(zipfile_in, "MAX_ARCHIVE", 5)
    with pytest.raises(UnsafeDocument, match="larger"):
        unpack(packed(("r.tex", b"")), folder)


def test_no_zip_no_file_no_entries(packed, folder, tmp_path):
    (tmp_path / "text.zip").write_text("hello")
    for archive, reason in (
        (str(tmp_path / "gone.zip"), StopReason.NO_SUCH_FILE),
        (str(tmp_path / "text.zip"), StopReason.NOT_A_DOCUMENT),
        (packed(), StopReason.NOT_A_DOCUMENT),
    ):
        with pytest.raises(UsageError) as caught:
            unpack(archive, folder)
        assert caught.value.reason is reason


@given(cut=st.integers(0, 150), flip=st.integers(0, 149), bits=st.integers(1, 255))
def test_a_damaged_zip_is_an_error_of_ours_or_unpacks(tmp_path_factory, cut, flip, bits):
    base = tmp_path_factory.mktemp("damaged")
    write_zip(base / "whole.zip", [("a.tex", b"hello hello hello")])
    data = bytearray((base / "whole.zip").read_bytes())
    data[flip % len(data)] ^= bits
    (base / "bad.zip").write_bytes(bytes(data[: len(data) - cut // 10]))
    (base / "ws").mkdir()
    try:
        unpack(str(base / "bad.zip"), base / "ws")
    except TexmendError as error:
        assert "\n" not in str(error)
    assert {p.name for p in base.iterdir()} == {"whole.zip", "bad.zip", "ws"}
