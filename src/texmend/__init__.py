"""texmend makes a LaTeX document that does not build, build again, and proves what it did.

`compile_document`, `mend`, `watch`, `Draft` and `Settings` are the Python face (texmend.api), imported when first used.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from texmend.api import Draft, Settings, compile_document, mend, watch

__version__ = "0.1.0"
__all__ = ["Draft", "Settings", "__version__", "compile_document", "mend", "watch"]


def __getattr__(name: str) -> Any:  # noqa: ANN401  # PEP 562: the names of the Python face
    if name in __all__:
        from texmend import api

        return getattr(api, name)
    raise AttributeError(f"module 'texmend' has no attribute {name!r}")
