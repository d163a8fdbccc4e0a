"""What is known of Tectonic without running it; the texts are those of 0.17."""

from __future__ import annotations

from pathlib import Path

import pytest

from texmend.adapters.builds.tectonic import Places, argv, fault, parse_panic, parse_rules, places
from texmend.model.diagnostic import Kind
from texmend.tex.log import parse_log

PANIC = b"""note: using only cached resource files

thread 'main' (29636) panicked at src/config.rs:154:18:
called `Result::unwrap()` on an `Err` value: this bundle isn't cached, and we couldn't get it from the internet. Error: x
"""


def test_it_is_told_not_to_trust_the_document_and_not_to_ask_a_network() -> None:
    words = argv("main.tex", Places(Path("/c")), synctex=False)
    assert {"--untrusted", "--only-cached", "--keep-logs", "continue-on-errors"} <= set(words)
    assert words[-1] == "main.tex"
    assert "--bundle" in argv("main.tex", Places(Path("/c"), Path("/b")), synctex=True)


def test_where_the_users_own_is(tmp_path: Path) -> None:
    bundle, config = tmp_path / "b.ttb", tmp_path / ".config/Tectonic/config.toml"
    bundle.touch()
    config.parent.mkdir(parents=True)
    config.write_text(f'[[default_bundles]]\nurl = "file://{bundle}"\n')
    home = {"HOME": str(tmp_path)}
    assert places(home) == Places(tmp_path / ".cache/Tectonic", bundle)
    assert places({**home, "TECTONIC_CACHE_DIR": "/c"}).cache == Path("/c")


@pytest.mark.parametrize("text", ["", "[", "default_bundles = 1", '[[default_bundles]]\nurl = "https://host/b.tar"', "x = []"])
def test_a_configuration_that_names_no_bundle_of_this_machine(tmp_path: Path, text: str) -> None:
    config = tmp_path / ".config/Tectonic/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(text)
    assert places({"HOME": str(tmp_path)}).bundle is None


def test_what_it_read() -> None:
    found = parse_rules(b"main.pdf main.log : main.tex \\\n  article.cls \\\n  ch/one.tex\n")
    assert (found.inputs, found.outputs) == (("main.tex", "article.cls", "ch/one.tex"), ("main.pdf", "main.log"))
    assert parse_rules(b"").inputs == ()


def test_a_panic_is_one_error_with_its_reason() -> None:
    (said,) = parse_panic(PANIC)
    assert said.kind is Kind.FATAL
    assert said.message.startswith("this bundle isn't cached")
    assert parse_panic(b"error: main.tex:3: Undefined control sequence") == ()


def test_its_log_is_read_as_xetex_s() -> None:
    (said,) = parse_log(b"(main.tex)\n! Emergency stop\n*** (job aborted, no legal \\end found)\nNo pages of output.\n", "tectonic")
    assert said.kind is Kind.NO_END_DOCUMENT


def test_one_that_does_not_start(tmp_path: Path) -> None:
    program = tmp_path / "tectonic"
    program.write_text("#!/bin/sh\necho \"tectonic: version 'GLIBC_2.38' not found\"; exit 1\n")
    program.chmod(0o755)
    assert fault(str(program), {}) == "tectonic: version 'GLIBC_2.38' not found"
    assert fault(str(tmp_path / "none"), {}) == "exit code None"
