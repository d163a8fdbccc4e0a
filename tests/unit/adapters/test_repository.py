"""Repositories over real HTTP and in folders: what is damaged, cut off or absent never becomes a container."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from tests.tlnet import Tlnet, sty
from texmend.adapters.tree.repository import Repository, open_repository
from texmend.adapters.tree.tlpdb import Package
from texmend.model.errors import PackagesUnavailable, UsageError
from texmend.model.outcome import StopReason


@pytest.fixture
def tlnet(tmp_path: Path) -> Tlnet:
    repository = Tlnet(tmp_path / "tlnet")
    repository.add("sample", sty("sample"))
    repository.write()
    return repository


def serve(server: HTTPServer, tlnet: Tlnet) -> Repository:
    for path in (p for p in tlnet.folder.rglob("*") if p.is_file()):
        server.expect_request(f"/tlnet/{path.relative_to(tlnet.folder)}").respond_with_data(path.read_bytes())
    return open_repository(server.url_for("/tlnet"))


def sample(repository: Repository) -> Package:
    return repository.database().packages["sample"]


def test_over_http(httpserver: HTTPServer, tlnet: Tlnet, tmp_path: Path) -> None:
    repository = serve(httpserver, tlnet).pinned()
    taken: list[int] = []
    path = repository.fetch(sample(repository), tmp_path, taken.append)
    assert path.read_bytes() == tlnet.container("sample").read_bytes()
    assert sum(taken) == path.stat().st_size
    httpserver.clear()  # what is there is not asked for again
    assert repository.fetch(parse_sample(tlnet), tmp_path) == path


def parse_sample(tlnet: Tlnet) -> Package:
    return sample(Repository(str(tlnet.folder)))


def test_a_download_goes_on_where_it_ended(httpserver: HTTPServer, tlnet: Tlnet, tmp_path: Path) -> None:
    data = tlnet.container("sample").read_bytes()
    ranges: list[str] = []

    def rest(request: Request) -> Response:
        ranges.append(request.headers.get("Range", ""))
        return Response(data[100:], 206)

    httpserver.expect_request("/archive/sample.tar.xz").respond_with_handler(rest)
    package = parse_sample(tlnet)
    (tmp_path / f"sample.{package.checksum[:16]}.tar.part").write_bytes(data[:100])
    path = Repository(httpserver.url_for("").rstrip("/")).fetch(package, tmp_path)
    assert (path.read_bytes(), ranges) == (data, ["bytes=100-"])


@pytest.mark.parametrize("sent", [b"something else", b"x" * 1_000_000])
def test_a_wrong_container_is_refused(httpserver: HTTPServer, tlnet: Tlnet, tmp_path: Path, sent: bytes) -> None:
    httpserver.expect_request("/archive/sample.tar.xz").respond_with_data(sent)
    room = tmp_path / "room"
    room.mkdir()
    with pytest.raises(PackagesUnavailable, match="checksum") as error:
        Repository(httpserver.url_for("").rstrip("/")).fetch(parse_sample(tlnet), room)
    assert error.value.reason is StopReason.INSTALL_FAILED
    assert not list(room.iterdir())


def test_an_absent_container(httpserver: HTTPServer, tlnet: Tlnet, tmp_path: Path) -> None:
    with pytest.raises(PackagesUnavailable, match="sample cannot be had") as error:
        httpserver.expect_request("/archive/sample.tar.xz").respond_with_data("", status=404)
        Repository(httpserver.url_for("").rstrip("/")).fetch(parse_sample(tlnet), tmp_path)
    assert error.value.reason is StopReason.INSTALL_FAILED


def test_a_damaged_database_is_refused(tlnet: Tlnet) -> None:
    (tlnet.folder / "tlpkg/texlive.tlpdb.sha512").write_text(hashlib.sha512(b"other").hexdigest())
    with pytest.raises(PackagesUnavailable, match="checksum"):
        Repository(str(tlnet.folder)).database()


def test_nobody_answers() -> None:
    repository = open_repository("http://127.0.0.1:9/tlnet")
    for ask in (repository.check, repository.pinned, repository.database):
        with pytest.raises(PackagesUnavailable, match="cannot be asked for packages") as error:
            ask()
        assert error.value.reason is StopReason.OFFLINE


def test_a_folder_is_never_offline_it_is_broken(tlnet: Tlnet) -> None:
    repository = Repository(str(tlnet.folder))
    repository.check()
    (tlnet.folder / "tlpkg/texlive.tlpdb.xz").write_bytes(b"not compressed")
    with pytest.raises(PackagesUnavailable, match=r"texlive\.tlpdb\.xz is damaged") as damaged:
        repository.database()
    (tlnet.folder / "tlpkg/texlive.tlpdb.sha512").unlink()
    with pytest.raises(PackagesUnavailable, match=r"is broken: .*/texlive\.tlpdb\.sha512: No such file") as broken:
        repository.check()
    assert {damaged.value.reason, broken.value.reason} == {StopReason.INSTALL_FAILED}


@pytest.mark.parametrize("named", ["ftp://host/x", "/nowhere/at/all", "javascript://x"])
def test_what_is_no_repository(named: str) -> None:
    with pytest.raises(UsageError):
        open_repository(named)


def test_a_file_url(tlnet: Tlnet) -> None:
    assert open_repository(tlnet.folder.as_uri()) == Repository(str(tlnet.folder))
