"""Builds tiny documents of our own with the engines of this machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from texmend.adapters.builds.fontcache import FontCache
from texmend.adapters.builds.latex import LatexCompiler
from texmend.adapters.builds.workdirs import WorkCopy
from texmend.adapters.jail.sandbox import Rung, Sandbox, probe
from texmend.adapters.tree.lookup import TreeLookup
from texmend.adapters.tree.textree import TexTree, find_tree
from texmend.adapters.tree.treefiles import TreeFiles
from texmend.model.compile import CompileRequest, CompileResult
from texmend.model.document import Document, Engine, Root, RootSource, Source, decode

TEXT = (".tex", ".bib", ".sty", ".cls")
Files = Mapping[str, str | bytes]


def document_of(work: WorkCopy, root: str, engine: Engine) -> Document:
    """The document that a copy holds."""
    texts = [Source(n, decode((work.tree / n).read_bytes())) for n in work.files if n.endswith(TEXT)]
    return Document(Root(root, RootSource.EXPLICIT), engine, tuple(texts))


def write_files(folder: Path, files: Files) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


@pytest.fixture(scope="session")
def sandbox() -> Sandbox:
    return probe()


@pytest.fixture(scope="session")
def installation() -> TexTree:
    import os

    return find_tree(os.environ)


@pytest.fixture(scope="session")
def fonts() -> FontCache:
    return FontCache()


@pytest.fixture(scope="session")
def tree_files() -> TreeFiles:
    """The installation's files, whose lists are read once."""
    return TreeFiles()


@pytest.fixture
def lookup(tmp_path: Path, tree_files: TreeFiles) -> TreeLookup:
    """What the workspace of `compiler_for` and the installation hold."""
    return TreeLookup(tmp_path / "workspace", tree=tree_files)


@pytest.fixture
def compiler_for(tmp_path: Path, sandbox: Sandbox, installation: TexTree, fonts: FontCache) -> Callable[..., LatexCompiler]:
    """A compiler whose copy holds these files."""

    def make(files: Files, rung: Rung | None = None, **options: object) -> LatexCompiler:
        work = WorkCopy(tmp_path / "session")
        work.stage(write_files(tmp_path / "workspace", files))
        box = sandbox if rung is None else probe((rung,))
        return LatexCompiler(work, box, **{"tree": installation, "fonts": fonts, **options})  # type: ignore[arg-type]

    return make


@pytest.fixture
def built(compiler_for: Callable[..., LatexCompiler]) -> Callable[..., CompileResult]:
    """The result of building these files."""

    def build(
        files: Files, engine: Engine = Engine.PDFLATEX, root: str = "main.tex", seconds: float = 60.0, **options: object
    ) -> CompileResult:
        compiler = compiler_for(files, **options)
        return compiler.compile(CompileRequest(document_of(compiler.work, root, engine), seconds, 4 * seconds))

    return build
